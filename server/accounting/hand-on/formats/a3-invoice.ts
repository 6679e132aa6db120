/**
 * Splits the entry of an invoice into the head and the details of SUENLACE.DAT, which post it again; null when they
 * would post something else, so that the entry goes as plain lines. Pure.
 */
import type { Cents } from '../../../domain/money.ts'
import { shareCents } from '../../../domain/tax/totals.ts'
import type { HandOnEntry, HandOnLine, VatDocument, VatPart } from '../model.ts'
import { isWithholding, vatAccountOf } from './vat-accounts.ts'

interface A3Detail {
  account: string
  accountName: string
  subtype: string
  baseCents: Cents
  vatRateBp: number
  vatCents: Cents
  surchargeBp: number
  surchargeCents: Cents
  withholdingCents: Cents
  withholdingBp: number
  vatAccount: string
  surchargeAccount: string
  withholdingAccount: string
  /** Reverse charge: the output VAT beside the input VAT. */
  outputVatAccount: string
  isTaxed: boolean
}

export interface A3Invoice {
  /** 1 or 2. */
  type: '1' | '2'
  /** 1 sales, 2 purchases, 3 investment goods. */
  invoiceType: '1' | '2' | '3'
  head: HandOnLine
  headCents: Cents
  details: A3Detail[]
}

/**
 * Kinds of operations in sales and purchases. Source: the lists of Gest2A3Eco and MOLEQULE, public programs that
 * offer them by name; the original list is in the vendor's PDF.
 */
const SALES: Readonly<Record<string, string>> = {
  S1: '01',
  S2: '08',
  E1: '02',
  E2: '06',
  E3: '09',
  E4: '09',
  E5: '03',
  E6: '09',
  N1: '08',
  N2: '08',
}
const PURCHASES: Readonly<Record<string, string>> = {
  domestic: '01',
  reagyp: '02',
  eu_goods: '03',
  eu_services: '03',
  reverse_charge: '04',
  foreign_services: '04',
  import: '06',
}
const NOT_DEDUCTIBLE = '07'

const EMPTY = {
  vatAccount: '',
  surchargeAccount: '',
  withholdingAccount: '',
  outputVatAccount: '',
  withholdingCents: 0,
  withholdingBp: 0,
  surchargeBp: 0,
  surchargeCents: 0,
} as const

const find = (lines: readonly HandOnLine[], test: (line: HandOnLine) => boolean): HandOnLine[] =>
  lines.filter(test)

/** Returns the account of VAT at a rate among the lines of an entry. */
function vatLine(
  lines: readonly HandOnLine[],
  side: 'output' | 'input',
  kind: 'vat' | 'surcharge',
  rateBp: number,
) {
  return lines.find(({ code }) => {
    const vat = vatAccountOf(code)
    return vat !== null && vat.side === side && vat.kind === kind && vat.rateBp === rateBp
  })
}

function salesDetails(document: VatDocument, lines: readonly HandOnLine[], sign: 1 | -1): A3Detail[] | null {
  const revenue = find(
    lines,
    ({ code, party }) => party === null && vatAccountOf(code) === null && !isWithholding(code),
  )
  const [only] = revenue
  if (!only) return null
  const baseOf = (part: VatPart) => sign * part.baseCents
  const details = (
    account: HandOnLine,
    part: VatPart,
    baseCents: Cents,
    vatCents: Cents,
    surchargeCents: Cents,
  ) => ({
    ...EMPTY,
    account: account.account,
    accountName: account.name,
    subtype: SALES[part.treatment] ?? '01',
    baseCents,
    vatRateBp: part.rateBp ?? 0,
    vatCents,
    surchargeBp: part.surchargeBp ?? 0,
    surchargeCents,
    vatAccount: vatCents === 0 ? '' : (vatLine(lines, 'output', 'vat', part.rateBp ?? 0)?.account ?? ''),
    surchargeAccount:
      surchargeCents === 0
        ? ''
        : (vatLine(lines, 'output', 'surcharge', part.surchargeBp ?? 0)?.account ?? ''),
    isTaxed: part.treatment === 'S1',
  })
  if (revenue.length === 1)
    return document.parts.map((part) =>
      details(only, part, baseOf(part), sign * part.taxCents, sign * part.surchargeCents),
    )
  const [part] = document.parts
  // Several accounts and several rates: which account had which rate is not in the entry.
  if (!part || document.parts.length > 1) return null
  const weights = revenue.map(({ amountCents }) => BigInt(Math.abs(amountCents)))
  const vat = shareCents(sign * part.taxCents, weights)
  const surcharge = shareCents(sign * part.surchargeCents, weights)
  return revenue.map((account, index) =>
    details(account, part, -sign * account.amountCents, vat[index] ?? 0, surcharge[index] ?? 0),
  )
}

