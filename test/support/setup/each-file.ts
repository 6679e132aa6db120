/**
 * Set-up of every test file: cheap lock codes, reversed rows of unordered selects, and the network guard, here and in
 * every Node program that a test starts.
 */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, vi } from 'vitest'
import { hasObjectStorage, IN_OBJECTS } from '../objects/run.ts'
import { ENGINE, hasServer } from '../postgres/databases.ts'
import { BREACH_FILE, breaches } from './network-guard.ts'
import { programOf } from './programs.ts'
import { useQuickCodes } from './quick-codes.ts'
import { useReversedRows } from './reversed-rows.ts'

useQuickCodes()
useReversedRows()

// For this file only; created by a violation.
const file = join(tmpdir(), `sello-breaches-${randomBytes(8).toString('hex')}`)
process.env[BREACH_FILE] = file

// Reaches all programs: they inherit this environment, possibly with additions.
const guard = `--import=${programOf(new URL('./network-guard.ts', import.meta.url)).href}`
const options = process.env.NODE_OPTIONS ?? ''
if (!options.includes(guard)) process.env.NODE_OPTIONS = `${options} ${guard}`.trim()

beforeEach(({ skip }) => {
  skip(ENGINE === 'pg' && !hasServer(), 'No PostgreSQL is installed.')
  skip(IN_OBJECTS && !hasObjectStorage(), 'No object storage is installed.')
})

// Registered first, so that it runs last, when the programs of this file have ended.
afterAll(() => {
  // The next file of this worker finds nothing replaced.
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  const found = breaches(file)
  rmSync(file, { force: true })
  if (found.length > 0) throw new Error(`These tests tried to leave this computer:\n${found.join('\n')}`)
})
