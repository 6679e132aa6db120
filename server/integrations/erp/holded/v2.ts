/**
 * Holded's newer API: keys with permissions, lists with cursors. Its lists contain whole documents, so none is
 * requested alone.
 */
import { AppError } from '../../../domain/errors/app-error.ts'
import type { ErpReply } from '../connection/http.ts'
import { CursorRefused } from '../port.ts'
import type { Page, ProviderCtx, Quota, Step, Verified } from '../port.ts'
import { isObject, lineOf, listOf, scaled } from '../reading/untrusted-values.ts'
import { request, updateDecimalSign, readList } from './client.ts'
import { missingPermissions } from './faults.ts'
import {
  cursorTo,
  MAX_PAGES,
  listPositionIn,
  REQUIRED_SCOPES,
  SCOPES,
  startOf,
  V2,
  V2_LISTS,
} from './lists.ts'
import type { List, ListPosition } from './lists.ts'
import { isClosed, memoryOf, notesOf, taxesAreStale } from './notes.ts'
import type { Memory } from './notes.ts'
import { taxesOf } from './taxes.ts'
import { withListSkipped, unreadKinds } from './passing.ts'

/** The documented maximum of a page; some lists give more on request, which halves the calls. */
export const PAGE_SIZE = 100
const LARGE_PAGE_SIZE = 200
const CURSOR_MAX = 500

/**
 * Verifies a key with five calls: the taxes, which the first sync uses, and one row of each list. One call when the
 * key is refused.
 */
export async function verifyV2(ctx: ProviderCtx): Promise<Verified> {
  const missing: string[] = []
  const samples: Verified['samples'] = []
  let memory: Memory = { ...memoryOf({}), flavour: 'v2' }
  memory = await orMissing(missing, memory, () => withTaxes(ctx, memory))
  for (const resource of ['contacts', 'issued', 'received', 'catalogue'] as const) {
    const [list] = V2_LISTS[resource]
    if (!list) continue
    memory = await orMissing(missing, memory, async () => {
      const { items } = bodyOf(
        await request(ctx, 'v2', { ...list, resource: nameOf(list), query: { limit: 1 } }),
      )
      for (const row of items) {
        const externalId = isObject(row) ? lineOf(row.id, 120) : null
        if (externalId !== null) samples.push({ externalKind: list.kind, externalId })
      }
      return updateDecimalSign(memory, items, 'v2')
    })
  }
  return {
    accountName: null,
    accountTaxId: null,
    apiFlavour: 'v2',
    granted: REQUIRED_SCOPES.filter((scope) => !missing.includes(scope)),
    missing: [...new Set(missing)],
    samples,
    accounts: [],
    notes: notesOf(memory),
  }
}

/** Continues when only a permission is missing. */
async function orMissing(missing: string[], memory: Memory, look: () => Promise<Memory>): Promise<Memory> {
  try {
    return await look()
  } catch (error) {
    const scopes = missingPermissions(error)
    if (scopes === null) throw error
    missing.push(...scopes)
    return memory
  }
}

async function withTaxes(ctx: ProviderCtx, memory: Memory): Promise<Memory> {
  const reply = await request(ctx, 'v2', { path: `${V2}/taxes`, resource: 'taxes', scope: SCOPES.taxes })
  // The list has no pages, and has been seen without an envelope.
  const rows = Array.isArray(reply.json) ? (reply.json as unknown[]) : bodyOf(reply).items
  return { ...memory, taxes: { on: ctx.today, list: taxesOf(rows) } }
}

export async function pullV2(step: Step, ctx: ProviderCtx): Promise<Page> {
  const lists = V2_LISTS[step.resource]
  let memory = memoryOf(ctx.notes)
  const place = placeOf(step, lists, memory, ctx)
  const list = lists.find(({ path }) => path === place.path)
  if (!list || place.page > MAX_PAGES) throw badPaging(place)
  if (step.resource !== 'contacts' && taxesAreStale(memory, ctx.today)) memory = await withTaxes(ctx, memory)

  // The larger page is tried only when there is a second page: the trial costs nothing then.
  const limit = memory.pageSizes[list.path] ?? (place.page === 1 ? PAGE_SIZE : LARGE_PAGE_SIZE)
  const answer = await pageAt(place, list, limit, step, ctx)
  if (answer === null) {
    memory = withListSkipped(memory, list, ctx.today)
    return pageOf({ records: [], rejects: [] }, 0, nextList(list, lists, memory, ctx), memory, lists, ctx)
  }
  const { items, next, refusedSize } = answer
  const broken = faultIn(answer, place)
  const size = refusedSize ? PAGE_SIZE : sizeLearnt(limit, items.length, next)
  if (size !== null) memory = { ...memory, pageSizes: { ...memory.pageSizes, [list.path]: size } }
  memory = updateDecimalSign(memory, items, 'v2')
  const after: ListPosition | null =
    next === null ? nextList(list, lists, memory, ctx) : { ...place, at: next, page: place.page + 1 }
  const page = pageOf(readList(items, list.kind, 'v2', memory), items.length, after, memory, lists, ctx)
  return broken === null ? page : { ...page, broken }
}

