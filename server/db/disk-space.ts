/** Room on the disk of the books: from where on Sello warns, and what it refuses first so that the rest can go on. */
import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { createLoop } from '../domain/concurrency/background-loop.ts'
import type { Background } from '../domain/concurrency/background-loop.ts'
import type { AnyContract } from '../domain/contract/define-contract.ts'
import { AppError } from '../domain/errors/catalog.ts'

const MB = 1_000_000
const WARN_BELOW = 500 * MB
/** New papers and files stop first: what is issued, paid and sent needs little. */
const NEW_BELOW = 100 * MB
/** A record, its paper and the log that is tidied up later have to fit together. */
const ISSUE_BELOW = 50 * MB
const LOOK_AGAIN_SECONDS = 60
const LOOK_MS = LOOK_AGAIN_SECONDS * 1_000

/** How little room is left: told only, new papers refused, issuing refused too. */
export type DiskSpaceLevel = 'told' | 'no_new' | 'no_issue'

/** Bytes that this user may still write where the folder is or would be; null when that cannot be told. */
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

/** Null where there is room enough, and where nobody can tell. */
export function diskSpaceLevelOf(freeBytes: number | null): DiskSpaceLevel | null {
  if (freeBytes === null || freeBytes >= WARN_BELOW) return null
  if (freeBytes >= NEW_BELOW) return 'told'
  return freeBytes >= ISSUE_BELOW ? 'no_new' : 'no_issue'
}

/** Throws `disk_low` for what the disk has no room for any more. A disk that is full refuses by itself what is left. */
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

/** Looks once a minute; `tell` hears when the room becomes scarce, scarcer or enough again. */
export function createDiskSpaceWatch(
  freeBytes: () => number | null,
  tell: () => void,
  log: (line: string) => void,
): Background {
  let told: DiskSpaceLevel | null = null
  return createLoop({
    name: 'room',
    gatherMs: 0,
    pollMs: LOOK_MS,
    log,
    run: async () => {
      const found = diskSpaceLevelOf(freeBytes())
      if (found === told) return
      told = found
      tell()
    },
  })
}

/** With less than this an encrypted file cannot even be opened, and the database says many things of it. */
const FULL_BYTES = 256 * 1024

/** Whether something failed because the disk of the books has no room. */
export function isDiskFull(code: string, dataDir: string): boolean {
  if (/^(ENOSPC|EDQUOT|SQLITE_FULL)/.test(code)) return true
  const free = freeBytesAt(dataDir)
  return free !== null && free < FULL_BYTES && /^SQLITE_(IOERR|CANTOPEN|READONLY)/.test(code)
}
