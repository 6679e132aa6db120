/** A portable file on its way in: from the page to the disk, in pieces, and no larger than it may be. */
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../domain/errors/catalog.ts'

/** More than books of many years take, and less than fills a disk unseen. */
export const UPLOAD_BYTES_AT_MOST = 8 * 1024 ** 3
const UPLOAD_FILE = 'restoring.upload'

/** Where it lies, within the folder of the books: nobody else may read it there. */
export const uploadIn = (dataDir: string): string => join(dataDir, UPLOAD_FILE)

/** Keeps what comes; a part is not kept. Answers its bytes. Throws `payload_too_large`, or what the system says. */
export async function saveUpload(
  body: Readable,
  dataDir: string,
  most = UPLOAD_BYTES_AT_MOST,
): Promise<number> {
  const file = uploadIn(dataDir)
  let bytes = 0
  try {
    await pipeline(
      body,
      async function* counted(pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          bytes += piece.length
          if (bytes > most) throw new AppError('payload_too_large')
          yield piece
        }
      },
      createWriteStream(file, { mode: 0o600 }),
    )
    return bytes
  } catch (error) {
    await dropUpload(dataDir)
    throw error
  }
}

/** A folder that cannot be used holds none. */
export const dropUpload = (dataDir: string): Promise<void> =>
  rm(uploadIn(dataDir), { force: true }).catch(() => undefined)
