import { ApiError, type InputIssue } from './api-error.js'

/** Reads an answer that tells of a fault: a problem (RFC 9457), an error of OpenAI's shape, or what a proxy says. */
export async function readError(response: Response): Promise<ApiError> {
  return errorOf(parse(await response.text().catch(() => '')), response)
}

/** The fault that a body tells of. */
export function errorOf(
  body: Readonly<Record<string, unknown>>,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
): ApiError {
  const error = isRecord(body['error']) ? body['error'] : undefined
  return new ApiError({
    status,
    code: text(error?.['code']) ?? text(body['code']) ?? `http_${status}`,
    message:
      text(error?.['message']) ??
      text(body['detail']) ??
      text(body['title']) ??
      `The server answered ${status} without an explanation.`,
    issues: issuesOf(body['issues'], error),
    requestId: text(body['requestId']) ?? headers.get('x-request-id') ?? undefined,
  })
}

function issuesOf(
  issues: unknown,
  error: Readonly<Record<string, unknown>> | undefined,
): readonly InputIssue[] {
  const path = text(error?.['param'])
  if (path !== undefined) return [{ path, message: text(error?.['message']) ?? '' }]
  if (!Array.isArray(issues)) return []
  return issues.filter(isRecord).map((issue) => ({
    path: text(issue['path']) ?? '',
    message: text(issue['message']) ?? '',
  }))
}

function parse(json: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(json)
    return isRecord(body) ? body : {}
  } catch {
    return {}
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
