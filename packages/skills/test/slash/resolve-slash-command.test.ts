import { describe, expect, it } from 'vitest'
import type { SkillSummary } from '../../src/skill.js'
import { resolveSlashCommand, type SlashCommand } from '../../src/slash/resolve-slash-command.js'
import type { SlashSettingsLayer } from '../../src/slash/slash-settings.js'

const skill = (slug: string, name: string): SkillSummary => ({ slug, name, description: '' })
const skills = [skill('frontend-design', 'Frontend Design'), skill('git-helper', 'Git Helper')]

/** A command as one line, for tables. */
function told(command: SlashCommand): string {
  switch (command.kind) {
    case 'activate':
      return `activate ${command.skill.slug}: ${command.remainder}`
    case 'help':
      return `help ${command.skill.slug}`
    case 'unknown':
      return `unknown ${command.target}: ${command.suggestions.map(({ slug }) => slug).join(' ')}`
    default:
      return command.kind
  }
}

const resolve = (message: string, settings: SlashSettingsLayer = {}, given = skills) =>
  told(resolveSlashCommand(message, given, settings))

describe('the facts of spec 03, 4.8', () => {
  it.each([
    ['/frontend-design build a landing page', 'activate frontend-design: build a landing page'],
    ['/use Frontend Design build a landing page', 'activate frontend-design: build a landing page'],
    ['/front build', 'unknown front: frontend-design'],
    ['/a/b/project', 'none'],
    ['/x/config.yaml', 'none'],
    ['https://example.com/frontend-design', 'none'],
    ['plain text', 'none'],
    ['/list-skills', 'list'],
    ['/help frontend-design', 'help frontend-design'],
    ['/help Frontend Design', 'help frontend-design'],
    ['/fronted build', 'unknown fronted: frontend-design'],
  ])('%j: %s', (message, expected) => {
    expect(resolve(message)).toBe(expected)
  })

  it('/front build activates with partial matching', () => {
    expect(resolve('/front build', { partialMatching: true })).toBe(
      'activate frontend-design: build',
    )
  })
})

describe('the patterns of the seed, section 9.5', () => {
  it.each([
    ['/git-helper rebase', 'activate git-helper: rebase'],
    ['/use git-helper rebase', 'activate git-helper: rebase'],
    ['/use Git Helper rebase', 'activate git-helper: rebase'],
    ['/list-skills', 'list'],
    ['/help git-helper', 'help git-helper'],
    ['/help Git Helper', 'help git-helper'],
    ['/home/user/file', 'none'],
    ['use git-helper rebase', 'none'],
    ['/unlike-anything here', 'none'],
  ])('%j: %s', (message, expected) => {
    expect(resolve(message)).toBe(expected)
  })
})

describe('the verb', () => {
  it.each([
    ['/USE git-helper x', 'activate git-helper: x'],
    ['/Activate git-helper x', 'activate git-helper: x'],
    ['/HELP git-helper', 'help git-helper'],
    ['/List-Skills', 'list'],
    ['/list-skills please', 'list'],
    ['/help git-helper and more', 'help git-helper'],
    ['  \n/git-helper x', 'activate git-helper: x'],
    ['/use', 'none'],
    ['/activate  ', 'none'],
    ['/help\n', 'none'],
    ['/skills', 'none'],
    ['/', 'none'],
    ['', 'none'],
    [' \t', 'none'],
    ['/ hello', 'none'],
    ['/ git-helper x', 'none'],
    ['/ use git-helper x', 'none'],
    ['//git-helper x', 'none'],
    ['text /git-helper x', 'none'],
  ])('%j: %s', (message, expected) => {
    expect(resolve(message)).toBe(expected)
  })
})

