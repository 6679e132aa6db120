/** Answers that are a document instead of the envelope. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BytesAnswer } from '../core/contract.ts'
import { sendOk } from './envelope.ts'

/** A file name that no system and no header can misread. */
export function safeFileName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+|-+$/g, '')
  return plain.slice(0, 100) || 'document.pdf'
}

/** The bytes with their hash as `ETag`; 304 when the caller has them already. */
export function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: BytesAnswer,
  media: string,
): FastifyReply {
  const tag = `"${answer.sha256}"`
  reply.header('etag', tag)
  reply.header('cache-control', 'private, no-cache')
  const known = request.headers['if-none-match']
  if (
    known !== undefined &&
    known.split(',').some((part) => part.trim().replace(/^W\//, '') === tag || part.trim() === '*')
  )
    return reply.code(304).send()
  const { bytes, signature } = answer
  // A document is looked at, an archive is kept.
  const disposition = media === 'application/pdf' ? 'inline' : 'attachment'
  if (signature !== undefined) reply.header('x-pdf-signature', signature)
  return reply
    .header('content-type', media)
    .header('content-disposition', `${disposition}; filename="${safeFileName(answer.fileName)}"`)
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

const RETRY_SECONDS = 2

/** True for what the document's use case throws when it was not drawn in time. */
export function isDocumentPending(error: unknown): boolean {
  return error instanceof Error && error.name === 'DocumentPending'
}

/** The document is still being drawn: come back. */
export function sendPending(reply: FastifyReply, at: Date): FastifyReply {
  return sendOk(reply.code(202).header('retry-after', String(RETRY_SECONDS)), { status: 'pending' }, at)
}
