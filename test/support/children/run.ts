/** Starts the programs beside this file, each a process of its own that answers in lines of JSON. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** Where the children keep what they compiled: most of the time that one takes to start goes into that. */
const COMPILED = resolve(import.meta.dirname, '../../../node_modules/.cache/sello/compiled')

export interface Child {
  process: ChildProcess
  /** The next line; fails with what the child said on stderr when it ends without one. */
  line(): Promise<Record<string, unknown>>
  /** Every line so far and until the end. */
  rest(): Promise<Record<string, unknown>[]>
  /** Waits until it has ended by itself; the signal that it ended with. */
  ended(): Promise<NodeJS.Signals | null>
  /** Ends it as a power failure would, and waits until it is gone. */
  kill(): Promise<void>
}

/**
 * Runs `children/<name>.ts`, by default with this very Node; `through` is a command that starts it instead. A `shared` one
 * is killed by the caller, any other when the test ends.
 */
export function startChild(
  name: string,
  args: readonly string[],
  options: {
    env?: NodeJS.ProcessEnv
    through?: readonly string[]
    nodeFlags?: readonly string[]
    shared?: boolean
  } = {},
): Child {
  const program = [
    ...(options.through ?? []),
    process.execPath,
    ...(options.nodeFlags ?? []),
    join(import.meta.dirname, `${name}.ts`),
    ...args,
  ]
  const child = spawn(program[0] ?? '', program.slice(1), {
    env: { NODE_COMPILE_CACHE: COMPILED, ...(options.env ?? process.env) },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()))
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const kill = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await gone
  }
  if (!options.shared) onTestFinished(kill)
  const next = async (): Promise<Record<string, unknown> | null> => {
    const { value, done } = await lines.next()
    // A child that is killed may leave half a line.
    if (done || !value.endsWith('}')) return null
    return JSON.parse(value) as Record<string, unknown>
  }
  return {
    process: child,
    line: async () => {
      const line = await next()
      if (!line) throw new Error(`${name} said nothing. ${stderr}`)
      return line
    },
    rest: async () => {
      const all: Record<string, unknown>[] = []
      for (let line = await next(); line; line = await next()) all.push(line)
      return all
    },
    ended: async () => {
      await gone
      return child.signalCode
    },
    kill,
  }
}
