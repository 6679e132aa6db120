/** Contracts of the approvals that keys request: only the window lists and decides them. */
import { z } from 'zod'
import { defineContract } from '../../../domain/contract/define-contract.ts'
import { euros, FaultShape, Instant, line, PathId } from '../../../domain/contract/fields.ts'
import { InvoiceLine, ValidationResult } from '../contract.ts'

export const ApprovalItem = z
  .strictObject({
    approvalId: z.string(),
    action: z.enum(['issue', 'cancel', 'amend']),
    status: z.enum(['pending', 'approved', 'denied', 'withdrawn', 'expired']),
    channel: z.enum(['rest', 'mcp']),
    createdAt: Instant,
    expiresAt: Instant,
    decidedAt: Instant.nullable(),
    note: z.string().nullable(),
    contentHash: z.string().meta({ description: 'Of what was asked; the decision names it.' }),
    key: z.strictObject({
      id: z.string(),
      name: z.string(),
      prefix: z.string(),
      assistant: z.boolean(),
      isNew: z.boolean().meta({ description: 'Nothing it asked for was approved before.' }),
    }),
    invoice: z.strictObject({
      id: z.string(),
      number: z.string().meta({ description: 'Forecast, or as printed once issued.' }),
      clientName: z.string(),
      clientNif: z.string().nullable(),
      total: euros('Total.'),
    }),
  })
  .meta({ id: 'ApprovalItem' })
export type ApprovalItem = z.infer<typeof ApprovalItem>

export const ApprovalCard = z
  .strictObject({
    ...ApprovalItem.shape,
    preview: ValidationResult.shape.preview,
    lines: z.array(InvoiceLine),
    issues: z.array(FaultShape),
    changed: z.boolean().meta({ description: 'The content is no longer what was asked.' }),
    checks: z.strictObject({
      knownClient: z.boolean().meta({ description: 'An invoice was issued to this customer before.' }),
      validNif: z.boolean().nullable().meta({ description: 'Null without one.' }),
      caps: z
        .strictObject({
          within: z.boolean(),
          perDay: z.int().nullable(),
          issuedToday: z.int(),
          eurPerDay: z.number().nullable(),
          issuedEurToday: z.number(),
        })
        .nullable()
        .meta({ description: 'Null where the key has none, or the step spends none.' }),
    }),
  })
  .meta({ id: 'ApprovalCard' })
export type ApprovalCard = z.infer<typeof ApprovalCard>

export const listApprovalsContract = defineContract({
  name: 'approvals.list',
  summary: 'What keys ask a person to approve, and what was decided.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({ limit: z.int().min(1).max(200).optional() }),
  output: z.strictObject({ waiting: z.array(ApprovalItem), decided: z.array(ApprovalItem) }),
  errors: [],
})

export const getApprovalContract = defineContract({
  name: 'approvals.get',
  summary: 'Exactly what would be registered, and what was checked of it.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({ id: PathId }),
  output: ApprovalCard,
  errors: ['not_found', 'approval_closed', 'registry_pending'],
})

export const decideApprovalContract = defineContract({
  name: 'approvals.decide',
  summary: 'Approve a step, which takes it at once, or refuse it.',
  description:
    'Bound to the content that was shown: contentHash is that of the card. The key that asked gets the result when it sends its request again.',
  access: 'person',
  effect: 'irreversible',
  input: z.strictObject({
    id: PathId,
    decision: z.enum(['approve', 'deny']),
    contentHash: z.string().regex(/^[0-9a-f]{64}$/),
    note: line(300, 0).optional(),
    code: z.string().min(1).max(200).optional().meta({
      description: 'Of the app lock, where the owner is asked for it before approving.',
    }),
  }),
  output: ApprovalItem,
  errors: [
    'not_found',
    'approval_closed',
    'confirmation_stale',
    'confirmation_expired',
    'invoice_not_draft',
    'invoice_not_issued',
    'before_these_books',
    'invoice_invalid',
    'invoice_contradicts',
    'registry_pending',
    'certificate_missing',
    'producer_missing',
    'daily_cap_reached',
    'chain_broken',
    'clock_wrong',
    'restored_copy',
    'series_in_conflict',
    'identity_needed',
    'lock_code_wrong',
    'lock_wait',
  ],
})