function purchaseDetails(
  document: VatDocument,
  lines: readonly HandOnLine[],
  sign: 1 | -1,
): A3Detail[] | null {
  const details: A3Detail[] = []
  for (const part of document.parts) {
    const expense = lines.find(({ code }) => code === part.code)
    if (!expense) return null
    const rate = part.rateBp ?? 0
    const base = sign * part.baseCents
    const tax = sign * part.taxCents
    const deductible = sign * part.deductibleCents
    const surcharge = sign * part.surchargeCents
    const input = deductible === 0 ? undefined : vatLine(lines, 'input', 'vat', rate)
    const output = part.isSelfAssessed && tax !== 0 ? vatLine(lines, 'output', 'vat', rate) : undefined
    // VAT of a reverse charge that may be deducted only in part has two bases.
    if (part.isSelfAssessed && deductible !== tax) return null
    const common = { ...EMPTY, account: expense.account, accountName: expense.name, vatRateBp: rate }
    const deductibleBase = tax === 0 ? base : Math.round((base * deductible) / tax)
    if (tax === 0 || deductible !== 0)
      details.push({
        ...common,
        subtype: PURCHASES[part.nature] ?? '01',
        baseCents: deductibleBase,
        vatCents: deductible,
        vatAccount: input?.account ?? '',
        outputVatAccount: output?.account ?? '',
        isTaxed: tax !== 0,
      })
    if (deductible !== tax || surcharge !== 0)
      details.push({
        ...common,
        // VAT that is cost is posted on the account of the expense.
        subtype: NOT_DEDUCTIBLE,
        baseCents: base - (tax === 0 || deductible !== 0 ? deductibleBase : 0),
        vatCents: tax - deductible,
        vatAccount: expense.account,
        surchargeBp: part.surchargeBp ?? 0,
        surchargeCents: surcharge,
        surchargeAccount: surcharge === 0 ? '' : expense.account,
        isTaxed: true,
      })
  }
  return details
}

/** Returns what a head and its details post, by account of the office. Independent of how they were made. */
export function postedByA3({ type, invoiceType, head, headCents, details }: A3Invoice): Map<string, Cents> {
  const sums = new Map<string, Cents>()
  const sales = invoiceType === '1' ? 1 : -1
  const side = type === '2' ? -sales : sales
  const post = (account: string, cents: Cents) => {
    if (cents !== 0) sums.set(account, (sums.get(account) ?? 0) + cents)
  }
  post(head.account, side * headCents)
  for (const detail of details) {
    post(detail.account, -side * detail.baseCents)
    post(detail.vatAccount, -side * detail.vatCents)
    if (detail.outputVatAccount !== '') post(detail.outputVatAccount, side * detail.vatCents)
    post(detail.surchargeAccount, -side * detail.surchargeCents)
    post(detail.withholdingAccount, side * detail.withholdingCents)
  }
  return sums
}

/** Returns the sums of an entry by account of the office, without those of zero. */
export function sumsOf(lines: readonly { account: string; amountCents: Cents }[]): Map<string, Cents> {
  const sums = new Map<string, Cents>()
  for (const { account, amountCents } of lines) sums.set(account, (sums.get(account) ?? 0) + amountCents)
  for (const [account, cents] of sums) if (cents === 0) sums.delete(account)
  return sums
}

function isEqual(one: ReadonlyMap<string, Cents>, other: ReadonlyMap<string, Cents>): boolean {
  const rest = new Map([...one].filter(([, cents]) => cents !== 0))
  return rest.size === other.size && [...other].every(([account, cents]) => rest.get(account) === cents)
}

/** Returns the records of an invoice's entry; null if they would not post exactly the entry. */
export function a3Invoice({ lines, document }: HandOnEntry): A3Invoice | null {
  if (document === null) return null
  const isSale = document.side === 'issued'
  const sign = document.isRectifying ? -1 : 1
  const heads = find(
    lines,
    ({ code, party }) =>
      (isSale ? /^43[0-7]/ : /^(4[01]|465|523)/).test(code) ||
      (party !== null && !isSale && code.startsWith('4')),
  )
  const [head] = heads
  if (!head || heads.length > 1) return null
  const rest = lines.filter((line) => line !== head)
  const details = isSale ? salesDetails(document, rest, sign) : purchaseDetails(document, rest, sign)
  const [first] = details ?? []
  if (!details || !first) return null
  const withholding = rest.find(({ code }) => isWithholding(code))
  if (withholding) {
    first.withholdingAccount = withholding.account
    first.withholdingBp = document.withholdingBp ?? 0
    first.withholdingCents = sign * document.withholdingCents
  }
  const invoice: A3Invoice = {
    type: document.isRectifying ? '2' : '1',
    invoiceType: isSale ? '1' : document.parts.every(({ isInvestment }) => isInvestment) ? '3' : '2',
    head,
    headCents: sign * (isSale ? head.amountCents : -head.amountCents),
    details,
  }
  return isEqual(postedByA3(invoice), sumsOf(lines)) ? invoice : null
}
