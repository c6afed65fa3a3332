import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'

const JSON_TYPE = 'application/json'
const MERGE_PATCH_TYPE = 'application/merge-patch+json'

/** Refuses a body that its headers declare to be anything but plain JSON in UTF-8. */
export function checkBodyHeaders({ req }: Context): void {
  checkCoding('Content-Encoding', req.header('Content-Encoding'), 'identity')
  // Node undoes the chunks alone, so that "gzip, chunked" would be read as it was compressed.
  checkCoding('Transfer-Encoding', req.header('Transfer-Encoding'), 'chunked')
  const [mediaType = '', ...parameters] = (req.header('Content-Type') ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice(8)
  const isUtf8 = charset === undefined || charset.replaceAll('"', '') === 'utf-8'
  const isPatch = req.method === 'PATCH' && mediaType === MERGE_PATCH_TYPE
  if ((mediaType === JSON_TYPE || isPatch) && isUtf8) return
  throw new HTTPException(415, {
    message: `The body must be JSON in UTF-8. Send it with "Content-Type: ${JSON_TYPE}".`,
  })
}

function checkCoding(header: string, value: string | undefined, plain: string): void {
  if (value === undefined || value.trim().toLowerCase() === plain) return
  throw new HTTPException(415, {
    message: `The ${header} of the body is not supported. Send the body as it is, without compression.`,
  })
}
