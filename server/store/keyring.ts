/**
 * The master key of a store and who keeps it: the system's keychain, a file named at start, or a file beside the books.
 * It never makes a new key for a store that exists: a locked keychain looks empty, and a fresh key would orphan the books.
 */
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../core/errors.ts'
import { writeFileDurably } from './files.ts'

export type KeyProtection = 'keychain' | 'file' | 'external'

/** The calls of a system keychain that we use; keytar's shape. */
export interface Keychain {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
  findCredentials(service: string): Promise<{ account: string; password: string }[]>
}

/** What stands in `keyring.json`: no secret, only where the key is and how to tell that it is the right one. */
export interface KeyringFile {
  version: 1
  storeId: string
  protection: KeyProtection
  /** HMAC of the store's id under the key: tells a wrong key from a damaged file. */
  keyCheck: string
  createdAt: string
  /** Set once the file of the books exists: from then on a missing file is a loss, never a fresh start. */
  booksMade?: boolean
}

export interface OpenedKey {
  masterKey: Buffer
  storeId: string
  protection: KeyProtection
  /** True when the store does not exist yet and this key was made for it. */
  fresh: boolean
}

export interface KeyringOptions {
  folder: string
  /** A key file named by the user (`--key-file`); it wins over everything else. */
  keyFile?: string | undefined
  keychain: Keychain | null
  now: () => Date
}

/** The name under which the keychain keeps what is ours. */
export const SERVICE = 'sello'
const KEY_BYTES = 32
export const STORE_FILE = 'sello.db'
const KEYRING_FILE = 'keyring.json'
const LOCAL_KEY_FILE = 'master.key'

function keyCheckOf(masterKey: Uint8Array, storeId: string): string {
  return createHmac('sha256', masterKey).update(`sello-key-check:${storeId}`).digest('base64url')
}

function sameCheck(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Reads `keyring.json`, or null when there is none. */
export function readKeyring(folder: string): KeyringFile | null {
  const file = join(folder, KEYRING_FILE)
  if (!existsSync(file)) return null
  try {
    const parsed = JSON.parse(readFileSync(file, 'utf8')) as KeyringFile
    if (parsed.version === 1 && typeof parsed.storeId === 'string' && typeof parsed.keyCheck === 'string')
      return parsed
  } catch {
    // Falls through: an unreadable file is damage, and is said so.
  }
  throw new AppError('store_damaged', { details: { file: KEYRING_FILE } })
}

/**
 * True when the keychain really keeps what it is given. Without a Secret Service the library silently falls back to the
 * kernel's session keyring, which forgets at logout; that one cannot list its items, so the listing is what is tested.
 */
export async function keychainWorks(keychain: Keychain): Promise<boolean> {
  const account = `probe-${randomUUID()}`
  try {
    await keychain.setPassword(SERVICE, account, account)
    const listed = await keychain.findCredentials(SERVICE)
    return listed.some((item) => item.account === account && item.password === account)
  } catch {
    return false
  } finally {
    await keychain.deletePassword(SERVICE, account).catch(() => false)
  }
}

function readKeyText(text: string, file: string): Buffer {
  const trimmed = text.trim()
  if (!/^[0-9a-f]{64}$/i.test(trimmed))
    throw new AppError('keychain_locked', { details: { file, why: 'not_a_key' } })
  return Buffer.from(trimmed, 'hex')
}

function assertPrivate(file: string): void {
  if (process.platform === 'win32') return
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
}

function readKeyFile(file: string): Buffer | null {
  if (!existsSync(file)) return null
  assertPrivate(file)
  return readKeyText(readFileSync(file, 'utf8'), file)
}

function writeKeyFile(file: string, masterKey: Buffer): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileDurably(file, `${masterKey.toString('hex')}\n`)
}

