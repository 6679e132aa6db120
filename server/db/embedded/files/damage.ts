/** Finds the damaged pages of an encrypted file: each page carries an HMAC, and SQLite only reports that one failed. */
import { createHmac, pbkdf2Sync } from 'node:crypto'
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { STORE_FILE } from '../keys/keyring.ts'

const PAGE = 4096
const SALT_BYTES = 16
const HMAC_BYTES = 64
const KEY_BYTES = 32
/** Mask that SQLCipher 4 applies to the salt of its HMAC key, and the key derivation rounds. */
const HMAC_MASK = 0x3a
const HMAC_ROUNDS = 2
const WAL_HEADER = 32
const FRAME_HEADER = 24
const TOLD = 20

function isWhole(page: Buffer, number: number, key: Buffer): boolean {
  const end = page.length - HMAC_BYTES
  const place = Buffer.alloc(4)
  place.writeUInt32LE(number)
  return createHmac('sha512', key)
    .update(page.subarray(number === 1 ? SALT_BYTES : 0, end))
    .update(place)
    .digest()
    .equals(page.subarray(end))
}

/** Lists the pages of the database file and its write-ahead log whose HMAC fails, one sentence each; writes nothing. */
export function damagedPages(folder: string, masterKey: Uint8Array): string[] {
  const file = join(folder, STORE_FILE)
  const found: string[] = []
  const page = Buffer.alloc(PAGE)
  const handle = openSync(file, 'r')
  let key: Buffer
  try {
    const { size } = fstatSync(handle)
    const salt = Buffer.alloc(SALT_BYTES)
    readSync(handle, salt, 0, SALT_BYTES, 0)
    key = pbkdf2Sync(
      masterKey,
      Buffer.from(salt.map((byte) => byte ^ HMAC_MASK)),
      HMAC_ROUNDS,
      KEY_BYTES,
      'sha512',
    )
    for (let number = 1; number * PAGE <= size && found.length < TOLD; number++) {
      readSync(handle, page, 0, PAGE, (number - 1) * PAGE)
      if (!isWhole(page, number, key))
        found.push(
          `${STORE_FILE}: page ${number} (bytes ${(number - 1) * PAGE} to ${number * PAGE - 1}) is damaged.`,
        )
    }
    if (size % PAGE !== 0) found.push(`${STORE_FILE}: the last page is cut off.`)
  } finally {
    closeSync(handle)
  }
  const log = `${file}-wal`
  if (existsSync(log)) found.push(...damagedFrames(log, key))
  return found.slice(0, TOLD)
}

/** Lists the damaged frames among those that SQLite would use: frames with the log's current salts. */
function damagedFrames(log: string, key: Buffer): string[] {
  const handle = openSync(log, 'r')
  try {
    const { size } = fstatSync(handle)
    const header = Buffer.alloc(WAL_HEADER)
    if (readSync(handle, header, 0, WAL_HEADER, 0) < WAL_HEADER) return []
    const found: string[] = []
    const frame = Buffer.alloc(FRAME_HEADER + PAGE)
    for (let at = WAL_HEADER; at + frame.length <= size && found.length < TOLD; at += frame.length) {
      readSync(handle, frame, 0, frame.length, at)
      if (!frame.subarray(8, 16).equals(header.subarray(16, 24))) break
      const number = frame.readUInt32BE(0)
      if (!isWhole(frame.subarray(FRAME_HEADER), number, key))
        found.push(`${STORE_FILE}-wal: page ${number} at byte ${at} is damaged.`)
    }
    return found
  } finally {
    closeSync(handle)
  }
}
