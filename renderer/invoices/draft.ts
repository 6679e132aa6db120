/** A draft as the editor holds it, and the way to and from the wire. Pure: no page, no network, no sums of its own. */
import type { InputOf, OutputOf } from '../../server/contracts.ts'
import { addDays, businessDateOf, daysBetween } from '../../server/core/dates.ts'
import type { BusinessDate } from '../../server/core/dates.ts'
import {
  basisPointsFromPercent,
  microFromNumber,
  numberFromMicro,
  percentFromBasisPoints,
} from '../../server/core/money.ts'
import type { BasisPoints, Micro } from '../../server/core/money.ts'
import { computeTotals } from '../../server/core/totals.ts'
import type { PriceMode, TaxTreatment, Totals, TotalsLine } from '../../server/core/totals.ts'
import { generalRateAt, vatRateAt } from '../../server/core/vat-rates.ts'

export type Invoice = OutputOf<'invoices.get'>
export type DraftInput = InputOf<'invoices.create'>
export type LineInput = DraftInput['lines'][number]
export type Contact = Omit<OutputOf<'contacts.get'>, 'invoices' | 'invoiced' | 'owed' | 'lastInvoiceOn'>
export type IdType = NonNullable<Contact['idType']>

/** The cells of a line that can be typed in; also the names of their faults. */
export const CELLS = ['description', 'quantity', 'unitPrice', 'discount', 'vat'] as const
export type Cell = (typeof CELLS)[number]

export interface LineForm {
  /** Identity on the page; never on the wire. */
  key: number
  description: string
  quantityMicro: Micro | null
  unitPriceMicro: Micro | null
  discountBp: BasisPoints | null
  taxTreatment: TaxTreatment
  /** Kept for the rate to come back to when the treatment is S1 again. */
  vatRateBp: BasisPoints
  surchargeBp: BasisPoints | null
  /** Null: the one that goes with the treatment. */
  regimeKey: string | null
  unit: string
  withholdable: boolean
  isDisbursement: boolean
  /** What could not be read, by cell: the cell is worth nothing until it is mended. */
  unread: Partial<Record<Cell, string>>
  /** The strip with the rare fields is open. */
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
  /** The customer bears the equivalence surcharge: new taxed lines get it. */
  surcharge: boolean
}

export interface DraftForm {
  client: ClientForm
  kind: 'F1' | 'F2'
  series: string
  /** Null: the day of issue. */
  issueDate: BusinessDate | null
  dueDate: BusinessDate | null
  /** Days from the issue date that the due date follows; null once it was chosen by hand. */
  dueDays: number | null
  operationDate: BusinessDate | null
  lines: LineForm[]
  withholdingBp: BasisPoints | null
  priceMode: PriceMode
  simplifiedArt7273: boolean
  notes: string
  language: 'es' | 'en'
  paymentMethod: Invoice['paymentMethod']
  externalRef: string
}

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
/** A new identity for a line. */
export function nextLineKey(): number {
  return ++lastKey
}

/** The day whose rates hold: of the operation, else of the invoice, else today. */
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
    taxTreatment: 'S1',
    vatRateBp: generalRateAt(rateDate),
    surchargeBp: null,
    regimeKey: null,
    unit: '',
    withholdable: true,
    isDisbursement: false,
    unread: {},
    open: false,
  }
  line.surchargeBp = usualSurcharge(line, surcharge, rateDate)
  return line
}

/** Nothing was typed in the line: it is not part of the invoice. */
export function isBlank(line: LineForm): boolean {
  return (
    line.description.trim() === '' && line.unitPriceMicro === null && Object.keys(line.unread).length === 0
  )
}

/** The surcharge a line gets by itself, as the server infers it. */
export function usualSurcharge(
  line: Pick<LineForm, 'taxTreatment' | 'isDisbursement' | 'vatRateBp'>,
  surcharge: boolean,
  rateDate: BusinessDate,
): BasisPoints | null {
  if (!surcharge || line.taxTreatment !== 'S1' || line.isDisbursement) return null
  return vatRateAt(line.vatRateBp, rateDate)?.surchargesBp[0] ?? null
}

export interface NewDraft {
  today: BusinessDate
  paymentDays: number
  withholdingPct: number | null
  language: 'es' | 'en'
}

