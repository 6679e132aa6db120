/** Invoices for the tests of TicketBAI, plain and random ones, and a key to sign them with. */
import { computeTotals } from '../../../../../server/domain/tax/totals.ts'
import type { PriceMode } from '../../../../../server/domain/tax/totals.ts'
import type { Recipient } from '../../../../../server/registry/systems/ticketbai/facts.ts'
import {
  detailLines,
  invoiceContent,
  PROFILES,
  sealInvoice,
  sealingCertificate,
  softwareOf,
} from '../../../../../server/registry/systems/ticketbai/index.ts'
import type {
  Province,
  SealingContext,
  TicketBaiInvoice,
  TicketBaiLink,
} from '../../../../../server/registry/systems/ticketbai/index.ts'
import { openSigningKey } from '../../../../../server/platform/signing/index.ts'
import { makeCertificate } from '../../../../support/files/certificates.ts'
import { personalNif } from '../../../../support/nif.ts'
import type { Dice } from '../../../../support/seeded-random.ts'

export const NOW = new Date('2026-11-30T11:05:07+01:00')
const TODAY = '2026-11-30'
export const PROVINCES: readonly Province[] = ['araba', 'bizkaia', 'gipuzkoa']

const { keyPem, chainPem, caPem } = makeCertificate({ keyType: 'rsa', from: '2026-01-01', to: '2030-01-01' })
/** The root that the signer's certificate leads to. */
export const CA_PEM = caPem
export const KEY = openSigningKey({ keyPem, chainPem })

const PRODUCER = { name: '', nif: '', address: '', systemId: 'S1' }

/** Returns all that is needed to sign in the test environment of a province. */
export function context(province: Province, changes: Partial<SealingContext> = {}): SealingContext {
  const profile = PROFILES[province]
  return {
    profile,
    software: softwareOf(profile, 'test', { producer: PRODUCER, version: '1.0' }),
    certificate: sealingCertificate(KEY, false),
    attendance: 'local',
    now: NOW,
    ...changes,
  }
}

type Line = Parameters<typeof detailLines>[0][number]

export const line = (changes: Partial<Line> = {}): Line => ({
  description: 'Revisión de la caldera',
  quantityMicro: 1_000_000,
  unitPriceMicro: 100_000_000,
  discountBp: 0,
  discountCents: 0,
  taxTreatment: 'S1',
  regimeKey: '01',
  vatRateBp: 2100,
  surchargeRateBp: null,
  costCents: null,
  withholdable: true,
  isDisbursement: false,
  ...changes,
})

interface Wish {
  lines?: Line[]
  priceMode?: PriceMode
  discountBp?: number
  discountCents?: number
  withholdingRateBp?: number | null
  supplies?: ('goods' | 'services')[]
  changes?: Partial<TicketBaiInvoice>
}

/** Returns an invoice with the totals of its lines, as the program computes them. */
export function invoice(wish: Wish = {}): TicketBaiInvoice {
  const { lines = [line()], priceMode = 'net', discountBp = 0, discountCents = 0 } = wish
  const totals = computeTotals(lines, {
    priceMode,
    withholdingRateBp: wish.withholdingRateBp ?? null,
    discountBp,
    discountCents,
  })
  return {
    issuer: { nif: 'B12345674', name: 'Carpintería Ametz, S.L.' },
    number: 'F2026-0001',
    issueDate: TODAY,
    operationDate: null,
    kind: 'F1',
    rectification: null,
    rectified: [],
    substituted: [],
    simplifiedArt7273: false,
    withoutRecipientArt61d: false,
    madeBy: null,
    description: lines.map(({ description }) => description).join('; '),
    recipients: [{ name: 'Miren Etxeberria', nif: personalNif(12_345_678) }],
    coupon: false,
    breakdown: totals.taxes.map(({ outsideCents: _outside, ...row }) => ({
      ...row,
      vatRateBp: row.taxTreatment.startsWith('N') ? null : row.vatRateBp,
      tax: '01' as const,
      costBaseCents: null,
    })),
    taxTotalCents: totals.taxCents,
    totalCents: totals.registeredTotalCents,
    agreementNumber: null,
    detail: {
      issueTime: '11:05:07',
      lines: detailLines(lines, { priceMode, discountBp, discountCents }),
      withholdingCents: totals.withholding?.amountCents ?? null,
      supplies: totals.taxes.map((_, index) => wish.supplies?.[index] ?? 'services'),
      unsaidLines: [],
      addresses: [{ postcode: '48001', address: 'Kale Nagusia, 1' }],
    },
    ...wish.changes,
  }
}

const WORDS = [
  'Mahaia',
  'silla & mesa',
  '<luz>',
  'niño',
  'Ñ € 🧾',
  'a "b" \'c\'',
  'x'.repeat(300),
  'ordu bat',
  ']]>',
]

const CUSTOMERS: readonly Recipient[] = [
  { name: 'Ekoizpenak & Hijos, S.A.', nif: 'A12345674' },
  { name: 'Jon Agirre', nif: personalNif(87_654_321) },
  { name: 'Müller GmbH', country: 'DE', idType: '02', id: 'DE123456789' },
  { name: 'Smith Ltd', country: 'GB', idType: '04', id: '12-345' },
  { name: 'Ana María', country: 'AR', idType: '03', id: 'AAB123456' },
  { name: 'Sans numéro', country: 'FR', idType: '06', id: 'X1' },
]

