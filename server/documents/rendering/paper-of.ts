/** Converts an invoice of the books to its printable form: every printed fact, from what was fixed at issue. */
import { designOf, environmentOf, findCompany, issuerFacts } from '../../company/index.ts'
import type { DesignFacts } from '../../company/index.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { DocumentLanguage } from '../../domain/languages.ts'
import { divideRounded } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { listedCents, netUnitPrice, taxesMargin } from '../../domain/tax/totals.ts'
import type { TaxTotal, Totals } from '../../domain/tax/totals.ts'
import type { Ctx } from '../../context.ts'
import {
  contentOf,
  documentTotals,
  isSimplified,
  mentionsOf,
  partyFacts,
  shownInstalments,
  totalsOf,
} from '../../sales/invoices/index.ts'
import type { DraftContent, InvoiceRow, PartyFacts } from '../../sales/invoices/index.ts'
import { firstRegistration } from '../../registry/index.ts'
import { taxSystemOfCode } from '../../tax/systems/index.ts'
import type { InvoicePaper, PaperParty } from '../pdf/index.ts'
import { paymentOf } from './payment.ts'

export function partyOf(facts: PartyFacts): PaperParty {
  const { name, tradeName, nif, street, postalCode, city, province, country, email, phone } = facts
  return { name, tradeName, nif, street, postalCode, city, province, country, email, phone }
}

/** Returns true for a group under a margin scheme: its lines show no VAT, so its sums must not either. */
function isMarginGroup(content: DraftContent, tax: TaxTotal): boolean {
  return content.lines.some(
    (line) => line.regimeKey === tax.regimeKey && line.taxTreatment === tax.taxTreatment && taxesMargin(line),
  )
}

/** Returns the printable form of the content and its totals, for every kind of document. */
export function contentOnPaper(
  content: DraftContent,
  totals: Totals,
): Pick<
  InvoicePaper,
  | 'language'
  | 'kind'
  | 'taxName'
  | 'currency'
  | 'inEuros'
  | 'references'
  | 'rectification'
  | 'priceMode'
  | 'operationDate'
  | 'dueDate'
  | 'instalments'
  | 'client'
  | 'lines'
  | 'taxes'
  | 'documentDiscountCents'
  | 'documentDiscount'
  | 'baseCents'
  | 'taxCents'
  | 'surchargeCents'
  | 'outsideCents'
  | 'disbursementsCents'
  | 'totalCents'
  | 'withholding'
  | 'replacedCents'
  | 'amountDueCents'
  | 'legalMentions'
  | 'notes'
  | 'customerReferences'
> {
  const shown = content.currency ? documentTotals(content) : totals
  const hasClient = !isSimplified(content.kind) || content.client.nif !== null
  const replacedCents = inCurrency(content, content.replacedCents)
  return {
    language: content.language,
    kind: content.kind,
    taxName: taxSystemOfCode(content.tax).name,
    currency: content.currency?.code ?? 'EUR',
    inEuros: content.currency
      ? {
          fxMicro: content.currency.fxMicro,
          fxDate: content.currency.fxDate,
          taxCents: totals.taxCents,
          totalCents: totals.totalCents,
        }
      : null,
    references: content.references.map(({ role, number, issueDate }) => ({ role, number, issueDate })),
    rectification: content.rectification && {
      method: content.rectification.method,
      reason: content.rectification.reason,
    },
    priceMode: content.priceMode,
    operationDate: content.operationDate,
    dueDate: content.dueDate,
    instalments: shownInstalments(content, totals),
    client: hasClient ? partyOf(content.client) : null,
    lines: content.lines.map((line, index) => ({
      description: line.description,
      quantityMicro: line.quantityMicro,
      unit: line.unit,
      unitPriceMicro: line.unitPriceMicro,
      discountBp: line.discountBp,
      discountCents: line.discountCents,
      taxTreatment: line.taxTreatment,
      vatRateBp: line.vatRateBp,
      surchargeRateBp: line.surchargeRateBp,
      isDisbursement: line.isDisbursement,
      isMargin: taxesMargin(line),
      netCents: shown.lineNetsCents[index] ?? 0,
      listedCents: listedCents(line),
      netUnitPriceMicro: netUnitPrice(line, content.priceMode),
    })),
    taxes: shown.taxes.map((tax) => {
      const { regimeKey: _regimeKey, ...facts } = tax
      return { ...facts, isMargin: isMarginGroup(content, tax) }
    }),
    documentDiscountCents: shown.documentDiscountCents,
    documentDiscount: { rateBp: content.discountBp, cents: content.discountCents },
    baseCents: shown.baseCents,
    taxCents: shown.taxCents,
    surchargeCents: shown.surchargeCents,
    outsideCents: shown.outsideCents,
    disbursementsCents: shown.disbursementsCents,
    totalCents: shown.totalCents,
    withholding: shown.withholding,
    replacedCents,
    amountDueCents: shown.amountDueCents - replacedCents,
    legalMentions: mentionsOf(content, totals),
    notes: content.notes,
    customerReferences: content.customerReferences,
  }
}

