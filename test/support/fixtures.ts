/**
 * The stored fixtures: for every schema version, books created by the program of that schema, in
 * `test/fixtures/stores`. They are restored byte for byte: an encrypted file does not compress, so that its pages are
 * stored decrypted, with their salt and vectors. All content is invented, and the key is beside them.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, pbkdf2Sync } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'

export const STORES = resolve(import.meta.dirname, '../fixtures/stores')
const PAGE = 4096
/** End of a page: the vector (16) and the HMAC (64). */
const RESERVED = 80
const SALT = 16
const PACK = 'sello.db.br'
const FACTS = 'fixture.json'
/** Files of the folder that are stored unchanged; not all of them always exist. */
const BESIDE = ['keyring.json', 'master.key', 'high-water.json', 'recovery.json'] as const

/** The description of a fixture. */
interface FixtureFacts {
  schema: number
  /** Hash of the encrypted database file. */
  sha256: string
  /** Hash over the migrations that created it: detects later edits. */
  migrations: string
}

interface Step {
  number: number
  name: string
  sql: string
}

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** Returns the hash of the first migrations in their current form. */
export function migrationsHash(list: readonly Step[], schema: number): string {
  return sha256(JSON.stringify(list.slice(0, schema).map(({ number, name, sql }) => [number, name, sql])))
}

export const fixtureName = (schema: number): string => `schema-${String(schema).padStart(4, '0')}`

/** Returns the schema versions with a fixture. */
export function fixtures(): number[] {
  return existsSync(STORES) ? readdirSync(STORES).map((name) => Number(name.replace('schema-', ''))) : []
}

const keyIn = (folder: string): Buffer =>
  Buffer.from(readFileSync(join(folder, 'master.key'), 'utf8').trim(), 'hex')

/** Returns salt, vectors and decrypted pages of a file. */
function opened(file: Buffer, key: Buffer): Buffer {
  const vectors: Buffer[] = []
  const pages: Buffer[] = []
  for (let at = 0; at < file.length; at += PAGE) {
    const page = file.subarray(at, at + PAGE)
    const end = PAGE - RESERVED
    const vector = page.subarray(end, end + 16)
    const cipher = createDecipheriv('aes-256-cbc', key, vector).setAutoPadding(false)
    vectors.push(vector)
    pages.push(cipher.update(page.subarray(at === 0 ? SALT : 0, end)), cipher.final())
  }
  return Buffer.concat([file.subarray(0, SALT), ...vectors, ...pages])
}

/** Returns the decrypted pages of closed books, free ones too. */
export function decryptedBooks(folder: string): Buffer {
  return opened(readFileSync(join(folder, 'sello.db')), keyIn(folder))
}

/**
 * Returns the file that `opened` was given: a second implementation of SQLCipher 4, so that a change of the driver's
 * format is detected too.
 */
function closed(content: Buffer, key: Buffer): Buffer {
  const salt = content.subarray(0, SALT)
  const proofKey = pbkdf2Sync(key, Buffer.from(salt.map((byte) => byte ^ 0x3a)), 2, 32, 'sha512')
  // Each page has its vector and its content without the reserved part; the first one is shorter by the salt.
  const count = content.length / (16 + PAGE - RESERVED)
  const file: Buffer[] = [salt]
  let at = SALT + count * 16
  for (let index = 0; index < count; index += 1) {
    const vector = content.subarray(SALT + index * 16, SALT + index * 16 + 16)
    const length = PAGE - RESERVED - (index === 0 ? SALT : 0)
    const cipher = createCipheriv('aes-256-cbc', key, vector).setAutoPadding(false)
    const encrypted = Buffer.concat([
      cipher.update(content.subarray(at, at + length)),
      cipher.final(),
      vector,
    ])
    const number = Buffer.alloc(4)
    number.writeUInt32LE(index + 1)
    file.push(encrypted, createHmac('sha512', proofKey).update(encrypted).update(number).digest())
    at += length
  }
  return Buffer.concat(file)
}

/** Stores the books of a folder, whose log must be empty. */
export function saveFixture(folder: string, to: string, schema: number, list: readonly Step[]): void {
  const kept = join(to, fixtureName(schema))
  mkdirSync(kept, { recursive: true })
  const key = keyIn(folder)
  const file = readFileSync(join(folder, 'sello.db'))
  const content = opened(file, key)
  if (!closed(content, key).equals(file))
    throw new Error('The books could not be had back from what is kept.')
  writeFileSync(join(kept, PACK), brotliCompressSync(content))
  for (const name of BESIDE)
    if (existsSync(join(folder, name))) writeFileSync(join(kept, name), readFileSync(join(folder, name)))
  const facts: FixtureFacts = { schema, sha256: sha256(file), migrations: migrationsHash(list, schema) }
  writeFileSync(join(kept, FACTS), `${JSON.stringify(facts, null, 2)}\n`)
}

export function factsOf(schema: number): FixtureFacts {
  return JSON.parse(readFileSync(join(STORES, fixtureName(schema), FACTS), 'utf8')) as FixtureFacts
}

/** Returns the stored database file: its decrypted pages, after their salt and vectors. */
export const contentOf = (schema: number): Buffer =>
  brotliDecompressSync(readFileSync(join(STORES, fixtureName(schema), PACK)))

/** Restores the stored books to a folder. */
export function unpackFixture(schema: number, folder: string): void {
  const kept = join(STORES, fixtureName(schema))
  for (const name of BESIDE)
    if (existsSync(join(kept, name)))
      writeFileSync(join(folder, name), readFileSync(join(kept, name)), { mode: 0o600 })
  const file = closed(contentOf(schema), keyIn(kept))
  if (sha256(file) !== factsOf(schema).sha256) throw new Error(`${fixtureName(schema)} is not what was kept.`)
  writeFileSync(join(folder, 'sello.db'), file, { mode: 0o600 })
}
