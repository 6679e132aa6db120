/** Hands a company of an office back to its owner: one encrypted file that the restore of a desk opens. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import type { AppEnvironment } from '../../../context.ts'
import {
  newRecoveryCode,
  readRecoveryCode,
  recoveryGroups,
  wrapMasterKey,
} from '../../../db/embedded/keys/recovery-code.ts'
import type { Keychain } from '../../../db/embedded/keys/keyring.ts'
import { openStore } from '../../../db/embedded/store.ts'
import type { DatabaseBulk } from '../../../db/postgres/bulk.ts'
import { HANDED_BACK } from '../../../db/postgres/presence.ts'
import { makePortableOf } from '../../backups/index.ts'
import { setAway, standingOf } from './arrival.ts'
import type { OfficeAddress, Standing } from './arrival.ts'
import { withOfficeRows } from './contents.ts'
import { exportCompany } from './export.ts'

/** Prefix of the folder in which the books are put together, and of a file that is being handed over. */
const FOLDER = 'sello-hand-back-'
/** A folder of this age belongs to a process that has ended: nothing takes so long. */
const LEFT_BEHIND_MS = 12 * 60 * 60_000

interface HandBackOptions {
  office: OfficeAddress
  /** Public identifier. */
  company: string
  /** The recovery code that opens the file, as typed. */
  code: string
  /** The file; it does not exist, its folder does. */
  to: string
  /** Folder in which the books are put together; undefined: that of the system for temporary files. */
  folder?: string | undefined
  /** Version of this Sello. */
  version: string
  loadContracts: AppEnvironment['loadContracts']
  now: () => Date
  report?: ((line: string) => void) | undefined
}

export interface HandedBack {
  id: string
  rows: number
  /** Canonical digest of the rows, which is the same for each file of an unchanged company. */
  sha256: string
  checks: number
  bytes: number
  /** Tables of the office alone whose rows are not in the file. */
  left: string[]
}

/** Returns a keychain in memory: no disk ever has the key of the folder in which the books are put together. */
function keychainInMemory(): Keychain {
  const entries = new Map<string, string>()
  return {
    getPassword: async (_service, account) => entries.get(account) ?? null,
    setPassword: async (_service, account, password) => void entries.set(account, password),
    deletePassword: async (_service, account) => entries.delete(account),
    findCredentials: async () =>
      Array.from(entries.entries(), ([account, password]) => ({ account, password })),
  }
}

/** Returns a new code, also in groups as it is printed. */
export function newCode(): { code: string; groups: string[] } {
  const code = newRecoveryCode()
  return { code, groups: recoveryGroups(code) }
}

/** Returns true if a typed text is a code. */
export const isCode = (typed: string): boolean => readRecoveryCode(typed) !== null

/** Returns where a file is until it has been handed over. */
export const fileToHandOver = (id: string): string => join(tmpdir(), `${FOLDER}${id}.sellobak`)

/** Removes folders of processes that were killed; their keys are gone with them. */
function dropLeftBehind(root: string, at: number): void {
  for (const name of readdirSync(root)) {
    if (!name.startsWith(FOLDER)) continue
    const folder = join(root, name)
    try {
      if (at - statSync(folder).mtimeMs > LEFT_BEHIND_MS) rmSync(folder, { recursive: true, force: true })
    } catch {
      // Another process removes it, or it belongs to another user.
    }
  }
}

async function readStanding(office: DatabaseBulk, company: string): Promise<Standing> {
  await office.begin('read')
  try {
    const standing = await standingOf(office, company)
    if (!standing) throw new AppError('company_not_here', { details: { company } })
    return standing
  } finally {
    await office.rollback()
  }
}

const isHandedBack = ({ away, awayTo }: Standing): boolean => away === 'moving' && awayTo === HANDED_BACK

function assertHere({ away, awayTo }: Standing): void {
  if (away !== null)
    throw new AppError(away === 'moved' ? 'company_moved' : 'company_moving', {
      details: { to: awayTo },
      retryAfterSeconds: 60,
    })
}

/** Writes the verified copy in a folder as one file. */
async function writeFile(
  folder: string,
  keychain: Keychain,
  code: string,
  { to, version, now }: HandBackOptions,
): Promise<void> {
  const store = await openStore({ folder, keychain, now })
  const masterKey = store.copyOfKey()
  try {
    const at = now()
    await makePortableOf({
      folder,
      to,
      // The thread clears its own.
      masterKey: Buffer.from(masterKey),
      storeId: store.storeId,
      recovery: wrapMasterKey(masterKey, code, store.storeId, at),
      app: version,
      at: at.getTime(),
    })
  } finally {
    masterKey.fill(0)
    store.close()
  }
}

/**
 * Hands a company back: from now on it is only read in the office, and the file that is written has all of it, verified.
 * The file is a portable backup under a code of its own. Its live book issues nothing until somebody begins a new
 * installation in it (ADR 15), wherever it is opened. May be repeated, and then writes the same rows. Throws
 * `validation_failed`, `company_not_here`, `company_moved`, `company_moving`, `transfer_refused`, `transfer_differs`,
 * `backup_not_made`, or an error of the store.
 */
export async function handBackCompany(options: HandBackOptions): Promise<HandedBack> {
  const { office: address, company, to, folder: root = tmpdir(), loadContracts, now, report } = options
  const code = readRecoveryCode(options.code)
  if (code === null)
    throw validationFailed([
      {
        code: 'recovery_code_mistyped',
        field: 'code',
        severity: 'error',
        message: 'That is not a recovery code.',
        fix: 'Use the code as it was shown.',
      },
    ])
  dropLeftBehind(root, now().getTime())
  await withOfficeRows(address, async ({ office }) => {
    const standing = await readStanding(office, company)
    if (isHandedBack(standing)) return
    assertHere(standing)
    await setAway(office, standing.companyId, { away: 'moving', to: HANDED_BACK, at: now() })
  })
  const folder = mkdtempSync(join(root, FOLDER))
  const keychain = keychainInMemory()
  try {
    const { id, rows, sha256, checks, left } = await exportCompany({
      office: address,
      company,
      folder,
      keychain,
      asCopy: true,
      heldAs: HANDED_BACK,
      loadContracts,
      now,
      ...(report ? { report } : {}),
    })
    await writeFile(folder, keychain, code, options)
    return { id, rows, sha256, checks, bytes: statSync(to).size, left }
  } catch (error) {
    rmSync(to, { force: true })
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Lets a company that was handed back be written in the office again. Its live book issues nothing before somebody
 * begins a new installation in it: whoever has the file may have begun another. Throws `company_not_here`, or
 * `company_here` for one that was not handed back.
 */
export function takeBackCompany({
  office: address,
  company,
  now,
}: Pick<HandBackOptions, 'office' | 'company' | 'now'>): Promise<void> {
  return withOfficeRows(address, async ({ office }) => {
    const standing = await readStanding(office, company)
    if (!isHandedBack(standing)) {
      assertHere(standing)
      throw new AppError('company_here', { details: { company, state: 'open' } })
    }
    await setAway(office, standing.companyId, { away: null, to: null, at: now(), holdsChain: true })
  })
}
