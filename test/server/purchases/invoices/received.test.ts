/** Received invoices over REST: entering, changing, voiding, numbering, duplicates, files, lists, and what they post. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { monthTotals, verifyTaxTotals } from '../../../../server/tax/totals/index.ts'
import { lockedUntil } from '../../../../server/accounting/ledger/index.ts'
import { recordPayment, removePayment } from '../../../../server/accounting/payments/index.ts'
import { findReceived } from '../../../../server/purchases/invoices/index.ts'
import { sweptCount } from '../../../support/sweep.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const PATH = '/api/v1/received-invoices'

const BILL = {
  supplierName: 'Papelería Sol, S.L.',
  supplierNif: 'B58818501',
  supplierNumber: 'V-77',
  issueDate: '2026-06-20',
  receptionDate: '2026-06-22',
  taxLines: [{ base: 100, vatRate: 21 }],
}

async function enter(world: World, changes: object = {}) {
  const answer = await world.post(PATH, { ...BILL, ...changes })
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.body.data
}

/** Debits and credits of its entry, by account. */
async function entryOf(world: World, id: string): Promise<Record<string, number>> {
  const ctx = world.ctx()
  const row = await findReceived(ctx, id)
  const lines = await ctx.db
    .selectFrom('journal_lines')
    .innerJoin('journal_entries', 'journal_entries.id', 'journal_lines.entry_id')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'journal_lines.account_id')
    .select(['ledger_accounts.code', 'journal_lines.amount_cents'])
    .where('journal_entries.source_id', '=', row?.id ?? -1)
    .where('journal_entries.source_type', '=', 2)
    .execute()
  return Object.fromEntries(lines.map((line) => [line.code, line.amount_cents]))
}

async function monthTotal(world: World, month: number) {
  const [total] = await monthTotals(world.ctx(), 'received', { from: month, to: month })
  return total
}

async function lock(world: World, day: number): Promise<void> {
  const ctx = world.ctx()
  await ctx.transaction(async (tx) => {
    await tx.db
      .insertInto('period_locks')
      .values({ book_id: tx.book.id, locked_until: day, updated_at: 0 })
      .onConflict((conflict) => conflict.column('book_id').doUpdateSet({ locked_until: day }))
      .execute()
  })
  expect(await lockedUntil(ctx)).not.toBeNull()
}

