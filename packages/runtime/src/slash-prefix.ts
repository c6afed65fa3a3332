/** What commands may begin with, for an installation as for a tenant: what every keyboard has, and no word or sentence begins with unseen. */
export const SLASH_PREFIX = /^[!-/:-@[-`{-~]$/
/** `SLASH_PREFIX` in words. */
export const SLASH_PREFIX_IN_WORDS = 'one symbol of ASCII, such as / or !'
