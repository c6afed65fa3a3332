import { connect } from 'node:net'

/**
 * Sends one command to a Redis and returns the first line of its answer, or `undefined` if there was none. A few
 * lines of its protocol, since this runs before anything is installed.
 * @param {string} url `redis://<user>:<password>@<host>:<port>`
 * @param {readonly string[]} command
 * @returns {Promise<string | undefined>}
 */
export function askRedis(url, command) {
  const { hostname, port, password } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: 2000 })
    let answer = ''
    const finish = () => {
      socket.destroy()
      // The first line answers AUTH.
      resolve(answer.split('\r\n')[1] || undefined)
    }
    socket.setEncoding('utf8')
    socket.on('connect', () => socket.end(encode(['AUTH', password]) + encode(command)))
    socket.on('data', (text) => (answer += text))
    socket.on('close', finish)
    socket.on('timeout', finish)
    socket.on('error', finish)
  })
}

/** @param {readonly string[]} words */
function encode(words) {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`
}
