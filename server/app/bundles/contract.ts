/** Contracts of the work between a client and its adviser by encrypted files. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { BytesAnswer, Instant, line, PathId } from '../../domain/contract/fields.ts'
import { KINDS } from './changes/allowed.ts'

/** Largest file that is read, in MiB. */
const FILE_MIB = 96
/** Base64 takes four characters for three bytes. */
const BODY_MIB = 130

const Content = z
  .string()
  .min(1)
  .max(Math.ceil((FILE_MIB * 1024 * 1024) / 3) * 4)
  .meta({ description: `The file in base64, at most ${FILE_MIB} MiB.`, contentEncoding: 'base64' })
const Note = line(2000).nullable().optional()

const Pairing = z.strictObject({
  id: z.string(),
  side: z.enum(['client', 'adviser']).meta({ description: 'The side that this installation is.' }),
  state: z.enum(['invited', 'joined', 'active', 'ended']).meta({
    description:
      'invited: waits for the answer of the adviser; joined: the fingerprints have yet to be compared.',
  }),
  clientName: z.string(),
  clientNif: z.string().nullable(),
  adviserName: z.string().nullable(),
  adviserPerson: z.string().nullable(),
  fingerprint: z.string().nullable().meta({
    description: 'Four groups of digits that both people compare by voice; null before the answer.',
  }),
  waiting: z.int().meta({ description: 'Changes that are not decided.' }),
  unsent: z.int().meta({ description: 'Of them, those that no file for the client has; 0 at the client.' }),
  sentAt: Instant.nullable(),
  arrivedAt: Instant.nullable().meta({
    description: 'When the books of the client came; null at the client.',
  }),
  createdAt: Instant,
  copy: z.string().nullable().meta({
    description: 'A book of the copy that the pairing keeps up to date here; null if there is none.',
  }),
})
export type PairingView = z.infer<typeof Pairing>

const ChangeSummary = z.strictObject({
  title: z.string().nullable().meta({ description: 'May come from the adviser.' }),
  date: z.string().nullable(),
  period: z.string().nullable(),
  base: z.number().nullable().meta({ description: 'Euros.' }),
  tax: z.number().nullable().meta({ description: 'Euros.' }),
  amount: z.number().nullable().meta({ description: 'Euros.' }),
  concept: z.string().nullable(),
  notes: z.string().nullable(),
  file: z.string().nullable(),
  lines: z.array(
    z.strictObject({
      account: z.string(),
      name: z.string().nullable(),
      debit: z.number(),
      credit: z.number(),
    }),
  ),
})
export type ChangeSummary = z.infer<typeof ChangeSummary>

const Problem = z.strictObject({
  code: z.string().meta({ description: 'Code of an error.' }),
  faults: z.array(z.strictObject({ code: z.string(), field: z.string() })),
})
export type Problem = z.infer<typeof Problem>

const ChangeView = z.strictObject({
  id: z.string(),
  number: z.int(),
  kind: z.enum(KINDS),
  operation: z.string(),
  mode: z.enum(['live', 'test']),
  person: z.string(),
  madeAt: Instant,
  state: z.enum(['waiting', 'taken', 'rejected']),
  sent: z.boolean(),
  summary: ChangeSummary,
  problem: Problem.nullable().meta({ description: 'Why it cannot be taken as things are.' }),
  decidedAt: Instant.nullable(),
  decidedBy: z.string().nullable(),
  note: z.string().nullable(),
})
export type ChangeView = z.infer<typeof ChangeView>

const State = z.strictObject({
  advised: z.boolean().meta({ description: 'These books are the copy of a client.' }),
  pairings: z.array(Pairing),
  changes: z.array(ChangeView).meta({ description: 'Of the newest pairing, the newest 500.' }),
})
export type BundlesState = z.infer<typeof State>

const person = { access: 'person', desk: true } as const

export const bundlesStateContract = defineContract({
  name: 'bundles.state',
  summary:
    'The pairings of a company with its adviser or its client, and the changes that went between them.',
  ...person,
  effect: 'read',
  input: z.strictObject({}),
  output: State,
  errors: [],
})

export const inviteAdviserContract = defineContract({
  name: 'bundles.invite',
  summary: 'Invite an adviser: the file that the adviser opens. An earlier invitation without answer ends.',
  ...person,
  effect: 'write',
  media: 'application/octet-stream',
  input: z.strictObject({}),
  output: BytesAnswer,
  errors: ['pairing_exists', 'company_advised'],
})

