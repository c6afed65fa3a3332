import { InvalidArgumentError, type Command } from 'commander'
import type { Connection } from './api/connect.js'

/** Options that every command that talks to an API has. */
export interface SharedOptions {
  readonly json?: boolean
  readonly url?: string
  readonly apiKey?: string
}

/** Adds a command with `--json` and examples. */
export function command(
  parent: Command,
  name: string,
  description: string,
  examples: readonly string[],
): Command {
  return parent
    .command(name)
    .description(description)
    .option('--json', 'print JSON only')
    .addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ ${line}`).join('\n')}`)
}

/** Adds the options that say which API is meant. */
export function remote(parent: Command): Command {
  return parent
    .option(
      '--url <url>',
      'API to talk to (default: LOAM_URL, else the server or store in LOAM_HOME)',
    )
    .option('--api-key <key>', 'key of the API (default: LOAM_API_KEY, else the one in LOAM_HOME)')
}

/** Connects to the API for as long as the work takes. */
export async function connected(
  options: SharedOptions & { readonly jobs?: boolean; readonly mustExist?: boolean },
  use: (connection: Connection) => Promise<void>,
): Promise<void> {
  const { connect } = await import('./api/connect.js')
  const connection = await connect(options)
  try {
    await use(connection)
  } finally {
    await connection.close()
  }
}

/** Reads a port. */
export function port(text: string): number {
  const number = wholeNumber(text)
  if (number > 65_535) throw new InvalidArgumentError('It must be 0 to 65535.')
  return number
}

/** Reads how many at once. */
export function concurrency(text: string): number {
  const number = wholeNumber(text)
  if (number < 1 || number > 1_000) throw new InvalidArgumentError('It must be 1 to 1000.')
  return number
}

/** Reads a whole number from 0 on. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Reads a whole number from 1 on. */
export function positiveNumber(text: string): number {
  const number = wholeNumber(text)
  if (number === 0) throw new InvalidArgumentError('It must be 1 or more.')
  return number
}

/** Reads a number. */
export function decimal(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || Number.isNaN(number)) {
    throw new InvalidArgumentError('It must be a number.')
  }
  return number
}
