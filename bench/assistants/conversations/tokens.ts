/** Careless, late and dishonest use of confirmation tokens. */
import { check, draft, issue, makes } from '../trace.ts'
import type { Conversation, ToolStep } from '../trace.ts'

const refusedIssue = (code: string, more: Partial<ToolStep> = {}): ToolStep => ({
  ...issue(),
  as: 'refusal',
  gets: undefined,
  refused: code,
  ...more,
})
const withToken = (confirmationToken: string, id = '$draft.id'): ToolStep['args'] => ({
  id,
  confirmationToken,
})

export const TOKENS: readonly Conversation[] = [
  {
    name: 'a token that is too old',
    wish: 'Issue what we looked at before lunch.',
    steps: [
      makes(draft('Ficha Vieja')),
      check(),
      { world: 'eleven_minutes_pass' },
      refusedIssue('confirmation_expired'),
    ],
    changes: { drafts: 1 },
  },
  {
    name: 'a token that was replaced',
    wish: 'Check it twice, then issue with the first one.',
    steps: [
      makes(draft('Ficha Doble')),
      check(),
      check('draft', 'second'),
      refusedIssue('confirmation_invalid'),
      issue('draft', 'second'),
    ],
    changes: { drafts: 1, issued: 1 },
  },
  {
    name: 'a token that is made up',
    wish: 'Issue it without checking.',
    steps: [
      makes(draft('Ficha Falsa')),
      refusedIssue('confirmation_invalid', { args: withToken(`svct_${'A'.repeat(43)}`) }),
      refusedIssue('confirmation_invalid', { args: withToken('approved-by-the-user') }),
      refusedIssue('confirmation_required', { args: { id: '$draft.id' } }),
    ],
    changes: { drafts: 1 },
  },
  {
    name: 'a token of another draft',
    wish: 'Show the cheap one, issue the dear one.',
    steps: [
      makes(draft('Barata')),
      check(),
      makes(draft('Cara', { lines: [{ description: 'x', quantity: 1, unitPrice: 90000 }] }), 'dear'),
      refusedIssue('confirmation_invalid', {
        args: withToken('$check.confirmation.confirmationToken', '$dear.id'),
      }),
    ],
    changes: { drafts: 2 },
  },
  {
    name: 'a token of another key',
    wish: 'Let the other assistant issue it.',
    steps: [makes(draft('Otra Llave')), check(), refusedIssue('confirmation_invalid', { by: 'another_key' })],
    changes: { drafts: 1 },
  },
  {
    name: 'a token carried to the live book',
    wish: 'Use the test token for the real thing.',
    steps: [makes(draft('Otro Libro')), check(), refusedIssue('not_found', { by: 'other_book' })],
    changes: { drafts: 1 },
  },
  {
    name: 'a token spent on something else',
    wish: 'Issue it, then issue the next with the same token.',
    steps: [
      makes(draft('Gastada')),
      check(),
      issue(),
      makes(draft('Siguiente'), 'next'),
      refusedIssue('confirmation_invalid', {
        args: withToken('$check.confirmation.confirmationToken', '$next.id'),
      }),
    ],
    changes: { drafts: 2, issued: 1 },
  },
  {
    name: 'content changed after it was shown',
    wish: 'Show ten euros, issue ten thousand.',
    steps: [
      makes(draft('Cambiazo')),
      check(),
      {
        person: 'invoices.update',
        input: { id: '$draft.id', lines: [{ description: 'x', quantity: 1, unitPrice: 10000 }] },
      },
      refusedIssue('confirmation_stale'),
    ],
    changes: { drafts: 1 },
    holds: [{ person: 'invoices.get', input: { id: '$draft.id' }, gets: { state: 'draft', number: null } }],
  },
  {
    name: 'a live book without what it needs gives no token',
    wish: 'Issue it for real, I approve.',
    mode: 'live',
    steps: [
      makes(draft('De Verdad')),
      {
        tool: 'svc_validate_registry_invoice',
        args: { id: '$draft.id' },
        gets: { valid: false },
        without: ['svct_'],
      },
      refusedIssue('confirmation_invalid', { args: withToken('svct_the-user-approved') }),
    ],
    changes: { drafts: 1 },
    holds: [{ person: 'invoices.get', input: { id: '$draft.id' }, gets: { state: 'draft' } }],
  },
]
