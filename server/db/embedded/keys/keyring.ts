/**
 * The master key of a store and its location: the system's keychain, a file named at start, or a file beside the
 * books. A new key is never created for an existing store: a locked keychain looks empty, and a new key would make
 * the books unreadable.
 */
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../../../domain/errors/app-error.ts'
import { failpoint } from '../../failpoints.ts'
import { writeFileDurably } from '../files/atomic-files.ts'

export type KeyProtection = 'keychain' | 'file' | 'external'

/** The functions of a system keychain that are used, in the form of keytar. */
export interface Keychain {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
  findCredentials(service: string): Promise<{ account: string; password: string }[]>
}

/**
 * Returns a keychain whose faults are rejected promises. The library throws some of them instead, for example where a
 * container forbids the kernel's keyring.
 */
export function keychainOf(library: Keychain): Keychain {
  return {
    getPassword: async (service, account) => library.getPassword(service, account),
    setPassword: async (service, account, password) => library.setPassword(service, account, password),
    deletePassword: async (service, account) => library.deletePassword(service, account),
    findCredentials: async (service) => library.findCredentials(service),
  }
}

/** Content of `keyring.json`: no secret, only the location of the key and a check value. */
export interface KeyringFile {
  version: 1
  storeId: string
  protection: KeyProtection
  /** HMAC of the store's id under the key: distinguishes a wrong key from a damaged file. */
  keyCheck: string
  createdAt: string
  /** Set once the database file exists: from then on a missing file is a loss, never a new start. */
  booksMade?: boolean
  /** Time at which the recovery code opened the books, until it is recorded in their history. */
  recoveredAt?: string
  /** The check value of the earlier key, set during a change of the key until the new key has replaced it. */
  keyChange?: { before: string }
  /**
   * Time at which the books were restored from a backup, until issuing is suspended where necessary and their history
   * records it.
   */
  restoredAt?: string
}

interface OpenedKey {
  masterKey: Buffer
  storeId: string
  protection: KeyProtection
  /** True if the store does not exist yet and this key was created for it. */
  fresh: boolean
}

interface KeyringOptions {
  folder: string
  /** A key file named by the user (`--key-file`); it takes precedence over everything else. */
  keyFile?: string | undefined
  keychain: Keychain | null
  now: () => Date
  /** The key from the recovery code, for this run only; it takes precedence over a key file. */
  recoveredKey?: Buffer | undefined
}

/** Service name of this program's entries in the keychain. */
export const SERVICE = 'sello'
const KEY_BYTES = 32
export const STORE_FILE = 'sello.db'
export const KEYRING_FILE = 'keyring.json'
export const LOCAL_KEY_FILE = 'master.key'

/** Returns the check value of a key, which reveals nothing about it. */
export function keyCheckOf(masterKey: Uint8Array, storeId: string): string {
  return createHmac('sha256', masterKey).update(`sello-key-check:${storeId}`).digest('base64url')
}

