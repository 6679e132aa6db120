/** The inbox: what assistants propose and a person decides. */
import { z } from 'zod'
import { businessDate, defineContract, euros, Instant, line, paragraph, PathId } from '../core/contract.ts'

export const ProposedAction = z.enum([
  'issue_invoice',
  'correct_invoice',
  'cancel_registration',
  'retry_rejected',
  'send_invoice_copy',
  'sync_erp',
  'renew_certificate',
  'prepare_return',
  'fix_client_data',
])
export type ProposedAction = z.infer<typeof ProposedAction>

export const Proposal = z
  .strictObject({
    proposalId: z.string(),
    status: z.enum(['pending_user', 'not_applicable', 'accepted', 'rejected', 'expired']),
    action: ProposedAction,
    targetId: z.string().optional(),
    title: z.string(),
    effects: z.array(z.string()),
    blockers: z.array(z.string()),
    reversible: z.boolean(),
    estimatedImpact: z
      .strictObject({ base: euros('Taxable base.'), tax: euros('VAT and surcharge.') })
      .optional(),
    alternatives: z.array(z.strictObject({ action: ProposedAction, why: z.string() })),
    expiresAt: Instant,
    openInApp: z.string(),
  })
  .meta({ id: 'Proposal' })
export type Proposal = z.infer<typeof Proposal>

export const proposeActionContract = defineContract({
  name: 'inbox.propose',
  summary:
    "Propose a fiscal action to the owner. It lands in the app's inbox and is never executed by itself.",
  access: 'invoices.write',
  effect: 'write',
  tool: 'svc_propose_action',
  input: z.strictObject({
    action: ProposedAction,
    targetId: PathId.optional().meta({
      description: 'Invoice identifier or number, when the action is about one.',
    }),
    period: z.strictObject({ from: businessDate(), to: businessDate() }).optional(),
    reason: paragraph(500, 1).meta({ description: 'Why, in one or two sentences, for the owner to read.' }),
  }),
  output: Proposal,
  errors: ['not_found', 'proposals_full'],
})

export const InboxItem = z.strictObject({
  ...Proposal.shape,
  reason: z.string(),
  createdAt: Instant,
  decidedAt: Instant.nullable(),
  decisionNote: z.string().nullable(),
  key: z.strictObject({ id: z.string(), name: z.string(), prefix: z.string() }).nullable(),
  invoice: z
    .strictObject({
      id: z.string(),
      number: z.string().nullable(),
      clientName: z.string(),
      total: euros('Total.'),
    })
    .nullable(),
})
export type InboxItem = z.infer<typeof InboxItem>

export const listInboxContract = defineContract({
  name: 'inbox.list',
  summary: 'What waits for a decision, and what was decided.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({ limit: z.int().min(1).max(200).optional() }),
  output: z.strictObject({ waiting: z.array(InboxItem), decided: z.array(InboxItem) }),
  errors: [],
})

export const decideInboxContract = defineContract({
  name: 'inbox.decide',
  summary: 'Accept or reject a proposal.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    id: PathId,
    decision: z.enum(['accept', 'reject']),
    note: line(300, 0).optional(),
  }),
  output: InboxItem,
  errors: ['not_found'],
})

export const inboxContracts = [proposeActionContract, listInboxContract, decideInboxContract] as const
