/** The form state of a draft, and its conversion from and to the API. Pure: no page, no network, no sums of its own. */
import type { InputOf, OutputOf } from '../../../../server/api/contracts.ts'
import { addDays } from '../../../../server/domain/dates.ts'
import type { BusinessDate } from '../../../../server/domain/dates.ts'
import { instalmentsOfTerms } from '../../../../server/domain/tax/instalments.ts'
import type { Instalment } from '../../../../server/domain/tax/instalments.ts'
import type { DocumentLanguage } from '../../../../server/domain/languages.ts'
import {
  basisPointsFromPercent,
  centsFromEuros,
  eurosFromCents,
  microFromNumber,
  numberFromMicro,
  percentFromBasisPoints,
} from '../../../../server/domain/money.ts'
import type { BasisPoints, Cents, Micro } from '../../../../server/domain/money.ts'
import {
  isOneStopShop,
  usualRegime,
  computeTotals,
  inEuros,
  taxesMargin,
} from '../../../../server/domain/tax/totals.ts'
import type { PriceMode, TaxTreatment, Totals, TotalsLine } from '../../../../server/domain/tax/totals.ts'
import { isUnchosen, taxSystem, usualRateAt, usualSale } from '../../../tax/tax-system.ts'
import { isSimplified } from '../../../../server/sales/invoices/kinds.ts'
import { isSalesAccount } from '../../../../server/sales/invoices/limits.ts'
import { headerFormOf, headerInput } from './header-form.ts'
import type { HeaderForm } from './header-form.ts'

export type Invoice = OutputOf<'invoices.get'>
export type InvoiceKind = Invoice['kind']
export type DraftInput = InputOf<'invoices.create'>
type LineInput = DraftInput['lines'][number]
export type Contact = Omit<OutputOf<'contacts.get'>, 'invoices' | 'invoiced' | 'owed' | 'lastInvoiceOn'>
export type IdType = NonNullable<Contact['idType']>

/** The editable cells of a line; also the names of their faults. */
export const CELLS = ['description', 'quantity', 'unitPrice', 'discount', 'vat'] as const
export type Cell = (typeof CELLS)[number]
/** Fields of a line outside the grid, in the strip under it. */
export type StripCell = 'discountAmount' | 'cost' | 'foreignRate' | 'account' | 'supply'
/** Fields of a line that hold a number, which may be unreadable. */
export type FigureCell = 'quantity' | 'unitPrice' | 'discount' | 'discountAmount' | 'cost' | 'foreignRate'
export const FIGURE_CELLS: readonly FigureCell[] = [
  'quantity',
  'unitPrice',
  'discount',
  'discountAmount',
  'cost',
  'foreignRate',
]
export type PropertySituation = NonNullable<NonNullable<DraftInput['property']>['situation']>

export interface LineForm {
  /** Identity on the page; never sent to the server. */
  key: number
  description: string
  quantityMicro: Micro | null
  unitPriceMicro: Micro | null
  discountBp: BasisPoints | null
  taxTreatment: TaxTreatment
  /** Stored so that the rate returns when the treatment becomes S1 again. */
  vatRateBp: BasisPoints
  surchargeBp: BasisPoints | null
  /** Null for the default key of the treatment. */
  regimeKey: string | null
  unit: string
  withholdable: boolean
  isDisbursement: boolean
  discountCents: Cents
  /** Cost of the item, under a margin scheme. */
  costCents: Cents | null
  /** Why the line bears no tax, if a user chose a cause. */
  cause: string | null
  itemId: string | null
  /** As typed; sent only once it has the format of an account. */
  account: string
  /** What it sells, for registries that list it; empty where nobody has said it. */
  supply: '' | LineSupply
  /** Texts that could not be read, by cell: such a cell counts as empty until it is fixed. */
  unread: Partial<Record<FigureCell, string>>
  /** True while the strip with the rare fields is open. */
  open: boolean
}

export interface ClientForm {
  id: string | null
  name: string
  nif: string
  idType: IdType | ''
  country: string
  street: string
  postalCode: string
  city: string
  province: string
  email: string
  /** True if the customer bears the equivalence surcharge: new taxed lines get it. */
  surcharge: boolean
  /** How sales to the customer are usually taxed, if not in the default way. */
  vatDefault?: Contact['vatDefault']
}

