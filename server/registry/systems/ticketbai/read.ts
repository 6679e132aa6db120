/**
 * Reads TicketBAI's files strictly: every element in its place and of the schema's form, nothing besides. It reads the tree
 * that the verifier proves, so that nothing is read twice in two ways.
 */
import { isBusinessDate } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { scaleText } from '../../../domain/money.ts'
import { readTree, UnreadableTree } from '../../../platform/signing/index.ts'
import type { TreeElement } from '../../../platform/signing/index.ts'
import type {
  CancellationContent,
  ContentBreakdown,
  ContentKey,
  ContentLine,
  ContentRecipient,
  ContentRectification,
  Fine,
  Footprint,
  Identity,
  InvoiceContent,
  TicketBaiContent,
  VatDetail,
} from './content.ts'
import {
  AMENDMENTS,
  COUNTRIES,
  EXEMPTIONS,
  ID_TYPES,
  LONGEST,
  MAKERS,
  MOST,
  NOT_SUBJECT_CAUSES,
  RECTIFICATION_CODES,
  REGIME_KEYS,
  TAXED_TYPES,
} from './lists.ts'
import { ROOTS } from './write.ts'

/** The text is no file of TicketBAI. */
export class UnreadableTicketBai extends Error {
  override name = 'UnreadableTicketBai'
}

const refuse = (what: string): never => {
  throw new UnreadableTicketBai(what)
}

const DS = 'http://www.w3.org/2000/09/xmldsig#'
const BLANK = /^[ \t\r\n]*$/
const NIF = /^(?:[a-zA-Z]\d{7}[a-zA-Z]|\d{8}[a-zA-Z]|[a-zA-Z]\d{8})$/
const TIME = /^\d\d:\d\d:\d\d$/
const AMOUNT = /^([+-]?)(\d{1,12})(?:\.(\d{0,2}))?$/
const FINE_AMOUNT = /^([+-]?)(\d{1,12})(?:\.(\d{0,8}))?$/
const RATE = /^\d{1,3}(?:\.\d{0,2})?$/

/** The child elements of an element, taken one after the other in the schema's order. */
class Children {
  readonly #path: string
  readonly #elements: TreeElement[] = []
  #next = 0

  constructor(parent: TreeElement, path: string) {
    this.#path = path
    for (const child of parent.children)
      if (typeof child !== 'string') this.#elements.push(child)
      else if (!BLANK.test(child)) refuse(`Text beside the elements of ${path}.`)
  }

  /** Returns the next element if it has this name. */
  find(name: string): TreeElement | null {
    const element = this.#elements[this.#next]
    if (element?.local !== name || element.uri !== '') return null
    if (element.attributes.length > 0) refuse(`${this.#path}/${name} has attributes.`)
    this.#next++
    return element
  }

  need(name: string): TreeElement {
    return this.find(name) ?? refuse(`${this.#path}/${name} is missing or out of place.`)
  }

  inside(name: string): Children {
    return new Children(this.need(name), `${this.#path}/${name}`)
  }

  maybeInside(name: string): Children | null {
    const element = this.find(name)
    return element && new Children(element, `${this.#path}/${name}`)
  }

  /** Reads each of a list of 1 to `most` elements. */
  list<T>(name: string, most: number, read: (children: Children) => T): T[] {
    const found: T[] = []
    for (let one = this.maybeInside(name); one; one = this.maybeInside(name)) {
      if (found.length >= most) refuse(`There are more than ${most} of ${this.#path}/${name}.`)
      found.push(read(one))
      one.end()
    }
    if (found.length === 0) refuse(`${this.#path} is empty.`)
    return found
  }

  /** Returns the text of the next element if it has this name. */
  maybeText(name: string): string | null {
    const element = this.find(name)
    if (!element) return null
    if (element.children.some((child) => typeof child !== 'string'))
      refuse(`${this.#path}/${name} has elements.`)
    return element.children.join('')
  }

  text(name: string): string {
    return this.maybeText(name) ?? refuse(`${this.#path}/${name} is missing or out of place.`)
  }

  /** Reads a text with a rule of its own; the rule answers null for what it refuses. */
  maybe<T>(name: string, rule: (text: string) => T | null): T | null {
    const text = this.maybeText(name)
    return text === null ? null : (rule(text) ?? refuse(`${this.#path}/${name} is not valid.`))
  }

  value<T>(name: string, rule: (text: string) => T | null): T {
    return this.maybe(name, rule) ?? refuse(`${this.#path}/${name} is missing or out of place.`)
  }

