/**
 * One random book and its sums from four sources: the invoices' own answers, the tax totals, the VAT book and the
 * ledger.
 */
import type { InputOf } from '../../../server/api/contracts.ts'
import { ISSUED_COLUMNS } from '../../../server/domain/formats/vat-book-columns.ts'
import { bookRows } from '../../../server/accounting/returns/books/rows.ts'
import { taxTotals } from '../../../server/tax/totals/index.ts'
import { CLIENT_ADDRESS, openBooks } from '../../support/books.ts'
import type { DraftInput, Invoice, TestBooks } from '../../support/books.ts'
import { cancel } from '../sales/invoices/steps.ts'

type Line = DraftInput['lines'][number]

/** Returns a generator with a seed, so that a failing book can be reproduced. */
export function dice(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return {
    below: (sides: number) => Math.floor(next() * sides),
    of: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T,
  }
}
type Dice = ReturnType<typeof dice>

const SPANISH = { clientName: 'Cliente, S.L.', clientNif: 'B87654323', client: { address: CLIENT_ADDRESS } }
const FRENCH = {
  clientName: 'Client SARL',
  clientNif: 'FR40303265045',
  client: { country: 'FR', idType: '02' as const, address: { ...CLIENT_ADDRESS, country: 'FR' } },
}
const TICKET = { kind: 'F2' as const, clientName: 'Público', clientNif: null }

function randomLine({ below, of }: Dice): Line {
  return {
    description: of(['Silla', 'Consultoría', 'Libro', 'Reforma']),
    quantity: of([1, 1, 2, 3.5, 0.333333]),
    unitPrice: (100 + below(50_000)) / 100,
    ...(below(5) === 0 ? { discountPct: 1 + below(40) } : {}),
    ...(below(8) === 0 ? { discountAmount: below(100) / 100 } : {}),
  }
}

function randomDraft(random: Dice): Partial<DraftInput> {
  const { below, of } = random
  const lines = Array.from({ length: 1 + below(4) }, () => randomLine(random))
  const issueDate = `2026-1${below(2)}-${String(10 + below(10))}`
  const whole: Partial<DraftInput> = {
    ...(below(6) === 0 ? { discountPct: 1 + below(20) } : {}),
    ...(below(8) === 0 ? { discountAmount: below(50) / 100 } : {}),
    ...(below(6) === 0 ? { withholdingPct: 15 } : {}),
    priceMode: of(['net', 'net', 'gross'] as const),
  }
  switch (below(10)) {
    case 0:
      return {
        ...FRENCH,
        issueDate,
        lines: lines.map((each) => ({ ...each, taxTreatment: of(['E5', 'N2'] as const) })),
      }
    case 1:
      return {
        ...SPANISH,
        issueDate,
        lines: lines.map((each) => ({ ...each, taxTreatment: of(['S2', 'E1', 'N1'] as const) })),
      }
    case 2:
      return { ...SPANISH, issueDate, lines: lines.map((each) => ({ ...each, surcharge: 5.2 })) }
    case 3:
      return { ...SPANISH, issueDate, currency: 'USD', fxRate: 1.0837, lines }
    case 4:
      return {
        ...SPANISH,
        issueDate,
        lines: [
          { description: 'Coche', quantity: 1, unitPrice: 5000 + below(900), cost: 4000 + below(1500) },
        ],
      }
    case 5:
    case 6:
      return {
        ...TICKET,
        issueDate,
        priceMode: 'gross',
        lines: lines.map((each) => ({ ...each, unitPrice: (100 + below(3000)) / 100 })),
      }
    case 7:
      return {
        ...SPANISH,
        issueDate,
        ...whole,
        lines: [...lines, { description: 'Tasa', quantity: 1, unitPrice: 30, isDisbursement: true }],
      }
    default:
      return {
        ...SPANISH,
        issueDate,
        ...whole,
        lines: lines.map((each) => ({ ...each, vatRate: of([21, 21, 10, 4]) })),
      }
  }
}

const CAUSES = ['returned_goods', 'price_change', 'insolvency', 'wrong_vat'] as const

