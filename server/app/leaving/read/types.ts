/** What the program asks the child process that reads an archive, and its answers. */
import type { BulkRow } from '../../../db/bulk.ts'
import type { Manifest } from '../format.ts'

/** A table as its rows have to be: names and types of its columns. */
export interface RequestedTable {
  name: string
  columns: { name: string; storage: 'integer' | 'text' | 'blob' }[]
}

export type ArchiveJob =
  | { ask: 'check'; path: string; schema: number }
  | { ask: 'rows'; path: string; tables: RequestedTable[] }

/** The manifest without its list of files. */
export type CheckedArchive = Omit<Manifest, 'files' | 'leftOut'> & { files: number; bytes: number }

/** A portion of the check, or of the rows of a table. */
export type ArchivePart = { checked: number; of: number } | { table: string; rows: BulkRow[] }

export type ArchiveReply = CheckedArchive | { rows: number }
