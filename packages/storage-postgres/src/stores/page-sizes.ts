/** Most items of a page (`PageRequest`). */
export const MOST_ITEMS = 200

/** Most messages that are listed at once; the features read long stretches of a session. */
export const MOST_MESSAGES = 1000
