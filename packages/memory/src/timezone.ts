import { InvalidInputError } from '@loam/core'

/** @throws InvalidInputError when it is no IANA time zone. */
export function checkTimezone(timezone: string): void {
  try {
    Intl.DateTimeFormat('en', { timeZone: timezone })
  } catch (cause) {
    const message = `There is no time zone ${JSON.stringify(timezone)}. Use an IANA name such as Europe/Berlin.`
    throw new InvalidInputError({ message, issues: [{ path: 'timezone', message }], cause })
  }
}
