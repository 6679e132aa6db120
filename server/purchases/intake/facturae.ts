/** Reader of Facturae 3.2.x, signed or not. Source: Orden HAP/1650/2015 and the format's schemas (facturae.gob.es). */
import type { Cents } from '../../domain/money.ts'
import type { TaxLineInput } from '../invoices/contract.ts'
import { warning } from '../fault.ts'
import { centsOfText, dayOfText, eurosOrNull, lineOf, percentOfText } from './amounts.ts'
import { ibanOf } from './iban.ts'
import { USUAL_TAX } from './own-tax.ts'
import type { OwnTax } from './own-tax.ts'
import { DISBURSEMENTS, emptyProposal, setFields } from './read-result.ts'
import type { ReadResult, ReadProposal } from './read-result.ts'
import { at, child, children, textAt } from '../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../domain/formats/xml-reader.ts'

/** ISO 3166 alpha-3 codes of the countries that send most invoices to Spain; the format has no alpha-2 codes. */
const COUNTRIES: Record<string, string> = {
  ESP: 'ES', PRT: 'PT', FRA: 'FR', DEU: 'DE', ITA: 'IT', IRL: 'IE', NLD: 'NL', BEL: 'BE', LUX: 'LU', AUT: 'AT',
  DNK: 'DK', SWE: 'SE', FIN: 'FI', POL: 'PL', CZE: 'CZ', HUN: 'HU', ROU: 'RO', BGR: 'BG', GRC: 'GR', HRV: 'HR',
  SVN: 'SI', SVK: 'SK', EST: 'EE', LVA: 'LV', LTU: 'LT', MLT: 'MT', CYP: 'CY', GBR: 'GB', USA: 'US', CHE: 'CH',
  AND: 'AD', MAR: 'MA', CHN: 'CN', NOR: 'NO', MEX: 'MX', ARG: 'AR', CHL: 'CL', COL: 'CO',
} // prettier-ignore

const PAYMENT_MEANS: Record<string, ReadProposal['paymentMethod']> = {
  '01': 'cash',
  '02': 'direct_debit',
  '04': 'transfer',
  '11': 'cheque',
  '13': 'other',
  '19': 'card',
}

const WITHHELD = '04'

export function isFacturae(root: XmlElement): boolean {
  return root.name === 'Facturae' && /facturae/i.test(root.ns)
}

const amountAt = (node: XmlElement | null, ...path: string[]): Cents | null =>
  centsOfText(textAt(node, ...path))

function setSupplier(proposal: ReadProposal, seller: XmlElement | null): void {
  const entity = child(seller, 'LegalEntity')
  const person = child(seller, 'Individual')
  const names = [textAt(person, 'Name'), textAt(person, 'FirstSurname'), textAt(person, 'SecondSurname')]
  const home = child(entity ?? person, 'AddressInSpain')
  const abroad = child(entity ?? person, 'OverseasAddress')
  const country = COUNTRIES[textAt(home ?? abroad, 'CountryCode') ?? '']
  const street = lineOf(textAt(home ?? abroad, 'Address'), 120)
  const [, foreignCode = '', foreignTown = ''] =
    /^(\S*\d\S*)?\s*(.*)$/.exec(textAt(abroad, 'PostCodeAndTown') ?? '') ?? []
  const postalCode = lineOf(home ? textAt(home, 'PostCode') : foreignCode, 12)
  const city = lineOf(home ? textAt(home, 'Town') : foreignTown, 80)
  const province = lineOf(textAt(home ?? abroad, 'Province'), 80)
  const nif = lineOf(textAt(seller, 'TaxIdentification', 'TaxIdentificationNumber'), 20)
  setFields(proposal, 'high', {
    supplierName: lineOf(textAt(entity, 'CorporateName') ?? names.filter(Boolean).join(' '), 120),
    supplierNif: nif?.replace(/^ES(?=[A-Z0-9]{9}$)/, '') ?? null,
    supplierCountry: country ?? null,
    supplierAddress:
      street && postalCode && city && country
        ? { street, postalCode, city, ...(province ? { province } : {}), country }
        : null,
  })
}

