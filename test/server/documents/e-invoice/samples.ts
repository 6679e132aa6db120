/** Invoices of every kind as content, and random ones, for the tests of the structured formats. */
import fc from 'fast-check'
import { eInvoiceOf } from '../../../../server/documents/e-invoice/index.ts'
import type { EInvoice, IssuedFacts } from '../../../../server/documents/e-invoice/index.ts'
import { PLAIN_CONTENT, PLAIN_LINE, totalsOf } from '../../../../server/sales/invoices/index.ts'
import type { DraftContent, DraftLine, PartyFacts } from '../../../../server/sales/invoices/index.ts'

const EUR = 1_000_000

export const ISSUER: PartyFacts = {
  name: 'Estudio Peña & Muñoz, S.L.',
  tradeName: 'Peña <y> Muñoz',
  nif: 'B12345674',
  idType: null,
  street: 'Calle de la Palma, 27, 2.º izda.',
  postalCode: '28004',
  city: 'Madrid',
  province: 'Madrid',
  country: 'ES',
  email: 'hola@penamunoz.example',
  phone: '+34 910 000 000',
  iban: 'ES9121000418450200051332',
  registryInscription: 'Registro Mercantil de Madrid, tomo 41.234, folio 56, hoja M-728.901',
  dir3: null,
}

const NOBODY = {
  tradeName: null,
  email: null,
  phone: null,
  iban: null,
  registryInscription: null,
  dir3: null,
}

export const COMPANY: PartyFacts = {
  ...NOBODY,
  name: 'Conservas del Cantábrico, S.A.',
  nif: 'A39000013',
  idType: null,
  street: 'Polígono de Guarnizo, nave 14',
  postalCode: '39611',
  city: 'El Astillero',
  province: null,
  country: 'ES',
  email: 'facturas@conservas.example',
}
export const PERSON: PartyFacts = {
  ...COMPANY,
  name: 'María del Carmen López de la Fuente',
  nif: '12345678Z',
  email: null,
}
const TOWN: PartyFacts = {
  ...COMPANY,
  name: 'Ayuntamiento de Móstoles',
  nif: 'P2809200E',
  street: 'Plaza de España, 1',
  postalCode: '28934',
  city: 'Móstoles',
  province: 'Madrid',
  dir3: { accountingOffice: 'L01280921', managingBody: 'L01280922', processingUnit: 'L01280923' },
}
export const FRENCH: PartyFacts = {
  ...NOBODY,
  name: 'Client SARL',
  nif: 'FR40303265045',
  idType: '02',
  street: '4, rue de Rivoli',
  postalCode: '75001',
  city: 'Paris',
  province: null,
  country: 'FR',
}
export const AMERICAN: PartyFacts = {
  ...FRENCH,
  name: 'Customer Inc.',
  nif: '123456789',
  idType: '04',
  street: '350 Fifth Avenue',
  postalCode: '10118',
  city: 'New York',
  province: 'NY',
  country: 'US',
}
export const GERMAN_CONSUMER: PartyFacts = {
  ...FRENCH,
  name: 'Hans Müller',
  nif: 'C01X00T47',
  idType: '03',
  street: 'Unter den Linden 5',
  postalCode: '10117',
  city: 'Berlin',
  country: 'DE',
}

export function line(description: string, unitPrice: number, changes: Partial<DraftLine> = {}): DraftLine {
  return {
    ...PLAIN_LINE,
    description,
    unitPriceMicro: Math.round(unitPrice * EUR),
    vatRateBp: 2100,
    ...changes,
  }
}

/** Returns a treatment without a rate. */
const none = (
  taxTreatment: DraftLine['taxTreatment'],
  changes: Partial<DraftLine> = {},
): Partial<DraftLine> => ({
  taxTreatment,
  vatRateBp: taxTreatment === 'S2' ? 0 : null,
  ...changes,
})

