/** Contracts of leaving with everything, and of bringing it back. A person does both; programs and assistants do not. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { StreamAnswer } from '../../domain/contract/fields.ts'
import { STEPS } from './progress.ts'

/** Largest part of a file that is sent at once, in MiB; base64 takes four characters for three bytes. */
export const PART_MIB = 6
const BODY_MIB = 9
/** An archive has 32-bit offsets. */
const MOST_BYTES = 4_294_967_295

/** Names a file beside the books: nothing else may be named with it. */
const SentId = z
  .string()
  .regex(/^req_[0-9a-z]{10,40}$/)
  .meta({ description: 'Identifier of the answer to the first part.' })

const Content = z
  .string()
  .min(1)
  .max((PART_MIB * 1024 * 1024 * 4) / 3)
  .meta({ description: `Part of the file in base64, at most ${PART_MIB} MiB.`, contentEncoding: 'base64' })

export const leaveContract = defineContract({
  name: 'leaving.archive',
  summary: 'Everything of the company in open formats, as one ZIP that Sello can take in again.',
  description:
    'Rows as JSON Lines with their schema, records in the shapes of the public API with JSON Schema, books as CSV and XLSX, documents, records and attachments, and a manifest with the SHA-256 of every file. Written to the end and read again before the first byte is sent. Not encrypted; without private keys and passwords.',
  access: 'person',
  effect: 'write',
  storesContent: true,
  media: 'application/zip',
  input: z.strictObject({}),
  output: StreamAnswer,
  errors: [
    'too_busy',
    'export_too_many',
    'books_too_large',
    'company_advised',
    'stored_file_missing',
    'stored_file_damaged',
  ],
})

const Progress = z.strictObject({
  step: z.enum(STEPS),
  done: z.int(),
  total: z.int().meta({ description: 'Of this step; 0 where it cannot be counted.' }),
})

export const leavingProgressContract = defineContract({
  name: 'leaving.progress',
  summary: 'How far the archive is that is being made of the company.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({ inFlight: Progress.nullable() }),
  errors: [],
})

export const sendArchiveContract = defineContract({
  name: 'leaving.send',
  summary: 'Send an archive in parts, one after another; the first part has no id.',
  access: 'person',
  effect: 'write',
  desk: true,
  bookless: true,
  bringsNew: true,
  bodyMiB: BODY_MIB,
  input: z.strictObject({
    id: SentId.nullable(),
    position: z.int().min(0).max(MOST_BYTES).meta({ description: 'Bytes that were sent before.' }),
    content: Content,
  }),
  output: z.strictObject({ id: z.string(), bytes: z.int() }),
  errors: ['validation_failed', 'not_found', 'archive_unreadable', 'archive_too_large'],
})

export const takeInContract = defineContract({
  name: 'leaving.takeIn',
  summary: 'Take in the company of an archive that was sent: all of it, verified, or nothing.',
  access: 'person',
  effect: 'write',
  desk: true,
  bookless: true,
  bringsNew: true,
  input: z.strictObject({ id: SentId }),
  output: z.strictObject({
    company: z.strictObject({ id: z.string(), name: z.string() }),
    books: z.array(z.string()).meta({ description: 'The real book first.' }),
    rows: z.int(),
    files: z.int(),
    checks: z.int().meta({ description: 'Checks of the books that passed.' }),
  }),
  errors: [
    'too_busy',
    'not_found',
    'archive_unreadable',
    'archive_changed',
    'archive_newer',
    'archive_too_large',
    'archive_unsound',
    'archive_of_trials',
    'archive_entries_taken',
    'company_here',
    'transfer_differs',
  ],
})

export const takeInProgressContract = defineContract({
  name: 'leaving.takeInProgress',
  summary: 'How far the archive is that is being taken in.',
  access: 'person',
  effect: 'read',
  desk: true,
  bookless: true,
  input: z.strictObject({}),
  output: z.strictObject({ inFlight: Progress.nullable() }),
  errors: [],
})
