/** Which invoice a reference means: one of this book in every spelling of its number, else one of another program as it prints. */
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { externalNumber } from '../../../../../server/sales/invoices/references/spelling.ts'
import { faultsOfRefusal, openBooks } from '../../../../support/books.ts'
import type { DraftInput, Invoice, TestBooks } from '../../../../support/books.ts'
import { resolveRandomly, spellings } from './reference-spellings.ts'
import { cancel } from '../steps.ts'

let world: TestBooks

beforeEach(async () => {
  world = await openBooks()
})

type Reference = NonNullable<DraftInput['rectifies']>[number]

const CREDIT = {
  kind: 'R1',
  lines: [{ description: 'Abono', quantity: -1, unitPrice: 500, vatRate: 21 }],
  rectification: { method: 'I', cause: 'returned_goods' },
} satisfies Partial<DraftInput>

const credit = (...rectifies: Reference[]) => world.draft({ ...CREDIT, rectifies })

async function faultsOf({ id }: Invoice): Promise<string[]> {
  const { issues } = await world.run('invoices.validate', { id })
  return issues.map(({ severity, code, field }) => `${severity} ${field}: ${code}`)
}

async function xmlOf(invoice: Invoice): Promise<string> {
  await world.send()
  const { registrations } = await world.run('registry.status', { invoiceId: invoice.id })
  return registrations?.[0]?.xml ?? ''
}

describe('an invoice of this book', () => {
  test('is found in every spelling', async () => {
    const original = await world.invoice({ lines: [{ description: 'Mesa', quantity: 1, unitPrice: 500 }] })
    expect(original.number).toBe('T-F2026-0001')
    for (const reference of spellings(original)) {
      const draft = await credit(reference)
      expect([reference, draft.rectifies]).toEqual([
        reference,
        [expect.objectContaining({ id: original.id, number: original.number })],
      ])
    }
  })

  test('is registered, paid and credited once under series and number as the API returns them', async () => {
    const original = await world.invoice({ lines: [{ description: 'Mesa', quantity: 1, unitPrice: 500 }] })
    const { series, number, issueDate } = original
    const asReturned = { series: series ?? '', number: number ?? '', issueDate: issueDate ?? '' }
    const issued = await world.issue((await credit(asReturned)).id)
    const xml = await xmlOf(issued)
    expect(xml).toContain('<sf:NumSerieFactura>T-F2026-0001</sf:NumSerieFactura>')
    expect(xml).not.toContain('T-F2026T-F2026')
    expect((await world.run('invoices.get', { id: original.id })).rectified).toBe('fully')
    expect(await faultsOf(await credit(asReturned))).toContain('error lines: credit_exceeds_original')
  })

  test('is found as a ticket with an invoice in its place', async () => {
    const ticket = await world.invoice({
      kind: 'F2',
      clientNif: null,
      clientName: 'Venta',
      priceMode: 'gross',
      lines: [{ description: 'Café', quantity: 1, unitPrice: 12.1 }],
    })
    for (const reference of spellings(ticket)) {
      const draft = await world.run('invoices.substitute', {
        invoices: [reference],
        clientName: 'Cliente Primero, S.L.',
        clientNif: 'B87654323',
      })
      expect(draft.substitutes).toEqual([expect.objectContaining({ id: ticket.id, number: ticket.number })])
    }
  })

  test('is refused under a date or a number that is not its own', async () => {
    const original = await world.invoice()
    const { id, number, issueDate } = original
    const other = `${(issueDate ?? '').slice(0, 8)}01`
    expect(other).not.toBe(issueDate)
    expect(await faultsOfRefusal(credit({ number: number ?? '', issueDate: other }))).toEqual([
      'rectifies[0].issueDate: reference_differs',
    ])
    expect(await faultsOfRefusal(credit({ id, issueDate: other }))).toEqual([
      'rectifies[0].issueDate: reference_differs',
    ])
    expect(await faultsOfRefusal(credit({ id, number: 'T-F2026-0999' }))).toEqual([
      'rectifies[0].number: reference_differs',
    ])
  })

  test('is not taken for one of another day that only looks like it', async () => {
    const { number } = await world.invoice()
    const alike = (number ?? '').replace(/-(\d+)$/, '/$1')
    const draft = await credit({ number: alike, issueDate: '2024-03-01' })
    expect(draft.rectifies).toEqual([{ number: alike, issueDate: '2024-03-01' }])
  })

  test('of the same number, in another year of another program, is named with a warning', async () => {
    const { number } = await world.invoice()
    const draft = await credit({ number: number ?? '', issueDate: '2024-03-01' })
    expect(draft.rectifies).toEqual([{ number, issueDate: '2024-03-01' }])
    expect(await faultsOf(draft)).toContain('warning rectifies[0]: reference_number_known')
  })
})

