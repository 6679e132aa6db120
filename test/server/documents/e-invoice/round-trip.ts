/**
 * Compares an invoice's facts in each structured format with what Sello reads from the file that it writes; both in
 * cents.
 */
import fc from 'fast-check'
import { totalsOf } from '../../../../server/sales/invoices/index.ts'
import type { DraftContent, DraftLine } from '../../../../server/sales/invoices/index.ts'
import {
  availableFormats,
  ciiXml,
  eInvoiceOf,
  facturaeXml,
  peppolXml,
  ubl25Xml,
  ublXml,
} from '../../../../server/documents/e-invoice/index.ts'
import type { EInvoice, StructuredFormat } from '../../../../server/documents/e-invoice/index.ts'
import { DISBURSEMENTS } from '../../../../server/purchases/intake/read-result.ts'
import type { ReadProposal } from '../../../../server/purchases/intake/read-result.ts'
import { readStructured } from '../../../../server/purchases/intake/structured.ts'
import { GERMAN_CONSUMER, issued, randomContent } from './samples.ts'

export const WRITERS = {
  cii: ciiXml,
  ubl: ublXml,
  facturae: facturaeXml,
  ubl25: (invoice: EInvoice): string => ubl25Xml(invoice, { copy: false }),
  peppol: peppolXml,
}

interface Facts {
  /** By rate and surcharge, such as `21 5.2`: base, VAT, surcharge. */
  taxed: Record<string, [base: number, tax: number, surcharge: number]>
  /** Bases on which the buyer owes the tax. */
  reverse: number
  disbursed: number
  /** Everything else: exempt, not subject, and taxes other than Spanish VAT, with their bases. */
  untaxed: number
  withholding: { rate: number; base: number; amount: number } | null
  prepaid: number
  total: number
  payable: number
}

const none = (): Facts => ({
  taxed: {},
  reverse: 0,
  disbursed: 0,
  untaxed: 0,
  withholding: null,
  prepaid: 0,
  total: 0,
  payable: 0,
})

function addTaxed(facts: Facts, key: string, amounts: readonly number[]): void {
  const [base, tax, surcharge] = facts.taxed[key] ?? [0, 0, 0]
  const [more = 0, moreTax = 0, moreSurcharge = 0] = amounts
  facts.taxed[key] = [base + more, tax + moreTax, surcharge + moreSurcharge]
}

/** Rates of Spain; another state's VAT is a cost for a buyer here. */
const SPANISH: readonly (number | null)[] = [2100, 1000, 400]

/** Returns the expected facts of a format's file, from the invoice itself. */
export function factsOf(invoice: EInvoice, format: StructuredFormat): Facts {
  const facts = none()
  for (const group of invoice.groups) {
    const { vatRateBp, surchargeRateBp, baseCents, taxCents, surchargeCents, category, taxTreatment } = group
    // Facturae names the tax: reverse charge of IGIC or IPSI is not VAT.
    const isReverse =
      format === 'facturae'
        ? invoice.tax === '01' && (category === 'AE' || taxTreatment === 'S2')
        : category === 'AE' || category === 'K'
    const isTaxed = category === 'S' && SPANISH.includes(vatRateBp)
    if (group.isDisbursement) facts.disbursed += baseCents
    else if (isReverse) facts.reverse += baseCents
    else if (isTaxed && surchargeCents === 0)
      addTaxed(facts, String((vatRateBp ?? 0) / 100), [baseCents, taxCents])
    else if (isTaxed)
      addTaxed(facts, `${(vatRateBp ?? 0) / 100} ${(surchargeRateBp ?? 0) / 100}`, [
        baseCents,
        taxCents,
        surchargeCents,
      ])
    else facts.untaxed += baseCents + taxCents + surchargeCents
  }
  const { withholding } = invoice
  facts.withholding = withholding && {
    rate: withholding.rateBp / 100,
    base: withholding.baseCents,
    amount: withholding.amountCents,
  }
  // The document of the exchange says that an invoice was paid at its issue.
  const isPaid = format === 'ubl25' && invoice.paidOn !== null
  facts.prepaid = invoice.replacedCents + (isPaid ? invoice.amountDueCents : 0)
  facts.total = invoice.totalCents
  facts.payable = isPaid ? 0 : invoice.amountDueCents
  return tidy(facts)
}

