/** Diagnoses a failed start for the recovery page. Reads only, and changes nothing. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Keychain } from '../../db/embedded/keys/keyring.ts'
import { keychainWorks, LOCAL_KEY_FILE, STORE_FILE } from '../../db/embedded/keys/keyring.ts'
import { freeBytesAt } from '../../db/disk-space.ts'
import { RECOVERY_FILE } from '../../db/embedded/store.ts'
import type { Keep, StartFault, StartFaultKind } from './contract.ts'

interface Surroundings {
  dataDir: string
  keyFile: string | undefined
  /** Returns the keychain of this system, or null when there is none. */
  loadKeychain: () => Promise<Keychain | null>
  canQuit: boolean
}

/** With less space than this, an encrypted file cannot even be opened. */
const FULL_BYTES = 256 * 1024
const ANSWER_MS = 1_500
export const SERVER_FILE = 'server.json'
/** File in which earlier versions left the window's token; removed wherever found. */
export const WINDOW_FILE = 'window.token'

function kindOfSystemError(code: string, freeBytes: number | null): StartFaultKind {
  const isFull = freeBytes !== null && freeBytes < FULL_BYTES
  if (/^(ENOSPC|EDQUOT|SQLITE_FULL)$/.test(code)) return 'disk_full'
  if (isFull && /^SQLITE_(IOERR|CANTOPEN|READONLY)/.test(code)) return 'disk_full'
  if (/^(EACCES|EPERM|EROFS)$/.test(code) || /^SQLITE_(READONLY|CANTOPEN|PERM)/.test(code))
    return 'folder_readonly'
  if (/^(ENOTDIR|EEXIST|EISDIR|ELOOP|ENAMETOOLONG|ENOENT)$/.test(code)) return 'folder_unusable'
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code) ? 'store_damaged' : 'start_failed'
}

/** Diagnoses an error of the keyring, and the ways to store a recovered key. */
async function ofKey(
  { details = {} }: AppError,
  around: Surroundings,
): Promise<{ kind: StartFaultKind; file: string | null; keep: Keep[] }> {
  const { dataDir, keyFile } = around
  const canRecover = existsSync(join(dataDir, RECOVERY_FILE)) && details.why !== 'keyring_missing'
  const keep = (...places: Keep[]): Keep[] => (canRecover ? places : [])
  const isWrong = details.why === 'wrong_key' || details.why === 'not_a_key'
  if (keyFile)
    return { kind: isWrong ? 'key_wrong' : 'key_missing', file: keyFile, keep: keep('external', 'once') }
  // The key is in a file that was not named this time; only the person who started Sello knows which.
  if (details.protection === 'external') return { kind: 'key_missing', file: null, keep: keep('once') }
  if (details.why === 'keyring_missing') return { kind: 'key_missing', file: null, keep: [] }
  if (details.protection === 'file' || details.file === join(dataDir, LOCAL_KEY_FILE))
    return {
      kind: isWrong ? 'key_wrong' : 'key_missing',
      file: join(dataDir, LOCAL_KEY_FILE),
      keep: keep('file', 'once'),
    }
  const keychain = await around.loadKeychain()
  const works = keychain !== null && (await keychainWorks(keychain))
  if (!works) return { kind: 'keychain_locked', file: null, keep: keep('once', 'file') }
  return { kind: isWrong ? 'key_wrong' : 'key_elsewhere', file: null, keep: keep('keychain', 'once') }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    // A static import would load Node's whole `fetch` at every start.
    const { get } = process.getBuiltinModule('node:http')
    const request = get({ host: '127.0.0.1', port, path: '/healthz', timeout: ANSWER_MS }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}

interface OtherSello {
  pid: number
  url: string
  /** Address of the page, without anything that admits a browser; null when it serves no browser. */
  uiUrl: string | null
}

/** Returns the Sello that has the books of a folder open, from its own file; null when none answers. */
export async function findOther(dataDir: string): Promise<OtherSello | null> {
  try {
    const text = readFileSync(join(dataDir, SERVER_FILE), 'utf8')
    const { port, pid, window } = JSON.parse(text) as Record<string, unknown>
    if (!Number.isInteger(port) || !Number.isInteger(pid) || !(await answers(Number(port)))) return null
    const url = `http://127.0.0.1:${Number(port)}`
    return { pid: Number(pid), url, uiUrl: window === true ? `${url}/` : null }
  } catch {
    return null
  }
}

/** Diagnoses why the books are not open, from the error of opening them. */
export async function diagnose(error: unknown, around: Surroundings): Promise<StartFault> {
  const { dataDir, canQuit } = around
  const freeBytes = freeBytesAt(dataDir)
  const trouble: StartFault = {
    kind: 'start_failed',
    code: 'internal',
    folder: resolve(dataDir),
    file: null,
    keep: [],
    other: null,
    versions: null,
    sharedBy: null,
    port: null,
    freeBytes,
    canQuit,
  }
  if (!(error instanceof AppError)) {
    const { code, path } = error as { code?: unknown; path?: unknown }
    if (typeof code !== 'string') return trouble
    return {
      ...trouble,
      kind: kindOfSystemError(code, freeBytes),
      code,
      file: typeof path === 'string' ? path : null,
    }
  }
  const { code, details = {} } = error
  const named = { ...trouble, code }
  if (code === 'keychain_locked') return { ...named, ...(await ofKey(error, around)) }
  if (code === 'store_in_use') {
    const other = await findOther(dataDir)
    return { ...named, kind: code, other: other && { pid: other.pid, uiUrl: other.uiUrl } }
  }
  if (code === 'port_taken') return { ...named, kind: code, port: Number(details.port) }
  if (code === 'folder_shared') return { ...named, kind: code, sharedBy: String(details.by) }
  if (code === 'books_shut') return { ...named, kind: 'shut_to_restore' }
  if (code === 'store_newer')
    return {
      ...named,
      kind: code,
      versions: { store: Number(details.storeVersion), known: Number(details.knownVersion) },
    }
  if (code === 'store_damaged') {
    const file = typeof details.file === 'string' ? details.file : STORE_FILE
    return { ...named, kind: code, file: join(dataDir, file) }
  }
  if (code === 'store_missing') return { ...named, kind: existsSync(dataDir) ? code : 'folder_missing' }
  return named
}
