import { connect } from 'node:net'

/**
 * Does something listen at the host and port of a URL?
 * @param {string} url
 * @returns {Promise<boolean>}
 */
export function answers(url) {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: 2000 })
    /** @param {boolean} result */
    const finish = (result) => {
      socket.destroy()
      resolve(result)
    }
    socket.once('connect', () => finish(true))
    socket.once('error', () => finish(false))
    socket.once('timeout', () => finish(false))
  })
}
