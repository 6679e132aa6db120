/** Lists the documents behind a box; their amounts add up to the box. */
import { sql } from 'kysely'
import type { ContractInput } from '../../../domain/contract/define-contract.ts'
import { createCursor, readCursor } from '../../../domain/contract/cursor.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { entriesOf, taxTotals } from '../../../tax/totals/index.ts'
import type { EntryPosition, FigureEntry, TaxTotalRow } from '../../../tax/totals/index.ts'
import { amountFor } from './boxes.ts'
import type { BoxDocument, fiscalBoxDocumentsContract } from '../contract.ts'
import { computedOf } from './models.ts'
import { quarterMonths } from '../calendar/periods.ts'
import type { ReturnPeriod } from '../calendar/periods.ts'
import { returnPeriod } from '../schemes/units.ts'

type Input = ContractInput<typeof fiscalBoxDocumentsContract>

interface Face {
  publicId: string
  number: string | null
  date: string
  name: string
  nif: string | null
}

async function invoiceFaces(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Face>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('invoices')
    .leftJoin('amended_parties', 'amended_parties.invoice_id', 'invoices.id')
    .innerJoin('parties', (join) =>
      join.on('parties.id', '=', sql<number>`coalesce(amended_parties.party_id, invoices.party_id)`),
    )
    .select([
      'invoices.id',
      'invoices.public_id',
      'invoices.number',
      'invoices.list_date',
      'parties.name',
      'parties.nif',
    ])
    .where('invoices.id', 'in', ids)
    .execute()
  return new Map(
    rows.map((row) => [
      row.id,
      { publicId: row.public_id, number: row.number, date: row.list_date, name: row.name, nif: row.nif },
    ]),
  )
}

async function receivedFaces(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Face>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('received_invoices')
    .select([
      'id',
      'public_id',
      'supplier_number',
      'issue_date',
      'supplier_name',
      'supplier_nif',
      'supplier_nif_written',
    ])
    .where('id', 'in', ids)
    .execute()
  return new Map(
    rows.map((row) => [
      row.id,
      {
        publicId: row.public_id,
        number: row.supplier_number,
        date: row.issue_date,
        name: row.supplier_name,
        nif: row.supplier_nif_written ?? row.supplier_nif,
      },
    ]),
  )
}

/** Returns the months that a box covers: an instalment counts the income since January in each of its quarters. */
function monthsOf(input: Input, { months, year, quarter }: ReturnPeriod): { from: number; to: number } {
  return input.model === '130' ? { from: year * 100 + 1, to: quarterMonths(year, quarter ?? 4).to } : months
}

const LIST = 'fiscal.boxDocuments'

/**
 * Returns a page of the documents behind a box. Computed and typed boxes have none. Throws `not_found` for unknown
 * boxes.
 */
export const boxDocuments: UseCase<typeof fiscalBoxDocumentsContract> = async (ctx, input) => {
  const period = await returnPeriod(ctx, input.model, input)
  const computed = await computedOf(ctx, input.model, period)
  const value = computed.values.find(({ box }) => box.box === input.box)
  if (!value) throw new AppError('not_found', { field: 'box' })
  const { from } = value.box
  const total = eurosFromCents(value.value)
  if (!from) return { items: [], nextCursor: null, total }
  const months = monthsOf(input, period)
  const groups = new Map<number, TaxTotalRow>()
  for (const figure of await taxTotals(ctx, months)) if (from.when(figure)) groups.set(figure.groupId, figure)
  const filter = { model: input.model, box: input.box, year: input.year, period: period.code }
  let after: EntryPosition | undefined
  if (input.cursor !== undefined) {
    const [month, source, sourceId, part] = readCursor(input.cursor, LIST, filter).map(Number)
    after = { month: month ?? 0, source: source ?? 0, sourceId: sourceId ?? 0, part: part ?? 0 }
  }
  const entries = await entriesOf(ctx, [...groups.keys()], months, {
    limit: input.limit,
    ...(after ? { after } : {}),
  })
  const amountOf = (entry: FigureEntry): Cents => amountFor(from, entry)
  const idsOf = (source: FigureEntry['source']) => [
    ...new Set(entries.filter((entry) => entry.source === source).map(({ sourceId }) => sourceId)),
  ]
  const faces = {
    invoice: await invoiceFaces(ctx, idsOf('invoice')),
    received: await receivedFaces(ctx, idsOf('received')),
  }
  const items = new Map<string, { face: Face; type: FigureEntry['source']; base: Cents; amount: Cents }>()
  for (const entry of entries) {
    const face = faces[entry.source].get(entry.sourceId)
    if (!face) throw new Error(`${entry.source} ${entry.sourceId} has figures and is missing.`)
    const key = `${entry.month} ${entry.source} ${entry.sourceId} ${entry.part}`
    const known = items.get(key) ?? { face, type: entry.source, base: 0, amount: 0 }
    known.base += entry.baseCents
    known.amount += amountOf(entry)
    items.set(key, known)
  }
  const last = entries.at(-1)
  const isFull = entries.length >= input.limit
  return {
    items: [...items.values()].map(({ face, type, base, amount }): BoxDocument => ({
      type,
      id: face.publicId,
      number: face.number,
      date: face.date,
      name: face.name,
      nif: face.nif,
      base: eurosFromCents(base),
      amount: eurosFromCents(amount),
      untrusted: true,
    })),
    nextCursor:
      last && isFull
        ? createCursor(LIST, filter, [
            last.month,
            last.source === 'invoice' ? 1 : 2,
            last.sourceId,
            last.part,
          ])
        : null,
    total,
  }
}
