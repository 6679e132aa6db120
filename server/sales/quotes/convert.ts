/**
 * Converts quotes to an invoice draft: all that is left, some lines, a share, or a deposit; several delivery notes in
 * one.
 */
import { createDraft, resolveInvoice } from '../invoices/index.ts'
import type { DraftContent, DraftLine } from '../invoices/index.ts'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import type { convertQuoteContract } from './contract.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import {
  basisPointsFromPercent,
  eurosFromCents,
  microFromNumber,
  numberFromMicro,
} from '../../domain/money.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { contentOfRow } from './content.ts'
import type { ComposedQuote } from './content.ts'
import {
  amountsOf,
  deductionsFor,
  depositOf,
  discountShareOf,
  groupOf,
  isLastOf,
  linesTaken,
  openLines,
  takeAll,
  takeOf,
  takeShare,
} from './open.ts'
import type { Conversion, DepositPart, OpenLine, Taken } from './open.ts'
import { conversionsOf, inForce, quoteToChange, resolveQuote } from './rows.ts'
import type { ConversionRow, QuoteRow } from './rows.ts'
import { quoteView } from './view.ts'
import { numbered, recordQuoteChange } from './write.ts'
import { conversionMessages } from './messages.ts'

type Input = ContractInput<typeof convertQuoteContract>
type LineInput = ComposedQuote['input']['lines'][number]

function fault(code: string, field: string, message: string, fix: string): Fault {
  return { code, field, severity: 'error', message, fix }
}

interface Source extends ComposedQuote {
  row: QuoteRow
  all: ConversionRow[]
  conversions: ConversionRow[]
  open: OpenLine[]
}

async function sourceOf(tx: Ctx, row: QuoteRow): Promise<Source> {
  const composed = await contentOfRow(tx, row)
  const all = await conversionsOf(tx, row.id)
  const conversions = inForce(all)
  return { ...composed, row, all, conversions, open: openLines(composed.content, conversions) }
}

/** Returns the requested lines by position, or throws every fault of the request. */
function chosenLines({ content, open }: Source, asked: NonNullable<Input['lines']>): Taken[] {
  const faults: Fault[] = []
  const taken: Taken[] = []
  for (const [index, { position, quantity }] of asked.entries()) {
    const line = open[position]
    const field = `lines[${index}]`
    if (!line || taken.some((each) => each.position === position)) {
      faults.push(
        fault(
          'quote_line_unknown',
          `${field}.position`,
          'The quote has no such line, or it is named twice.',
          'Use each position of lines at most once, counted from 0.',
        ),
      )
      continue
    }
    const wanted = quantity === undefined ? line.quantityMicro : (microFromNumber(quantity) ?? 0)
    const beyond =
      Math.sign(wanted) !== Math.sign(line.quantityMicro) || Math.abs(wanted) > Math.abs(line.quantityMicro)
    if (!line.isOpen || beyond)
      faults.push({
        ...fault(
          'quote_exceeded',
          quantity === undefined ? field : `${field}.quantity`,
          'More than is left of that line.',
          'Take at most what is open, or change the quote first.',
        ),
        params: { open: numberFromMicro(line.quantityMicro) },
      })
    else taken.push(takeOf(content, line, wanted))
  }
  if (faults.length > 0) throw validationFailed(faults)
  return taken
}

/** Returns a line for the sum of a tax group, with the tax of the quote's own lines. */
function sumLine(
  lines: readonly DraftLine[],
  inputs: readonly LineInput[],
  part: DepositPart,
  text: string,
): LineInput {
  const index = lines.findIndex((line) => groupOf(line) === part.group)
  const { vatRate, taxTreatment, surcharge, regimeKey, withholdable, cause, account, supply } = inputs[
    index
  ] as LineInput
  return {
    description: text,
    quantity: 1,
    unitPrice: eurosFromCents(part.cents),
    ...(vatRate === undefined ? {} : { vatRate }),
    ...(taxTreatment === undefined ? {} : { taxTreatment }),
    ...(surcharge === undefined ? {} : { surcharge }),
    ...(regimeKey === undefined ? {} : { regimeKey }),
    ...(withholdable === undefined ? {} : { withholdable }),
    ...(cause === undefined ? {} : { cause }),
    ...(account === undefined ? {} : { account }),
    ...(supply === undefined ? {} : { supply }),
  }
}