function content(changes: Partial<DraftContent> = {}): DraftContent {
  return {
    ...PLAIN_CONTENT,
    kind: 'F1',
    issueDate: '2026-06-03',
    dueDate: '2026-07-03',
    client: COMPANY,
    lines: [line('Mantenimiento mensual del sitio web', 100)],
    ...changes,
  }
}

export function issued(changes: Partial<IssuedFacts> = {}): IssuedFacts {
  return {
    number: 'F2026-0042',
    seriesCode: 'F2026',
    issueDate: '2026-06-03',
    issuer: ISSUER,
    debit: null,
    ...changes,
  }
}

export function invoiceOf(changes: Partial<DraftContent> = {}, facts: Partial<IssuedFacts> = {}): EInvoice {
  const whole = content(changes)
  return eInvoiceOf(whole, totalsOf(whole), issued(facts))
}

const RECTIFYING = { number: 'R2026-0007', seriesCode: 'R2026' }
const ORIGINAL = {
  role: 'rectifies' as const,
  targetId: 1,
  number: 'F2026-0012',
  issueDate: '2026-03-15',
}

/** A third party as it is stored: also without its address, which Facturae alone requires. */
const NO_IDENTITY = {
  name: null,
  nif: null,
  idType: null,
  country: null,
  street: null,
  postalCode: null,
  city: null,
  province: null,
}
const BY_THIRD_PARTY: NonNullable<DraftContent['issuedBy']> = {
  kind: 'third_party',
  name: 'Gestoría Ebro, S.L.P.',
  nif: 'B12345674',
  idType: null,
  country: 'ES',
  street: 'Paseo de la Independencia, 7',
  postalCode: '50001',
  city: 'Zaragoza',
  province: null,
}
const BY_CUSTOMER: NonNullable<DraftContent['issuedBy']> = { ...NO_IDENTITY, kind: 'recipient' }

