/** Further codes of statuses in the platform's messages. Source: Orden HAC/1028/2026, annex II. */
import type { StatusReport } from '../types.ts'

type StatusDate = 'dueDate' | 'deliveredOn' | 'receivedOn' | 'financedOn'

/** Marks of further dates of a status. */
export const DATE_MARKS: readonly (readonly [keyof StatusReport & StatusDate, string])[] = [
  ['dueDate', 'DueDate'],
  ['deliveredOn', 'ShipmentDate'],
  ['receivedOn', 'ReceptionDate'],
  ['financedOn', 'FinancingArrangement'],
]

const REASONS: readonly (readonly [name: string, code: string])[] = [
  ['commercial', '01'],
  ['private', '02'],
]

/** Returns the code of the reason of a rejection; a code stays as it is. */
export function reasonCode(reason: string): string {
  return REASONS.find(([name]) => name === reason)?.[1] ?? reason
}

/** Returns the name of the reason of a rejection; an unknown code stays as it is. */
export function reasonOfCode(code: string): string {
  return REASONS.find(([, each]) => each === code)?.[0] ?? code
}