describe('an invoice of another program', () => {
  test.each([
    [{ series: 'A2024', number: 'A2024-0007' }, 'A2024-0007'],
    [{ series: 'a2024', number: 'A2024-0007' }, 'A2024-0007'],
    [{ series: 'A2024', number: 'A2024/7' }, 'A2024/7'],
    [{ series: 'A', number: 'A0007' }, 'A0007'],
    [{ series: '2024', number: '2024/0007' }, '2024/0007'],
    [{ series: 'A2024-', number: 'A2024-0007' }, 'A2024-0007'],
    [{ series: 'A2025', number: '-118' }, 'A2025-118'],
    [{ series: 'A', number: '57' }, 'A57'],
    [{ number: 'B-7' }, 'B-7'],
  ])('%o is %s', async (reference, printed) => {
    const draft = await credit({ ...reference, issueDate: '2024-11-15' })
    expect(draft.rectifies).toEqual([{ number: printed, issueDate: '2024-11-15' }])
  })

  test('is asked for as printed where series and number can be read in two ways', async () => {
    const asked = credit({ series: '1', number: '12', issueDate: '2024-11-15' })
    expect(await faultsOfRefusal(asked)).toEqual(['rectifies[0].number: reference_ambiguous'])
  })

  test('is told as an assumption where series and number were joined', async () => {
    const { assumptions } = await credit({ series: 'A', number: '57', issueDate: '2024-11-15' })
    expect(assumptions).toContainEqual(
      expect.objectContaining({ field: 'rectifies[0].number', value: 'A57' }),
    )
  })

  const word = (chars: string) => fc.string({ unit: fc.constantFrom(...chars), minLength: 1, maxLength: 6 })
  const parts = fc.record({
    series: word('AFZ019-'),
    separator: fc.constantFrom('', '-', '/', '.'),
    digits: word('0123456789'),
  })

  test('is never doubled, and never shortened, whatever its series', () => {
    fc.assert(
      fc.property(parts, ({ series, separator, digits }) => {
        const whole = `${series}${separator}${digits}`
        // A number that holds its series is that number; where it could be two it is asked for.
        const read = externalNumber(series, whole)
        if (read === 'ambiguous') expect(separator + series.replace(/\d/g, '')).toBe('')
        else expect(read).toEqual({ number: whole, from: 'number' })
        const joined = externalNumber(series, digits)
        if (joined !== 'ambiguous' && joined.from === 'both') expect(joined.number).toBe(series + digits)
      }),
      { numRuns: 1000 },
    )
  })
})

test('200 random references, of this book and of others', async () => {
  expect(await resolveRandomly(2, 200)).toEqual({ differences: [], runs: 200 })
})

