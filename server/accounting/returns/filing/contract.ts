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
import { STATED } from '../declaration/pages.ts'
import { REPRESENTATIONS } from '../declaration/representation.ts'

const Kind = z.enum(RETURN_KINDS).meta({
  description:
    'I pay at the bank, U direct debit, G current account, N nothing, B deduct later, C offset, D refund, V, X; O owe it (369).',
})
const Nature = z.enum(RETURN_NATURES)

const PLACE = {
  model: ModelNumber,
  year: z.int().min(2000).max(2100),
  quarter: z.int().min(1).max(4).optional().meta({ description: 'Left out for the models of a whole year.' }),
  month: z.int().min(1).max(12).optional().meta({
    description: 'Instead of the quarter, for a return that the business files by months.',
  }),
}

const CHOICES = {
  kind: Kind.optional(),
  nature: Nature.default('first'),
  iban: line(42)
    .optional()
    .meta({ description: 'Account of a direct debit or a refund; outside SEPA any number.' }),
  // Flat, so that the file can be asked for in an address.
  bankBic: line(11)
    .optional()
    .meta({ description: 'Of the bank of a refund abroad (kind X), as the next four.' }),
  bankName: line(70).optional().meta({ description: 'Name of that bank.' }),
  bankAddress: line(35).optional().meta({ description: 'Its street and number.' }),
  bankCity: line(30).optional().meta({ description: 'Its city.' }),
  bankCountry: line(2).optional().meta({ description: 'ISO 3166 code.' }),
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

const Representation = z.enum(REPRESENTATIONS).meta({
  description: 'attorney (apoderado), collaborator (colaborador social) or legal representative.',
})

const Signer = z
  .strictObject({
    nif: z.string(),
    name: z.string(),
    representation: Representation.nullable().meta({ description: 'Null where it files for itself.' }),
  })
  .meta({ description: 'Holder of the certificate.' })

/** As the agency writes it. */
const NamedParty = z.strictObject({ nif: z.string().nullable(), name: z.string().nullable() })

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
    filer: z.strictObject({ nif: z.string(), name: z.string() }).meta({ description: 'Whose return it is.' }),
    signer: Signer,
    presenter: NamedParty.nullable().meta({
      description: 'Who filed, as the answer of the agency names it.',
    }),
    presenterAs: z
      .string()
      .nullable()
      .meta({ description: 'Kind of representation, as the answer of the agency names it.' }),
    declarant: NamedParty.nullable().meta({
      description: 'Whose return it is, as the answer of the agency names it.',
    }),
    otherParties: z.array(z.enum(['presenter', 'declarant'])).meta({
      description: 'What the answer of the agency names otherwise than signer and filer.',
    }),
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
    computed: z.boolean().meta({
      description: 'False where a person typed every figure (131, 123): none is from the books.',
    }),
    natures: z.array(Nature).meta({ description: 'What a further return of this period may be.' }),
    kind: Kind.nullable(),
    kinds: z.array(Kind).meta({ description: 'Ways to settle the result; empty where nothing is paid.' }),
    outcome: Outcome,
    result: euros('To pay; negative in favour of the business.').nullable(),
    iban: z.string().nullable().meta({ description: 'The account; abroad not always an IBAN.' }),
    bank: z
      .strictObject({
        bic: z.string(),
        name: z.string(),
        address: z.string(),
        city: z.string(),
        country: z.string(),
      })
      .nullable()
      .meta({ description: 'The bank of a refund abroad, as the file names it.' }),
    dueTo: businessDate('Last day.'),
    directDebitTo: businessDate().nullable(),
    boxes: z.array(
      z.strictObject({
        box: z.string(),
        label: z.strictObject({ es: z.string(), en: z.string() }),
        kind: z.enum(['amount', 'percent', 'count', 'code']),
        amount: z.number(),
      }),
    ),
    statements: z.array(z.strictObject({ mark: z.enum(STATED), yes: z.boolean() })).meta({
      description: 'What a VAT return states of the business; empty while its schemes are not stated.',
    }),
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
    signer: Signer.nullable().meta({ description: 'Holder of the certificate; null for an upload.' }),
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
    certificateHolder: z
      .strictObject({ nif: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'Holder of the certificate, if it is another than the company.' }),
    representation: z
      .strictObject({ as: Representation, since: Instant, by: z.string() })
      .nullable()
      .meta({ description: 'The statement that this holder may file for the company.' }),
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
    representation: z
      .strictObject({
        as: Representation,
        nif: line(20).meta({ description: 'Number of the holder as it was shown: another one is refused.' }),
      })
      .nullable()
      .optional()
      .meta({ description: 'States that the holder of the certificate may file; null withdraws it.' }),
  }),
  output: FilingSettings,
  errors: ['validation_failed'],
})
