import { describe, expect, it } from 'vitest'
import { parseLocomoDate } from '../../src/importers/locomo.js'
import { fixture, readAll, withFile } from './read-file.js'

describe('readLocomo', () => {
  it('makes a user of each conversation and a session of each of its sessions, in order', async () => {
    const { format, messages, ended } = await readAll(fixture('locomo.json'))
    expect(format).toBe('locomo')
    expect(ended).toEqual(['locomo:pair-1:1', 'locomo:pair-1:2', 'locomo:pair-1:10'])
    expect(new Set(messages.map(({ session }) => session.userId))).toEqual(
      new Set(['locomo:pair-1']),
    )
  })

  it('keeps turn id, speaker, date, and the caption of a picture', async () => {
    const { messages } = await readAll(fixture('locomo.json'), { userId: 'me' })
    expect(messages[2]).toMatchObject({
      place: 'pair-1, session_2, turn 1',
      session: { userId: 'me' },
      message: {
        id: 'D2:1',
        role: 'user',
        name: 'Jonas',
        createdAt: '2023-04-01T00:05:00.000Z',
        content: [
          { type: 'text', text: 'Look what stood in the pond!' },
          {
            type: 'image',
            url: 'https://example.org/heron.jpg',
            caption: 'a grey heron standing in water',
          },
        ],
      },
    })
  })

  it('reports a turn without text and a session without a date', async () => {
    const sample = {
      sample_id: 's',
      conversation: {
        session_1_date_time: '1:00 pm on 1 May, 2023',
        session_1: [{ speaker: 'A', dia_id: 'D1:1' }],
        session_2: [],
      },
    }
    const { bad } = await withFile(
      JSON.stringify([sample]),
      async (path) => await readAll(path, {}),
    )
    expect(bad.map(({ place }) => place)).toEqual(['s, session_1, turn 1', 's, session_2'])
  })

  it('reports a conversation without a session', async () => {
    const content = '[{"sample_id":"s","conversation":{"speaker_a":"A"}}]'
    const { bad } = await withFile(content, async (path) => await readAll(path))
    expect(bad).toEqual([
      { type: 'bad', place: 's', problem: expect.stringContaining('no session') as string },
    ])
  })
})

describe('parseLocomoDate', () => {
  it.each([
    ['1:56 pm on 8 May, 2023', '2023-05-08T13:56:00.000Z'],
    ['12:05 am on 1 April, 2023', '2023-04-01T00:05:00.000Z'],
    ['12:30 pm on 31 December, 2023', '2023-12-31T12:30:00.000Z'],
    ['9:05 AM on 3 february 2024', '2024-02-03T09:05:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(parseLocomoDate(text)).toBe(expected)
  })

  it.each([undefined, '', '8 May 2023', '13:00 pm on 8 May, 2023', '1:00 pm on 8 Mai, 2023'])(
    'refuses %s',
    (text) => {
      expect(() => parseLocomoDate(text)).toThrow('1:56 pm on 8 May, 2023')
    },
  )
})
