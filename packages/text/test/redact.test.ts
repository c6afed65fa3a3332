import { InvalidInputError } from '@loam/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redact } from '../src/index.js'
import { redactionRules } from '../src/redaction-rules.js'

// Put together here, so that no scanner takes the tests for leaked secrets.
const join = (...parts: string[]) => parts.join('')
const aws = join('AKIA', 'IOSFODNN7EXAMPLE')
const classic = join('ghp_', '0123456789abcdefghijklmnopqrstuvwxyz')
const fineGrained = join('github_pat_', '11ABCDEFG0123456789_abcdefghijklmnop')
const slack = join('xoxb-', '123456789012-abcdefghij')
const jwt = join('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0In0', '.c2lnbmF0dXJl-_')
const pem = (body: string) =>
  `-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`

describe('redact', () => {
  it('marks an e-mail address and a labelled token, and leaves neither', () => {
    const { text, redactions } = redact('write to bob@example.com, token: sk-abc123def456')
    expect(text).toBe('write to [REDACTED:email], token: [REDACTED:secret]')
    expect(redactions).toEqual([
      { type: 'secret', count: 1 },
      { type: 'email', count: 1 },
    ])
  })

  it.each([
    ['Authorization: Bearer abc.def-123', 'Authorization: Bearer [REDACTED:token]'],
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [REDACTED:token]'],
    ['"authorization": "abcdef"', '"authorization": "[REDACTED:token]"'],
    ['sent Bearer abc123.def/456+x== along', 'sent Bearer [REDACTED:token] along'],
    [`jwt ${jwt}.`, 'jwt [REDACTED:token]'],
    [`${aws} ${classic} ${fineGrained} ${slack}`, Array(4).fill('[REDACTED:token]').join(' ')],
    [`keys: sk-proj-abcd1234efgh5678`, 'keys: [REDACTED:token]'],
    [`a\n${pem('MIIEowIBAAKCAQEA\nabcd+/==')}\nb`, 'a\n[REDACTED:private_key]\nb'],
    ['-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nand on', '[REDACTED:private_key]\nand on'],
    ['Set-Cookie: sid=31d4d96e; Path=/\nnext', 'Set-Cookie: [REDACTED:cookie]\nnext'],
    ["curl -H 'Cookie: a=1; b=2' x.y", "curl -H 'Cookie: [REDACTED:cookie]' x.y"],
    ['DB_PASSWORD=p@ss!w0rd, next', 'DB_PASSWORD=[REDACTED:secret], next'],
    ['{"password": "hun ter2", "user": "x"}', '{"password": "[REDACTED:secret]", "user": "x"}'],
    ['"{\\"api_key\\": \\"abcdef\\"}"', '"{\\"api_key\\": \\"[REDACTED:secret]\\"}"'],
    ['client_secret => "a\\"b"', 'client_secret => "[REDACTED:secret]"'],
    ['/x?access_token=abc&page=2', '/x?access_token=[REDACTED:secret]&page=2'],
    ['at postgres://u:p@host:5432/db now', 'at [REDACTED:connection_string] now'],
    ['mongodb+srv://u:p@h.net/db', '[REDACTED:connection_string]'],
    ['https://bob:pw@example.com/x', '[REDACTED:connection_string]'],
    ['to DE89 3704 0044 0532 0130 00 BY FRIDAY', 'to [REDACTED:iban] BY FRIDAY'],
    ['GB82WEST12345698765432', '[REDACTED:iban]'],
    ['card 4111 1111 1111 1111.', 'card [REDACTED:payment].'],
    ['card 378282246310005', 'card [REDACTED:payment]'],
    ['3782-822463-10005', '[REDACTED:payment]'],
    ['call +49 30 1234567 or (555) 123-4567', 'call [REDACTED:phone] or [REDACTED:phone]'],
    ['020 7946 0958; +1-555-123-4567.', '[REDACTED:phone]; [REDACTED:phone].'],
    ['phone: 5551234567, 手机 13812345678', 'phone: [REDACTED:phone], 手机 [REDACTED:phone]'],
    ["'bob.o-x+y@mail.example.co.uk'", "'[REDACTED:email]'"],
    ['jürgen@müller.de', '[REDACTED:email]'],
  ])('redacts %j', (text, expected) => {
    expect(redact(text).text).toBe(expected)
  })

  it.each([
    ['a date', 'on 2024-11-30 and 30.11.2024, from 2024-01-02 to 2024-01-03'],
    ['a time stamp', '2024-11-30T10:15:00+01:00 and 1732960800000'],
    ['an IPv6 address', '2001:0db8:85a3:0000:0000:8a2e:0370:7334 and fe80::1'],
    ['an IPv4 address', '192.168.100.123:8080'],
    ['an order number', 'order 5551234567, ORD-555-123-4567, #100-200-3000, 112-1234567-1234567'],
    ['a card number with a wrong check digit', '4111 1111 1111 1112 and 1234567890123456'],
    ['an IBAN with a wrong check digit', 'DE88 3704 0044 0532 0130 00'],
    ['an identifier', '0190b6f4-7d3c-7c1e-8a52-123456789012 and 3f2504e04f8911d39a0c0305e82c3301'],
    ['a version or an amount', 'v1.2.3, 1,234,567.89, 12 345 678'],
    ['token counts', 'max_tokens: 4096, "total_tokens": 123'],
    ['an unset value', 'password: null, token=true'],
    [
      'prose about bearers and cookies',
      'the bearer of news; cookie: I like them; a risk-management plan',
    ],
    ['a handle or a decorator', '@alice wrote @Injectable() and a@b'],
  ])('leaves %s alone', (_, text) => {
    expect(redact(text)).toEqual({ text, redactions: [] })
  })

  it('counts per type in the order of the rules', () => {
    expect(redact('a@b.com c@d.com password=x1').redactions).toEqual([
      { type: 'secret', count: 1 },
      { type: 'email', count: 2 },
    ])
  })

  it('runs rules of the caller first, with or without a global flag', () => {
    const rules = [{ type: 'staff_id', pattern: /EMP-\d+/ }]
    expect(redact('EMP-1 and EMP-22', rules).text).toBe(
      '[REDACTED:staff_id] and [REDACTED:staff_id]',
    )
  })

  it('keeps the markers whole whatever a rule of the caller matches', () => {
    const rules = [
      { type: 'word', pattern: /[\w:[\]]+/g },
      { type: 'empty', pattern: /x*/ },
    ]
    expect(redact('one bob@example.com', rules).text).toMatch(
      /^\[REDACTED:word\] \[REDACTED:word\]/,
    )
    const once = redact('one [REDACTED:email] two', rules).text
    expect(once).toBe('[REDACTED:word] [REDACTED:email] [REDACTED:word]')
    expect(redact(once, rules)).toEqual({ text: once, redactions: [] })
  })

  it('refuses a type that cannot stand in a marker', () => {
    expect(() => redact('x', [{ type: 'My type', pattern: /x/ }])).toThrow(InvalidInputError)
  })

  it('changes nothing when it runs again', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom(
        'token: ',
        'password="',
        '"',
        "'",
        'Bearer ',
        'Cookie: a=',
        'sk-abc123def4',
        '+49 30 1234567',
        ' ',
        '\n',
        '@',
        'bob@example.com',
        '4111 1111 1111 1111',
        'DE89 3704 0044 0532 0130 00',
        'postgres://',
        'eyJhbGciOi.eyJzdWIi.x',
        '-----BEGIN PRIVATE KEY-----',
        '[REDACTED:email]',
        '[REDACTED:',
        ']',
        '\\',
        '=',
        ':',
        '0301234567',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = redact(pieces.join('')).text
        expect(redact(once)).toEqual({ text: once, redactions: [] })
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    'a',
    '1',
    '1 ',
    '0 1',
    '+1',
    'a.',
    'a@a.',
    'token:"',
    'token:\'"',
    'token:,,,',
    'token:"\\',
    'cookie:',
    'eyJ-',
    '-----BEGIN PRIVATE KEY-----',
    'DE89 3704 ',
    'a://b:',
    'sk-',
    ' ',
    'authorization: ',
    '[REDACTED:',
    '`',
  ])('gets through a long run of %j', (piece) => {
    const text = piece.repeat(200_000 / piece.length)
    expect(redact(text).text.length).toBeGreaterThan(0)
  })

  it('has no rule that would find something in a text without its sign', () => {
    const piece = fc.constantFrom(
      'authorization: ',
      'Bearer ',
      'cookie: a=',
      'password=',
      'api_key: ',
      'https://',
      'u:p@h.net',
      'postgres://',
      'tel. ',
      '+49',
      '0',
      '12',
      '345',
      '555-',
      ' (',
      ') ',
      '-',
      ' ',
      '.',
      '\u00A0',
      'DE89',
      'GB',
      'WEST',
      'a@b.co',
      'x1',
      '手机',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        for (const rule of redactionRules) {
          if (!rule.sign || rule.sign.test(text)) continue
          expect([rule.type, ...rule.find(text)]).toEqual([rule.type])
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
