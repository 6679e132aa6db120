/** Answers with a document instead of the envelope. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BytesAnswer, StreamAnswer } from '../../domain/contract/fields.ts'
import { sendOk } from './envelope.ts'
import type { Log } from '../../platform/log.ts'

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')

/** Returns a file name that every system and header reads correctly; the extension is preserved. */
export function safeFileName(name: string): string {
  const [, before = name, extension = ''] = /^(.*)\.([A-Za-z0-9]{1,10})$/s.exec(name) ?? []
  const base = plain(before).slice(0, 90) || 'document'
  return extension ? `${base}.${extension}` : base
}

/**
 * Returns the full name for clients that support it: letters of any script, without path separators or hidden
 * characters.
 */
function fullName(name: string): string {
  const clean = name.replace(/[\\/:*?"<>|\p{C}]+/gu, '-').replace(/^[.-]+/, '')
  return encodeURIComponent(clean).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
}

/** Returns `Content-Disposition` (RFC 6266): a plain name for all clients, and the full one if they differ. */
export function dispositionOf(how: 'inline' | 'attachment', name: string): string {
  const safe = safeFileName(name)
  return `${how}; filename="${safe}"${safe === name ? '' : `; filename*=UTF-8''${fullName(name) || safe}`}`
}

/** Sends the bytes with their hash as `ETag`; 304 if the caller has them already. */
function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: BytesAnswer,
  usualMedia: string,
): FastifyReply {
  const media = answer.mediaType ?? usualMedia
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
  // A document is displayed, an archive is saved.
  const disposition = media === 'application/pdf' ? 'inline' : 'attachment'
  if (signature !== undefined) reply.header('x-pdf-signature', signature)
  return reply
    .header('content-type', media)
    .header('content-disposition', dispositionOf(disposition, answer.fileName))
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

/**
 * Sends the pieces as they are produced, each after the previous one has been sent. If the caller disconnects, no
 * more are requested; if one fails, the connection is aborted, so that a partial answer cannot pass for a complete
 * one.
 */
function sendStream(reply: FastifyReply, answer: StreamAnswer, usualMedia: string, log: Log): FastifyReply {
  const { request, raw } = reply
  const body = Readable.from(answer.stream, { objectMode: false })
  body.once('error', (error) => {
    // A failure before the first piece is answered and logged like any other.
    if (raw.headersSent)
      log({ event: 'bug', requestId: request.id, route: request.routeOptions.url ?? '', error })
  })
  if (answer.fileName !== undefined)
    reply.header('content-disposition', dispositionOf('attachment', answer.fileName))
  return reply.header('content-type', answer.mediaType ?? usualMedia).send(body)
}

/** Sends the answer of an operation with a `media`: complete, or streamed. */
export function sendMedia(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: BytesAnswer | StreamAnswer,
  media: string,
  log: Log,
): FastifyReply {
  return 'stream' in answer ? sendStream(reply, answer, media, log) : sendBytes(request, reply, answer, media)
}

const RETRY_SECONDS = 2

/** Returns true for the error of a document that was not rendered in time. */
export function isDocumentPending(error: unknown): boolean {
  return error instanceof Error && error.name === 'DocumentPending'
}

/** Sends 202: the document is still being rendered. */
export function sendPending(reply: FastifyReply, at: Date): FastifyReply {
  return sendOk(reply.code(202).header('retry-after', String(RETRY_SECONDS)), { status: 'pending' }, at)
}