interface Plan {
  lines: LineInput[]
  discountBp: number
  discountCents: number
  conversion: Conversion & { kind: 'lines' | 'deposit'; percentBp: number | null }
  isLast: boolean
}

function takenInputs(inputs: readonly LineInput[], taken: readonly Taken[]): LineInput[] {
  return taken.map(({ position, quantityMicro, discountCents, costCents }) => {
    const { discountAmount: _discount, cost, ...line } = inputs[position] as LineInput
    return {
      ...line,
      quantity: numberFromMicro(quantityMicro),
      ...(discountCents === 0 ? {} : { discountAmount: eurosFromCents(discountCents) }),
      ...(cost === undefined ? {} : { cost: eurosFromCents(costCents) }),
    }
  })
}

/**
 * Returns the document's discount as a line for each tax: beside the deduction of a deposit it cannot stay a
 * discount.
 */
function discountLines(
  { content, input }: Source,
  lines: readonly DraftLine[],
  discountCents: number,
): LineInput[] {
  const { priceMode, discountBp } = content
  const before = amountsOf(lines, { priceMode, discountBp: 0, discountCents: 0 })
  const after = amountsOf(lines, { priceMode, discountBp, discountCents })
  const text = conversionMessages(content.language).discount(discountBp)
  return [...before].flatMap(([group, cents]) => {
    const off = (after.get(group) ?? 0) - cents
    return off === 0 ? [] : [sumLine(content.lines, input.lines, { group, cents: off }, text)]
  })
}

function planLines(source: Source, taken: Taken[], percentBp: number | null, asLines: boolean): Plan {
  const { content, input, conversions, open, row } = source
  if (taken.length === 0)
    throw new AppError('quote_nothing_left', { details: { id: row.public_id, number: row.number } })
  const isLast = isLastOf(open, taken)
  const discountCents = discountShareOf(content, conversions, taken, isLast)
  const lines = linesTaken(content, taken)
  const { priceMode, discountBp } = content
  const deductions = deductionsFor(
    amountsOf(lines, { priceMode, discountBp, discountCents }),
    conversions,
    isLast,
  )
  const words = conversionMessages(content.language)
  const numbers = conversions.filter(({ kind }) => kind === 'deposit').flatMap(({ number }) => number ?? [])
  const discountIsLines = (asLines || deductions.length > 0) && (discountBp !== 0 || discountCents !== 0)
  return {
    lines: [
      ...takenInputs(input.lines, taken),
      ...(discountIsLines ? discountLines(source, lines, discountCents) : []),
      ...deductions.map((part) => sumLine(content.lines, input.lines, part, words.deducted(numbers))),
    ],
    discountBp: discountIsLines ? 0 : discountBp,
    discountCents: discountIsLines ? 0 : discountCents,
    conversion: { kind: 'lines', percentBp, lines: taken, deposits: deductions, discountCents },
    isLast,
  }
}

function planDeposit(source: Source, shareBp: number): Plan {
  const { content, input, conversions, row } = source
  const deposits = depositOf(content, conversions, shareBp)
  if (deposits.length === 0)
    throw new AppError('quote_nothing_left', { details: { id: row.public_id, number: row.number } })
  const text = conversionMessages(content.language).deposit(shareBp, row.kind, row.number ?? '')
  return {
    lines: deposits.map((part) => sumLine(content.lines, input.lines, part, text)),
    discountBp: 0,
    discountCents: 0,
    conversion: { kind: 'deposit', percentBp: shareBp, lines: [], deposits, discountCents: 0 },
    isLast: false,
  }
}

function planOf(source: Source, input: Input, asLines: boolean): Plan {
  const given = [input.lines, input.percentage, input.depositPct].filter((each) => each !== undefined)
  const alone = input.also === undefined || input.also.length === 0
  if (given.length > 1 || (given.length > 0 && !alone))
    throw validationFailed([
      fault(
        'choose_one',
        'lines',
        'lines, percentage, depositPct and also exclude each other.',
        'Give one of them, or none for all that is left.',
      ),
    ])
  if (input.depositPct !== undefined)
    return planDeposit(source, basisPointsFromPercent(input.depositPct) ?? 0)
  if (input.lines !== undefined) return planLines(source, chosenLines(source, input.lines), null, asLines)
  if (input.percentage !== undefined) {
    const shareBp = basisPointsFromPercent(input.percentage) ?? 0
    return planLines(source, takeShare(source.content, source.open, shareBp), shareBp, asLines)
  }
  return planLines(source, takeAll(source.content, source.open), null, asLines)
}

