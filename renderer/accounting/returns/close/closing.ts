/** State of the page that closes a quarter: the step to open, and where each step is done. Pure. */
import type { OutputOf } from '../../../../server/api/contracts.ts'
import { addressOfReturn } from '../period.ts'

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

/** Returns the page of a return; one of a month has an address of its own. `quarter` is that of the page, as addresses write it. */
export function returnPage(model: Pick<ClosingReturn, 'model' | 'year' | 'period'>, quarter: string): string {
  return `/taxes/${/^\d\d$/.test(model.period) ? addressOfReturn(model) : quarter}/${model.model}`
}

/** Returns the page that files a return; null unless it is due for certain, has figures and is not filed. */
export function filingPage(model: ClosingReturn, quarter: string): string | null {
  const isDue = model.filedOn === null && model.applies === true && model.status !== 'upcoming'
  const hasFigures = model.computed || model.result !== null
  return isDue && hasFigures ? `${returnPage(model, quarter)}/file` : null
}
