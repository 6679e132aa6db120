/** The unified books of a company, written by Sello and read again: every document as it is in the books. */
import { describe, expect, test } from 'vitest'
import { booksFile } from '../../../../../server/accounting/returns/index.ts'
import { fillSample, getSample } from '../../../../../server/app/demo/index.ts'
import { recognizeFile } from '../../../../../server/app/moving-in/files/read.ts'
import { findCompany } from '../../../../../server/company/index.ts'
import { inBook } from '../../../../../server/context.ts'
import type { Ctx } from '../../../../../server/context.ts'
import type { HistoryDocument } from '../../../../../server/domain/history.ts'
import { incomeOfTax } from '../../../../../server/domain/tax/totals.ts'
import { loadBook } from '../../../../../server/platform/books/index.ts'
import { CLIENT_ADDRESS, openBooks } from '../../../../support/books.ts'
import type { DraftInput, TestBooks } from '../../../../support/books.ts'
import { readFileOf } from '../../../../support/files/history-files.ts'
import { openTestStore } from '../../../../support/store.ts'
import { FRENCH, line, purchase, workedQuarter } from '../../../accounting/returns/worked.ts'

const CONSUMER = 'VENTAS A CONSUMIDOR FINAL'
const cut = (text: string, length: number): string => [...text.trim()].slice(0, length).join('').trimEnd()
const bare = (nif: string | null): string | null =>
  nif === null ? null : nif.replace(/[^0-9A-Za-z]/g, '').toUpperCase()

/** A document in the words of the books, as far as the layout holds it. */
interface Told {
  number: string
  kind: string
  issueDate: string
  operationDate: string | null
  party: { nif: string | null; name: string; idType: string | null; country: string }
  taxes: (string | number | null)[][]
  withheld: [rateBp: number, cents: number] | null
  payments: [date: string, cents: number][]
  replaced: { number: string; baseCents: number; taxCents: number }[]
}

/** Returns the issued documents of a year as the tables hold them. */
async function issuedIn(ctx: Ctx, year: number, isLegal: boolean): Promise<Told[]> {
  const invoices = await ctx.db
    .selectFrom('invoices')
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .selectAll('invoices')
    .select(['parties.name', 'parties.nif', 'parties.id_type', 'parties.country'])
    .where('invoices.book_id', '=', ctx.book.id)
    .where('invoices.state', '=', 'issued')
    .where('invoices.cancelled_at', 'is', null)
    .where('invoices.issue_date', '>=', `${year}-01-01`)
    .where('invoices.issue_date', '<=', `${year}-12-31`)
    .orderBy('invoices.list_date')
    .orderBy('invoices.id')
    .execute()
  const told: Told[] = []
  for (const row of invoices) {
    const taxes = await ctx.db
      .selectFrom('invoice_taxes')
      .selectAll()
      .where('invoice_id', '=', row.id)
      .orderBy('position')
      .execute()
    const payments = await ctx.db
      .selectFrom('payment_allocations')
      .innerJoin('payments', 'payments.id', 'payment_allocations.payment_id')
      .select(['payments.date', 'payment_allocations.cents'])
      .where('payment_allocations.invoice_id', '=', row.id)
      .orderBy('payments.date')
      .orderBy('payments.id')
      .execute()
    const replaced = await ctx.db
      .selectFrom('invoice_replacements')
      .innerJoin('invoices', 'invoices.id', 'invoice_replacements.replaced_id')
      .innerJoin('invoice_taxes', 'invoice_taxes.invoice_id', 'invoices.id')
      .select(['invoices.number', 'invoice_taxes.base_cents', 'invoice_taxes.tax_cents'])
      .where('invoice_replacements.invoice_id', '=', row.id)
      .orderBy('invoice_replacements.replaced_id')
      .orderBy('invoice_taxes.position')
      .execute()
    const isTicket = row.kind === 'F2' || row.kind === 'R5'
    const isSpanish = row.id_type === null || row.id_type === '07'
    told.push({
      number: row.number ?? '',
      kind: row.kind,
      issueDate: row.issue_date ?? '',
      operationDate: row.operation_date === row.issue_date ? null : row.operation_date,
      party: {
        nif: bare(row.nif),
        name: row.nif === null && isTicket ? CONSUMER : cut(row.name, 40),
        idType: isSpanish ? null : row.id_type,
        country: isSpanish ? 'ES' : row.country,
      },
      taxes: taxes.map((tax) => {
        const isTaxed = tax.tax_treatment === 'S1'
        const isReverse = tax.tax_treatment === 'S2'
        return [
          tax.tax_treatment,
          tax.regime_key,
          isTaxed ? tax.vat_rate_bp : isReverse ? 0 : null,
          tax.base_cents,
          isTaxed ? tax.tax_cents : 0,
          isTaxed ? tax.surcharge_bp : null,
          isTaxed ? tax.surcharge_cents : 0,
          isLegal
            ? null
            : incomeOfTax(row.kind, {
                regimeKey: tax.regime_key,
                baseCents: tax.base_cents,
                outsideCents: tax.outside_cents,
              }),
        ]
      }),
      withheld: isLegal || row.withholding_bp === null ? null : [row.withholding_bp, row.withholding_cents],
      payments: taxes.some(({ regime_key }) => regime_key === '07')
        ? payments.map(({ date, cents }) => [date, cents])
        : [],
      replaced:
        row.rectification_method === 'S' || row.kind === 'F3'
          ? [...Map.groupBy(replaced, ({ number }) => number ?? '')].map(([number, rows]) => ({
              number,
              baseCents: rows.reduce((sum, { base_cents }) => sum + base_cents, 0),
              taxCents: rows.reduce((sum, { tax_cents }) => sum + tax_cents, 0),
            }))
          : [],
    })
  }
  return told
}

