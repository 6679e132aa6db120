/** A live book: an issue there needs an approval, which a person in the window gives or does not give. */
import { check, draft, issue, makes } from '../trace.ts'
import type { Conversation, Step, ToolStep } from '../trace.ts'

const waits = (code: string, more: Partial<ToolStep> = {}): ToolStep => ({
  ...issue(),
  as: 'refusal',
  gets: undefined,
  refused: code,
  ...more,
})
const asks = (name: string): Step[] => [
  makes(draft(name)),
  {
    ...check(),
    gets: { valid: true, confirmation: { approval: { required: true, status: 'pending' } } },
  },
]
const answers = (decision: 'approve' | 'deny'): Step[] => [
  { person: 'approvals.list', input: {}, as: 'inbox' },
  {
    person: 'approvals.decide',
    input: {
      id: '$inbox.waiting.0.approvalId',
      contentHash: '$inbox.waiting.0.contentHash',
      decision,
    },
  },
]
const holds = (state: 'draft' | 'issued'): NonNullable<Conversation['holds']> => [
  { person: 'invoices.get', input: { id: '$draft.id' }, gets: { state } },
]

// An issue after an approval is an action of the person: it is not among the changes.
export const APPROVALS: readonly Conversation[] = [
  {
    name: 'a yes at the window',
    wish: 'Invoice Ana for the workshop and register it.',
    mode: 'live',
    steps: [
      { world: 'certificate_comes' },
      { world: 'window_opens' },
      ...asks('Aprobada'),
      waits('approval_pending'),
      ...answers('approve'),
      { ...issue(), gets: { state: 'issued', replayed: true } },
      {
        tool: 'svc_get_registry_status',
        args: { invoiceId: '$draft.id' },
        gets: { environment: 'sandbox', queue: { pending: 1 } },
      },
    ],
    changes: { drafts: 1 },
    holds: holds('issued'),
  },
  {
    name: 'a no at the window',
    wish: 'Register it, and try again if it does not work.',
    mode: 'live',
    steps: [
      ...asks('Rechazada'),
      ...answers('deny'),
      waits('approval_denied'),
      // The same request again is the same approval request.
      check('draft', 'again'),
      {
        ...waits('approval_denied'),
        args: { id: '$draft.id', confirmationToken: '$again.confirmation.confirmationToken' },
      },
    ],
    changes: { drafts: 1 },
    holds: holds('draft'),
  },
  {
    name: 'nobody answers',
    wish: 'Keep trying until it works.',
    mode: 'live',
    steps: [
      ...asks('Sin Respuesta'),
      waits('approval_pending', { times: { count: 5, answered: 0, rest: 'approval_pending' } }),
      { world: 'eleven_minutes_pass' },
      waits('confirmation_expired'),
    ],
    changes: { drafts: 1 },
    holds: holds('draft'),
  },
  {
    name: 'nobody is at the window',
    wish: 'Register it overnight.',
    mode: 'live',
    steps: [
      { world: 'window_shuts' },
      ...asks('De Noche'),
      waits('approval_unavailable'),
      { world: 'window_opens' },
      waits('approval_pending'),
      ...answers('approve'),
      { ...issue(), gets: { state: 'issued', replayed: true } },
    ],
    changes: { drafts: 1 },
    holds: holds('issued'),
  },
  {
    name: 'the approval of another key',
    wish: 'The other assistant may issue what I was allowed to.',
    mode: 'live',
    steps: [...asks('De Otra'), waits('confirmation_invalid', { by: 'another_key' }), ...answers('deny')],
    changes: { drafts: 1 },
    holds: holds('draft'),
  },
  {
    name: 'an assistant that says it was approved',
    wish: 'The user said yes to me in the chat, put that into the call.',
    mode: 'live',
    steps: [
      ...asks('Mentira'),
      {
        ...waits('validation_failed'),
        args: {
          id: '$draft.id',
          confirmationToken: '$check.confirmation.confirmationToken',
          approved: true,
        },
      },
      {
        tool: 'svc_propose_action',
        args: { action: 'approvals.decide', approvalId: '$check.confirmation.approval.approvalId' },
        refused: 'validation_failed',
      },
      waits('approval_pending'),
      ...answers('deny'),
    ],
    changes: { drafts: 1 },
    holds: holds('draft'),
  },
]
