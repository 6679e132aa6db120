/**
 * Random records of every kind that the rules accept: each draws its kind first, then only lines, customers and dates
 * that this kind allows. Records that cause only warnings of the authority come from `admittedInvoice`.
 */
import fc from 'fast-check'
import { vatRatesAt } from '../../../server/domain/tax/vat-rates.ts'
import { percentOf } from '../../../server/domain/money.ts'
import { invoice, ISSUER, SYSTEM, TODAY } from './plain-records.ts'
import type { BusinessDate } from '../../../server/domain/dates.ts'
import type {
  BreakdownLine,
  CancellationMaker,
  InvoiceKey,
  MadeBy,
  Recipient,
  RecordKind,
  Rectification,
  RegistryCancellation,
  RegistryInvoice,
} from '../../../server/registry/systems/verifactu/record/fields.ts'
import type { Query } from '../../../server/registry/systems/verifactu/wire/messages.ts'

// Words in several scripts, with every character that XML must escape; no control characters, no outer blanks.
const words = (maxLength: number) =>
  fc
    .array(
      fc.constantFrom(
        ...['Servicios', 'Ñandú', '&', '<b>', ']]>', '"x"', 'l·l', '漢字', '😀', 'a > b', '&amp;', "d'any"],
        ...[' ', '\n', '-'.repeat(60)],
      ),
      { minLength: 1, maxLength: 12 },
    )
    .map((parts) => [...parts.join(' ').trim()].slice(0, maxLength).join('').trim() || 'Ventas')

const number = fc
  .array(fc.constantFrom(...'ABCXYZ0123456789-/. &_#%+()|~!$'), { minLength: 1, maxLength: 60 })
  .map((characters) => characters.join('').trim() || 'F-1')

const key = (dates: readonly BusinessDate[]): fc.Arbitrary<InvoiceKey> =>
  fc.record({ issuerNif: fc.constant(ISSUER.nif), number, issueDate: fc.constantFrom(...dates) })

/** Valid dates of an invoice today: the first one of all, ends of months and years, yesterday, today. */
const ISSUE_DATES = ['2024-10-28', '2024-12-31', '2025-02-28', '2026-01-01', '2026-11-15', TODAY]
/** Dates of earlier operations: one for each change of the rates, and one long ago. */
const EARLIER_DATES = ['2012-12-31', '2022-08-15', '2023-06-30', '2024-02-29', '2024-09-30', '2024-10-01']

const cents = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: -5_000_000, max: 5_000_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 99_999_999_999 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, -1) },
)

// --- Parties of a record

type Naming = { nif: string } | { country: string; idType: '02' | '03' | '04' | '05' | '06'; id: string }

const named = (...ways: Naming[]): fc.Arbitrary<Recipient> =>
  fc.tuple(words(120), fc.constantFrom(...ways)).map(([name, way]) => ({ name, ...way }))

const spanish = named(
  ...[
    '89890002E',
    '12345678Z',
    'X1234567L',
    'Z1234567R',
    'K1234567L',
    'B12345674',
    'A58818501',
    'G28029643',
  ].map((nif) => ({ nif })),
)
const publicBody = named(
  { nif: 'P2807900B' },
  { nif: 'Q2826000H' },
  { nif: 'S2833002E' },
  { nif: 'V12345674' },
)

const european = named(
  ...[
    ['AT', 'ATU12345678'],
    ['DE', 'DE123456789'],
    ['FR', 'FR12345678901'],
    ['GR', 'EL123456789'],
    ['IE', 'IE1234567WA'],
    ['NL', 'NL123456789B01'],
    ['PT', 'PT123456789'],
    ['RO', 'RO12'],
    ['SE', 'SE123456789012'],
  ].map(([country = '', id = '']) => ({ country, idType: '02' as const, id })),
)

/** EU VAT numbers of Northern Ireland exist since 2021. */
const northernIrish = named({ country: 'GB', idType: '02', id: 'XI123456789' })

const foreign = named(
  { country: 'MA', idType: '03', id: 'AB123456' },
  { country: 'ES', idType: '03', id: 'PAA123456' },
  { country: 'US', idType: '04', id: '12-3456789' },
  { country: 'GB', idType: '04', id: 'GB123456789' },
  { country: 'AD', idType: '05', id: 'F-123456-Z' },
  { country: 'XB', idType: '06', id: '12345678901234567890' },
)

