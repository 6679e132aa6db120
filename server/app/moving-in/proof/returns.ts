/** The returns of the time before the first day, as the books compute them, beside what was filed. */
import { computedReturn, findFilings, periodsOf } from '../../../accounting/returns/index.ts'
import type { ReturnPeriod } from '../../../accounting/returns/index.ts'
import type { ModelNumber } from '../../../accounting/returns/contract.ts'
import { eurosFromCents, percentFromBasisPoints } from '../../../domain/money.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import type { moveProofContract, ProofReturn } from '../contract.ts'
import { findRun, recordsOf } from '../rows.ts'
import type { RunRow } from '../rows.ts'
import { isReturn, proofOf } from './stored.ts'
import type { StoredReturn } from './stored.ts'

type BoxKind = ProofReturn['boxes'][number]['kind']

const PERIODIC: readonly ModelNumber[] = ['303', '130', '111', '115', '349']
/** Their figures are those of the whole year. */
const YEARLY: readonly ModelNumber[] = ['390', '347', '190', '180']

/** The box without which a return is not compared: its result, or the sum that it declares. */
const KEY_BOX: Partial<Record<ModelNumber, string>> = {
  '303': '71',
  '130': '19',
  '111': '30',
  '115': '05',
  '349': '02',
  '390': '86',
  '347': '02',
  '190': '02',
  '180': '02',
}
/** Boxes that are always shown. */
const MAIN: Partial<Record<ModelNumber, readonly string[]>> = {
  '303': ['27', '45', '46', '110', '78', '87', '71'],
  '130': ['01', '02', '03', '05', '06', '19'],
  '111': ['07', '08', '09', '28', '30'],
  '115': ['01', '02', '03', '05'],
  '349': ['01', '02'],
  '390': ['47', '64', '65', '86', '108'],
  '347': ['01', '02'],
}

/** Returns the months of the history, in order, as 202611. */
async function monthsOf(ctx: Ctx, firstDay: string): Promise<number[]> {
  const issued = await ctx.db
    .selectFrom('invoices')
    .innerJoin('history_documents', 'history_documents.invoice_id', 'invoices.id')
    .select((eb) => [eb.fn<string>('substr', ['invoices.list_date', eb.val(1), eb.val(7)]).as('month')])
    .distinct()
    .where('invoices.book_id', '=', ctx.book.id)
    .where('invoices.state', '=', 'history')
    .where('history_documents.is_counted', '=', 1)
    .where('invoices.list_date', '<', firstDay)
    .execute()
  const received = await ctx.db
    .selectFrom('received_invoices')
    .innerJoin('history_documents', 'history_documents.received_id', 'received_invoices.id')
    .select((eb) => [
      eb.fn<string>('substr', ['received_invoices.reception_date', eb.val(1), eb.val(7)]).as('month'),
    ])
    .distinct()
    .where('received_invoices.book_id', '=', ctx.book.id)
    .where('received_invoices.state', '=', 'history')
    .where('history_documents.is_counted', '=', 1)
    .where('received_invoices.reception_date', '<', firstDay)
    .execute()
  const months = [...issued, ...received].map(({ month }) => Number(month.replace('-', '')))
  return [...new Set(months)].sort((a, b) => a - b)
}

/** Returns the returns whose periods have history, the earliest first; of a year only once it is whole. */
async function returnsOf(ctx: Ctx, run: RunRow): Promise<{ model: ModelNumber; period: ReturnPeriod }[]> {
  const periods = await periodsOf(ctx)
  const found = new Map<string, { model: ModelNumber; period: ReturnPeriod }>()
  for (const month of await monthsOf(ctx, run.first_day))
    for (const model of [...PERIODIC, ...YEARLY]) {
      const period = periods.at(model, month)
      if (YEARLY.includes(model) && period.to >= run.first_day) continue
      found.set(`${period.to} ${model} ${period.code}`, { model, period })
    }
  return [...found.values()].sort(
    (a, b) => a.period.to.localeCompare(b.period.to) || a.model.localeCompare(b.model),
  )
}

function onWire(kind: BoxKind, value: number): number {
  if (kind === 'count' || kind === 'code') return value
  return kind === 'percent' ? percentFromBasisPoints(value) : eurosFromCents(value)
}

/** What was filed: said in this move, or stored as the filing of these books. */
interface Filed {
  boxes: Readonly<Record<string, number>>
  guesses: Readonly<Record<string, number>>
  source: ProofReturn['source']
  fileName: string | null
  outcome: ProofReturn['outcome']
}

