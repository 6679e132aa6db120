/** Keeping, fetching and removing files as operations. */
import { recordAudit } from '../audit/index.ts'
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import { found } from '../ctx.ts'
import type { UseCase } from '../ctx.ts'
import { fileOf } from './content.ts'
import { attachmentView, dropFile, findFile, keepFile, readFile } from './files.ts'

/** Keeps an uploaded file. */
export const uploadAttachment: UseCase<
  ParsedInputOf<'attachments.upload'>,
  OutputOf<'attachments.upload'>
> = async (ctx, input) => {
  const file = fileOf(input)
  return ctx.transaction(async (tx) => {
    const row = await keepFile(tx, file)
    if (row.isNew)
      await recordAudit(tx, {
        action: 'attachment.kept',
        target: { type: 'attachment', id: row.public_id, label: row.name },
      })
    return attachmentView(row)
  })
}

/** The bytes of a file. */
export const downloadAttachment: UseCase<
  ParsedInputOf<'attachments.download'>,
  OutputOf<'attachments.download'>
> = async (ctx, { id }) => {
  const row = found(await findFile(ctx, id))
  return {
    bytes: await readFile(ctx, row),
    sha256: Buffer.from(row.sha256).toString('hex'),
    fileName: row.name,
    mediaType: row.media_type,
  }
}

/** Removes a file that nothing refers to. */
export const deleteAttachment: UseCase<
  ParsedInputOf<'attachments.delete'>,
  OutputOf<'attachments.delete'>
> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const row = found(await findFile(tx, id))
    await dropFile(tx, row)
    await recordAudit(tx, {
      action: 'attachment.deleted',
      target: { type: 'attachment', id: row.public_id, label: row.name },
    })
    return { deleted: true as const }
  })
