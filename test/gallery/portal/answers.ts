/** Answers of the portal of public bodies and of the journey of an invoice, typed by their contracts. */
import type { OutputOf } from '../../../server/api/contracts.ts'

type Submission = OutputOf<'portal.get'>
type Offer = OutputOf<'portal.ofInvoice'>
type State = Submission['states'][number]
type Journey = OutputOf<'invoices.journey'>
type Step = Journey['steps'][number]
type Reply = OutputOf<'replies.list'>['items'][number]

const AT = '2026-11-27T09:12:00.000Z'
const UNITS = {
  accountingOffice: 'L01280796',
  managingBody: 'L01280796',
  processingUnit: 'LA0000731',
}

const processing = (
  code: string,
  description: string,
  seenAt: string,
  reason: string | null = null,
): State => ({
  kind: 'processing',
  code,
  description,
  reason,
  seenAt,
})

/** Returns a submission; by default one that is registered and waits for the public body. */
export const submission = (changes: Partial<Submission> = {}): Submission => ({
  id: 'psu_1',
  invoiceId: 'inv_1',
  invoiceNumber: 'F2026-0044',
  environment: 'production',
  units: UNITS,
  state: 'registered',
  isOpen: true,
  registryNumber: '202600048213377',
  receivedAt: '27/11/2026 10:12:08',
  trackingCode: null,
  why: null,
  detail: null,
  processing: '1200',
  cancellation: null,
  states: [processing('1200', 'Registrada', AT)],
  cancellations: [],
  fileName: 'F2026-0044.xsig',
  sha256: '0'.repeat(64),
  email: 'facturas@talleres.example',
  requestedBy: 'Lucía Ferrer',
  createdAt: AT,
  sentAt: AT,
  settledAt: AT,
  nextAttemptAt: null,
  nextQueryAt: null,
  can: { cancel: true, refresh: true, settle: false },
  ...changes,
})

/** Returns what an invoice's page asks; by default one that can be submitted. */
export const offer = (changes: Partial<Offer> = {}): Offer => ({
  units: UNITS,
  unitsFrom: 'contact',
  environment: 'production',
  whyNot: [],
  formatFault: null,
  submissions: [],
  ...changes,
})

/** Refused, then submitted again, accepted, and asked to be cancelled. */
export const HISTORY: readonly Submission[] = [
  submission({
    id: 'psu_2',
    processing: '2400',
    cancellation: '4200',
    states: [
      processing('1200', 'Registrada', AT),
      processing('1300', 'Registrada en RCF', '2026-11-28T08:00:00.000Z'),
      processing('2400', 'Contabilizada la obligación reconocida', '2026-11-29T08:00:00.000Z'),
      { ...processing('4200', 'Solicitada anulación', '2026-11-30T08:00:00.000Z'), kind: 'cancellation' },
      processing('9100', 'Estado que este programa no conoce', '2026-11-30T09:00:00.000Z'),
    ],
    cancellations: [
      {
        id: 'psc_1',
        reason: 'Importe equivocado',
        state: 'asked',
        why: null,
        detail: null,
        requestedBy: 'Lucía Ferrer',
        createdAt: '2026-11-30T07:59:00.000Z',
        settledAt: '2026-11-30T08:00:00.000Z',
      },
    ],
    can: { cancel: false, refresh: true, settle: false },
  }),
  submission({
    state: 'refused',
    isOpen: false,
    registryNumber: null,
    processing: null,
    states: [],
    why: '510',
    detail:
      'La relación de OC, OG y UT no existe: L01280796, L01280796, LA0000731. Compruebe los códigos en el directorio de unidades.',
    createdAt: '2026-11-26T16:40:00.000Z',
    sentAt: '2026-11-26T16:41:00.000Z',
    can: { cancel: false, refresh: false, settle: false },
  }),
]

export const REJECTED = submission({
  processing: '2600',
  isOpen: false,
  states: [
    processing('1200', 'Registrada', AT),
    processing(
      '2600',
      'Rechazada',
      '2026-11-30T08:00:00.000Z',
      'El número de expediente de contratación no coincide con el del contrato menor 2026/1183.',
    ),
  ],
  can: { cancel: false, refresh: false, settle: false },
})

export const LOST = submission({
  state: 'unknown',
  registryNumber: null,
  processing: null,
  states: [],
  settledAt: null,
  why: 'answer_lost',
  can: { cancel: false, refresh: false, settle: true },
})

export const WAITING = submission({
  state: 'waiting',
  registryNumber: null,
  processing: null,
  states: [],
  sentAt: null,
  settledAt: null,
  why: 'unreachable',
  detail: 'ECONNREFUSED',
  nextAttemptAt: '2026-11-30T10:02:00.000Z',
})

const SETTINGS: OutputOf<'portal.settings'> = {
  email: null,
  usualEmail: 'facturas@talleres.example',
  environment: 'production',
  live: true,
  liveSince: '2026-11-02T09:00:00.000Z',
  liveBy: 'Lucía Ferrer',
  certificate: { nif: 'B12345674', name: 'TALLERES NORTE SL' },
  units: 34_127,
  directory: {
    id: 'pdi_1',
    name: 'Listado Unidades AGE y Entidades Locales, noviembre de 2026.xlsx',
    rows: 34_130,
    added: 34_127,
    changed: 0,
    unchanged: 0,
    faulty: 3,
    importedAt: AT,
    importedBy: 'Lucía Ferrer',
  },
}
export const LIVE_SETTINGS = SETTINGS
export const NEW_SETTINGS: OutputOf<'portal.settings'> = {
  ...SETTINGS,
  environment: 'production',
  live: false,
  liveSince: null,
  liveBy: null,
  usualEmail: null,
  certificate: null,
  units: 0,
  directory: null,
}

