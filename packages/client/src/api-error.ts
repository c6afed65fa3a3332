/** One thing that is wrong with the input, and where. */
export interface InputIssue {
  /** Path of the field, such as `messages.0.content`. */
  readonly path: string
  readonly message: string
}

/** The API refused a request or failed at it. `code` is the API's own and stable; `message` is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** Status of the HTTP answer. */
  readonly status: number
  readonly code: string
  /** What is wrong with the input; empty where it is not the input. */
  readonly issues: readonly InputIssue[]
  /** Names the request in the server's log. */
  readonly requestId: string | undefined

  constructor(input: {
    readonly message: string
    readonly status: number
    readonly code: string
    readonly issues?: readonly InputIssue[] | undefined
    readonly requestId?: string | undefined
    readonly cause?: unknown
  }) {
    super(input.message, input.cause === undefined ? {} : { cause: input.cause })
    this.status = input.status
    this.code = input.code
    this.issues = input.issues ?? []
    this.requestId = input.requestId
  }
}

/** No whole answer came: the server was not reached, broke off, or took longer than the timeout. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly code: 'unreachable' | 'timed_out'

  constructor(
    message: string,
    options: { readonly code: 'unreachable' | 'timed_out'; readonly cause: unknown },
  ) {
    super(message, { cause: options.cause })
    this.code = options.code
  }
}
