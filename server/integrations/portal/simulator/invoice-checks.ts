/**
 * What the simulated portal checks of an invoice before it registers it: the signature, the version, the offices, the sums
 * of Orden HAP/1074/2014 and the date. Its texts and most of its codes are the simulator's: those of the real service are
 * not published. To provoke refusals by data alone: an office with the code E99999999 is unknown to it, and E88888888 no
 * longer exists.
 */
import {
  BrokenXmlSignature,
  elementsOf,
  onlyElement,
  textIn,
  verifyFacturae,
} from '../../../documents/signing/index.ts'
import type { SignedFacturae, TreeElement } from '../../../documents/signing/index.ts'

export interface Refused {
  code: string
  text: string
}

export interface CheckedInvoice {
  issuerNif: string
  series: string
  number: string
  issueDate: string
  total: string
  accountingOffice: string
  managingBody: string
  processingUnit: string
}

/** The only code that was seen of the real service: the format of the invoice. */
const FORMAT: Refused = { code: '408', text: 'El formato de la factura es incorrecto' }

const refused = (code: string, text: string): Refused => ({ code, text })

const SIGNATURE: Readonly<Record<BrokenXmlSignature['fault'], Refused>> = {
  unreadable: FORMAT,
  unsigned: refused('9101', 'La factura no está firmada'),
  changed: refused('9102', 'La firma de la factura no es válida: el contenido ha cambiado'),
  forged: refused('9103', 'La firma de la factura no es válida'),
  not_covered: refused('9104', 'La firma de la factura no sigue la política de Facturae'),
  expired: refused('9105', 'El certificado de la firma no está vigente'),
}

const UNKNOWN_UNIT = 'E99999999'
const CLOSED_UNIT = 'E88888888'

function at(element: TreeElement | null | undefined, ...path: string[]): TreeElement | null {
  let found: TreeElement | null = element ?? null
  for (const name of path) found = found && (elementsOf(found, name)[0] ?? null)
  return found
}
const valueAt = (element: TreeElement | null | undefined, ...path: string[]): string =>
  textIn(at(element, ...path)).trim()

/** Returns an amount in cents, or null. */
function centsOf(text: string): bigint | null {
  const parts = /^(-?)(\d{1,15})(?:\.(\d{1,8}))?$/.exec(text)
  if (!parts) return null
  const [, sign, whole = '0', fraction = ''] = parts
  const micro = BigInt(whole) * 100_000_000n + BigInt(fraction.padEnd(8, '0'))
  if (micro % 1_000_000n !== 0n) return null
  return (sign === '-' ? -1n : 1n) * (micro / 1_000_000n)
}

/** Checks the sums that the order of the accounting register names. */
function sumFault(invoice: TreeElement): Refused | null {
  const totals = at(invoice, 'InvoiceTotals')
  const amount = (name: string): bigint | null => centsOf(valueAt(totals, name))
  const lines = elementsOf(at(invoice, 'Items') ?? invoice, 'InvoiceLine').map((line) =>
    centsOf(valueAt(line, 'GrossAmount')),
  )
  const [gross, before, outputs, withheld, total] = [
    'TotalGrossAmount',
    'TotalGrossAmountBeforeTaxes',
    'TotalTaxOutputs',
    'TotalTaxesWithheld',
    'InvoiceTotal',
  ].map(amount)
  if (lines.length === 0 || lines.some((one) => one === null)) return FORMAT
  if (gross == null || before == null || outputs == null || withheld == null || total == null) return FORMAT
  const sum = lines.reduce<bigint>((all, one) => all + (one ?? 0n), 0n)
  if (sum !== gross) return refused('9201', 'El importe bruto total no es la suma de las líneas')
  if (before + outputs - withheld !== total)
    return refused('9202', 'El total de la factura no es la base más los impuestos menos las retenciones')
  return null
}

/** Returns the code of the only office of a role; null without one, or with two. */
function officeOf(centres: readonly TreeElement[], role: string): string | null {
  const found = centres.filter((centre) => valueAt(centre, 'RoleTypeCode') === role)
  const code = found.length === 1 ? valueAt(found[0], 'CentreCode') : ''
  return /^[A-Z]{1,2}\d{7,8}$/.test(code) ? code : null
}

interface KnownUnits {
  /** True if these three belong together. */
  isRelation(units: Pick<CheckedInvoice, 'accountingOffice' | 'managingBody' | 'processingUnit'>): boolean
}

/** Checks a file as it arrived. Returns what the portal keeps of it, or why it is refused. */
export function checkInvoice(
  bytes: Uint8Array,
  { now, units }: { now: Date; units: KnownUnits | null },
): CheckedInvoice | Refused {
  let signed: SignedFacturae
  try {
    signed = verifyFacturae(Buffer.from(bytes).toString('utf8'))
  } catch (error) {
    if (error instanceof BrokenXmlSignature) return SIGNATURE[error.fault]
    throw error
  }
  const { root, certificate } = signed
  if (now < certificate.validFromDate || now > certificate.validToDate) return SIGNATURE.expired
  if (root.local !== 'Facturae' || !/^3\.2(\.[12])?$/.test(valueAt(root, 'FileHeader', 'SchemaVersion')))
    return FORMAT
  const invoices = at(root, 'Invoices')
  const invoice = invoices && onlyElement(invoices, 'Invoice')
  if (!invoice) return refused('9106', 'El fichero debe contener una sola factura')
  const checked = {
    issuerNif: valueAt(root, 'Parties', 'SellerParty', 'TaxIdentification', 'TaxIdentificationNumber'),
    number: valueAt(invoice, 'InvoiceHeader', 'InvoiceNumber'),
    series: valueAt(invoice, 'InvoiceHeader', 'InvoiceSeriesCode'),
    issueDate: valueAt(invoice, 'InvoiceIssueData', 'IssueDate'),
    total: valueAt(invoice, 'InvoiceTotals', 'InvoiceTotal'),
  }
  if (checked.issuerNif === '' || checked.number === '' || !/^\d{4}-\d\d-\d\d$/.test(checked.issueDate))
    return FORMAT
  // Days of Spain begin before those of UTC.
  if (Date.parse(checked.issueDate) > now.getTime() + 3 * 3_600_000)
    return refused('9203', 'La fecha de expedición es posterior a la actual')
  const centres = at(root, 'Parties', 'BuyerParty', 'AdministrativeCentres')
  const all = centres ? elementsOf(centres, 'AdministrativeCentre') : []
  const [accountingOffice, managingBody, processingUnit] = ['01', '02', '03'].map((role) =>
    officeOf(all, role),
  )
  if (!accountingOffice || !managingBody || !processingUnit)
    return refused('9301', 'Faltan la oficina contable, el órgano gestor o la unidad tramitadora')
  const offices = { accountingOffice, managingBody, processingUnit }
  const codes = Object.values(offices)
  if (codes.includes(CLOSED_UNIT)) return refused('9303', 'Una unidad de la factura ya no está vigente')
  if (codes.includes(UNKNOWN_UNIT) || (units !== null && !units.isRelation(offices)))
    return refused('9302', 'La relación de unidades de la factura no existe')
  return sumFault(invoice) ?? { ...checked, ...offices }
}
