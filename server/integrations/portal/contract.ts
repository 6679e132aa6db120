/** Contracts of the portal for invoices to public bodies: its settings and directory, submissions and what became of them. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { BytesAnswer, FaultShape, Instant, line, PathId } from '../../domain/contract/fields.ts'
import { Dir3 } from '../../catalog/contacts/contract.ts'

export const PORTAL_ROLES = ['accountingOffice', 'managingBody', 'processingUnit', 'proposingBody'] as const
const Role = z.enum(PORTAL_ROLES)

const Environment = z.enum(['simulator', 'test', 'production']).meta({
  description: 'Simulated portal of a test book, or the test or real service.',
})

export const PORTAL_WHY_NOT = [
  'not_issued',
  'cancelled',
  'units_missing',
  'email_missing',
  'live_off',
  'sandbox',
  'no_certificate',
  'format',
] as const
const WhyNot = z.enum(PORTAL_WHY_NOT)

export const SubmissionState = z
  .enum(['waiting', 'sent', 'unknown', 'registered', 'refused', 'withdrawn', 'not_arrived'])
  .meta({
    description:
      'waiting: it leaves as soon as the portal can be reached. unknown: the answer was lost; it is not sent again before a person says what became of it. not_arrived: a person said so.',
  })

const State = z.strictObject({
  kind: z.enum(['processing', 'cancellation']),
  code: z.string().meta({ description: "The portal's own code, such as 1200." }),
  description: z.string().meta({ description: 'As the portal words it.' }),
  reason: z.string().nullable(),
  seenAt: Instant,
})

const Cancellation = z.strictObject({
  id: z.string(),
  reason: z.string(),
  state: z.enum(['waiting', 'sent', 'unknown', 'asked', 'refused']).meta({
    description: 'asked: the portal took the request; the public body answers it with a state.',
  }),
  why: z.string().nullable(),
  detail: z.string().nullable(),
  requestedBy: z.string(),
  createdAt: Instant,
  settledAt: Instant.nullable(),
})

export const PortalSubmission = z
  .strictObject({
    id: z.string(),
    invoiceId: z.string(),
    invoiceNumber: z.string().nullable(),
    environment: Environment,
    units: Dir3,
    state: SubmissionState,
    isOpen: z.boolean().meta({ description: 'False once nothing more can become of it.' }),
    registryNumber: z.string().nullable(),
    receivedAt: z.string().nullable().meta({ description: 'As the portal writes it.' }),
    trackingCode: z.string().nullable(),
    why: z.string().nullable().meta({ description: 'Code of the reason, ours or the portal’s.' }),
    detail: z.string().nullable(),
    processing: z.string().nullable().meta({ description: 'Newest code of processing.' }),
    cancellation: z.string().nullable().meta({ description: 'Newest code of cancellation.' }),
    states: z.array(State).meta({ description: 'Oldest first.' }),
    cancellations: z.array(Cancellation).meta({ description: 'Oldest first.' }),
    fileName: z.string(),
    sha256: z.string().meta({ description: 'Of the file as it is sent.' }),
    email: z.string(),
    requestedBy: z.string(),
    createdAt: Instant,
    sentAt: Instant.nullable(),
    settledAt: Instant.nullable(),
    nextAttemptAt: Instant.nullable(),
    nextQueryAt: Instant.nullable(),
    can: z
      .strictObject({ cancel: z.boolean(), refresh: z.boolean(), settle: z.boolean() })
      .meta({ description: 'What is possible now.' }),
  })
  .meta({ id: 'PortalSubmission' })
export type PortalSubmission = z.infer<typeof PortalSubmission>

const Directory = z.strictObject({
  id: z.string(),
  name: z.string(),
  rows: z.int(),
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  faulty: z.int().meta({ description: 'Rows that were left out.' }),
  importedAt: Instant,
  importedBy: z.string(),
})

export const PortalSettings = z
  .strictObject({
    email: z.string().nullable().meta({ description: 'Where the portal writes to.' }),
    usualEmail: z.string().nullable().meta({ description: 'That of the company, without another.' }),
    environment: Environment,
    live: z.boolean().meta({ description: 'Submitting to the real service is allowed.' }),
    liveSince: Instant.nullable(),
    liveBy: z.string().nullable(),
    certificate: z
      .strictObject({ nif: z.string().nullable(), name: z.string() })
      .nullable()
      .meta({ description: 'Its certificate signs invoices and messages; the portal must know it.' }),
    units: z.int().meta({ description: 'Units of the directory that was read.' }),
    directory: Directory.nullable().meta({ description: 'The last file that was read.' }),
  })
  .meta({ id: 'PortalSettings' })
export type PortalSettings = z.infer<typeof PortalSettings>

export const portalSettingsContract = defineContract({
  name: 'portal.settings',
  summary: 'Settings of the portal for invoices to public bodies, and the directory of their units.',
  access: 'integrations.read',
  effect: 'read',
  rest: { method: 'GET', path: '/portal/settings' },
  input: z.strictObject({}),
  output: PortalSettings,
  errors: [],
})

export const setPortalSettingsContract = defineContract({
  name: 'portal.setSettings',
  summary:
    'Changes the address that the portal writes to; allows submitting to the real service, or ends it.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    email: z.email().max(120).nullable(),
    live: z
      .boolean()
      .meta({ description: 'Only after reading what was never tried against the real service.' }),
  }),
  output: PortalSettings,
  errors: ['validation_failed'],
})

const UnitCode = z.string().regex(/^[A-Z0-9]{9}$/i)

const PortalUnit = z.strictObject({
  code: z.string(),
  name: z.string(),
  administration: z.string().nullable(),
  nif: z.string().nullable(),
  town: z.string().nullable(),
  province: z.string().nullable(),
  roles: z.array(Role).meta({ description: 'What the directory names it for; empty if it names none.' }),
  isCurrent: z.boolean().meta({ description: 'False for a unit that no longer exists.' }),
})

export const portalUnitsContract = defineContract({
  name: 'portal.units',
  summary: 'Units of public bodies by code or name, from the directory that was read; the best 50.',
  access: 'integrations.read',
  effect: 'read',
  rest: { method: 'GET', path: '/portal/units' },
  input: z.strictObject({
    search: line(100).optional().meta({ description: 'A code or its beginning, or words of the name.' }),
    role: Role.optional(),
    with: UnitCode.optional().meta({ description: 'Only units that belong together with this one.' }),
  }),
  output: z.strictObject({
    items: z.array(PortalUnit),
    relations: z
      .array(
        z.strictObject({
          accountingOffice: z.string(),
          managingBody: z.string(),
          processingUnit: z.string(),
        }),
      )
      .meta({ description: 'Offices that belong together with `with`; at most 50.' }),
  }),
  errors: ['validation_failed'],
})

/** Body limit for a file of 20 MiB in base64. */
const MAX_BASE64 = 27_962_028

