/** The invoice as the paper on screen shows it, from a draft's form or from the books: what the printed one says. Pure. */
import type { OutputOf } from '../../server/contracts.ts'
import {
  centsFromEuros,
  eurosFromCents,
  numberFromMicro,
  percentFromBasisPoints,
} from '../../server/core/money.ts'
import type { Totals } from '../../server/core/totals.ts'
import {
  clientNameOf,
  eurosOf,
  formOf,
  isBlank,
  isMarginScheme,
  isSimplified,
  totalsLineOf,
  totalsOf,
} from './draft.ts'
import type { DraftForm, Invoice, InvoiceKind, LineForm } from './draft.ts'
import { inCurrency, noRateWord, sumsOf } from './paper-sums.ts'
import type { PaperSum } from './paper-sums.ts'
import { paperFigures, paperWords, TAGS } from './paper-words.ts'
import type { PaperWords } from './paper-words.ts'

export { paperFigures, paperWords } from './paper-words.ts'
export type { PaperWords } from './paper-words.ts'
export type { PaperSum } from './paper-sums.ts'

export type Company = OutputOf<'company.current'>

export interface PaperParty {
  name: string
  nif: string | null
  lines: string[]
}

export interface PaperLine {
  description: string
  quantity: number
  unit: string
  unitPrice: number
  discount: string
  vat: string
  net: number
}

export interface Paper {
  language: 'es' | 'en'
  title: string
  number: string | null
  issueDate: string
  operationDate: string | null
  dueDate: string | null
  issuer: PaperParty
  client: PaperParty | null
  /** IVA, IGIC or IPSI, in the words of the language. */
  taxName: string
  /** ISO 4217. */
  currency: string
  lines: PaperLine[]
  showsDiscount: boolean
  /** Above the columns of money: what the amounts below include. */
  headings: { price: string; amount: string }
  sums: PaperSum[]
  /** What it rectifies or stands for, and what the law wants said. */
  mentions: string[]
  notes: string | null
  foot: string
  qrUrl: string | null
  /** Of what is no invoice: no QR, and its own words before the dates. */
  plain?: { issued: string; due: string }
  watermark: string | null
}

/** What only the books know of a draft or an invoice; a draft that is not kept yet has none of it. */
export type KeptFacts = Pick<
  Invoice,
  'legalMentions' | 'rectifies' | 'substitutes' | 'rectification' | 'replaced' | 'taxName'
>

function titleOf(kind: InvoiceKind, words: PaperWords): string {
  if (kind === 'R5') return words.rectifyingSimplified
  if (kind.startsWith('R')) return words.rectifying
  return kind === 'F2' ? words.simplified : words.invoice
}

function vatWord(line: LineForm, language: 'es' | 'en'): string {
  const { percent } = paperFigures(language)
  const exact = totalsLineOf(line)
  if (line.isDisbursement || isMarginScheme(line)) return '—'
  const why = noRateWord(line.taxTreatment, exact.vatRateBp, language, 'short')
  if (why !== null) return why
  const rate = percent(percentFromBasisPoints(exact.vatRateBp ?? 0))
  return exact.surchargeRateBp ? `${rate} + ${percent(percentFromBasisPoints(exact.surchargeRateBp))}` : rate
}

function headingsOf({ priceMode, language }: DraftForm, lines: readonly LineForm[]): Paper['headings'] {
  const words = paperWords(language)
  if (priceMode === 'net') return { price: words.price, amount: words.amount }
  // Under the margin scheme the amounts stay as the customer pays them: its tax must not be told.
  return {
    price: words.grossPrice,
    amount: lines.some(isMarginScheme) ? words.amount : words.amountWithoutVat,
  }
}

/** A percentage, an amount, or one after the other. */
function discountWord(line: LineForm, form: DraftForm): string {
  const { percent, money } = paperFigures(form.language)
  const { discountBp, discountCents } = totalsLineOf(line)
  return [
    discountBp === 0 ? '' : percent(percentFromBasisPoints(discountBp)),
    discountCents === 0 ? '' : money(-eurosFromCents(discountCents), form.currency),
  ]
    .filter(Boolean)
    .join(' ')
}

interface Place {
  street?: string
  postalCode?: string
  city?: string
  province?: string
  country?: string
}

/** The lines under a name. The country is named once one of the two parties is abroad. */
function placeLines(address: Place | undefined | null, abroad: boolean, language: 'es' | 'en'): string[] {
  if (!address) return []
  const { street = '', postalCode, city, province, country } = address
  const town = [postalCode, city].filter(Boolean).join(' ')
  const region = province && province !== city ? ` (${province})` : ''
  const name =
    abroad && country
      ? (new Intl.DisplayNames([TAGS[language]], { type: 'region', fallback: 'code' }).of(country) ?? country)
      : ''
  return [street, town + region, name].filter((line) => line.trim() !== '')
}

/** Methods by which money comes to the company's account, so that the account is worth printing. */
const TO_ACCOUNT: readonly (string | null)[] = [null, 'transfer', 'direct_debit']

function footOf(
  iban: string | undefined,
  method: string | null,
  inscription: string | undefined,
  language: 'es' | 'en',
): string {
  const account =
    iban && TO_ACCOUNT.includes(method)
      ? `${paperWords(language).payTo} ${iban.replace(/\s+/g, '').replace(/(.{4})(?=.)/g, '$1 ')}`
      : ''
  return [account, inscription ?? ''].filter(Boolean).join(' · ')
}

