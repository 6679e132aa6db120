/** Several drafts issued after one yes: the numbers they will have, and what of it can be issued at all. Pure. */
import type { OutputOf } from '../../../../server/api/contracts.ts'
import type { ServerFault } from '../editor/faults.ts'
import type { Validation } from '../issue/use-confirmation.ts'

/** What the list knows of a draft. */
export interface DraftRow {
  id: string
  clientName: string
}

/** A draft with what the server would register of it, or why it would not. */
export interface Checked {
  row: DraftRow
  validation: Validation | null
  issues: readonly ServerFault[]
  /** Number it will have if nothing else is issued meanwhile. */
  number: string
}

type Preview = OutputOf<'invoices.validate'>['preview']

/**
 * The number after `steps` more of its series: its last digits count, their width stays until they outgrow it. Each
 * draft alone is promised the next number; one after the other, each gets the one after.
 */
export function numberAfter(number: string, steps: number): string {
  const digits = /(\d+)(?=\D*$)/.exec(number)?.[1]
  if (digits === undefined || steps === 0) return number
  const at = number.lastIndexOf(digits)
  const next = String(Number(digits) + steps).padStart(digits.length, '0')
  return number.slice(0, at) + next + number.slice(at + digits.length)
}

/** The drafts in the order in which they would be issued, each with its number; one with faults takes none. */
export function withNumbers(checked: readonly { row: DraftRow; validation: Validation }[]): Checked[] {
  const used = new Map<string, number>()
  return checked.map(({ row, validation }) => {
    if (!isIssuable(validation)) return { row, validation: null, issues: validation.issues, number: '' }
    const promised = validation.preview.number
    const steps = used.get(promised) ?? 0
    used.set(promised, steps + 1)
    return { row, validation, issues: validation.issues, number: numberAfter(promised, steps) }
  })
}

function isIssuable(validation: Validation): boolean {
  return validation.valid && validation.confirmation !== null && validation.confirmation !== undefined
}

/** Sum in whole cents, as euros. */
export function totalOf(previews: readonly Pick<Preview, 'total'>[]): number {
  return previews.reduce((sum, { total }) => sum + Math.round(total * 100), 0) / 100
}
