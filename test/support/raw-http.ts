import { connect } from 'node:net'

/** Sends bytes as they are and gives back all that came until the other side closed. */
export function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let answer = ''
    socket.setEncoding('latin1')
    socket.on('data', (part: string) => (answer += part))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}