/** One sample of each kind, by name. */
export const SAMPLES: Record<string, () => EInvoice> = {
  '01-one-rate': () =>
    invoiceOf({
      paymentMethod: 'transfer',
      lines: [line('Consultoría', 50, { quantityMicro: 10 * EUR, unit: 'h' })],
    }),
  '02-three-rates-discounts-withholding': () =>
    invoiceOf({
      discountBp: 500,
      withholdingBp: 1500,
      operationDate: '2026-05-31',
      notes: 'Gracias por su confianza.\nVuelva <pronto> & bien.',
      lines: [
        line('Silla "Ñandú"\nRoble macizo', 120.333333, {
          quantityMicro: 3.5 * EUR,
          discountBp: 1000,
          unit: 'ud.',
        }),
        line('Catering', 200, { vatRateBp: 1000, discountCents: 1234 }),
        line('Libros', 1.005, { vatRateBp: 400, quantityMicro: 3 * EUR, withholdable: false }),
        line('Devolución de envases', -2.5, { quantityMicro: 4 * EUR, vatRateBp: 1000, discountBp: 1000 }),
      ],
    }),
  '03-gross-prices': () =>
    invoiceOf({
      priceMode: 'gross',
      simplifiedArt7273: true,
      paymentMethod: 'card',
      lines: [
        line('Taza', 9.99, { quantityMicro: 7 * EUR }),
        line('Menú', 14.5, { quantityMicro: 2 * EUR, vatRateBp: 1000, discountBp: 550 }),
        line('Cable', 0.03, { quantityMicro: 1000 * EUR }),
      ],
    }),
  '04-surcharge': () =>
    invoiceOf({
      client: PERSON,
      paymentMethod: 'bizum',
      lines: [
        line('Droguería', 100.1, { surchargeRateBp: 520 }),
        line('Alimentos', 33.33, { vatRateBp: 1000, surchargeRateBp: 140 }),
        line('Mobiliario', 10.02),
      ],
    }),
  '05-reverse-charge-and-taxed': () =>
    invoiceOf({
      dueDate: null,
      lines: [line('Reforma', 5000, none('S2', { cause: 'reverse_works' })), line('Muebles', 300)],
    }),
  '06-intra-community': () =>
    invoiceOf({
      client: FRENCH,
      operationDate: '2026-05-30',
      language: 'en',
      lines: [line('Piezas', 12.5, none('E5', { quantityMicro: 200 * EUR, cause: 'intra_eu', unit: 'kg' }))],
    }),
  '07-service-to-union-business': () =>
    invoiceOf({ client: FRENCH, lines: [line('Diseño', 900, none('N2', { cause: 'services_eu' }))] }),
  '08-service-outside-union': () =>
    invoiceOf({ client: AMERICAN, lines: [line('Diseño', 900, none('N2', { cause: 'services_third' }))] }),
  '09-export-in-dollars': () =>
    invoiceOf({
      client: AMERICAN,
      language: 'en',
      paymentMethod: 'transfer',
      currency: { code: 'USD', fxMicro: 1_083_700, fxDate: '2026-06-02', fxSource: 'BCE' },
      lines: [
        line('Cerámica', 40, none('E2', { regimeKey: '02', quantityMicro: 12 * EUR })),
        line('Muestras en Madrid', 10.55, { quantityMicro: 3 * EUR }),
      ],
    }),
  '10-exempt-suplidos-and-taxed': () =>
    invoiceOf(
      {
        paymentMethod: 'direct_debit',
        lines: [
          line('Curso reglado', 300, none('E1', { cause: 'education' })),
          line('Gestión', 200),
          line('Tasa del registro', 45.5, { vatRateBp: null, isDisbursement: true, withholdable: false }),
          line('Indemnización', 80, none('N1', { cause: 'compensation' })),
        ],
      },
      { debit: { mandate: 'M-0007', creditorId: 'ES12000B12345674', payerIban: 'ES7921000813610123456789' } },
    ),
  '11-margin-used-goods': () =>
    invoiceOf({
      lines: [
        line('Coche de ocasión', 9000, { regimeKey: '03', costCents: 700_000, cause: 'margin_used' }),
        line('Transporte', 150),
      ],
    }),
  '12-travel-agency': () =>
    invoiceOf({
      client: PERSON,
      paymentMethod: 'cash',
      lines: [line('Viaje a Roma', 1200, { regimeKey: '05', costCents: 95_000, cause: 'travel' })],
    }),
  '13-one-stop-shop': () =>
    invoiceOf({
      client: GERMAN_CONSUMER,
      lines: [line('Camiseta', 25, none('N2', { regimeKey: '17', vatRateBp: 1900, quantityMicro: 3 * EUR }))],
    }),
  '14-igic': () =>
    invoiceOf({
      tax: '03',
      discountCents: 100,
      // Lines of 1.004 add up to 3.01, not to the 3.00 that they show.
      lines: [1, 2, 3].map((n) => line(`Pieza ${n}`, 1.004, { vatRateBp: 700 })),
    }),
  '15-ipsi': () =>
    invoiceOf({
      tax: '02',
      discountCents: 100,
      lines: [1, 2, 3].map((n) => line(`Pieza ${n}`, 1.004, { vatRateBp: 400 })),
    }),
  '16-rectifying-by-differences': () =>
    invoiceOf(
      {
        kind: 'R1',
        dueDate: null,
        withholdingBp: 1500,
        references: [ORIGINAL],
        rectification: {
          method: 'I',
          cause: 'returned_goods',
          reason: 'Devolución de mercancía',
          rectified: null,
        },
        lines: [line('Silla', 120, { quantityMicro: -2 * EUR, discountBp: 1000, surchargeRateBp: 520 })],
      },
      RECTIFYING,
    ),
  '17-rectifying-by-substitution': () =>
    invoiceOf(
      {
        kind: 'R4',
        references: [ORIGINAL, { ...ORIGINAL, number: 'OTRA/2026/0000000000000000000000000001' }],
        replacedCents: 6050,
        rectification: {
          method: 'S',
          cause: 'wrong_amount',
          reason: 'Cantidad equivocada',
          rectified: { baseCents: 5000, taxCents: 1050, surchargeCents: null },
        },
      },
      RECTIFYING,
    ),
  '18-public-body': () =>
    invoiceOf({
      client: TOWN,
      paymentMethod: 'transfer',
      customerReferences: { order: 'PED-2026/77', contract: 'C-15', file: 'EXP/2026/000000000000000123' },
      lines: [line('Mantenimiento de jardines', 1500, { unit: 'mes', quantityMicro: 2 * EUR })],
    }),
  '19-tickets-substituted': () =>
    invoiceOf({
      kind: 'F3',
      priceMode: 'gross',
      replacedCents: 36_300,
      references: [
        { role: 'substitutes', targetId: 5, number: 'S2026-0001', issueDate: '2026-05-01' },
        { role: 'substitutes', targetId: 6, number: 'S2026-0002', issueDate: '2026-05-02' },
      ],
      lines: [line('Compra 1', 121), line('Compra 2', 242)],
    }),
  '20-zero-rate-and-cash-accounting': () =>
    invoiceOf({
      lines: [
        line('Donativo', 500, { vatRateBp: 0, cause: 'zero_donations' }),
        line('Servicio', 60, { regimeKey: '07' }),
      ],
    }),
  '21-instalments': () =>
    invoiceOf({
      paymentMethod: 'transfer',
      withholdingBp: 1500,
      lines: [line('Reforma', 1000)],
      instalments: [
        { dueDate: '2026-07-03', percentBp: 3333, cents: null },
        { dueDate: '2026-08-03', percentBp: null, cents: 40_000 },
        { dueDate: '2026-09-03', percentBp: null, cents: null },
      ],
    }),
  '22-instalments-by-direct-debit': () =>
    invoiceOf(
      {
        paymentMethod: 'direct_debit',
        lines: [line('Curso', 100)],
        instalments: [
          { dueDate: '2026-07-03', percentBp: 5000, cents: null },
          { dueDate: '2026-08-03', percentBp: 5000, cents: null },
        ],
      },
      { debit: { mandate: 'M-1', creditorId: 'ES90000B12345674', payerIban: 'ES7921000813610123456789' } },
    ),
  '23-issued-by-third-party': () => invoiceOf({ issuedBy: BY_THIRD_PARTY }),
  '24-self-billed': () => invoiceOf({ issuedBy: BY_CUSTOMER, paymentMethod: 'transfer' }),
  '25-self-billed-return': () =>
    invoiceOf(
      {
        kind: 'R1',
        issuedBy: BY_CUSTOMER,
        references: [ORIGINAL],
        rectification: { method: 'I', cause: 'returned_goods', reason: null, rectified: null },
        lines: [line('Servicio devuelto', 100, { quantityMicro: -EUR })],
      },
      RECTIFYING,
    ),
}

