import type { LoamConfig } from '@loam/runtime'
import type { ApiClient } from '../api/api-client.js'
import { ApiError } from '../api/api-error.js'
import { connect, type Connection, type ConnectOptions } from '../api/connect.js'
import { loadConfiguration } from '../configuration.js'
import { describeConfiguration } from '../doctor/configuration.js'
import { AREAS, type Finding } from '../doctor/finding.js'
import { checkModelEndpoint } from '../doctor/model-endpoint.js'
import { checkPartsAfter } from '../doctor/parts.js'
import { describeSkillWarnings, type SkillWarningItem } from '../doctor/skill-warnings.js'
import { describeStatus, type Status } from '../doctor/status.js'
import { counted, oneLine, type Output } from '../output.js'
import { describeError } from '../report-error.js'

/** Looks at everything that Loam needs, and prints it by area. Returns false when something is broken. */
export async function runDoctor(options: ConnectOptions, output: Output): Promise<boolean> {
  const config = loadConfiguration()
  const configuration = describeConfiguration(config)
  const isDistant = options.url !== undefined || Boolean(process.env['LOAM_URL'])
  const findings = [
    ...(await checkInstallation(options, isDistant ? undefined : config)),
    // The endpoint of a distant server is in that server's configuration, not in ours.
    ...(isDistant ? [] : await checkModelEndpoint(config)),
  ]
  const broken = findings.filter(({ state }) => state === 'broken')
  output.result({ ok: broken.length === 0, configuration, findings })
  for (const area of AREAS) {
    const own = [...configuration, ...findings].filter((finding) => finding.area === area)
    if (own.length === 0) continue
    output.say(output.paint.bold(area))
    for (const finding of own) output.say(`  ${format(finding, output)}`)
    output.say()
  }
  const warnings = findings.filter(({ state }) => state === 'warning').length
  const also = warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`
  output.say(
    broken.length === 0
      ? `Nothing is broken${also}.`
      : `Broken${also}: ${broken.map(({ name }) => name).join(', ')}.`,
  )
  return broken.length === 0
}

async function checkInstallation(
  options: ConnectOptions,
  config: LoamConfig | undefined,
): Promise<readonly Finding[]> {
  let connection: Connection
  try {
    connection = await connect({ ...options, mustExist: true })
  } catch (error) {
    return config === undefined ? [unanswered(error)] : await checkPartsAfter(error, config)
  }
  try {
    const { client, description: detail } = connection
    const status = await client.get<Status>('/v1/status')
    const asked: Finding = { area: 'Store', name: 'asked', state: 'ok', detail: `${detail}.` }
    return [asked, ...describeStatus(status), ...(await checkSkills(client))]
  } catch (error) {
    return config === undefined || connection.runtime === undefined
      ? [unanswered(error)]
      : await checkPartsAfter(error, config)
  } finally {
    await connection.close()
  }
}

function unanswered(error: unknown): Finding {
  return { area: 'Store', name: 'server', state: 'broken', detail: describeError(error).message }
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