const REVERSE = /inversi[oó]n\s+del\s+sujeto\s+pasivo|reverse\s+charge/i

/** Line without VAT, by its own text or by that of the whole invoice. */
interface UntaxedLine {
  grossCents: Cents
  isReverse: boolean
  /** 01 subject and exempt, 02 not subject. */
  event: string | null
}

/**
 * Returns the lines without VAT, with the mention that RD 1619/2012 art. 6.1.m requires where the customer owes the
 * tax.
 */
function untaxedLinesOf(invoice: XmlElement, ownTax: OwnTax): UntaxedLine[] {
  const lines = children(child(invoice, 'Items'), 'InvoiceLine').flatMap((line): UntaxedLine[] => {
    const tax = at(line, 'TaxesOutputs', 'Tax')
    if (textAt(tax, 'TaxTypeCode') !== ownTax.code) return []
    if ((percentOfText(textAt(tax, 'TaxRate')) ?? 0) !== 0) return []
    const event = child(line, 'SpecialTaxableEvent')
    const own = `${textAt(event, 'SpecialTaxableEventReason') ?? ''} ${textAt(line, 'AdditionalLineItemInformation') ?? ''}`
    return [
      {
        grossCents: amountAt(line, 'GrossAmount') ?? 0,
        isReverse: REVERSE.test(own),
        event: textAt(event, 'SpecialTaxableEventCode'),
      },
    ]
  })
  const literals = children(child(invoice, 'LegalLiterals'), 'LegalReference')
  const isSaid = literals.some((each) => REVERSE.test(each.text))
  if (!isSaid || lines.some(({ isReverse }) => isReverse)) return lines
  if (lines.length === 0) return [{ grossCents: 0, isReverse: true, event: null }]
  // A mention of the whole invoice applies to the lines that are neither exempt nor not subject, else to all of them.
  const open = lines.filter(({ event }) => event === null)
  return lines.map((line) => ({ ...line, isReverse: open.length === 0 || line.event === null }))
}

type Untaxed = 'S2' | 'E1' | 'N1'

/**
 * Returns the treatment of each base without VAT, by its lines; two bases are matched by the sums of their lines,
 * else by their order. `isGuess`: the lines bear both treatments and do not add up to the bases, as with a discount on the
 * whole invoice.
 */
function untaxedOf(
  bases: readonly Cents[],
  lines: readonly UntaxedLine[],
): { parts: [Untaxed, Cents][]; isGuess: boolean } {
  const reverse = lines.filter(({ isReverse }) => isReverse)
  const others = lines.filter(({ isReverse }) => !isReverse)
  const plain: Untaxed = others.some(({ event }) => event === '02') ? 'N1' : 'E1'
  if (bases.length === 0 || reverse.length === 0 || others.length === 0)
    return { parts: bases.map((base) => [reverse.length === 0 ? plain : 'S2', base]), isGuess: false }
  const sumOf = (some: readonly UntaxedLine[]) => some.reduce((sum, { grossCents }) => sum + grossCents, 0)
  const [ofOthers, ofReverse] = [sumOf(others), sumOf(reverse)]
  const [first = 0, second, ...more] = bases
  if (second === undefined) {
    // Other programs write one base for both treatments: the lines split it where they add up to it.
    if (ofOthers + ofReverse !== first) return { parts: [['S2', first]], isGuess: true }
    return {
      parts: [
        [plain, ofOthers],
        ['S2', ofReverse],
      ],
      isGuess: false,
    }
  }
  const isSwapped = first === ofReverse && second === ofOthers && first !== second
  return {
    parts: [
      [isSwapped ? 'S2' : plain, first],
      [isSwapped ? plain : 'S2', second],
      ...more.map((base): [Untaxed, Cents] => [plain, base]),
    ],
    isGuess: more.length > 0 || (!isSwapped && (first !== ofOthers || second !== ofReverse)),
  }
}

