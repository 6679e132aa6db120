/** What the check of an issue starts from, made of a content without a store: the rows are written as the store has them. */
import fc from 'fast-check'
import type { Evidence } from '../../../../server/documents/truth/check.ts'
import { buildRegistration } from '../../../../server/registry/systems/verifactu/record/xml.ts'
import { qrUrl } from '../../../../server/registry/systems/verifactu/record/qr.ts'
import { totalsOf } from '../../../../server/sales/invoices/index.ts'
import type { DraftContent, PartyFacts } from '../../../../server/sales/invoices/index.ts'
import { operationOf } from '../../../../server/sales/invoices/issue/counting.ts'
import { registrationOf } from '../../../../server/sales/invoices/issue/registration.ts'
import { header } from '../../../../server/sales/invoices/fields.ts'
import { partsOf } from '../../../../server/tax/totals/parts.ts'
import { ISSUER, randomContent } from '../e-invoice/samples.ts'

const SYSTEM = {
  producer: { name: 'Productor', nif: '89890001K' },
  name: 'Sello',
  id: 'S1',
  version: '0.1.0',
  installationNumber: '1',
  onlyVerifactu: true,
  multiIssuer: true,
  severalIssuers: false,
}

const columnsOf = (prefix: string, facts: PartyFacts) => ({
  [`${prefix}name`]: facts.name,
  [`${prefix}nif`]: facts.nif,
  [`${prefix}id_type`]: facts.idType,
  [`${prefix}country`]: facts.country,
})

/** Returns the evidence of an invoice that was issued on a day under a number. */
export function evidenceOf(
  content: DraftContent,
  { number = 'F2026-0042', issueDate = '2026-06-03', issuer = ISSUER as PartyFacts } = {},
): Evidence {
  const totals = totalsOf(content)
  const registration = registrationOf(content, totals, { number, issueDate, issuer })
  const { xml, hash } = buildRegistration(
    { ...registration, recordId: 'rec-1' },
    null,
    SYSTEM,
    '2026-06-03T10:00:00+02:00',
  )
  const row = {
    id: 1,
    public_id: 'inv_1',
    state: 'issued',
    number,
    issue_date: issueDate,
    list_date: issueDate,
    issued_at: Date.parse('2026-06-03T08:00:00Z'),
    created_at: Date.parse('2026-06-03T08:00:00Z'),
    kind: content.kind,
    tax: content.tax,
    price_mode: content.priceMode,
    base_cents: totals.baseCents,
    tax_cents: totals.taxCents,
    surcharge_cents: totals.surchargeCents,
    outside_cents: totals.outsideCents,
    disbursements_cents: totals.disbursementsCents,
    total_cents: totals.totalCents,
    withholding_bp: content.withholdingBp,
    withholding_base_cents: totals.withholding?.baseCents ?? 0,
    withholding_cents: totals.withholding?.amountCents ?? 0,
    replaced_cents: content.replacedCents,
    discount_bp: content.discountBp,
    discount_cents: content.discountCents,
    currency: content.currency?.code ?? 'EUR',
    fx_micro: content.currency?.fxMicro ?? null,
    fx_date: content.currency?.fxDate ?? null,
    rectification_method: content.rectification?.method ?? null,
    rectified_base_cents: content.rectification?.rectified?.baseCents ?? null,
    rectified_tax_cents: content.rectification?.rectified?.taxCents ?? null,
    rectified_surcharge_cents: content.rectification?.rectified?.surchargeCents ?? null,
    property_situation: null,
    cadastral_ref: null,
    instalments: content.instalments === null ? null : JSON.stringify(content.instalments),
    ...header.toColumns(content),
    ...columnsOf('client_', content.client),
  } as unknown as Evidence['row']
  const lines = content.lines.map((line, position) => ({
    position,
    description: line.description,
    quantity_micro: line.quantityMicro,
    unit: line.unit,
    unit_price_micro: line.unitPriceMicro,
    discount_bp: line.discountBp,
    discount_cents: line.discountCents,
    tax_treatment: line.taxTreatment,
    regime_key: line.regimeKey,
    vat_rate_bp: line.vatRateBp,
    surcharge_bp: line.surchargeRateBp,
    is_disbursement: line.isDisbursement ? 1 : 0,
    cost_cents: line.costCents,
    net_cents: totals.lineNetsCents[position] ?? 0,
  })) as unknown as Evidence['lines']
  const taxes = totals.taxes.map((tax) => ({
    tax_treatment: tax.taxTreatment,
    regime_key: tax.regimeKey,
    vat_rate_bp: tax.vatRateBp,
    base_cents: tax.baseCents,
    tax_cents: tax.taxCents,
    surcharge_bp: tax.surchargeRateBp,
    surcharge_cents: tax.surchargeCents,
    outside_cents: tax.outsideCents,
  })) as unknown as Evidence['taxes']
  const counted = partsOf(operationOf({ rowId: 1, content, totals, issueDate })).map(
    ({ group, month, ...amounts }) => ({
      month,
      tax_treatment: group.taxTreatment,
      regime_key: group.regimeKey,
      vat_rate_bp: group.vatRateBp,
      surcharge_bp: group.surchargeBp,
      base_cents: amounts.baseCents,
      tax_cents: amounts.taxCents,
      surcharge_cents: amounts.surchargeCents,
    }),
  )
  return {
    row,
    lines,
    taxes,
    references: content.references,
    issuer,
    content,
    totals,
    record: {
      recordId: 'rec-1',
      hash,
      qrUrl: qrUrl('production', {
        issuerNif: issuer.nif ?? '',
        number,
        issueDate,
        totalCents: totals.registeredTotalCents,
      }),
      generatedAt: '2026-06-03T10:00:00+02:00',
      xml,
      issuerNif: issuer.nif,
      issuerName: issuer.name,
    },
    counted,
    environment: 'production',
    today: issueDate,
  }
}

const KINDS: DraftContent['kind'][] = ['F1', 'F2', 'F3']
const RECTIFYING: DraftContent['kind'][] = ['R1', 'R2', 'R3', 'R4', 'R5']
const PLANS: DraftContent['instalments'][] = [
  null,
  null,
  null,
  [
    { dueDate: '2026-07-03', percentBp: 3333, cents: null },
    { dueDate: '2026-08-03', percentBp: null, cents: null },
  ],
]

/** A line under a margin scheme states its cost: a draft without one is refused. */
const withItsCost = (line: DraftContent['lines'][number]): DraftContent['lines'][number] =>
  line.taxTreatment === 'S1' && ['03', '05'].includes(line.regimeKey) && line.costCents === null
    ? { ...line, costCents: 0 }
    : line

/** Random invoices of every kind and treatment, in a language. */
export const randomInvoice = (languages: readonly DraftContent['language'][]): fc.Arbitrary<DraftContent> =>
  fc
    .record({
      random: randomContent,
      language: fc.constantFrom(...languages),
      nth: fc.nat(),
      instalments: fc.constantFrom(...PLANS),
    })
    .map(({ random, language, nth, instalments }) => {
      const kinds = random.kind === 'F1' ? KINDS : RECTIFYING
      const kind = kinds[nth % kinds.length] ?? random.kind
      return {
        ...random,
        lines: random.lines.map(withItsCost),
        kind,
        language,
        instalments,
        ...(instalments === null ? {} : { dueDate: instalments[0]?.dueDate ?? null }),
      }
    })
