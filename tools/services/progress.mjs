/**
 * Tells what takes its time and how long it took, on standard error, so that `status` and `up` keep their output clean.
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(what, work) {
  const started = performance.now()
  process.stderr.write(`  ${what} … `)
  try {
    const result = await work()
    process.stderr.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`)
    return result
  } catch (error) {
    process.stderr.write('failed\n')
    throw error
  }
}
