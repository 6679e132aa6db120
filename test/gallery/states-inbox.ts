/** The inbox: each kind of proposal, one that changed meanwhile, one whose ground is gone, decided ones, and very many. */
import type { InboxItem } from '../../server/app/approvals/contract.ts'
import { statesOf } from './answering.ts'
import type { Answers } from './answering.ts'
import type { GalleryState } from './states.ts'

const CREATED = '2026-11-20T09:14:05.000Z'
const idOf = (index: number) => `prop_${String(index).padStart(16, '0')}`
const point = (code: string, params?: Record<string, string | number>) => ({
  code,
  message: 'In English.',
  ...(params ? { params } : {}),
})

const ISSUE: InboxItem = {
  proposalId: idOf(1),
  status: 'pending_user',
  action: 'issue_invoice',
  targetId: 'inv_1',
  title: 'Issue the draft',
  effects: [
    point('issue_number', { number: 'T-F2026-0043', date: '2026-11-20' }),
    point('issue_sent_simulated'),
    point('issue_owed', { client: 'Conservas del Cantábrico, S.A.', amount: 786.9 }),
    point('issue_vat', { amount: 89.1, month: '2026-11' }),
  ],
  blockers: [],
  warnings: [point('client_address_missing')],
  reversible: false,
  alternatives: [],
  expiresAt: '2026-11-27T09:14:05.000Z',
  openInApp: `sello://inbox/${idOf(1)}`,
  reason: 'El pedido se entregó ayer y el cliente espera la factura.',
  createdAt: CREATED,
  decidedAt: null,
  decisionNote: null,
  key: { id: 'key_1', name: 'Claude', prefix: 'sk_test_4hq2' },
  invoice: { id: 'inv_1', number: null, clientName: 'Conservas del Cantábrico, S.A.', total: 786.9 },
  contact: null,
  taxReturn: null,
  changes: [],
  drift: [],
  seen: 'a',
  outcome: null,
}
const FIX: InboxItem = {
  ...ISSUE,
  proposalId: idOf(2),
  action: 'fix_client_data',
  effects: [point('contact_changed', { count: 5 }), point('contact_issued_stay')],
  warnings: [point('nif_doubtful', { nif: 'B50000141' })],
  reversible: true,
  // Text from outside: markup, an address, a word without a place to break, and what hides.
  reason: `<b>Acepta ya</b> https://example.invalid/${'obra'.repeat(40)}\nA\u202Eb\u200Bc\n${'Lo pide el cliente. '.repeat(10)}`,
  key: {
    id: 'key_2',
    name: 'Asistente de la oficina de la calle Mayor y de todas las demás',
    prefix: 'sk_test_9wz1',
  },
  invoice: null,
  contact: {
    id: 'con_1',
    name: '<b>Ñandú</b> & Hijos Rehabilitaciones Integrales y Mantenimientos Urbanísticos, S.L.U.',
  },
  changes: [
    { field: 'nif', from: 'B50000140', to: 'B50000141' },
    { field: 'email', from: null, to: 'facturas-de-proveedores-y-acreedores@nandu-rehabilitaciones.example' },
    { field: 'phone', from: '976 000 000', to: null },
    {
      field: 'address.street',
      from: 'Calle Mayor, 14',
      to: 'Urbanización Nuestra Señora de las Maravillas, 1234',
    },
    { field: 'language', from: 'es', to: 'ca' },
  ],
}
const CORRECT: InboxItem = {
  ...ISSUE,
  proposalId: idOf(3),
  action: 'correct_invoice',
  effects: [
    point('correct_draft_made', { kind: 'R1', amount: 484 }),
    point('correct_left', { amount: 484 }),
    point('correct_stays'),
  ],
  warnings: [],
  reversible: true,
  invoice: { ...ISSUE.invoice!, number: 'T-F2026-0039' },
  changes: [
    ...Array.from({ length: 6 }, (_, index) => [
      { field: `lines[${index}].quantity`, from: 10, to: 8 },
      { field: `lines[${index}].net`, from: 500, to: 400 },
    ]).flat(),
    { field: 'total', from: 605, to: 484 },
  ],
}
const CANCEL: InboxItem = {
  ...ISSUE,
  proposalId: idOf(4),
  action: 'cancel_registration',
  effects: [point('cancel_record', { number: 'T-F2026-0039' }), point('cancel_owed', { amount: 605 })],
  warnings: [
    point('cancel_number_lost', { number: 'T-F2026-0039' }),
    point('cancel_vat_removed', { amount: 105, month: '2026-10' }),
  ],
  alternatives: [{ action: 'correct_invoice', targetId: 'inv_1', why: 'Errors are corrected.' }],
  invoice: { ...ISSUE.invoice!, number: 'T-F2026-0039' },
}
const RETURN: InboxItem = {
  ...ISSUE,
  proposalId: idOf(5),
  action: 'prepare_return',
  effects: [
    point('return_result', { amount: 1234.56 }),
    point('return_due', { date: '2026-10-20' }),
    point('return_prepared'),
  ],
  warnings: [point('tax_drafts_left', { count: 3 }), point('tax_no_purchases')],
  reversible: true,
  invoice: null,
  taxReturn: { form: '303', year: 2026, quarter: 3 },
}
const DRIFTED: InboxItem = {
  ...ISSUE,
  drift: [
    { field: 'total', from: 605, to: 786.9 },
    { field: 'version', from: 3, to: 5 },
  ],
}
const DECIDED = { decidedAt: '2026-11-21T08:00:00.000Z' }
const GONE: InboxItem = {
  ...CORRECT,
  ...DECIDED,
  status: 'not_applicable',
  effects: [],
  changes: [],
  blockers: [point('nothing_left_to_rectify')],
}
const REJECTED: InboxItem = {
  ...FIX,
  ...DECIDED,
  status: 'rejected',
  decisionNote: 'Lo miro yo con el cliente.',
}
const ACCEPTED: InboxItem = {
  ...ISSUE,
  ...DECIDED,
  status: 'accepted',
  outcome: { step: 'issue', invoiceId: 'inv_1' },
}
const EXPIRED: InboxItem = { ...RETURN, status: 'expired', expiresAt: '2026-11-20T00:00:00.000Z' }

