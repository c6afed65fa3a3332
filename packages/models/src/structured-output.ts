import { InvalidInputError, ModelOutputError, type ChatMessage, type InputIssue } from '@loam/core'
import { repairJson } from '@loam/text'
import { z } from 'zod'

const MAX_SHOWN_ISSUES = 20
/** How much of a reply goes into an error or back to the model. */
const MAX_SHOWN_REPLY = 4000

/** A value that fits the schema, or what is wrong with the reply. */
export type ParsedReply<Value> =
  | { readonly value: Value }
  | { readonly issues: readonly InputIssue[] }

/** The JSON Schema of what the model shall write, without what providers refuse. */
export function toModelSchema(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const known = modelSchemas.get(schema)
  if (known) return known
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  })
  modelSchemas.set(schema, jsonSchema)
  return jsonSchema
}

// Schemas are few and asked for again and again.
const modelSchemas = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>()

/** Reads a value of `schema` out of a reply, through fences, prose and small faults of the JSON. */
export async function parseReply<Schema extends z.ZodType>(
  reply: string,
  schema: Schema,
): Promise<ParsedReply<z.infer<Schema>>> {
  // What most models write. Anything else is looked through.
  const whole = parseJson(reply)
  const asked = whole && (await schema.safeParseAsync(whole.value))
  if (asked?.success) return { value: asked.data }
  const candidates: unknown[] = []
  // The value that fits counts, also behind another; where none does, the first says best what was wrong.
  const collect = (value: unknown) => {
    candidates.push(value)
    return false
  }
  try {
    repairJson(reply, { accept: collect })
  } catch (error) {
    if (!InvalidInputError.isInstance(error)) throw error
  }
  let issues: readonly InputIssue[] | undefined
  for (const candidate of candidates) {
    const parsed = await schema.safeParseAsync(candidate)
    if (parsed.success) return { value: parsed.data }
    issues ??= toIssues(parsed.error)
  }
  return { issues: issues ?? [{ path: '', message: 'There is no complete JSON in the reply.' }] }
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Asks for JSON in words, for endpoints that do not know `response_format`. */
export function askInPrompt(
  messages: readonly ChatMessage[],
  jsonSchema: Record<string, unknown>,
): readonly ChatMessage[] {
  const instruction = `Answer with one JSON value that fits this JSON Schema, and with nothing else:\n${JSON.stringify(jsonSchema)}`
  const [first, ...rest] = messages
  if (first?.role !== 'system') return [{ role: 'system', content: instruction }, ...messages]
  return [{ role: 'system', content: `${first.content}\n\n${instruction}` }, ...rest]
}

/** Shows the model its reply and what is wrong with it. */
export function askForRepair(
  messages: readonly ChatMessage[],
  reply: string,
  issues: readonly InputIssue[],
): readonly ChatMessage[] {
  return [
    ...messages,
    { role: 'assistant', content: reply.slice(0, MAX_SHOWN_REPLY) || '(nothing)' },
    {
      role: 'user',
      content: `That answer does not fit what was asked:\n${describe(issues)}\nAnswer again with the corrected JSON value, complete, and with nothing else.`,
    },
  ]
}

/** The error for a reply that still does not fit after its repair. */
export function unfitReply(
  schemaName: string,
  reply: string,
  issues: readonly InputIssue[],
): ModelOutputError {
  return new ModelOutputError({
    message: `The model's answer does not fit the schema "${schemaName}", also after one attempt to repair it:\n${describe(issues)}`,
    details: { schemaName, issues },
    reply: reply.slice(0, MAX_SHOWN_REPLY),
  })
}

function toIssues({ issues }: z.ZodError): readonly InputIssue[] {
  return issues
    .slice(0, MAX_SHOWN_ISSUES)
    .map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
}

function describe(issues: readonly InputIssue[]): string {
  return issues.map(({ path, message }) => `- ${path && `${path}: `}${message}`).join('\n')
}
