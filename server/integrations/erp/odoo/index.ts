/**
 * Provider for Odoo 19 and later, through its JSON-2 API: self-hosted or hosted, read with a key of an ordinary user.
 * It reports changes and remaining records, so a second sync costs little.
 */
import { AppError } from '../../../domain/errors/app-error.ts'
import type {
  NeutralRecord,
  Notes,
  Page,
  Provider,
  ProviderCtx,
  ProviderDescription,
  Resource,
  Step,
  Verified,
} from '../port.ts'
import { isObject, lineOf, listOf, readRows, taxIdOf } from '../reading/untrusted-values.ts'
import type { Json } from '../reading/untrusted-values.ts'
import { fetchVersion, fetchIdentity, isId, MODELS, readScope, searchIds, searchRead } from './call.ts'
import type { Domain, Model, Search } from './call.ts'
import { LINE_FIELDS, linesByMove, MOVE, MOVE_FIELDS, readMove } from './documents.ts'
import {
  after,
  cursorOf,
  greatestId,
  IDS_SIZE,
  PAGE_SIZE,
  pagePositionOf,
  searchFrom,
  timeOf,
} from './paging.ts'
import type { PagePosition } from './paging.ts'
import { PARTNER, PARTNER_FIELDS, PRODUCT, PRODUCT_FIELDS, readPartner, readProduct } from './records.ts'
import { fetchTaxes, taxesOfNotes, taxesToNote } from './taxes.ts'
import type { Taxes } from './taxes.ts'
import { linkOf } from './values.ts'

const DESCRIPTION: ProviderDescription = {
  id: 'odoo',
  kind: 'accounting',
  label: 'Odoo',
  fields: [
    { name: 'baseUrl', secret: false, required: true },
    { name: 'database', secret: false, required: false },
    { name: 'erpApiKey', secret: true, required: true },
  ],
  capabilities: {
    incremental: 'updatedAt',
    catalogue: true,
    creditNotes: true,
    receipts: false,
    quotaMeter: false,
    deletes: 'ids',
  },
  requiredScopes: MODELS.map(readScope),
  usefulScopes: [],
  smallestMonthlyQuota: null,
}

/** Records by which an account is recognized. */
const SAMPLES = 3
/** Maximum lines of one call: a page's documents are requested together, unless they are huge. */
const LINES_AT_MOST = 5000

export const odoo: Provider = {
  fixedAddress: null,
  describe: () => DESCRIPTION,
  // Documents get their lines in a second call.
  estimate: (resource, rows) =>
    (Math.floor(rows / PAGE_SIZE) + 1) * (resource === 'issued' || resource === 'received' ? 2 : 1),
  verify,
  pull,
  quota: () => Promise.resolve(null),
}

async function verify(ctx: ProviderCtx): Promise<Verified> {
  const version = await fetchVersion(ctx)
  await fetchIdentity(ctx)
  const missing: string[] = []
  const samples: Verified['samples'] = []
  for (const model of MODELS) {
    if (model === 'account.tax') continue
    const ids = await allowed(missing, model, () =>
      searchIds(ctx, 'account', model, { domain: [], order: 'id', limit: SAMPLES }),
    )
    if (model === PARTNER || model === MOVE)
      samples.push(...(ids ?? []).map((id) => ({ externalKind: model, externalId: String(id) })))
  }
  const taxes = await allowed(missing, 'account.tax', () => fetchTaxes(ctx))
  const companies = (await allowed([], 'res.company', () => fetchCompanies(ctx))) ?? []
  const { accountId } = ctx.credentials
  const company = companies.length === 1 ? companies[0] : companies.find(({ id }) => id === accountId)
  return {
    accountName: company?.name ?? null,
    accountTaxId: company?.taxId ?? null,
    apiFlavour: `json-2 (${version})`,
    granted: DESCRIPTION.requiredScopes.filter((scope) => !missing.includes(scope)),
    missing: DESCRIPTION.requiredScopes.filter((scope) => missing.includes(scope)),
    samples,
    accounts: company ? [] : companies.map(({ id, name, taxId }) => ({ id, name, taxId })),
    notes: {
      version,
      ...(company ? { companyId: Number(company.id), companyCurrency: company.currency } : {}),
      ...(taxes ? { taxes: taxesToNote(taxes) } : {}),
    },
  }
}

/** Returns a model's answer; null where the key may not read it, which is added to `missing`. */
async function allowed<T>(missing: string[], model: Model, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'erp_permission_missing') throw error
    missing.push(readScope(model))
    return null
  }
}

interface Company {
  id: string
  name: string
  taxId: string | null
  currency: string | null
}

