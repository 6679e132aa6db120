/** The limit's connection: the product's file, key, cipher and durability, without its code. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

export type Handle = Database.Database
type Synchronous = 'FULL' | 'NORMAL'

interface ConnectionOptions {
  synchronous?: Synchronous
  cipher?: 'sqlcipher' | 'none'
}

/** Name in a folder of books. */
export const FILE = 'sello.db'

const PRAGMAS = [
  'foreign_keys=1',
  'temp_store=2',
  'busy_timeout=5000',
  'cache_size=-65536',
  'secure_delete=1',
]

/** Opens the product's file as it is: SQLCipher 4, or plain after `decrypt`. */
export function openDatabase(
  place: { folder: string; keyFile: string },
  options: ConnectionOptions = {},
): Handle {
  const handle = new Database(join(place.folder, FILE), { fileMustExist: true })
  setUp(handle, place.keyFile, options)
  return handle
}

/** Sets the key, durability and other pragmas of a new connection. */
export function setUp(
  handle: Handle,
  keyFile: string,
  { synchronous = 'FULL', cipher = 'sqlcipher' }: ConnectionOptions = {},
): void {
  if (cipher !== 'none') unlock(handle, keyFile)
  handle.pragma('journal_mode=wal')
  handle.pragma(`synchronous=${synchronous}`)
  for (const pragma of PRAGMAS) handle.pragma(pragma)
}

function unlock(handle: Handle, keyFile: string): void {
  handle.pragma("cipher='sqlcipher'")
  handle.pragma('legacy=4')
  const raw = readFileSync(keyFile, 'utf8').trim()
  ;(handle as unknown as { key(key: Buffer): void }).key(Buffer.from(`x'${raw}'`, 'ascii'))
}

/** Decrypts a copy, for the limits without a cipher. */
export function decrypt(place: { folder: string; keyFile: string }): void {
  const handle = new Database(join(place.folder, FILE), { fileMustExist: true })
  unlock(handle, place.keyFile)
  handle.pragma('journal_mode=delete')
  handle.pragma("rekey=''")
  handle.close()
}

/** Returns the settings that both sides must share, reported with the results. */
export function describeDatabase(handle: Handle): Record<string, unknown> {
  const names = [
    'journal_mode',
    'synchronous',
    'foreign_keys',
    'page_size',
    'cache_size',
    'temp_store',
    'secure_delete',
    'cipher',
    'legacy',
  ]
  return Object.fromEntries(names.map((name) => [name, handle.pragma(name, { simple: true })]))
}

/** Returns the row counts of every table, to compare the results of two sides. */
export function countRows(handle: Handle): Record<string, number> {
  const tables = handle
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
    .pluck()
    .all() as string[]
  return Object.fromEntries(
    tables.map((name) => [name, handle.prepare(`select count(*) from "${name}"`).pluck().get() as number]),
  )
}
