/**
 * Labels of an entry's source: number and party of the document, and names of accounts. The only place where the
 * ledger reads the tables of documents; it never writes them.
 */
import type { z } from 'zod'
import type { Ctx } from '../../../context.ts'
import type { AccountNames } from '../chart/own-names.ts'
import type { EntrySourceShape } from '../contract.ts'
import { entryIdOf } from './entry-id.ts'
import { SOURCE_TYPES, sourceName } from './sources.ts'

export type SourceView = z.infer<typeof EntrySourceShape>

interface Sourced {
  id: number
  source_type: number
  source_id: number | null
}

interface Label {
  id: string
  label: string | null
  party: string | null
  direction?: 'in' | 'out'
}

type Labels = Map<number, Label>

async function invoiceLabels(ctx: Ctx, ids: number[]): Promise<Labels> {
  const rows = await ctx.db
    .selectFrom('invoices')
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .select(['invoices.id', 'invoices.public_id', 'invoices.number', 'parties.name'])
    .where('invoices.id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, { id: row.public_id, label: row.number, party: row.name }]))
}

async function receivedLabels(ctx: Ctx, ids: number[]): Promise<Labels> {
  const rows = await ctx.db
    .selectFrom('received_invoices')
    .select(['id', 'public_id', 'supplier_number', 'supplier_name'])
    .where('id', 'in', ids)
    .execute()
  return new Map(
    rows.map((row) => [row.id, { id: row.public_id, label: row.supplier_number, party: row.supplier_name }]),
  )
}

/**
 * Returns labels of payments: the reference, else the document that the payment settles; the party is that of the
 * document.
 */
async function paymentLabels(ctx: Ctx, ids: number[]): Promise<Labels> {
  const rows = await ctx.db
    .selectFrom('payments')
    .leftJoin('contacts', 'contacts.id', 'payments.contact_id')
    .leftJoin('payment_allocations as first', (join) =>
      join.onRef('first.payment_id', '=', 'payments.id').on('first.position', '=', 0),
    )
    .leftJoin('invoices', 'invoices.id', 'first.invoice_id')
    .leftJoin('parties', 'parties.id', 'invoices.party_id')
    .leftJoin('received_invoices as received', 'received.id', 'first.received_id')
    .select(({ fn }) => [
      'payments.id',
      'payments.public_id',
      'payments.direction',
      fn.coalesce('payments.reference', 'invoices.number', 'received.supplier_number').as('label'),
      fn.coalesce('contacts.name', 'parties.name', 'received.supplier_name').as('party'),
    ])
    .where('payments.id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, public_id, ...row }) => [id, { id: public_id, ...row }]))
}

async function bankLabels(ctx: Ctx, ids: number[]): Promise<Labels> {
  const rows = await ctx.db
    .selectFrom('bank_transactions')
    .select(['id', 'public_id', 'text', 'counterparty'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, { id: row.public_id, label: row.text, party: row.counterparty }]))
}

async function assetLabels(ctx: Ctx, ids: number[]): Promise<Labels> {
  const rows = await ctx.db
    .selectFrom('assets')
    .select(['id', 'public_id', 'description'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, { id: row.public_id, label: row.description, party: null }]))
}

async function depreciationLabels(ctx: Ctx, ids: number[]): Promise<Labels> {
  const rows = await ctx.db
    .selectFrom('asset_depreciations')
    .innerJoin('assets', 'assets.id', 'asset_depreciations.asset_id')
    .select(['asset_depreciations.id', 'assets.public_id', 'assets.description'])
    .where('asset_depreciations.id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, { id: row.public_id, label: row.description, party: null }]))
}

/** Returns labels of reversals: that of the reversed entry; a chain of reversals has that of its first entry. */
async function reversalLabels(ctx: Ctx, ids: number[]): Promise<Labels> {
  const rows: Sourced[] = await ctx.db
    .selectFrom('journal_entries')
    .select(['id', 'source_type', 'source_id'])
    .where('id', 'in', ids)
    .execute()
  const sources = await sourcesOf(ctx, rows)
  return new Map(
    rows.map((row) => {
      const { label = null, party = null } = sources.get(row.id) ?? {}
      return [row.id, { id: entryIdOf(ctx.book, row.id), label, party }]
    }),
  )
}

const READERS: Record<number, (ctx: Ctx, ids: number[]) => Promise<Labels>> = {
  [SOURCE_TYPES.invoice]: invoiceLabels,
  [SOURCE_TYPES.received]: receivedLabels,
  [SOURCE_TYPES.payment]: paymentLabels,
  [SOURCE_TYPES.bank]: bankLabels,
  [SOURCE_TYPES.reversal]: reversalLabels,
  [SOURCE_TYPES.depreciation]: depreciationLabels,
  [SOURCE_TYPES.asset_disposal]: assetLabels,
}

/** Returns the sources of entries, by entry, with one query for each kind that occurs. */
export async function sourcesOf(ctx: Ctx, entries: readonly Sourced[]): Promise<Map<number, SourceView>> {
  const labels = new Map<number, Labels>()
  for (const type of new Set(entries.map((entry) => entry.source_type))) {
    const ids = entries.flatMap((entry) =>
      entry.source_type === type && entry.source_id !== null ? [entry.source_id] : [],
    )
    const read = READERS[type]
    if (read && ids.length > 0) labels.set(type, await read(ctx, ids))
  }
  return new Map(
    entries.map((entry) => {
      const found = entry.source_id === null ? undefined : labels.get(entry.source_type)?.get(entry.source_id)
      const view: SourceView = {
        type: sourceName(entry.source_type),
        id: found?.id ?? null,
        label: found?.label ?? null,
        party: found?.party ?? null,
        ...(found?.direction ? { direction: found.direction } : {}),
      }
      return [entry.id, view]
    }),
  )
}

/** Returns the name of an account: the book's own, else the plan's. */
export function accountName(account: { code: string; name: string | null }, named: AccountNames): string {
  return account.name ?? named(account.code)
}