describe('entering', () => {
  test('an invoice gets its number, its sums, its entry and its figures', async () => {
    const world = await openWorld()
    const bill = await enter(world, { concept: 'G19', withholding: { rate: 15 }, dueDate: '2026-07-20' })
    expect(bill).toMatchObject({
      receptionNumber: '2026-0001',
      state: 'entered',
      base: 100,
      tax: 21,
      total: 121,
      deductible: 21,
      withholding: { rate: 15, base: 100, amount: 15, reason: 'professional' },
      payable: 106,
      amountDue: 106,
      payment: { status: 'unpaid', paid: 0 },
      files: 0,
    })
    expect(bill.warnings.map(({ code }: { code: string }) => code)).toEqual(['withholding_of_company'])
    expect(bill.taxLines[0]).toMatchObject({
      concept: 'G19',
      account: '623',
      regimeKey: '01',
      selfAssessed: false,
    })
    const entry = await entryOf(world, bill.id)
    expect(entry).toMatchObject({ '623': 10_000, '4751': -1_500, '410': -10_600 })
    expect(Object.values(entry).reduce((sum, cents) => sum + cents, 0)).toBe(0)
    expect(await monthTotal(world, 202606)).toMatchObject({
      documents: 1,
      baseCents: 10_000,
      taxCents: 2_100,
      incomeCents: 10_000,
      withholdingCents: 1_500,
      withoutFile: 1,
    })
    const got = await world.get(`${PATH}/${bill.id}`)
    expect((await world.get(`${PATH}/2026-0001`)).body.data).toEqual(got.body.data)
  })

  test('what the document charges counts; a cent is rounding, more is told', async () => {
    const world = await openWorld()
    const near = await enter(world, { taxLines: [{ base: 33.33, vatRate: 21, tax: 7.01 }] })
    expect(near).toMatchObject({ tax: 7.01, warnings: [] })
    const far = await enter(world, {
      supplierNumber: 'V-78',
      taxLines: [{ base: 33.33, vatRate: 21, tax: 7.5 }],
    })
    expect(far.tax).toBe(7.5)
    expect(far.warnings).toMatchObject([
      { code: 'tax_deviates', field: 'taxLines[0].tax', params: { given: '7.50', expected: '7.00' } },
    ])
  })

  test.each([
    ['goods from the EU', { nature: 'eu_goods' }, 'eu_goods', '09'],
    ['services from the EU', {}, 'eu_services', '09'],
  ])(
    '%s: the VAT is declared and deducted by the company, and not paid',
    async (_name, line, nature, key) => {
      const world = await openWorld()
      const bill = await enter(world, {
        supplierNif: 'DE123456789',
        taxLines: [{ base: 200, taxTreatment: 'S2', ...line }],
      })
      expect(bill).toMatchObject({ tax: 0, selfAssessed: 42, deductible: 42, total: 200, payable: 200 })
      expect(bill.supplier).toMatchObject({ country: 'DE', idType: '02' })
      expect(bill.taxLines[0]).toMatchObject({ nature, regimeKey: key, selfAssessed: true, vatRate: 21 })
      const entry = await entryOf(world, bill.id)
      expect(Object.values(entry).reduce((sum, cents) => sum + cents, 0)).toBe(0)
      expect(entry['410']).toBe(-20_000)
    },
  )

  test('of a customs document only the VAT is paid; the goods are on the invoice of who sold them', async () => {
    const world = await openWorld()
    const dua = await enter(world, { kind: 'customs', supplierNumber: '26ES00280130000012' })
    expect(dua).toMatchObject({ base: 100, tax: 21, total: 121, payable: 21, deductible: 21 })
    expect(await monthTotal(world, 202606)).toMatchObject({ totalCents: 2_100, incomeCents: 0 })
  })

  test('a half-deductible car, a ticket and a receipt', async () => {
    const world = await openWorld()
    const car = await enter(world, { taxLines: [{ base: 100, vatRate: 21, deductiblePct: 50 }] })
    expect(car.deductible).toBe(10.5)
    expect((await entryOf(world, car.id))['629']).toBe(11_050)
    const ticket = await enter(world, { kind: 'simplified', supplierNumber: 'T1' })
    expect(ticket.deductible).toBe(0)
    const wages = await enter(world, {
      kind: 'receipt',
      supplierNumber: null,
      supplierNif: null,
      supplierName: 'Nóminas de junio',
      concept: 'G04',
      taxLines: [{ base: 2000 }],
    })
    expect(wages).toMatchObject({ tax: 0, total: 2000 })
    expect(await entryOf(world, wages.id)).toEqual({ '640': 200_000, '465': -200_000 })
  })

  test('another currency is booked in euros at its rate', async () => {
    const world = await openWorld()
    const bill = await enter(world, {
      supplierNif: null,
      supplier: { country: 'US' },
      currency: 'USD',
      fxRate: 1.1,
      taxLines: [{ base: 110.55, taxTreatment: 'S2' }],
    })
    expect(bill).toMatchObject({ base: 100.5, selfAssessed: 21.11, currencyTotal: 110.55, total: 100.5 })
    expect(bill.taxLines[0].nature).toBe('foreign_services')
    const changed = await world.patch(`${PATH}/${bill.id}`, { fxRate: 1 })
    expect(changed.body.data).toMatchObject({ base: 110.55, currencyTotal: 110.55, version: 2 })
  })

  test.each([
    [{ supplierNumber: null }, 'required', 'supplierNumber'],
    [{ issueDate: '2026-08-01' }, 'issue_date_future', 'issueDate'],
    [{ receptionDate: '2026-06-01' }, 'reception_before_issue', 'receptionDate'],
    [{ dueDate: '2026-06-01' }, 'due_date_before_issue', 'dueDate'],
    [{ currency: 'USD' }, 'fx_rate_missing', 'fxRate'],
    [{ concept: 'G21' }, 'concept_unknown', 'taxLines[0].concept'],
    [{ concept: 'G06' }, 'concept_not_in_force', 'taxLines[0].concept'],
    [{ kind: 'receipt' }, 'receipt_with_vat', 'taxLines[0].vatRate'],
    [{ kind: 'reagyp', taxLines: [{ base: 10 }] }, 'required', 'taxLines[0].vatRate'],
    [{ taxLines: [{ base: 10, taxTreatment: 'E1', tax: 2 }] }, 'rate_without_tax', 'taxLines[0].vatRate'],
    [
      { taxLines: [{ base: 10, taxTreatment: 'S1', nature: 'eu_goods' }] },
      'nature_treatment',
      'taxLines[0].taxTreatment',
    ],
    [{ taxLines: [{ base: 0 }] }, 'total_zero', 'taxLines[0].base'],
    [{ deductionPeriod: { year: 2026, quarter: 1 } }, 'deduction_too_early', 'deductionPeriod'],
    [{ attachments: ['att_none'] }, 'attachment_unknown', 'attachments[0]'],
    [{ supplierId: 'con_none' }, 'contact_unknown', 'supplierId'],
  ])('%j is refused: %s at %s', async (changes, code, field) => {
    const world = await openWorld()
    const answer = await world.post(PATH, { ...BILL, ...changes })
    expect(answer.status).toBe(422)
    expect(answer.body.error.details.faults).toContainEqual(
      expect.objectContaining({ code, field, severity: 'error' }),
    )
    expect((await world.get(PATH)).body.data.items).toEqual([])
  })
})

