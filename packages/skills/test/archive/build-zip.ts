import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of a ZIP that is built byte by byte, so that everything about it can be a lie. */
export interface RawEntry {
  readonly name: string | Uint8Array
  readonly content?: string | Uint8Array
  /** Instead of the deflated content. */
  readonly packed?: Uint8Array
  readonly method?: number
  readonly flags?: number
  /** Unix mode with its file type. */
  readonly mode?: number
  /** Low half of the external attributes. */
  readonly attributes?: number
  readonly crc?: number
  readonly size?: number
  readonly packedSize?: number
  /** Place of the local header in `names`, for entries that share their bytes. */
  readonly offset?: number
}

const UTF8 = 0x800
const bytesOf = (text: string | Uint8Array) => Buffer.from(text as string)

export function buildZip(entries: readonly RawEntry[], entryCount = entries.length): Uint8Array {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const name = bytesOf(entry.name)
    const content = bytesOf(entry.content ?? '')
    const method = entry.method ?? 8
    const packed = Buffer.from(entry.packed ?? (method === 8 ? deflateRawSync(content) : content))
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(entry.flags ?? UTF8, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE((entry.crc ?? crc32(content)) >>> 0, 10)
    common.writeUInt32LE(entry.packedSize ?? packed.length, 14)
    common.writeUInt32LE(entry.size ?? content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const rest = Buffer.alloc(14)
    rest.writeUInt16LE(entry.attributes ?? 0, 6)
    rest.writeUInt16LE(entry.mode ?? 0, 8)
    rest.writeUInt32LE(entry.offset ?? offset, 10)
    directory.push(Buffer.from([0x50, 0x4b, 1, 2, 20, 3]), common, rest, name)
    const local = [Buffer.from([0x50, 0x4b, 3, 4]), common, name, packed]
    parts.push(...local)
    offset += local.reduce((sum, part) => sum + part.length, 0)
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entryCount, 8)
  end.writeUInt16LE(entryCount, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]))
}

/** A SKILL.md at the root, and some more. */
export function skillZip(...more: RawEntry[]): Uint8Array {
  return buildZip([{ name: 'SKILL.md', content: '# Skill' }, ...more])
}

export const utf8 = (text: string) => new TextEncoder().encode(text)
export const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
