/** Types of the table of migrations/0005-bin.ts. */
import type { Generated } from 'kysely'

export interface TrashTable {
  id: Generated<number>
  book_id: number
  public_id: string
  content: string
  told: string
  deleted_at: number
}

export interface TrashTables {
  bin: TrashTable
}