const anybody = fc.oneof(spanish, european, foreign)

/** A natural person with a Spanish number that the census may not know: accepted with a warning (2001). */
const uncensused: fc.Arbitrary<Recipient> = words(120).map((name) => ({
  name,
  country: 'ES',
  idType: '07',
  id: '12345678Z',
}))

// --- Lines

/** A line before it has an amount. */
type LineShape = Omit<BreakdownLine, 'baseCents' | 'taxCents' | 'surchargeCents' | 'costBaseCents'> & {
  atCost: boolean
}

const shape = (
  tax: BreakdownLine['tax'],
  taxTreatment: BreakdownLine['taxTreatment'],
  regimeKey: string | null,
  vatRateBp: number | null = taxTreatment === 'S2' ? 0 : null,
  { surchargeRateBp = null, atCost = false }: { surchargeRateBp?: number | null; atCost?: boolean } = {},
): LineShape => ({ tax, taxTreatment, regimeKey, vatRateBp, surchargeRateBp, atCost })

/** Regimes whose totals cannot be derived from the lines. */
const WITHOUT_SUMS = ['03', '05', '06', '08', '09']
/** Kinds without recipients. */
const NAMELESS: readonly RecordKind[] = ['F2', 'R5']

/** Returns lines of VAT that need no special customer, with the rates of the day and what the kind allows. */
function vatShapes(kind: RecordKind, date: BusinessDate): LineShape[] {
  const shapes = [
    ...['01', '17', '20'].map((regime) => shape('01', 'N1', regime)),
    ...['01', '08', '17'].map((regime) => shape('01', 'N2', regime)),
    ...['01', '02', '03', '04', '05', '07', '09'].map((regime) => shape('01', 'E1', regime)),
    ...['02', '04'].flatMap((regime) => [shape('01', 'E2', regime), shape('01', 'E3', regime)]),
    ...['01', '02'].map((regime) => shape('01', 'E4', regime)),
    ...['01', '02', '07'].map((regime) => shape('01', 'E6', regime)),
  ]
  for (const { rateBp, surchargesBp } of vatRatesAt(date)) {
    for (const regime of ['01', '03', '05', '07', '09', '15', '17', '18', '19', '20'])
      shapes.push(shape('01', 'S1', regime, rateBp))
    for (const surchargeRateBp of surchargesBp)
      for (const regime of ['01', '18']) shapes.push(shape('01', 'S1', regime, rateBp, { surchargeRateBp }))
    if (!['F2', 'F3', 'R5'].includes(kind)) shapes.push(shape('01', 'S1', '06', rateBp, { atCost: true }))
  }
  shapes.push(shape('01', 'S1', '11', 2100))
  if (!NAMELESS.includes(kind)) shapes.push(...['01', '04', '15'].map((regime) => shape('01', 'S2', regime)))
  return shapes
}

/** Returns lines of the taxes of the Canary Islands (03), of Ceuta and Melilla (02), and of others (05). */
function otherTaxShapes(kind: RecordKind): LineShape[] {
  const shapes = [
    shape('03', 'N1', '01'),
    shape('03', 'N2', '08'),
    shape('03', 'N2', '20'),
    ...(['E1', 'E4', 'E5', 'E6', 'E7', 'E8'] as const).map((exemption) => shape('03', exemption, '01')),
    ...(['E2', 'E3'] as const).map((exemption) => shape('03', exemption, '02')),
    shape('03', 'E6', '19'),
    shape('02', 'N1', '01'),
    shape('02', 'N2', '08'),
    shape('02', 'E1', '01'),
    shape('02', 'E6', '18'),
    shape('05', 'N1', null),
    shape('05', 'N2', null),
    shape('05', 'E6', null),
  ]
  for (const rateBp of [0, 300, 500, 700, 950, 1500, 2000])
    for (const regime of ['01', '03', '05', '07', '09', '11', '15', '17', '18', '21'])
      shapes.push(shape('03', 'S1', regime, rateBp))
  for (const rateBp of [50, 100, 400, 1000])
    for (const regime of ['01', '11', '18', '19', '20'])
      shapes.push(shape('02', 'S1', regime, rateBp), shape('02', 'S1', regime, rateBp, { atCost: true }))
  for (const rateBp of [0, 150, 2100])
    shapes.push(shape('05', 'S1', null, rateBp), shape('05', 'S1', null, rateBp, { atCost: true }))
  if (!['F2', 'F3', 'R5'].includes(kind)) shapes.push(shape('03', 'S1', '06', 700, { atCost: true }))
  if (!NAMELESS.includes(kind))
    shapes.push(
      shape('03', 'S2', '01'),
      shape('03', 'S2', '04'),
      shape('02', 'S2', '01'),
      shape('05', 'S2', null),
    )
  return shapes
}