describe('numbers', () => {
  test('are correlative by year without gaps, also when many are entered at once, and a void one keeps its own', async () => {
    const world = await openWorld()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        world.post(PATH, {
          ...BILL,
          supplierNumber: `N-${index}`,
          ...(index % 4 === 0 ? { issueDate: '2025-12-30', receptionDate: '2025-12-31' } : {}),
          ...(index % 10 === 9 ? { taxLines: [] } : {}),
        }),
      ),
    )
    const numbers = answers
      .filter(({ status }) => status === 201)
      .map(({ body }) => body.data.receptionNumber)
    const of = (year: number) => numbers.filter((number) => number.startsWith(`${year}-`)).toSorted()
    const counting = (year: number, count: number) =>
      Array.from({ length: count }, (_, index) => `${year}-${String(index + 1).padStart(4, '0')}`)
    expect(of(2025)).toEqual(counting(2025, 10))
    expect(of(2026)).toEqual(counting(2026, 26))
    const voided = await world.delete(`${PATH}/2026-0026`)
    expect(voided.body.data).toMatchObject({ state: 'void', amountDue: 0, payment: { status: 'void' } })
    expect((await enter(world, { supplierNumber: 'N-40' })).receptionNumber).toBe('2026-0027')
  })

  test('the same supplier, number and date is asked about; void ones do not count', async () => {
    const world = await openWorld()
    const first = await enter(world)
    const again = await world.post(PATH, { ...BILL, supplierNumber: ' v- 77 ', supplierName: 'Otro nombre' })
    expect(again.status).toBe(409)
    expect(again.body.error).toMatchObject({
      code: 'received_duplicate',
      details: { existing: { id: first.id, receptionNumber: '2026-0001' } },
    })
    await enter(world, { supplierNif: '12345678Z', supplierName: 'Lucía' })
    await enter(world, { allowDuplicate: true })
    const other = await enter(world, { supplierNumber: 'V-79' })
    expect((await world.patch(`${PATH}/${other.id}`, { supplierNumber: 'V-77' })).body.error.code).toBe(
      'received_duplicate',
    )
    // A change of something else does not ask again.
    expect((await world.patch(`${PATH}/${first.id}`, { notes: 'Revisada' })).status).toBe(200)
  })
})