function answersFor(waiting: readonly InboxItem[], decided: readonly InboxItem[] = []): Answers {
  const all = [...waiting, ...decided]
  return {
    'inbox.list': { waiting, decided, count: waiting.length },
    'inbox.open': ({ id }) => all.find(({ proposalId }) => proposalId === id) ?? ISSUE,
  }
}
const many = Array.from({ length: 200 }, (_, index) => ({
  ...[ISSUE, FIX, CORRECT, CANCEL, RETURN][index % 5]!,
  proposalId: idOf(index),
  createdAt: new Date(Date.parse(CREATED) + index * 60_000).toISOString(),
}))

const state = statesOf('inbox', '/declaration')
const shown = (name: string, item: InboxItem) =>
  state(
    name,
    item.status === 'pending_user' ? answersFor([item]) : answersFor([], [item]),
    `/inbox/${item.proposalId}`,
  )

export const inboxStates: readonly GalleryState[] = [
  shown('issue', ISSUE),
  shown('fix', FIX),
  shown('correct', CORRECT),
  shown('cancel', CANCEL),
  shown('return', RETURN),
  shown('changed', DRIFTED),
  shown('gone', GONE),
  shown('rejected', REJECTED),
  shown('accepted', ACCEPTED),
  shown('expired', EXPIRED),
  state('all-lines', answersFor([CORRECT]), `/inbox/${CORRECT.proposalId}`, async ({ page }) => {
    await page.locator('article ul + button').click()
  }),
  state('rejecting', answersFor([FIX]), `/inbox/${FIX.proposalId}`, async ({ page, say }) => {
    await page.keyboard.press('r')
    await page.getByText(say('inbox.note')).waitFor()
  }),
  state('many', answersFor(many, [GONE, REJECTED, ACCEPTED]), '/inbox'),
]
