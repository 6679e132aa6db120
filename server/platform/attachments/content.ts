/** Decodes a file in a request: base64 read strictly, its size limited, its type detected from the bytes. */
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import { normalizeText } from '../../domain/text.ts'
import type { MediaType } from './contract.ts'
import { MAX_FILE_BYTES, mediaTypeOf } from '../../domain/media-types.ts'

export interface IncomingFile {
  name: string
  mediaType: MediaType
  bytes: Uint8Array<ArrayBuffer>
}

/** Returns the bytes of a request's file, of whatever type. Throws `validation_failed` for invalid base64, and `payload_too_large`. */
export function contentOf(input: { name: string; content: string }): Omit<IncomingFile, 'mediaType'> {
  const { content } = input
  const bytes = Buffer.from(content, 'base64')
  const padding = content.endsWith('==') ? 2 : content.endsWith('=') ? 1 : 0
  // Node skips characters that are not base64, so that the length reveals them.
  if (content.length % 4 !== 0 || bytes.length !== (content.length / 4) * 3 - padding || bytes.length === 0)
    throw validationFailed([
      {
        code: 'not_base64',
        field: 'content',
        severity: 'error',
        message: 'The content is not base64.',
        fix: 'Send the bytes of the file in standard base64 with padding.',
      },
    ])
  if (bytes.length > MAX_FILE_BYTES) throw new AppError('payload_too_large', { field: 'content' })
  return { name: normalizeText(input.name), bytes: new Uint8Array(bytes) }
}

/** Returns the file of a request. Throws also `attachment_type` for unsupported types. */
export function fileOf(input: { name: string; content: string }): IncomingFile {
  const { name, bytes } = contentOf(input)
  const mediaType = mediaTypeOf(bytes, name)
  if (mediaType === null) throw new AppError('attachment_type', { field: 'content' })
  return { name, mediaType, bytes }
}