/** Fields that must be equal in all documents of one invoice. */
function sameHead(a: DraftContent, b: DraftContent): boolean {
  const customer = (content: DraftContent) => content.contactId ?? content.client.nif ?? content.client.name
  return (
    customer(a) === customer(b) &&
    a.priceMode === b.priceMode &&
    a.withholdingBp === b.withholdingBp &&
    (a.currency?.code ?? 'EUR') === (b.currency?.code ?? 'EUR')
  )
}

async function furtherSources(tx: Ctx, first: Source, ids: readonly string[]): Promise<Source[]> {
  const sources: Source[] = []
  const faults: Fault[] = []
  for (const [index, id] of ids.entries()) {
    const source = await sourceOf(tx, await numbered(tx, await resolveQuote(tx, id)))
    const known = [first, ...sources].some(({ row }) => row.id === source.row.id)
    if (known || !sameHead(first.content, source.content))
      faults.push(
        fault(
          'quotes_differ',
          `also[${index}]`,
          'It is of another customer, currency, price mode or withholding, or named twice.',
          'Make an invoice of its own from it.',
        ),
      )
    sources.push(source)
  }
  if (faults.length > 0) throw validationFailed(faults)
  return sources
}

async function keepConversion(tx: Ctx, source: Source, plan: Plan, invoiceRowId: number): Promise<void> {
  const { row, all } = source
  const now = tx.now().getTime()
  const annulled = all.filter(({ isCancelled, isReleased }) => isCancelled && !isReleased)
  if (annulled.length > 0)
    await tx.db
      .updateTable('quote_conversions')
      .set({ is_released: 1 })
      .where(
        'id',
        'in',
        annulled.map(({ id }) => id),
      )
      .execute()
  const { kind, percentBp, lines, deposits, discountCents } = plan.conversion
  await tx.db
    .insertInto('quote_conversions')
    .values({
      quote_id: row.id,
      invoice_id: invoiceRowId,
      kind,
      percent_bp: percentBp,
      lines: JSON.stringify(lines),
      deposits: JSON.stringify(deposits),
      discount_cents: discountCents,
      created_at: now,
    })
    .execute()
  await tx.db
    .updateTable('quotes')
    .set({
      is_spent: plan.isLast ? 1 : 0,
      // Invoicing implies acceptance, and invoiced goods were delivered.
      state: row.kind === 'delivery_note' ? 'sent' : 'accepted',
      sent_at: row.sent_at ?? now,
      decided_at: row.kind === 'delivery_note' ? row.decided_at : (row.decided_at ?? now),
      version: row.version + 1,
      updated_at: now,
    })
    .where('id', '=', row.id)
    .execute()
  await recordQuoteChange(tx, 'quote.converted', row)
}

/** Makes the draft and stores the lines it took, in one transaction. */
export const convertQuote: UseCase<typeof convertQuoteContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const row = await numbered(tx, await quoteToChange(tx, input.id, input.expectedVersion))
    const first = await sourceOf(tx, row)
    const sources = [first, ...(await furtherSources(tx, first, input.also ?? []))]
    // Discounts of several documents are not one discount.
    const plans = sources.map((source) =>
      planOf(source, source === first ? input : { id: '' }, sources.length > 1),
    )
    const [plan] = plans as [Plan]
    const words = conversionMessages(first.content.language)
    const origin = words.origin(
      row.kind,
      sources.map((source) => source.row.number ?? ''),
    )
    const { lines: _lines, discountPct: _pct, discountAmount: _amount, notes, ...head } = first.input
    const draft = await createDraft(tx, {
      ...head,
      kind: input.kind ?? 'F1',
      lines: plans.flatMap(({ lines }) => lines),
      ...(plan.discountBp === 0 ? {} : { discountPct: plan.discountBp / 100 }),
      ...(plan.discountCents === 0 ? {} : { discountAmount: eurosFromCents(plan.discountCents) }),
      notes: notes ? `${origin}\n${notes}`.slice(0, 2000) : origin,
    })
    const invoice = await resolveInvoice(tx, draft.id)
    for (const [index, source] of sources.entries())
      await keepConversion(tx, source, plans[index] as Plan, invoice.id)
    return { invoice: draft, quote: await quoteView(tx, await resolveQuote(tx, row.public_id)) }
  })