/** Issues, corrects, substitutes and cancels `steps` times; returns the world. */
export async function randomBook(seed: number, steps: number): Promise<TestBooks> {
  const world = await openBooks({ at: '2026-11-30T12:00:00+01:00' })
  const random = dice(seed)
  const plain: Invoice[] = []
  const tickets: Invoice[] = []
  // Series are issued in date order.
  const drafts = Array.from({ length: steps }, () => randomDraft(random)).sort((a, b) =>
    (a.issueDate ?? '') < (b.issueDate ?? '') ? -1 : 1,
  )
  for (const draft of drafts) {
    const invoice = await world.invoice(draft)
    if (invoice.kind === 'F2') tickets.push(invoice)
    else plain.push(invoice)
  }
  while (tickets.length > 1 && random.below(4) > 0)
    await issueDraft(
      world,
      await world.run('invoices.substitute', {
        invoices: tickets.splice(0, 2).map(({ id }) => ({ id })),
        ...SPANISH,
      } as InputOf<'invoices.substitute'>),
    )
  for (const invoice of plain.filter(() => random.below(4) === 0)) {
    const cause = random.of(CAUSES)
    const method = cause === 'insolvency' || random.below(2) === 0 ? 'I' : 'S'
    const draft = await world.run('invoices.rectify', {
      id: invoice.id,
      cause,
      method,
      ...(method === 'S'
        ? {
            newLines: [{ description: 'Correcto', quantity: 1, unitPrice: (100 + random.below(5000)) / 100 }],
          }
        : cause === 'insolvency'
          ? {}
          : { percent: 10 + random.below(80) }),
    })
    await issueDraft(world, draft)
  }
  while ((await world.send()) > 0) continue
  const free = (await world.run('invoices.list', { state: 'issued', limit: 100 })).items
  for (const { id } of free.filter(() => random.below(12) === 0)) {
    const { actions, rectifiedBy, substitutedBy } = await world.run('invoices.get', { id })
    if (!actions.includes('cancel') || rectifiedBy.length + substitutedBy.length > 0) continue
    await cancel(world, id).catch(() => undefined)
  }
  return world
}

async function issueDraft(world: TestBooks, draft: Invoice): Promise<void> {
  const { valid } = await world.run('invoices.validate', { id: draft.id })
  // What cannot be issued (a substitution that lowers to nothing) is not part of the sums.
  if (valid) await world.issue(draft.id)
}

interface Sums {
  baseCents: number
  vatCents: number
  surchargeCents: number
}

const cents = (amount: number): number => Math.round(amount * 100)
const none = (): Sums => ({ baseCents: 0, vatCents: 0, surchargeCents: 0 })
const cellCents = (text: string): number => (text === '' ? 0 : cents(Number(text.replace(',', '.'))))

/** Returns the sums from the invoices' answers: what is in force, less what each replaces. */
async function fromInvoices(world: TestBooks): Promise<Sums> {
  const sums = none()
  const all: Invoice[] = []
  let cursor: string | undefined
  do {
    const page = await world.run('invoices.list', {
      state: 'issued',
      limit: 100,
      ...(cursor ? { cursor } : {}),
    })
    for (const { id } of page.items) all.push(await world.run('invoices.get', { id }))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  const inForce = all.filter(({ cancelledAt }) => cancelledAt === undefined)
  for (const invoice of inForce) {
    const gone =
      invoice.substitutedBy.length > 0 ||
      inForce.some(
        (other) => other.rectification?.method === 'S' && other.rectifies.some(({ id }) => id === invoice.id),
      )
    if (gone) continue
    sums.baseCents += cents(invoice.base)
    sums.vatCents += cents(invoice.tax) - cents(invoice.surcharge)
    sums.surchargeCents += cents(invoice.surcharge)
  }
  return sums
}

async function fromFigures(world: TestBooks): Promise<Sums> {
  const sums = none()
  for (const figure of await taxTotals(world.test, { from: 202_610, to: 202_612 })) {
    if (figure.side !== 'issued') continue
    sums.baseCents += figure.baseCents
    sums.vatCents += figure.taxCents
    sums.surchargeCents += figure.surchargeCents
  }
  return sums
}

async function fromVatBook(world: TestBooks): Promise<Sums> {
  const sums = none()
  for await (const rows of bookRows(world.test, { from: '2026-01-01', to: '2026-12-31' })) {
    for (const { sheet, cells } of rows) {
      if (sheet !== 'issued') continue
      const at = (id: number) => cells[id] ?? ''
      sums.baseCents += cellCents(at(BASE))
      sums.vatCents += cellCents(at(VAT))
      sums.surchargeCents += cellCents(at(SURCHARGE))
    }
  }
  return sums
}

/** Column indexes of the amounts in EXPEDIDAS_INGRESOS. */
const [BASE, VAT, SURCHARGE] = (['base', 'tax', 'surcharge'] as const).map((id) =>
  ISSUED_COLUMNS.findIndex((column) => column.id === id),
) as [number, number, number]

async function fromLedger(world: TestBooks): Promise<Omit<Sums, 'baseCents'>> {
  const { rows } = await world.run('ledger.trialBalance', { year: 2026 })
  const sums = none()
  for (const { code, balance, account } of rows) {
    if (!account) continue
    if (/^4779/.test(code)) sums.surchargeCents -= cents(balance)
    else if (/^477\d{4}$/.test(code)) sums.vatCents -= cents(balance)
  }
  return { vatCents: sums.vatCents, surchargeCents: sums.surchargeCents }
}

/** Returns the sums of a book from its four sources. */
export async function sumsOf(world: TestBooks) {
  return {
    invoices: await fromInvoices(world),
    figures: await fromFigures(world),
    vatBook: await fromVatBook(world),
    ledger: await fromLedger(world),
  }
}
