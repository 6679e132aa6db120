/** Invoices of a pack: stored documents, rendered now where missing, and their list. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { centsToText } from '../../domain/money.ts'
import { safeEntryName, uniqueName } from '../../domain/formats/zip-stream.ts'
import type { ZipEntry } from '../../domain/formats/zip-stream.ts'
import type { Ctx } from '../../context.ts'
import { issuedDocument } from '../../documents/rendering/index.ts'
import { documentsOf, readDocument, resolveInvoice } from '../../sales/invoices/index.ts'
import { gapsOfBook } from '../../company/series/index.ts'
import type { PackedInvoice, PackedSeries } from './format.ts'
import { inYears } from './plan.ts'
import type { Plan } from './plan.ts'

const PAGE = 200

export interface PackedInvoices {
  listed: PackedInvoice[]
  series: PackedSeries[]
  missing: string[]
}

async function pageAfter(ctx: Ctx, plan: Plan, after: number) {
  return ctx.db
    .selectFrom('invoices')
    .innerJoin('series', 'series.id', 'invoices.series_id')
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .select([
      'invoices.id',
      'invoices.public_id',
      'invoices.number',
      'invoices.sequence',
      'invoices.series_id',
      'invoices.kind',
      'invoices.issue_date',
      'invoices.base_cents',
      'invoices.tax_cents',
      'invoices.outside_cents',
      'invoices.total_cents',
      'invoices.cancelled_at',
      'series.code',
      'parties.name as customer',
    ])
    .where('invoices.book_id', '=', ctx.book.id)
    .where('invoices.state', '=', 'issued')
    .where('invoices.id', '>', after)
    .where('invoices.id', '<=', plan.lastInvoice)
    .where(inYears(plan.years))
    .orderBy('invoices.id')
    .limit(PAGE)
    .execute()
}

async function recordsOf(ctx: Ctx, ids: readonly number[], plan: Plan): Promise<Map<number, number[]>> {
  const rows = await ctx.db
    .selectFrom('registry_records')
    .select(['invoice_id', 'sequence'])
    .where('invoice_id', 'in', ids)
    .where('sequence', '>=', plan.range?.first ?? 1)
    .where('sequence', '<=', plan.range?.last ?? 0)
    .orderBy('sequence')
    .execute()
  const grouped = Map.groupBy(rows, (row) => row.invoice_id)
  return new Map([...grouped].map(([id, own]) => [id, own.map(({ sequence }) => sequence)]))
}

/** Returns the range of each series in the pack, with the numbers used outside the books. */
async function withGaps(
  ctx: Ctx,
  spans: ReadonlyMap<number, { code: string; first: number; last: number }>,
): Promise<PackedSeries[]> {
  const gaps = await gapsOfBook(ctx)
  return [...spans].map(([id, span]) => ({
    ...span,
    skipped: gaps.filter(({ seriesId }) => seriesId === id).map(({ first, last }) => ({ first, last })),
  }))
}

/** Yields the files of the invoices one after another and fills `into` meanwhile. */
export async function* invoiceEntries(
  ctx: Ctx,
  plan: Plan,
  into: PackedInvoices,
  seen: (done: number) => void,
): AsyncGenerator<ZipEntry, void, undefined> {
  const taken = new Set<string>()
  const spans = new Map<number, { code: string; first: number; last: number }>()
  for (let after = 0; ;) {
    const page = await pageAfter(ctx, plan, after)
    const last = page.at(-1)
    if (!last) break
    const records = await recordsOf(
      ctx,
      page.map(({ id }) => id),
      plan,
    )
    for (const row of page) {
      const number = row.number ?? row.public_id
      const sequence = row.sequence ?? 0
      const xml: string[] = []
      let pdf: string | null = null
      const named = (end: string) => `invoices/${uniqueName(`${safeEntryName(number)}${end}`, taken)}`
      try {
        const document = await issuedDocument(ctx, await resolveInvoice(ctx, row.public_id), {
          format: 'pdf',
          language: null,
        })
        pdf = named('.pdf')
        yield { name: pdf, bytes: document.bytes, compress: false }
      } catch {
        // The rest is still proof; the manifest lists what is missing.
        into.missing.push(number)
      }
      for (const document of await documentsOf(ctx.db, row.id)) {
        if (document.format !== 'facturae') continue
        const name = named('.xsig')
        xml.push(name)
        yield { name, bytes: (await readDocument(ctx, document)).bytes, compress: true }
      }
      into.listed.push({
        number,
        series: row.code,
        sequence,
        kind: row.kind,
        issueDate: row.issue_date ?? '',
        customer: row.customer,
        base: centsToText(row.base_cents),
        tax: centsToText(row.tax_cents),
        registered: row.outside_cents === 0 ? centsToText(row.base_cents + row.tax_cents) : null,
        total: centsToText(row.total_cents),
        cancelled: row.cancelled_at !== null,
        records: records.get(row.id) ?? [],
        pdf,
        xml,
      })
      const span = spans.get(row.series_id ?? 0)
      spans.set(row.series_id ?? 0, {
        code: row.code,
        first: Math.min(span?.first ?? sequence, sequence),
        last: Math.max(span?.last ?? sequence, sequence),
      })
      seen(into.listed.length)
      // The store answers synchronously, so a fast reader would block all other requests.
      await nextTurn()
    }
    after = last.id
  }
  into.series = await withGaps(ctx, spans)
}
