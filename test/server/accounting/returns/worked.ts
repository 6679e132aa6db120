/** A worked quarter: sales and purchases with boxes computed by hand. */
import type { InputOf } from '../../../../server/api/contracts.ts'
import { CLIENT_ADDRESS, openBooks } from '../../../support/books.ts'
import type { DraftInput, TestBooks } from '../../../support/books.ts'
import { stateSchemes } from '../../../support/schemes.ts'

type Sale = DraftInput['lines'][number]
type Purchase = InputOf<'received.create'>

export const line = (unitPrice: number, changes: Partial<Sale> = {}): Sale => ({
  description: 'Servicio',
  quantity: 1,
  unitPrice,
  ...changes,
})

export const FRENCH = {
  clientName: 'Client SARL',
  clientNif: 'FR40303265045',
  client: { country: 'FR', idType: '02' as const, address: { ...CLIENT_ADDRESS, country: 'FR' } },
}
const AMERICAN = {
  clientName: 'Customer Inc',
  clientNif: '123456789',
  client: { country: 'US', idType: '04' as const, address: { ...CLIENT_ADDRESS, country: 'US' } },
}

export const purchase = (
  changes: Partial<Purchase> & Pick<Purchase, 'taxLines' | 'supplierNumber'>,
): Purchase => ({
  supplierName: 'Proveedor, S.A.',
  supplierNif: 'A58818501',
  issueDate: '2026-10-15',
  receptionDate: '2026-10-16',
  ...changes,
})

/** Records sales and purchases of the fourth quarter of 2026 by a company of the general scheme. */
export async function workedQuarter(
  kind: 'legal' | 'natural' = 'legal',
  options: Parameters<typeof openBooks>[0] = {},
): Promise<TestBooks> {
  const world = await openBooks({ at: '2026-12-30T12:00:00+01:00', ...options })
  if (kind === 'natural') await world.tamper("update companies set kind = 'natural'")
  const sales: Partial<DraftInput>[] = [
    { lines: [line(1000), line(200, { vatRate: 10 }), line(50, { vatRate: 4 })] },
    { lines: [line(300, { surcharge: 5.2 })] },
    { lines: [line(400, { taxTreatment: 'S2' })] },
    { ...FRENCH, lines: [line(700, { taxTreatment: 'E5' })] },
    { ...FRENCH, lines: [line(80, { taxTreatment: 'N2' })] },
    { ...AMERICAN, lines: [line(90, { taxTreatment: 'N2' })] },
    { ...AMERICAN, lines: [line(600, { taxTreatment: 'E2' })] },
    { lines: [line(500)], withholdingPct: 15 },
    { lines: [line(45, { taxTreatment: 'E1' })] },
  ]
  const issued = []
  for (const sale of sales) issued.push(await world.invoice({ issueDate: '2026-10-20', ...sale }))
  await world.invoice({
    kind: 'R1',
    issueDate: '2026-11-02',
    rectifies: [{ id: issued[0]!.id }],
    rectification: { method: 'I', cause: 'returned_goods', reason: 'Devolución' },
    lines: [line(-100)],
  } as Partial<DraftInput>)
  const purchases: Purchase[] = [
    purchase({
      supplierNumber: 'A1',
      taxLines: [
        { base: 100, vatRate: 21 },
        { base: 50, vatRate: 10 },
      ],
    }),
    purchase({ supplierNumber: 'A2', taxLines: [{ base: 4000, vatRate: 21, investmentGood: true }] }),
    purchase({
      supplierNumber: 'A3',
      taxLines: [{ base: 200, vatRate: 21 }],
      withholding: { rate: 15, base: 200, reason: 'professional' },
    }),
    purchase({
      supplierNumber: 'A4',
      concept: 'G12',
      taxLines: [{ base: 300, vatRate: 21 }],
      withholding: { rate: 19, base: 300, reason: 'rent' },
    }),
    purchase({
      supplierNumber: 'EU1',
      supplierName: 'Lieferant GmbH',
      supplierNif: 'DE136695976',
      supplier: { country: 'DE', idType: '02' },
      taxLines: [{ base: 1000, vatRate: 21, taxTreatment: 'S2', nature: 'eu_services' }],
    }),
    purchase({
      supplierNumber: 'RC1',
      taxLines: [{ base: 500, vatRate: 21, taxTreatment: 'S2', nature: 'reverse_charge' }],
    }),
    purchase({ supplierNumber: 'H1', taxLines: [{ base: 60, vatRate: 21, deductiblePct: 50 }] }),
  ]
  for (const each of purchases) await world.run('received.create', each)
  await stateSchemes(world, 2026)
  return world
}
