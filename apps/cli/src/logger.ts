import type { Logger } from '@loam/core'
import type { LoamConfig } from '@loam/runtime'
import { fromPino } from '@loam/server/node'
import { destination, pino, type DestinationStream } from 'pino'

/**
 * A logger that writes to standard error, which leaves standard output to a command's results: readable lines on a
 * terminal, else JSON.
 */
export function createLogger(level: LoamConfig['logLevel']): Logger {
  const options = { level, base: null, serializers: { error: pino.stdSerializers.err } }
  return fromPino(
    pino(options, process.stderr.isTTY ? terminal : destination({ dest: 2, sync: true })),
  )
}

const terminal: DestinationStream = {
  write: (line) => {
    process.stderr.write(`${readableLine(line)}\n`)
  },
}

/** A line of pino as people read it: time, level unless it is information, message, fields. */
export function readableLine(json: string): string {
  const { level, time, msg, ...fields } = JSON.parse(json) as Record<string, unknown>
  const name = pino.levels.labels[Number(level)] ?? ''
  const shown = Object.entries(fields).map(([key, value]) => `${key}=${JSON.stringify(value)}`)
  return [
    new Date(Number(time)).toTimeString().slice(0, 8),
    ...(name === 'info' ? [] : [name.toUpperCase()]),
    String(msg),
    ...shown,
  ].join('  ')
}
