/**
 * Operations of model 349 by operator: those of a period, and corrections of what earlier periods declared. Source:
 * Orden EHA/769/2010 as amended by HAC/174/2020 (record of rectifications: exercise, period, rectified base, base
 * declared before); RIVA art. 80.2.
 */
import { sql } from 'kysely'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Cents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { entriesOf, euTotals, monthNumber, taxTotals } from '../../../tax/totals/index.ts'
import type { FigureEntry, Months } from '../../../tax/totals/index.ts'
import { accrualDateOf } from '../../../sales/invoices/index.ts'
import { supplierNumberKey } from '../../../purchases/invoices/index.ts'
import { lastMonthOf } from '../calendar/periods.ts'
import type { ReturnPeriod } from '../calendar/periods.ts'
import { periodsOf } from '../schemes/units.ts'
import type { Periods } from '../schemes/units.ts'
import { all, made, rectifying } from './selectors.ts'

interface Operator {
  euKey: string
  name: string
  nif: string | null
  country: string
}

export interface EuOperation extends Operator {
  baseCents: Cents
  documents: number
}

/** Change that one document makes to an earlier period. */
interface Change extends EuOperation {
  /** First month of the period in which the change counts. */
  at: number
  /** The period it corrects. */
  of: ReturnPeriod
  /** The original was made with another program, so the declared amount is unknown. */
  isElsewhere: boolean
}

export interface EuCorrection extends Operator {
  year: number
  /** `3T`, or `07` where the business files by months. */
  period: string
  /** Null when the original was made with another program. */
  rectifiedCents: Cents | null
  declaredCents: Cents | null
  differenceCents: Cents
  documents: number
}

interface EuReturn {
  operations: EuOperation[]
  corrections: EuCorrection[]
  /** Corrective documents that reference no original, or originals of several periods. */
  unclear: number
}

const operatorKey = ({ euKey, nif, country, name }: Operator): string =>
  `${euKey}|${country}|${nif === null ? name : nif.toUpperCase()}`

/** Page size for reading the documents behind corrections. */
const PAGE = 1000
/** Longest chain of corrections of corrections that is followed. */
const MAX_CHAIN = 20

interface Original {
  /** Months of the originals, like 202607. */
  months: number[]
  isElsewhere: boolean
}

type Party = Omit<Operator, 'euKey'>

interface Rectifying extends Party, Original {
  /** Customers of the replaced invoices, in the order of the parts that deduct them. */
  replaced: readonly Party[]
}