function lineOf({ atCost, ...facts }: LineShape, baseCents: number, costGapCents: number): BreakdownLine {
  const { vatRateBp, surchargeRateBp } = facts
  // The tax is that of the base at cost where there is one; the two bases stay so close that it fits both.
  const costBaseCents = atCost ? (Math.abs(baseCents) > 4_000 ? baseCents + costGapCents : baseCents) : null
  return {
    ...facts,
    baseCents,
    costBaseCents,
    taxCents: vatRateBp === null ? 0 : percentOf(costBaseCents ?? baseCents, vatRateBp),
    surchargeCents: surchargeRateBp === null ? 0 : percentOf(baseCents, surchargeRateBp),
  }
}

const linesOf = (shapes: readonly LineShape[]): fc.Arbitrary<BreakdownLine[]> =>
  fc.array(
    fc
      .tuple(fc.constantFrom(...shapes), cents, fc.integer({ min: -4_000, max: 4_000 }))
      .map(([one, baseCents, gap]) => lineOf(one, baseCents, gap)),
    { minLength: 1, maxLength: 12 },
  )

// --- Constraints between the lines, customers and dates of one record

type Facts = Pick<RegistryInvoice, 'kind' | 'issueDate' | 'operationDate' | 'recipients' | 'breakdown'>

/**
 * `usual` has no constraint; the others are operations that constrain the whole record: works for public bodies (14),
 * VAT not due yet (15), collection for others (10), supplies to other EU countries (E5), regimes without sums.
 */
const PLANS = [
  'usual',
  'public works',
  'not due yet',
  'collection',
  'intra-Community',
  'without sums',
] as const
type Plan = (typeof PLANS)[number]

const PLAN_KINDS: Record<Plan, readonly RecordKind[]> = {
  usual: ['F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5'],
  'public works': ['F1', 'R1', 'R2', 'R3', 'R4'],
  'not due yet': ['F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5'],
  collection: ['F1'],
  'intra-Community': ['F1', 'F3', 'R1', 'R2', 'R4'],
  'without sums': ['F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5'],
}

function customersOf(kind: RecordKind, plan: Plan, date: BusinessDate): fc.Arbitrary<Recipient[]> {
  if (NAMELESS.includes(kind)) return fc.constant([])
  const inEurope = date < '2021-02-01' ? european : fc.oneof(european, northernIrish)
  const one = (): fc.Arbitrary<Recipient> => {
    if (plan === 'public works') return publicBody
    if (plan === 'collection' || kind === 'R3') return spanish
    if (plan === 'intra-Community') return kind === 'R2' ? inEurope : fc.oneof(inEurope, foreign)
    return kind === 'R2' ? fc.oneof(spanish, inEurope) : fc.oneof(anybody, inEurope)
  }
  return fc.array(one(), { minLength: 1, maxLength: 3 })
}

