/** Rectifying an issued invoice through the operations: what the draft says, what is left, and what the authority makes of it. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { InputOf } from '../../../../../server/api/contracts.ts'
import { openBooks, refused } from '../../../../support/books.ts'
import type { DraftInput, Invoice, TestBooks } from '../../../../support/books.ts'
import { cancel } from '../steps.ts'

let world: TestBooks

beforeEach(async () => {
  world = await openBooks()
})

const TWO_LINES = {
  lines: [
    { description: 'Silla', quantity: 4, unitPrice: 50, vatRate: 21 },
    { description: 'Libro', quantity: 10, unitPrice: 12.5, vatRate: 4 },
  ],
} satisfies Partial<DraftInput>

type Rectify = Omit<InputOf<'invoices.rectify'>, 'id'>
const rectify = (invoice: Invoice, input: Rectify) =>
  world.run('invoices.rectify', { id: invoice.id, ...input })
const rectified = async (invoice: Invoice, input: Rectify) => world.issue((await rectify(invoice, input)).id)
const options = (invoice: Invoice) => world.run('invoices.rectifyOptions', { id: invoice.id })

/** What the authority holds of an invoice after everything due was sent. */
async function xmlOf(invoice: Invoice): Promise<string> {
  await world.send()
  const { registrations } = await world.run('registry.status', { invoiceId: invoice.id })
  expect(registrations?.[0]).toMatchObject({ status: 'accepted' })
  return registrations?.[0]?.xml ?? ''
}

describe('crediting', () => {
  test('the whole: the same lines with their signs turned, in the series of rectifying invoices', async () => {
    const original = await world.invoice(TWO_LINES)
    const draft = await rectify(original, { cause: 'returned_goods' })
    expect(draft).toMatchObject({
      state: 'draft',
      kind: 'R1',
      rectification: { method: 'I', cause: 'returned_goods', reason: 'Devolución de mercancía' },
      rectifies: [{ id: original.id, number: original.number }],
      base: -325,
      tax: -47,
      total: -372,
    })
    expect(draft.lines.map(({ quantity, unitPrice }) => [quantity, unitPrice])).toEqual([
      [-4, 50],
      [-10, 12.5],
    ])
    expect(draft.assumptions?.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['kind', 'rectification.method']),
    )
    const issued = await world.issue(draft.id)
    expect(issued.number).toMatch(/^T-R2026-\d{4}$/)
    expect(issued.amountDue).toBe(-372)
    expect(issued.payment.status).toBe('credit')
    const after = await world.run('invoices.get', { id: original.id })
    expect(after.rectifiedBy).toEqual([expect.objectContaining({ id: issued.id, kind: 'R1', total: -372 })])
    expect(after.rectified).toBe('fully')
    expect(await options(original)).toMatchObject({ rectified: 'fully', left: { base: 0, total: 0 } })
  })

  test('part of a line, an amount of a line, a percentage and an amount of the total', async () => {
    const original = await world.invoice(TWO_LINES)
    const lines = await rectify(original, {
      cause: 'returned_goods',
      lines: [
        { index: 0, quantity: 1 },
        { index: 1, amount: 12.34 },
      ],
    })
    expect(lines.taxBreakdown.map(({ base, tax }) => [base, tax])).toEqual([
      [-50, -10.5],
      [-12.34, -0.49],
    ])
    const percent = await rectify(original, { cause: 'discount', percent: 10 })
    expect(percent.taxBreakdown.map(({ base, tax }) => [base, tax])).toEqual([
      [-20, -4.2],
      [-12.5, -0.5],
    ])
    const amount = await rectify(original, { cause: 'discount', amount: 37.21 })
    expect(amount).toMatchObject({ total: -37.21, priceMode: 'gross' })
    expect(amount.taxBreakdown).toHaveLength(2)
  })

  test('what is left, after parts of it', async () => {
    const original = await world.invoice(TWO_LINES)
    await rectified(original, { cause: 'discount', percent: 10 })
    expect(await options(original)).toMatchObject({ rectified: 'partly', left: { base: 292.5, tax: 42.3 } })
    const rest = await rectified(original, { cause: 'cancelled_operation' })
    expect(rest).toMatchObject({ base: -292.5, tax: -42.3 })
    expect(rest.lines.map(({ description }) => description)).toEqual([
      `Resto de ${original.number} (IVA 21 %)`,
      `Resto de ${original.number} (IVA 4 %)`,
    ])
    expect((await options(original)).rectified).toBe('fully')
    expect((await refused(rectify(original, { cause: 'other' }))).code).toBe('nothing_left_to_rectify')
  })

  test('never more than is left, whoever wrote the draft first', async () => {
    const original = await world.invoice(TWO_LINES)
    const [one, other] = [
      await rectify(original, { cause: 'returned_goods' }),
      await rectify(original, { cause: 'returned_goods' }),
    ]
    await world.issue(one.id)
    const { valid, issues } = await world.run('invoices.validate', { id: other.id })
    expect(valid).toBe(false)
    expect(issues).toContainEqual(expect.objectContaining({ code: 'credit_exceeds_original' }))
    const fresh = await world.invoice(TWO_LINES)
    for (const [input, field] of [
      [{ lines: [{ index: 0, quantity: 5 }] }, 'lines[0].quantity'],
      [{ lines: [{ index: 0, quantity: -1 }] }, 'lines[0].quantity'],
      [{ lines: [{ index: 1, amount: 125.01 }] }, 'lines[0].amount'],
      [{ lines: [{ index: 2 }] }, 'lines[0].index'],
      [{ amount: 372.01 }, 'amount'],
      [{ amount: 1, percent: 1 }, 'lines'],
      [{ method: 'S', percent: 1 }, 'method'],
    ] as const) {
      const refusal = await refused(
        rectify(fresh, { cause: 'discount', ...structuredClone(input) } as Rectify),
      )
      expect([refusal.code, refusal.field]).toEqual(['validation_failed', field])
    }
  })

  test('a document with discounts, surcharge, withholding, disbursements and gross prices to the cent', async () => {
    for (const changes of [
      { discountPct: 7.5 },
      { discountAmount: 33.33 },
      { priceMode: 'gross', discountAmount: 10 },
      { priceMode: 'gross' },
      { withholdingPct: 15 },
    ] satisfies Partial<DraftInput>[]) {
      const original = await world.invoice({
        ...changes,
        lines: [
          {
            description: 'A',
            quantity: 3,
            unitPrice: 9.99,
            vatRate: 21,
            surcharge: 5.2,
            discountAmount: 1.5,
          },
          { description: 'B', quantity: 0.333, unitPrice: 100, vatRate: 10, discountPct: 12.5 },
          { description: 'Tasas', quantity: 1, unitPrice: 8, isDisbursement: true },
        ],
      })
      const credit = await rectified(original, { cause: 'cancelled_operation' })
      expect([credit.base, credit.tax, credit.total]).toEqual([
        -original.base,
        -original.tax,
        -original.total,
      ])
      expect(credit.amountDue).toBe(-original.amountDue)
      expect((await options(original)).rectified).toBe('fully')
    }
  })
})

