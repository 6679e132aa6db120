/**
 * A conversation as the calls an assistant makes in it. Traces are data: whoever reads one knows what was asked, what had
 * to come back, and what the books must hold afterwards. `$name.path` in an argument stands for what an earlier step
 * called `name` answered; `$now` for today in the books.
 */
import type { OperationName } from '../../server/api/contracts.ts'
import type { Scope } from '../../server/domain/contract/scopes.ts'
import type { Mode } from '../../server/context.ts'

/** Part of an answer: what it names must be there, and everything else may be as it likes. */
export type Part = Record<string, unknown>

/** A tool call. One of `gets` and `refused` says what comes back. */
export interface ToolStep {
  tool: string
  args?: unknown
  /** Under this name its answer can be used in later steps. */
  as?: string
  gets?: Part | undefined
  /** The code of the error; a number of the protocol's own as text. */
  refused?: string
  /** Of a validation: a fault it has to name. */
  issues?: string
  /** Words that must be nowhere in the answer. */
  without?: readonly string[]
  /** That many times, with the same arguments; some are answered and the rest is refused with `rest`. */
  times?: { count: number; answered: number; rest?: string }
  /** With another key than the conversation's: of the same book, or of the other one. */
  by?: 'another_key' | 'other_book'
}

/** Any other request of the protocol, such as `resources/read` or `prompts/get`. */
export interface RequestStep {
  method: string
  params: Record<string, unknown>
  as?: string
  gets?: Part | undefined
  /** The code of the protocol's error. */
  fails?: number | 'somehow'
}

/** Bytes that are no request. */
export interface RawStep {
  raw: string
  status: number
}

/** What the person at the window does meanwhile: an operation, by name. */
export interface PersonStep {
  person: OperationName
  input: unknown
  as?: string
}

/** What happens around them. */
export interface WorldStep {
  world:
    | 'eleven_minutes_pass'
    | 'read_accounting_system'
    | 'certificate_comes'
    | 'window_opens'
    | 'window_shuts'
}

export type Step = ToolStep | RequestStep | RawStep | PersonStep | WorldStep

/** What the calls of the assistant added to the books; what is not named must not have changed at all. */
export interface Change {
  drafts?: number
  /** With their number, and one registry record each. */
  issued?: number
  proposals?: number
}

export interface Conversation {
  name: string
  /** What the assistant is told, in one line. */
  wish: string
  /** Of its key. The test book, and everything, unless told otherwise. */
  mode?: Mode
  scopes?: readonly Scope[]
  steps: readonly Step[]
  changes: Change
  /** How the books must look at the end, asked by the person. */
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

/** Validates `$name` and calls the answer `check`. */
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