async function fetchCompanies(ctx: ProviderCtx): Promise<Company[]> {
  const rows = await searchRead(ctx, 'account', 'res.company', {
    domain: [],
    fields: ['id', 'name', 'vat', 'currency_id'],
    order: 'id',
    limit: PAGE_SIZE,
  })
  return rows.flatMap((row) => {
    if (!isObject(row) || !isId(row.id)) return []
    const name = lineOf(row.name, 300) ?? String(row.id)
    const currency = linkOf(row.currency_id)?.label ?? null
    return [{ id: String(row.id), name, taxId: taxIdOf(row.vat, null).taxId, currency }]
  })
}

async function pull(step: Step, ctx: ProviderCtx): Promise<Page> {
  const place = pagePositionOf(step.cursor, step.since)
  const { model, scope, context } = scopeOf(step, ctx)
  const { domain, order, limit } = searchFrom(place)
  const search = { domain: [...scope, ...domain], order, limit, context }
  const since = timeOf(step.since)
  if (place.pass === 'present')
    return presentPage(place, await searchIds(ctx, step.resource, model, search), model, since)

  const begun =
    place.pass === 'all' && place.afterId === 0
      ? { ...place, mark: await newestChange(ctx, step.resource, model, { domain: scope, context }) }
      : place
  const rows = await searchRead(ctx, step.resource, model, { ...search, fields: FIELDS[step.resource] })
  const objects = rows.filter(isObject)
  if (
    rows.length >= PAGE_SIZE &&
    place.pass === 'all' &&
    greatestId(objects, place.afterId) === place.afterId
  )
    throw new AppError('erp_bad_paging', { details: { resource: step.resource } })
  const next = after(begun, objects)
  const read = await readPage(step.resource, rows, ctx)
  return {
    ...read,
    present: [],
    ...pointing(begun, next),
    rawCount: rows.length,
    ...marked(later(markOf(begun, objects), since)),
  }
}

/** Returns the next position. A pass over changes may meet a row twice; one over everything must not. */
function pointing(
  place: PagePosition,
  next: PagePosition | null,
): Pick<Page, 'nextCursor' | 'repeatedCursor'> {
  const nextCursor = next === null ? null : cursorOf(next)
  return place.pass === 'all' ? { nextCursor } : { nextCursor, repeatedCursor: nextCursor }
}

/** Returns the later mark: a mark never goes back, even if the row behind it is gone. */
function later(mark: string | null, since: string | null): string | null {
  return mark !== null && since !== null && since > mark ? since : mark
}

function marked(mark: string | null): Pick<Page, 'mark'> {
  return mark === null ? {} : { mark }
}

/** Returns the change up to which everything is read when this pass ends. */
function markOf(place: Exclude<PagePosition, { pass: 'present' }>, rows: readonly Json[]): string | null {
  if (place.pass === 'all') return place.mark
  if (place.pass === 'within') return place.second
  return timeOf(rows.at(-1)?.write_date) ?? place.from
}

/**
 * Returns the newest change before a full pass: a row that changes during the pass is newer, whether its page was
 * read before or after, and so belongs to the next pass.
 */
async function newestChange(
  ctx: ProviderCtx,
  resource: Resource,
  model: Model,
  search: Pick<Search, 'domain' | 'context'>,
): Promise<string | null> {
  const rows = await searchRead(ctx, resource, model, {
    ...search,
    fields: ['id', 'write_date'],
    order: 'write_date desc',
    limit: 1,
  })
  const times = rows.flatMap((row) => (isObject(row) ? (timeOf(row.write_date) ?? []) : []))
  return times.sort().at(-1) ?? null
}

function presentPage(
  place: PagePosition & { pass: 'present' },
  ids: readonly number[],
  model: Model,
  since: string | null,
): Page {
  const greatest = Math.max(place.afterId, ...ids)
  if (ids.length >= IDS_SIZE && greatest === place.afterId) throw new AppError('erp_bad_paging')
  const next: PagePosition | null = ids.length < IDS_SIZE ? null : { ...place, afterId: greatest }
  return {
    records: [],
    rejects: [],
    present: ids.map((id) => ({ externalKind: model, externalId: String(id) })),
    ...pointing(place, next),
    rawCount: ids.length,
    ...marked(later(place.mark, since)),
  }
}

const FIELDS: Readonly<Record<Resource, readonly string[]>> = {
  contacts: PARTNER_FIELDS,
  issued: MOVE_FIELDS,
  received: MOVE_FIELDS,
  catalogue: PRODUCT_FIELDS,
}

