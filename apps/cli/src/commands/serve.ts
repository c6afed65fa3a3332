import { createRuntime, describeJobs, describeStore, type LoamConfig } from '@loam/runtime'
import { serveApi } from '@loam/server/node'
import { loadConfiguration } from '../configuration.js'
import { createLogger } from '../logger.js'
import { forLog, type Output } from '../output.js'
import { untilStopped } from '../until-stopped.js'

/** What `loam serve` is told beside the environment. */
export interface ServeCommandOptions {
  readonly host?: string | undefined
  readonly port?: number | undefined
}

/** Serves the API until it is told to stop, and does its jobs in this process unless there is a queue for workers. */
export async function runServe(options: ServeCommandOptions, given: Output): Promise<void> {
  const config = withOptions(loadConfiguration(), options)
  const logger = createLogger(config.logLevel, config.logFormat)
  const output = forLog(given, config.logFormat)
  output.note(`Opening ${describeStore(config)} …`)
  const runtime = await createRuntime(config, { logger, handlers: config.redisUrl === undefined })
  const stopped = untilStopped(output)
  try {
    await runtime.start()
    const server = await serveApi({ runtime })
    // A key that was given is known to whoever gave it, and need not stand on a screen.
    const apiKey = config.apiKey === undefined ? runtime.config.apiKey : undefined
    output.result({ url: server.url, ...(apiKey !== undefined && { apiKey }) })
    if (config.logFormat === 'json') {
      const [store, jobs] = [describeStore(config), describeJobs(config)]
      logger.info('api-listening', { url: server.url, store, jobs })
    }
    for (const line of banner(server.url, apiKey, config, output)) output.say(line)
    await stopped
    await server.close()
  } finally {
    await runtime.close()
  }
}

function withOptions(config: LoamConfig, { host, port }: ServeCommandOptions): LoamConfig {
  return { ...config, ...(host !== undefined && { host }), ...(port !== undefined && { port }) }
}

function banner(
  url: string,
  apiKey: string | undefined,
  config: LoamConfig,
  { paint }: Output,
): readonly string[] {
  const lines = ['', `${paint.bold('Loam')} is ready at ${paint.cyan(url)}`]
  if (apiKey !== undefined) lines.push(`Development API key: ${paint.cyan(apiKey)}`)
  lines.push(
    paint.dim(
      `Its store: ${describeStore(config)}. Its jobs: ${describeJobs(config)}. Press Ctrl-C to stop.`,
    ),
    '',
  )
  if (config.redisUrl !== undefined) {
    lines.push('Its jobs are done by workers. Start one or more of them: loam worker', '')
  }
  lines.push('Try these in another terminal, one after the other:', '')
  lines.push(...firstSteps(url, apiKey ?? '$LOAM_API_KEY').flatMap((line) => [line, '']))
  return lines
}

/** Three commands that work when pasted in this order into a POSIX shell: make an agent, store messages, search. */
export function firstSteps(url: string, apiKey: string): readonly string[] {
  const request = (path: string, body: unknown) =>
    `curl -sS ${url}${path} -H "Authorization: Bearer ${apiKey}" -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'; echo`
  const messages = [
    {
      id: 'm1',
      role: 'user',
      content: 'My sister Ana moved to Porto. She is allergic to peanuts.',
    },
    { id: 'm2', role: 'assistant', content: 'I will remember that.' },
  ]
  return [
    request('/v1/agents', { key: 'assistant' }),
    request('/v1/agents/assistant/sessions/first/messages', { userId: 'me', messages }),
    request('/v1/agents/assistant/memory/search', {
      query: 'What must Ana not eat?',
      userId: 'me',
      maxResults: 3,
    }),
  ]
}
