/** Serves a folder as `npm start` does in a browser: a fault that prevents opening the books is shown in the page. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import type { ServedApp } from './browser.ts'
import { leavePort, takePort } from './ports.ts'

const CLI = resolve(import.meta.dirname, '..', '..', '..', 'out', 'main', 'cli.js')

interface ServedWindow extends ServedApp {
  /** Its output when it was ready. */
  line: Record<string, unknown>
  child: ChildProcess
  kill(): Promise<void>
}

/** Serves until the test ends; `through` is a command that starts it. */
export async function serveWindow(
  folder: string,
  options: { port?: string; env?: NodeJS.ProcessEnv; through?: readonly string[] } = {},
): Promise<ServedWindow> {
  const { port = await takePort(), env = process.env, through = [] } = options
  const argv = [...through, process.execPath, CLI, 'serve', '--window', '--port', port, '--data', folder]
  const child = spawn(argv[0] ?? '', argv.slice(1), { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  let server = child.pid
  let url: string | undefined
  // Signals the server itself: the process that started it ends with it, and does not pass a signal on.
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null && server) process.kill(server, signal)
    await gone
    if (url) leavePort(url)
  }
  onTestFinished(() => end('SIGKILL'))
  const text = await new Promise<string>((done, fail) => {
    createInterface({ input: child.stdout! }).once('line', done)
    child.once('exit', (code) => setTimeout(() => fail(new Error(`It ended with ${code}.`)), 200))
  })
  const line = JSON.parse(text) as { url: string; uiUrl: string; pid: number; alreadyOpen?: true }
  if (!line.alreadyOpen) ({ pid: server, url } = line)
  const stop = (): Promise<void> => end('SIGTERM')
  return { ...line, line, folder, child, end: stop, stop, kill: () => end('SIGKILL') }
}
