/** In addition to the examples: bodies with every field, by operation. */
const LINE = { description: 'Obra', quantity: 1, unitPrice: 10 }

export const WHOLE_DRAFT = {
  clientName: 'Ana',
  clientNif: '12345678Z',
  client: {
    country: 'ES',
    idType: null,
    email: null,
    address: { street: 'a', postalCode: '28001', city: 'Madrid', country: 'ES' },
  },
  lines: [
    LINE,
    { ...LINE, discountPct: 10, vatRate: 10, taxTreatment: 'S1', unit: 'h', surcharge: 1.4, regimeKey: '01' },
  ],
  kind: 'F1',
  operationDate: null,
  dueDate: null,
  withholdingPct: 15,
  priceMode: 'net',
  notes: 'x',
  externalRef: 'r',
}

const { kind: _, operationDate: __, dueDate: ___, ...WHOLE_QUOTE } = WHOLE_DRAFT

export const WHOLE_BODIES: Readonly<Record<string, object>> = {
  invoices_create: WHOLE_DRAFT,
  invoices_update: { ...WHOLE_DRAFT, expectedVersion: 1 },
  invoices_validate: { action: 'issue', expectedVersion: 1 },
  invoices_cancel: { confirmationToken: 'svct_x', reason: 'x' },
  quotes_create: WHOLE_QUOTE,
  keys_create: {
    name: 'n',
    scopes: ['invoices.read'],
    expiresAt: '2027-01-01T00:00:00Z',
    limits: { perDay: 5, eurPerDay: 10 },
  },
}
