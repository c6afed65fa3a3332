import { existsSync } from 'node:fs'
import type { LoamConfig } from '@loam/runtime'
import { maskUrl } from './doctor/configuration.js'

const FOLDER = /^pglite:(?!memory$)(.*)$/

/** Which store a configuration names, in words and without its password. */
export function describeStore({ databaseUrl }: LoamConfig): string {
  const folder = FOLDER.exec(databaseUrl)?.[1]
  return folder === undefined ? `the store ${maskUrl(databaseUrl)}` : `the store in ${folder}`
}

/** Whether there is something to open: the folder of an embedded store, or a server that only asking can tell. */
export function holdsStore({ databaseUrl }: LoamConfig): boolean {
  const folder = FOLDER.exec(databaseUrl)?.[1]
  return folder === undefined || existsSync(folder)
}
