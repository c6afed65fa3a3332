/** What `npm run test:faults` hands to the tests through the environment. */
export interface FaultSettings {
  /** Kills at random, and the kills of the embedded process. */
  readonly kills: number
  /** Chooses what is killed and when. */
  readonly seed: number
}

const DEFAULT_KILLS = 5
const DEFAULT_SEED = 20261201

/** Reads `LOAM_TEST_FAULT_KILLS` (default 5) and `LOAM_TEST_FAULT_SEED`. */
export function readFaultSettings(env: NodeJS.ProcessEnv = process.env): FaultSettings {
  return {
    kills: wholeNumber(env, 'LOAM_TEST_FAULT_KILLS') ?? DEFAULT_KILLS,
    seed: wholeNumber(env, 'LOAM_TEST_FAULT_SEED') ?? DEFAULT_SEED,
  }
}

function wholeNumber(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new RangeError(`${name} is "${text}"; give a whole number of at most nine digits.`)
}
