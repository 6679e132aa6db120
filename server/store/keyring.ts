/**
 * The master key of a store and who keeps it: the system's keychain, a file named at start, or a file beside the books.
 * It never makes a new key for a store that exists: a locked keychain looks empty, and a fresh key would orphan the books.
 */
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs'
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
  /** When the recovery code opened the books, until their history tells of it. */
  recoveredAt?: string
  /** When they were restored from a backup, until they are held where need be and their history tells of it. */
  restoredAt?: string
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
  /** The key as the recovery code gave it, for this run alone; it wins over a key file. */
  recoveredKey?: Buffer | undefined
}

/** The name under which the keychain keeps what is ours. */
export const SERVICE = 'sello'
const KEY_BYTES = 32
export const STORE_FILE = 'sello.db'
export const KEYRING_FILE = 'keyring.json'
export const LOCAL_KEY_FILE = 'master.key'

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

/** What lies in the way of a key may be the key of other books: it is renamed, never written over. */
function setAside(file: string): void {
  if (!existsSync(file)) return
  let number = 1
  while (existsSync(`${file}.old-${number}`)) number += 1
  renameSync(file, `${file}.old-${number}`)
}

function writeKeyFile(file: string, masterKey: Buffer): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  setAside(file)
  writeFileDurably(file, `${masterKey.toString('hex')}\n`)
}

/** Finds the key of an existing store, or throws `keychain_locked`. */
async function findKey(keyring: KeyringFile, options: Omit<KeyringOptions, 'now'>): Promise<Buffer> {
  const { folder, keyFile, keychain, recoveredKey } = options
  let key: Buffer | null = null
  if (recoveredKey) key = Buffer.from(recoveredKey)
  else if (keyFile) key = readKeyFile(keyFile)
  else if (keyring.protection === 'file') key = readKeyFile(join(folder, LOCAL_KEY_FILE))
  else if (keyring.protection === 'keychain' && keychain) {
    const text = await keychain.getPassword(SERVICE, keyring.storeId).catch(() => null)
    if (text !== null) key = readKeyText(text, 'keychain')
  }
  if (!key)
    throw new AppError('keychain_locked', {
      details: { protection: keyring.protection, ...(keyFile ? { keyFile } : {}) },
    })
  if (!isKeyOf(keyring, key))
    throw new AppError('keychain_locked', {
      details: { protection: keyring.protection, why: 'wrong_key', ...(keyFile ? { keyFile } : {}) },
    })
  return key
}

/** The key of an existing store where it is kept, or null when it is not to be had. */
export async function keyAtHand(
  keyring: KeyringFile,
  options: Pick<KeyringOptions, 'folder' | 'keyFile' | 'keychain'>,
): Promise<Buffer | null> {
  try {
    return await findKey(keyring, options)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
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
  writeKeyring(folder, keyring)
  return { masterKey, keyring }
}

function writeKeyring(folder: string, keyring: KeyringFile): void {
  writeFileDurably(join(folder, KEYRING_FILE), `${JSON.stringify(keyring, null, 2)}\n`)
}

/** Notes that the books exist now. */
export function noteBooksMade(folder: string): void {
  const keyring = readKeyring(folder)
  if (!keyring || keyring.booksMade) return
  writeKeyring(folder, { ...keyring, booksMade: true })
}

/** Notes that the recovery code was used, for the history of the books once they are open. */
export function noteRecovery(folder: string, at: Date): void {
  const keyring = readKeyring(folder)
  if (keyring) writeKeyring(folder, { ...keyring, recoveredAt: at.toISOString() })
}

/** What a person did while the books were shut, with its instant. */
export type KeyringNote = 'recoveredAt' | 'restoredAt'

/** The history tells of it now. */
export function dropKeyringNote(folder: string, note: KeyringNote): void {
  const keyring = readKeyring(folder)
  if (!keyring?.[note]) return
  const { [note]: _told, ...rest } = keyring
  writeKeyring(folder, rest as KeyringFile)
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

/** True when `masterKey` is the key of the store that the keyring belongs to. */
export function isKeyOf(keyring: KeyringFile, masterKey: Uint8Array): boolean {
  return sameCheck(keyCheckOf(masterKey, keyring.storeId), keyring.keyCheck)
}

/**
 * Puts a recovered key back where this machine can keep it: in the file named at start, else in the keychain where that
 * works, else in a file beside the books. Throws `recovery_code_wrong` when it is not the store's key, and
 * `keychain_locked` when a person chose the keychain and it does not keep it.
 */
export async function adoptKey(
  masterKey: Buffer,
  options: KeyringOptions,
  chosen?: KeyProtection,
): Promise<KeyProtection> {
  const { folder, keyFile, keychain, now } = options
  const keyring = readKeyring(folder)
  if (!keyring) throw new AppError('store_missing', { details: { folder } })
  if (!isKeyOf(keyring, masterKey)) throw new AppError('recovery_code_wrong')
  let protection: KeyProtection = 'file'
  if (keyFile) {
    protection = 'external'
    writeKeyFile(keyFile, masterKey)
  } else if (keychain && (await keychainWorks(keychain))) {
    protection = 'keychain'
    await keychain.setPassword(SERVICE, keyring.storeId, masterKey.toString('hex'))
  } else if (chosen === 'keychain') throw new AppError('keychain_locked', { details: { protection: chosen } })
  else writeKeyFile(join(folder, LOCAL_KEY_FILE), masterKey)
  writeKeyring(folder, { ...keyring, protection, recoveredAt: now().toISOString() })
  return protection
}