describe('what looks like a path', () => {
  it.each([
    '/home/user/file',
    '/git-helper/x',
    '/git-helper\\x',
    '/git-helper.md',
    '/git-helper. Now',
    '/.hidden',
    '/..',
    '/use/git-helper x',
  ])('%j is none', (message) => {
    expect(resolve(message)).toBe('none')
    expect(resolve(message, { partialMatching: true })).toBe('none')
  })

  it('may stand in what the skill is to do', () => {
    expect(resolve('/git-helper add /home/me/a.txt')).toBe(
      'activate git-helper: add /home/me/a.txt',
    )
  })

  it('does not keep a name with a dot from being used', () => {
    const node = [skill('node', 'Node.js Helper')]
    expect(resolve('/use node.js helper x', {}, node)).toBe('activate node: x')
  })
})

describe('white space', () => {
  it.each([
    ['/git-helper\nrebase', 'rebase'],
    ['/git-helper\trebase', 'rebase'],
    ['/git-helper\r\n\r\nrebase', 'rebase'],
    ['/git-helper\u00a0rebase', 'rebase'],
    ['/git-helper\u3000rebase', 'rebase'],
    ['/use\ngit-helper\nrebase', 'rebase'],
    ['/use Git\n  Helper\trebase', 'rebase'],
    ['/git-helper', ''],
    ['/git-helper   ', ''],
    ['/use Git Helper', ''],
    ['/git-helper  a  b \n c  ', 'a  b \n c  '],
  ])('%j leaves %j', (message, remainder) => {
    expect(resolve(message)).toBe(`activate git-helper: ${remainder}`)
  })

  it('may be more in the name itself', () => {
    expect(resolve('/use my tool go', {}, [skill('tool', '  My \t Tool ')])).toBe(
      'activate tool: go',
    )
  })
})

describe('a mention in front', () => {
  it.each([
    ['@bot /use git-helper x', 'activate git-helper: x'],
    ['@bot\n/git-helper x', 'activate git-helper: x'],
    [' @bot,  /list-skills', 'list'],
    ['@bot: /help git-helper', 'help git-helper'],
    ['@Ботик /git-helper x', 'activate git-helper: x'],
    ['@one @two /git-helper x', 'none'],
    ['@bot do /git-helper x', 'none'],
    ['@bot/git-helper x', 'none'],
    ['@ /git-helper x', 'none'],
    ['bot /git-helper x', 'none'],
    ['@bot / git-helper', 'none'],
    ['@bot /home/user/file', 'none'],
    ['@bot', 'none'],
  ])('%j: %s', (message, expected) => {
    expect(resolve(message)).toBe(expected)
  })
})

describe('the name', () => {
  it('is compared without regard to case and to how accents are made', () => {
    expect(resolve('/GIT-Helper x')).toBe('activate git-helper: x')
    expect(resolve('/use GIT HELPER x')).toBe('activate git-helper: x')
    const coffee = [skill('coffee', 'Cafe\u0301 Crème')]
    expect(resolve('/use CAFÉ CRE\u0300ME x', {}, coffee)).toBe('activate coffee: x')
  })

  it('is a whole word', () => {
    expect(resolve('/git-helpers x')).toBe('unknown git-helpers: git-helper')
    expect(resolve('/git-helper, x')).toBe('unknown git-helper,: git-helper')
  })

  it('may be typed without a verb', () => {
    expect(resolve('/Frontend Design build')).toBe('activate frontend-design: build')
  })

  it('of another script works', () => {
    const search = [skill('wang-ye', '网页搜索')]
    expect(resolve('/网页搜索 天气', {}, search)).toBe('activate wang-ye: 天气')
  })

  it('counts where it is the longest', () => {
    const tools = [
      skill('git', 'Git'),
      skill('git-more', 'Git Helper'),
      skill('x', 'Git Helper Pro'),
    ]
    expect(resolve('/use git x', {}, tools)).toBe('activate git: x')
    expect(resolve('/use git helper x', {}, tools)).toBe('activate git-more: x')
    expect(resolve('/use git helper pro x', {}, tools)).toBe('activate x: x')
  })

  it('of two skills is none', () => {
    const twins = [skill('one', 'Same Name'), skill('two', 'same  name'), skill('same', 'Other')]
    expect(resolve('/use same name x', {}, twins)).toBe('unknown same: one same two')
    expect(resolve('/use same name x', { suggestNotFound: false }, twins)).toBe('none')
    expect(resolve('/use same name x', { partialMatching: true }, twins)).toBe(
      'unknown same: one same two',
    )
    expect(resolve('/two x', {}, twins)).toBe('activate two: x')
  })

  it('that is one skill’s slug and another’s name is none', () => {
    const crossed = [skill('a-tool', 'Tool'), skill('tool', 'Other')]
    expect(resolve('/tool x', {}, crossed)).toMatch(/^unknown/)
  })

  it('of one slug that is given twice is one skill', () => {
    expect(resolve('/git-helper x', {}, [...skills, ...skills])).toBe('activate git-helper: x')
  })

  it('is never empty', () => {
    expect(resolve('/x y', {}, [skill('', ''), skill(' ', '\n')])).toBe('none')
    expect(resolve('/git-helper x', {}, [skill('git-helper', '')])).toBe('activate git-helper: x')
  })

  it('is not found by half of a word where the text is cut', () => {
    for (let blanks = 280; blanks < 300; blanks += 1) {
      expect(resolve(`/use git${' '.repeat(blanks)}helpers`)).toBe('unknown git: git-helper')
    }
  })

  it('is not found when there are no skills', () => {
    expect(resolve('/git-helper x', {}, [])).toBe('none')
    expect(resolve('/list-skills', {}, [])).toBe('list')
  })
})

