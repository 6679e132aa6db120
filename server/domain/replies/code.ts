/**
 * The code of an answer: `[svcr1.PAYLOAD.TAG]`. The payload is JSON in base64url, the tag an HMAC-SHA256 over
 * `svcr1.PAYLOAD` under the key of the page, which is derived from the book's secret and the page's identifier. So a
 * page makes codes for its own invoice and for no other. Pure.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { isBusinessDate } from '../dates.ts'
import type { BusinessDate } from '../dates.ts'
import { sanitizeLine, sanitizeText } from '../text.ts'
import { LONGEST_NAME, LONGEST_COMMENT, REPLY_KINDS, REPLY_REASONS } from './limits.ts'
import type { ReplyKind, ReplyReason } from './limits.ts'

const CODE_VERSION = 'svcr1'

/** Codes in one text that are read. */
const MOST_CODES = 20
/** Characters of a payload: names and words at their longest, four bytes each, are less. */
const LONGEST_PAYLOAD = 4_000

/** What an answer says, as its code holds it. */
export interface Answer {
  pageId: string
  kind: ReplyKind
  payOn: BusinessDate | null
  reason: ReplyReason | null
  words: string | null
  saidBy: string | null
  /** Milliseconds since 1970 by the customer's clock. */
  saidAt: number
}

export interface Code {
  payload: string
  tag: string
}

/** Returns the key of a page: 32 bytes, which the page holds in base64url. */
export function pageKey(secret: Uint8Array, pageId: string): Buffer {
  return createHmac('sha256', secret).update(`reply page 1|${pageId}`, 'utf8').digest()
}

const tagOf = (key: Uint8Array, payload: string): Buffer =>
  createHmac('sha256', key).update(`${CODE_VERSION}.${payload}`, 'ascii').digest()

/** Writes a code as the page does. */
export function writeCode(key: Uint8Array, answer: Answer): string {
  const { pageId, kind, payOn, reason, words, saidBy, saidAt } = answer
  const values = [pageId, kind, payOn, reason, words, saidBy, Math.floor(saidAt / 1000)]
  const payload = Buffer.from(JSON.stringify(values), 'utf8').toString('base64url')
  return `[${CODE_VERSION}.${payload}.${tagOf(key, payload).toString('base64url')}]`
}

/**
 * Finds the codes in a text, each once, in order. Mail programs break long lines and quote them: blanks, `>` and the
 * soft line breaks of quoted-printable inside a code do not count.
 */
export function findCodes(text: string): Code[] {
  const found = new Map<string, Code>()
  const start = `[${CODE_VERSION}.`
  for (let at = text.indexOf(start); at >= 0 && found.size < MOST_CODES; at = text.indexOf(start, at + 1)) {
    const end = text.indexOf(']', at)
    if (end < 0) break
    // Twice the longest code leaves room for what a mail program puts between.
    if (end - at > 2 * LONGEST_PAYLOAD) continue
    const plain = text.slice(at + start.length, end).replace(/=\r?\n|[\s>\u200b\ufeff]+/g, '')
    const [payload = '', tag = '', ...more] = plain.split('.')
    if (more.length > 0 || payload.length > LONGEST_PAYLOAD) continue
    if (/^[\w-]+$/.test(payload) && /^[\w-]{43}$/.test(tag)) found.set(`${payload}.${tag}`, { payload, tag })
  }
  return [...found.values()]
}

/** SHA-256 of what an answer says: the same answer has one, however it came. */
export const digestOf = ({ payload }: Code): Buffer => createHash('sha256').update(payload, 'ascii').digest()

/** True if the code was made with the key. */
export function isAuthentic(key: Uint8Array, { payload, tag }: Code): boolean {
  const given = Buffer.from(tag, 'base64url')
  const right = tagOf(key, payload)
  return given.length === right.length && timingSafeEqual(given, right)
}

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | null =>
  values.find((each) => each === value) ?? null

function textOf(value: unknown, most: number, clean: (text: string) => string): string | null | undefined {
  if (value === null) return null
  if (typeof value !== 'string' || value.length > 2 * most) return undefined
  const plain = clean(value).trim().normalize('NFC').slice(0, most).trim()
  return plain === '' ? null : plain
}

/** Returns what a code says; null if it is not what a page writes. Says nothing about whether it is authentic. */
export function readCode({ payload }: Code): Answer | null {
  const bytes = Buffer.from(payload, 'base64url')
  // One answer has one writing, so that it is not taken in twice.
  if (bytes.toString('base64url') !== payload) return null
  let values: unknown
  try {
    values = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return null
  }
  if (!Array.isArray(values) || values.length !== 7) return null
  const [pageId, kindText, payOn, reasonText, wordsText, nameText, seconds] = values as unknown[]
  const kind = oneOf(REPLY_KINDS, kindText)
  const reason = oneOf(REPLY_REASONS, reasonText)
  const words = textOf(wordsText, LONGEST_COMMENT, sanitizeText)
  const saidBy = textOf(nameText, LONGEST_NAME, sanitizeLine)
  if (typeof pageId !== 'string' || !/^[a-z]+_[0-9a-z]{16}$/.test(pageId) || kind === null) return null
  if (words === undefined || saidBy === undefined) return null
  if (!Number.isSafeInteger(seconds) || Number(seconds) < 0 || Number(seconds) > 8_000_000_000) return null
  if (payOn !== null && !(typeof payOn === 'string' && isBusinessDate(payOn))) return null
  if ((kind === 'rejected') !== (reason !== null) || (reasonText !== null && reason === null)) return null
  if (kind === 'will_pay' ? payOn === null : payOn !== null && kind !== 'accepted') return null
  return {
    pageId,
    kind,
    reason,
    words,
    saidBy,
    payOn: payOn as BusinessDate | null,
    saidAt: Number(seconds) * 1000,
  }
}
