/** Types of the tables of migrations/0009-tool-calls.ts. */
import type { Generated } from 'kysely'
import type { Nullable } from '../columns.ts'

export interface ToolCallsTable {
  id: Generated<number>
  key_id: number
  at: number
  client: Nullable<string>
  tool: string
  arguments: string
  outcome: 'ok' | 'refused' | 'failed'
  code: Nullable<string>
  answer: string
  invoice_id: Nullable<string>
  seen: string
  ms: number
  request_id: string
}

export interface KeyClientsTable {
  key_id: number
  name: string
  version: Nullable<string>
  at: number
}

export interface AssistantsTables {
  tool_calls: ToolCallsTable
  key_clients: KeyClientsTable
}
