/** Copies and hashes long files in chunks, without loading them into memory. */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, writeSync } from 'node:fs'

const PIECE_BYTES = 1024 * 1024

/** Yields the bytes of a file from `from` on. Each chunk is overwritten by the next one. */
function* piecesOf(file: string, from: number): Generator<Uint8Array> {
  const piece = Buffer.alloc(PIECE_BYTES)
  const descriptor = openSync(file, 'r')
  try {
    for (let at = from; ;) {
      const read = readSync(descriptor, piece, 0, piece.length, at)
      if (read === 0) return
      yield piece.subarray(0, read)
      at += read
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Returns the SHA-256 of a file's bytes from `from` on, lower-case hex. */
export function hashOfFile(file: string, from = 0): string {
  const hash = createHash('sha256')
  for (const piece of piecesOf(file, from)) hash.update(piece)
  return hash.digest('hex')
}

/** Appends the bytes of a file from `from` on to an open one. */
export function appendFrom(file: string, descriptor: number, from = 0): void {
  for (const piece of piecesOf(file, from))
    for (let written = 0; written < piece.length;)
      written += writeSync(descriptor, piece, written, piece.length - written)
}