  /** Takes the signature, which the verifier reads. */
  signature(): void {
    const element = this.#elements[this.#next]
    if (element?.local !== 'Signature' || element.uri !== DS) refuse(`${this.#path} has no signature.`)
    this.#next++
  }

  end(): void {
    const element = this.#elements[this.#next]
    if (element) refuse(`${this.#path}/${element.local} is out of place.`)
  }
}

const oneOf =
  <T extends string>(values: readonly T[]) =>
  (text: string): T | null =>
    values.find((value) => value === text) ?? null
const upTo =
  (longest: number) =>
  (text: string): string | null =>
    [...text].length <= longest ? text : null
const filledUpTo =
  (longest: number) =>
  (text: string): string | null =>
    BLANK.test(text) ? null : upTo(longest)(text)
const matching =
  (pattern: RegExp) =>
  (text: string): string | null =>
    pattern.test(text) ? text : null
const memberOf =
  (values: ReadonlySet<string>) =>
  (text: string): string | null =>
    values.has(text) ? text : null
const yesNo = oneOf(['S', 'N'])

function maybeYesNo(children: Children, name: string): boolean | null {
  const text = children.maybe(name, yesNo)
  return text === null ? null : text === 'S'
}

function date(text: string): BusinessDate | null {
  const [, day, month, year] = /^(\d\d)-(\d\d)-(\d{4})$/.exec(text) ?? []
  const found = `${year}-${month}-${day}`
  return day !== undefined && isBusinessDate(found) ? found : null
}

function cents(text: string): number | null {
  const [, sign = '', whole, fraction = ''] = AMOUNT.exec(text) ?? []
  if (whole === undefined) return null
  return scaleText(`${sign === '-' ? '-' : ''}${whole}${fraction && `.${fraction}`}`, 2)
}

function fine(text: string): Fine | null {
  const [, sign = '', whole, fraction = ''] = FINE_AMOUNT.exec(text) ?? []
  if (whole === undefined) return null
  const value = BigInt(`${whole}${fraction.padEnd(8, '0')}`)
  return sign === '-' ? -value : value
}

const rateBp = (text: string): number | null =>
  RATE.test(text) ? scaleText(text.replace(/\.$/, ''), 2) : null

function issuer(children: Children): InvoiceContent['issuer'] {
  const within = children.inside('Emisor')
  const found = {
    nif: within.value('NIF', matching(NIF)),
    name: within.value('ApellidosNombreRazonSocial', filledUpTo(LONGEST.name)),
  }
  within.end()
  return found
}

function identity(children: Children): Identity {
  const nif = children.maybe('NIF', matching(NIF))
  if (nif !== null) return { nif }
  const within = children.inside('IDOtro')
  const found = {
    country: within.maybe('CodigoPais', memberOf(COUNTRIES)),
    idType: within.value('IDType', oneOf(ID_TYPES)),
    id: within.value('ID', upTo(LONGEST.foreignId)),
  }
  within.end()
  return found
}

const recipient = (children: Children): ContentRecipient => ({
  identity: identity(children),
  name: children.value('ApellidosNombreRazonSocial', upTo(LONGEST.name)),
  postcode: children.maybe('CodigoPostal', upTo(LONGEST.postcode)),
  address: children.maybe('Direccion', upTo(LONGEST.address)),
})

const key = (children: Children): ContentKey => ({
  series: children.maybe('SerieFactura', upTo(LONGEST.series)),
  number: children.value('NumFactura', filledUpTo(LONGEST.number)),
  issueDate: children.value('FechaExpedicionFactura', date),
})

function rectification(children: Children): ContentRectification | null {
  const within = children.maybeInside('FacturaRectificativa')
  if (!within) return null
  const code = within.value('Codigo', oneOf(RECTIFICATION_CODES))
  const method = within.value('Tipo', oneOf(['S', 'I'] as const))
  const amounts = within.maybeInside('ImporteRectificacionSustitutiva')
  const replaced = amounts && {
    baseCents: amounts.value('BaseRectificada', cents),
    taxCents: amounts.value('CuotaRectificada', cents),
    surchargeCents: amounts.maybe('CuotaRecargoRectificada', cents),
  }
  amounts?.end()
  within.end()
  return { code, method, replaced }
}

const line = (children: Children): ContentLine => ({
  description: children.value('DescripcionDetalle', filledUpTo(LONGEST.description)),
  quantity: children.value('Cantidad', fine),
  unitPrice: children.value('ImporteUnitario', fine),
  discount: children.maybe('Descuento', fine),
  total: children.value('ImporteTotal', fine),
})

