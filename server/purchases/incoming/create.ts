/** Enters a received invoice by the form, and learns from the document that it was made of where its reading is known. */
import { filesOf, linkFile } from '../../platform/attachments/index.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type { createReceivedContract } from '../invoices/contract.ts'
import { createReceived, findReceived, RECEIVED_TARGET } from '../invoices/index.ts'
import { learnFrom } from '../memory/index.ts'
import { recordIncoming, sourceOf } from './add.ts'
import { assessOthers, columnsOfReading } from './read.ts'
import {
  decision,
  incomingOfFile,
  INCOMING_TARGET,
  insertIncoming,
  OPEN_STATES,
  readingOf,
  updateIncoming,
  WRAPPINGS,
} from './rows.ts'
import type { IncomingRow } from './rows.ts'
import { shownOf } from './shown.ts'

type Files = Awaited<ReturnType<typeof filesOf>>

/** Returns true if all of a document that waits is in the files of an entry, and has been read. */
async function isWholly(ctx: Ctx, row: IncomingRow, files: Files): Promise<boolean> {
  if (!OPEN_STATES.includes(row.state) || row.reading === null || row.first_page !== null) return false
  const own = await filesOf(ctx, { type: INCOMING_TARGET, id: row.id })
  return own.every(
    ({ id, media_type }) => WRAPPINGS.includes(media_type) || files.some((file) => file.id === id),
  )
}

/**
 * Returns the document that an entry was made of: one that waits, or a new one of a file that was shown in the form; null
 * if nothing is known of its files.
 */
async function documentOf(tx: Ctx, files: Files): Promise<IncomingRow | null> {
  for (const file of files) {
    const known = await incomingOfFile(tx, file.id)
    for (const row of known) if (await isWholly(tx, row, files)) return row
    const shown = known.length > 0 ? null : shownOf(tx, file)
    if (!shown) continue
    const document = { name: file.name, source: sourceOf(tx), sourceRowId: null, sender: null }
    const row = await insertIncoming(tx, document)
    await linkFile(tx, file.id, { type: INCOMING_TARGET, id: row.id })
    return updateIncoming(tx, row, columnsOfReading(row, [file], shown))
  }
  return null
}

/** Enters a received invoice. The document that it was made of counts as entered by it. */
export const createOfDocument: UseCase<typeof createReceivedContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const answer = await createReceived(tx, input)
    const { id } = orNotFound(await findReceived(tx, answer.id), 'internal')
    const document = await documentOf(tx, await filesOf(tx, { type: RECEIVED_TARGET, id }))
    if (document === null) return answer
    await learnFrom(tx, { nif: answer.supplierNif, reading: readingOf(document), input })
    const after = await updateIncoming(tx, document, {
      ...decision(tx),
      state: 'entered',
      received_id: id,
      why: null,
    })
    await recordIncoming(tx, 'incoming.entered', after)
    await assessOthers(tx, after)
    return answer
  })