// ---- Random content: the rules must hold for any input ----

const price = fc.integer({ min: 1, max: 2_000_000_000 })
const quantity = fc.oneof(
  fc.constant(EUR),
  fc.integer({ min: 1, max: 500 }).map((units) => units * EUR),
  fc.integer({ min: 1, max: 900_000_000 }),
)
const UNITS = [null, 'h', 'ud', 'kg', 'Día', 'caja', 'cosas raras']
const EXEMPT = ['education', 'dental', 'insurance', null]

const treated = (isForeign: boolean): fc.Arbitrary<Partial<DraftLine>> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(2100, 1000, 400, 0).map((vatRateBp) => ({ vatRateBp })) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom([2100, 520], [1000, 140], [400, 50], [2100, 175])
        .map(([vatRateBp = 0, surchargeRateBp = 0]) => ({ vatRateBp, surchargeRateBp })),
    },
    fc.constantFrom(...EXEMPT).map((cause) => none('E1', { cause })),
    fc.constant(none('S2')),
    fc.constant(none('N1')),
    fc.constant(none('N2')),
    fc.constant(none('E2', { regimeKey: '02' })),
    fc.constant(none('E6')),
    fc.constant(none(isForeign ? 'E5' : 'E3')),
    // The one-stop shop is for consumers, not for businesses in the Union.
    fc.constant(isForeign ? none('N2') : none('N2', { regimeKey: '17', vatRateBp: 1900 })),
    fc.constant({ regimeKey: '07' }),
    fc.constant({ regimeKey: '03' }),
    fc
      .integer({ min: 0, max: 300_000 })
      .chain((costCents) => fc.constantFrom('03', '05').map((regimeKey) => ({ regimeKey, costCents }))),
    fc.constant({ isDisbursement: true, vatRateBp: null, withholdable: false }),
  )

