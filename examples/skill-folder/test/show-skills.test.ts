import { join } from 'node:path'
import { expect, it } from 'vitest'
import { showSkills } from '../src/show-skills.js'

it('lists the skills, finds the one that fits, and says what is odd', async () => {
  const shown = await showSkills(join(import.meta.dirname, '..', 'skills'), 'a pot of tea')
  expect(shown).toContain('2 skills')
  expect(shown).toContain('<name>brew-tea</name>')
  expect(shown).toMatch(/\d\.\d{3} {2}brew-tea\n# Brew tea/)
  expect(shown).toContain(`${join('brew-tea', 'references')}/times.md`)
  expect(shown).toContain('plan-week: frontmatter_invalid')
  expect(shown).toContain('collects appointments and open tasks')
})
