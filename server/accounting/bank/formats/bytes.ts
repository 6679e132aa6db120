/** Decodes the bytes of a text file: UTF-8 if valid, otherwise the Windows code page that Spanish banks use. */
import { refuseFile } from './statement.ts'

/** Largest accepted file, in bytes. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024

interface DecodedText {
  text: string
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
}

function strictly(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Returns the text of a file. Rejects files that are empty, too large or not text. */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes.length === 0) refuseFile('bank_file_empty', 'The file is empty.')
  if (bytes.length > MAX_FILE_BYTES)
    refuseFile('bank_file_too_large', 'The file is larger than 20 MiB.', {}, 'Ask the bank for fewer days.')
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return wide(bytes, 'utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return wide(bytes, 'utf-16be')
  // Text files contain no zero byte; spreadsheets, archives and images under a wrong name do.
  if (bytes.includes(0))
    refuseFile(
      'bank_file_unknown',
      'That is no text file of a bank.',
      {},
      'Download Norma 43, camt.053 or CSV from the bank.',
    )
  const utf8 = strictly(bytes, 'utf-8')
  if (utf8 !== null) return { text: bare(utf8), encoding: 'utf-8' }
  return { text: bare(new TextDecoder('windows-1252').decode(bytes)), encoding: 'windows-1252' }
}

function wide(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): DecodedText {
  const text = strictly(bytes, encoding)
  if (text === null) refuseFile('bank_file_unknown', 'The text of the file is damaged.')
  return { text: bare(text), encoding }
}

/** Strips the byte order mark and the end-of-file character that old programs append. */
function bare(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\u001a+\s*$/, '')
}
