/** Random records that may break rules: a few fields of valid ones are changed at random. */
import fc from 'fast-check'
import { cancellation, invoice, ISSUER, TODAY } from './plain-records.ts'
import { admittedInvoice } from './random-records.ts'
import type {
  BreakdownLine,
  InvoiceKey,
  MadeBy,
  Recipient,
  Rectification,
  RegistryCancellation,
  RegistryInvoice,
} from '../../../server/registry/systems/verifactu/record/fields.ts'

const KINDS = ['F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5'] as const
const TREATMENTS = ['S1', 'S2', 'N1', 'N2', 'E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8'] as const
const REGIMES = [null, ...'01 02 03 04 05 06 07 08 09 10 11 12 14 15 17 18 19 20 21'.split(' ')]
const RATES = [null, 0, 200, 400, 500, 700, 750, 1000, 1800, 2000, 2100, 99_999, 100_000]
const SURCHARGES = [null, 0, 26, 50, 62, 100, 140, 175, 400, 500, 520]
const DATES = [
  ...['2006-11-15', '2006-11-16', '2011-05-05', '2020-12-31', '2022-12-31', '2023-05-05', '2024-10-01'],
  ...['2024-10-27', '2024-10-28', '2026-02-30', TODAY, '2026-11-17', '2027-11-16', '2027-11-17'],
]
const NUMBERS = ['F-1', 'F & 1', ' F1', '', 'ñ', 'a<b', "a'b", 'F'.repeat(60), 'F'.repeat(61)]
const NIFS = ['89890002E', '89890001K', 'B12345674', 'B12345670', 'P2807900B', '89890002A', '89890002e', 'X']
const COUNTRIES = ['ES', 'US', 'FR', 'GB', 'ZZ']
const ID_TYPES = ['02', '03', '04', '05', '06', '07'] as const
const IDS = [
  '89890002E',
  'B12345674',
  'FR12345678901',
  'XI123456789',
  'GB123456789',
  'A1',
  '',
  'X'.repeat(21),
]
const AMOUNTS = [
  0, 1, -1, 999, -1_000, 1_001, 300_000, 10_000_000_000, 99_999_999_999_999, 100_000_000_000_000,
]
const NAMES = ['CLIENTE', ' ', 'Ñ & <b>', 'C'.repeat(120), 'C'.repeat(121)]

const party: fc.Arbitrary<Recipient> = fc.oneof(
  fc.record({ name: fc.constantFrom(...NAMES), nif: fc.constantFrom(...NIFS) }),
  fc.record({
    name: fc.constantFrom(...NAMES),
    country: fc.constantFrom(...COUNTRIES),
    idType: fc.constantFrom(...ID_TYPES),
    id: fc.constantFrom(...IDS),
  }),
)
const key: fc.Arbitrary<InvoiceKey> = fc.record({
  issuerNif: fc.constantFrom(ISSUER.nif, ...NIFS),
  number: fc.constantFrom(...NUMBERS),
  issueDate: fc.constantFrom(...DATES),
})
const rectification: fc.Arbitrary<Rectification | null> = fc.constantFrom<Rectification | null>(
  null,
  { method: 'I' },
  { method: 'S', baseCents: 1, taxCents: -1, surchargeCents: 0 },
  { method: 'S', baseCents: 100_000_000_000_000, taxCents: 1, surchargeCents: null },
)
const madeBy: fc.Arbitrary<MadeBy | null> = fc.oneof(
  fc.constantFrom<MadeBy | null>(null, { by: 'recipient' }),
  party.map((one) => ({ by: 'third_party' as const, party: one })),
)

