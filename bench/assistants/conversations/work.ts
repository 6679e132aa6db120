/** The intended tasks of assistants: drafting, checking, issuing, looking up, proposing. */
import { check, draft, issue, makes } from '../trace.ts'
import type { Conversation } from '../trace.ts'

const context = { tool: 'svc_get_company_context', gets: { mode: 'test' } } as const

export const WORK: readonly Conversation[] = [
  {
    name: 'draft, check, issue',
    wish: 'Invoice Marta two hours at ten euros and issue it.',
    steps: [
      context,
      makes(draft('Marta Uno')),
      check(),
      issue(),
      { tool: 'svc_get_registry_status', args: { invoiceId: '$issued.id' }, gets: { simulated: true } },
    ],
    changes: { drafts: 1, issued: 1 },
    holds: [{ person: 'invoices.get', input: { id: '$issued.id' }, gets: { state: 'issued', total: 24.2 } }],
  },
  {
    name: 'an answer that was lost is asked for again',
    wish: 'Issue it; the line broke, so issue it again.',
    steps: [
      makes(draft('Marta Dos')),
      check(),
      issue(),
      { ...issue(), gets: { replayed: true, number: '$issued.number' } },
      { ...issue(), gets: { replayed: true, number: '$issued.number' } },
    ],
    changes: { drafts: 1, issued: 1 },
  },
  {
    name: 'a draft asked for twice with one key is one draft',
    wish: 'Draft it; I am not sure the first time worked.',
    steps: [
      makes({ ...draft('Marta Tres'), idempotencyKey: 'one-draft-for-marta' }),
      {
        ...makes({ ...draft('Marta Tres'), idempotencyKey: 'one-draft-for-marta' }, 'again'),
        gets: { id: '$draft.id' },
      },
    ],
    changes: { drafts: 1 },
  },
  {
    name: 'several lines with several rates',
    wish: 'A workshop at 21 % and its book at 4 %.',
    steps: [
      makes(
        draft('Librería Cuatro', {
          lines: [
            { description: 'Taller', quantity: 1, unitPrice: 100 },
            { description: 'Libro', quantity: 2, unitPrice: 12.5, vatRate: 4 },
          ],
        }),
      ),
      { ...check(), gets: { valid: true, preview: { total: 147 } } },
      issue(),
    ],
    changes: { drafts: 1, issued: 1 },
  },
  {
    name: 'a simplified invoice needs no customer data',
    wish: 'A ticket over thirty euros.',
    steps: [
      makes({
        clientName: 'Mostrador',
        kind: 'F2',
        lines: [{ description: 'Venta', quantity: 1, unitPrice: 30 }],
      }),
      check(),
      { ...issue(), gets: { kind: 'F2', state: 'issued' } },
    ],
    changes: { drafts: 1, issued: 1 },
  },
  {
    name: 'a correction of an issued invoice',
    wish: 'I charged two hours; it was one.',
    steps: [
      makes(draft('Marta Seis')),
      check(),
      issue(),
      makes(
        draft('Marta Seis', {
          kind: 'R4',
          rectifies: [{ id: '$issued.number' }],
          rectification: { method: 'I', cause: 'wrong_amount', reason: 'Era una hora' },
          lines: [{ description: 'Mano de obra', quantity: -1, unitPrice: 10 }],
        }),
        'correction',
      ),
      check('correction', 'checkOfCorrection'),
      {
        ...issue('correction', 'checkOfCorrection', 'corrected'),
        gets: { state: 'issued', kind: 'R4', total: -12.1 },
      },
    ],
    changes: { drafts: 2, issued: 2 },
    holds: [{ person: 'invoices.get', input: { id: '$issued.id' }, gets: { rectified: 'partly' } }],
  },
  {
    name: 'the review of a quarter',
    wish: 'How did the third quarter go?',
    steps: [
      {
        method: 'prompts/get',
        params: { name: 'svc_quarter_review', arguments: { year: '2026', quarter: '3' } },
      },
      {
        tool: 'svc_get_fiscal_summary',
        args: { year: 2026, quarter: 3 },
        gets: { estimate: true, mode: 'test' },
      },
      { tool: 'svc_get_registry_status' },
      { tool: 'svc_list_invoices', args: { state: 'draft' } },
    ],
    changes: {},
  },
  {
    name: 'the close of a month',
    wish: 'Close July with me.',
    steps: [
      { method: 'prompts/get', params: { name: 'svc_month_close', arguments: { year: '2026', month: '7' } } },
      { tool: 'svc_get_fiscal_summary', args: { year: 2026, month: 7 }, gets: { mode: 'test' } },
      { tool: 'svc_list_invoices', args: { from: '2026-07-01', to: '2026-07-31', limit: 5 } },
    ],
    changes: {},
  },
  {
    name: 'who has not paid',
    wish: 'Who owes me money, and is anything late?',
    steps: [
      { tool: 'svc_list_invoices', args: { state: 'issued', paymentStatus: 'unpaid' } },
      { tool: 'svc_list_invoices', args: { paymentStatus: 'overdue' } },
    ],
    changes: {},
  },
  {
    name: 'a wish for every month is a wish of the owner',
    wish: 'Invoice this every month.',
    steps: [
      makes(draft('Cuota Mensual', { notes: 'Cada mes' })),
      // There is no tool for recurring invoices, and an invented name is rejected.
      { tool: 'svc_create_recurring_invoice', args: {}, refused: '-32602' },
      {
        tool: 'svc_propose_action',
        args: { action: 'issue_invoice', targetId: '$draft.id', reason: 'Se repite cada mes' },
        gets: { status: 'pending_user' },
      },
    ],
    changes: { drafts: 1, proposals: 1 },
  },
  {
    name: 'a proposal is not an issue',
    wish: 'Propose issuing it; I will decide.',
    steps: [
      makes(draft('Propuesta Uno')),
      {
        tool: 'svc_propose_action',
        args: { action: 'issue_invoice', targetId: '$draft.id', reason: 'La espera el cliente' },
        gets: { status: 'pending_user', reversible: false },
      },
    ],
    changes: { drafts: 1, proposals: 1 },
    holds: [{ person: 'invoices.get', input: { id: '$draft.id' }, gets: { state: 'draft' } }],
  },
  {
    name: 'a document is read',
    wish: 'Show me the PDF of what I just issued.',
    steps: [
      makes(draft('Documento Uno')),
      { method: 'resources/read', params: { uri: 'svc://company' } },
      check(),
      issue(),
      { tool: 'svc_get_invoice', args: { id: '$issued.number' }, gets: { id: '$draft.id', state: 'issued' } },
    ],
    changes: { drafts: 1, issued: 1 },
  },
  {
    name: 'a key that may only read learns what is wrong and gets no token',
    wish: 'Check this draft for me.',
    scopes: ['company.read', 'invoices.read'],
    steps: [
      { person: 'invoices.create', input: draft('Solo Lectura'), as: 'draft' },
      { ...check(), without: ['svct_'] },
      {
        tool: 'svc_issue_registry_invoice',
        args: { id: '$draft.id', confirmationToken: 'svct_x' },
        refused: 'scope_missing',
      },
    ],
    changes: {},
  },
]