describe('changing', () => {
  test('follows in figures and ledger, keeps its number, and guards against lost updates', async () => {
    const world = await openWorld()
    const bill = await enter(world, { withholding: { rate: 15 } })
    const changed = await world.patch(`${PATH}/${bill.id}`, {
      taxLines: [{ base: 200, vatRate: 10 }],
      operationDate: '2026-05-31',
      expectedVersion: 1,
    })
    expect(changed.body.data).toMatchObject({
      receptionNumber: '2026-0001',
      version: 2,
      total: 220,
      withholding: { base: 200, amount: 30 },
      payable: 190,
    })
    expect(await entryOf(world, bill.id)).toMatchObject({ '629': 20_000, '410': -19_000 })
    expect((await monthTotal(world, 202606))?.documents ?? 0).toBe(0)
    expect(await monthTotal(world, 202605)).toMatchObject({ documents: 1, baseCents: 20_000 })
    const lost = await world.patch(`${PATH}/${bill.id}`, { notes: 'x', expectedVersion: 1 })
    expect(lost.body.error).toMatchObject({ code: 'version_conflict', details: { version: 2 } })
    const year = await world.patch(`${PATH}/${bill.id}`, {
      issueDate: '2025-12-01',
      receptionDate: '2025-12-02',
    })
    expect(year.body.error.details.faults[0].code).toBe('reception_year_fixed')
  })

  test('a new concept reaches the lines and their accounts', async () => {
    const world = await openWorld()
    const bill = await enter(world)
    expect(bill.taxLines[0].account).toBe('629')
    const changed = await world.patch(`${PATH}/${bill.id}`, { concept: 'G01' })
    expect(changed.body.data.taxLines[0]).toMatchObject({ concept: 'G01', account: '600' })
    expect(await entryOf(world, bill.id)).toMatchObject({ '600': 10_000, '400': -12_100 })
    // And it is the usual one of this supplier from now on.
    expect((await enter(world, { supplierNumber: 'V-80' })).concept).toBe('G01')
  })

  test('a closed period refuses entering, changing, voiding and taking files off; a late file is welcome', async () => {
    const world = await openWorld()
    const bill = await enter(world)
    const { data: file } = (
      await world.post('/api/v1/attachments', {
        name: 'f.txt',
        content: Buffer.from('factura').toString('base64'),
      })
    ).body
    await lock(world, 20260630)
    const codes = [
      await world.post(PATH, { ...BILL, supplierNumber: 'V-90' }),
      await world.patch(`${PATH}/${bill.id}`, { notes: 'x' }),
      await world.delete(`${PATH}/${bill.id}`),
    ].map(({ status, body }) => [status, body.error.code, body.error.field])
    expect(codes).toEqual(Array.from({ length: 3 }, () => [409, 'period_locked', 'receptionDate']))
    const attached = await world.post(`${PATH}/${bill.id}/attachments`, { attachmentId: file.id })
    expect(attached.body.data.files).toBe(1)
    expect((await monthTotal(world, 202606))?.withoutFile).toBe(0)
    const detached = await world.delete(`${PATH}/${bill.id}/attachments/${file.id}`)
    expect(detached.body.error.code).toBe('period_locked')
    expect((await world.get(`${PATH}/${bill.id}`)).body.data.attachments).toHaveLength(1)
  })

  test('a contact can go although a void entry and one in force are of it', async () => {
    const world = await openWorld()
    const contact = await world.run('contacts.create', { name: 'Papelería Sol, S.L.', nif: 'B58818501' })
    const first = await enter(world)
    expect(first.supplierId).toBe(contact.id)
    await world.delete(`${PATH}/${first.id}`)
    const second = await enter(world, { supplierId: contact.id, supplierNif: undefined })
    expect(second.supplierNif).toBe('B58818501')
    await world.run('contacts.delete', { id: contact.id })
    for (const { id } of [first, second])
      expect((await world.get(`${PATH}/${id}`)).body.data).toMatchObject({
        supplierId: null,
        supplier: { name: 'Papelería Sol, S.L.', nif: 'B58818501' },
      })
  })

  test('a void one can be neither changed nor voided again, and one with payments not voided', async () => {
    const world = await openWorld()
    const bill = await enter(world)
    const ctx = world.ctx()
    const row = await findReceived(ctx, bill.id)
    const payment = await recordPayment(ctx, {
      direction: 'out',
      date: '2026-06-30',
      amountCents: 10_000,
      method: 'transfer',
      allocations: [{ receivedId: row?.id ?? 0, cents: 10_000 }],
    })
    expect((await world.get(`${PATH}/${bill.id}`)).body.data).toMatchObject({
      amountDue: 21,
      payment: { status: 'partial', paid: 100 },
    })
    expect((await world.delete(`${PATH}/${bill.id}`)).body.error.code).toBe('received_paid')
    const below = await world.patch(`${PATH}/${bill.id}`, { taxLines: [{ base: 50, vatRate: 21 }] })
    expect(below.body.error.details.faults[0].code).toBe('below_paid')
    await removePayment(ctx, payment)
    expect((await world.delete(`${PATH}/${bill.id}`)).body.data.state).toBe('void')
    expect((await world.patch(`${PATH}/${bill.id}`, { notes: 'x' })).body.error.code).toBe('received_void')
    expect((await world.delete(`${PATH}/${bill.id}`)).body.error.code).toBe('received_void')
    expect(await entryOf(world, bill.id)).toEqual({})
    expect((await monthTotal(world, 202606))?.documents ?? 0).toBe(0)
  })

  test('under cash accounting the VAT is deducted as it is paid, also after a change', async () => {
    const world = await openWorld()
    const bill = await enter(world, { cashAccounting: true })
    const deducted = async (): Promise<number> => {
      const { sum } = await world
        .ctx()
        .db.selectFrom('figure_entries')
        .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('deductible_cents'), eb.lit(0)).as('sum'))
        .executeTakeFirstOrThrow()
      return sum
    }
    expect(await deducted()).toBe(0)
    const ctx = world.ctx()
    const row = await findReceived(ctx, bill.id)
    const payment = await recordPayment(ctx, {
      direction: 'out',
      date: '2026-06-30',
      amountCents: 6_050,
      method: 'transfer',
      allocations: [{ receivedId: row?.id ?? 0, cents: 6_050 }],
    })
    expect(await deducted()).toBe(1_050)
    await world.patch(`${PATH}/${bill.id}`, { taxLines: [{ base: 200, vatRate: 21 }] })
    expect(await deducted()).toBe(1_050)
    await removePayment(ctx, payment)
    expect(await deducted()).toBe(0)
  })

  test(
    'whatever is entered, changed and voided, the figures are those of what stands',
    { timeout: 30_000 },
    async () => {
      const world = await openWorld()
      const line = fc.record({
        base: fc.integer({ min: -5_000_000, max: 5_000_000 }).map((cents) => cents / 100),
        shape: fc.constantFrom<object>(
          { vatRate: 21 },
          { vatRate: 10 },
          { vatRate: 4, deductiblePct: 50 },
          { taxTreatment: 'S2', nature: 'eu_goods' },
          { taxTreatment: 'S2', nature: 'reverse_charge' },
          { taxTreatment: 'E1' },
          { vatRate: 21, surchargeRate: 5.2, deductiblePct: 0 },
          { vatRate: 21, investmentGood: true },
        ),
      })
      const body = fc.record({
        lines: fc.array(line, { minLength: 1, maxLength: 3 }),
        issue: fc.constantFrom('2026-03-30', '2026-04-02', '2026-06-20'),
        later: fc.boolean(),
        cash: fc.boolean(),
        withholding: fc.boolean(),
      })
      const step = fc.record({ body, change: fc.option(body), isVoid: fc.boolean() })
      let counter = 0
      const inputOf = (drawn: {
        lines: { base: number; shape: object }[]
        issue: string
        later: boolean
        cash: boolean
        withholding: boolean
      }) => ({
        supplierName: 'Proveedor',
        supplierNif: 'B58818501',
        issueDate: drawn.issue,
        receptionDate: drawn.later ? '2026-07-01' : drawn.issue,
        taxLines: drawn.lines.map(({ base, shape }) => ({ base: base === 0 ? 1 : base, ...shape })),
        cashAccounting: drawn.cash,
        withholding: drawn.withholding ? { rate: 15 } : null,
      })
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
          for (const { body: drawn, change, isVoid } of steps) {
            counter += 1
            const bill = await enter(world, { ...inputOf(drawn), supplierNumber: `P-${counter}` })
            if (change) {
              const changed = await world.patch(`${PATH}/${bill.id}`, inputOf(change))
              expect(changed.status, changed.raw.body).toBe(200)
            }
            if (isVoid) expect((await world.delete(`${PATH}/${bill.id}`)).status).toBe(200)
          }
        }),
        { numRuns: sweptCount(25, 10) },
      )
      const ctx = world.ctx()
      expect(await verifyTaxTotals(ctx)).toEqual([])
      const standing = await ctx.db
        .selectFrom('received_invoices')
        .select((eb) => [
          eb.fn.countAll<number>().as('documents'),
          eb.fn.sum<number>('base_cents').as('base'),
          eb.fn.sum<number>('withholding_cents').as('withheld'),
          eb.fn.sum<number>('tax_cents').as('tax'),
        ])
        .where('state', '=', 'entered')
        .executeTakeFirstOrThrow()
      const months = await monthTotals(ctx, 'received', { from: 202601, to: 202612 })
      const sum = (of: (month: (typeof months)[number]) => number): number =>
        months.reduce((total, month) => total + of(month), 0)
      const counted = {
        documents: sum(({ documents }) => documents),
        base: sum(({ baseCents }) => baseCents),
        withheld: sum(({ withholdingCents }) => withholdingCents),
        tax: sum(({ taxCents }) => taxCents),
      }
      expect(counted).toEqual(standing)
      const { owed } = await ctx.db
        .selectFrom('received_invoices')
        .select((eb) => eb.fn.sum<number>('payable_cents').as('owed'))
        .where('state', '=', 'entered')
        .executeTakeFirstOrThrow()
      const { booked } = await ctx.db
        .selectFrom('journal_lines')
        .innerJoin('ledger_accounts', 'ledger_accounts.id', 'journal_lines.account_id')
        .select((eb) => eb.fn.sum<number>('amount_cents').as('booked'))
        .where('ledger_accounts.code', 'in', ['400', '410', '523'])
        .executeTakeFirstOrThrow()
      expect(booked).toBe(-owed)
    },
  )
})

