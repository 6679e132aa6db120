/** Upload of a portable file: streamed from the page to the disk, with a size limit. */
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../domain/errors/app-error.ts'

/** More than books of many years need, and less than would fill a disk unnoticed. */
export const UPLOAD_BYTES_AT_MOST = 8 * 1024 ** 3
const UPLOAD_FILE = 'restoring.upload'

/** Its location inside the folder of the books, where other users cannot read it. */
export const uploadIn = (dataDir: string): string => join(dataDir, UPLOAD_FILE)

/**
 * Stores the upload and removes it if incomplete. Returns its bytes. Throws `payload_too_large`, or the system's
 * errors.
 */
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

/** An unusable folder contains none. */
export const dropUpload = (dataDir: string): Promise<void> =>
  rm(uploadIn(dataDir), { force: true }).catch(() => undefined)
