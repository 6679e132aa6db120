/**
 * Entries that a change names. Their identifiers are row ids, which a client that restored a backup gives again: the
 * change carries what the entry was, and another entry under the same identifier is a conflict.
 */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Ctx, Operation } from '../../../context.ts'

/** Operations that replace or remove the entry `id`. */
const NAMING = new Set(['ledger.writeEntry', 'ledger.removeEntry'])
export const ENTRY_OPERATION = 'ledger.entry'

interface NamedEntry {
  $entry: string
  is: string
}

export const namesEntry = (operation: string): boolean => NAMING.has(operation)

function contentHash(entry: unknown): string {
  const { date, text, lines } = entry as {
    date: string
    text: string | null
    lines: Record<string, unknown>[]
  }
  const parts = lines.map(({ account, debit, credit }) => ({ account, debit, credit }))
  return createHash('sha256')
    .update(canonicalJson({ date, text, lines: parts }))
    .digest('base64url')
}

/** Returns the entry that an input names; null if it names none, or none that is here. */
export async function entryNamed(ctx: Ctx, input: unknown, entry: Operation | undefined): Promise<unknown> {
  const { id } = input as { id?: unknown }
  if (typeof id !== 'string' || !entry) return null
  return entry.run(ctx, { id }).catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })
}

/** Returns an input with what the entry is beside its identifier, unless a change of the adviser created it. */
export function withEntry(input: unknown, entry: unknown): unknown {
  const fields = input as { id?: unknown }
  if (entry === null || typeof fields.id !== 'string') return input
  return { ...fields, id: { $entry: fields.id, is: contentHash(entry) } satisfies NamedEntry }
}

/** Returns the input with the identifier alone. Throws `version_conflict` if it is another entry now. */
export async function checkedEntry(ctx: Ctx, input: unknown, entry: Operation | undefined): Promise<unknown> {
  const fields = input as { id?: Partial<NamedEntry> }
  const { $entry: id, is } = fields.id ?? {}
  if (typeof id !== 'string') return input
  const found = await entryNamed(ctx, { id }, entry)
  if (found === null) throw new AppError('not_found')
  if (contentHash(found) !== is) throw new AppError('version_conflict')
  return { ...fields, id }
}
