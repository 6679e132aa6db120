/** What an accounting system answered, for pictures: invented, and the same every time. */
const AT = '2026-11-21T09:12:00.000Z'

const part = (resource: string, changes: object = {}) => ({
  resource,
  state: 'completed',
  pages: 1,
  fetched: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  duplicates: 0,
  rejected: 0,
  missing: 0,
  window: null,
  error: null,
  ...changes,
})
const WINDOW = { from: '2025-01-01', to: '2027-02-20' }

export const RUN = {
  runId: 'run_0000000000000001',
  state: 'completed',
  mode: 'full',
  startedAt: AT,
  finishedAt: AT,
  calls: 21,
  estimate: 20,
  resumable: false,
  resources: [
    part('contacts', { pages: 3, fetched: 214, created: 3, updated: 6, unchanged: 205 }),
    part('issued', { pages: 9, fetched: 812, created: 31, unchanged: 781, missing: 1, window: WINDOW }),
    part('received', {
      pages: 4,
      fetched: 339,
      created: 12,
      updated: 2,
      unchanged: 323,
      rejected: 2,
      window: WINDOW,
    }),
    part('catalogue', { pages: 2, fetched: 87, unchanged: 87 }),
  ],
  error: null,
}
export const RUNNING = {
  ...RUN,
  state: 'running',
  finishedAt: null,
  calls: 13,
  resources: [
    RUN.resources[0],
    part('issued', { state: 'running', pages: 7, fetched: 640, created: 640, window: WINDOW }),
    part('received', { state: 'waiting', pages: 0, window: WINDOW }),
    part('catalogue', { state: 'waiting', pages: 0 }),
  ],
}
export const FAILED = {
  ...RUN,
  state: 'partial',
  resumable: true,
  error: { code: 'erp_quota_exhausted' },
  resources: [
    RUN.resources[0],
    RUN.resources[1],
    part('received', {
      state: 'failed',
      pages: 1,
      fetched: 100,
      created: 100,
      window: WINDOW,
      error: { code: 'erp_quota_exhausted' },
    }),
    part('catalogue', { state: 'waiting', pages: 0 }),
  ],
}

const CONNECTED = {
  kind: 'accounting',
  provider: 'holded',
  label: 'Holded',
  connected: true,
  state: 'connected',
  connectionId: 'erp_0000000000000001',
  ownLabel: null,
  erpAccountName: 'Obrador del Ebro, S.L.',
  erpAccountHint: null,
  erpTaxId: 'B50770015',
  baseUrl: null,
  keyHint: 'pat_…9f3a',
  apiFlavour: 'v2',
  permissions: { granted: ['contacts:contacts.read'], missing: [] },
  lastSyncAt: AT,
  lastPartialAt: null,
  lastError: null,
  historyFrom: '2025-01-01',
  counts: { contacts: 214, issued: 812, received: 339, catalogue: 87, missing: 1 },
  fullPassDue: false,
  currentRun: null,
  lastRun: RUN,
  quota: { month: '2026-11', used: 148, budget: 500, reserve: 100, limit: 500, source: 'meter' },
  version: 3,
}
const NEVER = {
  ...CONNECTED,
  provider: 'odoo',
  label: 'Odoo',
  connected: false,
  state: 'disconnected',
  connectionId: null,
  erpAccountName: null,
  erpTaxId: null,
  keyHint: null,
  lastSyncAt: null,
  historyFrom: null,
  counts: { contacts: 0, issued: 0, received: 0, catalogue: 0, missing: 0 },
  lastRun: null,
  quota: null,
  version: null,
}
export const status = (changes: object = {}) => ({ integrations: [{ ...CONNECTED, ...changes }, NEVER] })

/** Rows that could not be read, one of them hostile. */
export const REJECTS = {
  items: [
    {
      resource: 'received',
      externalKind: 'purchase',
      externalId: '66e1f0aa41',
      page: 2,
      position: 17,
      reason: 'impossible_date',
      field: 'date',
      raw: '{"id":"66e1f0aa41","date":"2026-02-31","contact_name":"<img src=x onerror=alert(1)>","total":121}',
      at: AT,
      untrusted: true,
    },
    {
      resource: 'received',
      externalKind: 'purchase',
      externalId: null,
      page: 3,
      position: 0,
      reason: 'missing_id',
      field: null,
      raw: '{"date":"2026-03-04","total":"mil"}',
      at: AT,
      untrusted: true,
    },
  ],
  nextCursor: null,
}