describe('partial matching', () => {
  const partialMatching = true
  it.each([
    ['/git', 'activate git-helper: '],
    ['/g x', 'activate git-helper: x'],
    ['/FRONT x', 'activate frontend-design: x'],
    ['/help front', 'help frontend-design'],
    ['/use git x', 'activate git-helper: x'],
    ['/helper x', 'unknown helper: git-helper'],
    ['/zzz x', 'none'],
  ])('%j: %s', (message, expected) => {
    expect(resolve(message, { partialMatching })).toBe(expected)
  })

  it('does not choose between two', () => {
    const tools = [...skills, skill('git-blame', 'Blame')]
    expect(resolve('/git x', { partialMatching }, tools)).toBe('unknown git: git-blame git-helper')
  })

  it('comes after whole names', () => {
    const tools = [...skills, skill('git', 'Plain')]
    expect(resolve('/git x', { partialMatching }, tools)).toBe('activate git: x')
  })
})

describe('suggestions', () => {
  it.each([
    ['/ok', 'none'],
    ['/hi', 'none'],
    ['/hi there', 'none'],
    ['/gi', 'none'],
    ['/git', 'unknown git: git-helper'],
    ['/helper', 'unknown helper: git-helper'],
    ['/design', 'unknown design: frontend-design'],
    ['/got-helper', 'unknown got-helper: git-helper'],
    ['/gti-hlper', 'unknown gti-hlper: git-helper'],
    ['/frontend-desing x', 'unknown frontend-desing: frontend-design'],
    ['/use fronted design x', 'unknown fronted: frontend-design'],
    ['/help fronted', 'unknown fronted: frontend-design'],
    ['/gat', 'unknown gat: git-helper'],
    ['/gaa', 'none'],
    ['/thanks a lot', 'none'],
  ])('%j: %s', (message, expected) => {
    expect(resolve(message)).toBe(expected)
  })

  it('allow a third of what was typed, and three at most', () => {
    const long = [skill('abcdefghijklmnop', 'Q')]
    expect(resolve('/abcxyzghijklmnop', {}, long)).toMatch(/^unknown/)
    expect(resolve('/abcxyzwhijklmnop', {}, long)).toBe('none')
    expect(resolve('/abxyef', {}, [skill('abcdef', 'Q')])).toMatch(/^unknown/)
    expect(resolve('/axyzef', {}, [skill('abcdef', 'Q')])).toBe('none')
  })

  it('count characters, not units', () => {
    expect(resolve('/🙂a', {}, [skill('smile', '🙂a b')])).toBe('none')
  })

  it('are three at most, nearest first, then by slug', () => {
    const many = [
      skill('test-d', 'D'),
      skill('tess', 'S'),
      skill('test-c', 'C'),
      skill('test-b', 'B'),
      skill('test-a', 'A'),
    ]
    expect(resolve('/test', {}, many)).toBe('unknown test: test-a test-b test-c')
    expect(resolve('/test', {}, many.slice(0, 2))).toBe('unknown test: test-d tess')
  })

  it('can be switched off', () => {
    expect(resolve('/fronted build', { suggestNotFound: false })).toBe('none')
    expect(resolve('/help fronted', { suggestNotFound: false })).toBe('none')
  })
})