export interface DraftForm extends HeaderForm {
  client: ClientForm
  kind: InvoiceKind
  series: string
  /** Null means the day of issue. */
  issueDate: BusinessDate | null
  /** Days from the issue date to the due date; null once the due date was chosen by hand. */
  dueDays: number | null
  /** Several due dates; null for one. */
  instalments: Instalment[] | null
  lines: LineForm[]
  withholdingBp: BasisPoints | null
  priceMode: PriceMode
  /** Discount on the whole document. */
  discountBp: BasisPoints
  discountCents: Cents
  /** ISO 4217. */
  currency: string
  /** Units of that currency per euro; null in euros, and until a rate is given. */
  fxMicro: Micro | null
  fxDate: BusinessDate | null
  fxSource: string
  /** The rented premises; null for anything but a rent, undefined in documents that do not state it. */
  property: { situation: PropertySituation; cadastralRef: string } | null | undefined
  /** Method and cause of a rectifying invoice; the server holds its references. */
  rectification: NonNullable<DraftInput['rectification']> | null
}

/** A document in euros without a discount on the whole. */
const EUROS = {
  discountBp: 0,
  discountCents: 0,
  currency: 'EUR',
  fxMicro: null,
  fxDate: null,
  fxSource: '',
} satisfies Partial<DraftForm>

export const EMPTY_CLIENT: ClientForm = {
  id: null,
  name: '',
  nif: '',
  idType: '',
  country: 'ES',
  street: '',
  postalCode: '',
  city: '',
  province: '',
  email: '',
  surcharge: false,
}

let lastKey = 0
/** Returns a new identity for a line. */
export function nextLineKey(): number {
  return ++lastKey
}

/** Returns the day whose rates apply: of the operation, else of the invoice, else today. */
export function rateDateOf(
  form: Pick<DraftForm, 'operationDate' | 'issueDate'>,
  today: BusinessDate,
): BusinessDate {
  return form.operationDate ?? form.issueDate ?? today
}

export function emptyLine(rateDate: BusinessDate, surcharge = false): LineForm {
  const line: LineForm = {
    key: nextLineKey(),
    description: '',
    quantityMicro: 1_000_000,
    unitPriceMicro: null,
    discountBp: null,
    vatRateBp: usualRateAt(rateDate),
    surchargeBp: null,
    regimeKey: null,
    unit: '',
    withholdable: true,
    isDisbursement: false,
    discountCents: 0,
    costCents: null,
    ...usualSale(),
    itemId: null,
    account: '',
    supply: '',
    unread: {},
    open: false,
  }
  line.surchargeBp = usualSurcharge(line, surcharge, rateDate)
  return line
}

/** Returns whether nothing was typed in the line: it is not part of the invoice. */
export function isBlank(line: LineForm): boolean {
  return (
    line.description.trim() === '' && line.unitPriceMicro === null && Object.keys(line.unread).length === 0
  )
}

/** Returns the surcharge that a line gets by default, as the server infers it. */
export function usualSurcharge(
  line: Pick<LineForm, 'taxTreatment' | 'isDisbursement' | 'vatRateBp'>,
  surcharge: boolean,
  rateDate: BusinessDate,
): BasisPoints | null {
  if (!surcharge || line.taxTreatment !== 'S1' || line.isDisbursement) return null
  return taxSystem.value.rateAt(line.vatRateBp, rateDate)?.surchargesBp[0] ?? null
}

export interface NewDraft {
  today: BusinessDate
  paymentDays: number
  withholdingPct: number | null
  language: DocumentLanguage
}

/** Returns the form of an invoice that does not exist yet. */
export function emptyForm(defaults: NewDraft): DraftForm {
  return {
    client: { ...EMPTY_CLIENT },
    kind: 'F1',
    series: '',
    issueDate: null,
    ...headerFormOf({ language: defaults.language }),
    dueDate: addDays(defaults.today, defaults.paymentDays),
    dueDays: defaults.paymentDays,
    instalments: null,
    lines: [emptyLine(defaults.today)],
    withholdingBp: defaults.withholdingPct === null ? null : basisPointsFromPercent(defaults.withholdingPct),
    priceMode: 'net',
    ...EUROS,
    property: null,
    rectification: null,
  }
}

