/** Turns the readings of a document's words into the proposal of its file, beneath what is structured. */
import { percentFromBasisPoints } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { isInUnion } from '../../domain/tax/territories.ts'
import type { TaxLineInput } from '../invoices/contract.ts'
import { warning } from '../fault.ts'
import { eurosOrNull } from './amounts.ts'
import { DISBURSEMENTS } from './read-result.ts'
import type { ReadProposal, ReadResult } from './read-result.ts'
import { shownBox } from './pages/page.ts'
import type { Page } from './pages/page.ts'
import type { FieldValue, Level, Reading, ReadTaxLine } from './reading/field-value.ts'
import type { Layout } from './reading/layout.ts'

type Confidence = ReadProposal['confidence'][string]

const CONFIDENCE: Record<Level, Confidence> = {
  proven: 'medium',
  known: 'medium',
  read: 'low',
  guess: 'low',
  missing: 'low',
}

const KINDS: Record<Reading['kind'], ReadProposal['kind'] | null> = {
  invoice: 'invoice',
  credit: 'rectifying',
  simplified: 'simplified',
  not_invoice: null,
}

interface Target {
  proposal: ReadProposal
  pages: readonly Page[]
}

/** Sets a field that nothing structured gave, with its level, evidence and alternatives; `convert` may refuse it. */
function set<Name extends keyof ReadProposal, T>(
  { proposal, pages }: Target,
  name: Name,
  field: FieldValue<T>,
  convert: (value: T) => ReadProposal[Name] | null,
): void {
  if (field.value === null || proposal.levels[name] !== undefined) return
  const value = convert(field.value)
  if (value === null || value === undefined) return
  Object.assign(proposal, { [name]: value })
  proposal.confidence[name] = CONFIDENCE[field.level]
  proposal.levels[name] = field.level
  proposal.evidence[name] = field.evidence.flatMap(({ page, box, reason, args }) => {
    const on = pages.find(({ index }) => index === page)
    return on ? [{ page, box: shownBox(box, on), reason, args }] : []
  })
  const others = field.rivals.flatMap((rival) => {
    const other = convert(rival)
    return typeof other === 'string' || typeof other === 'number' ? [other] : []
  })
  if (others.length > 0) proposal.alternatives[name] = others
}

/** Nature of a line for which the supplier charged no VAT because the buyer owes it. */
function natureOf(country: string | null): NonNullable<TaxLineInput['nature']> {
  if (country === null || country === 'ES') return 'reverse_charge'
  return isInUnion(country) ? 'eu_services' : 'foreign_services'
}

function lineInput(line: ReadTaxLine, country: string | null): TaxLineInput | null {
  const base = eurosOrNull(line.baseCents)
  const tax = eurosOrNull(line.taxCents)
  const surcharge = eurosOrNull(line.surchargeCents)
  if (base === null || tax === null || surcharge === null) return null
  if (line.untaxed === 'exempt') return { base, taxTreatment: 'E1' }
  if (line.untaxed === 'cost') return { base, taxTreatment: 'N1' }
  if (line.untaxed === 'reverse_charge') return { base, taxTreatment: 'S2', nature: natureOf(country) }
  return {
    base,
    vatRate: percentFromBasisPoints(line.rateBp),
    tax,
    ...(line.surchargeBp === null
      ? {}
      : { surchargeRate: percentFromBasisPoints(line.surchargeBp), surcharge }),
  }
}

function taxLinesOf(reading: Reading): TaxLineInput[] | null {
  const { taxLines, supplied, supplierCountry } = reading.fields
  const lines = (taxLines.value ?? []).map((line) => lineInput(line, supplierCountry.value))
  const known = lines.filter((line) => line !== null)
  if (known.length === 0 || known.length < lines.length) return null
  const extra = supplied.value === null ? null : eurosOrNull(supplied.value)
  // Paid in the customer's name, it is part of the document and no purchase.
  return extra === null ? known : [...known, { base: extra, taxTreatment: 'N1', description: DISBURSEMENTS }]
}

const euros = (cents: Cents): number | null => eurosOrNull(cents)

/** The lower of two levels: a value made of two fields is no better than either. */
const ORDER: readonly Level[] = ['missing', 'guess', 'read', 'known', 'proven']
function lowest(...levels: Level[]): Level {
  return ORDER[Math.min(...levels.map((level) => ORDER.indexOf(level)))] ?? 'guess'
}

/** Fills the values of a proposal that nothing structured gave. */
function fillFrom(target: Target, reading: Reading): void {
  const { proposal } = target
  const { fields } = reading
  set(target, 'supplierNif', fields.supplierNif, (value) => value)
  set(target, 'supplierName', fields.supplierName, (value) => value)
  set(target, 'supplierCountry', fields.supplierCountry, (value) => value)
  set(target, 'supplierNumber', fields.number, (value) => value)
  set(target, 'issueDate', fields.issueDate, (value) => value)
  set(target, 'dueDate', fields.dueDate, (value) => value)
  set(target, 'currency', fields.currency, (value) => (/^[A-Z]{3}$/.test(value) ? value : null))
  set(target, 'customerNif', fields.customerNif, (value) => value)
  set(target, 'paymentMethod', fields.paymentMethod, (value) => value)
  set(target, 'iban', fields.iban, (value) => value)
  set(target, 'category', fields.category, (value) => value)
  const kind = KINDS[reading.kind]
  if (kind !== null && proposal.kind === undefined) {
    proposal.kind = kind
    proposal.levels['kind'] = reading.kindEvidence.length > 0 ? 'read' : 'guess'
    proposal.confidence['kind'] = 'low'
  }
  if (reading.kind === 'not_invoice') return
  const { total, supplied } = fields
  set(target, 'taxLines', fields.taxLines, () => taxLinesOf(reading))
  const level = supplied.value === null ? total.level : lowest(total.level, supplied.level)
  set(target, 'total', { ...total, level }, (cents) => euros(cents + (supplied.value ?? 0)))
  set(target, 'withholding', fields.withholding, ({ rateBp, baseCents, amountCents }) => {
    const base = euros(baseCents)
    const amount = euros(amountCents)
    return base === null || amount === null ? null : { rate: percentFromBasisPoints(rateBp), base, amount }
  })
  set(target, 'payable', fields.payable, euros)
  set(target, 'prepaid', fields.prepaid, euros)
}

