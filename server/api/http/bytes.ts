/** Answers that are a document instead of the envelope. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BytesAnswer, StreamAnswer } from '../../domain/contract/fields.ts'
import { sendOk } from './envelope.ts'
import type { Log } from './log.ts'

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')

/** A file name that no system and no header can misread; what stays of its extension stays its extension. */
export function safeFileName(name: string): string {
  const [, before = name, extension = ''] = /^(.*)\.([A-Za-z0-9]{1,10})$/s.exec(name) ?? []
  const base = plain(before).slice(0, 90) || 'document'
  return extension ? `${base}.${extension}` : base
}

/** For whoever understands it, the name as it is: letters of any script, but nothing of a path and nothing hidden. */
function fullName(name: string): string {
  const clean = name.replace(/[\\/:*?"<>|\p{C}]+/gu, '-').replace(/^[.-]+/, '')
  return encodeURIComponent(clean).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
}

/** `Content-Disposition` (RFC 6266): a plain name for everybody, and the full one where they differ. */
export function dispositionOf(how: 'inline' | 'attachment', name: string): string {
  const safe = safeFileName(name)
  return `${how}; filename="${safe}"${safe === name ? '' : `; filename*=UTF-8''${fullName(name) || safe}`}`
}

/** The bytes with their hash as `ETag`; 304 when the caller has them already. */
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
  // A document is looked at, an archive is kept.
  const disposition = media === 'application/pdf' ? 'inline' : 'attachment'
  if (signature !== undefined) reply.header('x-pdf-signature', signature)
  return reply
    .header('content-type', media)
    .header('content-disposition', dispositionOf(disposition, answer.fileName))
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

/**
 * The pieces as they are made, each when the one before is on its way. When the caller goes, no more are asked for; when
 * one cannot be made the connection is broken off, so that nobody takes a part for the whole.
 */
function sendStream(reply: FastifyReply, answer: StreamAnswer, usualMedia: string, log: Log): FastifyReply {
  const { request, raw } = reply
  const body = Readable.from(answer.stream, { objectMode: false })
  body.once('error', (error) => {
    // Before the first piece it is answered and logged like any other failure.
    if (raw.headersSent)
      log({ event: 'bug', requestId: request.id, route: request.routeOptions.url ?? '', error })
  })
  if (answer.fileName !== undefined)
    reply.header('content-disposition', dispositionOf('attachment', answer.fileName))
  return reply.header('content-type', answer.mediaType ?? usualMedia).send(body)
}

/** What an operation with a `media` answered: whole, or as it is made. */
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

/** True for what the document's use case throws when it was not drawn in time. */
export function isDocumentPending(error: unknown): boolean {
  return error instanceof Error && error.name === 'DocumentPending'
}

/** The document is still being drawn: come back. */
export function sendPending(reply: FastifyReply, at: Date): FastifyReply {
  return sendOk(reply.code(202).header('retry-after', String(RETRY_SECONDS)), { status: 'pending' }, at)
}
