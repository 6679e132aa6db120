/** A document with a discount on the whole: subtotal, discount and base add up, and the withholding uses that base. */
import { expect, test } from 'vitest'
import { eInvoiceOf, facturaeXml } from '../../../../server/documents/e-invoice/index.ts'
import { contentOf, partyFacts, resolveInvoice, totalsOf } from '../../../../server/sales/invoices/index.ts'
import { paperOf } from '../../../../server/documents/rendering/paper-of.ts'
import { labelsFor } from '../../../../server/documents/pdf/index.ts'
import { sumLines } from '../../../../server/documents/pdf/layout/sums.ts'
import { openBooks } from '../../../support/books.ts'
import type { DraftInput, TestBooks } from '../../../support/books.ts'

const line = (unitPrice: number, vatRate: number) => ({
  description: 'Servicio',
  quantity: 1,
  unitPrice,
  vatRate,
})
const DISCOUNTED = {
  lines: [line(200.11, 21), line(220.17, 10)],
  discountPct: 5,
  withholdingPct: 15,
} satisfies Partial<DraftInput>

async function rowOf(world: TestBooks, changes: Partial<DraftInput>) {
  const { id } = await world.invoice({ ...DISCOUNTED, ...changes })
  return resolveInvoice(world.test, id)
}

/** Returns labels with their amounts, from the top down to the box. */
async function sumsOf(world: TestBooks, changes: Partial<DraftInput> = {}) {
  const paper = await paperOf(world.test, await rowOf(world, changes))
  return sumLines(paper, labelsFor(paper.language)).flatMap((each) =>
    each.kind === 'rule'
      ? []
      : [
          [each.label, each.kind === 'tax' ? each.base : each.amount].map((text) =>
            text.replace(/[\u00a0\u202f]/g, ' '),
          ),
        ],
  )
}

test('a document in Spanish shows a percentage discount', async () => {
  const world = await openBooks()
  expect(await sumsOf(world)).toEqual([
    ['Subtotal', '420,28 €'],
    ['Descuento 5 %', '−21,02 €'],
    ['Base imponible', '399,26 €'],
    ['IVA 21 %', '190,10 €'],
    ['IVA 10 %', '209,16 €'],
    ['Suma', '399,26 €'],
    ['Total factura', '460,10 €'],
    ['Retención IRPF 15 % sobre 399,26 €', '−59,89 €'],
    ['Total a pagar', '400,21 €'],
  ])
})

test('a document shows a discount as an amount, as both, or not at all', async () => {
  const world = await openBooks()
  const labels = async (changes: Partial<DraftInput>) =>
    (await sumsOf(world, changes)).map(([label]) => label).slice(0, 3)
  expect(await labels({ discountPct: 0, discountAmount: 20 })).toEqual([
    'Subtotal',
    'Descuento',
    'Base imponible',
  ])
  expect(await labels({ discountAmount: 20 })).toEqual([
    'Subtotal',
    'Descuento 5 % + 20,00 €',
    'Base imponible',
  ])
  expect((await labels({ discountPct: 0 }))[0]).toBe('IVA 21 %')
  expect(await labels({ language: 'en' })).toEqual(['Subtotal', 'Discount 5%', 'Net after discount'])
})

test('Facturae computes the withholding on the sum of its bases', async () => {
  const world = await openBooks()
  const row = await rowOf(world, {})
  const content = await contentOf(world.test.db, row)
  const xml = facturaeXml(
    eInvoiceOf(content, totalsOf(content), {
      number: row.number ?? '',
      seriesCode: row.series_code ?? '',
      issueDate: row.issue_date ?? '',
      issuer: await partyFacts(world.test.db, row.issuer_id ?? 0),
      debit: null,
    }),
  )
  expect(xml).toContain('<TotalGrossAmountBeforeTaxes>399.26</TotalGrossAmountBeforeTaxes>')
  expect(/<TaxesWithheld>.*?<TotalAmount>([^<]*)</s.exec(xml)?.[1]).toBe('399.26')
})

test('an invoice of an earlier version keeps the base it was issued with', async () => {
  const world = await openBooks()
  const { public_id: id } = await rowOf(world, {})
  await world.tamper('update invoices set withholding_base_cents = 39927')
  const row = await resolveInvoice(world.test, id)
  const content = await contentOf(world.test.db, row)
  expect(totalsOf(content).withholding).toEqual({ rateBp: 1500, baseCents: 39_927, amountCents: 5989 })
})
