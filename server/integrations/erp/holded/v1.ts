/**
 * Holded's older API, for keys that still open it: plain lists by page number, which may repeat themselves instead of
 * ending.
 */
import { addDays, daysBetween, startOfDay } from '../../../domain/dates.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { ErpReply } from '../connection/http.ts'
import { CursorRefused } from '../port.ts'
import type { Page, ProviderCtx, Step, Verified, Window } from '../port.ts'
import { isObject, lineOf, objectOf, taxIdOf } from '../reading/untrusted-values.ts'
import type { Json } from '../reading/untrusted-values.ts'
import { request, readList, updateDecimalSign } from './client.ts'
import { isSoftError } from './faults.ts'
import { cursorTo, MAX_PAGES, listPositionIn, REQUIRED_SCOPES, startOf, V1, V1_LISTS } from './lists.ts'
import type { List, ListPosition } from './lists.ts'
import { isClosed, memoryOf, notesOf, taxesAreStale } from './notes.ts'
import type { Memory } from './notes.ts'
import { withListSkipped, CLOSED_DAYS, unreadKinds } from './passing.ts'
import { taxesOf } from './taxes.ts'
import { nameOf } from './v2.ts'

/** The API accepts at most a year; 52 weeks are below it even when the clocks change in between. */
const PART_DAYS = 364

/**
 * Verifies a key with two calls, and a third for an account that only its contacts identify. These keys have no
 * permissions: they open everything.
 */
export async function verifyV1(ctx: ProviderCtx): Promise<Verified> {
  const memory = await withTaxes(ctx, { ...memoryOf({}), flavour: 'v1' })
  const company = await companyOf(ctx)
  return {
    ...company,
    apiFlavour: 'v1',
    granted: [...REQUIRED_SCOPES],
    missing: [],
    samples: company.accountTaxId === null ? await firstContacts(ctx) : [],
    accounts: [],
    notes: notesOf(memory),
  }
}

/** Returns the company's name, or none if the undocumented call fails: nothing depends on it. */
async function companyOf(ctx: ProviderCtx): Promise<Pick<Verified, 'accountName' | 'accountTaxId'>> {
  let company: Json = {}
  try {
    const { status, json } = await request(ctx, 'v1', {
      path: '/api/company/v1/',
      resource: 'company',
      scope: null,
      lets: (reply) => reply.status !== 429,
    })
    if (status === 200) company = objectOf(json) ?? {}
  } catch (error) {
    // The key has just opened the taxes, so the refusal is about this request.
    if (!(error instanceof AppError) || error.code !== 'erp_key_rejected') throw error
  }
  return {
    accountName: lineOf(company.socialName, 200),
    accountTaxId: taxIdOf(company.cifNumber, 'ES').taxId,
  }
}

async function firstContacts(ctx: ProviderCtx): Promise<Verified['samples']> {
  const [list] = V1_LISTS.contacts
  if (!list) return []
  const reply = await request(ctx, 'v1', { ...list, resource: 'contacts', query: { page: 1, limit: 1 } })
  return rowsOf(reply)
    .slice(0, 5)
    .flatMap((row) => {
      const externalId = isObject(row) ? lineOf(row.id, 120) : null
      return externalId === null ? [] : [{ externalKind: 'contact', externalId }]
    })
}

async function withTaxes(ctx: ProviderCtx, memory: Memory): Promise<Memory> {
  const reply = await request(ctx, 'v1', { path: `${V1}/taxes`, resource: 'taxes', scope: null })
  return { ...memory, taxes: { on: ctx.today, list: taxesOf(rowsOf(reply)) } }
}

export async function pullV1(step: Step, ctx: ProviderCtx): Promise<Page> {
  const lists = V1_LISTS[step.resource]
  const parts = step.window === null ? [null] : partsOf(step.window)
  let memory = memoryOf(ctx.notes)
  const place = placeOf(step, lists, memory, ctx)
  const list = lists.find(({ path }) => path === place.path)
  if (!list || place.part >= parts.length) throw new CursorRefused()
  if (place.page > MAX_PAGES)
    throw new AppError('erp_bad_paging', { details: { path: place.path, page: place.page } })
  if (step.resource !== 'contacts' && taxesAreStale(memory, ctx.today)) memory = await withTaxes(ctx, memory)

  const answer = await pageAt(place, list, parts[place.part] ?? null, ctx)
  const isPassed = typeof answer === 'string'
  const found = isPassed ? [] : answer
  // A web page may also be maintenance: then the answer may differ tomorrow.
  if (isPassed) memory = withListSkipped(memory, list, ctx.today, answer === 'page' ? 1 : CLOSED_DAYS)
  else memory = updateDecimalSign(memory, found, 'v1')
  const ended = endOf(place, list, isPassed ? 0 : parts.length, lists, memory, ctx)
  const firstRows = place.page === 1 ? found.length : place.firstRows
  const isLast = found.length === 0 || found.length < firstRows
  return {
    ...readList(found, list.kind, 'v1', memory),
    present: [],
    nextCursor: cursorTo(isLast ? ended : { ...place, page: place.page + 1, firstRows }),
    repeatedCursor: cursorTo(ended),
    rawCount: found.length,
    notes: notesOf(memory),
    ...unreadKinds(memory, lists, ctx.today),
  }
}

/** Splits a long window into parts, oldest first. */
export function partsOf({ from, to }: Window): Window[] {
  const parts: Window[] = []
  for (let start = from; start <= to; start = addDays(start, PART_DAYS)) {
    const end = addDays(start, PART_DAYS - 1)
    parts.push({ from: start, to: daysBetween(end, to) < 0 ? to : end })
  }
  return parts
}

/** Returns the seconds of the midnights in Madrid at which a part begins and ends; the end is exclusive. */
export function secondsOf({ from, to }: Window): { starttmp: number; endtmp: number } {
  return {
    starttmp: startOfDay(from).getTime() / 1000,
    endtmp: startOfDay(addDays(to, 1)).getTime() / 1000,
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

/** Returns the position after the end of a list: its next part, or the next list. */
function endOf(
  place: ListPosition,
  list: List,
  parts: number,
  lists: readonly List[],
  memory: Memory,
  ctx: ProviderCtx,
): ListPosition | null {
  if (place.part + 1 < parts) return startOf(list.path, place.part + 1)
  const rest = lists.slice(lists.indexOf(list) + 1)
  const next = rest.find(({ path }) => !isClosed(memory, path, ctx.today))
  return next ? startOf(next.path) : null
}

/**
 * Returns the rows, or how an optional list shows that it is not offered: with an error, also sent with 200, or with
 * a web page.
 */
async function pageAt(
  place: ListPosition,
  list: List,
  window: Window | null,
  ctx: ProviderCtx,
): Promise<readonly unknown[] | 'error' | 'page'> {
  const reply = await request(ctx, 'v1', {
    ...list,
    resource: nameOf(list),
    query: { page: place.page, ...(window && secondsOf(window)) },
    lets: (said) => list.optional && place.page === 1 && absenceIn(said) !== null,
  })
  return absenceIn(reply) ?? rowsOf(reply)
}

function absenceIn({ status, json, text }: ErpReply): 'error' | 'page' | null {
  if (status === 404 || (status === 200 && isSoftError(json))) return 'error'
  return status === 200 && json === undefined && text.trimStart().startsWith('<') ? 'page' : null
}

function rowsOf({ json }: ErpReply): readonly unknown[] {
  if (!Array.isArray(json)) throw new AppError('erp_protocol_error', { details: { status: 200 } })
  return json as unknown[]
}