const randomLine = (isForeign: boolean): fc.Arbitrary<DraftLine> =>
  fc
    .record({
      quantityMicro: quantity,
      unitPriceMicro: price,
      isNegative: fc.integer({ min: 0, max: 9 }).map((side) => side === 0),
      discountBp: fc.constantFrom(0, 0, 0, 500, 1234, 10_000),
      discountCents: fc.constantFrom(0, 0, 0, 7, 99),
      unit: fc.constantFrom(...UNITS),
      withholdable: fc.boolean(),
      tax: treated(isForeign),
    })
    .map(({ isNegative, tax, ...rest }) => ({
      ...line('Artículo', 1),
      ...rest,
      unitPriceMicro: isNegative ? -rest.unitPriceMicro : rest.unitPriceMicro,
      ...tax,
    }))

/** Unchecked content: only its sums and its kinds of tax are consistent. */
export const randomContent: fc.Arbitrary<DraftContent> = fc
  .record({
    client: fc.constantFrom(COMPANY, PERSON, TOWN, FRENCH, AMERICAN, GERMAN_CONSUMER),
    tax: fc.constantFrom('01' as const, '01' as const, '01' as const, '02' as const, '03' as const),
    priceMode: fc.constantFrom('net' as const, 'gross' as const),
    discountBp: fc.constantFrom(0, 0, 0, 333, 10_000),
    discountCents: fc.constantFrom(0, 0, 0, 1, 4999),
    withholdingBp: fc.constantFrom(null, null, 700, 1500),
    dueDate: fc.constantFrom(null, '2026-07-03'),
    operationDate: fc.constantFrom(null, '2026-05-31'),
    language: fc.constantFrom('es' as const, 'en' as const),
    paymentMethod: fc.constantFrom(
      null,
      'transfer',
      'direct_debit',
      'card',
      'cash',
      'bizum',
      'cheque',
      'other',
    ),
    currency: fc.constantFrom(null, null, null, {
      code: 'USD',
      fxMicro: 1_083_700,
      fxDate: null,
      fxSource: null,
    }),
    method: fc.constantFrom(null, null, null, 'I' as const, 'S' as const),
    isReturn: fc.boolean(),
    onlyOutside: fc.integer({ min: 0, max: 9 }).map((side) => side === 0),
    replacedCents: fc.constantFrom(0, 0, 0, 12_345),
    issuedBy: fc.constantFrom(null, null, null, BY_THIRD_PARTY, BY_CUSTOMER),
  })
  .chain(({ method, isReturn, onlyOutside, ...rest }) =>
    fc
      .array(
        onlyOutside
          ? randomLine(false).map((each) => ({
              ...each,
              ...none('N1'),
              regimeKey: '01',
              costCents: null,
              surchargeRateBp: null,
            }))
          : randomLine(rest.client === FRENCH),
        { minLength: 1, maxLength: 12 },
      )
      .map((lines) =>
        content({
          ...rest,
          kind: method === null ? 'F1' : 'R1',
          rectification: method && {
            method,
            cause: 'price_change',
            reason: 'Cambio de precio',
            rectified: method === 'S' ? { baseCents: 1, taxCents: 0, surchargeCents: null } : null,
          },
          references: method === null ? [] : [ORIGINAL],
          lines:
            method === 'I' && isReturn
              ? lines.map((each) => ({ ...each, quantityMicro: -each.quantityMicro }))
              : lines,
        }),
      ),
  )