/** One change of a line. */
const lineChange: fc.Arbitrary<Partial<BreakdownLine>> = fc.oneof(
  fc.record({ tax: fc.constantFrom('01' as const, '02' as const, '03' as const, '05' as const) }),
  fc.record({ taxTreatment: fc.constantFrom(...TREATMENTS) }),
  fc.record({ regimeKey: fc.constantFrom(...REGIMES) }),
  fc.record({ vatRateBp: fc.constantFrom(...RATES) }),
  fc.record({ vatRateBp: fc.constant(null), taxCents: fc.constant(0) }),
  fc.record({ surchargeRateBp: fc.constantFrom(...SURCHARGES) }),
  fc.record({ baseCents: fc.constantFrom(...AMOUNTS) }),
  fc.record({ costBaseCents: fc.constantFrom(null, ...AMOUNTS) }),
  fc.record({ taxCents: fc.constantFrom(...AMOUNTS) }),
)

/** One change of an invoice, except its breakdown. */
const change: fc.Arbitrary<Partial<RegistryInvoice>> = fc.oneof(
  fc.record({ kind: fc.constantFrom(...KINDS) }),
  fc.record({ number: fc.constantFrom(...NUMBERS) }),
  fc.record({ issueDate: fc.constantFrom(...DATES) }),
  fc.record({ operationDate: fc.constantFrom(null, ...DATES) }),
  fc.record({ rectification }),
  fc.record({ rectified: fc.array(key, { maxLength: 2 }) }),
  fc.record({ substituted: fc.array(key, { maxLength: 2 }) }),
  fc.record({ simplifiedArt7273: fc.boolean(), withoutRecipientArt61d: fc.boolean() }),
  fc.record({ madeBy }),
  fc.record({ description: fc.constantFrom('Ventas', '', ' ', 'x'.repeat(501)) }),
  fc.record({ recipients: fc.array(party, { maxLength: 2 }) }),
  fc.record({ coupon: fc.boolean() }),
  fc.record({ agreementNumber: fc.constantFrom(null, 'A-1', 'A'.repeat(16)) }),
  fc.record({ totalCents: fc.constantFrom(...AMOUNTS) }),
  fc.record({ taxTotalCents: fc.constantFrom(...AMOUNTS) }),
  fc.record({ recordId: fc.constantFrom('rec-1', '', 'r'.repeat(61)) }),
)

function totalsOf(breakdown: BreakdownLine[]) {
  const { taxTotalCents, totalCents } = invoice({ breakdown })
  return { taxTotalCents, totalCents }
}

/** Invoices with up to four changes; the sums follow the lines unless they are changed themselves. */
export const alteredInvoice: fc.Arbitrary<RegistryInvoice> = fc
  .record({
    made: admittedInvoice,
    changes: fc.array(change, { maxLength: 2 }),
    lineChanges: fc.array(fc.tuple(fc.nat(11), lineChange), { maxLength: 2 }),
  })
  .map(({ made, changes, lineChanges }) => {
    const breakdown = made.breakdown.map((line) => ({ ...line }))
    for (const [at, lineChanged] of lineChanges)
      Object.assign(breakdown[at % breakdown.length] ?? {}, lineChanged)
    const sums = lineChanges.length > 0 ? totalsOf(breakdown) : {}
    return Object.assign(
      { ...made, turn: 'first' as const, breakdown, ...sums },
      ...changes,
    ) as RegistryInvoice
  })

/** Returns the valid value in most cases, so that a record seldom has several faults. */
const mostly = <T>(sound: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(sound) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

/** Cancellations of invoices the registry does not hold, so that only their own content can be wrong. */
export const alteredCancellation: fc.Arbitrary<RegistryCancellation> = fc
  .record({
    recordId: mostly('rec-1', '', 'r'.repeat(61)),
    key: fc.record({
      issuerNif: fc.constant(ISSUER.nif),
      number: mostly('T-F2026-0002', ...NUMBERS),
      issueDate: mostly(TODAY, ...DATES),
    }),
    madeBy: fc.option(
      fc.record({ by: fc.constantFrom('recipient' as const, 'third_party' as const), party }),
    ),
  })
  .map((changes) => cancellation({ turn: 'unregistered', ...changes }))
