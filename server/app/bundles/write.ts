/** Writes the file for the other side: the client's books with the outcome of each change, or the adviser's changes. */
import { recordAudit } from '../../platform/audit/index.ts'
import { embedded } from '../../db/embedded/port.ts'
import { SCHEMA_VERSION } from '../../db/migrations/version.ts'
import { businessDateOf } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { writeBooks } from './books/write-books.ts'
import type { writeBundleContract } from './contract.ts'
import { fileHash, sealFile } from './file/envelope.ts'
import { packContent } from './file/content.ts'
import { answerOf, fileAnswer, invitationOf, keysOf, ownPairing, plainName } from './pairing/manage.ts'
import { openKeys } from './pairing/keys.ts'
import { changesOf, insertFile, lacksFiles, updateChange, updatePairing } from './rows.ts'
import type { ChangeRow, PairingRow } from './rows.ts'

/** Most bytes of a file: the other side reads no larger one. */
const MOST_BYTES = 96 * 1024 * 1024

/** The number of the next file. By the clock, so that it is higher after a restored backup as well. */
const nextNumber = (row: PairingRow, now: Date): number => Math.max(row.sent + 1, now.getTime())

function seal(ctx: Ctx, row: PairingRow, number: number, packed: Buffer): Buffer<ArrayBuffer> {
  const peer = row.peer_keys === null ? null : openKeys(row.peer_keys)
  if (!peer) throw new AppError('pairing_not_confirmed')
  const file = sealFile({ pairing: row.public_id, from: row.side, number, schema: SCHEMA_VERSION }, packed, {
    own: keysOf(ctx, row),
    peer,
  })
  if (file.length > MOST_BYTES)
    throw new AppError('payload_too_large', { details: { size: file.length, most: MOST_BYTES } })
  return file
}

const nameOf = (row: PairingRow, what: string, at: Date): string =>
  `${plainName(row.client_name)}-${what}-${businessDateOf(at)}.sello-gestoria`

/** Returns the decisions on all changes that the client knows. */
const outcomesOf = (changes: readonly ChangeRow[]) =>
  changes.map((change) => ({
    id: change.public_id,
    state: change.state,
    created: change.created_there,
    decidedAt: change.decided_at,
    decidedBy: change.decided_by,
    note: change.note,
  }))

async function writeForAdviser(ctx: Ctx, row: PairingRow, note: string | null, allFiles: boolean) {
  const at = ctx.now()
  const filesAfter = allFiles ? 0 : row.files_there
  // Decided later, a change is in the next file: the rows may have it already, which the adviser then finds there.
  const changes = await changesOf(ctx.db, row.id)
  const { rows, filesUpto } = await writeBooks(embedded(ctx.env.store), ctx.book.companyId, filesAfter)
  const packed = packContent(
    {
      kind: 'books',
      company: row.client_company,
      at: at.getTime(),
      note,
      known: row.changes,
      outcomes: outcomesOf(changes),
      filesAfter,
    },
    rows,
  )
  const number = nextNumber(row, at)
  const file = seal(ctx, row, number, packed)
  await ctx.transaction(async (tx) => {
    await updatePairing(tx.db, row.id, { sent: number })
    await insertFile(tx.db, {
      pairingId: row.id,
      number,
      hash: fileHash(file),
      filesUpto,
      size: file.length,
      at: at.getTime(),
      note,
    })
    await recordAudit(tx, {
      action: 'bundles.sent',
      target: { type: 'pairing', id: row.public_id, label: row.adviser_name ?? '' },
    })
  })
  return fileAnswer(file, nameOf(row, 'libros', at))
}

async function writeForClient(ctx: Ctx, row: PairingRow, note: string | null) {
  const at = ctx.now()
  const number = nextNumber(row, at)
  return ctx.transaction(async (tx) => {
    const changes = await changesOf(tx.db, row.id)
    const waiting = changes.filter(({ state }) => state === 'waiting')
    const packed = packContent({
      kind: 'changes',
      at: at.getTime(),
      note,
      basedOn: row.received,
      lacksFiles: await lacksFiles(tx.db, row.public_id),
      changes: waiting.map((change) => ({
        id: change.public_id,
        number: change.number,
        book: change.book,
        operation: change.operation,
        input: JSON.parse(change.input) as Record<string, never>,
        created: change.created,
        personId: change.person_id,
        personName: change.person_name,
        at: change.made_at,
      })),
    })
    const file = seal(tx, row, number, packed)
    await updatePairing(tx.db, row.id, { sent: number })
    for (const change of waiting) await updateChange(tx.db, change.id, { sent_in: number })
    await insertFile(tx.db, {
      pairingId: row.id,
      number,
      hash: fileHash(file),
      filesUpto: 0,
      size: file.length,
      at: at.getTime(),
      note,
    })
    return fileAnswer(file, nameOf(row, 'cambios', at))
  })
}

/** Writes the file for the other side; before a pairing is confirmed, its invitation or answer again. */
export const writeBundle: UseCase<typeof writeBundleContract> = async (ctx, { id, note, allFiles }) => {
  const row = await ownPairing(ctx, id)
  if (row.state === 'ended') throw new AppError('pairing_ended')
  const text = note?.trim() || null
  if (row.side === 'adviser') return row.received === 0 ? answerOf(ctx, row) : writeForClient(ctx, row, text)
  if (row.state === 'invited') return invitationOf(ctx, row)
  if (row.state !== 'active') throw new AppError('pairing_not_confirmed')
  return writeForAdviser(ctx, row, text, allFiles ?? false)
}
