import type { ApiClient } from '../api/api-client.js'
import { ApiError } from '../api/api-error.js'
import { connect, type Connection, type ConnectOptions } from '../api/connect.js'
import { loadConfiguration } from '../configuration.js'
import { describeConfiguration } from '../doctor/configuration.js'
import type { Finding } from '../doctor/finding.js'
import { checkModelEndpoint } from '../doctor/model-endpoint.js'
import { describeSkillWarnings, type SkillWarningItem } from '../doctor/skill-warnings.js'
import { describeStatus, type Status } from '../doctor/status.js'
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
    connection = await connect({ ...options, mustExist: true })
  } catch (error) {
    return [{ name: 'storage', state: 'broken', detail: describeError(error).message }]
  }
  try {
    const status = await connection.client.get<Status>('/v1/status')
    const asked: Finding = { name: 'asked', state: 'ok', detail: `${connection.description}.` }
    return [asked, ...describeStatus(status), ...(await checkSkills(connection.client))]
  } catch (error) {
    return [{ name: 'storage', state: 'broken', detail: describeError(error).message }]
  } finally {
    await connection.close()
  }
}

/** An operator sees what is wrong with the skills of folders; a single user's key is no reason to complain. */
async function checkSkills(client: ApiClient): Promise<readonly Finding[]> {
  const { items } = await client
    .get<{ readonly items: readonly SkillWarningItem[] }>('/v1/skill-warnings')
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'forbidden') return { items: [] }
      throw error
    })
  return describeSkillWarnings(items)
}

function format({ name, state, detail }: Finding, { paint }: Output): string {
  const mark = {
    ok: paint.green('ok     '),
    warning: paint.yellow('warning'),
    broken: paint.red('broken '),
  }[state]
  return `${mark}  ${name.padEnd(18)} ${oneLine(detail, 300)}`
}