describe('putting right', () => {
  test('by substitution: the right figures, and what the invoice said', async () => {
    const original = await world.invoice(TWO_LINES)
    const draft = await rectify(original, {
      cause: 'wrong_amount',
      newLines: [{ description: 'Silla', quantity: 3, unitPrice: 50, vatRate: 21 }],
    })
    expect(draft).toMatchObject({
      kind: 'R4',
      rectification: { method: 'S', base: 325, tax: 47 },
      base: 150,
      tax: 31.5,
    })
    const issued = await world.issue(draft.id)
    expect(issued.amountDue).toBe(181.5 - 372)
    const refusal = await refused(rectify(original, { cause: 'other' }))
    expect(refusal.code).toBe('invoice_replaced')
    expect(refusal.details?.replacedBy).toEqual({ id: issued.id, number: issued.number })
    expect((await options(original)).replacedBy).toEqual({ id: issued.id, number: issued.number })
    const xml = await xmlOf(issued)
    expect(xml).toContain('<sf:TipoRectificativa>S</sf:TipoRectificativa>')
    expect(xml).toContain('<sf:BaseRectificada>325.00</sf:BaseRectificada>')
    expect(xml).toContain('<sf:CuotaRectificada>47.00</sf:CuotaRectificada>')
    expect(xml).toContain(`<sf:NumSerieFactura>${original.number}</sf:NumSerieFactura>`)
  })

  test('by difference: the old lines off, the new ones on', async () => {
    const original = await world.invoice(TWO_LINES)
    const draft = await rectify(original, {
      cause: 'wrong_vat',
      method: 'I',
      newLines: [
        { description: 'Silla', quantity: 4, unitPrice: 50, vatRate: 10 },
        { description: 'Libro', quantity: 10, unitPrice: 12.5, vatRate: 4 },
      ],
    })
    expect(draft.taxBreakdown.map(({ vatRate, base, tax }) => [vatRate, base, tax])).toEqual([
      [21, -200, -42],
      [10, 200, 20],
      [4, 0, 0],
    ])
    expect(draft).toMatchObject({ kind: 'R1', total: -22 })
  })

  test("the customer's data, with everything else as it was", async () => {
    const original = await world.invoice(TWO_LINES)
    const draft = await rectify(original, {
      cause: 'wrong_client',
      clientName: 'Cliente Bueno, S.L.',
      clientNif: 'B12345674',
    })
    expect(draft).toMatchObject({
      kind: 'R4',
      clientName: 'Cliente Bueno, S.L.',
      clientNif: 'B12345674',
      total: original.total,
      rectification: { method: 'S' },
    })
    const refusal = await refused(rectify(original, { cause: 'wrong_client', method: 'I' }))
    expect(refusal.field).toBe('method')
  })

  test('a rectification is rectified itself, and what it had taken off stands again', async () => {
    const original = await world.invoice(TWO_LINES)
    const credit = await rectified(original, { cause: 'returned_goods' })
    const undone = await rectified(credit, { cause: 'other' })
    expect(undone).toMatchObject({ kind: 'R4', total: 372, rectifies: [{ number: credit.number }] })
    expect(await options(original)).toMatchObject({ left: { base: 325, total: 372 } })
    const again = await rectify(credit, { cause: 'other' }).catch((error: unknown) => error)
    expect(again).toMatchObject({ code: 'nothing_left_to_rectify' })
  })

  test('a substitution covers what corrected the invoice before', async () => {
    const original = await world.invoice(TWO_LINES)
    const stale = await rectify(original, { cause: 'wrong_text' })
    const credit = await rectified(original, { cause: 'discount', percent: 10 })
    const { issues } = await world.run('invoices.validate', { id: stale.id })
    expect(issues.map(({ code }) => code)).toContain('substitution_incomplete')
    const draft = await rectify(original, { cause: 'wrong_text' })
    expect(draft.rectifies.map(({ number }) => number)).toEqual([original.number, credit.number])
    expect(draft.rectification).toMatchObject({ base: 292.5, tax: 42.3 })
    await world.issue(draft.id)
  })

  test('a rate of its day that is none today goes with the day of the operation', async () => {
    const original = await world.invoice({
      operationDate: '2024-09-15',
      lines: [{ description: 'Pan', quantity: 100, unitPrice: 1, vatRate: 5 }],
    })
    const draft = await rectify(original, { cause: 'returned_goods' })
    expect(draft.operationDate).toBe('2024-09-15')
    await xmlOf(await world.issue(draft.id))
  })
})

