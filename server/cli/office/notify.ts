/**
 * Tells the service manager what a server does. Node cannot write to a datagram socket of the system, so that the
 * program of systemd does it; without its variable nobody is told.
 */
import { execFile } from 'node:child_process'

const NOTIFY_MS = 5_000

/** Reports a state. A failure is passed to `say`, since the server itself runs. */
export async function notifyManager(
  state: 'READY=1' | 'STOPPING=1',
  env: NodeJS.ProcessEnv,
  say: (text: string) => void,
): Promise<void> {
  const { NOTIFY_SOCKET: socket, PATH: path } = env
  if (!socket) return
  await new Promise<void>((resolve) => {
    const only = { NOTIFY_SOCKET: socket, ...(path === undefined ? {} : { PATH: path }) }
    execFile('systemd-notify', ['--no-block', state], { env: only, timeout: NOTIFY_MS }, (error) => {
      if (error) say(`The service manager could not be told ${state}: ${error.message}`)
      resolve()
    })
  })
}
