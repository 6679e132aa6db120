/**
 * Disk space of the books: the limits at which Sello warns, and the operations it refuses first so that others can
 * continue.
 */
import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { createLoop } from '../domain/concurrency/background-loop.ts'
import type { Background } from '../domain/concurrency/background-loop.ts'
import type { AnyContract } from '../domain/contract/define-contract.ts'
import { AppError } from '../domain/errors/app-error.ts'

const MB = 1_000_000
const WARN_BELOW = 500 * MB
/** New documents and files are refused first: issuing, payments and sending need little space. */
const NEW_BELOW = 100 * MB
/** A record, its document and the log until its checkpoint have to fit together. */
const ISSUE_BELOW = 50 * MB
const LOOK_AGAIN_SECONDS = 60
const LOOK_MS = LOOK_AGAIN_SECONDS * 1_000

/** Level of low disk space: warn only, refuse new documents, refuse issuing as well. */
type DiskSpaceLevel = 'told' | 'no_new' | 'no_issue'

/**
 * Returns the bytes that this user can still write on the disk of the folder, which need not exist yet; null if
 * unknown.
 */
export function freeBytesAt(folder: string): number | null {
  let there = folder
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there)
  try {
    const { bavail, bsize } = statfsSync(there)
    return bavail * bsize
  } catch {
    return null
  }
}

/** Returns the level of low disk space; null if there is enough or the free space is unknown. */
export function diskSpaceLevelOf(freeBytes: number | null): DiskSpaceLevel | null {
  if (freeBytes === null || freeBytes >= WARN_BELOW) return null
  if (freeBytes >= NEW_BELOW) return 'told'
  return freeBytes >= ISSUE_BELOW ? 'no_new' : 'no_issue'
}

/** Throws `disk_low` if the free space is too low for the operation. On a full disk other writes fail by themselves. */
export function refuseOnFullDisk(
  { effect, bringsNew }: Pick<AnyContract, 'effect' | 'bringsNew'>,
  freeBytes: () => number | null,
): void {
  const needed = effect === 'irreversible' ? ISSUE_BELOW : bringsNew ? NEW_BELOW : 0
  const free = needed === 0 ? null : freeBytes()
  if (free === null || free >= needed) return
  throw new AppError('disk_low', {
    details: { freeMb: Math.floor(free / MB), neededMb: needed / MB },
    retryAfterSeconds: LOOK_AGAIN_SECONDS,
  })
}

/** Checks the free space once a minute; `onChange` is called when the level changes. */
export function createDiskSpaceWatch(
  freeBytes: () => number | null,
  onChange: () => void,
  log: (line: string) => void,
): Background {
  let reported: DiskSpaceLevel | null = null
  return createLoop({
    name: 'disk-space',
    gatherMs: 0,
    pollMs: LOOK_MS,
    log,
    run: async () => {
      const found = diskSpaceLevelOf(freeBytes())
      if (found === reported) return
      reported = found
      onChange()
    },
  })
}

/** Below this size an encrypted file cannot even be opened, and the database reports varying errors. */
const FULL_BYTES = 256 * 1024

/** Returns true if an operation failed because the disk of the books is full. */
export function isDiskFull(code: string, dataDir: string): boolean {
  if (/^(ENOSPC|EDQUOT|SQLITE_FULL)/.test(code)) return true
  const free = freeBytesAt(dataDir)
  return free !== null && free < FULL_BYTES && /^SQLITE_(IOERR|CANTOPEN|READONLY)/.test(code)
}
