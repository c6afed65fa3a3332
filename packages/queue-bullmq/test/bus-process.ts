// A process with a bus of its own: takes messages of consumer `a` and never ends them, or closes at once.
import { createBullmqBus } from '../src/index.js'

const [task = '', url = '', prefix = ''] = process.argv.slice(2)
const say = (line: string) => process.stdout.write(`${line}\n`)

const bus = createBullmqBus({
  url,
  prefix,
  publishTimeoutMs: 5_000,
  lockDurationMs: 300,
  stalledIntervalMs: 300,
})
if (task === 'take') {
  await bus.subscribe('a', ({ deliveryId }) => {
    say(`begun ${deliveryId}`)
    return new Promise<void>(() => {})
  })
}
if (task === 'ping') {
  await bus.ping().then(
    () => say('pong'),
    (error: unknown) => say(String(error)),
  )
  await bus.close()
}
if (task === 'close-while-away') {
  await bus.subscribe('a', async () => {})
  await bus.ping().catch(() => say('away'))
  await bus.close()
  say('closed')
}
