/**
 * What the other side did, found by comparing what the platform holds now with what it held at the last look. The platform
 * has no list of events: it is asked for the invoices of the last months, month by month.
 */
import { sha256Hex } from '../../../domain/sha256.ts'
import type { ExchangeEvent, ExchangePort, Found } from '../port.ts'
import type { InvoiceCode, StatusRole } from '../types.ts'

/** Months that are looked at, the current one included. */
const MONTHS = 4

/** Of an invoice at the last look: its code, and how many statuses of the other side it had. */
interface Seen {
  invoice: InvoiceCode
  statuses: number
}

/** Invoices by role and month of their presentation. */
type Memory = Record<StatusRole, Record<string, Record<string, Seen>>>

const ROLES = ['recipient', 'issuer'] as const

/** Returns the events since a look; `today` is a day in Spain. */
export async function eventsSince(
  find: ExchangePort['find'],
  since: string | null,
  { today, at }: { today: string; at: string },
): Promise<{ events: ExchangeEvent[]; next: string }> {
  const before = readMemory(since)
  const now: Memory = { recipient: {}, issuer: {} }
  const events: ExchangeEvent[] = []
  const months = lastMonths(today)
  for (const role of ROLES)
    for (const month of months) {
      const found = await foundIn(find, role, month)
      const { seen, events: more } = compared(found, before[role][month] ?? {}, role, at)
      now[role][month] = seen
      events.push(...more)
    }
  return {
    events: events.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0)),
    next: JSON.stringify({ v: 1, ...now }),
  }
}

/** Returns the memory of a look; an empty one for null, and for anything that is none, so that all is told again. */
function readMemory(since: string | null): Memory {
  const empty: Memory = { recipient: {}, issuer: {} }
  if (since === null) return empty
  try {
    const read = JSON.parse(since) as Partial<Memory> & { v?: unknown }
    return read.v === 1 && read.recipient && read.issuer
      ? { recipient: read.recipient, issuer: read.issuer }
      : empty
  } catch {
    return empty
  }
}

/** Returns months as `YYYY-MM`, the oldest first. */
function lastMonths(today: string): string[] {
  const [year = 0, month = 1] = today.split('-').map(Number)
  return Array.from({ length: MONTHS }, (_, index) => {
    const number = year * 12 + month - 1 - (MONTHS - 1 - index)
    return `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`
  })
}

async function foundIn(find: ExchangePort['find'], role: StatusRole, month: string): Promise<Found[]> {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate()
  const found: Found[] = []
  let cursor: string | undefined
  do {
    const page = await find({
      role,
      from: `${month}-01`,
      to: `${month}-${last}`,
      ...(cursor === undefined ? {} : { cursor }),
    })
    found.push(...page.found)
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return found
}

function compared(
  found: readonly Found[],
  before: Record<string, Seen>,
  role: StatusRole,
  at: string,
): { seen: Record<string, Seen>; events: ExchangeEvent[] } {
  const seen: Record<string, Seen> = {}
  const events: ExchangeEvent[] = []
  for (const each of found) {
    const { invoice, locator } = each
    // A number that was withdrawn and used again has another locator.
    const key = sha256Hex(locator).slice(0, 12)
    const others = each.statuses.filter((status) => status.role !== role)
    seen[key] = { invoice, statuses: others.length }
    const known = before[key]
    if (!known && role === 'recipient') events.push({ kind: 'arrived', at: each.presentedAt, found: each })
    for (const status of others.slice(known?.statuses ?? 0))
      events.push({ kind: 'status', at: status.presentedAt, invoice, status })
  }
  if (role === 'recipient')
    for (const [key, { invoice }] of Object.entries(before))
      if (!Object.hasOwn(seen, key)) events.push({ kind: 'withdrawn', at, invoice })
  return { seen, events }
}
