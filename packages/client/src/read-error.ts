import { ApiError, type InputIssue } from './api-error.js'
import { findObject, isObject } from './read-json.js'

/** Reads an answer that tells of a fault: a problem (RFC 9457), an error of OpenAI's shape, or what a proxy says. */
export async function readError(response: Response): Promise<ApiError> {
  const body = findObject(await response.text().catch(() => ''))
  return errorOf(body ?? {}, response)
}

/** The fault that a body tells of. */
export function errorOf(
  body: Readonly<Record<string, unknown>>,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
): ApiError {
  const error = isObject(body['error']) ? body['error'] : undefined
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
  return issues.filter(isObject).map((issue) => ({
    path: text(issue['path']) ?? '',
    message: text(issue['message']) ?? '',
  }))
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