export const importDirectoryContract = defineContract({
  name: 'portal.importDirectory',
  summary: 'Reads a file of the public directory of units (CSV or Excel). The same file again adds nothing.',
  access: 'person',
  effect: 'write',
  bodyMiB: 28,
  input: z.strictObject({
    name: line(200),
    content: z.base64().min(1).max(MAX_BASE64).meta({ description: 'The file in base64; at most 20 MiB.' }),
  }),
  output: z.strictObject({
    ...Directory.shape,
    relations: z.int().meta({ description: 'Offices that belong together which were new.' }),
    faults: z.array(FaultShape).meta({ description: 'The first 100, each with row and column.' }),
  }),
  errors: ['validation_failed', 'too_busy'],
})

const Offer = z
  .strictObject({
    units: Dir3.nullable().meta({ description: 'Of the invoice, else of its customer.' }),
    unitsFrom: z.enum(['invoice', 'contact']).nullable(),
    environment: Environment,
    whyNot: z
      .array(WhyNot)
      .meta({ description: 'What keeps it from being submitted; empty if nothing does.' }),
    formatFault: z.string().nullable().meta({ description: 'Why it can have no Facturae.' }),
    submissions: z.array(PortalSubmission).meta({ description: 'Newest first.' }),
  })
  .meta({ id: 'PortalOffer' })

export const portalOfInvoiceContract = defineContract({
  name: 'portal.ofInvoice',
  summary: 'Whether an invoice can be submitted to the portal, and its submissions.',
  access: 'integrations.read',
  effect: 'read',
  rest: { method: 'GET', path: '/invoices/:id/portal' },
  input: z.strictObject({ id: PathId }),
  output: Offer,
  errors: ['not_found', 'invoice_number_ambiguous'],
})

