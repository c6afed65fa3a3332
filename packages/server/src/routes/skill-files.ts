import { createRoute, z } from '@hono/zod-openapi'
import { NotFoundError } from '@loam/core'
import type { Runtime } from '@loam/runtime'
import { parseSkill, scanDependencies, writeSkillArchive } from '@loam/skills'
import { createRoutes } from '../api-environment.js'
import { noQuery } from '../fields.js'
import { bytesAnswer, jsonAnswer } from '../media.js'
import { problemResponses } from '../problem.js'
import { principalOf } from '../skill-principal.js'
import {
  skillParams,
  skillPathSchema,
  toVersion,
  versionAnswerSchema,
  versionSchema,
} from './skill-schemas.js'

const FILE_PATH = '/skills/{skill}/files/:path{.+}'
const fileParams = skillParams.extend({
  path: skillPathSchema,
})
const versionQuery = z.strictObject({ version: versionSchema.optional() })

const listVersions = createRoute({
  method: 'get',
  path: '/skills/{skill}/versions',
  operationId: 'listSkillVersions',
  tags: ['skills'],
  summary: 'List the versions of a skill, newest first',
  request: { params: skillParams, query: noQuery },
  responses: {
    200: jsonAnswer(
      'The versions.',
      z.strictObject({ items: z.array(versionAnswerSchema) }).openapi('SkillVersions'),
    ),
    ...problemResponses,
  },
})

const listFiles = createRoute({
  method: 'get',
  path: '/skills/{skill}/files',
  operationId: 'listSkillFiles',
  tags: ['skills'],
  summary: 'List the files of a skill by path',
  request: { params: skillParams, query: versionQuery },
  responses: {
    200: jsonAnswer(
      'The files.',
      z
        .strictObject({ items: z.array(z.strictObject({ path: z.string(), sizeBytes: z.int() })) })
        .openapi('SkillFiles'),
    ),
    ...problemResponses,
  },
})

const getFile = createRoute({
  method: 'get',
  path: FILE_PATH,
  operationId: 'getSkillFile',
  tags: ['skills'],
  summary: 'Read a file of a skill',
  request: { params: fileParams, query: versionQuery },
  responses: { 200: bytesAnswer('The file.', 'application/octet-stream'), ...problemResponses },
})

const names = z.array(z.string())
const getDependencies = createRoute({
  method: 'get',
  path: '/skills/{skill}/dependencies',
  operationId: 'getSkillDependencies',
  tags: ['skills'],
  summary: 'What the scripts of a skill need on the machine that runs them; nothing is installed',
  request: { params: skillParams, query: versionQuery },
  responses: {
    200: jsonAnswer(
      'The dependencies.',
      z
        .strictObject({
          origin: z.enum(['declared', 'scanned']),
          runtimes: names,
          python: names,
          node: names,
          system: names,
          github: names,
          ignored: names,
        })
        .openapi('SkillDependencies'),
    ),
    ...problemResponses,
  },
})

const downloadSkill = createRoute({
  method: 'get',
  path: '/skills/{skill}/download',
  operationId: 'downloadSkill',
  tags: ['skills'],
  summary: 'Download a skill as a ZIP',
  request: { params: skillParams, query: versionQuery },
  responses: { 200: bytesAnswer('The archive.', 'application/zip'), ...problemResponses },
})

/** What is stored of a skill: GET /skills/{skill}/versions, …/files, …/files/{path}, …/download. */
export function skillFileRoutes({ skills }: Runtime) {
  return createRoutes()
    .openapi(listVersions, async (context) => {
      const principal = principalOf(context.get('apiKey'))
      const versions = await skills.versions(principal, context.req.valid('param').skill)
      return context.json({ items: versions.map(toVersion) }, 200)
    })
    .openapi(listFiles, async (context) => {
      const principal = principalOf(context.get('apiKey'))
      const { version } = context.req.valid('query')
      const files = await skills.listFiles(principal, context.req.valid('param').skill, version)
      return context.json({ items: [...files] }, 200)
    })
    .openapi(getFile, async (context) => {
      const principal = principalOf(context.get('apiKey'))
      const { skill, path } = context.req.valid('param')
      const { version } = context.req.valid('query')
      const [file] = await skills.files(principal, skill, { version, paths: [path] })
      if (file === undefined) throw noSuchFile(path)
      return context.body(Uint8Array.from(file.content), 200, {
        'Content-Type': 'application/octet-stream',
      })
    })
    .openapi(getDependencies, async (context) => {
      const principal = principalOf(context.get('apiKey'))
      const { skill } = context.req.valid('param')
      const { version } = context.req.valid('query')
      const files = await skills.files(principal, skill, { version })
      const source = files.find(({ path }) => path === 'SKILL.md')
      if (source === undefined) throw noSuchFile('SKILL.md')
      const { frontmatter } = parseSkill(source.content, { slug: skill })
      const { origin, ...found } = scanDependencies(files, frontmatter)
      return context.json(
        {
          origin,
          runtimes: [...found.runtimes],
          python: [...found.python],
          node: [...found.node],
          system: [...found.system],
          github: [...found.github],
          ignored: [...found.ignored],
        },
        200,
      )
    })
    .openapi(downloadSkill, async (context) => {
      const principal = principalOf(context.get('apiKey'))
      const { skill } = context.req.valid('param')
      const { slug, version: served } = await skills.find(principal, skill)
      const version = context.req.valid('query').version ?? served
      const files = await skills.files(principal, skill, { version })
      const archive = await writeSkillArchive(slug, files)
      return context.body(Uint8Array.from(archive), 200, {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="${slug}-${version}.zip"`,
      })
    })
}

function noSuchFile(path: string): NotFoundError {
  return new NotFoundError({ message: `The skill has no file ${JSON.stringify(path)}.` })
}