function toldIssued(document: HistoryDocument): Told {
  if (document.side !== 'issued') throw new Error('It was received.')
  const { nif, name, idType, country } = document.party
  return {
    number: document.number,
    kind: document.kind,
    issueDate: document.issueDate,
    operationDate: document.operationDate,
    party: { nif: bare(nif), name, idType, country },
    taxes: document.taxes.map((tax) => [
      tax.taxTreatment,
      tax.regimeKey,
      tax.vatRateBp,
      tax.baseCents,
      tax.taxCents,
      tax.surchargeRateBp,
      tax.surchargeCents,
      tax.incomeCents,
    ]),
    withheld: document.withholding && [document.withholding.rateBp, document.withholding.amountCents],
    payments: document.payments.map(({ date, cents }) => [date, cents]),
    replaced: document.replaced.map(({ number, taxes }) => ({
      number,
      baseCents: taxes.reduce((sum, { baseCents }) => sum + baseCents, 0),
      taxCents: taxes.reduce((sum, { taxCents }) => sum + taxCents, 0),
    })),
  }
}

interface ToldReceived {
  number: string
  kind: string
  dates: (string | null)[]
  reception: string
  nif: string | null
  name: string
  taxes: (string | number | boolean | null)[][]
  withheld: (number | string | null)[] | null
  payments: [string, number][]
  total: number
}

/** Kinds that the book writes as one. */
const SHOWN_KIND: Record<string, string> = { self_billed: 'invoice' }

