/** Attachments as callers see them: files stored once, bit for bit, inside the encrypted store. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { BytesAnswer, Instant, line, PathId } from '../../domain/contract/fields.ts'
import { MAX_FILE_MIB, MEDIA_TYPES } from '../../domain/media-types.ts'

/** Base64 takes four characters for three bytes, and the rest of the body little more. */
export const FILE_BODY_MIB = 28

export const MediaType = z.enum(MEDIA_TYPES)
export type MediaType = z.infer<typeof MediaType>

/** A file in a request: its name and its bytes in base64. */
export const fileFields = {
  name: line(160).meta({ description: 'File name, for people; the kind of file is read from its bytes.' }),
  content: z
    .string()
    .min(1)
    .max(Math.ceil((MAX_FILE_MIB * 1024 * 1024) / 3) * 4)
    .meta({ description: `The file in base64, at most ${MAX_FILE_MIB} MiB.`, contentEncoding: 'base64' }),
}

export const Attachment = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    mediaType: MediaType,
    size: z.int().meta({ description: 'Bytes.' }),
    sha256: z.string().meta({ description: 'Of the bytes, lower-case hexadecimal.' }),
    createdAt: Instant,
  })
  .meta({ id: 'Attachment' })
export type Attachment = z.infer<typeof Attachment>

export const uploadAttachmentContract = defineContract({
  name: 'attachments.upload',
  summary: 'Keep a file: PDF, XML (also signed), image, text, CSV, XLSX or mail, at most 20 MiB.',
  description:
    'The same bytes are kept once: sending them again answers the attachment there is. A file that nothing refers to is dropped after 30 days.',
  access: 'invoices.write',
  effect: 'write',
  bringsNew: true,
  storesContent: true,
  rest: { method: 'POST', path: '/attachments', status: 201 },
  bodyMiB: FILE_BODY_MIB,
  input: z.strictObject(fileFields),
  output: Attachment,
  errors: ['validation_failed', 'payload_too_large', 'attachment_type'],
})

export const downloadAttachmentContract = defineContract({
  name: 'attachments.download',
  summary: 'The bytes of an attachment, as they came.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/attachments/:id' },
  media: 'application/octet-stream',
  otherMedia: MEDIA_TYPES,
  input: z.strictObject({ id: PathId }),
  output: BytesAnswer,
  errors: ['not_found'],
})

export const deleteAttachmentContract = defineContract({
  name: 'attachments.delete',
  summary: 'Remove an attachment that nothing refers to.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/attachments/:id' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ deleted: z.literal(true) }),
  errors: ['not_found', 'attachment_in_use'],
})