/** Finds the key of an existing store, or throws `keychain_locked`. */
async function findKey(keyring: KeyringFile, options: KeyringOptions): Promise<Buffer> {
  const { folder, keyFile, keychain } = options
  let key: Buffer | null = null
  if (keyFile) key = readKeyFile(keyFile)
  else if (keyring.protection === 'file') key = readKeyFile(join(folder, LOCAL_KEY_FILE))
  else if (keyring.protection === 'keychain' && keychain) {
    const text = await keychain.getPassword(SERVICE, keyring.storeId).catch(() => null)
    if (text !== null) key = readKeyText(text, 'keychain')
  }
  if (!key)
    throw new AppError('keychain_locked', {
      details: { protection: keyring.protection, ...(keyFile ? { keyFile } : {}) },
    })
  if (!sameCheck(keyCheckOf(key, keyring.storeId), keyring.keyCheck))
    throw new AppError('keychain_locked', { details: { protection: keyring.protection, why: 'wrong_key' } })
  return key
}

/** Makes a key for a new store, keeps it, and reads it back by a second call before anything is written with it. */
async function makeKey(options: KeyringOptions): Promise<{ masterKey: Buffer; keyring: KeyringFile }> {
  const { folder, keyFile, keychain, now } = options
  const storeId = randomUUID()
  let masterKey: Buffer = randomBytes(KEY_BYTES)
  let protection: KeyProtection
  if (keyFile) {
    protection = 'external'
    const given = readKeyFile(keyFile)
    if (given) masterKey = given
    else writeKeyFile(keyFile, masterKey)
  } else if (keychain && (await keychainWorks(keychain))) {
    protection = 'keychain'
    await keychain.setPassword(SERVICE, storeId, masterKey.toString('hex'))
  } else {
    protection = 'file'
    writeKeyFile(join(folder, LOCAL_KEY_FILE), masterKey)
  }
  const keyring: KeyringFile = {
    version: 1,
    storeId,
    protection,
    keyCheck: keyCheckOf(masterKey, storeId),
    createdAt: now().toISOString(),
  }
  await findKey(keyring, options)
  writeFileDurably(join(folder, KEYRING_FILE), `${JSON.stringify(keyring, null, 2)}\n`)
  return { masterKey, keyring }
}

/** Notes that the books exist now. */
export function noteBooksMade(folder: string): void {
  const keyring = readKeyring(folder)
  if (!keyring || keyring.booksMade) return
  writeFileDurably(
    join(folder, KEYRING_FILE),
    `${JSON.stringify({ ...keyring, booksMade: true }, null, 2)}\n`,
  )
}

/** The key of the store in `folder`; a new one only when neither books nor keyring are there. */
export async function openKeyring(options: KeyringOptions): Promise<OpenedKey> {
  const keyring = readKeyring(options.folder)
  if (keyring) {
    const masterKey = await findKey(keyring, options)
    return { masterKey, storeId: keyring.storeId, protection: keyring.protection, fresh: false }
  }
  // Books without a keyring file: the key may be anywhere, and a new one would lock the books for ever.
  if (existsSync(join(options.folder, STORE_FILE)))
    throw new AppError('keychain_locked', { details: { why: 'keyring_missing' } })
  const made = await makeKey(options)
  return {
    masterKey: made.masterKey,
    storeId: made.keyring.storeId,
    protection: made.keyring.protection,
    fresh: true,
  }
}

/** Puts a recovered key back where this machine can keep it. Throws `recovery_code_wrong` when it is not the store's key. */
export async function adoptKey(masterKey: Buffer, options: KeyringOptions): Promise<KeyProtection> {
  const keyring = readKeyring(options.folder)
  if (!keyring) throw new AppError('store_missing', { details: { folder: options.folder } })
  if (!sameCheck(keyCheckOf(masterKey, keyring.storeId), keyring.keyCheck))
    throw new AppError('recovery_code_wrong')
  let protection: KeyProtection = 'file'
  if (options.keyFile) {
    protection = 'external'
    writeKeyFile(options.keyFile, masterKey)
  } else if (options.keychain && (await keychainWorks(options.keychain))) {
    protection = 'keychain'
    await options.keychain.setPassword(SERVICE, keyring.storeId, masterKey.toString('hex'))
  } else writeKeyFile(join(options.folder, LOCAL_KEY_FILE), masterKey)
  writeFileDurably(
    join(options.folder, KEYRING_FILE),
    `${JSON.stringify({ ...keyring, protection }, null, 2)}\n`,
  )
  return protection
}