describe('the rules', () => {
  test('a draft or an annulled invoice cannot be rectified', async () => {
    const draft = await world.draft(TWO_LINES)
    expect((await refused(rectify(draft, { cause: 'other' }))).code).toBe('invoice_not_issued')
    const original = await world.invoice(TWO_LINES)
    await world.send()
    await cancel(world, original.id)
    expect((await refused(rectify(original, { cause: 'other' }))).code).toBe('invoice_not_in_force')
  })

  test('tickets by R5, complete invoices by the others', async () => {
    const ticket = await world.invoice({ ...TWO_LINES, kind: 'F2', clientNif: null, clientName: 'Venta' })
    const draft = await rectify(ticket, { cause: 'returned_goods' })
    expect(draft.kind).toBe('R5')
    expect((await refused(rectify(ticket, { cause: 'uncollectible' }))).field).toBe('cause')
    await world.run('invoices.update', { id: draft.id, kind: 'R1' })
    const { issues } = await world.run('invoices.validate', { id: draft.id })
    expect(issues.map(({ code }) => code)).toContain('rectification_kind_wrong')
  })

  test('not dated before the invoice, not in another currency, not for another customer unseen', async () => {
    const original = await world.invoice({ ...TWO_LINES, currency: 'USD', fxRate: 1.25 })
    const draft = await rectify(original, { cause: 'returned_goods' })
    expect(draft).toMatchObject({ currency: 'USD', total: -297.6 })
    await world.run('invoices.update', {
      id: draft.id,
      currency: 'EUR',
      issueDate: '2025-01-01',
      clientNif: 'B12345674',
    })
    const { issues } = await world.run('invoices.validate', { id: draft.id })
    expect(issues.map(({ code }) => code)).toEqual(
      expect.arrayContaining([
        'rectification_currency',
        'rectification_before_original',
        'rectification_other_client',
      ]),
    )
  })

  test('an invoice that was rectified or paid is not annulled under it', async () => {
    const original = await world.invoice(TWO_LINES)
    const credit = await rectified(original, { cause: 'discount', percent: 10 })
    await world.send()
    const validated = await world.run('invoices.validate', { id: original.id, action: 'cancel' })
    expect(validated.issues).toContainEqual(expect.objectContaining({ code: 'cancel_has_followers' }))
    const [, annulled] = [
      await world.run('invoices.validate', { id: credit.id, action: 'cancel' }),
      await cancel(world, credit.id),
    ]
    expect(annulled.cancelledAt).toBeDefined()
    expect(await options(original)).toMatchObject({ rectified: 'no', left: { total: 372 } })
  })

  test('the preview says what the draft will say and writes nothing', async () => {
    const original = await world.invoice(TWO_LINES)
    const input = { id: original.id, cause: 'discount' as const, percent: 10 }
    const preview = await world.run('invoices.previewRectification', input)
    expect((await options(original)).drafts).toEqual([])
    const draft = await world.run('invoices.rectify', input)
    expect(preview).toMatchObject({
      kind: draft.kind,
      method: 'I',
      base: draft.base,
      total: draft.total,
      taxBreakdown: draft.taxBreakdown,
      leftAfter: 334.8,
    })
    expect((await options(original)).drafts).toEqual([{ id: draft.id }])
  })
})

