/** What an adviser may change in a client's books: one table, by operation. All others are refused there. */
import { recordAudit } from '../../../platform/audit/index.ts'
import { attachmentView, fileOf, storeFile } from '../../../platform/attachments/index.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx } from '../../../context.ts'
import { createHash } from 'node:crypto'

export const KINDS = ['purchase', 'contact', 'entry', 'closing', 'return'] as const
type ChangeKind = (typeof KINDS)[number]

interface Allowed {
  kind: ChangeKind
  /** Runs in place of the operation, which stores content outside of transactions: a desk has it in its rows. */
  run?: (tx: Ctx, input: unknown) => Promise<unknown>
}

/** Stores an uploaded file within the transaction. */
async function upload(tx: Ctx, input: unknown): Promise<unknown> {
  const { bytes, ...facts } = fileOf(input as { name: string; content: string })
  const sha256 = createHash('sha256').update(bytes).digest()
  const stored = orNotFound(
    await storeFile(tx, { ...facts, size: bytes.length, sha256, cell: bytes }),
    'internal',
  )
  if (stored.isNew)
    await recordAudit(tx, {
      action: 'attachment.kept',
      target: { type: 'attachment', id: stored.public_id, label: stored.name },
    })
  return attachmentView(stored)
}

const ALLOWED: Readonly<Record<string, Allowed>> = {
  'attachments.upload': { kind: 'purchase', run: upload },
  'received.create': { kind: 'purchase' },
  'received.update': { kind: 'purchase' },
  'received.void': { kind: 'purchase' },
  'received.restore': { kind: 'purchase' },
  'received.attach': { kind: 'purchase' },
  'received.detach': { kind: 'purchase' },
  'contacts.create': { kind: 'contact' },
  'contacts.update': { kind: 'contact' },
  'ledger.writeEntry': { kind: 'entry' },
  'ledger.removeEntry': { kind: 'entry' },
  'ledger.saveAccount': { kind: 'entry' },
  'ledger.lock': { kind: 'closing' },
  'ledger.settleVat': { kind: 'closing' },
  'ledger.closeYear': { kind: 'closing' },
  'ledger.reopenYear': { kind: 'closing' },
  'ledger.numberYear': { kind: 'closing' },
  'fiscal.enterVat': { kind: 'closing' },
  'fiscal.markFiled': { kind: 'return' },
  'fiscal.withdrawFiling': { kind: 'return' },
  'fiscal.setInput': { kind: 'return' },
}

/** Operations that write only what belongs to this installation, or nothing: they are not sent. */
const LOCAL =
  /^(bundles|views|exports)\.|^(books\.inspectorPack|books\.verify|received\.read|lookups\.vatNumber)$/

/** Returns how an operation is made in a client's books; null if it is not for advisers. */
export function allowedChange(operation: string): Allowed | null {
  return Object.hasOwn(ALLOWED, operation) ? (ALLOWED[operation] ?? null) : null
}

export const isLocal = (operation: string): boolean => LOCAL.test(operation)

/** Returns the identifier of what an operation created; null if it created nothing that later changes can name. */
export function createdBy(output: unknown): string | null {
  const { id, entryId } = (output ?? {}) as { id?: unknown; entryId?: unknown }
  if (typeof id === 'string') return id
  return typeof entryId === 'string' ? entryId : null
}
