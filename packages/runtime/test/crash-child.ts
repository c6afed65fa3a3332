// Run as a process of its own by crash.test.ts. It kills itself before or after a unit of work of its store.
import { live } from './crash-life.js'

const [home = '', moment, unit] = process.argv.slice(2)

await live(home, {
  watch: async (...now) => {
    if (String(now) !== `${moment},${unit}`) return
    process.kill(process.pid, 'SIGKILL')
    // Nothing may happen until the signal has arrived.
    await new Promise(() => {})
  },
})
