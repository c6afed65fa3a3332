import { expect, it } from 'vitest'
import type { ApiRoute } from '../src/api-route.js'
import { routes } from '../src/generated/routes.js'
import { isRepeatable } from '../src/repeatable.js'

it('is decided for each operation that makes or starts something', () => {
  const posts = Object.entries<ApiRoute>(routes)
    .filter(([, { method }]) => method === 'post')
    .map(([name]) => name)
  const once = posts.filter((name) => !isRepeatable(name)).toSorted()
  const again = posts.filter(isRepeatable).toSorted()
  expect({ once, again }).toStrictEqual({
    once: [
      'callTool',
      'createAgent',
      'createUserKey',
      'forgetUserMemory',
      'regenerateAgent',
      'replayDeadLetters',
      'resummonAgent',
      'summonAgent',
    ],
    again: [
      'buildContext',
      'cancelSummon',
      'createChatCompletion',
      'reportRun',
      'resolveSlashCommand',
      'restoreSkill',
      'searchAgentSkills',
      'searchMemory',
      'storeMessages',
      'uploadSkills',
      'verifyUserMemory',
    ],
  })
})
