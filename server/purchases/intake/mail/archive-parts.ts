/** The documents in a ZIP file, by their bytes. Pure; runs in the parser's process. */
import { MAX_FILE_BYTES, mediaTypeOf } from '../../../domain/media-types.ts'
import { openZip, unpacked, UnreadableZip } from '../../../platform/spreadsheets/unzip.ts'
import type { PackedEntry } from '../../../platform/spreadsheets/unzip.ts'
import { DOCUMENT_TYPES } from '../document-types.ts'
import { fileNameOf } from './file-name.ts'
import type { MailContent, MailItem } from './mail-parts.ts'

const LIMITS = { entries: 200, bytes: 100 * 1024 * 1024 }
const MOST_DOCUMENTS = 50
/** Folders, and what macOS puts beside each file. */
const LEFT_ALONE = /\/$|(?:^|\/)(?:__MACOSX\/|\.)/

async function bytesOf(entry: PackedEntry): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = []
  for await (const piece of unpacked(entry)) pieces.push(piece)
  return new Uint8Array(Buffer.concat(pieces))
}

/** Returns the documents in a ZIP file; one inside another is left. Throws `UnreadableZip`. */
export async function readArchive(bytes: Uint8Array): Promise<Pick<MailContent, 'items' | 'left'>> {
  const entries = openZip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), LIMITS)
  const items: MailItem[] = []
  const left: MailContent['left'] = []
  for (const [path, entry] of entries) {
    if (LEFT_ALONE.test(path)) continue
    const name = fileNameOf(path, 'documento')
    if (entry.size > MAX_FILE_BYTES) {
      left.push({ name, why: 'too_large' })
      continue
    }
    if (items.length === MOST_DOCUMENTS) {
      left.push({ name, why: 'too_many' })
      continue
    }
    try {
      const content = await bytesOf(entry)
      const mediaType = mediaTypeOf(content, name)
      if (mediaType !== null && DOCUMENT_TYPES.includes(mediaType))
        items.push({ name, mediaType, bytes: content })
    } catch (error) {
      if (!(error instanceof UnreadableZip)) throw error
      left.push({ name, why: 'unreadable' })
    }
  }
  return { items, left }
}
