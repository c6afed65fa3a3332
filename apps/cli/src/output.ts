import { isatty } from 'node:tty'
import pc from 'picocolors'

/** Where a command's words go. */
export interface Output {
  /** Whether only JSON may be printed. */
  readonly json: boolean
  /** Colours, or their absence when the output is no terminal. */
  readonly paint: ReturnType<typeof pc.createColors>
  /** Prints for people on standard output; nothing with `--json`. */
  readonly say: (line?: string) => void
  /** Prints a text on standard output as it is, without a line break behind it; nothing with `--json`. */
  readonly text: (text: string) => void
  /** Prints for people on standard error; nothing with `--json`. */
  readonly note: (line: string) => void
  /** Prints one line of JSON on standard output; nothing without `--json`. */
  readonly result: (value: unknown) => void
}

/** Makes the output of one command. */
export function createOutput({ json = false }: { readonly json?: boolean | undefined }): Output {
  return {
    json,
    paint: pc.createColors(!json && pc.isColorSupported && isatty(1)),
    say: (line = '') => {
      if (!json) write(process.stdout, line)
    },
    text: (text) => {
      if (!json) process.stdout.write(text)
    },
    note: (line) => {
      if (!json) write(process.stderr, line)
    },
    result: (value) => {
      if (json) write(process.stdout, JSON.stringify(value))
    },
  }
}

/** The output of a command that goes on and on, whose words would stand between the lines of a log in JSON. */
export function forLog(output: Output, format: 'json' | 'text' | undefined): Output {
  return format === 'json' ? { ...output, say: () => {}, note: () => {} } : output
}

function write(stream: NodeJS.WriteStream, text: string): void {
  stream.write(`${text}\n`)
}

// Control characters, save tab and line feed, could move the cursor or change colours of the terminal.
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g

/** Text from users and files on one line of a terminal: no control characters, at most `limit` characters. */
export function oneLine(text: string, limit = 200): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll(CONTROL, '').trim()
  const characters = Array.from(line)
  return characters.length <= limit ? line : `${characters.slice(0, limit - 1).join('')}…`
}

/** `1 message`, `2 messages`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`
}

/** `830 ms`, `2.4 s`. */
export function duration(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`
}
