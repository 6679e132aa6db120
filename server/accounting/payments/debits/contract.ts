/** Contracts of mandates and of remittances: files of direct debits and transfers for the bank. */
import { z } from 'zod'
import { INSTALMENTS } from '../../../domain/tax/instalments.ts'
import { defineContract } from '../../../domain/contract/define-contract.ts'
import {
  businessDate,
  BytesAnswer,
  decimal,
  euros,
  Instant,
  line,
  PathId,
} from '../../../domain/contract/fields.ts'

const Scheme = z.enum(['CORE', 'B2B'])
const Iban = line(42).meta({ description: 'IBAN; blanks are taken away and the check digits checked.' })
const Bic = z
  .string()
  .regex(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/)
  .meta({ description: 'BIC, 8 or 11 characters; the bank needs none within the area.' })

const Creditor = z
  .strictObject({
    creditorId: z.string(),
    name: z.string(),
    iban: z.string(),
    bic: z.string().nullable(),
  })
  .meta({ id: 'DebitCreditor' })

export const getCreditorContract = defineContract({
  name: 'debits.creditor',
  summary: "The company's creditor identifier and the account that collects.",
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/direct-debits/creditor' },
  input: z.strictObject({}),
  output: z.strictObject({
    creditor: Creditor.nullable(),
    proposedId: z
      .string()
      .meta({ description: 'What the NIF gives with suffix 000; the bank tells the suffix.' }),
    proposedIban: z.string().nullable(),
  }),
  errors: [],
})

export const saveCreditorContract = defineContract({
  name: 'debits.saveCreditor',
  summary: "Set the company's creditor identifier and the account that collects.",
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    creditorId: line(35),
    iban: Iban,
    bic: Bic.nullable().optional(),
    name: line(70).optional(),
  }),
  output: Creditor,
  errors: ['validation_failed'],
})

const mandateFields = {
  holder: line(70).optional().meta({ description: "Holder of the account. Default: the contact's name." }),
  scheme: Scheme.optional().meta({
    description: 'CORE (default), or B2B between businesses, without the right to a refund.',
  }),
  type: z.enum(['recurrent', 'one_off']).optional(),
  bic: Bic.nullable().optional(),
}

const Mandate = z
  .strictObject({
    id: z.string(),
    contactId: z.string(),
    contactName: z.string(),
    reference: z.string(),
    scheme: Scheme,
    type: z.enum(['recurrent', 'one_off']),
    signedOn: businessDate(),
    holder: z.string(),
    iban: z.string(),
    bic: z.string().nullable(),
    state: z.enum(['active', 'cancelled']),
    uses: z.int(),
    lastUsedOn: businessDate().nullable(),
    expiresOn: businessDate('A mandate not used for 36 months is void.'),
    createdAt: Instant,
  })
  .meta({ id: 'Mandate' })
export type Mandate = z.infer<typeof Mandate>

export const listMandatesContract = defineContract({
  name: 'mandates.list',
  summary: 'Direct debit mandates.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/mandates' },
  input: z.strictObject({ contactId: PathId.optional(), state: z.enum(['active', 'cancelled']).optional() }),
  output: z.strictObject({ items: z.array(Mandate) }),
  errors: ['not_found'],
})

export const createMandateContract = defineContract({
  name: 'mandates.create',
  summary: 'Add a mandate that a customer signed.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/mandates', status: 201 },
  input: z.strictObject({
    ...mandateFields,
    contactId: PathId,
    reference: z
      .string()
      .regex(/^[A-Za-z0-9+?:().,'-]([A-Za-z0-9+?/:().,' -]{0,33}[A-Za-z0-9+?:().,'-])?$/)
      .optional()
      .meta({
        description:
          'Unique, at most 35 characters, without blanks or slashes at its ends; default: made from the contact and the day.',
      }),
    signedOn: businessDate(),
    iban: Iban,
  }),
  output: Mandate,
  errors: ['not_found', 'validation_failed', 'mandate_reference_taken'],
})

export const updateMandateContract = defineContract({
  name: 'mandates.update',
  summary: 'Cancel a mandate or put it back in force, or change its account.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'PATCH', path: '/mandates/:id' },
  input: z.strictObject({
    id: PathId,
    ...mandateFields,
    iban: Iban.optional(),
    state: z.enum(['active', 'cancelled']).optional(),
  }),
  output: Mandate,
  errors: ['not_found', 'validation_failed'],
})

export const deleteMandateContract = defineContract({
  name: 'mandates.delete',
  summary: 'Remove a mandate that was never used.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/mandates/:id' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ deleted: z.literal(true) }),
  errors: ['not_found', 'mandate_in_use'],
})