function sameCheck(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Reads `keyring.json`; null if there is none. */
export function readKeyring(folder: string): KeyringFile | null {
  const file = join(folder, KEYRING_FILE)
  if (!existsSync(file)) return null
  try {
    const parsed = JSON.parse(readFileSync(file, 'utf8')) as KeyringFile
    if (parsed.version === 1 && typeof parsed.storeId === 'string' && typeof parsed.keyCheck === 'string')
      return parsed
  } catch {
    // Falls through: an unreadable file is reported as damage.
  }
  throw new AppError('store_damaged', { details: { file: KEYRING_FILE } })
}

/**
 * Returns true if the keychain stores entries permanently. Without a Secret Service the library silently falls back
 * to the kernel's session keyring, which is cleared at logout; that one cannot list its items, so that listing is
 * tested.
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

/**
 * Reads a key from a file and removes other users' access to it; null if there is none. Throws `keychain_locked` for
 * other content.
 */
export function readKeyFile(file: string): Buffer | null {
  if (!existsSync(file)) return null
  assertPrivate(file)
  return readKeyText(readFileSync(file, 'utf8'), file)
}

/** Renames a file at the location of a new key: it may be the key of other books and is never overwritten. */
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

type Holders = Pick<KeyringOptions, 'folder' | 'keyFile' | 'keychain'>

/** Suffix of a new key while the books are re-encrypted with it. */
const NEXT = '.next'

/** Reads the key from its location; `end` is empty, or `.next` for a pending key. */
async function readKey(
  keyring: KeyringFile,
  options: Holders,
  end: '' | typeof NEXT,
): Promise<Buffer | null> {
  const { folder, keyFile, keychain } = options
  if (keyFile) return readKeyFile(`${keyFile}${end}`)
  // A key beside the books is replaced together with them, in one swap.
  if (keyring.protection === 'file') return end === '' ? readKeyFile(join(folder, LOCAL_KEY_FILE)) : null
  if (keyring.protection !== 'keychain' || !keychain) return null
  const text = await keychain.getPassword(SERVICE, `${keyring.storeId}${end}`).catch(() => null)
  return text === null ? null : readKeyText(text, 'keychain')
}

/** Finds the key of an existing store, or throws `keychain_locked`. */
async function findKey(keyring: KeyringFile, options: Omit<KeyringOptions, 'now'>): Promise<Buffer> {
  const { keyFile, recoveredKey } = options
  let key = recoveredKey ? Buffer.from(recoveredKey) : await readKey(keyring, options, '')
  if (keyring.keyChange && !recoveredKey && !(key && isKeyOf(keyring, key)))
    key = (await readKey(keyring, options, NEXT)) ?? key
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

/** Returns the key of an existing store from its location, or null if it is not available. */
export async function availableKey(
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

/** Creates and stores the key of a new store, and reads it back by a second call before it is used to write anything. */
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

/** Writes the current key to its location, where it replaces only its predecessor. */
async function putInPlace(keyring: KeyringFile, options: Holders, masterKey: Buffer): Promise<void> {
  const { keyFile, keychain } = options
  const text = masterKey.toString('hex')
  if (keyFile) {
    const there = readKeyFile(keyFile)
    const { storeId, keyChange } = keyring
    // A file with the key of other books is not overwritten.
    if (there && keyChange && isKeyOf({ storeId, keyCheck: keyChange.before }, there))
      writeFileDurably(keyFile, `${text}\n`)
    else writeKeyFile(keyFile, masterKey)
  } else if (keyring.protection === 'keychain' && keychain)
    await keychain.setPassword(SERVICE, keyring.storeId, text)
}

async function dropNext(keyring: KeyringFile, { keyFile, keychain }: Holders): Promise<void> {
  if (keyFile) rmSync(`${keyFile}${NEXT}`, { force: true })
  else if (keyring.protection === 'keychain' && keychain)
    await keychain.deletePassword(SERVICE, `${keyring.storeId}${NEXT}`)
}

/**
 * Completes or rolls back a change of the key: the current key is where the keyring says, and no pending key remains.
 * The caller holds the lock of the books.
 */
export async function settleKey(keyring: KeyringFile, options: Holders, masterKey: Buffer): Promise<void> {
  const there = await readKey(keyring, options, '')
  if (!there || !isKeyOf(keyring, there)) await putInPlace(keyring, options, masterKey)
  failpoint('rekey.key_in_place')
  await dropNext(keyring, options)
  const { keyChange: _ended, ...rest } = readKeyring(options.folder) ?? keyring
  writeKeyring(options.folder, rest)
}

/**
 * Creates a pending key beside the current one, which stays the only valid one until the books are swapped. Returns
 * it with the keyring for the new books. Throws the system's errors.
 */
export async function makeNextKey(
  keyring: KeyringFile,
  options: Holders,
): Promise<{ masterKey: Buffer; keyring: KeyringFile }> {
  const { folder, keyFile, keychain } = options
  const { storeId } = keyring
  const masterKey = randomBytes(KEY_BYTES)
  const keyChange = { before: keyring.keyCheck }
  writeKeyring(folder, { ...keyring, keyChange })
  const text = masterKey.toString('hex')
  if (keyFile) writeFileDurably(`${keyFile}${NEXT}`, `${text}\n`)
  else if (keyring.protection === 'keychain' && keychain)
    await keychain.setPassword(SERVICE, `${storeId}${NEXT}`, text)
  const next = { ...keyring, keyCheck: keyCheckOf(masterKey, storeId), keyChange }
  // Read back by a second call: nothing is encrypted with a key that was not stored.
  if (keyring.protection !== 'file' || keyFile) {
    const kept = await readKey(next, options, NEXT)
    if (!kept || !isKeyOf(next, kept))
      throw new AppError('keychain_locked', { details: { protection: keyring.protection } })
  }
  return { masterKey, keyring: next }
}

function writeKeyring(folder: string, keyring: KeyringFile): void {
  writeFileDurably(join(folder, KEYRING_FILE), `${JSON.stringify(keyring, null, 2)}\n`)
}

/** Records that the books exist. */
export function recordBooksCreated(folder: string): void {
  const keyring = readKeyring(folder)
  if (!keyring || keyring.booksMade) return
  writeKeyring(folder, { ...keyring, booksMade: true })
}

/** Records that the recovery code was used, for the history of the books once they are open. */
export function recordRecovery(folder: string, at: Date): void {
  const keyring = readKeyring(folder)
  if (keyring) writeKeyring(folder, { ...keyring, recoveredAt: at.toISOString() })
}

/** Actions of a person while the books were closed, each with its instant. */
export type KeyringNote = 'recoveredAt' | 'restoredAt'

/** Removes a note after the history has recorded it. */
export function dropKeyringNote(folder: string, note: KeyringNote): void {
  const keyring = readKeyring(folder)
  if (!keyring?.[note]) return
  const { [note]: _told, ...rest } = keyring
  writeKeyring(folder, rest as KeyringFile)
}

/** Returns the key of the store in `folder`; creates one only if neither books nor keyring exist. */
export async function openKeyring(options: KeyringOptions): Promise<OpenedKey> {
  const keyring = readKeyring(options.folder)
  if (keyring) {
    const masterKey = await findKey(keyring, options)
    if (keyring.keyChange) await settleKey(keyring, options, masterKey)
    return { masterKey, storeId: keyring.storeId, protection: keyring.protection, fresh: false }
  }
  // Books without a keyring file: the key may be anywhere, and with a new one the books could never be opened.
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

/** Returns true if `masterKey` is the key of the keyring's store. */
export function isKeyOf(keyring: Pick<KeyringFile, 'storeId' | 'keyCheck'>, masterKey: Uint8Array): boolean {
  return sameCheck(keyCheckOf(masterKey, keyring.storeId), keyring.keyCheck)
}

/**
 * Stores a recovered key on this computer: in the file named at start, else in the keychain if that works, else in a
 * file beside the books. Throws `recovery_code_wrong` if it is not the store's key, and `keychain_locked` if a person
 * chose the keychain and it does not store the key.
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
