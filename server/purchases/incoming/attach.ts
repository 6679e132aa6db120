/** Attaches the paper of a document to an entry that was made without it. */
import { filesOf } from '../../platform/attachments/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { orNotFound } from '../../context.ts'
import type { UseCase } from '../../context.ts'
import { attachReceived, findReceived } from '../invoices/index.ts'
import { recordIncoming } from './add.ts'
import type { attachIncomingContract } from './contract.ts'
import { decision, undecided } from './decide.ts'
import { INCOMING_TARGET, updateIncoming } from './rows.ts'
import { incomingView } from './view.ts'

/** Attaches the files of a document to an entry instead of making a second one. */
export const attachIncoming: UseCase<typeof attachIncomingContract> = (ctx, { receivedId, ...wanted }) =>
  ctx.transaction(async (tx) => {
    const row = await undecided(tx, wanted)
    const entry = orNotFound(await findReceived(tx, receivedId))
    const files = await filesOf(tx, { type: INCOMING_TARGET, id: row.id })
    if (files.length === 0) throw new AppError('not_found', { field: 'id' })
    let received = null
    for (const { public_id: attachmentId } of files)
      received = await attachReceived(tx, { id: entry.public_id, attachmentId })
    const after = await updateIncoming(tx, row, {
      ...decision(tx),
      state: 'entered',
      received_id: entry.id,
      why: null,
    })
    await recordIncoming(tx, 'incoming.attached', after)
    return { document: await incomingView(tx, after), received: orNotFound(received) }
  })