const RemittanceKind = z
  .enum(['debit', 'transfer'])
  .meta({ description: 'debit: collect from customers. transfer: pay suppliers.' })

const RemittanceItem = z.strictObject({
  index: z.int(),
  invoiceId: z.string().nullable(),
  instalment: z.int().optional().meta({ description: 'Which of its instalments, counted from 1.' }),
  receivedId: z.string().nullable(),
  number: z.string().nullable(),
  name: z.string(),
  iban: z.string(),
  mandateId: z.string().nullable(),
  sequence: z.enum(['FRST', 'RCUR', 'OOFF', 'FNAL']).nullable(),
  amount: euros('Collected or paid.'),
  paymentId: z.string().nullable(),
  returned: z
    .strictObject({ date: businessDate(), reason: z.string().nullable(), fee: euros('Of the bank.') })
    .nullable(),
})

const remittanceFields = {
  id: z.string(),
  kind: RemittanceKind,
  state: z.enum(['prepared', 'settled', 'discarded']),
  scheme: Scheme.nullable(),
  messageId: z.string(),
  executionDate: businessDate(),
  count: z.int(),
  total: euros('Of the file.'),
  returned: z.int(),
  settledOn: businessDate().nullable(),
  createdAt: Instant,
}
const RemittanceSummary = z.strictObject(remittanceFields).meta({ id: 'RemittanceSummary' })
const Remittance = z
  .strictObject({
    ...remittanceFields,
    name: z.string(),
    iban: z.string(),
    account: z.string(),
    items: z.array(RemittanceItem),
  })
  .meta({ id: 'Remittance' })
export type Remittance = z.infer<typeof Remittance>

export const listRemittancesContract = defineContract({
  name: 'remittances.list',
  summary: 'Files of direct debits and transfers, newest first.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/remittances' },
  input: z.strictObject({
    kind: RemittanceKind.optional(),
    limit: z.int().min(1).max(200).optional(),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({ items: z.array(RemittanceSummary), nextCursor: z.string().nullable() }),
  errors: ['validation_failed'],
})

export const candidatesContract = defineContract({
  name: 'remittances.candidates',
  summary: 'What could go into a file: invoices that are owed, and what is missing of those that cannot.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/remittance-candidates' },
  input: z.strictObject({ kind: RemittanceKind, scheme: Scheme.optional() }),
  output: z.strictObject({
    executionDate: businessDate('First day the bank can take.'),
    items: z.array(
      z.strictObject({
        id: z.string(),
        instalment: z.int().optional().meta({ description: 'Which of its instalments, counted from 1.' }),
        number: z.string().nullable(),
        name: z.string(),
        contactId: z.string().nullable(),
        dueDate: businessDate().nullable(),
        amount: euros('Due.'),
        iban: z.string().nullable(),
        mandateId: z.string().nullable(),
        sequence: z.enum(['FRST', 'RCUR', 'OOFF', 'FNAL']).nullable(),
        missing: z
          .enum(['mandate', 'iban', 'contact', 'in_other_file'])
          .nullable()
          .meta({ description: 'Why it cannot go into the file.' }),
      }),
    ),
  }),
  errors: [],
})

export const getRemittanceContract = defineContract({
  name: 'remittances.get',
  summary: 'One file with its debits or transfers.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/remittances/:id' },
  input: z.strictObject({ id: PathId }),
  output: Remittance,
  errors: ['not_found'],
})

/** Events after which a document is no longer owed. */
const LOST = ['invoice_cancelled', 'invoice_uncollectible', 'received_void'] as const