/** The form of an invoice that does not exist yet. */
export function emptyForm(defaults: NewDraft): DraftForm {
  return {
    client: { ...EMPTY_CLIENT },
    kind: 'F1',
    series: '',
    issueDate: null,
    dueDate: addDays(defaults.today, defaults.paymentDays),
    dueDays: defaults.paymentDays,
    operationDate: null,
    lines: [emptyLine(defaults.today)],
    withholdingBp: defaults.withholdingPct === null ? null : basisPointsFromPercent(defaults.withholdingPct),
    priceMode: 'net',
    simplifiedArt7273: false,
    notes: '',
    language: defaults.language,
    paymentMethod: null,
    externalRef: '',
  }
}

function lineOf(line: Invoice['lines'][number], rateDate: BusinessDate): LineForm {
  return {
    key: nextLineKey(),
    description: line.description,
    quantityMicro: microFromNumber(line.quantity),
    unitPriceMicro: microFromNumber(line.unitPrice),
    discountBp: line.discountPct === 0 ? null : basisPointsFromPercent(line.discountPct),
    taxTreatment: line.taxTreatment,
    vatRateBp:
      line.taxTreatment === 'S1' && line.vatRate !== null
        ? (basisPointsFromPercent(line.vatRate) ?? 0)
        : generalRateAt(rateDate),
    surchargeBp: line.surcharge === null ? null : basisPointsFromPercent(line.surcharge),
    regimeKey: line.regimeKey === usualRegime(line.taxTreatment) ? null : line.regimeKey,
    unit: line.unit ?? '',
    withholdable: line.isDisbursement ? true : line.withholdable,
    isDisbursement: line.isDisbursement,
    unread: {},
    open: false,
  }
}

/** The form of a draft of the books. `contact` tells what the draft does not: whether new lines bear the surcharge. */
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
    },
    kind: invoice.kind,
    series: invoice.series ?? '',
    issueDate: invoice.issueDate,
    dueDate: invoice.dueDate,
    dueDays: null,
    operationDate: invoice.operationDate,
    lines: invoice.lines.map((line) => lineOf(line, rateDate)),
    withholdingBp: invoice.withholding ? basisPointsFromPercent(invoice.withholding.rate) : null,
    priceMode: invoice.priceMode,
    simplifiedArt7273: invoice.simplifiedArt7273,
    notes: invoice.notes ?? '',
    language: invoice.language,
    paymentMethod: invoice.paymentMethod,
    externalRef: invoice.externalRef ?? '',
  }
  // The server infers the surcharge of a line that names none; the page must add up the same.
  for (const line of form.lines) line.surchargeBp ??= usualSurcharge(line, form.client.surcharge, rateDate)
  return form
}

/** What choosing a contact changes: who is invoiced, and what this customer usually has. */
export function withContact(
  form: DraftForm,
  contact: Contact,
  today: BusinessDate,
  usualPaymentDays: number,
): Partial<DraftForm> {
  const { address } = contact
  const client: ClientForm = {
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
  }
  const rateDate = rateDateOf(form, today)
  const days = contact.paymentDays ?? usualPaymentDays
  return {
    client,
    lines: form.lines.map((line) => ({
      ...line,
      surchargeBp: usualSurcharge(line, contact.surcharge, rateDate),
    })),
    ...(form.dueDays === null ? {} : { dueDays: days, dueDate: addDays(form.issueDate ?? today, days) }),
    ...(contact.withholdingPct === null
      ? {}
      : { withholdingBp: basisPointsFromPercent(contact.withholdingPct) }),
    ...(contact.language === null ? {} : { language: contact.language }),
  }
}

/** The regime key that goes with a treatment when none is named: exports have their own. */
export function usualRegime(treatment: TaxTreatment): string {
  return treatment === 'E2' || treatment === 'E3' ? '02' : '01'
}

/** A line in the exact form that sums are made of; what is missing or unreadable is worth nothing. */
export function totalsLineOf(line: LineForm): TotalsLine {
  const taxed = line.taxTreatment === 'S1' && !line.isDisbursement
  const reverse = line.taxTreatment === 'S2' && !line.isDisbursement
  return {
    quantityMicro: line.unread.quantity === undefined ? (line.quantityMicro ?? 0) : 0,
    unitPriceMicro: line.unread.unitPrice === undefined ? (line.unitPriceMicro ?? 0) : 0,
    discountBp: line.unread.discount === undefined ? (line.discountBp ?? 0) : 0,
    taxTreatment: line.taxTreatment,
    regimeKey: line.regimeKey ?? usualRegime(line.taxTreatment),
    vatRateBp: taxed ? line.vatRateBp : reverse ? 0 : null,
    surchargeRateBp: taxed ? line.surchargeBp : null,
    withholdable: line.isDisbursement ? false : line.withholdable,
    isDisbursement: line.isDisbursement,
  }
}