export const joinClientContract = defineContract({
  name: 'bundles.join',
  summary: 'Accept the invitation of a client: the file of the answer.',
  ...person,
  effect: 'write',
  media: 'application/octet-stream',
  bodyMiB: 2,
  input: z.strictObject({
    content: Content,
    adviserName: line(120),
    person: line(120).meta({ description: 'Name under which the client sees what is done.' }),
  }),
  output: BytesAnswer,
  errors: ['bundle_unreadable', 'bundle_newer', 'bundle_torn', 'pairing_exists', 'company_here'],
})

export const acceptAdviserContract = defineContract({
  name: 'bundles.accept',
  summary: 'Read the answer of an adviser to an invitation.',
  ...person,
  effect: 'write',
  bodyMiB: 2,
  input: z.strictObject({ content: Content }),
  output: State,
  errors: [
    'bundle_unreadable',
    'bundle_newer',
    'bundle_torn',
    'bundle_foreign',
    'bundle_tampered',
    'pairing_ended',
  ],
})

export const confirmPairingContract = defineContract({
  name: 'bundles.confirm',
  summary: 'Say that both people read the same fingerprint: from then on books can be sent.',
  ...person,
  effect: 'write',
  input: z.strictObject({ id: PathId, fingerprint: line(40) }),
  output: State,
  errors: ['not_found', 'pairing_ended', 'fingerprint_differs'],
})

export const endPairingContract = defineContract({
  name: 'bundles.end',
  summary: 'End a pairing: no file of it is read or written any more.',
  ...person,
  effect: 'write',
  input: z.strictObject({ id: PathId }),
  output: State,
  errors: ['not_found'],
})

export const removeCopyContract = defineContract({
  name: 'bundles.removeCopy',
  summary:
    'Delete the copy of the books of a client, and end the pairing. Refused while changes were not handed over.',
  ...person,
  effect: 'write',
  input: z.strictObject({
    id: PathId,
    nif: line(20).meta({ description: 'The NIF of the client, typed to confirm.' }),
    discardUnsent: z
      .boolean()
      .optional()
      .meta({ description: 'Also if changes were never handed over: they are lost with the copy.' }),
  }),
  output: z.strictObject({ rows: z.int().meta({ description: 'Rows that were deleted.' }), state: State }),
  errors: ['not_found', 'validation_failed', 'bundle_changes_unsent'],
})

export const writeBundleContract = defineContract({
  name: 'bundles.write',
  summary: 'The file for the other side: the books for the adviser, or the changes for the client.',
  ...person,
  effect: 'write',
  media: 'application/octet-stream',
  input: z.strictObject({
    id: PathId,
    note: Note,
    allFiles: z
      .boolean()
      .optional()
      .meta({ description: 'With all attached files, also those that the adviser has.' }),
  }),
  output: BytesAnswer,
  errors: ['not_found', 'pairing_ended', 'pairing_not_confirmed', 'payload_too_large'],
})

export const readBundleContract = defineContract({
  name: 'bundles.read',
  summary: 'Read a file of the other side. At the client nothing is changed before the changes are taken.',
  ...person,
  effect: 'write',
  bodyMiB: BODY_MIB,
  input: z.strictObject({ content: Content }),
  output: z.strictObject({
    kind: z.enum(['books', 'changes']),
    note: z.string().nullable(),
    added: z.int().meta({ description: 'Changes that were not known before.' }),
    company: z.string().meta({ description: 'Public identifier of the company that it concerns.' }),
    book: z.string().nullable().meta({ description: 'A book of it; null if there is none.' }),
    basedOn: Instant.nullable().meta({
      description: 'When the books were sent that the changes were made on; null if unknown here.',
    }),
  }),
  errors: [
    'bundle_unreadable',
    'bundle_torn',
    'bundle_tampered',
    'bundle_foreign',
    'bundle_old',
    'bundle_gap',
    'bundle_newer',
    'bundle_outdated',
    'pairing_ended',
    'pairing_not_confirmed',
    'company_here',
    'transfer_differs',
  ],
})

export const takeChangesContract = defineContract({
  name: 'bundles.take',
  summary: 'Take changes of the adviser into the books, each in a step of its own, in their order.',
  ...person,
  effect: 'write',
  bringsNew: true,
  input: z.strictObject({ ids: z.array(PathId).min(1).max(10_000) }),
  output: z.strictObject({
    taken: z.int(),
    failed: z.array(z.strictObject({ id: z.string(), problem: Problem })),
  }),
  errors: ['not_found'],
})

export const rejectChangesContract = defineContract({
  name: 'bundles.reject',
  summary: 'Reject changes of the adviser, with a reason that the adviser sees.',
  ...person,
  effect: 'write',
  input: z.strictObject({ ids: z.array(PathId).min(1).max(10_000), note: Note }),
  output: z.strictObject({ rejected: z.int() }),
  errors: ['not_found'],
})