describe('settings', () => {
  it('can switch commands off', () => {
    for (const message of ['/git-helper x', '/list-skills', '/help git-helper', '/fronted']) {
      expect(resolve(message, { enabled: false })).toBe('none')
    }
  })

  it('can choose another prefix', () => {
    expect(resolve('!git-helper x', { prefix: '!' })).toBe('activate git-helper: x')
    expect(resolve('@bot !git-helper x', { prefix: '!' })).toBe('activate git-helper: x')
    expect(resolve('/git-helper x', { prefix: '!' })).toBe('none')
    expect(resolve('!!git-helper x', { prefix: '!' })).toBe('none')
    expect(resolve('!a/b', { prefix: '!' })).toBe('none')
    expect(resolve('🙂git-helper x', { prefix: '🙂' })).toBe('activate git-helper: x')
    expect(resolve('.git-helper x', { prefix: '.' })).toBe('activate git-helper: x')
    expect(resolve('... well', { prefix: '.' })).toBe('none')
  })

  it('can make mentions of skills into commands', () => {
    expect(resolve('@git-helper x', { prefix: '@' })).toBe('activate git-helper: x')
    expect(resolve('@use Git Helper x', { prefix: '@' })).toBe('activate git-helper: x')
  })

  it('without a usable prefix make no message a command', () => {
    for (const prefix of ['', ' ', 'git']) {
      expect(resolve('git-helper x', { prefix })).toBe('none')
      expect(resolve('/git-helper x', { prefix })).toBe('activate git-helper: x')
    }
  })

  it('that are undefined mean their defaults', () => {
    expect(resolve('/git-helper x', { enabled: undefined, prefix: undefined })).toBe(
      'activate git-helper: x',
    )
  })
})

describe('long messages', () => {
  const million = 'x'.repeat(1_000_000)
  const blanks = ' '.repeat(1_000_000)
  const many = Array.from({ length: 2_000 }, (_, index) =>
    skill(`skill-${index}`, `Skill ${index}`),
  )

  it('give the skill all of the rest', () => {
    expect(resolveSlashCommand(`/git-helper ${million}`, skills)).toMatchObject({
      kind: 'activate',
      remainder: million,
    })
    expect(resolve(`${' '.repeat(5_000)}/git-helper x`)).toBe('activate git-helper: x')
  })

  it.each([
    ['one word', `/${million}`],
    ['one word behind a verb', `/use ${million}`],
    ['blanks', blanks],
    ['blanks behind the prefix', `/${blanks}`],
    ['blanks behind a verb', `/use${blanks}`],
    ['a long mention', `@${million} /use`],
    ['prefixes', '/'.repeat(1_000_000)],
    ['many words', '/no '.repeat(250_000)],
    ['plain text', million],
  ])('of %s cost little', (_what, message) => {
    const start = performance.now()
    expect(resolve(message, { partialMatching: true }, many)).toBe('none')
    expect(performance.now() - start).toBeLessThan(1_000)
  })

  it('cost little where names are long, too', () => {
    const wordy = Array.from({ length: 50 }, (_, index) =>
      skill(`w-${index}`, 'word '.repeat(5_000)),
    )
    const start = performance.now()
    resolve(`/${'wird'.repeat(60)} ${million}`, { partialMatching: true }, wordy)
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})