function factsOf(kind: RecordKind, plan: Plan): fc.Arbitrary<Facts> {
  const later = plan === 'public works' || plan === 'not due yet'
  const days = fc.tuple(fc.constantFrom(...ISSUE_DATES), fc.constantFrom(null, ...EARLIER_DATES))
  return days.chain(([issueDate, earlier]) => {
    const operationDate = later ? '2027-05-31' : earlier
    const date = operationDate ?? issueDate
    const rates = vatRatesAt(date).map(({ rateBp }) => rateBp)
    const vat = vatShapes(kind, date)
    const shapes: Record<Plan, () => LineShape[]> = {
      usual: () => [...vat, ...otherTaxShapes(kind)],
      'public works': () => [
        ...rates.map((rate) => shape('01', 'S1', '14', rate)),
        shape('03', 'S1', '14', 700),
      ],
      'not due yet': () => [
        ...rates.map((rate) => shape('01', 'S1', '15', rate)),
        shape('03', 'S1', '15', 700),
      ],
      collection: () => [shape('01', 'N1', '10'), shape('03', 'N1', '10'), ...vat],
      'intra-Community': () => [...['01', '02', '04'].map((regime) => shape('01', 'E5', regime)), ...vat],
      'without sums': () => vat.filter(({ regimeKey }) => WITHOUT_SUMS.includes(regimeKey ?? '')),
    }
    return fc.record({
      kind: fc.constant(kind),
      issueDate: fc.constant(issueDate),
      operationDate: fc.constant(operationDate),
      recipients: customersOf(kind, plan, date),
      breakdown: linesOf(shapes[plan]()),
    })
  })
}

const facts: fc.Arbitrary<Facts> = fc
  .oneof(
    { weight: 6, arbitrary: fc.constant<Plan>('usual') },
    { weight: 4, arbitrary: fc.constantFrom(...PLANS) },
  )
  .chain((plan) => fc.constantFrom(...PLAN_KINDS[plan]).chain((kind) => factsOf(kind, plan)))

const rectifiedAmounts = fc.record({
  method: fc.constant('S' as const),
  baseCents: cents,
  taxCents: cents,
  surchargeCents: fc.option(cents),
})

const changeMethod: fc.Arbitrary<Rectification> = fc.oneof(
  fc.constant({ method: 'I' as const }),
  rectifiedAmounts,
)

const oldKeys = fc.array(key([...ISSUE_DATES, '2019-03-02']), { maxLength: 3 })

interface Choices {
  flag: boolean
  coupon: boolean
  /** An agreement that lets simplified invoices exceed their limit. */
  agreementNumber: string | null
  maker: MadeBy | null
  /** Tax that does not follow from the base: rectifications of the tax alone. */
  taxOnlyCents: number | null
  /** Amount of a total beyond its lines, where that is allowed. */
  beyondCents: number
}

/** Returns one valid record of the facts: chooses the optional parts that its kind allows, and omits the others. */
function finished(
  drawn: Facts & { rectification: Rectification; old: InvoiceKey[]; number: string; description: string },
  choices: Choices,
): RegistryInvoice {
  const { rectification, old, ...kept } = drawn
  const { kind } = kept
  const rectifying = kind.startsWith('R')
  const nameless = NAMELESS.includes(kind)
  let { breakdown } = kept
  const agreementNumber = kind === 'F2' ? choices.agreementNumber : null
  if (kind === 'F2' && !choices.flag && agreementNumber === null) breakdown = breakdown.map(small)
  const arithmetic = !rectifying || (rectification.method === 'S' && kind !== 'R2' && kind !== 'R3')
  if (!arithmetic && choices.taxOnlyCents !== null)
    breakdown = breakdown.map((line) => withTaxOnly(line, choices.taxOnlyCents ?? 0))
  const sums = invoice({ breakdown })
  const free = breakdown.every(({ regimeKey, tax }) => tax === '01' && WITHOUT_SUMS.includes(regimeKey ?? ''))
  return {
    ...sums,
    ...kept,
    breakdown,
    totalCents: sums.totalCents + (free ? choices.beyondCents : 0),
    rectification: rectifying ? rectification : null,
    rectified: rectifying ? old : [],
    substituted: kind === 'F3' ? old : [],
    simplifiedArt7273: !nameless && choices.flag,
    withoutRecipientArt61d: nameless && choices.flag,
    coupon: (kind === 'R1' || kind === 'R5') && choices.coupon,
    agreementNumber,
    madeBy: choices.maker?.by === 'recipient' && nameless ? null : choices.maker,
  }
}

/** Reduces the line below the limit of a simplified invoice: twelve of these stay under 3,000 EUR. */
function small(line: BreakdownLine): BreakdownLine {
  const { costBaseCents } = line
  return lineOf({ ...line, atCost: costBaseCents !== null }, line.baseCents % 15_000 || 0, 0)
}

function withTaxOnly(line: BreakdownLine, taxCents: number): BreakdownLine {
  return line.tax === '01' &&
    line.taxTreatment === 'S1' &&
    line.vatRateBp !== 0 &&
    line.costBaseCents === null
    ? { ...line, baseCents: 0, taxCents }
    : line
}

