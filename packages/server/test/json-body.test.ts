import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { limitBody, MAX_BODY_BYTES, readJsonBody } from '../src/json-body.js'
import { toProblemAnswer } from '../src/problem.js'

const echo = new Hono()
echo.use(limitBody, readJsonBody)
echo.post('/', async (context) => context.json({ body: await context.req.json<unknown>() }))
echo.onError((error, context) => {
  const { problem } = toProblemAnswer(error, 'r')
  return context.json(problem, problem.status as 400)
})

async function send(body: RequestInit['body'], headers: Record<string, string> = {}) {
  const response = await echo.request('/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: body ?? null,
    duplex: 'half',
  })
  return {
    status: response.status,
    answer: (await response.json()) as { detail: string; body: unknown },
  }
}

const ofLength = (length: number) => JSON.stringify('x'.repeat(length - 2))

describe('readJsonBody', () => {
  it.each([
    ['{"a": "b"}', { a: 'b' }],
    ['\uFEFF{"a": 1}', { a: 1 }],
    ['{"a":\r\n1}', { a: 1 }],
    ['{"a": "\\u0000 \\ud800 😀 שלום 你好"}', { a: '\0 \uD800 😀 שלום 你好' }],
    ['[1]', [1]],
    ['', {}],
  ])('reads %s', async (body, expected) => {
    expect((await send(body)).answer.body).toStrictEqual(expected)
  })

  it.each([
    ['{', 'position 1'],
    ['{"a": tru}', 'line 1, column 7 (position 6)'],
    ['{\n  "a": 1,\n}', 'line 3, column 1 (position 12)'],
    ['{"a": 1} x', 'position 9'],
    ['{"a": 1 // why\n}', 'position 8'],
    ["{'a': 1}", 'position 1'],
    ['not json', 'position 0'],
    ['{"a": NaN}', 'position 6'],
    ['\0', 'position 0'],
  ])('says where %j is no JSON', async (body, position) => {
    const { status, answer } = await send(body)
    expect(status).toBe(400)
    expect(answer.detail).toContain(position)
  })

  it.each([
    ['"temperature"', 100_000],
    ['"tools"', 20_000],
    ['"a"', 100],
  ])('refuses a body whose %s is nested too deep', async (field, depth) => {
    const body = `{${field}: ${'['.repeat(depth)}${']'.repeat(depth)}}`
    const { status, answer } = await send(body)
    expect([status, answer.detail]).toEqual([400, 'The body is nested deeper than 100 levels.'])
  })

  it('refuses a body of a hundred thousand open brackets', async () => {
    expect((await send('['.repeat(100_000))).status).toBe(400)
  })

  it.each([
    ['a lone byte', [0x22, 0xff, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    ['a surrogate encoded as UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a picture', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ])('refuses %s as not UTF-8', async (_what, bytes) => {
    const { status, answer } = await send(new Uint8Array(bytes))
    expect(status).toBe(400)
    expect(answer.detail).toContain('UTF-8')
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/jsonp',
    '',
  ])('refuses the content type "%s"', async (type) => {
    expect((await send('{}', { 'Content-Type': type })).status).toBe(415)
  })

  it.each(['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'accepts the content type %s',
    async (type) => {
      expect((await send('{}', { 'Content-Type': type })).status).toBe(200)
    },
  )
})

describe('the headers of a body', () => {
  it.each(['gzip', 'br', 'deflate, gzip', 'identity, gzip', 'x'])(
    'refuse the content encoding %s',
    async (encoding) => {
      const { status, answer } = await send('{}', { 'Content-Encoding': encoding })
      expect(status).toBe(415)
      expect(answer.detail).toContain('Content-Encoding')
    },
  )

  it('accept the content encoding that changes nothing', async () => {
    expect((await send('{}', { 'Content-Encoding': 'Identity' })).status).toBe(200)
  })

  it('refuse a merge patch for anything but PATCH', async () => {
    const headers = { 'Content-Type': 'application/merge-patch+json' }
    expect((await send('{}', headers)).status).toBe(415)
  })
})

describe('limitBody', () => {
  it('accepts ten mebibytes', async () => {
    expect((await send(ofLength(MAX_BODY_BYTES))).status).toBe(200)
  })

  it('refuses a byte more', async () => {
    expect((await send(ofLength(MAX_BODY_BYTES + 1))).status).toBe(413)
  })

  it('believes a length that is declared, and reads nothing', async () => {
    const { status } = await send('{}', { 'Content-Length': String(MAX_BODY_BYTES + 1) })
    expect(status).toBe(413)
  })

  it('stops reading a stream that grows too large', async () => {
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1
        controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20))
      },
    })
    expect((await send(endless)).status).toBe(413)
    expect(sent).toBeLessThan(20)
  })
})
