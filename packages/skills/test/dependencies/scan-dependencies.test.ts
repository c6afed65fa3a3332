import { describe, expect, it } from 'vitest'
import { scanDependencies } from '../../src/index.js'
import { filesOf } from '../managed/world.js'

const scan = (
  files: Readonly<Record<string, string>>,
  frontmatter: Readonly<Record<string, unknown>> = {},
) => scanDependencies(filesOf(files), frontmatter)

describe('scanDependencies', () => {
  it('finds interpreters, and imports beyond what comes with them', () => {
    const found = scan({
      'scripts/a.py':
        'import os, requests as r, numpy.linalg\nfrom bs4 import X\nfrom . import y\nimport helper\n  import lxml',
      'scripts/helper.py': 'import sys',
      'scripts/lib/b.mjs':
        "import z from 'zod'\nimport { x } from '@a/b/c'\nimport fs from 'node:fs'\nimport './own.js'",
      'scripts/c.cjs': 'const p = require(\'path\'); const l = require("lodash/get")',
      'scripts/run': '#!/usr/bin/env bash\necho',
      'scripts/old.py': '#!/usr/bin/python2\nimport six',
      'references/d.py': 'import nothing_here',
      'scripts/1/2/3/deep.py': 'import too_deep',
    })
    expect(found).toEqual({
      origin: 'scanned',
      runtimes: ['bash', 'node', 'python2', 'python3'],
      python: ['bs4', 'lxml', 'numpy', 'requests', 'six'],
      node: ['@a/b', 'lodash', 'zod'],
      system: [],
      github: [],
      ignored: [],
    })
  })

  it('takes what is declared for the whole truth, without what is no name', () => {
    const deps = [
      'pip:requests==2.1',
      'npm:@a/b',
      'system:ffmpeg',
      'jq',
      'github:a/b',
      'pip:x; rm -rf /',
      'npm:../x',
    ]
    const found = scan({ 'scripts/a.py': 'import six' }, { deps, exclude_deps: ['system:jq'] })
    expect(found).toEqual({
      origin: 'declared',
      runtimes: [],
      python: ['requests==2.1'],
      node: ['@a/b'],
      system: ['ffmpeg'],
      github: ['a/b'],
      ignored: ['pip:x; rm -rf /', 'npm:../x'],
    })
  })

  it('leaves out what is excluded', () => {
    const found = scan({ 'scripts/a.py': 'import six, lxml' }, { exclude_deps: ['pip:six'] })
    expect(found.python).toEqual(['lxml'])
  })

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'takes the extension %s for none that it knows',
    (extension) => {
      const found = scan({ [`scripts/a.${extension}`]: 'import x' })
      expect(found).toMatchObject({ runtimes: [], python: [], node: [] })
    },
  )

  it('finds what is imported behind blanks and line ends', () => {
    const script =
      "import {\n  a,\n} from\n  'one'\nconst b = require (\n    'two',\n)\nimport('three')"
    expect(scan({ 'scripts/a.mjs': script }).node).toEqual(['one', 'three', 'two'])
  })

  it('gets through a megabyte of anything', () => {
    for (const text of [
      'import '.repeat(150_000),
      'a, '.repeat(300_000),
      `import ${'a,'.repeat(400_000)}`,
      'from "'.repeat(150_000),
      `from${' '.repeat(1_000_000)}x`,
      'require('.repeat(120_000),
      `import${'\n('.repeat(400_000)}`,
    ]) {
      expect(scan({ 'scripts/a.py': text, 'scripts/b.js': text }).runtimes).toEqual([
        'node',
        'python3',
      ])
    }
  })
})
