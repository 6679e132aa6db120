/** Plans a sync: which resources, which days, from which position, and at what cost. */
import { addDays } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { businessDateOf } from '../../../domain/dates.ts'
import type { Ctx } from '../../../context.ts'
import { prepare } from '../../../db/query.ts'
import type { ErpWatermarksTable } from '../../../db/schema.ts'
import type { Selectable } from 'kysely'
import { RESOURCES } from '../port.ts'
import type { Provider, Resource, Window } from '../port.ts'
import type { ConnectionRow } from '../connection/rows.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Documents may be dated in the future. */
const AHEAD_DAYS = 90
/** Documents change for a while after their date: payments, amendments, late entry. */
const BEHIND_DAYS = 45
/** A full sync is due after this time: changes to older documents show in no other way. */
const FULL_PASS_DAYS = 90
/** Whole lists are not read again within this time. */
const FRESH_MS = 15 * MINUTE_MS

interface PlannedResource {
  resource: Resource
  window: Window | null
  since: string | null
  /** The pass reads the whole resource, so absent records are deleted ones. */
  isFresh: boolean
  calls: number
}

export interface Plan {
  mode: 'window' | 'full'
  resources: PlannedResource[]
  /** Calls that it will probably take. */
  estimate: number
}

type Watermark = Selectable<ErpWatermarksTable>

const marks = prepare((db, p: { id: number }) =>
  db.selectFrom('erp_watermarks').selectAll().where('connection_id', '=', p.id),
)

export async function watermarksOf(ctx: Ctx, connectionId: number): Promise<Map<string, Watermark>> {
  const rows = await marks.all(ctx.db, { id: connectionId })
  return new Map(rows.map((row) => [row.resource, row]))
}

const oldestOpen = prepare((db, p: { id: number; side: 'issued' | 'received' }) =>
  db
    .selectFrom('erp_documents')
    .select((eb) => eb.fn.min('list_date').as('date'))
    .where('connection_id', '=', p.id)
    .where('side', '=', p.side)
    .where('state', '=', 'approved')
    .where('payment_state', 'in', ['unpaid', 'partial'])
    .where('missing_since', 'is', null),
)

const countFrom = prepare((db, p: { id: number; side: 'issued' | 'received'; from: string; to: string }) =>
  db
    .selectFrom('erp_documents')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('connection_id', '=', p.id)
    .where('side', '=', p.side)
    .where('list_date', '>=', p.from)
    .where('list_date', '<=', p.to),
)

const earlier = (a: BusinessDate, b: BusinessDate) => (a < b ? a : b)
const later = (a: BusinessDate, b: BusinessDate) => (a > b ? a : b)

/** Returns true if a full sync of the invoices is due: none yet, or too long ago. */
export function isFullPassDue(now: Date, watermarks: ReadonlyMap<string, Watermark>): boolean {
  return (['issued', 'received'] as const).some((resource) => {
    const at = watermarks.get(resource)?.full_pass_at ?? null
    return at === null || at < now.getTime() - FULL_PASS_DAYS * DAY_MS
  })
}

/** Returns the resources that a sync of a system reads, in that order. */
export function resourcesOfPlan(provider: Provider, wished: readonly Resource[] | null): Resource[] {
  const { catalogue } = provider.describe().capabilities
  return RESOURCES.filter(
    (resource) => (wished === null || wished.includes(resource)) && (resource !== 'catalogue' || catalogue),
  )
}

/**
 * Returns true if everything since the start of the history is read: never done, requested, or the history begins
 * earlier by now.
 */
function isWholePass(row: ConnectionRow, mark: Watermark | undefined, isFull: boolean): boolean {
  if (isFull || mark === undefined || mark.last_complete_at === null) return true
  return mark.window_from !== null && row.history_from < mark.window_from
}

/** Returns the days to read again: since the oldest document still open, and those in which changes are usual. */
async function windowOf(
  ctx: Ctx,
  row: ConnectionRow,
  side: 'issued' | 'received',
  mark: Watermark | undefined,
  isFull: boolean,
): Promise<Window> {
  const to = addDays(ctx.today(), AHEAD_DAYS)
  const first = row.history_from
  if (mark?.last_complete_at == null || isWholePass(row, mark, isFull)) return { from: first, to }
  const usual = addDays(businessDateOf(new Date(mark.last_complete_at)), -BEHIND_DAYS)
  const open = (await oldestOpen.first(ctx.db, { id: row.id, side }))?.date ?? usual
  return { from: later(first, earlier(usual, open)), to }
}

export interface Wish {
  mode: 'auto' | 'full'
  resources: readonly Resource[] | null
  force: boolean
}

/** Returns the plan of a sync that begins now. */
export async function planOf(ctx: Ctx, row: ConnectionRow, provider: Provider, wish: Wish): Promise<Plan> {
  const { capabilities } = provider.describe()
  const watermarks = await watermarksOf(ctx, row.id)
  const isFull = wish.mode === 'full'
  const resources: PlannedResource[] = []
  for (const resource of resourcesOfPlan(provider, wish.resources)) {
    const mark = watermarks.get(resource)
    const lastCount = mark?.last_count ?? 0
    // A pass over changes alone would omit older days that were never read.
    const since =
      capabilities.incremental === 'updatedAt' && mark && !isWholePass(row, mark, isFull) ? mark.mark : null
    if (resource === 'contacts' || resource === 'catalogue') {
      const isFresh =
        !isFull &&
        !wish.force &&
        wish.resources === null &&
        (mark?.last_complete_at ?? 0) > ctx.now().getTime() - FRESH_MS
      const calls = isFresh ? 0 : provider.estimate(resource, lastCount)
      resources.push({ resource, window: null, since, isFresh, calls })
    } else {
      const window = await windowOf(ctx, row, resource, mark, isFull)
      const known = await countFrom.first(ctx.db, { id: row.id, side: resource, ...window })
      const calls = provider.estimate(resource, known?.count ?? 0)
      resources.push({ resource, window, since, isFresh: false, calls })
    }
  }
  const estimate = resources.reduce((sum, each) => sum + each.calls, 0)
  const isWhole = resources.some(
    ({ resource, window }) => window !== null && isWholePass(row, watermarks.get(resource), isFull),
  )
  // The meter is read once.
  const meter = capabilities.quotaMeter && estimate > 0 ? 1 : 0
  return { mode: isWhole ? 'full' : 'window', resources, estimate: estimate + meter }
}
