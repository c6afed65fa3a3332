import {
  LoamError,
  silentLogger,
  type ChatModel,
  type Clock,
  type EmbeddingModel,
  type GenerateId,
  type Logger,
  type ModelCallContext,
  type ModelUsage,
} from '@loam/core'
import type { ModelCall, ModelCallOutcome, Storage } from '@loam/storage'

/** What the recording of model calls works with. */
export interface RecordingOptions {
  readonly storage: Pick<Storage, 'transaction'>
  readonly clock: Clock
  readonly generateId: GenerateId
  /** Default: silent. */
  readonly logger?: Logger | undefined
}

/** The same chat model, with each call recorded before it is sent and with its outcome after. */
export function recordedChatModel(model: ChatModel, options: RecordingOptions): ChatModel {
  const record = createRecorder(options, { kind: 'chat', ...nameOf(model) })
  return {
    ...nameOf(model),
    chat: (request, context) =>
      record(context, async (report) => {
        const result = await model.chat(request, context)
        report(result.usage)
        return result
      }),
    chatObject: (request, context) => record(context, () => model.chatObject(request, context)),
  }
}

/** The same embedding model, with each call recorded if it leaves the process. */
export function recordedEmbeddingModel(
  model: EmbeddingModel,
  options: RecordingOptions,
): EmbeddingModel {
  if (!model.remote) return model
  const record = createRecorder(options, { kind: 'embedding', ...nameOf(model) })
  return {
    ...model,
    embed: (texts, context) => record(context, () => model.embed(texts, context)),
  }
}

type Recorder = <Result>(
  context: ModelCallContext,
  call: (report: (usage: ModelUsage | undefined) => void) => Promise<Result>,
) => Promise<Result>

/** Each record is a transaction of its own, so that none is open while the model works. */
function createRecorder(
  { storage, clock, generateId, logger = silentLogger }: RecordingOptions,
  model: Pick<ModelCall, 'kind' | 'provider' | 'model'>,
): Recorder {
  return async ({ scope, task, runId, jobId, signal }, call) => {
    const id = generateId()
    const access = { tenantId: scope.tenantId, userId: scope.userId }
    await storage.transaction(
      access,
      ({ modelCalls }) =>
        modelCalls.begin({ ...model, id, scope, task, runId, jobId, startedAt: clock.now() }),
      { signal },
    )
    const finish = async (outcome: Omit<ModelCallOutcome, 'finishedAt'>): Promise<void> => {
      try {
        await storage.transaction(access, ({ modelCalls }) =>
          modelCalls.finish(id, { ...outcome, finishedAt: clock.now() }),
        )
      } catch (error) {
        // The answer is there and paid for; the call stays recorded as begun.
        logger.warn('The outcome of a model call was not recorded.', { id, error: String(error) })
      }
    }
    let usage: ModelUsage | undefined
    try {
      const result = await call((reported) => {
        usage = reported
      })
      await finish({ status: 'succeeded', usage })
      return result
    } catch (error) {
      const errorCode = LoamError.isInstance(error) ? error.code : 'unknown'
      await finish({ status: 'failed', usage, errorCode: signal?.aborted ? 'aborted' : errorCode })
      throw error
    }
  }
}

function nameOf({ provider, model }: Pick<ModelCall, 'provider' | 'model'>) {
  return { provider, model }
}
