/** Types of the tables of migrations/0001/attachments.ts. */
import type { Generated } from 'kysely'

export interface FilesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  sha256: Uint8Array
  /** Bytes. */
  size: number
  media_type: string
  name: string
  created_at: number
}

export interface FileBytesTable {
  file_id: number
  bytes: Uint8Array
}

export interface FileLinksTable {
  file_id: number
  /** Owner of the attachment: `received`, `invoice`…, and the row of that table. */
  target_type: string
  target_id: number
  linked_at: number
}

export interface AttachmentsTables {
  files: FilesTable
  file_bytes: FileBytesTable
  file_links: FileLinksTable
}
