import {
  ConfigurationError,
  ModelError,
  type AbortableOptions,
  type InputIssue,
  type ModelCallContext,
} from '@loam/core'
import { OpenAI } from 'openai'
import { readUsage } from './answer-usage.js'
import { MAX_TIMEOUT_MS, withDeadline, type Deadline } from './deadline.js'
import { createEndpointGate } from './endpoint-gate.js'
import { mayBeBilled, timedOut, toModelError, type CallTarget } from './model-failure.js'
import { withRetries } from './retry.js'

/** How to reach a model behind an OpenAI-compatible API. */
export interface EndpointOptions {
  /** Where the API begins, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string
  /** Sent as a bearer token. Default: none, as local servers have it. */
  readonly apiKey?: string | undefined
  readonly model: string
  /** Longest wait for one call, its retries included. Default: 120,000 for chat, 60,000 for a batch of embeddings. */
  readonly timeoutMs?: number | undefined
  /** Requests of this model that are sent at once; the others wait, in turn by tenant and user, without their time running. Default: 8. */
  readonly maxConcurrency?: number | undefined
  /** How often a call is tried again after a failure that may pass. Default: 2. */
  readonly maxRetries?: number | undefined
  /** Replaces the global `fetch`, such as to go through a proxy. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** A model behind an OpenAI-compatible API, before it is known what is asked of it. */
export interface Endpoint extends CallTarget {
  /** Runs work made of one or more sends, within one time limit. */
  within<Result>(
    options: AbortableOptions & { readonly timeoutMs?: number | undefined },
    work: (deadline: Deadline) => Promise<Result>,
  ): Promise<Result>
  /**
   * Sends one request when the endpoint has a place for it, again after failures that may pass soon. What each answer
   * cost is told before the answer is returned.
   *
   * @throws ModelError, or the signal's reason.
   */
  send(
    request: (client: OpenAI, options: { signal: AbortSignal }) => PromiseLike<unknown>,
    deadline: Deadline,
    context: Pick<ModelCallContext, 'onUsage' | 'scope'>,
  ): Promise<unknown>
}

const DEFAULT_CONCURRENCY = 8

/** Checks the options and makes the client; nothing is sent yet. */
export function createEndpoint(
  options: EndpointOptions,
  defaults: {
    readonly timeoutMs: number
    /** Places that no single user takes; see `createFairPlaces`. Default: none. */
    readonly spare?: number | undefined
  },
): Endpoint {
  checkOptions(options)
  const { baseUrl, model, maxRetries = 2, maxConcurrency = DEFAULT_CONCURRENCY } = options
  const apiKey = options.apiKey || undefined
  const target: CallTarget = { baseUrl, model, apiKey }
  const client = createClient(options)
  const gate = createEndpointGate(maxConcurrency, defaults.spare)
  return {
    ...target,
    within({ signal, timeoutMs = options.timeoutMs ?? defaults.timeoutMs }, work) {
      return withDeadline(
        { signal, timeoutMs, timeoutError: () => timedOut(target, timeoutMs) },
        work,
      )
    },
    send(request, deadline, { onUsage, scope }) {
      const failed = (error: unknown) => {
        const failure = toModelError(error, target)
        if (deadline.signal.aborted || mayBeBilled(failure)) onUsage?.(undefined)
        deadline.signal.throwIfAborted()
        if (asksEverybodyToWait(failure)) gate.holdBack(failure)
        return failure
      }
      const sendOnce = async () => {
        let answer: unknown
        try {
          answer = await request(client, { signal: deadline.signal })
        } catch (error) {
          throw failed(error)
        }
        onUsage?.(readUsage(answer))
        return answer
      }
      // The place is taken for each attempt, and free while a failed one backs off.
      return withRetries(() => gate.pass(sendOnce, deadline, scope), { maxRetries, deadline })
    },
  }
}

/** A provider that names a time means all that come from here, not only the request that it told. */
function asksEverybodyToWait(failure: unknown): failure is ModelError {
  return (
    ModelError.isInstance(failure) &&
    failure.retryAfterMs !== undefined &&
    (failure.reason === 'rate_limited' || failure.reason === 'unavailable')
  )
}

/** The package falls back to `OPENAI_…` variables for what is undefined, which belong to another endpoint: hence the nulls. */
function createClient({ baseUrl, apiKey, fetch }: EndpointOptions): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    // It refuses to be made without a key; the header is then left out.
    apiKey: apiKey || 'none',
    // Said here, since headers from the environment would win over the key.
    defaultHeaders: { authorization: apiKey ? `Bearer ${apiKey}` : null },
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    // Its own limit ends with the answer's headers, and its own retries neither stop when aborted nor know a used-up quota.
    timeout: MAX_TIMEOUT_MS,
    maxRetries: 0,
    ...(fetch && { fetch }),
  })
}

function checkOptions(options: EndpointOptions): void {
  const { baseUrl, model, timeoutMs = 1, maxRetries = 0, maxConcurrency = 1 } = options
  const issues: InputIssue[] = []
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    issues.push({ path: 'baseUrl', message: 'must be a URL such as https://api.openai.com/v1' })
  } else if (url.username || url.password) {
    issues.push({ path: 'baseUrl', message: 'must not contain a password: use apiKey' })
  }
  if (!model.trim()) issues.push({ path: 'model', message: "must be the model's name" })
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)) {
    issues.push({ path: 'timeoutMs', message: `must be from 1 to ${MAX_TIMEOUT_MS}` })
  }
  if (!(Number.isInteger(maxRetries) && maxRetries >= 0)) {
    issues.push({ path: 'maxRetries', message: 'must be a whole number from 0 on' })
  }
  if (!(Number.isInteger(maxConcurrency) && maxConcurrency >= 1)) {
    issues.push({ path: 'maxConcurrency', message: 'must be a whole number from 1 on' })
  }
  if (issues.length === 0) return
  throw new ConfigurationError({
    message: `The options of a model are not right: ${issues.map(({ path, message }) => `${path} ${message}`).join('; ')}.`,
    issues,
  })
}
