/** The content of a store's files, decrypted page by page: to prove that something occurs in none of them. */
import { createDecipheriv } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const PAGE = 4096

/** Decrypts a page of SQLCipher 4 under a raw key: the last 80 bytes contain the vector (16) and the HMAC (64). */
function decryptPage(page: Buffer, key: Buffer, isFirst: boolean): Buffer {
  const end = page.length - 80
  const cipher = createDecipheriv('aes-256-cbc', key, page.subarray(end, end + 16)).setAutoPadding(false)
  return Buffer.concat([cipher.update(page.subarray(isFirst ? 16 : 0, end)), cipher.final()])
}

/** Returns the decrypted pages of one file: of books, of a copy of them, or of a truncated copy. */
export function pagesOf(file: Buffer, key: Buffer): Buffer {
  const pages: Buffer[] = []
  for (let at = 0; at + PAGE <= file.length; at += PAGE)
    pages.push(decryptPage(file.subarray(at, at + PAGE), key, at === 0))
  return Buffer.concat(pages)
}

/** Returns everything in the store's file and its log, decrypted: pages in use, free pages and earlier pages. */
export function allPages(folder: string): Buffer {
  const key = Buffer.from(readFileSync(join(folder, 'master.key'), 'utf8').trim(), 'hex')
  const pages: Buffer[] = [pagesOf(readFileSync(join(folder, 'sello.db')), key)]
  const log = readFileSync(join(folder, 'sello.db-wal'))
  for (let at = 32; at + 24 + PAGE <= log.length; at += 24 + PAGE) {
    const isFirst = log.readUInt32BE(at) === 1
    pages.push(decryptPage(log.subarray(at + 24, at + 24 + PAGE), key, isFirst))
  }
  return Buffer.concat(pages)
}

/** Returns pieces of a sealed key that are short enough to be within one page. */
export function piecesOf(sealed: string): string[] {
  return Array.from({ length: Math.floor(sealed.length / 60) }, (_, at) =>
    sealed.slice(at * 60, at * 60 + 60),
  )
}

/** Counts the pieces of a sealed text in the pages of the store in a folder. */
export function piecesHeld(folder: string, sealed: string): number {
  const pages = allPages(folder)
  return piecesOf(sealed).filter((piece) => pages.includes(piece)).length
}