/** Converts euros to the currency of the document. */
function inCurrency({ currency }: DraftContent, cents: Cents): Cents {
  if (currency === null) return cents
  return Number(divideRounded(BigInt(cents) * BigInt(currency.fxMicro), 1_000_000n))
}

/** Returns the company's current facts for its documents. */
export async function companyOnPaper(
  ctx: Ctx,
): Promise<Pick<InvoicePaper, 'environment' | 'accent' | 'logo' | 'footer'> & { design: DesignFacts }> {
  const design = await designOf(ctx)
  const { accent, footer, logo } = design
  return {
    environment: environmentOf(ctx),
    accent,
    footer,
    logo: logo && { bytes: logo.bytes, width: logo.width, height: logo.height },
    design,
  }
}

export interface PaperWish {
  /** Null for the invoice's own. */
  language?: DocumentLanguage | null
  /** Null for the company's format of simplified invoices. */
  format?: InvoicePaper['format'] | null
}

/** Returns the printable form of an invoice. A draft shows the company as it is now, an issued invoice as it was. */
export async function paperOf(ctx: Ctx, row: InvoiceRow, wish: PaperWish = {}): Promise<InvoicePaper> {
  const own = await contentOf(ctx.db, row)
  const content = { ...own, language: wish.language ?? own.language }
  const issuer =
    row.issuer_id === null ? issuerFacts(await findCompany(ctx)) : await partyFacts(ctx.db, row.issuer_id)
  const { design, ...company } = await companyOnPaper(ctx)
  return invoiceOnPaper(row, {
    content,
    totals: totalsOf(content),
    issuer,
    company,
    format: wish.format ?? (isSimplified(content.kind) ? design.simplifiedFormat : 'a4'),
    withQr: design.paymentQr,
    registry: row.state === 'draft' ? null : await firstRegistration(ctx, row.id),
    today: ctx.today(),
  })
}

interface OnPaper {
  content: DraftContent
  /** In euros. */
  totals: Totals
  issuer: PartyFacts
  company: Pick<InvoicePaper, 'environment' | 'accent' | 'logo' | 'footer'>
  format: InvoicePaper['format']
  /** The company wants a code for banking apps. */
  withQr: boolean
  registry: InvoicePaper['registry']
  /** Printed as the day of a draft without one. */
  today: BusinessDate
}

/** Returns the printable form of an invoice from everything that it shows. Pure. */
export function invoiceOnPaper(
  row: Pick<InvoiceRow, 'state' | 'number' | 'issue_date' | 'issued_at' | 'created_at'>,
  { content, totals, issuer, company, format, withQr, registry, today }: OnPaper,
): InvoicePaper {
  const onPaper = contentOnPaper(content, totals)
  return {
    ...onPaper,
    ...company,
    document: 'invoice',
    format,
    hidesPrices: false,
    state: row.state === 'draft' ? 'draft' : 'issued',
    number: row.number,
    issueDate: row.issue_date ?? today,
    validUntil: null,
    issuer: { ...partyOf(issuer), registryInscription: issuer.registryInscription },
    payment: paymentOf({
      content,
      issuer,
      number: row.number,
      amountDueCents: onPaper.amountDueCents,
      instalments: onPaper.instalments,
      isPayable: row.state === 'issued' && company.environment === 'production',
      withQr,
    }),
    registry,
    createdAt: new Date(row.issued_at ?? row.created_at).toISOString(),
  }
}
