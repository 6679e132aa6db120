/**
 * Where the content of documents is. A row holds the content itself, or in an office with object storage a pointer to
 * an object that has it. SQLite always holds the content.
 */
import { createHash } from 'node:crypto'
import { AppError } from '../../domain/errors/app-error.ts'

/** Content as a row has it. */
export interface Content {
  /** The content, or a pointer to it. */
  cell: Uint8Array
  /** SHA-256 of the content. */
  sha256: Uint8Array
}

/** A column that holds content: each slice declares its own, so that objects without a row can be found. */
export interface ContentColumn {
  table: 'documents' | 'file_bytes' | 'mail_attachments' | 'bulk_files' | 'exchange_contents'
  column: 'bytes'
}

/** An object of a company, as the storage lists it. */
export interface ListedObject {
  name: string
  /** What a row that names this object holds. */
  pointer: Uint8Array
  /** By the clock of the storage. */
  storedAt: Date
}

export interface ObjectPage {
  objects: ListedObject[]
  /** Where the next page begins; null after the last one. */
  after: string | null
}

export interface Objects {
  /**
   * Returns what the row of this content has to hold. If that is a pointer, the object is stored durably. Call it
   * before the transaction that writes the row. Throws `file_storage_unavailable`; then nothing is stored, or an object
   * that nothing names.
   */
  keep(companyId: number, bytes: Uint8Array, sha256: Uint8Array): Promise<Uint8Array>
  /**
   * Returns the content of a row. Content of an object is compared with its SHA-256. Throws `stored_file_missing`,
   * `stored_file_damaged` or `file_storage_unavailable`.
   */
  read(companyId: number, content: Content): Promise<Uint8Array>
  /** Removes the objects of rows that are deleted; `forGood`: with all their earlier versions. Content in rows is ignored. */
  remove(companyId: number, contents: readonly Content[], forGood: boolean): Promise<void>
  /** Lists objects of a company, in the order of their names. */
  list(companyId: number, after: string | null): Promise<ObjectPage>
  /** Removes listed objects. */
  removeListed(companyId: number, objects: readonly ListedObject[]): Promise<void>
}

/** Longest pointer, in bytes. Shorter content is possible, so that the SHA-256 decides. */
export const POINTER_AT_MOST = 128
export const POINTER_START = 'sello-object 1 '
const POINTER = /^sello-object 1 ([0-9a-f]{32}-[0-9a-f]{16}) (\d{1,15})$/

/** Returns the pointer to an object: text, as Git LFS has it. `length` is that of the content, in bytes. */
export function pointerTo(name: string, length: number): Buffer {
  return Buffer.from(`${POINTER_START}${name} ${length}`, 'latin1')
}

/** Returns the name of the object to which a row points; null if the row holds the content itself. */
export function pointedObject({ cell, sha256 }: Content): { name: string; length: number } | null {
  if (cell.byteLength > POINTER_AT_MOST) return null
  const found = POINTER.exec(Buffer.from(cell).toString('latin1'))
  if (!found) return null
  // Somebody may store a file that reads like a pointer.
  if (createHash('sha256').update(cell).digest().equals(sha256)) return null
  return { name: found[1]!, length: Number(found[2]) }
}

/** Keeps all content in rows. */
export const inRows: Objects = {
  keep: async (_companyId, bytes) => bytes,
  read: async (_companyId, content) => {
    if (pointedObject(content))
      throw new AppError('file_storage_unavailable', { details: { reason: 'not_configured' } })
    return content.cell
  },
  remove: async () => {},
  list: async () => ({ objects: [], after: null }),
  removeListed: async () => {},
}