function taxLinesOf(
  invoice: XmlElement,
  ownTax: OwnTax,
): {
  lines: TaxLineInput[]
  notVat: boolean
  isGuess: boolean
} {
  const lines: TaxLineInput[] = []
  const untaxed: Cents[] = []
  let notVat = false
  for (const tax of children(child(invoice, 'TaxesOutputs'), 'Tax')) {
    const baseCents = amountAt(tax, 'TaxableBase', 'TotalAmount')
    const base = eurosOrNull(baseCents)
    const amount = amountAt(tax, 'TaxAmount', 'TotalAmount') ?? 0
    const rate = percentOfText(textAt(tax, 'TaxRate'))
    const surchargeCents = amountAt(tax, 'EquivalenceSurchargeAmount', 'TotalAmount')
    if (base === null || baseCents === null) continue
    if (textAt(tax, 'TaxTypeCode') !== ownTax.code) {
      // The tax of another territory cannot be deducted: it is part of the cost of the purchase.
      notVat = true
      lines.push({
        base: eurosOrNull(baseCents + amount + (surchargeCents ?? 0)) ?? base,
        taxTreatment: 'N1',
      })
      continue
    }
    if ((rate ?? 0) === 0 && amount === 0 && !surchargeCents) {
      untaxed.push(baseCents)
      continue
    }
    const surchargeRate = percentOfText(textAt(tax, 'EquivalenceSurcharge'))
    const surcharge = eurosOrNull(surchargeCents)
    lines.push({
      base,
      ...(rate === null ? {} : { vatRate: rate }),
      tax: eurosOrNull(amount) ?? 0,
      ...(surcharge ? { surcharge, ...(surchargeRate === null ? {} : { surchargeRate }) } : {}),
    })
  }
  const { parts, isGuess } = untaxedOf(untaxed, untaxedLinesOf(invoice, ownTax))
  for (const [taxTreatment, cents] of parts) lines.push({ base: cents / 100, taxTreatment })
  const disbursed = amountAt(invoice, 'InvoiceTotals', 'TotalReimbursableExpenses')
  if (disbursed) lines.push({ base: disbursed / 100, taxTreatment: 'N1', description: DISBURSEMENTS })
  return { lines, notVat, isGuess }
}

function withholdingOf(invoice: XmlElement): ReadProposal['withholding'] {
  const tax = children(child(invoice, 'TaxesWithheld'), 'Tax').find(
    (each) => textAt(each, 'TaxTypeCode') === WITHHELD,
  )
  const rate = percentOfText(textAt(tax ?? null, 'TaxRate'))
  if (!tax || rate === null || rate > 50) return undefined
  const base = eurosOrNull(amountAt(tax, 'TaxableBase', 'TotalAmount'))
  const amount = eurosOrNull(amountAt(tax, 'TaxAmount', 'TotalAmount'))
  return { rate, ...(base === null ? {} : { base }), ...(amount === null ? {} : { amount }) }
}

const numberOf = (series: string | null, number: string | null): string | null =>
  lineOf(series && number && !number.startsWith(series) ? `${series}-${number}` : number, 60)