const MAKERS: readonly TicketBaiInvoice['madeBy'][] = [
  null,
  null,
  { by: 'recipient' },
  { by: 'third_party', party: { name: 'Gestoría', nif: personalNif(1_000) } },
]

const KINDS: readonly TicketBaiInvoice['kind'][] = [
  'F1',
  'F1',
  'F1',
  'F2',
  'F3',
  'R1',
  'R2',
  'R3',
  'R4',
  'R5',
]

function randomLine(random: Dice, isAbroad: boolean, regimes: readonly string[]): Line {
  const treatment = random.pick(
    isAbroad
      ? (['S1', 'E2', 'E5', 'N2', 'N1', 'S2', 'E6'] as const)
      : (['S1', 'S1', 'S1', 'E1', 'N1', 'E6'] as const),
  )
  const vatRateBp = treatment === 'S1' ? random.pick([2100, 1000, 400, 0]) : treatment === 'S2' ? 0 : null
  const surcharges: Record<number, number> = { 2100: 520, 1000: 140, 400: 50 }
  return line({
    description: `${random.pick(WORDS)} ${random.below(1000)}`,
    quantityMicro: (random.chance(0.1) ? -1 : 1) * (random.below(5_000_000) + 1),
    unitPriceMicro: random.below(random.pick([1_000, 50_000_000, 9_000_000_000])),
    discountBp: random.chance(0.3) ? random.below(10_000) : 0,
    discountCents: random.chance(0.1) ? random.below(20) : 0,
    taxTreatment: treatment,
    regimeKey: random.pick(regimes),
    vatRateBp,
    surchargeRateBp: vatRateBp !== null && random.chance(0.2) ? (surcharges[vatRateBp] ?? null) : null,
    isDisbursement: random.chance(0.05),
  })
}

/** Returns a random invoice without faults: every kind, treatment, customer, discount and price mode. */
export function randomInvoice(random: Dice, number: number): TicketBaiInvoice {
  const kind = random.pick(KINDS)
  const isSimplified = kind === 'F2' || kind === 'R5'
  const recipients = isSimplified ? [] : [random.pick(CUSTOMERS)]
  if (recipients.length > 0 && random.chance(0.1)) recipients.push(random.pick(CUSTOMERS))
  const isAbroad = recipients.some((one) => 'idType' in one)
  const regimes = random.pick([['01'], ['01', '07'], ['18'], ['20'], ['11', '01', '14']])
  const made = Array.from({ length: 1 + random.below(6) }, () => randomLine(random, isAbroad, regimes))
  const hasVatNumber = recipients.some((one) => 'idType' in one && one.idType === '02')
  const lines = [line({ regimeKey: regimes[0]! }), ...made].map((one) =>
    one.taxTreatment === 'E5' && !hasVatNumber ? { ...one, taxTreatment: 'E2' as const } : one,
  )
  const key = (from: number) => ({
    issuerNif: 'B12345674',
    number: random.chance(0.2) ? `2019/${from}` : `F2025-${String(from).padStart(4, '0')}`,
    issueDate: `2025-0${1 + random.below(9)}-1${random.below(10)}`,
  })
  const replaces = random.chance(0.5)
  const wished = invoice({
    lines,
    priceMode: random.pick(['net', 'gross']),
    discountBp: random.chance(0.2) ? random.below(5_000) : 0,
    withholdingRateBp: random.chance(0.2) ? 1500 : null,
    changes: {
      number: `${random.pick(['F2026', 'T-F2026', 'Bilbo-B'])}-${String(number).padStart(4, '0')}`,
      kind,
      recipients,
      madeBy: isSimplified ? null : random.pick(MAKERS),
      operationDate: random.chance(0.2) ? '2026-11-02' : null,
      rectification: !kind.startsWith('R')
        ? null
        : replaces
          ? {
              method: 'S',
              baseCents: 10_000,
              taxCents: 2_100,
              surchargeCents: random.chance(0.5) ? 520 : null,
            }
          : { method: 'I' },
      rectified: kind.startsWith('R') ? [key(number), key(number + 1)] : [],
      substituted: kind === 'F3' ? [key(number)] : [],
    },
  })
  wished.detail.supplies = wished.breakdown.map(({ taxTreatment }) =>
    taxTreatment === 'E5' || taxTreatment === 'E2' || random.chance(0.5) ? 'goods' : 'services',
  )
  wished.detail.addresses = recipients.map(() =>
    random.chance(0.7) ? { postcode: '20001', address: `${random.pick(WORDS)}, 3` } : null,
  )
  wished.detail.issueTime = `0${random.below(10)}:1${random.below(10)}:2${random.below(10)}`
  return wished
}

/** Seals an invoice in the test environment of a province. */
export function sealed(made: TicketBaiInvoice, province: Province, previous: TicketBaiLink | null = null) {
  const { profile, software } = context(province)
  const content = invoiceContent(made, {
    previous,
    software,
    device: 'SN-0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  })
  return { content, ...sealInvoice(content, { profile, key: KEY, signedAt: NOW }) }
}