describe('files', () => {
  test('are kept once, read back bit for bit, and go with their last link', async () => {
    const world = await openWorld()
    const bytes = Buffer.from('%PDF-1.7\nuna factura con eñe y \u0000 ceros', 'utf8')
    const upload = { name: 'Factura de José.pdf', content: bytes.toString('base64') }
    const first = await world.post('/api/v1/attachments', upload)
    expect(first.status).toBe(201)
    expect(first.body.data).toMatchObject({ mediaType: 'application/pdf', size: bytes.length })
    const again = await world.post('/api/v1/attachments', { ...upload, name: 'otra.pdf' })
    expect(again.body.data.id).toBe(first.body.data.id)
    const { id } = first.body.data
    const one = await enter(world, { attachments: [id] })
    const two = await enter(world, { supplierNumber: 'V-2', attachments: [id] })
    expect(one).toMatchObject({ files: 1, attachments: [{ id, name: 'Factura de José.pdf' }] })
    const down = await world.get(`/api/v1/attachments/${id}`)
    expect(down.raw.rawPayload.equals(bytes)).toBe(true)
    expect(down.headers['content-type']).toBe('application/pdf')
    expect(down.headers.etag).toBe(`"${first.body.data.sha256}"`)
    expect((await world.delete(`/api/v1/attachments/${id}`)).body.error.code).toBe('attachment_in_use')
    expect((await world.delete(`${PATH}/${one.id}/attachments/${id}`)).body.data.files).toBe(0)
    expect((await world.get(`/api/v1/attachments/${id}`)).status).toBe(200)
    await world.delete(`${PATH}/${two.id}/attachments/${id}`)
    expect((await world.get(`/api/v1/attachments/${id}`)).status).toBe(404)
    const counted = await world.ctx().db.selectFrom('file_bytes').select('file_id').execute()
    expect(counted).toEqual([])
  })

  test('of another book do not exist', async () => {
    const world = await openWorld()
    const { data: file } = (
      await world.post('/api/v1/attachments', {
        name: 'a.txt',
        content: Buffer.from('hola').toString('base64'),
      })
    ).body
    const key = await world.key('live')
    expect((await world.get(`/api/v1/attachments/${file.id}`, { key })).status).toBe(404)
    const bill = await enter(world)
    expect((await world.get(`${PATH}/${bill.id}`, { key })).status).toBe(404)
  })
})