/** What it rectifies or stands for, and why (RD 1619/2012 art. 15.4). */
function referenceWords(kept: KeptFacts | null, form: DraftForm): string[] {
  const rectification = form.rectification ?? kept?.rectification
  const words = paperWords(form.language)
  const { day } = paperFigures(form.language)
  const named = (list: KeptFacts['rectifies']) =>
    list.map(({ number, issueDate }) => `${number} (${day(issueDate)})`).join(', ')
  const said: string[] = []
  if (rectification) {
    const how = rectification.method === 'S' ? words.bySubstitution : words.byDifferences
    const what = named(kept?.rectifies ?? [])
    said.push(what === '' ? `${words.rectifies} ${how}` : `${words.rectifies} ${how}: ${what}`)
    const reason = rectification.reason?.trim()
    if (reason) said.push(`${words.reason}: ${reason}`)
  }
  const substituted = named(kept?.substitutes ?? [])
  if (substituted !== '') said.push(`${words.substitutes}: ${substituted}`)
  return said
}

/** The company as it issues now. */
interface Issuer {
  name: string
  nif: string | null
  address: Place | undefined
  contact: string
}

function issuerNow(company: Company): Issuer {
  const { legalName, nif, address, email, phone } = company
  return { name: legalName, nif, address, contact: [email, phone].filter(Boolean).join(' · ') }
}

function draw(
  form: DraftForm,
  totals: Totals,
  issuer: Issuer,
  kept: KeptFacts | null,
): Omit<Paper, 'number' | 'issueDate' | 'foot' | 'qrUrl' | 'watermark'> {
  const { language, client } = form
  const words = paperWords(language)
  const lines = form.lines.filter((line) => !isBlank(line))
  const abroad = client.country !== 'ES' || (issuer.address?.country ?? 'ES') !== 'ES'
  const euros = eurosOf(form, totals)
  const taxName = kept === null || kept.taxName === 'IVA' ? words.vat : kept.taxName
  const replacedCents = inCurrency(
    centsFromEuros(kept?.replaced ?? 0) ?? 0,
    form.currency === 'EUR' ? null : form.fxMicro,
  )
  return {
    language,
    title: titleOf(form.kind, words),
    operationDate: form.operationDate,
    dueDate: form.dueDate,
    issuer: {
      name: issuer.name,
      nif: issuer.nif,
      lines: [...placeLines(issuer.address, abroad, language), issuer.contact].filter(Boolean),
    },
    client:
      isSimplified(form.kind) && client.nif.trim() === ''
        ? null
        : {
            name: clientNameOf(form, '') || '…',
            nif: client.nif.trim() || null,
            lines: placeLines(client, abroad, language),
          },
    taxName,
    currency: form.currency,
    lines: lines.map((line, index) => {
      const exact = totalsLineOf(line)
      return {
        description: line.description.trim() || '…',
        quantity: numberFromMicro(exact.quantityMicro),
        unit: line.unit.trim(),
        unitPrice: numberFromMicro(exact.unitPriceMicro),
        discount: discountWord(line, form),
        vat: vatWord(line, language),
        net: eurosFromCents(totals.lineNetsCents[index] ?? 0),
      }
    }),
    showsDiscount: lines.some((line) => discountWord(line, form) !== ''),
    headings: headingsOf(form, lines),
    sums: sumsOf({
      language,
      taxName,
      totals,
      replacedCents,
      currency: form.currency,
      fxMicro: form.fxMicro,
      fxDate: form.fxDate,
      euros,
    }),
    mentions: [...referenceWords(kept, form), ...(kept?.legalMentions ?? [])],
    notes: form.notes.trim() || null,
  }
}

/** The paper of what is being written. `totals` are those of the form; `kept` is the draft as the books have it. */
export function paperOfForm(
  form: DraftForm,
  totals: Totals,
  company: Company,
  kept: KeptFacts | null = null,
): Paper {
  const words = paperWords(form.language)
  return {
    ...draw(form, totals, issuerNow(company), kept),
    number: null,
    issueDate: form.issueDate ?? company.today,
    foot: footOf(company.iban, form.paymentMethod, company.registryInscription, form.language),
    qrUrl: null,
    watermark: company.registry.environment !== 'production' ? words.test : words.watermark,
  }
}

function watermarkOf(invoice: Invoice, company: Company | null): string | null {
  const words = paperWords(invoice.language)
  if (invoice.cancelledAt) return words.annulled
  if (company !== null && company.registry.environment !== 'production') return words.test
  return invoice.state === 'draft' ? words.watermark : null
}

function issuerOf(invoice: Invoice, company: Company | null): Issuer {
  const { issuer } = invoice
  if (issuer)
    return { name: issuer.name, nif: issuer.nif, address: issuer.address, contact: issuer.email ?? '' }
  return company ? issuerNow(company) : { name: '', nif: null, address: undefined, contact: '' }
}

/** The paper of an invoice of the books: an issued one as it was issued, a draft with the company as it is. */
export function paperOfInvoice(invoice: Invoice, company: Company | null): Paper {
  const issueDate = invoice.issueDate ?? company?.today ?? invoice.createdAt.slice(0, 10)
  // The same form the editor has: its sums are the document's, in its own currency.
  const form = formOf(invoice, issueDate)
  return {
    ...draw(form, totalsOf(form), issuerOf(invoice, company), invoice),
    number: invoice.number,
    issueDate,
    foot: footOf(company?.iban, invoice.paymentMethod, company?.registryInscription, invoice.language),
    qrUrl: invoice.registry.qrUrl ?? null,
    watermark: watermarkOf(invoice, company),
  }
}