const fault = (row: number, column: string) => ({
  code: 'unit_code_invalid',
  severity: 'error' as const,
  field: `rows[${row}]`,
  message: 'The code of a unit has nine letters and digits.',
  params: { row, column },
})
export const IMPORTED: OutputOf<'portal.importDirectory'> = {
  ...(SETTINGS.directory as NonNullable<typeof SETTINGS.directory>),
  relations: 61_004,
  faults: [fault(12, 'Código DIR3'), fault(1_873, 'Código DIR3'), fault(20_044, 'Código DIR3')],
}

const unit = (code: string, name: string, roles: OutputOf<'portal.units'>['items'][number]['roles']) => ({
  code,
  name,
  administration: 'Ayuntamiento de Madrid',
  nif: 'P2807900B',
  town: 'Madrid',
  province: 'Madrid',
  roles,
  isCurrent: true,
})
export const UNITS_FOUND: OutputOf<'portal.units'> = {
  items: [
    unit('L01280796', 'Intervención General del Ayuntamiento de Madrid', ['accountingOffice']),
    unit(
      'LA0000731',
      'Dirección General de Conservación de Vías Públicas, Subdirección de Señalización y Mobiliario Urbano',
      ['managingBody', 'processingUnit'],
    ),
    { ...unit('LA0001112', 'Junta Municipal de Distrito (extinguida)', []), isCurrent: false },
  ],
  relations: [],
}

const step = (name: Step['step'], changes: Partial<Step> = {}): Step => ({
  step: name,
  state: 'waiting',
  at: null,
  day: null,
  channel: null,
  evidence: null,
  note: null,
  due: null,
  facts: [],
  ...changes,
})
type Fact = Step['facts'][number]
const fact = (changes: Partial<Fact>): Fact => ({
  state: 'done',
  at: AT,
  day: null,
  channel: 'mail',
  evidence: null,
  note: null,
  ...changes,
})

/** Everything went well, by several channels. */
export const JOURNEY_PAID: Journey = {
  invoiceId: 'inv_1',
  number: 'F2026-0044',
  steps: [
    step('registered', { state: 'done', at: AT, channel: 'registry', note: 'accepted_with_errors' }),
    step('delivered', {
      state: 'done',
      at: AT,
      channel: 'exchange',
      facts: [
        fact({ channel: 'exchange', evidence: { type: 'exchange', id: 'exd_1', label: 'SPFE2026X7K9QW3M' } }),
        fact({
          evidence: { type: 'mail', id: 'mai_1', label: 'facturacion.proveedores@rehabilitaciones.example' },
          note: 'mail_server_took_it',
        }),
        fact({ state: 'failed', at: '2026-11-26T18:00:00.000Z', note: 'mail_failed' }),
      ],
    }),
    step('seen', { state: 'done', at: AT, channel: 'reply', note: 'said_by_customer' }),
    step('accepted', { state: 'done', at: AT, channel: 'portal' }),
    step('paid', { state: 'done', day: '2026-11-30', channel: 'payment', due: '2026-12-27' }),
  ],
}

/** Nothing went well. */
export const JOURNEY_REJECTED: Journey = {
  invoiceId: 'inv_1',
  number: 'F2026-0044',
  steps: [
    step('registered', { state: 'failed', at: AT, channel: 'registry', note: 'rejected_by_agency' }),
    step('delivered', { state: 'unknown', at: AT, channel: 'mail', note: 'mail_outcome_unknown' }),
    step('seen', { state: 'unknown' }),
    step('accepted', { state: 'failed', day: '2026-11-28', channel: 'exchange' }),
    step('paid', {
      state: 'waiting',
      channel: 'reply',
      at: AT,
      note: 'promised_2026-12-15',
      due: '2026-12-27',
    }),
  ],
}

const reply = (changes: Partial<Reply> = {}): Reply => ({
  id: 'rpl_1',
  invoiceId: 'inv_1',
  invoiceNumber: 'F2026-0044',
  kind: 'accepted',
  reason: null,
  payOn: null,
  words: null,
  saidBy: null,
  saidAt: AT,
  takenAt: AT,
  takenBy: 'Lucía Ferrer',
  channel: 'mailbox',
  sender: 'facturacion.proveedores@rehabilitaciones-integrales.example',
  standing: 'current',
  ...changes,
})
export const REPLIES: OutputOf<'replies.list'> = {
  items: [
    reply({
      kind: 'will_pay',
      payOn: '2026-12-15',
      saidBy: 'Begoña Íñiguez, Administración',
      words: 'Pagamos los días 15.\nUn saludo.',
    }),
    reply({
      id: 'rpl_2',
      kind: 'rejected',
      reason: 'not_received',
      words: 'Faltan dos cajas del albarán 1183.',
      channel: 'paste',
      sender: null,
      standing: 'superseded',
    }),
    reply({ id: 'rpl_3', kind: 'received', channel: 'file', sender: null, standing: 'earlier_page' }),
  ],
  offered: [{ id: 'rpg_1', language: 'es', offeredAt: AT, offeredBy: 'Lucía Ferrer', supersededAt: null }],
  nextCursor: null,
}
export const NO_REPLIES: OutputOf<'replies.list'> = { items: [], offered: [], nextCursor: null }
