import { writeSkillArchive } from '@loam/skills'
import { readAnswer, type Answer, type TestApi } from '../open-test-api.js'

const encoder = new TextEncoder()

/** A SKILL.md with what matters. */
export function skillFile(fields: Readonly<Record<string, string>>, body = '# Steps'): string {
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${value}`)
  return ['---', ...lines, '---', body].join('\n')
}

/** A ZIP with one skill in its folder. */
export async function zipSkill(
  slug: string,
  files: Readonly<Record<string, string>> = {},
): Promise<Uint8Array> {
  const all = { 'SKILL.md': skillFile({ name: slug, description: `Does ${slug}` }), ...files }
  const contents = Object.entries(all).map(([path, content]) => ({
    path,
    content: encoder.encode(content),
  }))
  return await writeSkillArchive(slug, contents)
}

/** Sends a ZIP as a browser's form does. */
export async function uploadZip(
  { api }: TestApi,
  bytes: Uint8Array,
  options: { readonly key: string; readonly fields?: Readonly<Record<string, string>> },
): Promise<Answer> {
  const form = new FormData()
  for (const [name, value] of Object.entries(options.fields ?? {})) form.set(name, value)
  form.set('file', new File([Uint8Array.from(bytes)], 'skills.zip', { type: 'text/plain' }))
  const response = await api.request('/v1/skills/upload', {
    method: 'POST',
    headers: { Authorization: `Bearer ${options.key}` },
    body: form,
  })
  return await readAnswer(response)
}
