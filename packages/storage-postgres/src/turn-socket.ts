import { Socket } from 'node:net'

/**
 * A socket that sends together what is corked on it in one turn of the event loop, so that statements sent one behind the
 * other cost one system call and one packet.
 */
export class TurnSocket extends Socket {
  #isHeld = false

  override cork(): void {
    super.cork()
    if (this.#isHeld) return
    this.#isHeld = true
    super.cork()
    process.nextTick(() => {
      this.#isHeld = false
      super.uncork()
    })
  }
}
