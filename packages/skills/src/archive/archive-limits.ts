/** How much of an archive is read. A value that is not above 0 means its default. */
export interface ArchiveLimits {
  /** Of the archive itself. Default 20 MiB. */
  readonly maxArchiveBytes: number
  /** Everything that the archive lists, folders and ignored files too. Default 500. */
  readonly maxEntries: number
  /** Of one file, unpacked. Default 5 MiB. */
  readonly maxFileBytes: number
  /** Of all files together, unpacked. Default 50 MiB. */
  readonly maxTotalBytes: number
  /** Unpacked to packed bytes, from `RATIO_FROM_BYTES` on. Default 100. */
  readonly maxRatio: number
  /** Segments of a path within the folder of its skill. Default 10. */
  readonly maxDepth: number
  /** Of a SKILL.md. Default 100 KiB. */
  readonly maxSkillFileBytes: number
}

const MEBIBYTE = 1024 * 1024

/** Defaults of `ArchiveLimits` (spec 03, 4.10). */
export const ARCHIVE_LIMITS: ArchiveLimits = {
  maxArchiveBytes: 20 * MEBIBYTE,
  maxEntries: 500,
  maxFileBytes: 5 * MEBIBYTE,
  maxTotalBytes: 50 * MEBIBYTE,
  maxRatio: 100,
  maxDepth: 10,
  maxSkillFileBytes: 100 * 1024,
}

/** So much may come of an archive before its ratio is looked at, for short files of repeated text pack very well. */
export const RATIO_FROM_BYTES = MEBIBYTE

/** The limits that were given, with defaults for the others. */
export function completeLimits(limits: Partial<ArchiveLimits>): ArchiveLimits {
  const entries = Object.entries(ARCHIVE_LIMITS).map(([name, standard]) => {
    const given = limits[name as keyof ArchiveLimits]
    const isUsable = given !== undefined && Number.isFinite(given) && given > 0
    return [name, isUsable ? given : standard]
  })
  return Object.fromEntries(entries) as ArchiveLimits
}