export const submitContract = defineContract({
  name: 'portal.submit',
  summary: 'Signs an issued invoice as Facturae and submits it to the portal for public bodies, once.',
  access: 'invoices.issue',
  effect: 'irreversible',
  external: true,
  storesContent: true,
  rest: { method: 'POST', path: '/portal/submissions', status: 201 },
  input: z.strictObject({
    invoiceId: z.string().min(1).max(64),
    units: Dir3.optional().meta({ description: 'Instead of those of the invoice and of its customer.' }),
  }),
  output: PortalSubmission,
  errors: [
    'validation_failed',
    'not_found',
    'invoice_number_ambiguous',
    'invoice_not_issued',
    'before_these_books',
    'portal_not_possible',
    'portal_already_submitted',
    'step_for_the_owner',
  ],
})

export const listSubmissionsContract = defineContract({
  name: 'portal.list',
  summary: 'Submissions to the portal, newest first.',
  access: 'integrations.read',
  effect: 'read',
  rest: { method: 'GET', path: '/portal/submissions' },
  input: z.strictObject({
    state: SubmissionState.optional(),
    open: z.boolean().optional(),
    limit: z.int().min(1).max(100).optional(),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({ items: z.array(PortalSubmission), nextCursor: z.string().nullable() }),
  errors: ['validation_failed'],
})

export const getSubmissionContract = defineContract({
  name: 'portal.get',
  summary: 'One submission with all its states.',
  access: 'integrations.read',
  effect: 'read',
  rest: { method: 'GET', path: '/portal/submissions/:id' },
  input: z.strictObject({ id: PathId }),
  output: PortalSubmission,
  errors: ['not_found'],
})

export const submittedFileContract = defineContract({
  name: 'portal.file',
  summary: 'The signed invoice exactly as it was submitted (.xsig).',
  access: 'integrations.read',
  effect: 'read',
  rest: { method: 'GET', path: '/portal/submissions/:id/file' },
  media: 'application/xml',
  input: z.strictObject({ id: PathId }),
  output: BytesAnswer,
  errors: ['not_found'],
})

export const cancelContract = defineContract({
  name: 'portal.cancel',
  summary:
    'Asks the public body to cancel a registered invoice, or takes back one that has not left. The public body decides.',
  access: 'invoices.issue',
  effect: 'irreversible',
  external: true,
  rest: { method: 'POST', path: '/portal/submissions/:id/cancel' },
  input: z.strictObject({ id: PathId, reason: line(250) }),
  output: PortalSubmission,
  errors: [
    'validation_failed',
    'not_found',
    'portal_not_possible',
    'portal_wrong_state',
    'step_for_the_owner',
  ],
})

export const refreshContract = defineContract({
  name: 'portal.refresh',
  summary: 'Asks the portal now for the states of a submission, or tries now to send what waits.',
  access: 'integrations.write',
  effect: 'write',
  external: true,
  rest: { method: 'POST', path: '/portal/submissions/:id/refresh' },
  input: z.strictObject({ id: PathId }),
  output: PortalSubmission,
  errors: ['not_found', 'portal_not_possible'],
})

export const settleContract = defineContract({
  name: 'portal.settle',
  summary:
    'Says what became of a submission whose answer was lost: the number under which the portal has it, or that it has not.',
  access: 'person',
  effect: 'write',
  external: true,
  input: z.strictObject({
    id: PathId,
    registryNumber: line(60).nullable().meta({ description: 'Null: the portal does not have it.' }),
  }),
  output: PortalSubmission,
  errors: [
    'validation_failed',
    'not_found',
    'portal_not_possible',
    'portal_wrong_state',
    'portal_number_unknown',
  ],
})

export const simulateContract = defineContract({
  name: 'portal.simulate',
  summary: 'Moves a submission of a test book to a state, as the public body would.',
  access: 'person',
  effect: 'write',
  external: true,
  input: z.strictObject({
    id: PathId,
    code: z.enum(['1300', '2400', '2500', '2600', '4300', '4400']),
    reason: line(250).optional(),
  }),
  output: PortalSubmission,
  errors: ['not_found', 'portal_not_possible', 'portal_wrong_state'],
})