/** Returns the first documents of chains of corrections of issued invoices. */
export async function issuedOriginals(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Original>> {
  const found = new Map<number, Original>()
  for (const id of ids) {
    const original: Original = { months: [], isElsewhere: false }
    const seen = new Set([id])
    let open = [id]
    for (let step = 0; open.length > 0 && step < MAX_CHAIN; step++) {
      const references = await ctx.db
        .selectFrom('invoice_references')
        .leftJoin('invoices', 'invoices.id', 'invoice_references.target_id')
        .select([
          'invoice_references.target_id as target',
          'invoice_references.issue_date as date',
          'invoices.kind',
          'invoices.operation_date as operation',
          'invoices.issue_date as issued',
        ])
        .where('invoice_references.invoice_id', 'in', open)
        .where('invoice_references.role', '=', 'rectifies')
        .execute()
      open = []
      for (const { target, date, kind, operation, issued } of references) {
        if (target === null || kind === null) {
          original.isElsewhere = true
          original.months.push(monthNumber(date))
        } else if (kind.startsWith('R')) {
          if (!seen.has(target)) open.push(target)
          seen.add(target)
        } else {
          const accrued = accrualDateOf({ kind, operationDate: operation, issueDate: issued ?? date })
          original.months.push(monthNumber(accrued))
        }
      }
    }
    found.set(id, original)
  }
  return found
}

/** Selects the customers of issued invoices, including amended ones. */
function customers(ctx: Ctx) {
  return ctx.db
    .selectFrom('invoices')
    .leftJoin('amended_parties', 'amended_parties.invoice_id', 'invoices.id')
    .innerJoin('parties', (join) =>
      join.on('parties.id', '=', sql<number>`coalesce(amended_parties.party_id, invoices.party_id)`),
    )
    .select(['invoices.id', 'parties.name', 'parties.nif', 'parties.country'])
}

async function issuedDocuments(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Rectifying>> {
  if (ids.length === 0) return new Map()
  const rows = await customers(ctx).where('invoices.id', 'in', ids).execute()
  const taken = await customers(ctx)
    .innerJoin('invoice_replacements', 'invoice_replacements.replaced_id', 'invoices.id')
    .select('invoice_replacements.invoice_id as by')
    .where('invoice_replacements.invoice_id', 'in', ids)
    .orderBy('invoice_replacements.replaced_id')
    .execute()
  const originals = await issuedOriginals(ctx, ids)
  return new Map(
    rows.map(({ id, ...party }) => [
      id,
      { ...party, ...originals.get(id)!, replaced: taken.filter(({ by }) => by === id) },
    ]),
  )
}

interface Reference {
  supplierNumber: string
  issueDate: BusinessDate
}

async function receivedDocuments(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Rectifying>> {
  const found = new Map<number, Rectifying>()
  if (ids.length === 0) return found
  const rows = await ctx.db
    .selectFrom('received_invoices')
    .select(['id', 'supplier_name', 'supplier_nif', 'supplier_country', 'rectifies'])
    .where('id', 'in', ids)
    .execute()
  for (const row of rows) {
    const original: Original = { months: [], isElsewhere: false }
    for (const { supplierNumber, issueDate } of JSON.parse(row.rectifies ?? '[]') as Reference[]) {
      const [known] = await ctx.db
        .selectFrom('received_invoices')
        .select(['operation_date', 'issue_date'])
        .where('book_id', '=', ctx.book.id)
        .where('number_key', '=', supplierNumberKey(supplierNumber))
        .where('issue_date', '=', issueDate)
        .where('state', '<>', 'void')
        .where('supplier_nif', 'is not distinct from', row.supplier_nif)
        .limit(1)
        .execute()
      original.months.push(monthNumber(known?.operation_date ?? issueDate))
      if (!known) original.isElsewhere = true
    }
    found.set(row.id, {
      name: row.supplier_name,
      nif: row.supplier_nif,
      country: row.supplier_country,
      ...original,
      replaced: [],
    })
  }
  return found
}

/** Returns all entries behind some groups, by month and document. */
export async function allEntriesOf(
  ctx: Ctx,
  groupIds: readonly number[],
  months: Months,
): Promise<FigureEntry[]> {
  const entries: FigureEntry[] = []
  for (;;) {
    const last = entries.at(-1)
    const page = await entriesOf(ctx, groupIds, months, {
      limit: PAGE,
      ...(last
        ? {
            after: {
              month: last.month,
              source: last.source === 'invoice' ? 1 : 2,
              sourceId: last.sourceId,
              part: last.part,
            },
          }
        : {}),
    })
    entries.push(...page)
    if (page.length < PAGE) break
  }
  return entries
}

/** Returns the changes made by rectifying documents of some months, each with the period it corrects. */
async function changesIn(
  ctx: Ctx,
  months: Months,
  periods: Periods,
): Promise<{ changes: Change[]; unclear: number }> {
  const isRectifying = all(made, rectifying, ({ euKey }) => euKey !== '')
  const groups = new Map(
    (await taxTotals(ctx, months)).filter(isRectifying).map((figure) => [figure.groupId, figure.euKey]),
  )
  if (groups.size === 0) return { changes: [], unclear: 0 }
  const entries = await allEntriesOf(ctx, [...groups.keys()], months)
  const idsOf = (source: FigureEntry['source']) => [
    ...new Set(entries.filter((entry) => entry.source === source).map(({ sourceId }) => sourceId)),
  ]
  const documents = {
    invoice: await issuedDocuments(ctx, idsOf('invoice')),
    received: await receivedDocuments(ctx, idsOf('received')),
  }
  const unclear = new Set<string>()
  const changes = entries.map((entry): Change => {
    const document = documents[entry.source].get(entry.sourceId)
    if (!document) throw new Error(`${entry.source} ${entry.sourceId} has figures and is missing.`)
    const { months: corrects, isElsewhere, replaced } = document
    // The deducted amount was declared under the customer to whom it was invoiced.
    const { name, nif, country } = replaced[entry.part - 1] ?? document
    const at = periods.at('349', entry.month).months.from
    const corrected = new Set(corrects.map((month) => periods.at('349', month).months.from))
    if (corrected.size !== 1) unclear.add(`${entry.source} ${entry.sourceId}`)
    return {
      name,
      nif,
      country,
      euKey: groups.get(entry.groupId) ?? '',
      baseCents: entry.baseCents,
      documents: entry.part === 0 ? 1 : 0,
      at,
      of: periods.at('349', Math.min(at, corrected.size === 0 ? at : Math.max(...corrected))),
      isElsewhere,
    }
  })
  return { changes, unclear: unclear.size }
}

const isOfOwnPeriod = ({ at, of }: Change): boolean => of.months.from >= at

function gathered<Item extends EuOperation>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Map<string, Item> {
  const found = new Map<string, Item>()
  for (const item of items) {
    const known = found.get(keyOf(item))
    if (known) {
      known.baseCents += item.baseCents
      known.documents += item.documents
    } else found.set(keyOf(item), { ...item })
  }
  return found
}

/** Returns the operations of a period by operator, less corrections within the same period. */
async function operationsOf(
  ctx: Ctx,
  { months }: ReturnPeriod,
  changes: readonly Change[],
): Promise<Map<string, EuOperation>> {
  const figures = await euTotals(ctx, months)
  const own = changes.filter((change) => isOfOwnPeriod(change) && change.at === months.from)
  const regular = figures
    .filter(({ rectifying: isCorrection }) => !isCorrection)
    .map(({ euKey, name, nif, country, baseCents, documents }) => ({
      euKey,
      name,
      nif,
      country,
      baseCents,
      documents,
    }))
  return gathered<EuOperation>(
    [
      ...regular,
      ...own.map(({ euKey, name, nif, country, baseCents, documents }) => ({
        euKey,
        name,
        nif,
        country,
        baseCents,
        documents,
      })),
    ],
    operatorKey,
  )
}

/** Returns the recapitulative statement (model 349) of a period. */
export async function euReturn(ctx: Ctx, now: ReturnPeriod): Promise<EuReturn> {
  const periods = await periodsOf(ctx)
  const { changes, unclear } = await changesIn(ctx, now.months, periods)
  const operations = await operationsOf(ctx, now, changes)
  const later = changes.filter((change) => !isOfOwnPeriod(change))
  const corrected = gathered(later, (change) => `${change.of.months.from}|${operatorKey(change)}`)
  const corrections: EuCorrection[] = []
  const before = new Map<number, { operations: Map<string, EuOperation>; changes: Change[] }>()
  for (const { of, euKey, name, nif, country, baseCents, documents } of corrected.values()) {
    if (baseCents === 0) continue
    const operator = { euKey, name, nif, country }
    const key = operatorKey(operator)
    const { year, code, months } = of
    const isElsewhere = later.some(
      (change) => change.isElsewhere && change.of.months.from === months.from && operatorKey(change) === key,
    )
    const row = { ...operator, year, period: code, differenceCents: baseCents, documents }
    if (isElsewhere) {
      corrections.push({ ...row, declaredCents: null, rectifiedCents: null })
      continue
    }
    let known = before.get(months.from)
    if (!known) {
      const until = periods.before('349', now).months.to
      const since = await changesIn(ctx, { from: months.from, to: until }, periods)
      known = { operations: await operationsOf(ctx, of, since.changes), changes: since.changes }
      before.set(months.from, known)
    }
    const declared = known.changes
      .filter(
        (change) =>
          !isOfOwnPeriod(change) && change.of.months.from === months.from && operatorKey(change) === key,
      )
      .reduce((sum, change) => sum + change.baseCents, known.operations.get(key)?.baseCents ?? 0)
    corrections.push({ ...row, declaredCents: declared, rectifiedCents: declared + baseCents })
  }
  const order = (a: Operator, b: Operator) =>
    a.euKey.localeCompare(b.euKey) || a.name.localeCompare(b.name) || (a.nif ?? '').localeCompare(b.nif ?? '')
  return {
    operations: [...operations.values()].filter(({ baseCents }) => baseCents !== 0).sort(order),
    corrections: corrections.sort(
      (a, b) => order(a, b) || a.year - b.year || lastMonthOf(a.period) - lastMonthOf(b.period),
    ),
    unclear,
  }
}
