/** Why a request is refused before its message was read. */
export interface JsonRpcRefusal {
  readonly status: number
  readonly message: string
  /** Of JSON-RPC. Default: what the status stands for. */
  readonly code?: number | undefined
  /** Beside the message, such as a code of one's own. */
  readonly data?: Readonly<Record<string, unknown>> | undefined
}

const INVALID_REQUEST = -32_600
const INTERNAL_ERROR = -32_603
/** The first of the codes that servers may use as they like; the SDK's own refusals have it. */
const REFUSED = -32_000

/** The body of an HTTP answer that refuses a request, as clients of the protocol read it. */
export function jsonRpcRefusal({ status, message, code, data }: JsonRpcRefusal) {
  return {
    jsonrpc: '2.0',
    id: null,
    error: { code: code ?? codeOf(status), message, ...(data !== undefined && { data }) },
  } as const
}

function codeOf(status: number): number {
  if (status >= 500) return INTERNAL_ERROR
  return status === 400 ? INVALID_REQUEST : REFUSED
}