const vatDetail = (children: Children): VatDetail => ({
  baseCents: children.value('BaseImponible', cents),
  rateBp: children.maybe('TipoImpositivo', rateBp),
  taxCents: children.maybe('CuotaImpuesto', cents),
  surchargeRateBp: children.maybe('TipoRecargoEquivalencia', rateBp),
  surchargeCents: children.maybe('CuotaRecargoEquivalencia', cents),
  isRetail: maybeYesNo(children, 'OperacionEnRecargoDeEquivalenciaORegimenSimplificado'),
})

function breakdown(children: Children): ContentBreakdown {
  const found: ContentBreakdown = { exempt: [], taxed: [], notSubject: [] }
  const subject = children.maybeInside('Sujeta')
  const exempt = subject?.maybeInside('Exenta')
  if (exempt)
    found.exempt = exempt.list('DetalleExenta', MOST.exemptions, (one) => ({
      cause: one.value('CausaExencion', oneOf(EXEMPTIONS)),
      baseCents: one.value('BaseImponible', cents),
    }))
  exempt?.end()
  const taxed = subject?.maybeInside('NoExenta')
  if (taxed)
    found.taxed = taxed.list('DetalleNoExenta', MOST.taxedTypes, (one) => {
      const type = one.value('TipoNoExenta', oneOf(TAXED_TYPES))
      const rates = one.inside('DesgloseIVA')
      const details = rates.list('DetalleIVA', MOST.vatDetails, vatDetail)
      rates.end()
      return { type, details }
    })
  taxed?.end()
  subject?.end()
  const notSubject = children.maybeInside('NoSujeta')
  if (notSubject)
    found.notSubject = notSubject.list('DetalleNoSujeta', MOST.notSubject, (one) => ({
      cause: one.value('Causa', oneOf(NOT_SUBJECT_CAUSES)),
      amountCents: one.value('Importe', cents),
    }))
  notSubject?.end()
  children.end()
  return found
}

function breakdowns(children: Children): InvoiceContent['breakdown'] {
  const within = children.inside('TipoDesglose')
  const whole = within.maybeInside('DesgloseFactura')
  if (whole) {
    const found = breakdown(whole)
    within.end()
    return { by: 'invoice', whole: found }
  }
  const apart = within.inside('DesgloseTipoOperacion')
  const services = apart.maybeInside('PrestacionServicios')
  const readServices = services && breakdown(services)
  const goods = apart.maybeInside('Entrega')
  const readGoods = goods && breakdown(goods)
  apart.end()
  within.end()
  return { by: 'supply', services: readServices, goods: readGoods }
}

function footprint(children: Children, isLink: boolean): Footprint {
  const within = children.inside('HuellaTBAI')
  const before = isLink ? within.maybeInside('EncadenamientoFacturaAnterior') : null
  const previous = before && {
    series: before.maybe('SerieFacturaAnterior', upTo(LONGEST.series)),
    number: before.value('NumFacturaAnterior', filledUpTo(LONGEST.number)),
    issueDate: before.value('FechaExpedicionFacturaAnterior', date),
    signature: before.value('SignatureValueFirmaFacturaAnterior', filledUpTo(LONGEST.signaturePart)),
  }
  before?.end()
  const software = within.inside('Software')
  const licence = software.value('LicenciaTBAI', filledUpTo(LONGEST.licence))
  const entity = software.inside('EntidadDesarrolladora')
  const developer = identity(entity)
  entity.end()
  const found = {
    previous,
    software: {
      licence,
      developer,
      name: software.value('Nombre', filledUpTo(LONGEST.name)),
      version: software.value('Version', filledUpTo(LONGEST.version)),
    },
    device: within.maybe('NumSerieDispositivo', upTo(LONGEST.device)),
  }
  software.end()
  within.end()
  return found
}

