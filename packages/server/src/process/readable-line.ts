import { pino } from 'pino'

/** A line of JSON of pino as people read it: time, level unless it is information, message, fields. */
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