export const createRemittanceContract = defineContract({
  name: 'remittances.create',
  summary:
    'Prepare a file of direct debits or of transfers. Nothing is sent: the person hands it to the bank.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/remittances', status: 201 },
  input: z.strictObject({
    kind: RemittanceKind,
    scheme: Scheme.optional().meta({ description: 'Of debits: CORE (default) or B2B.' }),
    executionDate: businessDate('A day banks work on. Default: the first possible.').optional(),
    account: z
      .string()
      .regex(/^57\d{1,10}$/)
      .optional()
      .meta({ description: 'Ledger account of the bank. Default 572.' }),
    items: z
      .array(
        z.strictObject({
          id: PathId.meta({ description: 'An issued invoice for debits, a received one for transfers.' }),
          instalment: z.int().min(1).max(INSTALMENTS.max).optional().meta({
            description: 'Of an invoice in instalments. Default: the one due first that is in no file.',
          }),
          amount: decimal(2, {
            min: 0.01,
            max: 999_999_999.99,
            description: 'Default: what is due.',
          }).optional(),
          iban: Iban.optional().meta({ description: "Of a supplier. Default: the contact's." }),
          last: z.boolean().optional().meta({ description: 'The last debit of its mandate (FNAL).' }),
        }),
      )
      .min(1)
      .max(1000),
  }),
  output: Remittance,
  errors: [
    'not_found',
    'validation_failed',
    'creditor_missing',
    'invoice_number_ambiguous',
    'invoice_not_issued',
    ...LOST,
  ],
})

export const remittanceFileContract = defineContract({
  name: 'remittances.file',
  summary: 'The XML for the bank: pain.008 of debits, pain.001 of transfers.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/remittances/:id/file' },
  media: 'application/xml',
  input: z.strictObject({
    id: PathId,
    version: z
      .enum(['02', '08', '03', '09'])
      .optional()
      .meta({ description: 'pain.008.001.02 (default) or .08; pain.001.001.03 (default) or .09.' }),
  }),
  output: BytesAnswer,
  errors: ['not_found', 'validation_failed', 'remittance_discarded'],
})

export const settleRemittanceContract = defineContract({
  name: 'remittances.settle',
  summary: 'The bank executed the file: each item becomes a payment of its invoice.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/remittances/:id/settle' },
  input: z.strictObject({ id: PathId, date: businessDate('Default: the execution date.').optional() }),
  output: Remittance,
  errors: [
    'not_found',
    'account_unknown',
    'remittance_not_prepared',
    'period_locked',
    'validation_failed',
    'payment_exceeds_due',
    ...LOST,
  ],
})

export const unsettleRemittanceContract = defineContract({
  name: 'remittances.unsettle',
  summary: 'Take back that a file was executed: its payments go, and it waits again.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/remittances/:id/unsettle' },
  input: z.strictObject({ id: PathId }),
  output: Remittance,
  errors: [
    'not_found',
    'remittance_not_settled',
    'debit_already_returned',
    'payment_in_use',
    'period_locked',
  ],
})

export const returnDebitContract = defineContract({
  name: 'remittances.return',
  summary: 'The bank gave a debit back: the invoice is owed again, and the fee is booked.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/remittances/:id/returns' },
  input: z.strictObject({
    id: PathId,
    index: z.int().min(0).max(999).meta({ description: 'Position in items.' }),
    date: businessDate(),
    reason: z
      .string()
      .regex(/^[A-Z0-9]{4}$/)
      .optional()
      .meta({
        description: "The bank's reason code, such as AM04 (insufficient funds) or MD06 (refund asked).",
      }),
    fee: decimal(2, { min: 0, max: 1000, description: 'Fee of the bank.' }).optional(),
  }),
  output: Remittance,
  errors: [
    'not_found',
    'remittance_not_settled',
    'debit_already_returned',
    'period_locked',
    'validation_failed',
  ],
})

export const discardRemittanceContract = defineContract({
  name: 'remittances.discard',
  summary: 'Discard a file that was not handed to the bank: its invoices are free again.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/remittances/:id' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ deleted: z.literal(true) }),
  errors: ['not_found', 'remittance_not_prepared'],
})
