/**
 * Random sequences of issue, correct, substitute, cancel and amend over the quarters of a year, many in one book, and
 * the answers of each return and book. The test itself computes the expectation, invoice by invoice.
 */
import fc from 'fast-check'
import { expect } from 'vitest'
import { AppError } from '../../../server/domain/errors/app-error.ts'
import { ISSUED_COLUMNS } from '../../../server/domain/formats/vat-book-columns.ts'
import { verifyTaxTotals } from '../../../server/tax/totals/index.ts'
import { bookRows } from '../../../server/accounting/returns/books/rows.ts'
import { openBooks } from '../../support/books.ts'
import type { Invoice, TestBooks } from '../../support/books.ts'
import { amend, cancel } from '../sales/invoices/steps.ts'

const ACTS = [
  'issue',
  'ticket',
  'credit',
  'replace',
  'rectifyElsewhere',
  'replaceElsewhere',
  'complete',
  'completeElsewhere',
  'insolvency',
  'cancel',
  'amend',
] as const
type Act = (typeof ACTS)[number]

interface Step {
  act: Act
  quarter: number
  /** Index of the invoice among those so far. */
  pick: number
  euros: number
  vatRate: number
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom('issue', 'ticket', 'replace', 'complete', ...ACTS),
  quarter: fc.nat(3),
  pick: fc.nat(5),
  euros: fc.integer({ min: 1, max: 200_000 }).map((cents) => cents / 100),
  vatRate: fc.constantFrom(21, 21, 10, 4),
})

/** Steps in chronological order: each sequence begins with an invoice and a ticket. */
const sequence: fc.Arbitrary<Step[]> = fc
  .tuple(step, step, fc.array(step, { minLength: 1, maxLength: 5 }))
  .map(([first, second, rest]) => [
    { ...first, act: 'issue' as const, quarter: 0 },
    { ...second, act: 'ticket' as const, quarter: 0 },
    ...[...rest].sort((a, b) => a.quarter - b.quarter),
  ])

/** An issued invoice as the test counts it, in cents. */
interface Counted {
  invoice: Invoice
  quarter: number
  /** Its own amount, and the amount it deducts for the invoices it replaces. */
  own: number
  takenBack: number
  income: number
  /** Withheld, less the withholding of the replaced invoices. */
  withheld: number
  inForce: boolean
  replaced: boolean
  /** Its rectifying invoices. */
  children: Counted[]
  /** The invoices it replaces. */
  members: readonly Counted[]
}

const cents = (euros: number): number => Math.round(euros * 100)
const SPANISH = { clientName: 'Cliente Primero, S.L.', clientNif: 'B87654323' }
const QUARTER_DAYS = ['03-31', '04-01', '09-30', '10-01'] as const
const YEAR = 2026

/** Returns the members of a family in force: an invoice and its rectifying invoices. */
const family = (one: Counted): Counted[] =>
  one.inForce ? [one, ...one.children.flatMap((child) => family(child))] : []

/** Plays sequences side by side, quarter by quarter; rejected steps leave no trace. */
export async function play(sequences: readonly (readonly Step[])[]) {
  const world = await openBooks({ at: `${YEAR}-01-02T10:00:00+01:00` })
  await world.tamper("update companies set kind = 'natural'")
  const done = new Map<string, number>()
  const all: Counted[][] = sequences.map(() => [])
  for (let quarter = 0; quarter < 4; quarter++) {
    world.setTime(`${YEAR}-${QUARTER_DAYS[quarter] ?? ''}T12:00:00+01:00`)
    // Only what the authority has answered can be cancelled or amended.
    while ((await world.send()) > 0) continue
    for (const [index, steps] of sequences.entries())
      for (const [position, each] of steps.entries())
        if (each.quarter === quarter) {
          const known = all[index] ?? []
          const isDone = await take(world, each, known, `X-${index}-${position}`)
          if (isDone) done.set(each.act, (done.get(each.act) ?? 0) + 1)
        }
  }
  return { world, counted: all.flat(), done }
}

async function take(world: TestBooks, each: Step, known: Counted[], elsewhere: string): Promise<boolean> {
  const open = known.filter((one) => one.inForce && !one.replaced)
  const of = (kinds: readonly string[]) => {
    const fitting = open.filter(({ invoice }) => kinds.includes(invoice.kind))
    return fitting[each.pick % Math.max(1, fitting.length)]
  }
  try {
    return await act(world, each, { known, of, open, elsewhere })
  } catch (error) {
    // Steps that the product rejects (more than is left, cancelling a referenced invoice) change nothing.
    if (error instanceof AppError || (error instanceof Error && error.message.startsWith('Not valid')))
      return false
    throw error
  }
}

interface Stage {
  known: Counted[]
  open: Counted[]
  of: (kinds: readonly string[]) => Counted | undefined
  elsewhere: string
}