function lineOf(line: Invoice['lines'][number], rateDate: BusinessDate): LineForm {
  return {
    key: nextLineKey(),
    description: line.description,
    quantityMicro: line.missing?.includes('quantity') ? null : microFromNumber(line.quantity),
    unitPriceMicro: line.missing?.includes('unitPrice') ? null : microFromNumber(line.unitPrice),
    discountBp: line.discountPct === 0 ? null : basisPointsFromPercent(line.discountPct),
    taxTreatment: line.taxTreatment,
    vatRateBp:
      (line.taxTreatment === 'S1' || isOneStopShop(line)) && line.vatRate !== null
        ? (basisPointsFromPercent(line.vatRate) ?? 0)
        : usualRateAt(rateDate),
    surchargeBp: line.surcharge === null ? null : basisPointsFromPercent(line.surcharge),
    regimeKey: line.regimeKey,
    unit: line.unit ?? '',
    withholdable: line.isDisbursement ? true : line.withholdable,
    isDisbursement: line.isDisbursement,
    discountCents: centsFromEuros(line.discountAmount ?? 0) ?? 0,
    costCents: line.cost === undefined ? null : centsFromEuros(line.cost),
    cause: line.cause ?? null,
    itemId: line.itemId ?? null,
    account: line.account ?? '',
    supply: line.supply ?? '',
    unread: {},
    open: false,
  }
}

function instalmentsOf({ instalments }: Invoice): Instalment[] | null {
  if (!instalments) return null
  return instalments.map(({ dueDate, percent, fixed }) => ({
    dueDate,
    percentBp: percent === undefined ? null : basisPointsFromPercent(percent),
    cents: fixed === undefined ? null : centsFromEuros(fixed),
  }))
}

/**
 * Returns the form of a saved draft. `contact` adds what the draft does not hold: whether new lines bear the
 * surcharge.
 */
export function formOf(invoice: Invoice, today: BusinessDate, contact: Contact | null = null): DraftForm {
  const { client } = invoice
  const rateDate = rateDateOf(invoice, today)
  const form: DraftForm = {
    client: {
      id: invoice.clientId,
      name: client.name,
      nif: client.nif ?? '',
      idType: client.idType ?? '',
      country: client.country,
      street: client.address?.street ?? '',
      postalCode: client.address?.postalCode ?? '',
      city: client.address?.city ?? '',
      province: client.address?.province ?? '',
      email: client.email ?? '',
      surcharge: contact?.surcharge ?? false,
      vatDefault: contact?.vatDefault ?? null,
    },
    kind: invoice.kind,
    series: invoice.series ?? '',
    issueDate: invoice.issueDate,
    ...headerFormOf(invoice),
    dueDays: null,
    instalments: instalmentsOf(invoice),
    lines: invoice.lines.map((line) => lineOf(line, rateDate)),
    withholdingBp: invoice.withholding ? basisPointsFromPercent(invoice.withholding.rate) : null,
    priceMode: invoice.priceMode,
    ...EUROS,
    ...(invoice.discount
      ? {
          discountBp: basisPointsFromPercent(invoice.discount.pct) ?? 0,
          discountCents: centsFromEuros(invoice.discount.amount) ?? 0,
        }
      : {}),
    ...(invoice.inCurrency
      ? {
          currency: invoice.inCurrency.currency,
          fxMicro: microFromNumber(invoice.inCurrency.fxRate),
          fxDate: invoice.inCurrency.fxDate,
          fxSource: invoice.inCurrency.fxSource ?? '',
        }
      : {}),
    property: invoice.property && {
      situation: invoice.property.situation as PropertySituation,
      cadastralRef: invoice.property.cadastralRef ?? '',
    },
    rectification: invoice.rectification ?? null,
  }
  // The server infers the surcharge of a line that states none; the totals of the page must be the same.
  for (const line of form.lines) line.surchargeBp ??= usualSurcharge(line, form.client.surcharge, rateDate)
  return form
}

