import { tool } from '../workspace/tool.mjs'

/**
 * @typedef {object} Step
 * @property {string} name What it checks, for a person.
 * @property {readonly string[]} command
 * @property {boolean} [showsProgress] Shows its output as it runs; default only if it fails.
 */

/** Where vitest leaves its results for `readTestResults`. */
export const TEST_RESULTS_FILE = '.cache/vitest.json'

/**
 * Every check of the repository, in the order in which they run. They are called directly and not as Nx targets, where
 * each project would pay for a start of its own, and always anew, never from a cache.
 * @param {readonly string[]} testArguments for vitest
 * @returns {Step[]}
 */
export function checkSteps(testArguments) {
  const nx = tool('nx', 'nx')
  const oxlint = tool('oxlint', 'oxlint')
  const outputs = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${TEST_RESULTS_FILE}`,
  ]
  return [
    { name: 'project references', command: [...nx, 'sync:check'] },
    { name: 'types', command: [...tool('typescript7', 'tsc'), '-b'] },
    { name: 'lint', command: [...oxlint, '--quiet'] },
    {
      // Reads the project graph that the first step has made; see the script of the same name in package.json.
      name: 'boundaries',
      command: [...oxlint, '-c', 'boundaries.oxlintrc.json', 'packages', 'apps'],
    },
    { name: 'formatting', command: [...tool('oxfmt', 'oxfmt'), '--check', '.'] },
    {
      name: 'tests',
      command: [...tool('vitest', 'vitest'), 'run', ...outputs, ...testArguments],
      showsProgress: true,
    },
    {
      name: 'packages as published',
      command: [
        ...nx,
        'run-many',
        '-t',
        'check-package',
        '--skip-nx-cache',
        '--skipSync',
        '--outputStyle=static',
      ],
    },
  ]
}
