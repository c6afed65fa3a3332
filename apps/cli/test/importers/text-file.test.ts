import { describe, expect, it } from 'vitest'
import { openTextFile } from '../../src/importers/text-file.js'
import { withFile } from './read-file.js'

async function readWhole(path: string): Promise<string> {
  let text = ''
  for await (const chunk of (await openTextFile(path)).chunks()) text += chunk
  return text
}

// The head of a file and the rest of it are read apart.
const LONG = 3 * 1024 * 1024

describe('openTextFile', () => {
  it.each([
    ['in the head', 5],
    ['after the head', LONG + 1],
    ['at the seam of two pieces', LONG + 256 * 1024 - 1],
  ])('names the byte that is no UTF-8, %s', async (_what, position) => {
    // Latin-1: what follows é is no part of a character.
    const content = Buffer.concat([Buffer.alloc(position, 'a'), Buffer.from([0xe9, 0x22])])
    await withFile(content, async (path) => {
      await expect(readWhole(path)).rejects.toThrow(`not valid UTF-8 at byte ${position}, `)
    })
  })

  it('names the character that the end of the file cuts', async () => {
    const content = Buffer.concat([Buffer.alloc(LONG, 'a'), Buffer.from('🍎').subarray(0, 3)])
    await withFile(content, async (path) => {
      await expect(readWhole(path)).rejects.toThrow(`at byte ${LONG}, `)
    })
  })
})