describe('lists', () => {
  test('by cursor and filter, with totals that leave void ones out, and as the window shows them', async () => {
    const world = await openWorld({ at: '2026-07-25T10:00:00+02:00' })
    for (const [index, base] of [10, 20, 30, 40].entries())
      await enter(world, {
        supplierNumber: `L-${index}`,
        taxLines: [{ base, vatRate: 21 }],
        concept: index === 0 ? 'G14' : 'G22',
        dueDate: index === 1 ? '2026-07-01' : null,
      })
    await world.delete(`${PATH}/2026-0004`)
    const first = await world.get(`${PATH}?limit=3&sort=total&totals=true`)
    expect(first.body.data.items.map((item: { base: number }) => item.base)).toEqual([10, 20, 30])
    expect(first.body.data.totals).toEqual({ count: 4, base: 60, tax: 12.6, total: 72.6, due: 72.6 })
    const rest = await world.get(
      `${PATH}?limit=3&sort=total&totals=true&cursor=${first.body.data.nextCursor}`,
    )
    expect(rest.body.data.items.map((item: { base: number }) => item.base)).toEqual([40])
    expect(rest.body.data.nextCursor).toBeNull()
    const count = async (query: string): Promise<number> =>
      (await world.get(`${PATH}?${query}`)).body.data.items.length
    expect(await count('paymentStatus=overdue')).toBe(1)
    expect(await count('paymentStatus=unpaid')).toBe(2)
    expect(await count('paymentStatus=void')).toBe(1)
    expect(await count('concept=G14')).toBe(1)
    expect(await count('withoutFile=true')).toBe(3)
    expect(await count('nif=b-58818501')).toBe(4)
    expect(await count('text=sol')).toBe(4)
    expect(await count('text=24,20')).toBe(1)
    expect(await count('text=2026-0002')).toBe(1)
    expect(await count('from=2026-06-23')).toBe(0)
    const window = await world.run('received.window', { view: 'overdue', summary: true, limit: 10 })
    expect(window.items).toHaveLength(1)
    expect(window.views).toEqual({ all: 4, owed: 3, overdue: 1, withoutFile: 3, history: 0 })
  })

  test('concepts come with their usual account', async () => {
    const world = await openWorld()
    const { items } = (await world.get(`${PATH}/concepts`)).body.data
    expect(items).toHaveLength(45)
    expect(items.find((concept: { code: string }) => concept.code === 'G19')).toMatchObject({
      account: '623',
      vat: true,
    })
  })

  test('a preview writes nothing and tells what would be wrong', async () => {
    const world = await openWorld()
    await enter(world)
    const preview = await world.run('received.preview', {
      ...BILL,
      deductionPeriod: { year: 2026, quarter: 3 },
    })
    expect(preview).toMatchObject({
      total: 121,
      period: { year: 2026, quarter: 3 },
      duplicate: { receptionNumber: '2026-0001' },
    })
    expect((await world.get(PATH)).body.data.items).toHaveLength(1)
  })
})
