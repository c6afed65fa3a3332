import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import type { ApiEnvironment } from './api-environment.js'

/** A file that was sent, and the fields beside it. */
export interface Upload {
  readonly bytes: Uint8Array
  readonly fields: Readonly<Record<string, string>>
}

/** For the parts of a form besides its file. */
const ENVELOPE_BYTES = 1024 * 1024
const BINARY_TYPES: ReadonlySet<string> = new Set([
  'application/zip',
  'application/x-zip-compressed',
  'application/octet-stream',
])

/**
 * Reads one file: the part `file` of a form, with whatever type its sender gave it, or the body itself. Reading stops as soon as
 * it is larger than allowed.
 */
export async function readUpload(
  context: Context<ApiEnvironment>,
  maxFileBytes: number,
): Promise<Upload> {
  const type = (context.req.header('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const isForm = type === 'multipart/form-data'
  if (!isForm && !BINARY_TYPES.has(type)) {
    throw new HTTPException(415, {
      message:
        'Send the ZIP as the part "file" of multipart/form-data (curl -F file=@skill.zip), or as the body with "Content-Type: application/zip".',
    })
  }
  let upload: Upload | undefined
  const limit = bodyLimit({
    maxSize: maxFileBytes + (isForm ? ENVELOPE_BYTES : 0),
    onError: () => {
      throw tooLarge(maxFileBytes)
    },
  })
  await limit(context, async () => {
    upload = isForm ? await readForm(context.req.raw) : await readBody(context)
  })
  if (upload === undefined) throw tooLarge(maxFileBytes)
  if (upload.bytes.byteLength > maxFileBytes) throw tooLarge(maxFileBytes)
  return upload
}

async function readBody({ req }: Context<ApiEnvironment>): Promise<Upload> {
  return { bytes: new Uint8Array(await req.raw.arrayBuffer()), fields: req.query() }
}

async function readForm(request: Request): Promise<Upload> {
  const form = await request.formData().catch((cause: unknown) => {
    if (cause instanceof Error && cause.name === 'BodyLimitError') throw cause
    throw new HTTPException(400, {
      message:
        'The body is no valid multipart form. Leave "Content-Type" to the tool that makes the form, since it names the boundary.',
      cause,
    })
  })
  const file = form.get('file')
  if (file === null || typeof file === 'string') {
    throw new HTTPException(400, {
      message: 'The form has no part "file" with a file in it. With curl: -F file=@skill.zip',
    })
  }
  const texts = Array.from(form).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return { bytes: new Uint8Array(await file.arrayBuffer()), fields: Object.fromEntries(texts) }
}

function tooLarge(maxFileBytes: number): HTTPException {
  return new HTTPException(413, {
    message: `The file is larger than ${maxFileBytes} bytes. Send a smaller one, or set skills.max_upload_size_mb.`,
  })
}
