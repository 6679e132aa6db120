/** Starts the bridge as assistants do: a separate process that exchanges lines. */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'

export const BRIDGE = resolve(
  import.meta.dirname,
  '../../../../server/app/assistants/bridge/sello-bridge.mjs',
)

export interface Bridge {
  send(message: unknown): void
  /** Writes a line unchanged. */
  write(line: string): void
  /** Sends a request and waits for the answer with its identifier. */
  ask(message: { id: string | number; method: string; params?: unknown }): Promise<any>
  /** Every line of stdout so far, parsed. */
  answers: any[]
  stderr(): string
  pid: number
  /** Ends stdin; returns the exit code. */
  end(): Promise<number | null>
}

export function startBridge(env: Record<string, string>, file = BRIDGE): Bridge {
  const child = spawn(process.execPath, [file], {
    stdio: 'pipe',
    // Nothing of the person who runs the tests may be found by the bridge.
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      APPDATA: '/nonexistent',
      ...env,
    } as NodeJS.ProcessEnv,
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const answers: any[] = []
  const waiting = new Map<unknown, (answer: any) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line)
    answers.push(answer)
    if (answer.method === undefined) waiting.get(answer.id)?.(answer)
  })
  const ended = new Promise<number | null>((done) => child.on('close', done))
  const write = (line: string): void => void child.stdin.write(`${line}\n`)
  const send = (message: unknown): void => write(JSON.stringify(message))
  return {
    send,
    write,
    ask: (message) =>
      new Promise((done) => {
        waiting.set(message.id, done)
        send({ jsonrpc: '2.0', ...message })
      }),
    answers,
    stderr: () => stderr,
    pid: child.pid!,
    end: () => {
      child.stdin.end()
      return ended
    },
  }
}