const cents = (euros = 0): number => Math.round(euros * 100)

/** Returns the facts that a reading proposes. */
export function factsRead(proposal: ReadProposal): Facts {
  const facts = none()
  for (const line of proposal.taxLines) {
    const { base, tax, surcharge, vatRate, surchargeRate, taxTreatment, description } = line
    if (description === DISBURSEMENTS) facts.disbursed += cents(base)
    else if (taxTreatment === 'S2') facts.reverse += cents(base)
    else if (vatRate && surcharge)
      addTaxed(facts, `${vatRate} ${surchargeRate}`, [cents(base), cents(tax), cents(surcharge)])
    else if (vatRate) addTaxed(facts, String(vatRate), [cents(base), cents(tax)])
    else facts.untaxed += cents(base)
  }
  const { withholding } = proposal
  facts.withholding = withholding
    ? { rate: withholding.rate, base: cents(withholding.base), amount: cents(withholding.amount) }
    : null
  facts.prepaid = cents(proposal.prepaid)
  facts.total = cents(proposal.total)
  facts.payable = cents(proposal.payable)
  return tidy(facts)
}

/** Removes empty groups and negative zeros. */
function tidy(facts: Facts): Facts {
  const taxed = Object.entries(facts.taxed).filter(([, amounts]) => amounts.some((each) => each !== 0))
  return JSON.parse(JSON.stringify({ ...facts, taxed: Object.fromEntries(taxed.toSorted()) })) as Facts
}

interface Difference {
  format: StructuredFormat
  written: Facts
  read: Facts | null
}

/** Writes an invoice in every format that it has, reads each file, and returns the differences. */
export function differencesOf(invoice: EInvoice): { files: number; differences: Difference[] } {
  const faults = availableFormats(invoice)
  const formats = (Object.keys(WRITERS) as StructuredFormat[]).filter((format) => faults[format] === null)
  const differences = formats.flatMap((format): Difference[] => {
    const found = readStructured(Buffer.from(WRITERS[format](invoice)))
    const written = factsOf(invoice, format)
    const read = found && factsRead(found.proposal)
    return JSON.stringify(read) === JSON.stringify(written) ? [] : [{ format, written, read }]
  })
  return { files: formats.length, differences }
}

/** Languages of documents, which also decide the texts of the files. */
const LANGUAGES: DraftContent['language'][] = ['es', 'en', 'ca', 'eu', 'gl', 'fr', 'de', 'pt']

/** Kinds of invoice, and of those that may rectify one. */
const KINDS: DraftContent['kind'][] = ['F1', 'F2', 'F3']
const RECTIFYING: DraftContent['kind'][] = ['R1', 'R2', 'R3', 'R4', 'R5']

/**
 * Returns a line as sold: a consumer of another member state is charged VAT, here or through the one-stop shop, and
 * cannot be invoiced with reverse charge.
 */
function sold(line: DraftLine, { client }: DraftContent): DraftLine {
  const isService = line.taxTreatment === 'N2' && line.vatRateBp === null
  return client === GERMAN_CONSUMER && isService ? { ...line, taxTreatment: 'N1' } : line
}

/** Counts the files and differences of random invoices; throws at the first difference, shrunk. */
export function roundTrips(numRuns: number, seed: number): { files: number; invoices: number } {
  let files = 0
  let invoices = 0
  fc.assert(
    fc.property(randomContent, fc.constantFrom(...LANGUAGES), fc.nat(), (random, language, nth) => {
      const kinds = random.kind === 'F1' ? KINDS : RECTIFYING
      const kind = kinds[nth % kinds.length] ?? random.kind
      const content = { ...random, kind, language, lines: random.lines.map((line) => sold(line, random)) }
      const said = differencesOf(eInvoiceOf(content, totalsOf(content), issued()))
      files += said.files
      invoices += 1
      if (said.differences.length > 0) throw new Error(JSON.stringify(said.differences, null, 1))
    }),
    { numRuns, seed },
  )
  return { files, invoices }
}