const THERE = {
  id: 'ect_0000000000000001',
  externalId: '5f1',
  name: 'Talleres Unidos, S.L.',
  tradeName: 'Unidos',
  taxId: 'B50000140',
  country: 'ES',
  isClient: true,
  isSupplier: false,
  email: 'facturas@unidos.example',
  phone: '976 00 00 11',
  iban: null,
  address: {
    street: 'Polígono Sur, 4',
    postalCode: '50012',
    city: 'Zaragoza',
    province: 'Zaragoza',
    country: 'ES',
  },
  archived: false,
  missingSince: null,
  changedAt: AT,
  link: null,
  warnings: [],
  untrusted: true,
}
const HERE = { contactId: 'con_0000000000000001', name: 'Talleres Unidos' }
export const COMPARISON = {
  items: [
    {
      erp: THERE,
      matching: 'same_tax_id',
      candidates: [HERE],
      differences: [
        { field: 'name', here: 'Talleres Unidos', there: 'Talleres Unidos, S.L.' },
        { field: 'email', here: null, there: 'facturas@unidos.example' },
        {
          field: 'address',
          here: 'Calle Mayor 1, 50001, Zaragoza',
          there: 'Polígono Sur, 4, 50012, Zaragoza, Zaragoza, ES',
        },
      ],
    },
    {
      erp: { ...THERE, id: 'ect_2', name: 'Viveros Ñíguez', taxId: null },
      matching: 'new',
      candidates: [],
      differences: [],
    },
    {
      erp: { ...THERE, id: 'ect_3', name: 'Conservas del Cantábrico', taxId: 'A39000013', link: HERE },
      matching: 'linked',
      candidates: [],
      differences: [],
    },
    {
      erp: { ...THERE, id: 'ect_4', name: 'Suministros de Obra' },
      matching: 'conflict',
      candidates: [HERE, { contactId: 'con_2', name: 'Suministros Obra (antiguo)' }],
      differences: [],
    },
  ],
  offset: 0,
  count: 4,
  counts: { linked: 1, same_tax_id: 1, new: 1, conflict: 1 },
}

const PARTIES = [
  'Talleres Unidos, S.L.',
  'Lucía Ñíguez',
  'Conservas del Cantábrico, S.A.',
  '<b>Ñandú</b> & Hijos',
]

/** An invoice by its place in the list: every seventh is odd in some way. */
function documentAt(index: number) {
  const net = 100 + ((index * 37) % 4_000)
  const odd = index % 7
  return {
    id: `edo_${index}`,
    externalId: String(index),
    externalKind: 'invoice',
    side: 'issued',
    kind: odd === 5 ? 'rectifying' : 'invoice',
    number: odd === 6 ? null : `F26${String(10_000 - index).padStart(5, '0')}`,
    issueDate: `2026-${String(11 - (index % 11)).padStart(2, '0')}-15`,
    dueDate: null,
    partyName: PARTIES[index % PARTIES.length],
    partyTaxId: 'B50000140',
    currency: odd === 4 ? 'USD' : 'EUR',
    net,
    tax: net * 0.21,
    surcharge: 0,
    withholding: 0,
    total: net * 1.21,
    pending: odd === 1 ? net : 0,
    totalEuros: odd === 4 ? null : net * 1.21,
    state: odd === 6 ? 'draft' : 'approved',
    payment: odd === 1 ? 'unpaid' : 'paid',
    amountCheck: odd === 3 ? 'failed' : 'ok',
    missingSince: odd === 2 ? AT : null,
    changedAt: AT,
    here: odd === 0 ? { type: 'invoice', id: 'inv_1', label: 'F2026-0012' } : null,
    warnings: [],
    untrusted: true,
  }
}
const DOCUMENTS = 10_000
export const documentsFrom = (offset: number, limit: number) => ({
  items: Array.from({ length: Math.max(0, Math.min(limit, DOCUMENTS - offset)) }, (_, index) =>
    documentAt(offset + index),
  ),
  offset,
  totals: {
    count: DOCUMENTS,
    net: 18_240_310.4,
    tax: 3_830_465.18,
    total: 22_070_775.58,
    withoutRate: 1_428,
  },
})
export const documentDetail = (id: string) => ({
  ...documentAt(Number(id.replace('edo_', ''))),
  description: null,
  fxRate: null,
  paid: null,
  contact: null,
  lines: [
    {
      description: 'Harina de trigo 25 kg',
      quantity: 4,
      unitPrice: 25,
      discountPct: 0,
      vatRate: 21,
      surchargeRate: null,
      withholdingRate: null,
      net: 100,
    },
    {
      description: '<script>alert(1)</script>',
      quantity: 1,
      unitPrice: 12.5,
      discountPct: 10,
      vatRate: null,
      surchargeRate: null,
      withholdingRate: null,
      net: 11.25,
    },
  ],
})