async function act(world: TestBooks, each: Step, { known, of, open, elsewhere }: Stage): Promise<boolean> {
  const { quarter, euros, vatRate } = each
  const lines = [{ description: 'Cosa', quantity: 1, unitPrice: euros, vatRate }]
  const count = (invoice: Invoice, changes: Partial<Counted> = {}): Counted => {
    const own = cents(invoice.base)
    const keepsIncome = invoice.kind === 'R2' || invoice.kind === 'R3'
    const one: Counted = {
      invoice,
      quarter,
      own,
      takenBack: 0,
      withheld:
        cents(invoice.withholding?.amount ?? 0) -
        (changes.members ?? []).reduce(
          (sum, { invoice: before }) => sum + cents(before.withholding?.amount ?? 0),
          0,
        ),
      income: keepsIncome ? 0 : own - (changes.takenBack ?? 0),
      inForce: true,
      replaced: false,
      children: [],
      members: [],
      ...changes,
    }
    known.push(one)
    return one
  }
  const standFor = (targets: readonly Counted[], invoice: Invoice): void => {
    // What was replaced before is deducted already.
    const members = targets.flatMap(family).filter(({ replaced }) => !replaced)
    const standing = count(invoice, { members, takenBack: members.reduce((sum, one) => sum + one.own, 0) })
    for (const one of members) one.replaced = true
    if (invoice.kind !== 'F3') for (const target of targets) target.children.push(standing)
  }
  const outside = [{ number: elsewhere, issueDate: `${YEAR - 1}-12-30` }]
  switch (each.act) {
    case 'issue':
      count(await world.invoice({ ...SPANISH, lines, ...(each.pick === 5 ? { withholdingPct: 15 } : {}) }))
      return true
    case 'ticket':
      count(
        await world.invoice({ kind: 'F2', clientName: 'Venta', clientNif: null, lines, priceMode: 'gross' }),
      )
      return true
    case 'credit':
    case 'insolvency': {
      const target = of(each.act === 'insolvency' ? ['F1'] : ['F1', 'F2', 'F3', 'R1', 'R4', 'R5'])
      if (!target) return false
      const draft = await world.run('invoices.rectify', {
        id: target.invoice.id,
        cause: each.act === 'insolvency' ? 'insolvency' : 'returned_goods',
        ...(each.act === 'insolvency' ? {} : { method: 'I' as const, percent: 10 + each.pick * 15 }),
      })
      target.children.push(count(await world.issue(draft.id)))
      return true
    }
    case 'replace': {
      const target = of(['F1', 'F2', 'F3', 'R1', 'R4', 'R5'])
      if (!target) return false
      const draft = await world.run('invoices.rectify', {
        id: target.invoice.id,
        cause: 'wrong_amount',
        method: 'S',
        newLines: lines,
      })
      standFor([target], await world.issue(draft.id))
      return true
    }
    case 'rectifyElsewhere':
      count(
        await world.invoice({
          ...SPANISH,
          kind: 'R1',
          lines: [{ ...lines[0]!, quantity: -1 }],
          rectifies: outside,
          rectification: { method: 'I', cause: 'returned_goods' },
        }),
      )
      return true
    case 'replaceElsewhere':
      count(
        await world.invoice({
          ...SPANISH,
          kind: 'R4',
          lines,
          rectifies: outside,
          rectification: { method: 'S', cause: 'wrong_amount', base: 100, tax: vatRate },
        }),
        { takenBack: 10_000 },
      )
      return true
    case 'complete':
    case 'completeElsewhere': {
      const target = of(['F2'])
      if (each.act === 'complete' && !target) return false
      const draft = await world.run('invoices.substitute', {
        ...SPANISH,
        ...(each.act === 'complete' && target
          ? { invoices: [{ id: target.invoice.id }] }
          : { invoices: outside, lines }),
      })
      const issued = await world.issue(draft.id)
      if (each.act === 'complete' && target) standFor([target], issued)
      else count(issued)
      return true
    }
    case 'cancel': {
      const target = open[each.pick % Math.max(1, open.length)]
      if (!target || target.children.some(({ inForce }) => inForce)) return false
      await cancel(world, target.invoice.id)
      target.inForce = false
      for (const one of target.members) one.replaced = false
      return true
    }
    case 'amend': {
      const gone = known.find(({ inForce, replaced }) => !inForce && !replaced)
      const target = (each.pick % 2 === 0 ? gone : undefined) ?? of(['F1', 'R1', 'R4'])
      if (!target) return false
      await amend(world, target.invoice.id, { clientName: 'Cliente Segundo, S.L.' })
      // An amendment reactivates a cancelled invoice.
      target.inForce = true
      for (const one of target.members) one.replaced = true
      return true
    }
  }
}

const [PERIOD, BASE, VAT, SURCHARGE, INCOME, WITHHELD] = (
  ['period', 'base', 'tax', 'surcharge', 'income', 'withholding'] as const
).map((id) => ISSUED_COLUMNS.findIndex((column) => column.id === id)) as [
  number,
  number,
  number,
  number,
  number,
  number,
]
const cell = (text = ''): number => (text === '' ? 0 : cents(Number(text.replace(',', '.'))))