/** Returns the paging fault of a page, whose rows are valid all the same. */
function faultIn({ items, next, saysMore }: Body, place: ListPosition): NonNullable<Page['broken']> | null {
  if (next === null) return saysMore ? 'missing_cursor' : null
  if (next === place.at) return 'same_cursor'
  return items.length === 0 ? 'empty_page' : null
}

function pageOf(
  { records, rejects }: Pick<Page, 'records' | 'rejects'>,
  rawCount: number,
  next: ListPosition | null,
  memory: Memory,
  lists: readonly List[],
  ctx: ProviderCtx,
): Page {
  return {
    records,
    rejects,
    present: [],
    nextCursor: cursorTo(next),
    rawCount,
    notes: notesOf(memory),
    ...unreadKinds(memory, lists, ctx.today),
  }
}

function placeOf(step: Step, lists: readonly List[], memory: Memory, ctx: ProviderCtx): ListPosition {
  if (step.cursor !== null) {
    const place = listPositionIn(step.cursor, lists)
    if (place === null) throw new CursorRefused()
    return place
  }
  const [first] = lists.filter(({ path }) => !isClosed(memory, path, ctx.today))
  if (!first) throw new AppError('erp_protocol_error')
  return startOf(first.path)
}

function nextList(list: List, lists: readonly List[], memory: Memory, ctx: ProviderCtx): ListPosition | null {
  const rest = lists.slice(lists.indexOf(list) + 1)
  const next = rest.find(({ path }) => !isClosed(memory, path, ctx.today))
  return next ? startOf(next.path) : null
}

/** Returns the page size that a full page proves; null while it is unknown. */
function sizeLearnt(limit: number, rows: number, next: string | null): number | null {
  if (limit <= PAGE_SIZE) return null
  if (rows > PAGE_SIZE) return LARGE_PAGE_SIZE
  return next === null ? null : PAGE_SIZE
}

/** Returns a page; null where an optional list is not offered or not permitted. */
async function pageAt(
  place: ListPosition,
  list: List,
  limit: number,
  step: Step,
  ctx: ProviderCtx,
): Promise<(Body & { refusedSize: boolean }) | null> {
  const query = {
    limit,
    // An empty cursor is never sent, because it returns an empty page.
    ...(place.at !== null && { cursor: place.at }),
    ...(step.window && { start_date: step.window.from, end_date: step.window.to }),
  }
  const lets = ({ status }: ErpReply): boolean =>
    (status === 404 && list.optional) || (status === 400 && (place.at !== null || limit > PAGE_SIZE))
  let reply: ErpReply
  try {
    reply = await request(ctx, 'v2', { ...list, resource: nameOf(list), query, lets })
  } catch (error) {
    if (list.optional && missingPermissions(error) !== null) return null
    throw error
  }
  if (reply.status === 404) return null
  if (reply.status === 400) {
    // Either the cursor or the larger page is refused: the smaller page shows which.
    if (limit <= PAGE_SIZE) throw new CursorRefused()
    const again = await pageAt(place, list, PAGE_SIZE, step, ctx)
    return again && { ...again, refusedSize: true }
  }
  return { ...bodyOf(reply), refusedSize: false }
}

interface Body {
  items: readonly unknown[]
  next: string | null
  /** The answer states that there are more pages. */
  saysMore: boolean
}

/** Parses the body of a list. Throws `erp_protocol_error` for anything else. */
function bodyOf({ json }: ErpReply): Body {
  if (!isObject(json) || !Array.isArray(json.items))
    throw new AppError('erp_protocol_error', { details: { status: 200 } })
  const { cursor, has_more: hasMore } = json
  const next = typeof cursor === 'string' || typeof cursor === 'number' ? String(cursor) : ''
  if (next.length > CURSOR_MAX) throw new AppError('erp_bad_paging')
  return {
    items: listOf(json.items),
    next: hasMore === false || next === '' ? null : next,
    saysMore: hasMore === true || hasMore === 'true' || hasMore === 1,
  }
}

function badPaging({ path, page }: ListPosition): AppError {
  return new AppError('erp_bad_paging', { details: { path, page } })
}

/** Returns the purpose of a call, for the log of calls. */
export function nameOf({ path }: List): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/**
 * Reads the account's quota with one call. Null where the key may not read it. The limit is only shown, not enforced:
 * it may be the maximum that is billed.
 */
export async function quotaV2(ctx: ProviderCtx): Promise<Quota | null> {
  try {
    const reply = await request(ctx, 'v2', {
      path: `${V2}/usage`,
      resource: 'usage',
      scope: SCOPES.usage,
      lets: ({ status }) => status === 404,
    })
    if (reply.status === 404 || !isObject(reply.json)) return null
    return { monthUsed: countOf(reply.json.usage), monthLimit: countOf(reply.json.limit) }
  } catch (error) {
    if (missingPermissions(error) !== null) return null
    throw error
  }
}

function countOf(value: unknown): number | null {
  const text = lineOf(value, 20)
  const count = text === null ? null : scaled(text, 0)
  return count === null || count < 0n ? null : Number(count)
}