async function receivedIn(ctx: Ctx, year: number, isLegal: boolean): Promise<ToldReceived[]> {
  const rows = await ctx.db
    .selectFrom('received_invoices')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('state', '=', 'entered')
    .where('reception_date', '>=', `${year}-01-01`)
    .where('reception_date', '<=', `${year}-12-31`)
    .orderBy('reception_date')
    .orderBy('id')
    .execute()
  const told: ToldReceived[] = []
  for (const row of rows) {
    const lines = await ctx.db
      .selectFrom('received_lines')
      .selectAll()
      .where('received_id', '=', row.id)
      .orderBy('position')
      .execute()
    const payments = await ctx.db
      .selectFrom('payment_allocations')
      .innerJoin('payments', 'payments.id', 'payment_allocations.payment_id')
      .select(['payments.date', 'payment_allocations.cents'])
      .where('payment_allocations.received_id', '=', row.id)
      .orderBy('payments.date')
      .execute()
    const isCustoms = row.kind === 'customs'
    told.push({
      number: row.supplier_number ?? String(row.sequence),
      kind: SHOWN_KIND[row.kind] ?? row.kind,
      dates: [
        row.issue_date,
        row.reception_date,
        row.operation_date === row.issue_date ? null : row.operation_date,
        row.deduction_date,
      ],
      reception: String(row.sequence),
      nif: isCustoms ? null : bare(row.supplier_nif),
      name: cut(row.supplier_name, 40),
      taxes: lines.map((each) => {
        const isTaxed = each.tax_treatment === 'S1' || each.tax_treatment === 'S2'
        const isDepreciated = each.investment_good === 1 || each.account.startsWith('2')
        const hasExpense = !isLegal && !isDepreciated && !isCustoms
        return [
          each.self_assessed === 1,
          each.nature,
          each.regime_key,
          isTaxed ? each.vat_rate_bp : null,
          each.base_cents,
          isTaxed ? each.tax_cents : 0,
          isTaxed ? each.surcharge_cents : 0,
          isTaxed ? each.deductible_cents : 0,
          each.investment_good === 1,
          hasExpense ? each.concept : null,
          isLegal ? null : hasExpense ? each.base_cents : 0,
        ]
      }),
      withheld:
        isLegal || row.withholding_bp === null
          ? null
          : [row.withholding_bp, row.withholding_base_cents, row.withholding_cents],
      payments: row.cash_accounting === 1 ? payments.map(({ date, cents }) => [date, cents]) : [],
      total: row.total_cents,
    })
  }
  return told
}

function toldReceived(document: HistoryDocument): ToldReceived {
  if (document.side !== 'received') throw new Error('It was issued.')
  const { withholding } = document
  return {
    number: document.number,
    kind: document.kind,
    dates: [document.issueDate, document.receptionDate, document.operationDate, document.deductionDate],
    reception: document.reception ?? '',
    nif: bare(document.party.nif),
    name: document.party.name,
    taxes: document.taxes.map((tax) => [
      tax.selfAssessed,
      tax.nature,
      tax.regimeKey,
      tax.vatRateBp,
      tax.baseCents,
      tax.taxCents,
      tax.surchargeCents,
      tax.deductibleCents,
      tax.investment,
      tax.concept,
      tax.incomeCents,
    ]),
    withheld: withholding && [withholding.rateBp, withholding.baseCents, withholding.amountCents],
    payments: document.payments.map(({ date, cents }) => [date, cents]),
    total: document.totalCents,
  }
}

interface Compared {
  issued: number
  received: number
  questions: string[]
}

