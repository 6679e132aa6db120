/** The operations of attachments. */
import { defineOperations, operation } from '../../context.ts'
import { uploadAttachmentContract, downloadAttachmentContract, deleteAttachmentContract } from './contract.ts'
import { uploadAttachment, downloadAttachment, deleteAttachment } from './manage.ts'

export const attachmentOperations = defineOperations([
  operation(uploadAttachmentContract, uploadAttachment),
  operation(downloadAttachmentContract, downloadAttachment),
  operation(deleteAttachmentContract, deleteAttachment),
])
