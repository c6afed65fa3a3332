import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { killRedis, startRedis, stopRedis } from '../../../tools/services/redis-server.mjs'
import { createBullmqBus } from '../src/index.js'
import { messageTo } from '@loam/core/testing'
import { PATIENCE } from './patience.js'
import { canStartRedis } from './private-redis.js'
import { runBusProcess, type BusProcess } from './run-bus-process.js'

describe.skipIf(!(await canStartRedis()))('processes on one Redis (redis-server)', () => {
  let server: Awaited<ReturnType<typeof startRedis>>
  const started: BusProcess[] = []

  beforeAll(async () => {
    server = await startRedis()
  })
  afterEach(() => {
    for (const { child } of started.splice(0)) child.kill('SIGKILL')
  })
  afterAll(() => stopRedis(server))

  function start(...[args, env]: Parameters<typeof runBusProcess>): BusProcess {
    const run = runBusProcess(args, env)
    started.push(run)
    return run
  }

  it('give the message of one that was killed to another', async () => {
    const times = { publishTimeoutMs: 20_000, lockDurationMs: 300, stalledIntervalMs: 300 }
    const bus = createBullmqBus({ url: server.url, prefix: 'killed', ...times })
    const message = messageTo('a')
    await bus.publish([message])
    const victim = start(['take', server.url, 'killed'])
    await vi.waitFor(() => expect(victim.lines).toEqual([`begun ${message.deliveryId}`]), PATIENCE)
    victim.child.kill('SIGKILL')
    await victim.ended
    const handled: string[] = []
    await bus.subscribe('a', async ({ deliveryId }) => void handled.push(deliveryId))
    await vi.waitFor(() => expect(handled).toEqual([message.deliveryId]), PATIENCE)
    await bus.close()
  })

  it('speak TLS where the URL says rediss', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'loam-tls-'))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...subject],
      { stdio: 'ignore' },
    )
    const { hostname, port } = new URL(server.url)
    const front = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (near) => {
      const far = connect(Number(port), hostname)
      near.on('error', () => {})
      far.on('error', () => {})
      near.pipe(far).pipe(near)
    })
    front.on('tlsClientError', () => {})
    front.listen(0, '127.0.0.1')
    await once(front, 'listening')
    const target = new URL(server.url)
    target.protocol = 'rediss:'
    target.hostname = 'localhost'
    target.port = String((front.address() as AddressInfo).port)
    try {
      const trusting = start(['ping', target.href, 'tls'], { NODE_EXTRA_CA_CERTS: cert })
      await trusting.ended
      expect(trusting.lines).toEqual(['pong'])
      const doubting = start(['ping', target.href, 'tls'])
      await doubting.ended
      expect(doubting.lines.join()).toContain('self-signed certificate')
    } finally {
      front.close()
      rmSync(folder, { recursive: true })
    }
  })

  it('end by themselves when they have closed their bus, even if Redis is away', async () => {
    await killRedis(server)
    const run = start(['close-while-away', server.url, 'away'])
    await run.ended
    expect(run.lines).toEqual(['away', 'closed'])
    expect(run.child.exitCode).toBe(0)
  })
})
