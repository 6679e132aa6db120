/**
 * Compresses stored records: deflate with a dictionary of the text that every record repeats. The first byte names
 * the dictionary, across all registries. A dictionary in use is never edited, because old records would become
 * unreadable: a better one is added.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { DICTIONARY_2 } from './ticketbai/dictionary.ts'
import { DICTIONARY_1 } from './verifactu/record/dictionary.ts'

/** No record is near this size; the limit keeps a damaged or planted one from filling the memory. */
const MAX_RECORD_BYTES = 5 * 1024 * 1024
/** One chunk holds an ordinary record; the default of 16 kB for each would fill the memory while a chain is verified. */
const TEXT_CHUNK_BYTES = 4096
const PACKED_CHUNK_BYTES = 1024

const DICTIONARIES: Readonly<Record<number, Buffer>> = {
  1: Buffer.from(DICTIONARY_1, 'utf8'),
  2: Buffer.from(DICTIONARY_2, 'utf8'),
}
/** The dictionary of texts that no registry was named for. */
const DEFAULT = 1
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Packs a record's XML for the store: one byte for the dictionary, then raw deflate. `quickly` takes a quarter less
 * time for a tenth more bytes. Throws on half of a surrogate pair, and on a number without a dictionary.
 */
export function packXml(
  xml: string,
  effort: 'thoroughly' | 'quickly' = 'thoroughly',
  number: number = DEFAULT,
): Buffer {
  const dictionary = DICTIONARIES[number]
  if (!dictionary) throw new RangeError(`No dictionary ${number} for stored records.`)
  if (!xml.isWellFormed()) throw new RangeError('The record holds half of a Unicode character.')
  // A window of 16 kB lets a long record still reference the dictionary; level 9 is no slower than 6 for a record.
  const packed = deflateRawSync(xml, {
    dictionary,
    level: effort === 'quickly' ? 3 : 9,
    windowBits: 14,
    chunkSize: PACKED_CHUNK_BYTES,
  })
  const stored = Buffer.allocUnsafe(packed.length + 1)
  stored[0] = number
  packed.copy(stored, 1)
  return stored
}

/** Returns the XML exactly as it was packed. Throws when the bytes are damaged or name an unknown dictionary. */
export function unpackXml(stored: Uint8Array): string {
  const dictionary = DICTIONARIES[stored[0] ?? 0]
  if (!dictionary) throw new RangeError(`No dictionary ${stored[0]} for stored records.`)
  const bytes = inflateRawSync(stored.subarray(1), {
    dictionary,
    windowBits: 15,
    chunkSize: TEXT_CHUNK_BYTES,
    maxOutputLength: MAX_RECORD_BYTES,
  })
  return UTF8.decode(bytes)
}

/** The dictionaries, for the test that keeps them unchanged. */
export const storedDictionaries = DICTIONARIES
