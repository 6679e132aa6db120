/** Kinds of files that may be a supplier's document. */
import type { MediaType } from '../../platform/attachments/contract.ts'

/** By their bytes. A sheet, a calendar or a program among them is none and is left where it is. */
export const DOCUMENT_TYPES: readonly MediaType[] = [
  'application/pdf',
  'application/xml',
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/heic',
  'image/tiff',
]