interface Quarter {
  base: number
  tax: number
  income: number
  withheld: number
}

/** Returns for each quarter the VAT book, model 303, model 130 (less the previous quarter) and the result account. */
export async function answersOf(world: TestBooks) {
  const quarters = [1, 2, 3, 4] as const
  const vatBook: Quarter[] = quarters.map(() => ({ base: 0, tax: 0, income: 0, withheld: 0 }))
  for await (const rows of bookRows(world.test, { from: `${YEAR}-01-01`, to: `${YEAR}-12-31` }))
    for (const { sheet, cells } of rows) {
      if (sheet !== 'issued') continue
      const quarter = vatBook[Number(cells[PERIOD]?.[0]) - 1]
      if (!quarter) throw new Error(`No quarter: ${cells[PERIOD] ?? ''}`)
      quarter.base += cell(cells[BASE])
      quarter.tax += cell(cells[VAT]) + cell(cells[SURCHARGE])
      quarter.income += cell(cells[INCOME])
      quarter.withheld += cell(cells[WITHHELD])
    }
  const model303: Pick<Quarter, 'base' | 'tax'>[] = []
  const model130: number[] = []
  const withheld: number[] = []
  const result: number[] = []
  for (const quarter of quarters) {
    const at = { year: YEAR, quarter }
    const vat = await world.run('fiscal.model', { model: '303', ...at })
    const amount = (of: { boxes: { box: string; amount: number | null }[] }, box: string) =>
      cents(of.boxes.find((one) => one.box === box)?.amount ?? 0)
    model303.push({
      base: ['01', '04', '07', '14', '150', '165'].reduce((sum, box) => sum + amount(vat, box), 0),
      tax: amount(vat, '27'),
    })
    const instalment = await world.run('fiscal.model', { model: '130', ...at })
    model130.push(amount(instalment, '01'))
    withheld.push(amount(instalment, '06'))
    result.push(cents((await world.run('ledger.profitAndLoss', at)).result))
  }
  return { vatBook, model303, model130, withheld, result }
}

/** Returns the expected answers, from the invoices alone. */
export function expectedOf(counted: readonly Counted[]) {
  const quarters = [0, 1, 2, 3].map((quarter) =>
    counted
      .filter((one) => one.inForce && one.quarter === quarter)
      .reduce(
        (sum, one) => ({
          base: sum.base + one.own - one.takenBack,
          income: sum.income + one.income,
          withheld: sum.withheld + one.withheld,
        }),
        { base: 0, income: 0, withheld: 0 },
      ),
  )
  const accumulated = (pick: (quarter: (typeof quarters)[number]) => number): number[] =>
    quarters.map((_, last) => quarters.slice(0, last + 1).reduce((sum, quarter) => sum + pick(quarter), 0))
  return {
    quarters,
    accumulated: accumulated(({ income }) => income),
    withheld: accumulated(({ withheld }) => withheld),
  }
}

/** Plays sequences in one book and compares; returns the number of steps of each kind. */
async function compare(sequences: readonly (readonly Step[])[]): Promise<Map<string, number>> {
  const { world, counted, done } = await play(sequences)
  const { vatBook, model303, model130, withheld, result } = await answersOf(world)
  const expected = expectedOf(counted)
  const { quarters } = expected
  expect({
    vatBook: vatBook.map(({ tax: _, ...sums }) => sums),
    model130,
    withheld,
    result,
  }).toEqual({
    vatBook: quarters,
    model130: expected.accumulated,
    withheld: expected.withheld,
    result: quarters.map(({ income }) => income),
  })
  expect(model303).toEqual(vatBook.map(({ base, tax }) => ({ base, tax })))
  // Corrections of an invoice of the book never deduct more than it states; bases round once for each credit.
  for (const one of counted.filter(({ inForce, own }) => inForce && own > 0))
    expect(
      family(one)
        .filter(({ replaced }) => !replaced)
        .reduce((sum, { own }) => sum + own, 0),
    ).toBeGreaterThanOrEqual(-family(one).length)
  expect(await verifyTaxTotals(world.test)).toEqual([])
  world.env.store.close()
  return done
}

/** Sequences per book. */
const TOGETHER = 25

/**
 * Compares `runs` random sequences; when a book does not agree, each sequence is played alone and the shortest that
 * fails is shown. Returns the number of steps of each kind.
 */
export async function compareSequences(seed: number, runs: number): Promise<Record<Act, number>> {
  const done = Object.fromEntries(ACTS.map((name) => [name, 0])) as Record<Act, number>
  const all = fc.sample(sequence, { seed, numRuns: runs })
  for (let start = 0; start < all.length; start += TOGETHER) {
    const some = all.slice(start, start + TOGETHER)
    try {
      for (const [name, count] of await compare(some)) done[name as Act] += count
    } catch (error) {
      for (const one of [...some].sort((a, b) => a.length - b.length))
        await compare([one]).catch((alone: unknown) => {
          throw new Error(`Sequence ${JSON.stringify(one)}`, { cause: alone })
        })
      throw error
    }
  }
  return done
}
