/** Builds the messages to the registry: submissions of records as they were stored, and queries about what it holds. */
import { registryDate } from '../../../../domain/dates.ts'
import type { BusinessDate } from '../../../../domain/dates.ts'
import type { InvoiceKey, Recipient, SystemInfo } from '../record/fields.ts'
import type { Taxpayer } from '../../../system.ts'
import { escapeText, keyXml, partyXml } from '../record/xml.ts'
import { NS_QUERY, NS_RECORD, NS_SOAP, NS_SUBMISSION } from './namespaces.ts'

/** The authority's maximum of records in one message. */
export const MAX_RECORDS_PER_SUBMISSION = 1000

export interface SubmissionHeader {
  issuer: Taxpayer
  /** Set only when a representative made the records. */
  representative?: Taxpayer
}

export interface SubmissionOptions {
  /** A failure of power, network or system delayed some record (Incidencia). */
  incident?: boolean
  /** The last day under VERI*FACTU, when the issuer leaves it (FechaFinVeriFactu): a 31 December. */
  leavingOn?: BusinessDate
}

const SUBMISSION_OPEN = `<?xml version="1.0" encoding="UTF-8"?>\n<soapenv:Envelope xmlns:soapenv="${NS_SOAP}" xmlns:sfLR="${NS_SUBMISSION}" xmlns:sf="${NS_RECORD}"><soapenv:Header/><soapenv:Body><sfLR:RegFactuSistemaFacturacion><sfLR:Cabecera>`
const SUBMISSION_CLOSE = '</sfLR:RegFactuSistemaFacturacion></soapenv:Body></soapenv:Envelope>'

/**
 * Returns the SOAP message with records as they were stored, unchanged and in the order of the chain. Throws a
 * RangeError unless there are 1 to 1000 of them.
 */
export function buildSubmission(
  header: SubmissionHeader,
  records: readonly string[],
  options: SubmissionOptions = {},
): string {
  if (records.length < 1 || records.length > MAX_RECORDS_PER_SUBMISSION) {
    throw new RangeError(`A submission takes 1 to ${MAX_RECORDS_PER_SUBMISSION} records.`)
  }
  const { representative } = header
  let xml = `${SUBMISSION_OPEN}<sf:ObligadoEmision>${taxpayerXml(header.issuer)}</sf:ObligadoEmision>`
  if (representative) xml += `<sf:Representante>${taxpayerXml(representative)}</sf:Representante>`
  const remission =
    (options.leavingOn
      ? `<sf:FechaFinVeriFactu>${registryDate(options.leavingOn)}</sf:FechaFinVeriFactu>`
      : '') + (options.incident ? '<sf:Incidencia>S</sf:Incidencia>' : '')
  if (remission) xml += `<sf:RemisionVoluntaria>${remission}</sf:RemisionVoluntaria>`
  xml += '</sfLR:Cabecera>'
  for (const record of records) xml += `<sfLR:RegistroFactura>${record}</sfLR:RegistroFactura>`
  return xml + SUBMISSION_CLOSE
}

export interface Query {
  issuer: Taxpayer
  /** The issuer's representative sends the query. */
  byRepresentative?: boolean
  /** `YYYY-MM`: the month of the operation, else of the issue. */
  month: string
  number?: string
  /** Limits the query to one customer's invoices. */
  recipient?: Recipient
  /** One day, or a span of days with both ends included. */
  issued?: { on: BusinessDate } | { from: BusinessDate; to: BusinessDate }
  /** Limits the query to what one installation of a program registered. */
  system?: Pick<SystemInfo, 'producer' | 'id' | 'installationNumber'>
  /** Our own reference of a record (RefExterna). */
  recordRef?: string
  /** Start of the next page: `next` of the previous answer. */
  after?: InvoiceKey
}

const QUERY_OPEN = `<?xml version="1.0" encoding="UTF-8"?>\n<soapenv:Envelope xmlns:soapenv="${NS_SOAP}" xmlns:sfLRC="${NS_QUERY}" xmlns:sf="${NS_RECORD}"><soapenv:Header/><soapenv:Body><sfLRC:ConsultaFactuSistemaFacturacion><sfLRC:Cabecera><sf:IDVersion>1.0</sf:IDVersion>`
const QUERY_CLOSE =
  '<sfLRC:DatosAdicionalesRespuesta><sfLRC:MostrarSistemaInformatico>S</sfLRC:MostrarSistemaInformatico></sfLRC:DatosAdicionalesRespuesta></sfLRC:ConsultaFactuSistemaFacturacion></soapenv:Body></soapenv:Envelope>'

/**
 * Returns the SOAP message that queries what the registry holds of the issuer's own invoices, with the system that
 * registered each. Throws a RangeError when `month` is not `YYYY-MM`.
 */
export function buildQuery(query: Query): string {
  const representative = query.byRepresentative
    ? '<sf:IndicadorRepresentante>S</sf:IndicadorRepresentante>'
    : ''
  return `${QUERY_OPEN}<sf:ObligadoEmision>${taxpayerXml(query.issuer)}</sf:ObligadoEmision>${representative}</sfLRC:Cabecera><sfLRC:FiltroConsulta>${filterXml(query)}</sfLRC:FiltroConsulta>${QUERY_CLOSE}`
}

function filterXml({ month, number, recipient, issued, system, recordRef, after }: Query): string {
  const [, year, period] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? []
  if (!year || !period) throw new RangeError('The month of a query has the form YYYY-MM.')
  let xml = `<sfLRC:PeriodoImputacion><sf:Ejercicio>${year}</sf:Ejercicio><sf:Periodo>${period}</sf:Periodo></sfLRC:PeriodoImputacion>`
  if (number !== undefined) xml += `<sfLRC:NumSerieFactura>${escapeText(number)}</sfLRC:NumSerieFactura>`
  if (recipient) xml += `<sfLRC:Contraparte>${partyXml(recipient)}</sfLRC:Contraparte>`
  if (issued) xml += `<sfLRC:FechaExpedicionFactura>${issuedXml(issued)}</sfLRC:FechaExpedicionFactura>`
  if (system)
    xml += `<sfLRC:SistemaInformatico>${taxpayerXml(system.producer)}<sf:IdSistemaInformatico>${escapeText(system.id)}</sf:IdSistemaInformatico><sf:NumeroInstalacion>${escapeText(system.installationNumber)}</sf:NumeroInstalacion></sfLRC:SistemaInformatico>`
  if (recordRef !== undefined) xml += `<sfLRC:RefExterna>${escapeText(recordRef)}</sfLRC:RefExterna>`
  if (after) xml += `<sfLRC:ClavePaginacion>${keyXml(after)}</sfLRC:ClavePaginacion>`
  return xml
}

function issuedXml(issued: NonNullable<Query['issued']>): string {
  if ('on' in issued)
    return `<sf:FechaExpedicionFactura>${registryDate(issued.on)}</sf:FechaExpedicionFactura>`
  return `<sf:RangoFechaExpedicion><sf:Desde>${registryDate(issued.from)}</sf:Desde><sf:Hasta>${registryDate(issued.to)}</sf:Hasta></sf:RangoFechaExpedicion>`
}

function taxpayerXml(taxpayer: Taxpayer): string {
  return `<sf:NombreRazon>${escapeText(taxpayer.name)}</sf:NombreRazon><sf:NIF>${escapeText(taxpayer.nif)}</sf:NIF>`
}