/** Totals of what is on the page, by the same rule as the server's. */
export function totalsOf(form: DraftForm): Totals {
  const lines = form.lines.filter((line) => !isBlank(line)).map(totalsLineOf)
  return computeTotals(lines, { priceMode: form.priceMode, withholdingRateBp: form.withholdingBp })
}

function lineInput(line: LineForm): LineInput {
  const exact = totalsLineOf(line)
  return {
    description: line.description.trim(),
    quantity: numberFromMicro(exact.quantityMicro),
    unitPrice: numberFromMicro(exact.unitPriceMicro),
    ...(line.unit.trim() === '' ? {} : { unit: line.unit.trim() }),
    ...(exact.discountBp === 0 ? {} : { discountPct: percentFromBasisPoints(exact.discountBp) }),
    ...(exact.vatRateBp === null || exact.taxTreatment !== 'S1'
      ? {}
      : { vatRate: percentFromBasisPoints(exact.vatRateBp) }),
    taxTreatment: line.taxTreatment,
    ...(exact.surchargeRateBp === null ? {} : { surcharge: percentFromBasisPoints(exact.surchargeRateBp) }),
    ...(line.regimeKey === null ? {} : { regimeKey: line.regimeKey }),
    withholdable: line.withholdable,
    isDisbursement: line.isDisbursement,
  }
}

/** The lines the server can keep: with a description. In the order of the page. */
export function keptLines(form: DraftForm): LineForm[] {
  return form.lines.filter((line) => line.description.trim() !== '')
}

/** Lines with something in them that the server cannot keep yet, because they have no description. */
export function heldLines(form: DraftForm): LineForm[] {
  return form.lines.filter((line) => line.description.trim() === '' && !isBlank(line))
}

/** A simplified invoice may have no customer, a draft must have a name. */
export function clientNameOf(form: DraftForm, walkIn: string): string {
  return form.client.name.trim() || (form.kind === 'F2' ? walkIn : '')
}

/**
 * The draft as the server takes it, or null while there is too little to keep: a customer's name and one line with its
 * description. `walkIn` names the customer of a simplified invoice that has none.
 */
export function draftInput(form: DraftForm, walkIn: string): DraftInput | null {
  const clientName = clientNameOf(form, walkIn)
  const lines = keptLines(form)
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
    operationDate: form.operationDate,
    dueDate: form.dueDate,
    withholdingPct: form.withholdingBp === null ? null : percentFromBasisPoints(form.withholdingBp),
    priceMode: form.priceMode,
    simplifiedArt7273: form.kind === 'F1' && form.simplifiedArt7273,
    notes: orNull(form.notes),
    language: form.language,
    paymentMethod: form.paymentMethod,
    externalRef: orNull(form.externalRef),
  }
}

/** What writes the same draft again after it was deleted. */
export function sameInput(invoice: Invoice): DraftInput {
  const input = draftInput(formOf(invoice, invoice.createdAt.slice(0, 10)), invoice.clientName)
  if (!input) throw new Error(`Invoice ${invoice.id} has no lines.`)
  return input
}

/** A new draft with the same content as an invoice: the dates are its own, the term is the same. */
export function duplicateInput(invoice: Invoice, today: BusinessDate): DraftInput {
  const input = sameInput(invoice)
  // A draft without a date is counted from the day it was made.
  const from = invoice.issueDate ?? businessDateOf(new Date(invoice.createdAt))
  const term = invoice.dueDate === null ? null : Math.max(0, daysBetween(from, invoice.dueDate))
  return {
    ...input,
    series: null,
    issueDate: null,
    operationDate: null,
    dueDate: term === null ? null : addDays(today, term),
    externalRef: null,
  }
}

/** A copy for the history and for what is kept when the page is left; lines get new identities, so their fields are new. */
export function copyForm(form: DraftForm): DraftForm {
  const copy = JSON.parse(JSON.stringify(form)) as DraftForm
  for (const line of copy.lines) line.key = nextLineKey()
  return copy
}

/** The same content, whatever is open or focused on the page. */
export function contentKey(form: DraftForm): string {
  return JSON.stringify({
    ...form,
    dueDays: null,
    lines: form.lines.filter((line) => !isBlank(line)).map((line) => ({ ...line, key: 0, open: false })),
  })
}
