/** Issue of several drafts after one confirmation: their future numbers, and which of them can be issued. Pure. */
import type { OutputOf } from '../../../../server/api/contracts.ts'
import type { ServerFault } from '../editor/faults.ts'
import type { Validation } from '../issue/use-confirmation.ts'

/** A draft as the list holds it. */
export interface DraftRow {
  id: string
  clientName: string
}

/** A draft with what the server would register, or why it would refuse. */
export interface Checked {
  row: DraftRow
  validation: Validation | null
  issues: readonly ServerFault[]
  /** Number it gets if nothing else is issued meanwhile. */
  number: string
}

type Preview = OutputOf<'invoices.validate'>['preview']

/**
 * Returns the number that follows after `steps` more of its series: the last digits count up and keep their width
 * until they overflow it. The validation announces the next number for each draft alone; issued in sequence, each
 * gets the one after.
 */
export function numberAfter(number: string, steps: number): string {
  const digits = /(\d+)(?=\D*$)/.exec(number)?.[1]
  if (digits === undefined || steps === 0) return number
  const at = number.lastIndexOf(digits)
  const next = String(Number(digits) + steps).padStart(digits.length, '0')
  return number.slice(0, at) + next + number.slice(at + digits.length)
}

/** Returns the drafts in the order of issue, each with its number; one with faults takes none. */
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

/** Returns the sum in euros, computed in whole cents. */
export function totalOf(previews: readonly Pick<Preview, 'total'>[]): number {
  return previews.reduce((sum, { total }) => sum + Math.round(total * 100), 0) / 100
}
