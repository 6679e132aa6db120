/** State of the page that closes a quarter: the step to open, and where each step is done. Pure. */
import type { OutputOf } from '../../../../server/api/contracts.ts'

export type Closing = OutputOf<'fiscal.closing'>
export type Step = Closing['steps'][number]
export type StepId = Step['id']
export type ClosingReturn = Closing['returns'][number]
export type VatEntry = NonNullable<Closing['vatEntry']>

/** Page that lists what a step is about. */
export const PLACES: Partial<Record<StepId, string>> = {
  drafts: '/invoices?view=drafts',
  bank: '/bank',
  received_files: '/received?view=withoutFile',
  approvals: '/inbox',
  registry: '/registry',
  received_data: '/received',
  recurring: '/recurring',
  payment: '/bank',
}

/** Returns the step that opens by itself: the first one where something is missing. */
export function firstMissing(steps: readonly Pick<Step, 'id' | 'state'>[]): StepId | null {
  return steps.find(({ state }) => state === 'missing')?.id ?? null
}

/** Steps of programs: their code is a step of an invoice, or else a proposal. */
const INVOICE_STEPS = ['issue', 'cancel', 'amend']

/** Returns the message key of what is missing of an item; null if its step says it. */
export function itemKey(step: StepId, code: string | null): string | null {
  if (code === null) return null
  if (step !== 'approvals') return `closing.item.${code}`
  return `closing.approvals.step.${INVOICE_STEPS.includes(code) ? code : 'proposal'}`
}

/** Returns true if the ledger and the return as filed have the same VAT. */
export function agrees({ difference }: Pick<VatEntry, 'difference'>): boolean {
  return difference.output === 0 && difference.input === 0 && difference.result === 0
}
