/**
 * Files that Sello writes and reads again: the same taxes, withholding, surcharge, disbursements, total and amount
 * due.
 */
import { describe, expect, test } from 'vitest'
import { formOfProposal, receivedInput } from '../../../../renderer/purchases/form.ts'
import type { Proposal } from '../../../../renderer/purchases/form.ts'
import { availableFormats, ciiXml } from '../../../../server/documents/e-invoice/index.ts'
import { renderInvoice } from '../../../../server/documents/pdf/paint/render.ts'
import { composeReceived } from '../../../../server/purchases/invoices/compose.ts'
import { sumsOf } from '../../../../server/purchases/invoices/content.ts'
import type { ReceivedInput } from '../../../../server/purchases/invoices/contract.ts'
import { readPdf } from '../../../../server/purchases/intake/pdf.ts'
import { readStructured } from '../../../../server/purchases/intake/structured.ts'
import { samplePaper } from '../pdf/samples.ts'
import { differencesOf, factsOf, factsRead, roundTrips, WRITERS } from './round-trip.ts'
import { invoiceOf, line, SAMPLES } from './samples.ts'
import { swept, sweptCount } from '../../../support/sweep.ts'

describe('a file that Sello writes is read back unchanged', () => {
  test.each(Object.entries(SAMPLES))('%s', (_name, make) => {
    const { files, differences } = differencesOf(make())
    expect(files).toBeGreaterThan(1)
    expect(differences).toEqual([])
  })

  // The window's green tick compares these sums with those of the document.
  const inEuros = Object.entries(SAMPLES).filter(([, make]) => make().currency === 'EUR')
  test.each(inEuros)('entered as it was read, %s has the same sums', (_name, make) => {
    const invoice = make()
    const faults = availableFormats(invoice)
    for (const [format, write] of Object.entries(WRITERS)) {
      if (faults[format as keyof typeof WRITERS] !== null) continue
      const proposal = readStructured(Buffer.from(write(invoice)))?.proposal
      const entered = receivedInput(formOfProposal(proposal as Proposal, '2026-07-01'))
      const { content, faults: told } = composeReceived(entered as ReceivedInput, {
        today: '2026-07-01',
        company: { nif: 'A39000013', vat_regime: 'general' },
        contact: null,
        usualConcept: null,
      })
      expect(told.filter(({ severity }) => severity === 'error')).toEqual([])
      expect(sumsOf(content)).toMatchObject({
        totalCents: invoice.totalCents,
        payableCents: invoice.amountDueCents + invoice.replacedCents,
      })
    }
  })

  test('random invoices of every kind, in every format and language', () => {
    const count = sweptCount(200, 50)
    expect(roundTrips(count, 20_261_123).invoices).toBeGreaterThanOrEqual(count)
  }, 60_000)

  test('fees with withholding and a disbursement: 3,000 and 630 of VAT, 450 withheld', () => {
    const invoice = invoiceOf({
      withholdingBp: 1500,
      lines: [
        line('Honorarios', 3000),
        line('Tasa', 45.5, { vatRateBp: null, isDisbursement: true, withholdable: false }),
      ],
    })
    for (const write of Object.values(WRITERS)) {
      const proposal = readStructured(Buffer.from(write(invoice)))?.proposal
      expect(proposal).toMatchObject({
        total: 3675.5,
        payable: 3225.5,
        withholding: { rate: 15, base: 3000, amount: 450 },
        taxLines: [
          { base: 3000, vatRate: 21, tax: 630 },
          { base: 45.5, taxTreatment: 'N1', description: 'Suplidos' },
        ],
      })
    }
  })

  const inside = [
    '02-three-rates-discounts-withholding',
    '04-surcharge',
    '10-exempt-suplidos-and-taxed',
    '16-rectifying-by-differences',
  ]
  test.each(swept(inside, (_, index) => index === 0))(
    'a PDF with %s inside is read like its XML',
    async (name) => {
      const invoice = SAMPLES[name]?.()
      if (!invoice) throw new Error('The sample is not there.')
      const bytes = await renderInvoice(samplePaper(), ciiXml(invoice))
      const context = { ownNif: 'A39000013', ownName: '', today: '2027-01-01' }
      const {
        found: { proposal },
      } = await readPdf(new Uint8Array(bytes), context, { seen: [] })
      expect(proposal.source).toBe('facturx')
      expect(factsRead(proposal)).toEqual(factsOf(invoice, 'cii'))
    },
  )

  test('a note entered by a person is not a withholding unless the amount paid proves it', () => {
    const forged = 'Retención del IRPF 15 % (100.00 EUR): 15.00 EUR, figura como importe ya pagado'
    const typed = invoiceOf({ notes: forged, lines: [line('Servicio', 100)] })
    for (const write of [WRITERS.cii, WRITERS.ubl])
      expect(readStructured(Buffer.from(write(typed)))?.proposal.withholding).toBeUndefined()
    const both = invoiceOf({ notes: forged, withholdingBp: 700, lines: [line('Servicio', 100)] })
    expect(readStructured(Buffer.from(WRITERS.cii(both)))?.proposal.withholding).toEqual({
      rate: 7,
      base: 100,
      amount: 7,
    })
  })

  test('reverse charge beside an exempt line is the base of its own line', () => {
    const invoice = invoiceOf({
      discountBp: 1000,
      lines: [
        line('Curso', 100, { taxTreatment: 'E1', vatRateBp: null, cause: 'education' }),
        line('Reforma', 500, { taxTreatment: 'S2', vatRateBp: 0, cause: 'reverse_works' }),
      ],
    })
    for (const write of Object.values(WRITERS)) {
      const lines = readStructured(Buffer.from(write(invoice)))?.proposal.taxLines ?? []
      expect(lines.map(({ base, taxTreatment }) => [taxTreatment, base]).toSorted()).toEqual([
        ['E1', 90],
        ['S2', 450],
      ])
    }
  })
})
