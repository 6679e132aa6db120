/** Starts the programs in this folder, each in its own process that prints lines of JSON. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { programOf } from '../setup/programs.ts'

/** The compile cache of the children: compiling takes most of their start time. */
const COMPILED = resolve(import.meta.dirname, '../../../node_modules/.cache/sello/compiled')

export interface Child {
  process: ChildProcess
  /** Returns the next line; fails with the child's stderr if it ends without one. */
  line(): Promise<Record<string, unknown>>
  /** Returns every line so far and until the end. */
  rest(): Promise<Record<string, unknown>[]>
  /** Waits until it has ended by itself; returns the signal that ended it. */
  ended(): Promise<NodeJS.Signals | null>
  /** Kills it as a power failure would, and waits until it has ended. */
  kill(): Promise<void>
}

/**
 * Runs `children/<name>.ts`, by default with the current Node; `through` is a command that starts it instead. The
 * caller kills a `shared` one; any other is killed when the test ends.
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
    fileURLToPath(programOf(new URL(`./${name}.ts`, import.meta.url))),
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
    // A killed child may leave an incomplete line.
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