/** Returns the form of a saved draft: a line without surcharge bears none, whatever the customer's default is. */
export function formOfDraft(invoice: Invoice, today: BusinessDate, contact: Contact | null): DraftForm {
  const form = formOf(invoice, today, contact)
  for (const [index, line] of form.lines.entries())
    if (line.surchargeBp !== null && invoice.lines[index]?.surcharge === null) line.surchargeBp = 0
  return form
}

/** Returns how a new line to a customer is taxed, if not in the default way. */
export function usualTax(
  vatDefault: Contact['vatDefault'] | undefined,
): Partial<Pick<LineForm, 'taxTreatment' | 'regimeKey' | 'cause'>> {
  return vatDefault
    ? { taxTreatment: vatDefault.taxTreatment, regimeKey: null, cause: vatDefault.cause ?? null }
    : {}
}

/** Returns whether only the rate of the line's tax was chosen. */
function isPlain(line: LineForm): boolean {
  const { taxTreatment, regimeKey, cause, itemId, isDisbursement } = line
  const isUsual = regimeKey === null || regimeKey === usualRegime(taxTreatment)
  return taxTreatment === 'S1' && isUsual && cause === null && itemId === null && !isDisbursement
}

/** Returns the customer's data of a document from the contact. */
export function clientOf(contact: Contact): ClientForm {
  const { address } = contact
  return {
    id: contact.id,
    name: contact.name,
    nif: contact.nif ?? '',
    idType: contact.idType ?? '',
    country: address?.country ?? 'ES',
    street: address?.street ?? '',
    postalCode: address?.postalCode ?? '',
    city: address?.city ?? '',
    province: address?.province ?? '',
    email: contact.email ?? '',
    surcharge: contact.surcharge,
    vatDefault: contact.vatDefault,
  }
}

/** Returns the due date of the customer's usual term, or the instalments of its usual terms. */
function termsOf(
  { kind }: DraftForm,
  { paymentTerms }: Contact,
  issueDate: BusinessDate,
  days: number,
): Pick<DraftForm, 'dueDate' | 'dueDays' | 'instalments'> {
  if (paymentTerms === null || isSimplified(kind))
    return { dueDays: days, dueDate: addDays(issueDate, days), instalments: null }
  const terms = paymentTerms.map(({ days: after, percent }) => ({
    days: after,
    percentBp: percent === undefined ? null : basisPointsFromPercent(percent),
  }))
  const instalments = instalmentsOfTerms(terms, issueDate)
  const first = paymentTerms[0]?.days ?? days
  return { dueDays: first, dueDate: instalments[0]?.dueDate ?? null, instalments }
}

/** Returns the form after a contact was chosen: the customer and this customer's defaults. */
export function withContact(
  form: DraftForm,
  contact: Contact,
  today: BusinessDate,
  usualPaymentDays: number,
): Partial<DraftForm> {
  const client = clientOf(contact)
  const rateDate = rateDateOf(form, today)
  const days = contact.paymentDays ?? usualPaymentDays
  return {
    client,
    lines: form.lines.map((line) => {
      const taxed = { ...line, ...(isPlain(line) ? usualTax(contact.vatDefault) : {}) }
      return { ...taxed, surchargeBp: usualSurcharge(taxed, contact.surcharge, rateDate) }
    }),
    ...(form.dueDays === null ? {} : termsOf(form, contact, form.issueDate ?? today, days)),
    ...(contact.withholdingPct === null
      ? {}
      : { withholdingBp: basisPointsFromPercent(contact.withholdingPct) }),
    ...(contact.language === null ? {} : { language: contact.language }),
    ...(contact.paymentMethod === null ? {} : { paymentMethod: contact.paymentMethod }),
  }
}

