/** Plants secrets through real operations, and searches for them in all their possible encodings. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync, inflateSync } from 'node:zlib'

/** Bytes in which no planted secret may occur, with their description. */
export interface Place {
  name: string
  bytes: Buffer
}

/** Shorter texts would occur by chance. */
const NEEDLE_AT_LEAST = 12

/** Returns the secret itself and in common encodings: hex, base64 at each offset, UTF-16, URL. */
function formsOf(secret: Buffer): Buffer[] {
  const hex = secret.toString('hex')
  // The base64 characters that depend on this secret alone, at any offset in a longer text.
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), secret])
      .toString('base64')
      .replace(/=+$/, '')
    return text.slice(offset === 0 ? 0 : offset + 1, -1)
  })
  const text = secret.toString('utf8')
  const isText = Buffer.from(text, 'utf8').equals(secret)
  const written = [
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((one) => one.replaceAll('+', '-').replaceAll('/', '_')),
  ]
  const forms = [secret, ...written.map((one) => Buffer.from(one, 'latin1'))]
  if (isText)
    forms.push(
      Buffer.from(text, 'utf16le'),
      Buffer.from(encodeURIComponent(text)),
      Buffer.from(JSON.stringify(text).slice(1, -1)),
    )
  return forms
}

/** The planted secrets, by description. */
export class Planted {
  private readonly secrets = new Map<string, Buffer[]>()

  /** Registers a secret, with further values if it has several forms. */
  plant<T extends string>(name: string, secret: T, ...others: readonly (string | Buffer)[]): T {
    const pieces = [secret, ...others].map((piece) => Buffer.from(piece as string))
    for (const piece of pieces)
      if (piece.length < NEEDLE_AT_LEAST) throw new Error(`${name} is too short to be looked for.`)
    this.secrets.set(name, pieces)
    return secret
  }

  get names(): string[] {
    return [...this.secrets.keys()]
  }

  /** Returns `name in place` for every planted secret that occurs in one of the places. */
  hits(places: readonly Place[]): string[] {
    const found: string[] = []
    for (const [name, pieces] of this.secrets) {
      const forms = pieces.flatMap(formsOf)
      for (const place of places)
        if (forms.some((form) => place.bytes.includes(form))) found.push(`${name} in ${place.name}`)
    }
    return found
  }
}

/** Returns bytes together with their decompressed content: entries of archives, also nested ones, and streams of PDFs. */
export function unpacked(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, ...entriesOf(bytes), ...streamsOf(bytes)])
}

function entriesOf(bytes: Buffer): Buffer[] {
  if (!bytes.subarray(0, 2).equals(Buffer.from('PK'))) return []
  const entries: Buffer[] = []
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  // By the directory at the end: a streamed archive has no lengths before its bytes.
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const method = bytes.readUInt16LE(at + 10)
    const length = bytes.readUInt32LE(at + 20)
    const local = bytes.readUInt32LE(at + 42)
    const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const packed = bytes.subarray(begin, begin + length)
    entries.push(unpacked(method === 8 ? inflateRawSync(packed) : Buffer.from(packed)))
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}

function streamsOf(bytes: Buffer): Buffer[] {
  if (!bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) return []
  const streams: Buffer[] = []
  for (let at = bytes.indexOf('stream\n'); at >= 0; at = bytes.indexOf('stream\n', at + 7)) {
    try {
      streams.push(inflateSync(bytes.subarray(at + 7)))
    } catch {
      // An `endstream`, or an uncompressed stream: it was searched as it is.
    }
  }
  return streams
}

/** Returns every file below a folder. One that a program removes meanwhile is left out. */
export function filesBelow(folder: string): Place[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((file) => {
      try {
        return [{ name: file.slice(folder.length + 1), bytes: readFileSync(file) }]
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
        throw error
      }
    })
}
