/** Keeping, fetching and removing files as operations. */
import { recordAudit } from '../audit/index.ts'
import type {
  deleteAttachmentContract,
  downloadAttachmentContract,
  uploadAttachmentContract,
} from './contract.ts'
import { orNotFound } from '../../context.ts'
import type { UseCase } from '../../context.ts'
import { fileOf } from './content.ts'
import { attachmentView, dropFile, findFile, keepFile, storeFile, readFile } from './files.ts'

/** Keeps an uploaded file. */
export const uploadAttachment: UseCase<typeof uploadAttachmentContract> = async (ctx, input) => {
  const file = fileOf(input)
  for (;;) {
    const kept = await keepFile(ctx, file)
    const stored = await ctx.transaction(async (tx) => {
      const row = await storeFile(tx, kept)
      if (row?.isNew)
        await recordAudit(tx, {
          action: 'attachment.kept',
          target: { type: 'attachment', id: row.public_id, label: row.name },
        })
      return row
    })
    if (stored) return attachmentView(stored)
  }
}

/** The bytes of a file. */
export const downloadAttachment: UseCase<typeof downloadAttachmentContract> = async (ctx, { id }) => {
  const row = orNotFound(await findFile(ctx, id))
  return {
    bytes: await readFile(ctx, row),
    sha256: Buffer.from(row.sha256).toString('hex'),
    fileName: row.name,
    mediaType: row.media_type,
  }
}

/** Removes a file that nothing refers to. */
export const deleteAttachment: UseCase<typeof deleteAttachmentContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const row = orNotFound(await findFile(tx, id))
    await dropFile(tx, row)
    await recordAudit(tx, {
      action: 'attachment.deleted',
      target: { type: 'attachment', id: row.public_id, label: row.name },
    })
    return { deleted: true as const }
  })