/**
 * Returns which rows belong to a resource: those of the chosen company, archived ones included, and documents of the
 * requested days.
 */
function scopeOf(step: Step, ctx: ProviderCtx): { model: Model; scope: Domain; context: Json } {
  const companyId = companyOf(ctx)
  const context = { active_test: false, ...(companyId === null ? {} : { allowed_company_ids: [companyId] }) }
  // A row without a company is shared by all.
  const shared: Domain = companyId === null ? [] : [['company_id', 'in', [false, companyId]]]
  if (step.resource === 'catalogue') return { model: PRODUCT, scope: shared, context }
  if (step.resource === 'contacts') {
    // Odoo also stores people of a company and delivery addresses as partners; they are skipped unless documents name
    // them.
    const own: Domain = [
      '|',
      '|',
      ['parent_id', '=', false],
      ['customer_rank', '>', 0],
      ['supplier_rank', '>', 0],
    ]
    return { model: PARTNER, scope: [...shared, ...own], context }
  }
  const types = step.resource === 'issued' ? ['out_invoice', 'out_refund'] : ['in_invoice', 'in_refund']
  const scope: Domain = [
    ['move_type', 'in', types],
    ...(companyId === null ? [] : ([['company_id', '=', companyId]] as const)),
    ...(step.window === null
      ? []
      : ([
          '|',
          ['invoice_date', '=', false],
          '&',
          ['invoice_date', '>=', step.window.from],
          ['invoice_date', '<=', step.window.to],
        ] as const)),
  ]
  return { model: MOVE, scope, context }
}

function companyOf({ credentials, notes }: ProviderCtx): number | null {
  const id = credentials.accountId === null ? notes.companyId : Number(credentials.accountId)
  return isId(id) ? id : null
}

type Read = Pick<Page, 'records' | 'rejects' | 'notes'>

async function readPage(resource: Resource, rows: readonly unknown[], ctx: ProviderCtx): Promise<Read> {
  if (resource === 'contacts') return readRows<NeutralRecord>(rows, PARTNER, readPartner)
  if (resource === 'catalogue') {
    const { taxes, notes } = await taxesFor(rows, 'taxes_id', ctx)
    return { ...readRows<NeutralRecord>(rows, PRODUCT, (row) => readProduct(row, taxes)), ...notes }
  }
  const lineRows = await linesOf(rows, resource, ctx)
  const { taxes, notes } = await taxesFor(lineRows, 'tax_ids', ctx)
  const lines = linesByMove(lineRows)
  const companyCurrency = lineOf(ctx.notes.companyCurrency, 10) ?? 'EUR'
  const context = { side: resource, taxes, companyCurrency }
  const read = readRows<NeutralRecord>(rows, MOVE, (row) =>
    readMove(row, isId(row.id) ? (lines.get(row.id) ?? []) : [], context),
  )
  return { ...read, ...notes }
}

/**
 * Returns the lines of a page's documents in as few calls as their number allows: usually one, never one per
 * document.
 */
async function linesOf(
  rows: readonly unknown[],
  resource: Resource,
  ctx: ProviderCtx,
): Promise<readonly unknown[]> {
  const found: unknown[] = []
  let ids: number[] = []
  let count = 0
  const takeLines = async (): Promise<void> => {
    if (ids.length === 0) return
    const domain: Domain = [
      ['move_id', 'in', ids],
      ['display_type', 'in', ['product', 'tax']],
    ]
    found.push(
      ...(await searchRead(ctx, resource, 'account.move.line', { domain, fields: LINE_FIELDS, order: 'id' })),
    )
    ids = []
    count = 0
  }
  for (const row of rows) {
    if (!isObject(row) || !isId(row.id)) continue
    const lines = listOf(row.invoice_line_ids).length
    if (count + lines > LINES_AT_MOST) await takeLines()
    ids.push(row.id)
    count += lines
  }
  await takeLines()
  return found
}

/** Returns the noted taxes, or reads all again where a row names an unknown one. */
async function taxesFor(
  rows: readonly unknown[],
  field: string,
  ctx: ProviderCtx,
): Promise<{ taxes: Taxes; notes: { notes?: Notes } }> {
  const noted = taxesOfNotes(ctx.notes)
  const named = rows.flatMap((row) => (isObject(row) ? listOf(row[field]).filter(isId) : []))
  if (noted && named.every((id) => noted.has(id))) return { taxes: noted, notes: {} }
  if (named.length === 0) return { taxes: noted ?? new Map(), notes: {} }
  const taxes = await fetchTaxes(ctx)
  return { taxes, notes: { notes: { ...ctx.notes, taxes: taxesToNote(taxes) } } }
}
