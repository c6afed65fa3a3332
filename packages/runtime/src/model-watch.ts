import {
  ModelError,
  isModelMisconfigured,
  type ChatModel,
  type Clock,
  type CompletionModel,
  type EmbeddingModel,
  type Logger,
  type ModelErrorReason,
} from '@loam/core'

/** Knows whether a model can be used at present. */
export interface ModelWatch {
  /** What is wrong with it and what to do, without the names of hosts; undefined while nothing is. */
  readonly trouble: string | undefined
  /** Makes a call that somebody waits for. */
  call<Result>(work: () => Promise<Result>): Promise<Result>
  /** Makes a call that can wait: it is not made for a while after one that failed for the settings, and fails as that did. */
  callSparingly<Result>(work: () => Promise<Result>): Promise<Result>
}

/** What a watch works with. */
export interface ModelWatchOptions {
  /** The setting that names the model, such as `LOAM_CHAT_MODEL`. */
  readonly setting: string
  readonly model: string
  readonly clock: Clock
  readonly logger: Logger
}

/** Of the calls of all the jobs that come back at once, one in this time is made. */
const LOOK_AGAIN_MS = 15_000

/** Makes a watch, which logs once what is wrong with a model, and once that nothing is any longer. */
export function createModelWatch({ setting, model, clock, logger }: ModelWatchOptions): ModelWatch {
  let fault: { readonly error: ModelError; readonly trouble: string } | undefined
  let lookAgainAt = 0

  function note(error: unknown): void {
    const trouble = ModelError.isInstance(error) ? troubleOf(error, setting) : undefined
    if (trouble === undefined || !ModelError.isInstance(error)) return
    if (isModelMisconfigured(error)) lookAgainAt = clock.now().getTime() + LOOK_AGAIN_MS
    const isNew = fault?.trouble !== trouble
    fault = { error, trouble }
    if (!isNew) return
    const level = isModelMisconfigured(error) ? 'error' : 'warn'
    const { message, reason } = error
    logger[level](`A model cannot be used; its work waits. ${trouble}`, {
      model,
      reason,
      error: message,
    })
  }

  async function call<Result>(work: () => Promise<Result>): Promise<Result> {
    let result
    try {
      result = await work()
    } catch (error) {
      note(error)
      throw error
    }
    if (fault) logger.info('A model can be used again.', { model })
    fault = undefined
    return result
  }

  return {
    get trouble() {
      return fault?.trouble
    },
    call,
    async callSparingly(work) {
      if (fault && isModelMisconfigured(fault.error)) {
        const now = clock.now().getTime()
        if (now < lookAgainAt) throw fault.error
        // The others that come at this moment wait for what this one finds.
        lookAgainAt = now + LOOK_AGAIN_MS
      }
      return await call(work)
    },
  }
}

/** What lasts; a call that was too slow or one too many says nothing of the next. */
function troubleOf({ reason }: ModelError, setting: string): string | undefined {
  const troubles: Partial<Record<ModelErrorReason, string>> = {
    unauthorized:
      'The endpoint refuses the key or what it is to be used for. Check LOAM_MODEL_API_KEY.',
    not_found: `The endpoint has no such model or path. Check ${setting} and LOAM_MODEL_BASE_URL.`,
    unreachable: 'The endpoint cannot be reached. Check that it runs, and LOAM_MODEL_BASE_URL.',
    quota_exceeded: "The account's quota is used up. Raise it with the provider.",
  }
  return troubles[reason]
}

/** The same chat model, watched; it is what jobs ask. */
export function watchedChatModel(model: ChatModel, watch: ModelWatch): ChatModel {
  return {
    provider: model.provider,
    model: model.model,
    chat: (request, context) => watch.callSparingly(() => model.chat(request, context)),
    chatObject: (request, context) => watch.callSparingly(() => model.chatObject(request, context)),
  }
}

/** The same completion model, watched; somebody waits for its answers. */
export function watchedCompletionModel(model: CompletionModel, watch: ModelWatch): CompletionModel {
  return {
    provider: model.provider,
    model: model.model,
    complete: (request, context) => watch.call(() => model.complete(request, context)),
  }
}

/** The same embedding model, watched if its calls leave the process. */
export function watchedEmbeddingModel(model: EmbeddingModel, watch: ModelWatch): EmbeddingModel {
  if (!model.remote) return model
  return {
    ...model,
    embed: (texts, context) => watch.callSparingly(() => model.embed(texts, context)),
  }
}
