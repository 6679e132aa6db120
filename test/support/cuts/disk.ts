/** Builds disk.c and runs a child with it: the child's writes to its folder are recorded, and calls fail on command. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { constants, endianness } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { needs, tool } from '../tools.ts'

const SOURCE = join(import.meta.dirname, 'disk.c')
const BUILT = resolve(import.meta.dirname, '../../../node_modules/.cache/sello/disk')

/** Returns `test` if a disk can be recorded: Linux with a C compiler. Elsewhere it is skipped with the reason. */
export const watchesDisks = (): typeof test =>
  process.platform === 'linux' && endianness() === 'LE' ? needs('gcc') : (test.skip as unknown as typeof test)

function library(): string {
  const source = readFileSync(SOURCE)
  const file = join(BUILT, `${createHash('sha256').update(source).digest('hex').slice(0, 16)}.so`)
  if (existsSync(file)) return file
  mkdirSync(BUILT, { recursive: true })
  // Another test file may be building it too.
  const beside = `${file}.${process.pid}`
  const options = ['-O2', '-Wall', '-Werror', '-shared', '-fPIC', '-pthread', '-o', beside, SOURCE, '-ldl']
  execFileSync(tool('gcc') ?? 'gcc', options)
  renameSync(beside, file)
  return file
}

/** Returns the environment of a child whose folder is recorded. `fault` names a file created by `openFaults`. */
export function watched(paths: { folder: string; record?: string; fault?: string }): NodeJS.ProcessEnv {
  return {
    ...process.env,
    LD_PRELOAD: library(),
    SELLO_DISK_FOLDER: paths.folder,
    ...(paths.record === undefined ? {} : { SELLO_DISK_RECORD: paths.record }),
    ...(paths.fault === undefined ? {} : { SELLO_DISK_FAULT: paths.fault }),
  }
}

export interface Fault {
  call: 'write' | 'sync'
  error: 'EIO' | 'ENOSPC'
  /** Number of the call that fails from now on; the first is 1. */
  nth: number
  /** True if every later one fails too. */
  lasting: boolean
}

/** Control of a child's disk, in a file that both map. */
export interface Faults {
  arm(fault: Fault): void
  /** Ends the fault. */
  clear(): void
  /** Returns the calls that have failed since it was armed. */
  struck(): number
}

const BYTES = 20
const STRUCK_AT = 16

export function openFaults(file: string): Faults {
  const descriptor = openSync(file, 'w+')
  onTestFinished(() => closeSync(descriptor))
  const write = (call: number, error: number, nth: number, lasting: boolean): void => {
    const fields = Buffer.alloc(BYTES)
    for (const [index, value] of [call, error, nth, lasting ? 1 : 0, 0].entries())
      fields.writeInt32LE(value, index * 4)
    writeSync(descriptor, fields, 0, BYTES, 0)
  }
  write(0, 0, 0, false)
  return {
    arm: ({ call, error, nth, lasting }) =>
      write((call === 'write' ? 'w' : 's').charCodeAt(0), constants.errno[error], nth, lasting),
    clear: () => write(0, 0, 0, false),
    struck: () => {
      const field = Buffer.alloc(4)
      readSync(descriptor, field, 0, 4, STRUCK_AT)
      return field.readInt32LE(0)
    },
  }
}
