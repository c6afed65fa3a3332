import { toStorableJson, type InputIssue } from '@loam/core'

/** Longest metadata, as JSON. */
export const MAX_METADATA_LENGTH = 65_536
/** Deepest nesting of metadata. */
export const MAX_METADATA_DEPTH = 32

/** What is wrong with metadata that a caller sent; undefined when nothing is. */
export function metadataIssue(metadata: unknown, path: string): InputIssue | undefined {
  if (metadata === undefined) return undefined
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    return { path, message: 'Metadata must be an object.' }
  }
  if (depthOf(metadata) > MAX_METADATA_DEPTH) {
    return { path, message: `Metadata may be nested at most ${MAX_METADATA_DEPTH} levels deep.` }
  }
  const { length } = JSON.stringify(metadata)
  if (length <= MAX_METADATA_LENGTH) return undefined
  return {
    path,
    message: `The metadata has ${length} characters as JSON; at most ${MAX_METADATA_LENGTH} are allowed.`,
  }
}

/** Checked metadata as it is stored: JSON without what Postgres refuses. */
export function storableMetadata<Metadata extends Readonly<Record<string, unknown>>>(
  metadata: Metadata | undefined,
): Metadata | undefined {
  return metadata === undefined ? undefined : toStorableJson(structuredJson(metadata))
}

/** Dates become text and functions vanish, as they would on their way to the database. */
function structuredJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value
}

function depthOf(value: unknown): number {
  let depth = 0
  let level: unknown[] = [value]
  while (level.length > 0 && depth <= MAX_METADATA_DEPTH) {
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    )
    if (level.length > 0) depth += 1
  }
  return depth
}