/** Returns a line in the exact form that totals are computed from; missing or unreadable values count as zero. */
export function totalsLineOf(line: LineForm): TotalsLine {
  const taxed = line.taxTreatment === 'S1' && !line.isDisbursement
  const reverse = line.taxTreatment === 'S2' && !line.isDisbursement
  const read = (cell: FigureCell, value: number | null): number =>
    line.unread[cell] === undefined ? (value ?? 0) : 0
  const exact = {
    quantityMicro: read('quantity', line.quantityMicro),
    unitPriceMicro: read('unitPrice', line.unitPriceMicro),
    discountBp: read('discount', line.discountBp),
    taxTreatment: line.taxTreatment,
    regimeKey: line.regimeKey ?? usualRegime(line.taxTreatment),
    discountCents: read('discountAmount', line.discountCents),
    costCents: line.costCents === null ? null : read('cost', line.costCents),
    vatRateBp: taxed || isOneStopShop(line) ? read('foreignRate', line.vatRateBp) : reverse ? 0 : null,
  }
  return {
    ...exact,
    // The tax of a margin is inside the price, so no surcharge is added. 0 means "none".
    surchargeRateBp: taxed && !taxesMargin(exact) ? line.surchargeBp || null : null,
    withholdable: line.isDisbursement ? false : line.withholdable,
    isDisbursement: line.isDisbursement,
  }
}

/** Returns the totals of the page, by the same rule as the server's, in the currency of the document. */
export function totalsOf(form: DraftForm): Totals {
  const lines = form.lines.filter((line) => !isBlank(line)).map(totalsLineOf)
  return computeTotals(lines, {
    priceMode: form.priceMode,
    withholdingRateBp: form.withholdingBp,
    discountBp: form.discountBp,
    discountCents: form.discountCents,
  })
}

/** Returns the same totals in euros for a document in another currency whose rate is known, else null. */
export function eurosOf(form: DraftForm, totals: Totals): Totals | null {
  return form.currency === 'EUR' || form.fxMicro === null ? null : inEuros(totals, form.fxMicro)
}

/** Returns the figures that are empty or unreadable: empty is not zero. */
function missingFigures(line: LineForm): NonNullable<LineInput['missing']> {
  const isMissing = (cell: 'quantity' | 'unitPrice', value: Micro | null): boolean =>
    value === null || line.unread[cell] !== undefined
  return [
    ...(isMissing('quantity', line.quantityMicro) ? (['quantity'] as const) : []),
    ...(isMissing('unitPrice', line.unitPriceMicro) ? (['unitPrice'] as const) : []),
  ]
}

function lineInput(line: LineForm): LineInput {
  const exact = totalsLineOf(line)
  const missing = missingFigures(line)
  return {
    description: line.description.trim(),
    quantity: numberFromMicro(exact.quantityMicro),
    unitPrice: numberFromMicro(exact.unitPriceMicro),
    ...(missing.length === 0 ? {} : { missing }),
    ...(line.unit.trim() === '' ? {} : { unit: line.unit.trim() }),
    ...(exact.discountBp === 0 ? {} : { discountPct: percentFromBasisPoints(exact.discountBp) }),
    ...(exact.discountCents === 0 ? {} : { discountAmount: eurosFromCents(exact.discountCents) }),
    ...(exact.vatRateBp === null ||
    isUnchosen(line.vatRateBp) ||
    (exact.taxTreatment !== 'S1' && !isOneStopShop(line))
      ? {}
      : { vatRate: percentFromBasisPoints(exact.vatRateBp) }),
    taxTreatment: line.taxTreatment,
    // If it is left out, the server uses the customer's default.
    ...(exact.taxTreatment !== 'S1' || line.surchargeBp === null
      ? {}
      : { surcharge: percentFromBasisPoints(exact.surchargeRateBp ?? 0) }),
    ...(line.regimeKey === null ? {} : { regimeKey: line.regimeKey }),
    withholdable: line.withholdable,
    isDisbursement: line.isDisbursement,
    ...(line.costCents === null ? {} : { cost: eurosFromCents(line.costCents) }),
    ...(line.cause === null ? {} : { cause: line.cause }),
    ...(line.itemId === null ? {} : { itemId: line.itemId }),
    ...(isSalesAccount(line.account.trim()) ? { account: line.account.trim() } : {}),
    ...(line.supply === '' ? {} : { supply: line.supply }),
  }
}

/** Returns the lines that the server can save, those with a description, in the order of the page. */
export function savableLines(form: DraftForm): LineForm[] {
  return form.lines.filter((line) => line.description.trim() !== '')
}

