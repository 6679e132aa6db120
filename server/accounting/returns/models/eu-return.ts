/**
 * Operations of model 349 by operator: those of a period, and corrections of what earlier periods declared. Source:
 * Orden EHA/769/2010 as amended by HAC/174/2020 (record of rectifications: exercise, period, rectified base, base
 * declared before); RIVA art. 80.2.
 */
import { sql } from 'kysely'
import { quarterOf } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Cents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { entriesOf, euTotals, taxTotals } from '../../../tax/totals/index.ts'
import type { FigureEntry, Months } from '../../../tax/totals/index.ts'
import { accrualDateOf } from '../../../sales/invoices/index.ts'
import { supplierNumberKey } from '../../../purchases/invoices/index.ts'
import { quarterMonths } from '../calendar/periods.ts'
import { all, made, rectifying } from './selectors.ts'

interface Quarter {
  year: number
  quarter: number
}

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
  /** Quarter in which the change counts, as a sortable number. */
  at: number
  /** The quarter it corrects. */
  of: Quarter
  /** The original was made with another program, so the declared amount is unknown. */
  isElsewhere: boolean
}

export interface EuCorrection extends Operator {
  year: number
  quarter: number
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

const sequence = ({ year, quarter }: Quarter): number => year * 4 + quarter - 1
const quarterAt = (number: number): Quarter => ({ year: Math.floor(number / 4), quarter: (number % 4) + 1 })
const quarterOfDay = (day: BusinessDate): Quarter => ({
  year: Number(day.slice(0, 4)),
  quarter: quarterOf(day),
})
const quarterOfMonth = (month: number): number =>
  sequence({ year: Math.floor(month / 100), quarter: Math.ceil((month % 100) / 3) })
const operatorKey = ({ euKey, nif, country, name }: Operator): string =>
  `${euKey}|${country}|${nif === null ? name : nif.toUpperCase()}`

/** Page size for reading the documents behind corrections. */
const PAGE = 1000
/** Longest chain of corrections of corrections that is followed. */
const MAX_CHAIN = 20

interface Original {
  quarters: Quarter[]
  isElsewhere: boolean
}

type Party = Omit<Operator, 'euKey'>

interface Rectifying extends Party, Original {
  /** Customers of the replaced invoices, in the order of the parts that deduct them. */
  replaced: readonly Party[]
}

/** Returns the first documents of chains of corrections of issued invoices. */
async function issuedOriginals(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Original>> {
  const found = new Map<number, Original>()
  for (const id of ids) {
    const original: Original = { quarters: [], isElsewhere: false }
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
          original.quarters.push(quarterOfDay(date))
        } else if (kind.startsWith('R')) {
          if (!seen.has(target)) open.push(target)
          seen.add(target)
        } else {
          const accrued = accrualDateOf({ kind, operationDate: operation, issueDate: issued ?? date })
          original.quarters.push(quarterOfDay(accrued))
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
    const original: Original = { quarters: [], isElsewhere: false }
    for (const { supplierNumber, issueDate } of JSON.parse(row.rectifies ?? '[]') as Reference[]) {
      const [known] = await ctx.db
        .selectFrom('received_invoices')
        .select(['operation_date', 'issue_date'])
        .where('book_id', '=', ctx.book.id)
        .where('number_key', '=', supplierNumberKey(supplierNumber))
        .where('issue_date', '=', issueDate)
        .where('state', '=', 'entered')
        .where('supplier_nif', 'is not distinct from', row.supplier_nif)
        .limit(1)
        .execute()
      original.quarters.push(quarterOfDay(known?.operation_date ?? issueDate))
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

/** Returns the changes made by rectifying documents of some months, each with the quarter it corrects. */
async function changesIn(ctx: Ctx, months: Months): Promise<{ changes: Change[]; unclear: number }> {
  const isRectifying = all(made, rectifying, ({ euKey }) => euKey !== '')
  const groups = new Map(
    (await taxTotals(ctx, months)).filter(isRectifying).map((figure) => [figure.groupId, figure.euKey]),
  )
  if (groups.size === 0) return { changes: [], unclear: 0 }
  const entries: FigureEntry[] = []
  for (;;) {
    const last = entries.at(-1)
    const page = await entriesOf(ctx, [...groups.keys()], months, {
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
    const { quarters, isElsewhere, replaced } = document
    // The deducted amount was declared under the customer to whom it was invoiced.
    const { name, nif, country } = replaced[entry.part - 1] ?? document
    const at = quarterOfMonth(entry.month)
    const corrected = new Set(quarters.map(sequence))
    if (corrected.size !== 1) unclear.add(`${entry.source} ${entry.sourceId}`)
    return {
      name,
      nif,
      country,
      euKey: groups.get(entry.groupId) ?? '',
      baseCents: entry.baseCents,
      documents: entry.part === 0 ? 1 : 0,
      at,
      of: quarterAt(Math.min(at, corrected.size === 0 ? at : Math.max(...corrected))),
      isElsewhere,
    }
  })
  return { changes, unclear: unclear.size }
}

const isOfOwnQuarter = ({ at, of }: Change): boolean => sequence(of) >= at

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

/** Returns the operations of a quarter by operator, less corrections within the same quarter. */
async function operationsOf(
  ctx: Ctx,
  quarter: Quarter,
  changes: readonly Change[],
): Promise<Map<string, EuOperation>> {
  const figures = await euTotals(ctx, quarterMonths(quarter.year, quarter.quarter))
  const own = changes.filter((change) => isOfOwnQuarter(change) && change.at === sequence(quarter))
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

const monthsBetween = (first: Quarter, last: Quarter): Months => ({
  from: quarterMonths(first.year, first.quarter).from,
  to: quarterMonths(last.year, last.quarter).to,
})

/** Returns the recapitulative statement (model 349) of a quarter. */
export async function euReturn(ctx: Ctx, year: number, quarter: number): Promise<EuReturn> {
  const now = { year, quarter }
  const { changes, unclear } = await changesIn(ctx, quarterMonths(year, quarter))
  const operations = await operationsOf(ctx, now, changes)
  const later = changes.filter((change) => !isOfOwnQuarter(change))
  const corrected = gathered(later, (change) => `${sequence(change.of)}|${operatorKey(change)}`)
  const corrections: EuCorrection[] = []
  const before = new Map<number, { operations: Map<string, EuOperation>; changes: Change[] }>()
  for (const { of, euKey, name, nif, country, baseCents, documents } of corrected.values()) {
    if (baseCents === 0) continue
    const operator = { euKey, name, nif, country }
    const key = operatorKey(operator)
    const period = sequence(of)
    const isElsewhere = later.some(
      (change) => change.isElsewhere && sequence(change.of) === period && operatorKey(change) === key,
    )
    const row = { ...operator, ...of, differenceCents: baseCents, documents }
    if (isElsewhere) {
      corrections.push({ ...row, declaredCents: null, rectifiedCents: null })
      continue
    }
    let known = before.get(period)
    if (!known) {
      const since = await changesIn(ctx, monthsBetween(of, quarterAt(sequence(now) - 1)))
      known = { operations: await operationsOf(ctx, of, since.changes), changes: since.changes }
      before.set(period, known)
    }
    const declared = known.changes
      .filter(
        (change) => !isOfOwnQuarter(change) && sequence(change.of) === period && operatorKey(change) === key,
      )
      .reduce((sum, change) => sum + change.baseCents, known.operations.get(key)?.baseCents ?? 0)
    corrections.push({ ...row, declaredCents: declared, rectifiedCents: declared + baseCents })
  }
  const order = (a: Operator, b: Operator) =>
    a.euKey.localeCompare(b.euKey) || a.name.localeCompare(b.name) || (a.nif ?? '').localeCompare(b.nif ?? '')
  return {
    operations: [...operations.values()].filter(({ baseCents }) => baseCents !== 0).sort(order),
    corrections: corrections.sort((a, b) => order(a, b) || sequence(a) - sequence(b)),
    unclear,
  }
}
