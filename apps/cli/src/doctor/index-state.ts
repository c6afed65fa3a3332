import type { Runtime } from '@loam/runtime'
import { counted } from '../output.js'
import type { Finding } from './finding.js'

/** How much is indexed, tenant by tenant, and how much lacks a vector of the present embedding model. */
export async function checkIndex(runtime: Runtime): Promise<readonly Finding[]> {
  const { storage, models } = runtime
  const { provider, model, dimensions } = models.embeddings
  const tenants = await storage.system(async (stores) => await stores.tenants.list())
  const findings: Finding[] = []
  for (const { id, slug } of tenants) {
    const { chunks, withoutVector } = await storage.transaction(
      { tenantId: id, everyUser: true },
      async (stores) => {
        const space = await stores.embeddingSpaces.ensure({ provider, model, dimensions })
        return await stores.chunks.coverage(space.id)
      },
    )
    const indexed = `${counted(chunks, 'chunk')} of tenant "${slug}" found by words`
    findings.push({
      name: 'index',
      state: withoutVector === 0 ? 'ok' : 'warning',
      detail:
        withoutVector === 0
          ? `${indexed} and by meaning (${provider}/${model}).`
          : `${indexed}; ${counted(withoutVector, 'is', 'are')} stale: without a vector of ${provider}/${model}.`,
    })
  }
  return findings
}

/** How many deliveries wait, and how many were given up. */
export async function checkDeliveries(runtime: Runtime): Promise<readonly Finding[]> {
  const counts = await runtime.deliveries()
  const sum = (...states: readonly string[]) =>
    counts.filter(({ state }) => states.includes(state)).reduce((all, { count }) => all + count, 0)
  const waiting = sum('pending', 'sent')
  const dead = sum('dead')
  return [
    {
      name: 'deliveries',
      state: dead > 0 ? 'broken' : waiting > 0 ? 'warning' : 'ok',
      detail:
        dead > 0
          ? `${dead} given up after repeated failures, ${waiting} waiting. The log says why they failed.`
          : waiting > 0
            ? `${waiting} waiting. They are done while "loam serve" runs.`
            : 'None waiting, none given up.',
    },
  ]
}

/** In which languages a search finds meaning; words are found in all. */
export function describeLanguages({ models }: Pick<Runtime, 'models'>): Finding {
  const { languages, provider, model } = models.embeddings
  const meaning =
    languages === undefined
      ? `in the languages that ${provider}/${model} knows`
      : `in ${languages.map(languageName).join(', ')} only (${provider}/${model})`
  return {
    name: 'languages',
    state: 'ok',
    detail: `Words are searched in every language, meaning ${meaning}.`,
  }
}

function languageName(tag: string): string {
  return new Intl.DisplayNames('en', { type: 'language' }).of(tag) ?? tag
}
