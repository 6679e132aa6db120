/** Attaches files to a received invoice and detaches them. A document received in electronic form is the original. */
import { findFile, linkFile, unlinkFile } from '../../platform/attachments/index.ts'
import type { attachReceivedContract, detachReceivedContract } from './contract.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { orNotFound } from '../../context.ts'
import type { UseCase } from '../../context.ts'
import { learnAgain, shownOfEntry, unlearn } from '../memory/index.ts'
import { countFileChange } from './post.ts'
import { contentOfReceived, writeFileCount } from './rows.ts'
import type { ReceivedRow } from './rows.ts'
import { RECEIVED_TARGET, receivedView } from './view.ts'
import { receivedInForce, recordReceivedChange, taughtEntry } from './write.ts'

/** A document of an earlier program never counts among those without a file. */
const isCounted = ({ state }: ReceivedRow): boolean => state !== 'history'

/** Attaches a file; also in a closed period, because a document may arrive late. */
export const attachReceived: UseCase<typeof attachReceivedContract> = (ctx, { id, attachmentId }) =>
  ctx.transaction(async (tx) => {
    const row = await receivedInForce(tx, { id })
    const file = orNotFound(await findFile(tx, attachmentId))
    const before = await shownOfEntry(tx, row.id)
    if (!(await linkFile(tx, file.id, { type: RECEIVED_TARGET, id: row.id }))) return receivedView(tx, row)
    // The paper of its document was taken off before.
    const shown = before ? null : await shownOfEntry(tx, row.id)
    if (shown) await learnAgain(tx, shown, await taughtEntry(tx, row))
    const after = await writeFileCount(tx, row, row.files + 1)
    if (row.files === 0 && isCounted(row)) await countFileChange(tx, await contentOfReceived(tx.db, row), -1)
    await recordReceivedChange(tx, 'received.file_attached', after)
    return receivedView(tx, after)
  })

/**
 * Detaches a file. Files of a closed period or of a void entry must stay (Código de Comercio art. 30, LGT art.
 * 29.2.e).
 */
export const detachReceived: UseCase<typeof detachReceivedContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const { attachmentId } = input
    const row = await receivedInForce(tx, input)
    await tx.env.ledger.assertOpenPeriod(tx, row.reception_date, 'receptionDate')
    const file = orNotFound(await findFile(tx, attachmentId))
    const shown = await shownOfEntry(tx, row.id)
    if (!(await unlinkFile(tx, file.id, { type: RECEIVED_TARGET, id: row.id })))
      throw new AppError('not_found')
    // Without the paper nothing says what was read of it.
    if (shown && (await shownOfEntry(tx, row.id)) === null)
      await unlearn(tx, shown, await taughtEntry(tx, row))
    const after = await writeFileCount(tx, row, row.files - 1)
    if (after.files === 0 && isCounted(row)) await countFileChange(tx, await contentOfReceived(tx.db, row), 1)
    await recordReceivedChange(tx, 'received.file_removed', after)
    return receivedView(tx, after)
  })
