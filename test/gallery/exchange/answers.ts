/** Answers of the exchange as a busy book has them, typed by their contracts. */
import type { OutputOf } from '../../../server/api/contracts.ts'

type Summary = OutputOf<'exchange.window'>['items'][number]
type Document = OutputOf<'exchange.get'>
type Report = Document['reports'][number]
type Due = OutputOf<'exchange.due'>

export const TODAY = '2026-11-30'
const AT = '2026-11-27T09:12:00.000Z'
const OWN = 'B12345674'

/** Returns a followed invoice; by default a received one that nobody answered. */
export const summary = (changes: Partial<Summary> = {}): Summary => ({
  id: 'exd_1',
  direction: 'received',
  state: 'open',
  why: null,
  issuerNif: 'A58818501',
  number: 'F26-0812',
  issueDate: '2026-11-24',
  partnerNif: 'A58818501',
  partnerName: 'Suministros Industriales del Ebro, S.A.',
  total: 1210,
  isCopy: false,
  invoiceId: null,
  receivedId: null,
  incomingId: null,
  partnerSaid: null,
  partnerDay: null,
  said: null,
  saidDay: null,
  lastDay: null,
  isLate: false,
  createdAt: AT,
  changedAt: AT,
  ...changes,
})

/** Returns a report; by default a payment that waits. */
export const report = (changes: Partial<Report> = {}): Report => ({
  id: 'exr_1',
  kind: 'paid',
  day: '2026-11-27',
  dueDate: null,
  reason: null,
  note: null,
  byMachine: true,
  askedBy: 'Sello',
  state: 'to_send',
  lastDay: '2026-12-03',
  lastDayOfTen: '2026-12-03',
  isLate: false,
  code: null,
  detail: null,
  csv: null,
  createdAt: AT,
  sentAt: null,
  settledAt: null,
  ...changes,
})

const LONG = 'Rehabilitaciones Integrales y Mantenimientos Urbanísticos Hermanos Ñandú, S.L.U.'
const issued = (changes: Partial<Summary>): Summary =>
  summary({ direction: 'issued', issuerNif: OWN, state: 'admitted', ...changes })

export const DUE: Due = {
  today: TODAY,
  reports: [
    {
      document: summary({
        id: 'exd_2',
        number: 'A/2211',
        state: 'rejected',
        total: 84.7,
        lastDay: '2026-11-26',
      }),
      report: report({
        id: 'exr_2',
        kind: 'rejected',
        day: '2026-11-20',
        byMachine: false,
        askedBy: 'Lucía Ferrer',
        reason: 'commercial',
        state: 'unknown',
        lastDay: '2026-11-26',
        lastDayOfTen: '2026-11-26',
        isLate: true,
      }),
    },
    {
      document: summary({
        id: 'exd_3',
        number: '2026-00981',
        state: 'paid',
        total: 12_450.33,
        partnerName: LONG,
        lastDay: '2026-12-01',
      }),
      report: report({ id: 'exr_3', day: '2026-11-25', lastDay: '2026-12-01', lastDayOfTen: '2026-12-01' }),
    },
    {
      document: summary({ id: 'exd_4', number: 'FV-77', state: 'paid', total: 302.5, lastDay: '2026-12-10' }),
      report: report({ id: 'exr_4', day: '2026-12-02', lastDay: '2026-12-09', lastDayOfTen: '2026-12-09' }),
    },
  ],
  open: [
    summary(),
    summary({ id: 'exd_5', number: 'R-2026/14', partnerName: LONG, total: 987.6, isCopy: true }),
    summary({ id: 'exd_6', number: '00071', partnerName: null, total: null }),
  ],
  troubles: [
    issued({
      id: 'exd_7',
      number: 'F2026-0039',
      state: 'refused',
      why: 'customer_address_incomplete',
      total: 605,
    }),
    issued({
      id: 'exd_8',
      number: 'F2026-0041',
      partnerSaid: 'rejected',
      partnerDay: '2026-11-26',
      total: 1815,
    }),
  ],
  counts: { reports: 3, open: 3, troubles: 2 },
  late: 1,
  dueSoon: 1,
  fault: null,
  nextSendAt: null,
  polledAt: '2026-11-30T08:40:00.000Z',
}
export const NOTHING_DUE: Due = {
  ...DUE,
  reports: [],
  open: [],
  troubles: [],
  counts: { reports: 0, open: 0, troubles: 0 },
  late: 0,
  dueSoon: 0,
}

export const SETTINGS: OutputOf<'exchange.settings'> = {
  sending: true,
  sendingSince: '2026-11-02T09:00:00.000Z',
  sendingBy: 'Lucía Ferrer',
  followedFrom: '2026-11-02',
  turnover: null,
  turnoverYear: null,
  turnoverOfBooks: 412_870.15,
  personKind: null,
  personKindOfNumber: 'company',
  reportCollections: false,
  representation: null,
  certificateHolder: null,
  mayBeOn: true,
  version: 2,
}

