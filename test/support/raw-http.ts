/** Raw HTTP: requests that no client would send. */
import { connect } from 'node:net'

interface RawAnswer {
  /** 0 if the other side closed without an answer. */
  status: number
  /** Status line and headers in lower case. */
  headers: string
  body: string
}

const LIMIT_MS = 5_000

/**
 * Sends bytes to a port of this computer and reads `answers` complete answers, or until the other side closes;
 * returns the last one.
 */
export function sendRaw(port: number, text: string, answers = 1): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    let left = answers
    const finish = (): void => {
      socket.destroy()
      const [head = '', body = ''] = received.split('\r\n\r\n', 2)
      resolve({
        status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
        headers: head.toLowerCase(),
        body,
      })
    }
    socket.setTimeout(LIMIT_MS, () => reject(new Error(`No answer to ${JSON.stringify(text.slice(0, 60))}`)))
    socket.on('data', (piece) => {
      received += piece.toString('latin1')
      for (;;) {
        const start = received.indexOf('\r\n\r\n')
        const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? Number.NaN)
        if (start < 0 || !(received.length - start - 4 >= length)) return
        left -= 1
        if (left === 0) return finish()
        received = received.slice(start + 4 + length)
      }
    })
    socket.on('close', finish)
    socket.on('error', reject)
    socket.write(text)
  })
}