/** Returns the lines with content that the server cannot save yet, because they have no description. */
export function heldLines(form: DraftForm): LineForm[] {
  return form.lines.filter((line) => line.description.trim() === '' && !isBlank(line))
}

/** Returns whether the document is in another currency and has no rate: the server cannot save it then. */
export function isRateMissing(form: Pick<DraftForm, 'currency' | 'fxMicro'>): boolean {
  return form.currency !== 'EUR' && form.fxMicro === null
}

/** A simplified invoice may have no customer, but a draft must have a name. */
function clientNameOf(form: DraftForm, walkIn: string): string {
  return form.client.name.trim() || (isSimplified(form.kind) ? walkIn : '')
}

/**
 * Returns the draft as the server takes it, or null while there is too little to save: a customer's name and one line
 * with a description are required. `walkIn` names the customer of a simplified invoice that has none.
 */
export function draftInput(form: DraftForm, walkIn: string): DraftInput | null {
  const clientName = clientNameOf(form, walkIn)
  const lines = savableLines(form)
  if (clientName === '' || lines.length === 0) return null
  const { client } = form
  const [street, postalCode, city, province] = [
    client.street,
    client.postalCode,
    client.city,
    client.province,
  ].map((text) => text.trim()) as [string, string, string, string]
  const orNull = (text: string) => text.trim() || null
  return {
    clientName,
    clientNif: orNull(client.nif),
    clientId: client.id,
    client: {
      // An address is whole or it is none.
      address:
        street && postalCode && city
          ? { street, postalCode, city, ...(province ? { province } : {}), country: client.country }
          : null,
      country: client.country,
      idType: client.idType === '' ? null : client.idType,
      email: orNull(client.email),
    },
    lines: lines.map(lineInput),
    kind: form.kind,
    series: orNull(form.series),
    issueDate: form.issueDate,
    withholdingPct: form.withholdingBp === null ? null : percentFromBasisPoints(form.withholdingBp),
    priceMode: form.priceMode,
    discountPct: percentFromBasisPoints(form.discountBp),
    discountAmount: eurosFromCents(form.discountCents),
    // A draft in another currency cannot be saved without its rate: until it is given, the saved currency stays.
    ...(form.currency === 'EUR'
      ? { currency: 'EUR' }
      : form.fxMicro === null
        ? {}
        : {
            currency: form.currency,
            fxRate: numberFromMicro(form.fxMicro),
            fxDate: form.fxDate,
            fxSource: orNull(form.fxSource),
          }),
    ...(form.property === undefined ? {} : { property: propertyInput(form.property) }),
    // Sent only for rectifying invoices; if it is left out, the server keeps the stored value.
    ...(form.rectification ? { rectification: form.rectification } : {}),
    ...headerInput(form),
    instalments: form.instalments === null ? null : form.instalments.map(instalmentInput),
    simplifiedArt7273: form.kind === 'F1' && form.simplifiedArt7273,
  }
}

function instalmentInput({ dueDate, percentBp, cents }: Instalment) {
  return {
    dueDate,
    ...(percentBp === null ? {} : { percent: percentFromBasisPoints(percentBp) }),
    ...(cents === null ? {} : { amount: eurosFromCents(cents) }),
  }
}

function propertyInput(property: NonNullable<DraftForm['property']> | null): DraftInput['property'] {
  if (property === null) return null
  const cadastralRef = property.cadastralRef.replace(/\s+/g, '').toUpperCase()
  return { situation: property.situation, ...(cadastralRef === '' ? {} : { cadastralRef }) }
}

/**
 * Returns a copy for the history and for the drafts kept when the page is left; lines get new identities, so their
 * fields are rendered again.
 */
export function copyForm(form: DraftForm): DraftForm {
  const copy = JSON.parse(JSON.stringify(form)) as DraftForm
  for (const line of copy.lines) line.key = nextLineKey()
  return copy
}

/** Returns a key that is equal for equal content, whatever is open or focused on the page. */
export function contentKey(form: DraftForm): string {
  return JSON.stringify({
    ...form,
    dueDays: null,
    lines: form.lines.filter((line) => !isBlank(line)).map((line) => ({ ...line, key: 0, open: false })),
  })
}
