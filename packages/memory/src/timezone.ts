import { InvalidInputError } from '@loam/core'

/** @throws InvalidInputError when it is no IANA time zone. */
export function checkTimezone(timezone: string): void {
  if (known.has(timezone)) return
  try {
    Intl.DateTimeFormat('en', { timeZone: timezone })
    // A name can be spelled in any case, so that callers could make ever more.
    if (known.size < MAX_KNOWN) known.add(timezone)
  } catch (cause) {
    const message = `There is no time zone ${JSON.stringify(timezone)}. Use an IANA name such as Europe/Berlin.`
    throw new InvalidInputError({ message, issues: [{ path: 'timezone', message }], cause })
  }
}

// Asking costs more than most searches spend on all other checks.
const known = new Set(['UTC'])
const MAX_KNOWN = 1000
