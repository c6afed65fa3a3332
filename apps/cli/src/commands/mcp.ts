import { serveMcpStdio } from '@loam/mcp/stdio'
import { stopSignal } from '@loam/server/process'
import { createApiToolSource, type ApiToolSourceOptions } from '../api/api-tool-source.js'
import { connectPatiently } from '../api/connect-patiently.js'
import { checkTarget, type ConnectOptions } from '../api/connect.js'
import { createLazyToolSource } from '../api/lazy-tool-source.js'
import { createLogger } from '../logger.js'
import { createOutput } from '../output.js'
import { readVersion } from '../read-version.js'
import { describeError, reportError } from '../report-error.js'

/** Whose tools `loam mcp` serves, and from where. */
export type McpCommandOptions = ApiToolSourceOptions & Pick<ConnectOptions, 'url' | 'apiKey'>

/** Serves an agent's tools over standard input and output, until the client closes them or the process is told to stop. */
export async function runMcp(options: McpCommandOptions): Promise<void> {
  // The only process that holds an embedded store also does its jobs.
  const target = { url: options.url, apiKey: options.apiKey, mustExist: true, jobs: true }
  await checkTarget(target)
  const output = createOutput({})
  const tools = createLazyToolSource({
    open: async (signal) => await connectPatiently(target, signal),
    toSource: (client) => createApiToolSource(client, options),
    onError: (error) => {
      reportError(error, output)
    },
  })
  if (process.stdin.isTTY) {
    output.note(
      'Waiting for a client on standard input. One starts this by itself: loam mcp --help',
    )
  }
  try {
    await serveMcpStdio({
      tools,
      title: `Loam: ${options.agent}`,
      version: readVersion(),
      logger: createLogger('warn'),
      describeError: (error) => describeError(error).message,
      signal: stopSignal(),
    })
  } finally {
    await tools.close()
  }
}