/** Reads the first invoice of the file. */
export function readFacturae(root: XmlElement, ownTax: OwnTax = USUAL_TAX): ReadResult {
  const proposal = emptyProposal(
    'facturae',
    `Facturae ${textAt(root, 'FileHeader', 'SchemaVersion') ?? '3.2'}`,
  )
  const invoices = children(child(root, 'Invoices'), 'Invoice')
  const [invoice] = invoices
  const warnings = []
  if (!invoice)
    return {
      proposal,
      warnings: [warning('nothing_found', 'content', 'The file holds no invoice.', 'Type its data.')],
    }
  if (invoices.length > 1)
    warnings.push(
      warning(
        'several_invoices',
        'content',
        'The file holds several invoices; the first one was read.',
        'Enter the others by hand, with the same file attached.',
        { count: invoices.length },
      ),
    )
  const header = child(invoice, 'InvoiceHeader')
  const data = child(invoice, 'InvoiceIssueData')
  const parties = child(root, 'Parties')
  const corrective = child(header, 'Corrective')
  const installments = children(child(invoice, 'PaymentDetails'), 'Installment')
  const { lines, notVat, isGuess } = taxLinesOf(invoice, ownTax)
  if (notVat)
    warnings.push(
      warning(
        'not_vat',
        'taxLines',
        'It bears the tax of another territory, or another one that cannot be deducted; it was added to the base.',
        'Check the lines.',
      ),
    )
  if (isGuess)
    warnings.push(
      warning(
        'treatments_unclear',
        'taxLines',
        'It has lines without VAT for different reasons, and their amounts do not add up to the bases.',
        'Check which amount is of each reason.',
      ),
    )
  setSupplier(proposal, child(parties, 'SellerParty'))
  const issueDate = dayOfText(textAt(data, 'IssueDate'))
  const operationDate = dayOfText(textAt(data, 'OperationDate'))
  const rectifiedNumber = numberOf(
    textAt(corrective, 'InvoiceSeriesCode'),
    textAt(corrective, 'InvoiceNumber'),
  )
  const rectifiedDate = dayOfText(
    textAt(corrective, 'InvoiceIssueDate') ?? textAt(corrective, 'TaxPeriod', 'StartDate'),
  )
  const due = installments
    .map((each) => dayOfText(textAt(each, 'InstallmentDueDate')))
    .filter((day) => day !== null)
  setFields(proposal, 'high', {
    kind: corrective
      ? 'rectifying'
      : textAt(header, 'InvoiceDocumentType') === 'FA'
        ? 'simplified'
        : 'invoice',
    supplierNumber: numberOf(textAt(header, 'InvoiceSeriesCode'), textAt(header, 'InvoiceNumber')),
    issueDate,
    operationDate: operationDate === issueDate ? null : operationDate,
    dueDate: due.at(-1) ?? null,
    currency: /^[A-Z]{3}$/.exec(textAt(data, 'InvoiceCurrencyCode') ?? '')?.[0],
    withholding: withholdingOf(invoice),
    paymentMethod: PAYMENT_MEANS[textAt(installments[0] ?? null, 'PaymentMeans') ?? ''],
    iban: ibanOf(textAt(installments[0] ?? null, 'AccountToBeCredited', 'IBAN')),
    payable: eurosOrNull(amountAt(invoice, 'InvoiceTotals', 'TotalExecutableAmount')),
    customerNif: lineOf(textAt(parties, 'BuyerParty', 'TaxIdentification', 'TaxIdentificationNumber'), 20),
    rectifies:
      rectifiedNumber && rectifiedDate
        ? [{ supplierNumber: rectifiedNumber, issueDate: rectifiedDate }]
        : null,
  })
  setFields(proposal, isGuess ? 'low' : 'high', { taxLines: lines.length > 0 ? lines : null })
  // In this format `InvoiceTotal` is the amount after withholding.
  const totals = child(invoice, 'InvoiceTotals')
  const gross = amountAt(totals, 'TotalGrossAmountBeforeTaxes')
  const taxes = amountAt(totals, 'TotalTaxOutputs')
  const disbursed = amountAt(totals, 'TotalReimbursableExpenses') ?? 0
  if (gross !== null && taxes !== null)
    setFields(proposal, 'high', { total: eurosOrNull(gross + taxes + disbursed) })
  const prepaid = amountAt(totals, 'TotalPaymentsOnAccount')
  if (prepaid) setFields(proposal, 'high', { prepaid: eurosOrNull(prepaid) })
  if (at(root, 'Signature'))
    warnings.push(
      warning(
        'signature_not_checked',
        'content',
        'The file is signed; Sello keeps the signature as it came and does not check it.',
        'Check it at the administration’s validation service when in doubt.',
      ),
    )
  return { proposal, warnings }
}
