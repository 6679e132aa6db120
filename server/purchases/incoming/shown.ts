/** Keeps what `received.read` showed of a file for an hour, so that the entry that is made of it can be learned from. */
import { createHash } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import type { Store } from '../../db/store.ts'
import type { ProposedEntry } from './propose.ts'

interface Shown {
  read: ProposedEntry
  at: number
}

/** By the store; then by book and digest of the file, the oldest first. */
const shownIn = new WeakMap<Store, Map<string, Shown>>()

const KEPT_MS = 3_600_000
const MOST = 20

const keyOf = (ctx: Ctx, sha256: Uint8Array): string =>
  `${ctx.book.id} ${Buffer.from(sha256).toString('hex')}`

/** Keeps what is shown of a file now. */
export function keepShown(ctx: Ctx, bytes: Uint8Array, read: ProposedEntry): void {
  const { store } = ctx.env
  const shown = shownIn.get(store) ?? new Map<string, Shown>()
  shownIn.set(store, shown)
  const key = keyOf(ctx, createHash('sha256').update(bytes).digest())
  const now = ctx.now().getTime()
  shown.delete(key)
  shown.set(key, { read, at: now })
  for (const [each, { at }] of shown) if (shown.size > MOST || now - at > KEPT_MS) shown.delete(each)
}

/** Returns what was shown of a file in the last hour; null if this process does not know. */
export function shownOf(ctx: Ctx, { sha256 }: { sha256: Uint8Array }): ProposedEntry | null {
  const shown = shownIn.get(ctx.env.store)?.get(keyOf(ctx, sha256))
  return shown && ctx.now().getTime() - shown.at <= KEPT_MS ? shown.read : null
}
