import { z } from '@hono/zod-openapi'

/** A required JSON body, for the description of a route. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } } as const
}

/** A JSON body that may be left out, as the routes of which every field is optional have it. */
export function optionalJsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: false, content: { 'application/json': { schema } } } as const
}

/** A required body of changes, as plain JSON or as a merge patch by name (RFC 7396), for the description of a route. */
export function patchBody<Schema extends z.ZodType>(schema: Schema) {
  const content = { 'application/json': { schema }, 'application/merge-patch+json': { schema } }
  return { required: true, content } as const
}

/** An answer of bytes, for the description of a route. */
export function bytesAnswer(description: string, mediaType: string) {
  const schema = z.string().openapi({ type: 'string', format: 'binary' })
  return { description, content: { [mediaType]: { schema } } }
}

/** A JSON answer, for the description of a route. */
export function jsonAnswer<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { 'application/json': { schema } } } as const
}

/** A JSON answer of what may be written back, with the tag that names its state. */
export function taggedAnswer<Schema extends z.ZodType>(description: string, schema: Schema) {
  const ETag = z.string().optional().openapi({
    description: 'Names this state. Send it as If-Match to write over no other.',
    example: '"3-9f86d081884c7d65"',
  })
  return { ...jsonAnswer(description, schema), headers: z.object({ ETag }) } as const
}
