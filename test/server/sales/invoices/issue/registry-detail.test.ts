/** What registries that list lines and addresses get of an invoice, up to a signed file. */
import { describe, expect, test } from 'vitest'
import { checkTicketBai, ticketBaiInvoice } from '../../../../../server/registry/systems/ticketbai/index.ts'
import { PLAIN_CONTENT, totalsOf } from '../../../../../server/sales/invoices/content.ts'
import type { DraftContent } from '../../../../../server/sales/invoices/content.ts'
import { registrationOf } from '../../../../../server/sales/invoices/issue/registration.ts'
import { registryDetailOf } from '../../../../../server/sales/invoices/issue/registry-detail.ts'
import { AMERICAN, COMPANY, FRENCH, ISSUER, line } from '../../../documents/e-invoice/samples.ts'
import { context, sealed } from '../../../registry/systems/ticketbai/samples.ts'

function madeOf(changes: Partial<DraftContent>) {
  const content: DraftContent = {
    ...PLAIN_CONTENT,
    kind: 'F1',
    issueDate: '2026-11-30',
    dueDate: '2026-12-30',
    client: COMPANY,
    lines: [line('Mantenimiento', 100)],
    ...changes,
  }
  const totals = totalsOf(content)
  const issued = { number: 'F2026-0042', issueDate: '2026-11-30', issuer: ISSUER }
  const { turn: _turn, ...registration } = registrationOf(content, totals, issued)
  const made = ticketBaiInvoice(registration, registryDetailOf(content, totals), '10:20:30')
  const found = checkTicketBai(made, null, context('gipuzkoa'))
  const faults = found.map(({ code }) => code)
  const fields = found.map(({ field }) => field)
  return { faults, fields, content: sealed(made, 'gipuzkoa').content }
}

describe('the detail of an invoice', () => {
  test('holds its lines, its time, what is withheld and where the customer is', () => {
    const { faults, content } = madeOf({
      withholdingBp: 1500,
      discountBp: 1000,
      lines: [
        line('Consultoría', 50, { quantityMicro: 10_000_000 }),
        line('Tasa', 30, { isDisbursement: true, vatRateBp: null }),
      ],
    })
    expect(faults).toEqual([])
    expect(content).toMatchObject({
      issueTime: '10:20:30',
      withholdingCents: 6_750,
      totalCents: 54_450,
      lines: [{ description: 'Consultoría', discount: 5_000_000_000n, total: 54_450_000_000n }],
      recipients: [{ postcode: COMPANY.postalCode, address: `${COMPANY.street}, ${COMPANY.city}` }],
    })
  })

  test('tells goods from services for customers abroad', () => {
    const lines = [
      line('Mercancía', 100, { taxTreatment: 'E5', vatRateBp: null }),
      line('Servicio', 50, { taxTreatment: 'N2', vatRateBp: null, supply: 'services' }),
    ]
    const { faults, content } = madeOf({ client: FRENCH, lines })
    expect(faults).toEqual([])
    expect(content.breakdown).toMatchObject({
      goods: { exempt: [{ cause: 'E5', baseCents: 10_000 }] },
      services: { notSubject: [{ cause: 'RL', amountCents: 5_000 }] },
    })
  })

  test('divides one rate among goods and services, to the cent', () => {
    const { faults, content } = madeOf({
      client: AMERICAN,
      discountBp: 333,
      lines: [
        line('Cuadro', 33.33, { supply: 'goods' }),
        line('Montaje', 66.67, { account: '705' }),
        line('Marco', 10.01, { supply: 'goods' }),
      ],
    })
    expect(faults).toEqual([])
    const { breakdown } = content
    const rows = breakdown.by === 'supply' ? [breakdown.goods, breakdown.services] : []
    expect(rows.map((part) => part?.taxed[0]?.details)).toMatchObject([
      [{ baseCents: 4_190, taxCents: 880 }],
      [{ baseCents: 6_445, taxCents: 1_353 }],
    ])
    expect(content.totalCents).toBe(4_190 + 880 + 6_445 + 1_353)
  })

  test('asks what a line sells where neither its treatment nor its account says it', () => {
    const lines = [line('Mercancía', 100, { supply: 'goods' }), line('Otra cosa', 50)]
    const { faults, fields } = madeOf({ client: AMERICAN, lines })
    expect(faults).toEqual(['supply_required'])
    expect(fields).toEqual(['lines[1].supply'])
    expect(madeOf({ lines }).faults).toEqual([])
  })

  test('is in euros when the paper is not', () => {
    const currency = { code: 'USD', fxMicro: 1_250_000, fxDate: '2026-11-30', fxSource: 'BCE' }
    const lines = [line('Mercancía', 125, { taxTreatment: 'E2', vatRateBp: null })]
    const { faults, content } = madeOf({ client: AMERICAN, lines, currency })
    expect(faults).toEqual([])
    expect(content.totalCents).toBe(10_000)
    expect(content.lines).toMatchObject([{ unitPrice: 10_000_000_000n, total: 10_000_000_000n }])
  })

  test('names no customer on a simplified invoice', () => {
    const { faults, content } = madeOf({ kind: 'F2' })
    expect(faults).toEqual([])
    expect(content.recipients).toEqual([])
  })
})