/** Writes the books of a year in both formats, reads them, and compares each document with the tables. */
async function compareBooks(ctx: Ctx, year: number, answers: Record<string, string> = {}): Promise<Compared> {
  const company = await findCompany(ctx)
  const isLegal = company.kind === 'legal'
  const expectedIssued = await issuedIn(ctx, year, isLegal)
  const expectedReceived = await receivedIn(ctx, year, isLegal)
  const asked = new Set<string>()
  for (const format of ['xlsx', 'csv'] as const) {
    const { bytes, fileName } = await booksFile(ctx, { year, quarter: 4, format })
    const found = await recognizeFile(bytes, fileName)
    expect(found.tables.map(({ content }) => content)).toEqual([
      'books_issued',
      'books_received',
      'books_goods',
    ])
    const options = { answers, ownNif: company.nif, today: ctx.today() }
    const issued = await readFileOf(bytes, { ...options, content: 'books_issued' }, fileName)
    expect(issued.faults.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(issued.documents.map(toldIssued)).toEqual(expectedIssued)
    const received = await readFileOf(bytes, { ...options, content: 'books_received' }, fileName)
    expect(received.faults.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(received.documents.map(toldReceived)).toEqual(expectedReceived)
    for (const { id } of [...issued.summary.questions, ...received.summary.questions]) asked.add(id)
  }
  return { issued: expectedIssued.length, received: expectedReceived.length, questions: [...asked].sort() }
}

describe('the unified books, read as they were written', () => {
  test.each(['legal', 'natural'] as const)('hold the worked quarter of a %s person', async (kind) => {
    const world = await workedQuarter(kind)
    const told = await compareBooks(world.test, 2026)
    expect([told.issued, told.received]).toEqual([10, 7])
    expect(told.questions).toEqual(
      kind === 'legal'
        ? ['question_eu_nature:DE136695976', 'question_series_join', 'question_withheld:A58818501']
        : [
            'question_eu_nature:DE136695976',
            'question_series_join',
            'question_withholding_reason:A58818501 15 %',
            'question_withholding_reason:A58818501 19 %',
          ],
    )
  })

  test('hold corrections by substitution, tickets replaced by an invoice, and what they take back', async () => {
    const world = await openBooks({ at: '2026-12-30T12:00:00+01:00' })
    const sale = (changes: Partial<DraftInput>) => world.invoice({ issueDate: '2026-11-03', ...changes })
    const first = await sale({ lines: [line(1000), line(200, { vatRate: 10 })] })
    const again = await sale({ lines: [line(50)] })
    const tickets = []
    for (const price of [10, 20.5])
      tickets.push(await sale({ kind: 'F2', clientName: 'Público', clientNif: null, lines: [line(price)] }))
    const whole = await world.run('invoices.substitute', {
      invoices: tickets.map(({ id }) => ({ id })),
      clientName: 'Cliente Primero, S.L.',
      clientNif: 'B87654323',
      client: { address: CLIENT_ADDRESS },
    })
    await world.issue(whole.id)
    for (const [issueDate, original, price] of [
      ['2026-12-02', first, 800],
      // On the day of another invoice, and right after it.
      ['2026-12-02', again, 60],
    ] as const)
      await world.invoice({
        issueDate,
        kind: 'R4',
        rectifies: [{ id: original.id }],
        rectification: { method: 'S', cause: 'wrong_text', reason: 'Datos' },
        lines: [line(price)],
      } as Partial<DraftInput>)
    const told = await compareBooks(world.test, 2026)
    expect(told.issued).toBe(7)
    expect(told.questions).toEqual(['question_series_join'])
  })

  test('hold a substitution on the day of the original, right after it', async () => {
    const world = await openBooks({ at: '2026-12-30T12:00:00+01:00' })
    const wrong = await world.invoice({ lines: [line(1000)] })
    await world.invoice({
      kind: 'R4',
      rectifies: [{ id: wrong.id }],
      rectification: { method: 'S', cause: 'wrong_text', reason: 'Datos' },
      lines: [line(800)],
    } as Partial<DraftInput>)
    const told = await compareBooks(world.test, 2026)
    expect(told.issued).toBe(2)
    // Nothing in the file proves that the second row takes the first back.
    expect(told.questions).toContain('question_taken_back:T-F2026|0001')
  })

  test('hold cash accounting with its payments, purchases from abroad, customs, farmers and late deductions', async () => {
    const world = await openBooks({ at: '2026-12-30T12:00:00+01:00' })
    await cashInvoice(world)
    for (const each of [
      purchase({
        supplierNumber: 'EU-G',
        supplierName: 'Lieferant GmbH',
        supplierNif: 'DE136695976',
        supplier: { country: 'DE', idType: '02' },
        taxLines: [{ base: 1000, vatRate: 21, taxTreatment: 'S2', nature: 'eu_goods', concept: 'G01' }],
      }),
      purchase({
        supplierNumber: 'US-1',
        supplierName: 'Supplier Inc',
        supplierNif: '12-3456789',
        supplier: { country: 'US', idType: '04' },
        taxLines: [{ base: 90, vatRate: 21, taxTreatment: 'S2', nature: 'foreign_services' }],
      }),
      purchase({
        kind: 'customs',
        supplierNumber: '26ES00284130000011',
        supplierName: 'Exporter Ltd',
        supplierNif: null,
        supplier: { country: 'CN' },
        taxLines: [{ base: 3000, vatRate: 21 }],
      }),
      purchase({
        kind: 'reagyp',
        supplierNumber: 'AG-1',
        supplierName: 'Marta Huerta',
        supplierNif: '12345678Z',
        taxLines: [{ base: 400, vatRate: 12 }],
      }),
      purchase({ kind: 'receipt', supplierNumber: 'RC-9', taxLines: [{ base: 12.5 }] }),
      purchase({ kind: 'simplified', supplierNumber: 'TK-1', taxLines: [{ base: 20, vatRate: 10 }] }),
      purchase({
        supplierNumber: 'OLD-1',
        issueDate: '2026-05-10',
        receptionDate: '2026-05-12',
        deductionPeriod: { year: 2026, quarter: 3 },
        taxLines: [{ base: 70, vatRate: 21 }],
      }),
      purchase({
        kind: 'rectifying',
        supplierNumber: 'AB-1',
        rectifies: [{ supplierNumber: 'OLD-1', issueDate: '2026-05-10' }],
        taxLines: [{ base: -70, vatRate: 21 }],
      }),
    ])
      await world.run('received.create', each)
    // A company's book has no concept of expense, by which goods are told from services.
    const told = await compareBooks(world.test, 2026, { 'question_eu_nature:DE136695976': 'eu_goods' })
    expect([told.issued, told.received]).toEqual([2, 8])
    expect(told.questions).toEqual([
      'question_eu_nature:DE136695976',
      'question_reverse_nature:123456789',
      'question_series_join',
      'question_withheld:A58818501',
    ])
  })

  test('hold the sample company', async () => {
    const world = await openTestStore()
    for (let call = 0; call < 4; call++) await fillSample(world.bookless(), {})
    const { bookId } = await getSample(world.bookless(), {})
    const book = await loadBook(world.bookless().db, bookId ?? '')
    if (!book) throw new Error('There is no sample book.')
    const ctx = inBook(world.bookless(), book)
    const years = [Number(ctx.today().slice(0, 4)) - 1, Number(ctx.today().slice(0, 4))]
    let documents = 0
    for (const year of years) {
      const told = await compareBooks(ctx, year)
      documents += told.issued + told.received
    }
    expect(documents).toBeGreaterThan(50)
  }, 60_000)

  test('an answer changes what it was asked for, and nothing else', async () => {
    const world = await workedQuarter('natural')
    const { bytes, fileName } = await booksFile(world.test, { year: 2026, quarter: 4, format: 'xlsx' })
    const read = (answers: Record<string, string>) =>
      readFileOf(bytes, { content: 'books_received', answers, ownNif: 'B12345674' }, fileName)
    const guessed = await read({})
    const eu = guessed.summary.questions.find(({ code }) => code === 'question_eu_nature')
    expect(eu).toMatchObject({
      about: 'DE136695976',
      guess: 'eu_services',
      choices: ['eu_goods', 'eu_services'],
      depends: ['303', '349', '390'],
      documents: 1,
      baseCents: 100_000,
    })
    const answered = await read({ [eu!.id]: 'eu_goods' })
    const differing = answered.documents.filter(
      (document, index) => JSON.stringify(document) !== JSON.stringify(guessed.documents[index]),
    )
    expect(differing.map(({ number, taxes }) => [number, taxes[0]?.nature])).toEqual([['EU1', 'eu_goods']])
  })

  test('hold investment goods', async () => {
    const world = await workedQuarter()
    const { bytes, fileName } = await booksFile(world.test, { year: 2026, quarter: 4, format: 'csv' })
    const { assets } = await readFileOf(bytes, { content: 'books_goods' }, fileName)
    expect(assets).toEqual([
      expect.objectContaining({
        year: 2026,
        type: '29',
        identifier: '2026-2-1',
        inUseFrom: '2026-10-16',
        valueCents: 400_000,
        firstProRataBp: 10_000,
        firstDeductibleCents: 84_000,
        acquisition: expect.objectContaining({ number: 'A2', issueDate: '2026-10-15', vatRateBp: 2100 }),
        disposal: null,
      }),
    ])
  })
})

/** Issues an invoice under cash accounting with two payments, and one that a French business receives. */
async function cashInvoice(world: TestBooks): Promise<void> {
  const invoice = await world.invoice({
    issueDate: '2026-02-03',
    lines: [{ ...line(1000), regimeKey: '07' }],
  })
  for (const [date, amount] of [
    ['2026-03-01', 500],
    ['2026-06-01', 710],
  ] as const)
    await world.run('payments.payInvoice', { id: invoice.id, amount, date, method: 'transfer' })
  await world.invoice({ issueDate: '2026-02-04', ...FRENCH, lines: [line(80, { taxTreatment: 'N2' })] })
}