const ROWS: readonly Summary[] = [
  ...DUE.open,
  ...DUE.troubles,
  ...DUE.reports.map(({ document }) => document),
  issued({ id: 'exd_9', number: 'F2026-0044', total: 2420, partnerSaid: 'paid', partnerDay: '2026-11-28' }),
  issued({ id: 'exd_10', number: 'F2026-0045', state: 'sent_unknown', total: 96.8, partnerName: LONG }),
  issued({ id: 'exd_11', number: 'F2026-0046', state: 'not_due', why: 'consumer', total: 48.4 }),
  issued({ id: 'exd_12', number: 'F2026-0038', state: 'withdrawn', total: 4_000_000.99 }),
]
export const windowFrom = (input: Record<string, unknown>): OutputOf<'exchange.window'> => ({
  items: ROWS.slice(Number(input.offset ?? 0), Number(input.offset ?? 0) + Number(input.limit ?? 50)),
  offset: Number(input.offset ?? 0),
  count: ROWS.length,
  counts: {
    'received.open': 3,
    'received.rejected': 1,
    'received.paid': 2,
    'issued.refused': 1,
    'issued.admitted': 2,
    'issued.sent_unknown': 1,
    'issued.not_due': 1,
    'issued.withdrawn': 1,
  },
})

const fact = (changes: Partial<Document['facts'][number]>): Document['facts'][number] => ({
  at: AT,
  fact: 'sent',
  day: null,
  reportId: null,
  messageId: null,
  code: null,
  note: null,
  actor: 'Sello',
  ...changes,
})
/** An issued invoice that went through everything: sent, its answer lost, taken, rejected and paid by the customer. */
export const DETAIL: Document = {
  ...issued({
    id: 'exd_9',
    number: 'F2026-0044',
    total: 2420,
    partnerSaid: 'paid',
    partnerDay: '2026-11-28',
  }),
  invoiceId: 'inv_1',
  csv: 'SPFE2026X7K9QW3M',
  locator: '3f0c1e52-7d0a-4b1e-9b61-0f4f0f6e2b77',
  hasFile: true,
  reports: [
    report({
      id: 'exr_8',
      kind: 'defaulted',
      byMachine: false,
      askedBy: 'Lucía Ferrer',
      state: 'refused',
      lastDay: null,
      lastDayOfTen: null,
      code: 'SPFE-2101',
      detail: 'El estado contradice uno anterior.',
      sentAt: AT,
      settledAt: AT,
    }),
    report({
      id: 'exr_9',
      kind: 'settled',
      state: 'admitted',
      csv: 'SPFE2026ZZ81',
      lastDay: null,
      lastDayOfTen: null,
      sentAt: AT,
      settledAt: AT,
    }),
  ],
  facts: [
    fact({ fact: 'followed', actor: 'Lucía Ferrer' }),
    fact({ fact: 'sent', messageId: 'exm_1' }),
    fact({ fact: 'answer_lost', code: 'not_given' }),
    fact({ fact: 'admitted', messageId: 'exm_1' }),
    fact({ fact: 'partner_rejected', day: '2026-11-26', code: 'commercial', note: 'Falta el albarán' }),
    fact({ fact: 'partner_rejection_cancelled', day: '2026-11-27' }),
    fact({ fact: 'partner_paid', day: '2026-11-28' }),
    fact({ fact: 'report_asked', reportId: 'exr_8', code: 'defaulted', actor: 'Lucía Ferrer' }),
    fact({ fact: 'report_sent', reportId: 'exr_8', messageId: 'exm_2' }),
    fact({ fact: 'report_refused', reportId: 'exr_8', messageId: 'exm_2', code: 'SPFE-2101' }),
    fact({ fact: 'report_admitted', reportId: 'exr_9', messageId: 'exm_3' }),
  ],
  mayReport: [],
  mayWithdraw: true,
  maySend: false,
}
/** A received invoice of which nothing was said. */
export const OPEN: Document = {
  ...summary(),
  incomingId: 'inc_1',
  csv: null,
  locator: '9a11c0de-0000-4b1e-9b61-0f4f0f6e2b77',
  hasFile: true,
  reports: [],
  facts: [fact({ fact: 'arrived' }), fact({ fact: 'downloaded' })],
  mayReport: ['rejected', 'paid'],
  mayWithdraw: false,
  maySend: false,
}

export const preview = (
  changes: Partial<OutputOf<'exchange.prepare'>> = {},
): OutputOf<'exchange.prepare'> => ({
  document: summary(),
  kind: 'paid',
  day: TODAY,
  dueDate: '2026-12-24',
  reason: null,
  note: null,
  lastDay: '2026-12-04',
  warnings: ['not_seen_at_platform', 'not_entered'],
  confirmationToken: 'token',
  expiresAt: '2026-11-30T12:00:00.000Z',
  ...changes,
})

export const IMPORTED: OutputOf<'exchange.importFile'> = {
  kind: 'statuses',
  documents: [issued({ id: 'exd_9', number: 'F2026-0044' })],
  incomingId: null,
  unknown: [{ issuerNif: OWN, number: 'F2025-0999', issueDate: '2025-12-30' }],
}