/** Returns the total of a reading in euros, with disbursements, as a proposal states it. */
function totalOf(reading: Reading): number | null {
  const { total, supplied } = reading.fields
  return total.value === null ? null : euros(total.value + (supplied.value ?? 0))
}

function differs(
  found: ReadResult,
  readings: readonly Reading[],
): { structured: number; printed: number } | null {
  const { total, payable } = found.proposal
  if (total === undefined || readings.length === 0) return null
  const printed = readings.map((reading) => ({ reading, total: totalOf(reading) }))
  const own = [total, payable]
  if (
    printed.some(
      ({ reading, total: each }) =>
        each === null || own.includes(each) || own.includes(euros(reading.fields.payable.value ?? 0) ?? 0),
    )
  )
    return null
  const [first] = printed
  return first?.total == null ? null : { structured: total, printed: first.total }
}

/** Warns when the pages print another total than the structured data beside them, which then prove it no longer. */
export function compareWithPaper(found: ReadResult, readings: readonly Reading[]): void {
  const { proposal, warnings } = found
  const difference = differs(found, readings)
  proposal.closes = difference === null
  if (difference === null) return
  for (const field of ['total', 'taxLines', 'payable', 'withholding'])
    if (proposal.levels[field] !== undefined) proposal.levels[field] = 'read'
  proposal.alternatives['total'] = [difference.printed]
  warnings.push(
    warning(
      'paper_differs',
      'total',
      'The pages print another total than the data of the document.',
      'Ask the supplier which one is right.',
      difference,
    ),
  )
}

function without(proposal: ReadProposal, name: 'total'): void {
  for (const part of [proposal, proposal.confidence, proposal.levels]) Reflect.deleteProperty(part, name)
}

/** Returns a layout with the places of its values as a viewer shows them. */
function shownLayout({ print, words, labelled }: Layout, pages: readonly Page[]): ReadProposal['layout'] {
  return {
    print,
    words,
    labelled: labelled.flatMap((each) => {
      const on = pages.find(({ index }) => index === each.page)
      return on ? [{ ...each, box: shownBox(each.box, on) }] : []
    }),
  }
}

/** Takes the readings of a document's pages over: the first fills the proposal. `unread`: pages from 0 without words. */
export function takeReadings(
  found: ReadResult,
  readings: readonly Reading[],
  { pages, unread }: { pages: readonly Page[]; unread: readonly number[] },
): void {
  const { proposal, warnings } = found
  found.readings = [...readings]
  if (unread.length > 0)
    warnings.push(
      warning(
        'pages_without_text',
        'content',
        'Some pages are pictures without text.',
        'Type what they say; the file is attached all the same.',
        { pages: unread.length, first: (unread[0] ?? 0) + 1 },
      ),
    )
  const [first] = readings
  if (!first) return
  const isQr = proposal.source === 'qr'
  // A code states euros, also of an invoice in another currency.
  const { value: currency } = first.fields.currency
  if (isQr && currency !== null && currency !== 'EUR') without(proposal, 'total')
  if (isQr) compareWithPaper(found, readings)
  const before = Object.keys(proposal.levels).length
  fillFrom({ proposal, pages }, first)
  proposal.layout = shownLayout(first.layout, pages)
  if (proposal.source === 'none' && Object.keys(proposal.levels).some((field) => MEANINGFUL.has(field)))
    proposal.source = pages.some(({ source }) => source === 'ocr') ? 'ocr' : 'text'
  else if (proposal.source === 'none' && before === 0) clear(proposal)
  proposal.closes = (!isQr || proposal.closes) && first.closes && unread.length === 0 && readings.length === 1
  if (readings.length > 1)
    warnings.push(
      warning(
        'several_invoices',
        'content',
        'The file holds more than one invoice.',
        'Only the first one was read here: split the file.',
        { count: readings.length },
      ),
    )
  if (first.kind === 'not_invoice')
    warnings.push(
      warning(
        'not_an_invoice',
        'content',
        'The title says that this is not an invoice.',
        'Wait for the invoice, or enter it if it is one.',
        { title: first.kindEvidence[0]?.args['title'] ?? '' },
      ),
    )
}

/** Fields whose presence says that something was read: every text has a currency and a category by default. */
const MEANINGFUL = new Set([
  'supplierNif',
  'supplierName',
  'supplierNumber',
  'issueDate',
  'taxLines',
  'total',
  'payable',
])

function clear(proposal: ReadProposal): void {
  const { source, format } = proposal
  for (const key of Object.keys(proposal)) Reflect.deleteProperty(proposal, key)
  Object.assign(proposal, {
    source,
    format,
    taxLines: [],
    confidence: {},
    levels: {},
    evidence: {},
    alternatives: {},
    closes: false,
  })
}