async function filedOf(
  ctx: Ctx,
  own: ReadonlySet<number>,
  entry: StoredReturn | undefined,
  model: ModelNumber,
  period: ReturnPeriod,
): Promise<Filed> {
  const filing = (await findFilings(ctx, model, { from: period.year, to: period.year })).get(
    `${period.year} ${period.code}`,
  )
  if (filing && !own.has(filing.id))
    return { boxes: filing.boxes, guesses: {}, source: 'filing', fileName: null, outcome: filing.outcome }
  if (!entry) return { boxes: {}, guesses: {}, source: null, fileName: null, outcome: null }
  const { boxes, guesses, source, fileName, outcome } = entry
  const isSaid = Object.keys(boxes).length > 0 || Object.keys(guesses).length > 0
  return { boxes, guesses, source: isSaid ? source : null, fileName, outcome }
}

function statusOf(
  model: ModelNumber,
  { boxes }: Filed,
  shown: ProofReturn['boxes'],
  isLeft: boolean,
): ProofReturn['status'] {
  if (Object.keys(boxes).length === 0) return isLeft ? 'left_open' : 'open'
  const different = shown.filter(({ difference }) => (difference ?? 0) !== 0)
  if (different.some(({ reason }) => reason === null)) return 'differs'
  if (boxes[KEY_BOX[model] ?? ''] === undefined) return isLeft ? 'left_open' : 'incomplete'
  return different.length > 0 ? 'explained' : 'agrees'
}

/** Returns the returns of a move with their figures. */
export async function proofReturns(ctx: Ctx, run: RunRow): Promise<ProofReturn[]> {
  const entries = proofOf(run)
  const own = new Set((await recordsOf(ctx, run.id, 'filing', 1_000)).map(({ record_id: id }) => id))
  const found: ProofReturn[] = []
  for (const { model, period } of await returnsOf(ctx, run)) {
    const name = { model, year: period.year, period: period.code }
    const entry = entries.find((each) => isReturn(each, name))
    const { values, applies } = await computedReturn(ctx, model, period)
    const filed = await filedOf(ctx, own, entry, model, period)
    // Wages, of which no file speaks, are filed or not: nobody can know.
    const saysNothing = applies === false || (applies === null && values.every(({ value }) => value === 0))
    if (saysNothing && filed.source === null) continue
    const numbers = new Set([
      ...values
        .filter(({ box, value }) => value !== 0 || MAIN[model]?.includes(box.box))
        .map(({ box }) => box.box),
      ...Object.keys(filed.guesses),
      // Filings of these books have every box.
      ...(filed.source === 'filing' ? [] : Object.keys(filed.boxes)),
    ])
    const known = new Map(values.map((each) => [each.box.box, each]))
    const order = [
      ...values.map(({ box }) => box.box).filter((number) => numbers.has(number)),
      ...[...numbers].filter((number) => !known.has(number)).sort(),
    ]
    const boxes = order.map((number): ProofReturn['boxes'][number] => {
      const own = known.get(number)
      const kind: BoxKind = own?.box.kind ?? 'amount'
      const certain = filed.boxes[number]
      const said = certain ?? filed.guesses[number]
      return {
        box: number,
        label: own?.box.label ?? null,
        kind,
        computed: own === undefined ? null : onWire(kind, own.value),
        filed: said === undefined ? null : onWire(kind, said),
        sure: said === undefined ? null : certain === undefined ? 'guess' : 'certain',
        difference: certain === undefined || own === undefined ? null : onWire(kind, certain - own.value),
        reason: entry?.reasons[number] ?? null,
      }
    })
    found.push({
      ...name,
      from: period.from,
      to: period.to,
      isComplete: period.to < run.first_day,
      applies,
      source: filed.source,
      fileName: filed.fileName,
      outcome: filed.outcome,
      keyBox: KEY_BOX[model] ?? '',
      boxes,
      withoutProof: entry?.withoutProof ?? false,
      status: statusOf(model, filed, boxes, entry?.withoutProof ?? false),
    })
  }
  return found
}

export const isSettled = ({ status, isComplete }: ProofReturn): boolean =>
  status === 'agrees' ||
  status === 'explained' ||
  status === 'left_open' ||
  (!isComplete && status === 'open')

export const moveProof: UseCase<typeof moveProofContract> = async (ctx, { id }) => {
  const run = await findRun(ctx, id)
  const returns = await proofReturns(ctx, run)
  return {
    id,
    state: run.state,
    returns,
    isSettled: returns.every(isSettled),
    isProven: returns
      .filter(({ isComplete }) => isComplete)
      .every(({ status }) => status === 'agrees' || status === 'explained'),
  }
}
