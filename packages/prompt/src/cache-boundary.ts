/**
 * Stands on a line of its own between the stable and the dynamic half of a prompt in cache order. No interpolated text can
 * contain it.
 */
export const CACHE_BOUNDARY = '<!-- loam:cache-boundary -->'

/** What may appear in no interpolated text: the heart of the boundary, so that near copies are caught as well. */
export const BOUNDARY_MARK = 'loam:cache-boundary'