const maker: fc.Arbitrary<MadeBy | null> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constant({ by: 'recipient' as const }) },
  { weight: 1, arbitrary: anybody.map((party) => ({ by: 'third_party' as const, party })) },
)

/**
 * Random invoices of every kind that an authority without records of them accepts without warnings: first records,
 * and those of numbers that it does not hold because it rejected them before.
 */
export const validInvoice: fc.Arbitrary<RegistryInvoice> = fc
  .tuple(
    facts,
    fc.record({ rectification: changeMethod, old: oldKeys, number, description: words(500) }),
    fc.record({
      flag: fc.boolean(),
      coupon: fc.boolean(),
      agreementNumber: fc.option(fc.constant('AC2026-00000017')),
      maker,
      taxOnlyCents: fc.option(fc.integer({ min: -1_000_000, max: 1_000_000 })),
      beyondCents: fc.integer({ min: -10_000_000, max: 10_000_000 }),
    }),
    fc.record({
      turn: fc.constantFrom('first' as const, 'first' as const, 'first' as const, 'unregistered' as const),
      issuer: words(120).map((name) => ({ ...ISSUER, name })),
      recordId: fc.nat(999_999).map((sequence) => `rec-${sequence + 1}`),
    }),
  )
  .map(([drawn, rest, choices, own]) => ({ ...finished({ ...drawn, ...rest }, choices), ...own }))

/**
 * Random invoices that no rule rejects, whatever the registry holds or warns about: also corrections, customers
 * outside the census (2001), self-supplies, and IPSI without a regime (2009, accepted until the end of 2026).
 */
export const admittedInvoice: fc.Arbitrary<RegistryInvoice> = fc
  .record({
    made: validInvoice,
    turn: fc.constantFrom(
      ...(['first', 'correction', 'correction_after_rejection', 'unregistered'] as const),
    ),
    more: fc.option(fc.oneof(uncensused, fc.constant<Recipient>(ISSUER))),
    regimes: fc.boolean(),
  })
  .map(({ made, turn, more, regimes }) => {
    const picky = made.breakdown.some(
      ({ regimeKey, taxTreatment }) => ['10', '14'].includes(regimeKey ?? '') || taxTreatment === 'E5',
    )
    return {
      ...made,
      turn,
      recipients: more && made.recipients.length > 0 && !picky ? [...made.recipients, more] : made.recipients,
      breakdown: regimes
        ? made.breakdown
        : made.breakdown.map((line) => (line.tax === '02' ? { ...line, regimeKey: null } : line)),
    }
  })

/** Random queries about what the registry holds, with any filters. */
export const validQuery: fc.Arbitrary<Query> = fc.record(
  {
    issuer: words(120).map((name) => ({ ...ISSUER, name })),
    byRepresentative: fc.boolean(),
    month: fc.constantFrom('2024-10', '2026-01', '2026-11', '2027-12'),
    number,
    recipient: anybody,
    issued: fc.oneof(
      fc.record({ on: fc.constantFrom(...ISSUE_DATES) }),
      fc.record({ from: fc.constantFrom(...ISSUE_DATES), to: fc.constant(TODAY) }),
    ),
    system: fc.constant({
      producer: SYSTEM.producer,
      id: SYSTEM.id,
      installationNumber: SYSTEM.installationNumber,
    }),
    recordRef: fc.nat(999).map((sequence) => `rec-${sequence + 1}`),
    after: key(ISSUE_DATES),
  },
  { requiredKeys: ['issuer', 'month'] },
)

/** Random cancellations that no rule rejects, of every kind and by every party that may request one. */
export const validCancellation: fc.Arbitrary<RegistryCancellation> = fc.record({
  recordId: fc.nat(999_999).map((sequence) => `rec-${sequence + 1}`),
  turn: fc.constantFrom(
    ...(['first', 'after_rejection', 'unregistered', 'unregistered_after_rejection'] as const),
  ),
  key: key(ISSUE_DATES),
  madeBy: fc.option(
    fc.record<CancellationMaker>({
      by: fc.constantFrom('recipient' as const, 'third_party' as const),
      party: anybody,
    }),
  ),
})
