/** Plain records for the registry's tests: a valid one, to be varied field by field. */
import { percentOf } from '../../../server/domain/money.ts'
import type {
  BreakdownLine,
  ChainLink,
  RegistryCancellation,
  RegistryInvoice,
  SystemInfo,
} from '../../../server/registry/systems/verifactu/record/fields.ts'

export const TODAY = '2026-11-16'
export const GENERATED_AT = '2026-11-16T10:00:00+01:00'
export const NOW = new Date('2026-11-16T09:00:02Z')

export const ISSUER = { nif: '89890001K', name: 'EMISOR DE EJEMPLO' }

export const SYSTEM: SystemInfo = {
  producer: { name: 'PRODUCTOR DE PRUEBA', nif: '89890001K' },
  name: 'Sello',
  id: 'S1',
  version: '0.1.0',
  installationNumber: '20261115100000-0001',
  onlyVerifactu: true,
  multiIssuer: true,
  severalIssuers: false,
}

export const PREVIOUS: ChainLink = {
  issuerNif: ISSUER.nif,
  number: 'T-F2026-0001',
  issueDate: '2026-11-15',
  hash: '0793F0C7DF0ACD0A74A3341E75C2A56FDE29E19DDC0A61F9C6B3909A0862B7F8',
}

/** Returns a taxed line of the general regime. */
export function taxed(
  baseCents: number,
  vatRateBp = 2100,
  surchargeRateBp: number | null = null,
): BreakdownLine {
  return {
    tax: '01',
    taxTreatment: 'S1',
    regimeKey: '01',
    vatRateBp,
    baseCents,
    costBaseCents: null,
    taxCents: percentOf(baseCents, vatRateBp),
    surchargeRateBp,
    surchargeCents: surchargeRateBp === null ? 0 : percentOf(baseCents, surchargeRateBp),
  }
}

/** Returns a line without tax: exempt, not subject, or (with rate 0) reverse charge. */
export function untaxed(
  taxTreatment: BreakdownLine['taxTreatment'],
  baseCents: number,
  regimeKey = '01',
): BreakdownLine {
  const vatRateBp = taxTreatment === 'S2' ? 0 : null
  return {
    tax: '01',
    taxTreatment,
    regimeKey,
    vatRateBp,
    baseCents,
    costBaseCents: null,
    taxCents: 0,
    surchargeRateBp: null,
    surchargeCents: 0,
  }
}

/** Returns a valid F1 with changes; the totals follow the breakdown unless they are given. */
export function invoice(changes: Partial<RegistryInvoice> = {}): RegistryInvoice {
  const breakdown = changes.breakdown ?? [taxed(10_000)]
  const taxTotalCents = breakdown.reduce((sum, line) => sum + line.taxCents + line.surchargeCents, 0)
  return {
    recordId: 'rec_0000000000000001',
    turn: 'first',
    issuer: ISSUER,
    number: 'T-F2026-0002',
    issueDate: TODAY,
    operationDate: null,
    kind: 'F1',
    rectification: null,
    rectified: [],
    substituted: [],
    simplifiedArt7273: false,
    withoutRecipientArt61d: false,
    madeBy: null,
    description: 'Servicios de noviembre',
    recipients: [{ name: 'CLIENTE DE EJEMPLO', nif: '89890002E' }],
    coupon: false,
    agreementNumber: null,
    taxTotalCents,
    totalCents: breakdown.reduce((sum, line) => sum + line.baseCents, taxTotalCents),
    ...changes,
    breakdown,
  }
}

/** Returns the usual cancellation of the plain invoice, with changes. */
export function cancellation(changes: Partial<RegistryCancellation> = {}): RegistryCancellation {
  return {
    recordId: 'rec_0000000000000002',
    turn: 'first',
    key: { issuerNif: ISSUER.nif, number: 'T-F2026-0002', issueDate: TODAY },
    madeBy: null,
    ...changes,
  }
}
