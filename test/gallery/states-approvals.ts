/** What programs ask permission for: a usual card, a doubtful one, one that changed, an annulment, and what became of others. */
import type { ApprovalCard, ApprovalItem } from '../../server/sales/invoices/issue/approvals-contract.ts'
import type { InvoiceLine } from '../../server/sales/invoices/contract.ts'
import { refused, statesOf } from './answering.ts'
import type { Answers } from './answering.ts'
import type { GalleryState } from './states.ts'

const idOf = (index: number) => `apr_${String(index).padStart(16, '0')}`
const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

const ITEM: ApprovalItem = {
  approvalId: idOf(1),
  action: 'issue',
  status: 'pending',
  channel: 'mcp',
  createdAt: at(-1),
  expiresAt: at(9),
  decidedAt: null,
  note: null,
  contentHash: 'a'.repeat(64),
  key: { id: 'key_1', name: 'Claude', prefix: 'svc_live_4hq2', assistant: true, isNew: false },
  invoice: {
    id: 'inv_1',
    number: 'F2026-0043',
    clientName: 'Conservas del Cantábrico, S.A.',
    clientNif: 'A39000013',
    total: 786.9,
  },
}

const line = (changes: Partial<InvoiceLine> = {}): InvoiceLine => ({
  description: 'Mantenimiento de la web, noviembre',
  quantity: 1,
  unitPrice: 450,
  discountPct: 0,
  vatRate: 21,
  taxTreatment: 'S1',
  regimeKey: '01',
  surcharge: null,
  withholdable: true,
  isDisbursement: false,
  net: 450,
  ...changes,
})

const CARD: ApprovalCard = {
  ...ITEM,
  preview: {
    number: 'F2026-0043',
    kind: 'F1',
    issueDate: '2026-11-20',
    untrusted: true,
    issuer: { name: 'Taller Norte S.L.', nif: 'B12345674', country: 'ES' },
    client: { name: ITEM.invoice.clientName, nif: ITEM.invoice.clientNif, country: 'ES' },
    taxBreakdown: [{ taxTreatment: 'S1', regimeKey: '01', vatRate: 21, base: 650.33, tax: 136.57 }],
    total: 786.9,
    amountDue: 786.9,
    environment: 'production',
  },
  lines: [
    line(),
    line({
      description: 'Fotografías del catálogo',
      quantity: 3,
      unitPrice: 70.5,
      discountPct: 5,
      net: 200.33,
    }),
  ],
  issues: [],
  changed: false,
  checks: {
    knownClient: true,
    validNif: true,
    caps: { within: true, perDay: 20, issuedToday: 3, eurPerDay: 5000, issuedEurToday: 1210 },
  },
}

const warning = (code: string, params: Record<string, string | number> = {}) => ({
  code,
  field: '',
  severity: 'warning' as const,
  message: 'In English.',
  params,
})

/** Everything that speaks against it, and text that would like to be more than text. */
const DOUBTFUL: ApprovalCard = {
  ...CARD,
  approvalId: idOf(2),
  channel: 'rest',
  expiresAt: at(1.4),
  key: {
    ...ITEM.key,
    id: 'key_2',
    name: '<b>Programa de la oficina de la calle Mayor y de todas las demás</b>',
    isNew: true,
  },
  preview: {
    ...CARD.preview,
    client: { name: 'A\u202Eb\u200Bc <i>Ñandú</i> & Hijos, S.L.U.', nif: 'B50000140', country: 'ES' },
  },
  lines: Array.from({ length: 40 }, (_, index) =>
    line({
      description: `${index + 1}. Aprueba sin mirar https://example.invalid/${'obra'.repeat(12)}`,
      quantity: 1.5,
      unitPrice: 1234.5678,
    }),
  ),
  issues: [
    warning('looks_like_another', { number: 'F2026-0042', issueDate: '2026-11-18' }),
    warning('scheme_commitment', { year: 2026 }),
  ],
  checks: {
    knownClient: false,
    validNif: false,
    caps: { within: false, perDay: 20, issuedToday: 20, eurPerDay: null, issuedEurToday: 0 },
  },
}
const CHANGED: ApprovalCard = { ...CARD, changed: true }
const CANCEL: ApprovalCard = {
  ...CARD,
  approvalId: idOf(3),
  action: 'cancel',
  preview: {
    ...CARD.preview,
    record: { kind: 'cancellation', turn: 'first', reactivates: false, changes: [] },
  },
  checks: { ...CARD.checks, caps: null },
}

const itemOf = ({
  preview: _preview,
  lines: _lines,
  issues: _issues,
  changed: _changed,
  checks: _checks,
  ...item
}: ApprovalCard) => item as ApprovalItem
const DECIDED: ApprovalItem[] = [
  { ...ITEM, approvalId: idOf(11), status: 'approved', decidedAt: at(-3) },
  {
    ...ITEM,
    approvalId: idOf(12),
    status: 'denied',
    decidedAt: at(-70),
    note: 'Falta el pedido <b>firmado</b>',
  },
  { ...ITEM, approvalId: idOf(13), status: 'expired', createdAt: at(-1500), expiresAt: at(-1490) },
  { ...ITEM, approvalId: idOf(14), action: 'amend', status: 'withdrawn', decidedAt: at(-3000) },
]

const NO_PROPOSALS = { waiting: [], count: 0, decided: [] }
const answers = (waiting: ApprovalCard[], decided = DECIDED): Answers => ({
  'inbox.list': NO_PROPOSALS,
  'approvals.list': { waiting: waiting.map(itemOf), decided },
  'approvals.get': ({ id }) => waiting.find(({ approvalId }) => approvalId === id) ?? CARD,
})

const state = statesOf('inbox', '/declaration')

export const approvalStates: readonly GalleryState[] = [
  state('approval', answers([CARD, DOUBTFUL, CANCEL]), '/inbox'),
  state('approval-card', answers([CARD]), `/inbox/${idOf(1)}`),
  state('approval-doubtful', answers([DOUBTFUL]), `/inbox/${idOf(2)}`),
  state('approval-foot', answers([DOUBTFUL]), `/inbox/${idOf(2)}`, ({ page }) =>
    page.getByRole('article').locator('footer').scrollIntoViewIfNeeded(),
  ),
  state('approval-changed', answers([CHANGED]), `/inbox/${idOf(1)}`),
  state('approval-cancel', answers([CANCEL]), `/inbox/${idOf(3)}`),
  state('approval-reason', answers([CARD]), `/inbox/${idOf(1)}`, ({ page }) => page.keyboard.press('r')),
  state('approval-denied', answers([], DECIDED), `/inbox/${idOf(12)}`),
  state('approval-expired', answers([], DECIDED), `/inbox/${idOf(13)}`),
  state(
    'approval-trouble',
    { ...answers([CARD]), 'approvals.get': refused(503, 'store_readonly', {}) },
    `/inbox/${idOf(1)}`,
    undefined,
    { expected: /503/ },
  ),
]
