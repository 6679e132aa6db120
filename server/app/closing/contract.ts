/** Contracts of the close of a quarter: what is missing, in order, and the entry of its VAT. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { businessDate, euros, Mode } from '../../domain/contract/fields.ts'
import { JournalEntry } from '../../accounting/ledger/contract.ts'
import { ModelSummary, Outcome } from '../../accounting/returns/contract.ts'

const Year = z.int().min(2000).max(2100)
const Quarter = z.int().min(1).max(4)

/** The steps, in the order in which they are done. */
export const STEPS = [
  'drafts',
  'bank',
  'received_files',
  'approvals',
  'registry',
  'received_data',
  'recurring',
  'returns',
  'payment',
  'vat_entry',
  'lock',
  'pack',
] as const
export type StepId = (typeof STEPS)[number]

/** The reasons of a state that does not explain itself. */
export const REASONS = [
  'no_bank',
  'bank_behind',
  'no_purchases',
  'nothing_issued',
  'no_recurring',
  'period_open',
  'not_known_whether',
  'changed_since',
  'file_first',
  'nothing_to_pay',
  'payment_not_found',
  'not_computed',
  'no_vat_return',
  'nothing_to_settle',
  'cleared_elsewhere',
  'entry_outdated',
  'entry_differs',
  'differs',
  'settled_later',
  'not_recorded',
] as const
const Reason = z.enum(REASONS)
export type Reason = z.infer<typeof Reason>

const StepState = z
  .enum(['done', 'missing', 'not_needed', 'unknown'])
  .meta({ description: 'unknown: the books cannot tell; never counted as done.' })
export type StepState = z.infer<typeof StepState>

const ClosingItem = z.strictObject({
  id: z.string(),
  label: z
    .string()
    .meta({ description: 'Name of the other party, number or text; may come from a document.' }),
  date: businessDate().nullable(),
  amount: z.number().nullable().meta({ description: 'Euros.' }),
  code: z.string().nullable().meta({ description: 'What is missing of it, where a step has several cases.' }),
  page: z.string().meta({ description: 'Path of the page in the app where it is resolved.' }),
})
export type ClosingItem = z.infer<typeof ClosingItem>

const ClosingStep = z
  .strictObject({
    id: z.enum(STEPS),
    state: StepState,
    why: Reason.nullable(),
    count: z.int().meta({ description: 'How many things are missing.' }),
    total: z
      .number()
      .nullable()
      .meta({ description: 'Sum of their amounts in euros; null without amounts.' }),
    items: z.array(ClosingItem).meta({ description: 'The first 20.' }),
  })
  .meta({ id: 'ClosingStep' })
export type ClosingStep = z.infer<typeof ClosingStep>

export const FIGURES = ['income', 'expenses', 'vat', 'instalment', 'withheld'] as const
export type FigureId = (typeof FIGURES)[number]

const FigureAmount = z.strictObject({
  year: z.int(),
  quarter: z.int(),
  amount: z.number().nullable().meta({ description: 'Euros; null where Sello does not know it.' }),
  why: z.string().nullable().meta({ description: 'Why it is null.' }),
})
export type FigureAmount = z.infer<typeof FigureAmount>

const ClosingFigure = z
  .strictObject({
    id: z.enum(FIGURES).meta({
      description:
        'Income and expenses of the ledger, box 71 of form 303, box 19 of form 130, and forms 111 and 115 together.',
    }),
    amounts: z.array(FigureAmount).meta({ description: 'The quarter, then the four before it.' }),
  })
  .meta({ id: 'ClosingFigure' })
export type ClosingFigure = z.infer<typeof ClosingFigure>

const ClosingReturn = z
  .strictObject({
    ...ModelSummary.pick({
      model: true,
      name: true,
      period: true,
      year: true,
      applies: true,
      computed: true,
      why: true,
      result: true,
      dueFrom: true,
      dueTo: true,
      directDebitTo: true,
      status: true,
    }).shape,
    outcome: Outcome,
    filedOn: businessDate().nullable(),
    changed: z.boolean().meta({ description: 'Its figures have changed since it was filed.' }),
    paid: StepState,
    paidOn: businessDate().nullable(),
  })
  .meta({ id: 'ClosingReturn' })
export type ClosingReturn = z.infer<typeof ClosingReturn>

const VatSums = z.strictObject({
  output: euros('Output VAT: box 27, and account 477.'),
  input: euros('Deductible input VAT: box 45, and account 472.'),
  result: euros(
    'To pay, negative in favour: what the return leaves, and what the entry takes to 4750 or 4700.',
  ),
})

const VatEntry = z
  .strictObject({
    date: businessDate(),
    lines: z.array(
      z.strictObject({
        account: z.string(),
        name: z.string(),
        debit: euros('Debit.'),
        credit: euros('Credit.'),
      }),
    ),
    balanced: z.boolean().meta({ description: 'Debits are credits.' }),
    filed: VatSums,
    ledger: VatSums,
    difference: VatSums.meta({ description: 'The ledger less the return.' }),
    carried: euros('Amount of earlier quarters that the return applied (box 78).'),
    entryId: z.string().nullable().meta({ description: 'The entry of the quarter, once booked.' }),
  })
  .meta({ id: 'VatEntry', description: 'The entry that settles the VAT of a quarter, before it is booked.' })
export type VatEntry = z.infer<typeof VatEntry>

export const closingContract = defineContract({
  name: 'fiscal.closing',
  summary:
    'The close of a quarter in order: what is missing, the returns, their payment, the entry and the lock.',
  description:
    'A step is `done` only where the books prove it. What cannot be known, such as payments without a bank account, is `unknown`.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/fiscal/closing' },
  input: z.strictObject({
    year: Year,
    quarter: Quarter,
    language: z.enum(['es', 'en']).optional().meta({ description: 'Of the names of accounts.' }),
  }),
  output: z.strictObject({
    year: z.int(),
    quarter: z.int(),
    mode: Mode,
    estimate: z.literal(true),
    period: z.strictObject({ from: businessDate(), to: businessDate(), over: z.boolean() }),
    lockedUntil: businessDate().nullable(),
    missing: z.int().meta({ description: 'Steps where something is missing.' }),
    unknown: z.int().meta({ description: 'Steps that the books cannot tell.' }),
    steps: z.array(ClosingStep),
    figures: z.array(ClosingFigure),
    returns: z.array(ClosingReturn).meta({ description: 'Those that apply, or may apply.' }),
    vatEntry: VatEntry.nullable().meta({ description: 'Null until the VAT return is filed.' }),
    untrusted: z.literal(true).meta({ description: 'Labels contain text of other parties.' }),
  }),
  errors: ['validation_failed'],
})

export const enterVatContract = defineContract({
  name: 'fiscal.enterVat',
  summary: 'Book the settlement of the VAT of a quarter, as its return was filed.',
  description:
    'Refused while the ledger differs from the return, unless the difference is accepted: then the amounts of the ledger are booked.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    year: Year,
    quarter: Quarter,
    acceptDifference: z.boolean().optional(),
  }),
  output: JournalEntry,
  errors: ['return_not_filed', 'vat_entered', 'vat_entry_differs', 'period_locked'],
})