describe('what was rectified before', () => {
  const elsewhere = { number: 'A2024-0007', issueDate: '2024-11-15' }

  test('of another program is told, by either method', async () => {
    expect(await faultsOf(await credit(elsewhere))).not.toContain('warning rectifies[0]: rectified_before')
    const first = await world.issue((await credit(elsewhere)).id)
    expect(await faultsOf(await credit(elsewhere))).toContain('warning rectifies[0]: rectified_before')
    const whole = await world.draft({
      ...CREDIT,
      kind: 'R4',
      lines: [{ description: 'Lo correcto', quantity: 1, unitPrice: 400 }],
      rectifies: [{ ...elsewhere, series: 'A2024' }],
      rectification: { method: 'S', cause: 'wrong_amount', base: 500, tax: 105 },
    })
    expect(await faultsOf(whole)).toContain('warning rectifies[0]: rectified_before')
    // Annulled, it took back nothing.
    await world.send()
    await cancel(world, first.id)
    expect(await faultsOf(await credit(elsewhere))).not.toContain('warning rectifies[0]: rectified_before')
  })

  test('of another program by substitution leaves nothing to rectify', async () => {
    const whole = await world.invoice({
      ...CREDIT,
      kind: 'R4',
      lines: [{ description: 'Lo correcto', quantity: 1, unitPrice: 400 }],
      rectifies: [elsewhere],
      rectification: { method: 'S', cause: 'wrong_amount', base: 500, tax: 105 },
    })
    expect(whole.state).toBe('issued')
    expect(await faultsOf(await credit(elsewhere))).toContain('error rectifies[0]: rectified_replaced')
  })

  test('of a ticket of another program: one invoice stands in its place', async () => {
    const ticket = [{ number: 'TPV-991', issueDate: '2026-10-02' }]
    const customer = { clientName: 'Cliente Primero, S.L.', clientNif: 'B87654323' }
    const lines = [{ description: 'Café', quantity: 1, unitPrice: 12.1 }]
    const made = await world.run('invoices.substitute', { invoices: ticket, lines, ...customer })
    await world.issue(made.id)
    expect(
      await faultsOfRefusal(world.run('invoices.substitute', { invoices: ticket, lines, ...customer })),
    ).toEqual(['invoices[0]: substituted_already'])
  })

  test('an invoice of another program beside one of this book hides no credit beyond it', async () => {
    const original = await world.invoice({ lines: [{ description: 'Mesa', quantity: 1, unitPrice: 400 }] })
    const draft = await credit({ id: original.id }, elsewhere)
    expect(await faultsOf(draft)).toContain('warning lines: credit_exceeds_known')
    const within = await world.invoice({ lines: [{ description: 'Mesa', quantity: 1, unitPrice: 500 }] })
    expect(await faultsOf(await credit({ id: within.id }, elsewhere))).not.toContain(
      'warning lines: credit_exceeds_known',
    )
  })

  test('a substitution says what the invoice of this book said, not another amount', async () => {
    const original = await world.invoice({ lines: [{ description: 'Mesa', quantity: 1, unitPrice: 400 }] })
    const draft = await world.draft({
      ...CREDIT,
      kind: 'R4',
      lines: [{ description: 'Lo correcto', quantity: 1, unitPrice: 300 }],
      rectifies: [{ id: original.id }],
      rectification: { method: 'S', cause: 'wrong_amount', base: 5000, tax: 1050 },
    })
    expect(await faultsOf(draft)).toContain('error rectification.base: rectified_amounts_differ')
  })
})

test.each(['R2', 'R3'] as const)(
  '%s states no new whole: it would take back the income that is still owed',
  async (kind) => {
    const original = await world.invoice({ lines: [{ description: 'Mesa', quantity: 1, unitPrice: 400 }] })
    for (const rectifies of [[{ id: original.id }], [{ number: 'A2024-0007', issueDate: '2024-11-15' }]]) {
      const draft = await world.draft({
        ...CREDIT,
        kind,
        lines: [{ description: 'Mesa', quantity: 1, unitPrice: 400 }],
        rectifies,
        rectification: { method: 'S', reason: 'Concurso', base: 400, tax: 84 },
      })
      expect(await faultsOf(draft)).toContain('error rectification.method: method_not_for_cause')
    }
  },
)

describe('a kind that has no place for it', () => {
  const elsewhere = [{ number: 'A2024-0007', issueDate: '2024-11-15' }]
  const { rectification, lines } = CREDIT

  test('refuses rectifies, rectification and substitutes in place of dropping them', async () => {
    for (const kind of ['F1', 'F2', 'F3'] as const) {
      expect(await faultsOfRefusal(world.draft({ kind, lines, rectifies: elsewhere }))).toEqual([
        'rectifies: rectified_not_allowed',
      ])
      expect(await faultsOfRefusal(world.draft({ kind, lines, rectification }))).toEqual([
        'rectification: rectification_not_allowed',
      ])
    }
    for (const kind of ['F1', 'F2', 'R1'] as const)
      expect(await faultsOfRefusal(world.draft({ kind, lines, substitutes: elsewhere }))).toEqual([
        'substitutes: substituted_not_allowed',
      ])
    expect(
      (await world.draft({ kind: 'F1', rectifies: [], substitutes: [], rectification: null })).kind,
    ).toBe('F1')
  })

  test('refuses them in a change of a draft too; a new kind gives up what was said before', async () => {
    const ordinary = await world.draft()
    expect(
      await faultsOfRefusal(world.run('invoices.update', { id: ordinary.id, rectifies: elsewhere })),
    ).toEqual(['rectifies: rectified_not_allowed'])
    const rectifying = await credit(...elsewhere)
    const changed = await world.run('invoices.update', {
      id: rectifying.id,
      kind: 'F1',
    })
    expect(changed).toMatchObject({ kind: 'F1', rectifies: [] })
    expect(changed.rectification ?? null).toBeNull()
  })
})
