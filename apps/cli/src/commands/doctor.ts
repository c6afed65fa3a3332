import { connect, type Connection, type ConnectOptions } from '../api/connect.js'
import { loadConfiguration } from '../configuration.js'
import { checkDeliveries, checkIndex, describeLanguages } from '../doctor/index-state.js'
import { describeConfiguration } from '../doctor/configuration.js'
import type { Finding } from '../doctor/finding.js'
import { checkModelEndpoint } from '../doctor/model-endpoint.js'
import { oneLine, type Output } from '../output.js'
import { describeError } from '../report-error.js'

/** Looks at everything that Loam needs, and prints it. Returns false when something is broken. */
export async function runDoctor(options: ConnectOptions, output: Output): Promise<boolean> {
  const config = loadConfiguration()
  const configuration = describeConfiguration(config)
  const findings = [
    ...(await checkInstallation(options)),
    // The endpoint of a distant server is in that server's configuration, not in ours.
    ...(options.url === undefined && !process.env['LOAM_URL']
      ? await checkModelEndpoint(config)
      : []),
  ]
  const isHealthy = findings.every(({ state }) => state !== 'broken')
  output.result({ ok: isHealthy, configuration, findings })
  output.say(output.paint.bold('Configured'))
  for (const finding of configuration) output.say(`  ${format(finding, output)}`)
  output.say()
  output.say(output.paint.bold('Found'))
  for (const finding of findings) output.say(`  ${format(finding, output)}`)
  return isHealthy
}

async function checkInstallation(options: ConnectOptions): Promise<readonly Finding[]> {
  let connection: Connection
  try {
    connection = await connect(options)
  } catch (error) {
    return [{ name: 'storage', state: 'broken', detail: describeError(error).message }]
  }
  try {
    const via: Finding = { name: 'asked', state: 'ok', detail: `${connection.description}.` }
    const { runtime } = connection
    return runtime === undefined
      ? [via, ...(await checkServer(connection))]
      : [
          via,
          ...(await runtime.ready()).map(({ name, ok, detail }) => toFinding(name, ok, detail)),
          ...(await checkIndex(runtime)),
          ...(await checkDeliveries(runtime)),
          describeLanguages(runtime),
        ]
  } catch (error) {
    return [{ name: 'storage', state: 'broken', detail: describeError(error).message }]
  } finally {
    await connection.close()
  }
}

async function checkServer({ client, send }: Connection): Promise<readonly Finding[]> {
  const response = await send('/health/ready', {})
  const { checks = [] } = (await response.json()) as {
    readonly checks?: readonly { name: string; ok: boolean; detail: string }[]
  }
  // Any request with a key tells whether the key is good.
  await client.get('/v1/agents?limit=1')
  return [
    ...checks.map(({ name, ok, detail }) => toFinding(name, ok, detail)),
    { name: 'key', state: 'ok', detail: 'The server takes it.' },
    {
      name: 'index, deliveries',
      state: 'unseen',
      detail: 'A running server does not tell them. Stop it and ask again to see them.',
    },
  ]
}

function toFinding(name: string, ok: boolean, detail: string): Finding {
  return { name, state: ok ? 'ok' : 'broken', detail }
}

function format({ name, state, detail }: Finding, { paint }: Output): string {
  const mark = {
    ok: paint.green('ok     '),
    warning: paint.yellow('warning'),
    broken: paint.red('broken '),
    unseen: paint.dim('unseen '),
  }[state]
  return `${mark}  ${name.padEnd(18)} ${oneLine(detail, 300)}`
}
