/** Attaches the paper of a document to an entry that was made without it. */
import { filesOf } from '../../platform/attachments/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { orNotFound } from '../../context.ts'
import type { UseCase } from '../../context.ts'
import { attachReceived, findReceived, taughtEntry } from '../invoices/index.ts'
import { learnFrom, shownOfEntry } from '../memory/index.ts'
import { recordIncoming } from './add.ts'
import type { attachIncomingContract } from './contract.ts'
import { undecided } from './decide.ts'
import { decision, INCOMING_TARGET, readingOf, updateIncoming } from './rows.ts'
import { incomingView } from './view.ts'

/** Attaches the files of a document to an entry instead of making a second one. */
export const attachIncoming: UseCase<typeof attachIncomingContract> = (ctx, { receivedId, ...wanted }) =>
  ctx.transaction(async (tx) => {
    const row = await undecided(tx, wanted)
    const entry = orNotFound(await findReceived(tx, receivedId))
    const files = await filesOf(tx, { type: INCOMING_TARGET, id: row.id })
    if (files.length === 0) throw new AppError('not_found', { field: 'id' })
    const isTaught = (await shownOfEntry(tx, entry.id)) !== null
    let received = null
    for (const { public_id: attachmentId } of files)
      received = await attachReceived(tx, { id: entry.public_id, attachmentId })
    // What was typed says what the paper should have been read as.
    const reading = isTaught ? null : readingOf(row)
    if (reading) await learnFrom(tx, { ...(await taughtEntry(tx, entry)), reading })
    const after = await updateIncoming(tx, row, {
      ...decision(tx),
      state: 'entered',
      received_id: entry.id,
      why: null,
    })
    await recordIncoming(tx, 'incoming.attached', after)
    return { document: await incomingView(tx, after), received: orNotFound(received) }
  })
