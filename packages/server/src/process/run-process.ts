import { LoamError, describeThrown, hideUrlSecrets } from '@loam/core'

/**
 * Runs what a process is there for. If that ends in an error, the process says so in one sentence on standard error and ends
 * with code 1; whoever keeps it running sees the reason at once, and not a stack.
 */
export async function runProcess(service: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    process.stderr.write(`${describeFatal(service, error)}\n`)
    process.exitCode = 1
  }
}

/** What ended a process, with its code. Where a fault is in the program itself is said at debug level. */
export function describeFatal(
  service: string,
  error: unknown,
  level = process.env['LOAM_LOG_LEVEL'],
): string {
  if (LoamError.isInstance(error)) {
    return `${service}: ${hideUrlSecrets(error.message)} (${error.code})`
  }
  const sentence = `${service}: ${describeThrown(error)} (internal_error)`
  if (level !== 'debug') return `${sentence}. LOAM_LOG_LEVEL=debug says where.`
  const stack = error instanceof Error ? hideUrlSecrets(error.stack ?? '') : ''
  return `${sentence}\n${stack}`
}
