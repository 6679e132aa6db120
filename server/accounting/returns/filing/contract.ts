/** Contracts of filing: the agency's file, its preview, the yes of a person, and what the agency answered. */
import { z } from 'zod'
import { defineContract } from '../../../domain/contract/define-contract.ts'
import {
  businessDate,
  BytesAnswer,
  euros,
  FaultShape,
  Instant,
  line,
  Mode,
  PathId,
} from '../../../domain/contract/fields.ts'
import { ModelNumber, Outcome } from '../contract.ts'
import { RETURN_KINDS, RETURN_NATURES } from '../declaration/kinds.ts'

const Kind = z.enum(RETURN_KINDS).meta({
  description:
    'I pay at the bank, U direct debit, G current account, N nothing, B deduct later, C offset, D refund, V, X.',
})
const Nature = z.enum(RETURN_NATURES)

const PLACE = {
  model: ModelNumber,
  year: z.int().min(2000).max(2100),
  quarter: z.int().min(1).max(4).optional().meta({ description: 'Left out for the models of a whole year.' }),
}

const CHOICES = {
  kind: Kind.optional(),
  nature: Nature.default('first'),
  iban: line(42).optional(),
  paymentReference: line(22)
    .optional()
    .meta({ description: 'Reference of a payment at the bank (NRC), 22 characters.' }),
  previousReceipt: line(13).optional().meta({ description: 'Number on the receipt of the earlier return.' }),
  reason: z
    .enum(['ordinary', 'criterion'])
    .optional()
    .meta({ description: 'Why a VAT return is rectified.' }),
}

export const FilingState = z.enum([
  'preparing',
  'sent',
  'unknown',
  'accepted',
  'refused',
  'not_sent',
  'not_found',
])

export const Sending = z
  .strictObject({
    id: z.string(),
    model: ModelNumber,
    year: z.int(),
    period: z.string(),
    nature: Nature,
    kind: Kind.nullable(),
    result: euros('To pay; negative in favour of the business.'),
    state: FilingState.meta({
      description:
        'unknown: the answer was lost, and Sello asks. not_found: the agency did not show it when asked. not_sent: certainly not filed.',
    }),
    why: z.string().nullable().meta({ description: 'Code of the reason where it is not accepted.' }),
    detail: z.string().nullable(),
    errors: z
      .array(z.string())
      .meta({ description: "The agency's own errors, or notices beside an acceptance." }),
    csv: z.string().nullable().meta({ description: 'Secure verification code.' }),
    receipt: z.string().nullable().meta({ description: 'Number on the receipt.' }),
    registerNumber: z.string().nullable(),
    presentedAt: z.string().nullable().meta({ description: 'As the agency writes it.' }),
    hasDocument: z.boolean().meta({ description: 'The receipt is stored as PDF.' }),
    approvedBy: z.string(),
    createdAt: Instant,
    settledAt: Instant.nullable(),
  })
  .meta({ id: 'FilingSending' })
export type Sending = z.infer<typeof Sending>

export const returnFileContract = defineContract({
  name: 'fiscal.returnFile',
  summary: "A return as a file in the tax agency's layout, for upload to its site. Files nothing.",
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/fiscal/models/:model/file' },
  media: 'text/plain',
  input: z.strictObject({ ...PLACE, ...CHOICES }),
  output: BytesAnswer,
  errors: ['validation_failed', 'no_file_layout'],
})

export const ReturnPreview = z
  .strictObject({
    model: ModelNumber,
    year: z.int(),
    period: z.string(),
    mode: Mode,
    nif: z.string(),
    name: z.string(),
    nature: Nature,
    natures: z.array(Nature).meta({ description: 'What a further return of this period may be.' }),
    kind: Kind.nullable(),
    kinds: z.array(Kind).meta({ description: 'Ways to settle the result; empty where nothing is paid.' }),
    outcome: Outcome,
    result: euros('To pay; negative in favour of the business.').nullable(),
    iban: z.string().nullable(),
    dueTo: businessDate('Last day.'),
    directDebitTo: businessDate().nullable(),
    boxes: z.array(
      z.strictObject({
        box: z.string(),
        label: z.strictObject({ es: z.string(), en: z.string() }),
        amount: z.number(),
      }),
    ),
    differences: z
      .array(z.strictObject({ box: z.string(), filed: z.number(), now: z.number() }))
      .meta({ description: 'Against the return of this period that is filed.' }),
    previous: z
      .strictObject({ period: z.string(), year: z.int(), result: z.number() })
      .nullable()
      .meta({ description: 'The filed return of the period before, to compare with.' }),
    faults: z
      .array(FaultShape)
      .meta({ description: 'Errors keep it from being filed; warnings want a look.' }),
    fileName: z.string().nullable(),
    sha256: z.string().nullable().meta({ description: 'Of the file.' }),
    size: z.int().nullable(),
    way: z.enum(['simulated', 'service', 'upload']).meta({
      description:
        'How it can be filed: the simulated agency of test books, the service, or by uploading the file.',
    }),
    wayWhy: z.string().nullable().meta({ description: 'Why only by upload.' }),
    confirmationToken: z.string().nullable(),
    expiresAt: Instant.nullable(),
    sendings: z.array(Sending),
  })
  .meta({ id: 'ReturnPreview' })
