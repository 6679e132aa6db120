/**
 * A conversation as a sequence of an assistant's calls. Traces are data that show the request, the required answer,
 * and the required state of the books. `$name.path` in an argument stands for the answer of an earlier step called
 * `name`; `$now` for today in the books.
 */
import type { OperationName } from '../../server/api/contracts.ts'
import type { Scope } from '../../server/domain/contract/scopes.ts'
import type { Mode } from '../../server/context.ts'

/** Part of an answer: its members must be present; others are ignored. */
type Part = Record<string, unknown>

/** A tool call. Either `gets` or `refused` describes the answer. */
export interface ToolStep {
  tool: string
  args?: unknown
  /** Name under which later steps can use its answer. */
  as?: string
  gets?: Part | undefined
  /** The code of the error; a protocol error number as text. */
  refused?: string
  /** Fault that a validation has to report. */
  issues?: string
  /** Texts that must not occur in the answer. */
  without?: readonly string[]
  /** Number of repetitions with the same arguments; some succeed and the rest is rejected with `rest`. */
  times?: { count: number; answered: number; rest?: string }
  /** Uses another key than the conversation's: of the same book, or of the other one. */
  by?: 'another_key' | 'other_book'
}

/** Any other request of the protocol, such as `resources/read` or `prompts/get`. */
export interface RequestStep {
  method: string
  params: Record<string, unknown>
  as?: string
  gets?: Part | undefined
  /** The code of the protocol error. */
  fails?: number | 'somehow'
}

/** Bytes that are not a valid request. */
interface RawStep {
  raw: string
  status: number
}

/** An action of the person in the window in the meantime: an operation by name. */
interface PersonStep {
  person: OperationName
  input: unknown
  as?: string
}

/** An external event. */
interface WorldStep {
  world:
    | 'eleven_minutes_pass'
    | 'read_accounting_system'
    | 'certificate_comes'
    | 'window_opens'
    | 'window_shuts'
}

export type Step = ToolStep | RequestStep | RawStep | PersonStep | WorldStep

/** Changes in the books caused by the assistant's calls; everything not named must be unchanged. */
interface Change {
  drafts?: number
  /** Issued invoices with their numbers, and one registry record each. */
  issued?: number
  proposals?: number
}

export interface Conversation {
  name: string
  /** The instruction of the assistant, in one line. */
  wish: string
  /** Mode and scopes of its key. Default: the test book and all scopes. */
  mode?: Mode
  scopes?: readonly Scope[]
  steps: readonly Step[]
  changes: Change
  /** The required state of the books at the end, queried by the person. */
  holds?: readonly { person: OperationName; input: unknown; gets: Part }[]
}

export const draft = (
  clientName: string,
  more: Record<string, unknown> = {},
): { clientName: string; lines: unknown[] } & Record<string, unknown> => ({
  clientName,
  clientNif: '12345678Z',
  lines: [{ description: 'Mano de obra', quantity: 2, unitPrice: 10 }],
  ...more,
})

/** Validates `$name` and names the answer `check`. */
export const check = (name = 'draft', as = 'check'): ToolStep => ({
  tool: 'svc_validate_registry_invoice',
  args: { id: `$${name}.id` },
  as,
  gets: { valid: true },
})

/** Issues `$name` with the token of `$token`. */
export const issue = (name = 'draft', token = 'check', as = 'issued'): ToolStep => ({
  tool: 'svc_issue_registry_invoice',
  args: { id: `$${name}.id`, confirmationToken: `$${token}.confirmation.confirmationToken` },
  as,
  gets: { state: 'issued' },
})

export const makes = (input: unknown, as = 'draft'): ToolStep => ({
  tool: 'svc_create_invoice_draft',
  args: input,
  as,
  gets: { state: 'draft' },
})
