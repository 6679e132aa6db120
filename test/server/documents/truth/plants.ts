/** How planted differences are made, and the drafts that they are planted in. */
import type { InvoicePaper } from '../../../../server/documents/pdf/index.ts'
import { CLIENT_ADDRESS } from '../../../support/books.ts'
import type { DraftInput } from '../../../support/books.ts'

type Maker = (...args: any[]) => any
type Plant = (make: Maker, args: any[]) => unknown

/** Changes the facts that a maker is given. */
export const given =
  (change: (facts: any) => object): Plant =>
  (make, [facts, ...rest]) =>
    make({ ...facts, ...change(facts) }, ...rest)

/** Changes the text that a writer makes; fails if there is nothing to change. */
export const written =
  (from: string | RegExp, to: string): Plant =>
  (make, args) => {
    const text = make(...args) as string
    const changed = text.replace(from, to)
    if (changed === text) throw new Error(`There is no ${String(from)} to change.`)
    return changed
  }

/** Changes what a maker returns. */
export const made =
  (change: (made: any) => unknown): Plant =>
  (make, args) =>
    change(make(...args))

export const onPaper = (change: (paper: InvoicePaper) => Partial<InvoicePaper>): Plant =>
  made((paper: InvoicePaper) => ({ ...paper, ...change(paper) }))

const WORK: DraftInput['lines'][number] = { description: 'Consultoría', quantity: 2, unitPrice: 100.5 }
const CUSTOMER = {
  clientName: 'Cliente Primero, S.L.',
  clientNif: 'B87654323',
  client: { address: CLIENT_ADDRESS },
}
export const PLAIN: Partial<DraftInput> = {
  ...CUSTOMER,
  lines: [WORK, { ...WORK, vatRate: 10, unitPrice: 33.33 }],
}
export const WITHHELD: Partial<DraftInput> = { ...PLAIN, withholdingPct: 15 }
export const SURCHARGED: Partial<DraftInput> = { ...CUSTOMER, lines: [{ ...WORK, surcharge: 5.2 }] }
export const REVERSED: Partial<DraftInput> = {
  ...CUSTOMER,
  lines: [{ ...WORK, taxTreatment: 'S2', cause: 'reverse_works' }, WORK],
}
export const EARLIER: Partial<DraftInput> = { ...PLAIN, operationDate: '2026-06-15' }
export const BY_OTHERS: Partial<DraftInput> = {
  ...PLAIN,
  series: 'GEST',
  issuedBy: { kind: 'third_party', name: 'Gestoría Ebro, S.L.P.', nif: 'A58818501' },
}
export const IN_DOLLARS: Partial<DraftInput> = {
  ...PLAIN,
  currency: 'USD',
  fxRate: 1.0837,
}
export const SPREAD: Partial<DraftInput> = {
  ...PLAIN,
  instalments: [
    { dueDate: '2026-12-01', percent: 50 },
    { dueDate: '2027-01-01', percent: 50 },
  ],
} as Partial<DraftInput>

/** With the reference that the network asks for. */
export const ORDERED: Partial<DraftInput> = { ...PLAIN, customerReferences: { order: 'PED-77' } }
export const COLLECTED: Partial<DraftInput> = {
  ...PLAIN,
  lines: [WORK, { description: 'Tasa del registro', quantity: 1, unitPrice: 40, isDisbursement: true }],
}

export interface Case {
  at: string
  plant: Plant
  field: string | RegExp
  /** One of the two. */
  source: string
  draft?: Partial<DraftInput>
}