export type ReturnPreview = z.infer<typeof ReturnPreview>

export const prepareFilingContract = defineContract({
  name: 'fiscal.prepareFiling',
  summary:
    'Everything that a filing would say, what stands against it, and a token for the yes of the person.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ ...PLACE, ...CHOICES }),
  output: ReturnPreview,
  errors: ['validation_failed', 'no_file_layout'],
})

export const fileReturnContract = defineContract({
  name: 'fiscal.fileReturn',
  summary: 'Files a return with the tax agency, once, as it was shown.',
  access: 'person',
  effect: 'irreversible',
  input: z.strictObject({
    ...PLACE,
    confirmationToken: z.string().min(1).max(100),
    withoutValidation: z
      .boolean()
      .default(false)
      .meta({ description: 'File although the validation service cannot be reached.' }),
  }),
  output: Sending,
  errors: [
    'validation_failed',
    'no_file_layout',
    'already_filed',
    'confirmation_invalid',
    'confirmation_expired',
    'confirmation_stale',
    'confirmation_used',
    'filing_under_way',
    'filing_not_possible',
  ],
})

export const validateReturnContract = defineContract({
  name: 'fiscal.validateReturn',
  summary: "Has the tax agency's service check the file of a return. Sends the figures; files nothing.",
  access: 'person',
  effect: 'read',
  input: z.strictObject({ ...PLACE, ...CHOICES }),
  output: z.strictObject({
    state: z.enum(['valid', 'invalid', 'unavailable']),
    errors: z.array(z.string()),
    notices: z.array(z.string()),
    detail: z.string().nullable(),
    draft: z.string().nullable().meta({ description: 'The draft as PDF, in base64.' }),
  }),
  errors: ['validation_failed', 'no_file_layout', 'filing_not_possible'],
})

export const checkFilingContract = defineContract({
  name: 'fiscal.checkFiling',
  summary: 'Asks the tax agency now what became of a sending whose answer was lost.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId }),
  output: Sending,
  errors: ['not_found', 'filing_not_possible'],
})

export const filingsContract = defineContract({
  name: 'fiscal.filings',
  summary: 'What was sent to the tax agency in a year, with its receipts, newest first.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/fiscal/filings' },
  input: z.strictObject({ year: z.int().min(2000).max(2100) }),
  output: z.strictObject({ items: z.array(Sending) }),
  errors: ['validation_failed'],
})

export const filingDocumentContract = defineContract({
  name: 'fiscal.filingDocument',
  summary: 'The receipt of a filed return as the tax agency drew it (PDF).',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/fiscal/filings/:id/document' },
  media: 'application/pdf',
  input: z.strictObject({ id: PathId }),
  output: BytesAnswer,
  errors: ['not_found'],
})

export const filedFileContract = defineContract({
  name: 'fiscal.filedFile',
  summary: 'The file of a return as it was sent.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/fiscal/filings/:id/file' },
  media: 'text/plain',
  input: z.strictObject({ id: PathId }),
  output: BytesAnswer,
  errors: ['not_found'],
})

const SETTINGS = {
  surnames: line(60).nullable(),
  firstName: line(20).nullable(),
  contactName: line(40).nullable(),
  contactPhone: line(20).nullable(),
  iban: line(42).nullable(),
}

export const FilingSettings = z
  .strictObject({
    ...SETTINGS,
    isPerson: z.boolean().meta({ description: 'A person, whose name has two parts.' }),
    live: z.boolean().meta({ description: 'Filing with the real service is allowed.' }),
    liveSince: Instant.nullable(),
    liveBy: z.string().nullable(),
    usual: z.strictObject({
      surnames: z.string().nullable(),
      firstName: z.string(),
      contactName: z.string(),
      contactPhone: z.string().nullable(),
      iban: z.string().nullable(),
    }),
  })
  .meta({ id: 'FilingSettings' })

export const filingSettingsContract = defineContract({
  name: 'fiscal.filingSettings',
  summary: 'Data that only filing needs, and whether filing with the real service is allowed.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: FilingSettings,
  errors: [],
})

export const setFilingSettingsContract = defineContract({
  name: 'fiscal.setFilingSettings',
  summary: 'Changes the data that only filing needs; turns filing with the real service on or off.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    ...SETTINGS,
    live: z
      .boolean()
      .meta({ description: 'Only after reading what was never tried against the real service.' }),
  }),
  output: FilingSettings,
  errors: ['validation_failed'],
})
