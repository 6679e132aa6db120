/** The two files with which a pairing begins: the invitation of the client, and the adviser's answer. Neither is secret. */
import { createHash, sign, verify } from 'node:crypto'
import { z } from 'zod'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { openKeys } from './keys.ts'
import type { PublicKeys, SecretKeys } from './keys.ts'

const FORMAT = 1
const MOST_BYTES = 64 * 1024

const Invitation = z.strictObject({
  sello: z.literal('invitation'),
  format: z.int(),
  pairing: z.string().regex(/^par_[0-9a-hjkmnp-tv-z]{16}$/),
  company: z.string().regex(/^com_[0-9a-hjkmnp-tv-z]{16}$/),
  name: z.string().min(1).max(200),
  nif: z.string().max(30).nullable(),
  keys: z.string(),
})
type Invitation = z.infer<typeof Invitation>

const Answer = z.strictObject({
  sello: z.literal('answer'),
  format: z.int(),
  pairing: z.string(),
  name: z.string().min(1).max(120),
  person: z.string().min(1).max(120),
  keys: z.string(),
  /** Of the keys in the invitation, so that an answer belongs to one invitation. */
  invited: z.string(),
})
type Answer = z.infer<typeof Answer>

const Signed = z.strictObject({
  paper: z.discriminatedUnion('sello', [Invitation, Answer]),
  signature: z.string(),
})

const keyHash = (keys: string): string => createHash('sha256').update(keys).digest('hex')

function written(paper: Invitation | Answer, own: SecretKeys): Buffer<ArrayBuffer> {
  const signature = sign(null, Buffer.from(canonicalJson(paper)), own.sign).toString('base64url')
  return Buffer.from(`${JSON.stringify({ paper, signature }, null, 2)}\n`)
}

/** Returns the text of an invitation. */
export function writeInvitation(
  facts: Omit<Invitation, 'sello' | 'format'>,
  own: SecretKeys,
): Buffer<ArrayBuffer> {
  return written({ sello: 'invitation', format: FORMAT, ...facts }, own)
}

/** Returns the text of the answer to an invitation with these keys. */
export function writeAnswer(
  { invitedKeys, ...facts }: Omit<Answer, 'sello' | 'format' | 'invited'> & { invitedKeys: string },
  own: SecretKeys,
): Buffer<ArrayBuffer> {
  return written({ sello: 'answer', format: FORMAT, ...facts, invited: keyHash(invitedKeys) }, own)
}

function readPaper(file: Buffer): { paper: Invitation | Answer; keys: PublicKeys } {
  if (file.length > MOST_BYTES || file.subarray(0, 1).toString() !== '{')
    throw new AppError('bundle_unreadable')
  let value: unknown
  try {
    value = JSON.parse(file.toString('utf8'))
  } catch {
    throw new AppError('bundle_torn')
  }
  const format = (value as { paper?: { format?: unknown } } | null)?.paper?.format
  if (typeof format === 'number' && format > FORMAT)
    throw new AppError('bundle_newer', { details: { format, known: FORMAT } })
  const parsed = Signed.safeParse(value)
  if (!parsed.success) throw new AppError('bundle_unreadable')
  const { paper, signature } = parsed.data
  const keys = openKeys(paper.keys)
  if (!keys) throw new AppError('bundle_tampered')
  if (!verify(null, Buffer.from(canonicalJson(paper)), keys.sign, Buffer.from(signature, 'base64url')))
    throw new AppError('bundle_tampered')
  return { paper, keys }
}

/** Parses an invitation. Throws `bundle_unreadable`, `bundle_torn`, `bundle_tampered` or `bundle_newer`. */
export function readInvitation(file: Buffer): Invitation {
  const { paper } = readPaper(file)
  if (paper.sello !== 'invitation') throw new AppError('bundle_unreadable')
  return paper
}

/** Parses an answer; `invitedKeys` are those of the invitation, by the pairing. Throws like `readInvitation`. */
export function readAnswer(file: Buffer): Answer {
  const { paper } = readPaper(file)
  if (paper.sello !== 'answer') throw new AppError('bundle_unreadable')
  return paper
}

/** Returns true if an answer is to the invitation with these keys. */
export const isAnswerTo = (answer: Answer, invitedKeys: string): boolean =>
  answer.invited === keyHash(invitedKeys)