function invoiceOf(root: Children): InvoiceContent {
  const subjects = root.inside('Sujetos')
  const issuedBy = issuer(subjects)
  const several = subjects.maybeInside('Destinatarios')
  const recipients = several ? several.list('IDDestinatario', MOST.recipients, recipient) : []
  several?.end()
  const hasSeveralRecipients = maybeYesNo(subjects, 'VariosDestinatarios')
  const maker = subjects.maybe('EmitidaPorTercerosODestinatario', oneOf(MAKERS))
  subjects.end()
  const invoice = root.inside('Factura')
  const header = invoice.inside('CabeceraFactura')
  const ownKey = key(header)
  const issueTime = header.value('HoraExpedicionFactura', matching(TIME))
  const isSimplified = maybeYesNo(header, 'FacturaSimplificada')
  const replacesSimplified = maybeYesNo(header, 'FacturaEmitidaSustitucionSimplificada')
  const rectifies = rectification(header)
  const list = header.maybeInside('FacturasRectificadasSustituidas')
  const originals = list ? list.list('IDFacturaRectificadaSustituida', MOST.originals, key) : []
  list?.end()
  header.end()
  const data = invoice.inside('DatosFactura')
  const operationDate = data.maybe('FechaOperacion', date)
  const description = data.value('DescripcionFactura', filledUpTo(LONGEST.description))
  const details = data.maybeInside('DetallesFactura')
  const lines = details ? details.list('IDDetalleFactura', MOST.lines, line) : []
  details?.end()
  const totalCents = data.value('ImporteTotalFactura', cents)
  const withholdingCents = data.maybe('RetencionSoportada', cents)
  const costBaseCents = data.maybe('BaseImponibleACoste', cents)
  const keys = data.inside('Claves')
  const regimeKeys = keys.list('IDClave', MOST.regimeKeys, (one) =>
    one.value('ClaveRegimenIvaOpTrascendencia', memberOf(REGIME_KEYS)),
  )
  keys.end()
  data.end()
  const parts = breakdowns(invoice)
  invoice.end()
  return {
    issuer: issuedBy,
    recipients,
    hasSeveralRecipients,
    maker,
    key: ownKey,
    issueTime,
    isSimplified,
    replacesSimplified,
    rectification: rectifies,
    originals,
    operationDate,
    description,
    lines,
    totalCents,
    withholdingCents,
    costBaseCents,
    regimeKeys,
    breakdown: parts,
    footprint: footprint(root, true),
  }
}

function cancellationOf(root: Children, isLink: boolean): CancellationContent {
  const invoice = root.inside('IDFactura')
  const issuedBy = issuer(invoice)
  const header = invoice.inside('CabeceraFactura')
  const ownKey = key(header)
  header.end()
  invoice.end()
  return { issuer: issuedBy, key: ownKey, footprint: footprint(root, isLink) }
}

function version(root: Children, name: 'IDVersionTBAI' | 'IDVersion'): Children {
  const header = root.inside('Cabecera')
  header.value(name, oneOf([name === 'IDVersion' ? '1.0' : '1.2']))
  return header
}

const signaturePart = filledUpTo(LONGEST.signaturePart)

/** Returns the content below a root element. Throws `UnreadableTicketBai`. */
export function contentOfTree(tree: TreeElement): TicketBaiContent {
  const root = new Children(tree, tree.local)
  const kinds = Object.keys(ROOTS) as TicketBaiContent['kind'][]
  const kind = kinds.find((one) => ROOTS[one].name === tree.local && ROOTS[one].ns === tree.uri)
  switch (kind) {
    case 'issue': {
      version(root, 'IDVersionTBAI').end()
      const invoice = invoiceOf(root)
      root.signature()
      root.end()
      return { kind, invoice }
    }
    case 'cancellation': {
      version(root, 'IDVersionTBAI').end()
      const cancellation = cancellationOf(root, false)
      root.signature()
      root.end()
      return { kind, cancellation }
    }
    case 'amended_issue': {
      const header = version(root, 'IDVersion')
      const action = header.value('Accion', oneOf(AMENDMENTS))
      header.end()
      const invoice = invoiceOf(root)
      const signature = root.value('SignatureValueFirmaFactura', signaturePart)
      root.end()
      return { kind, action, invoice, signature }
    }
    case 'amended_cancellation': {
      version(root, 'IDVersion').end()
      // The schema takes the footprint of an invoice here, which may name a previous one.
      const cancellation = cancellationOf(root, true)
      const signature = root.value('SignatureValueFirmaAnulacion', signaturePart)
      root.end()
      return { kind, cancellation, signature }
    }
    case undefined:
      return refuse(`${tree.local} is no file of TicketBAI.`)
  }
}

/** Returns the content of a file; does not verify its signature. Throws `UnreadableTicketBai`. */
export function readTicketBai(xml: string): TicketBaiContent {
  try {
    return contentOfTree(readTree(xml))
  } catch (error) {
    if (error instanceof UnreadableTree) return refuse(error.message)
    throw error
  }
}