describe('the authority takes', () => {
  test.each([
    ['R1', 'returned_goods', 'I'],
    ['R1', 'wrong_vat', 'S'],
    ['R2', 'insolvency', 'I'],
    ['R3', 'uncollectible', 'I'],
    ['R4', 'other', 'I'],
    ['R4', 'wrong_client', 'S'],
  ] as const)('%s for %s by %s', async (kind, cause, method) => {
    const original = await world.invoice(TWO_LINES)
    const issued = await rectified(original, { cause, method })
    expect(issued.kind).toBe(kind)
    const xml = await xmlOf(issued)
    expect(xml).toContain(`<sf:TipoFactura>${kind}</sf:TipoFactura>`)
    expect(xml).toContain(`<sf:TipoRectificativa>${method}</sf:TipoRectificativa>`)
    expect(xml.includes('ImporteRectificacion')).toBe(method === 'S')
  })

  test.each(['I', 'S'] as const)('R5 by %s', async (method) => {
    const ticket = await world.invoice({ ...TWO_LINES, kind: 'F2', clientNif: null, clientName: 'Venta' })
    const issued = await rectified(ticket, { cause: 'wrong_amount', method })
    const xml = await xmlOf(issued)
    expect(xml).toContain('<sf:TipoFactura>R5</sf:TipoFactura>')
    expect(xml).not.toContain('<sf:Destinatarios>')
  })

  test('the rectification of an invoice made elsewhere, by either method, and of several at once', async () => {
    const elsewhere = { series: 'A2025', number: '-118', issueDate: '2025-12-30' }
    const lines = [{ description: 'Devolución', quantity: -1, unitPrice: 100, vatRate: 21 }]
    const byDifference = await world.invoice({
      lines,
      kind: 'R1',
      rectifies: [elsewhere, { number: 'B-7', issueDate: '2026-01-31' }],
      rectification: { method: 'I', cause: 'returned_goods' },
    })
    const xml = await xmlOf(byDifference)
    expect(xml).toContain('<sf:NumSerieFactura>A2025-118</sf:NumSerieFactura>')
    expect(xml).toContain('<sf:FechaExpedicionFactura>30-12-2025</sf:FechaExpedicionFactura>')
    expect(xml).toContain('<sf:NumSerieFactura>B-7</sf:NumSerieFactura>')
    const bySubstitution = await world.invoice({
      lines: [{ description: 'Lo correcto', quantity: 1, unitPrice: 80, vatRate: 21 }],
      kind: 'R4',
      rectifies: [elsewhere],
      rectification: { method: 'S', reason: 'Precio equivocado', base: 100, tax: 21 },
    })
    expect(bySubstitution.amountDue).toBe(-24.2)
    expect(await xmlOf(bySubstitution)).toContain('<sf:BaseRectificada>100.00</sf:BaseRectificada>')
  })

  test('a volume discount that names its period instead of invoices', async () => {
    const lines = [{ description: 'Rappel', quantity: -1, unitPrice: 500, vatRate: 21 }]
    const draft = await world.draft({
      lines,
      kind: 'R1',
      rectification: { method: 'I', cause: 'period_discount' },
    })
    const { issues } = await world.run('invoices.validate', { id: draft.id })
    expect(issues.map(({ code }) => code)).toContain('rectified_period_missing')
    const issued = await world.invoice({
      lines,
      kind: 'R1',
      rectification: { method: 'I', cause: 'period_discount', reason: 'Rappel del primer semestre de 2026' },
    })
    expect(await xmlOf(issued)).not.toContain('FacturasRectificadas')
    const nothing = await world.draft({ lines, kind: 'R4', rectification: { method: 'I', cause: 'other' } })
    const checked = await world.run('invoices.validate', { id: nothing.id })
    expect(checked.issues.map(({ code }) => code)).toContain('rectified_missing')
  })
})
