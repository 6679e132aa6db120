/** Types of the rows of approval requests made by keys. */
import type { Generated } from 'kysely'
import type { Defaulted, Nullable } from '../columns.ts'

export interface ApprovalsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  key_id: number
  channel: 'rest' | 'mcp'
  action: 'issue' | 'cancel' | 'amend'
  invoice_id: number
  content_hash: Uint8Array
  token_hash: Uint8Array
  summary: string
  status: Defaulted<'pending' | 'approved' | 'denied' | 'withdrawn'>
  created_at: number
  expires_at: number
  decided_at: Nullable<number>
  note: Nullable<string>
}

export interface ApprovalsTables {
  approvals: ApprovalsTable
}
