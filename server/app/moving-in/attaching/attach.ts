/** Attaches the documents of an archive to the history, by the numbers in their names. */
import { mediaTypeOf } from '../../../domain/media-types.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { keepFile, linkFile, storeFile } from '../../../platform/attachments/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { piecesOfBase64 } from '../../../platform/processes/parsers.ts'
import { countHistoryFile, RECEIVED_TARGET } from '../../../purchases/invoices/index.ts'
import { HISTORY_TARGET } from '../../../sales/invoices/index.ts'
import { stateError } from '../apply.ts'
import type { attachDocumentsContract, AttachedFile } from '../contract.ts'
import { readDocumentsInChildProcess, recognizeFileInChildProcess } from '../files/read-apart.ts'
import { findRun } from '../rows.ts'
import { byBareNumber, documentsOfName, narrowedByParty } from './match.ts'
import type { NumberedDocument } from './match.ts'

/** Files of which something is to be said. */
const REPORTED = 500

async function documentsOf(ctx: Ctx, runId: number): Promise<NumberedDocument[]> {
  const issued = await ctx.db
    .selectFrom('history_documents')
    .innerJoin('invoices', 'invoices.id', 'history_documents.invoice_id')
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .select(['invoices.id', 'invoices.number', 'parties.name'])
    .where('history_documents.run_id', '=', runId)
    .execute()
  const received = await ctx.db
    .selectFrom('history_documents')
    .innerJoin('received_invoices', 'received_invoices.id', 'history_documents.received_id')
    .select(['received_invoices.id', 'supplier_number as number', 'supplier_name as name'])
    .where('history_documents.run_id', '=', runId)
    .execute()
  const of =
    (side: NumberedDocument['side']) =>
    ({ id, number, name }: { id: number; number: string | null; name: string }): NumberedDocument => ({
      side,
      rowId: id,
      number: number ?? '',
      name,
    })
  return [...issued.map(of('issued')), ...received.map(of('received'))].filter(({ number }) => number !== '')
}

/** Stores a file and attaches it. Returns what became of it. */
async function attach(
  ctx: Ctx,
  { side, rowId }: NumberedDocument,
  file: { name: string; bytes: Uint8Array },
): Promise<AttachedFile['outcome']> {
  const name = file.name.split('/').at(-1) ?? file.name
  const mediaType = mediaTypeOf(file.bytes, name)
  if (mediaType === null) return 'unreadable'
  const target = { type: side === 'issued' ? HISTORY_TARGET : RECEIVED_TARGET, id: rowId }
  for (;;) {
    const kept = await keepFile(ctx, { name, mediaType, bytes: new Uint8Array(file.bytes) })
    const isLinked = await ctx.transaction(async (tx) => {
      const stored = await storeFile(tx, kept)
      if (stored === null) return null
      if (!(await linkFile(tx, stored.id, target))) return false
      if (side === 'received') await countHistoryFile(tx, rowId)
      return true
    })
    // The same file was deleted between the two: it is kept again.
    if (isLinked !== null) return isLinked ? 'attached' : 'already'
  }
}

export const attachDocuments: UseCase<typeof attachDocumentsContract> = async (
  ctx,
  { id, name, content },
) => {
  const run = await findRun(ctx, id)
  if (run.state !== 'applied' && run.state !== 'done') throw stateError(run)
  const file = () => piecesOfBase64(content, () => {})
  const { format, documents } = await recognizeFileInChildProcess(file(), name)
  const names = format === 'pdf' ? [name] : documents.names
  const numbers = byBareNumber(await documentsOf(ctx, run.id))
  const outcomes = new Map<string, AttachedFile>()
  const wanted = new Map<string, NumberedDocument>()
  for (const each of names) {
    const found = narrowedByParty(each, documentsOfName(each, numbers))
    const [first] = found
    if (found.length === 1 && first) wanted.set(each, first)
    const outcome = found.length === 0 ? 'unknown' : found.length > 1 ? 'ambiguous' : 'unreadable'
    outcomes.set(each, { name: each, outcome, number: first?.number ?? null })
  }
  const take = async (document: { name: string; bytes: Uint8Array }): Promise<void> => {
    const target = wanted.get(document.name)
    if (!target) return
    const outcome = await attach(ctx, target, document)
    outcomes.set(document.name, { name: document.name, outcome, number: target.number })
  }
  if (format === 'pdf') await take({ name, bytes: Buffer.from(content, 'base64') })
  else if (wanted.size > 0) await readDocumentsInChildProcess(file(), [...wanted.keys()], take)
  await ctx.transaction((tx) => emitEvent(tx, 'moving.changed', { moveId: id }))
  const all = [...outcomes.values()]
  const count = (outcome: AttachedFile['outcome']) => all.filter((each) => each.outcome === outcome).length
  return {
    attached: count('attached'),
    already: count('already'),
    unknown: count('unknown'),
    ambiguous: count('ambiguous'),
    unreadable: count('unreadable'),
    files: all.filter(({ outcome }) => outcome !== 'attached').slice(0, REPORTED),
  }
}
