/**
 * Reads the answer to a query: what the authority holds of a month. As with every reply, anything that is not exactly
 * of the published shape (RespuestaConsultaLR.xsd) is `unreadable`: what is held is never guessed.
 */
import { NS_QUERY_REPLY, NS_RECORD } from './namespaces.ts'
import { LARGE_XML_LIMITS, onlyChild, optionalChild, XmlError } from './reader.ts'
import {
  codeOf,
  instantOf,
  keyOf,
  oneOf,
  optionalText,
  optionalMessage,
  readEnvelope,
  text,
  unexpected,
} from './replies.ts'
import { assertElementShape, shapeOf } from './shape.ts'
import type { InvoiceKey } from '../record/fields.ts'
import type { HeldRecord } from '../../../system.ts'
import type { XmlElement } from './reader.ts'
import type { FaultReply, UnreadableReply } from './replies.ts'

const HELD_STATES = ['Correcto', 'AceptadoConErrores', 'Anulado'] as const satisfies HeldRecord['state'][]
const KINDS = ['F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5'] as const
const AMOUNT = /^[+-]?\d{1,12}(\.\d{0,2})?$/

export type { HeldRecord }

export interface QueryAnswer {
  kind: 'answer'
  /** The queried issuer; null when a recipient sent the query, or when it is omitted, as the schema allows. */
  issuerNif: string | null
  /** `YYYY-MM`: the queried month. */
  month: string
  hasMore: boolean
  /** Start of the next page, sent back unchanged. Null on the last page. */
  next: InvoiceKey | null
  /** At most 10,000. */
  items: HeldRecord[]
}

type QueryReply = QueryAnswer | FaultReply | UnreadableReply

const KEY = shapeOf(NS_RECORD, 'IDEmisorFactura NumSerieFactura FechaExpedicionFactura')
const OTHER_ID = shapeOf(NS_RECORD, 'CodigoPais IDType ID')
const PARTY = shapeOf(NS_RECORD, 'NombreRazon NIF', { IDOtro: OTHER_ID })
const LINE = shapeOf(
  NS_RECORD,
  'Impuesto ClaveRegimen CalificacionOperacion OperacionExenta TipoImpositivo BaseImponibleOimporteNoSujeto BaseImponibleACoste CuotaRepercutida TipoRecargoEquivalencia CuotaRecargoEquivalencia',
)
const SYSTEM = shapeOf(
  NS_RECORD,
  'NombreRazon NIF NombreSistemaInformatico IdSistemaInformatico Version NumeroInstalacion TipoUsoPosibleSoloVerifactu TipoUsoPosibleMultiOT IndicadorMultiplesOT',
  { IDOtro: OTHER_ID },
)
const CHAIN = shapeOf(NS_QUERY_REPLY, 'PrimerRegistro', {
  RegistroAnterior: shapeOf(NS_RECORD, 'IDEmisorFactura NumSerieFactura FechaExpedicionFactura Huella'),
})
const DATA = shapeOf(
  NS_QUERY_REPLY,
  'NombreRazonEmisor RefExterna Subsanacion RechazoPrevio SinRegistroPrevio GeneradoPor TipoFactura TipoRectificativa FechaOperacion DescripcionOperacion FacturaSimplificadaArt7273 FacturaSinIdentifDestinatarioArt61d Macrodato EmitidaPorTerceroODestinatario Cupon CuotaTotal ImporteTotal FechaHoraHusoGenRegistro NumRegistroAcuerdoFacturacion IdAcuerdoSistemaInformatico TipoHuella Huella NifRepresentante FechaFinVeriFactu Incidencia',
  {
    Generador: PARTY,
    FacturasRectificadas: listOf('IDFacturaRectificada'),
    FacturasSustituidas: listOf('IDFacturaSustituida'),
    ImporteRectificacion: shapeOf(NS_RECORD, 'BaseRectificada CuotaRectificada CuotaRecargoRectificado'),
    Tercero: PARTY,
    Destinatarios: shapeOf(NS_QUERY_REPLY, '', { IDDestinatario: PARTY }, ['IDDestinatario']),
    Desglose: shapeOf(NS_RECORD, '', { DetalleDesglose: LINE }, ['DetalleDesglose']),
    Encadenamiento: CHAIN,
    SistemaInformatico: SYSTEM,
  },
)
const ITEM = shapeOf(NS_QUERY_REPLY, '', {
  IDFactura: KEY,
  DatosRegistroFacturacion: DATA,
  DatosPresentacion: shapeOf(NS_RECORD, 'NIFPresentador TimestampPresentacion IdPeticion'),
  EstadoRegistro: shapeOf(
    NS_QUERY_REPLY,
    'TimestampUltimaModificacion EstadoRegistro CodigoErrorRegistro DescripcionErrorRegistro',
  ),
})
const ITEM_NAME = 'RegistroRespuestaConsultaFactuSistemaFacturacion'
const ANSWER = shapeOf(
  NS_QUERY_REPLY,
  'IndicadorPaginacion ResultadoConsulta',
  {
    Cabecera: shapeOf(NS_RECORD, 'IDVersion IndicadorRepresentante', {
      ObligadoEmision: shapeOf(NS_RECORD, 'NombreRazon NIF'),
      Destinatario: shapeOf(NS_RECORD, 'NombreRazon NIF'),
    }),
    PeriodoImputacion: shapeOf(NS_QUERY_REPLY, 'Ejercicio Periodo'),
    [ITEM_NAME]: ITEM,
    ClavePaginacion: KEY,
  },
  [ITEM_NAME],
)

function listOf(name: string) {
  return shapeOf(NS_QUERY_REPLY, '', { [name]: KEY }, [name])
}

/** Reads the body of a query's answer with any HTTP status. Never throws. */
export function readQueryReply(xml: string | Uint8Array): QueryReply {
  return readEnvelope(xml, answerOf, LARGE_XML_LIMITS)
}

/**
 * Returns why an answer does not belong to a query about this issuer and month (`YYYY-MM`), or null when it may. An
 * answer to another query must never be read as "nothing held".
 */
export function foreignElementIn(answer: QueryAnswer, issuerNif: string, month: string): string | null {
  const issuers = [answer.issuerNif ?? issuerNif, ...answer.items.map(({ key }) => key.issuerNif)]
  const other = issuers.find((told) => told !== issuerNif)
  if (other !== undefined) return `asked ${issuerNif}, told ${other}`
  return answer.month === month ? null : `asked ${month}, told ${answer.month}`
}

function answerOf(answer: XmlElement): QueryAnswer {
  if (answer.ns !== NS_QUERY_REPLY || answer.name !== 'RespuestaConsultaFactuSistemaFacturacion')
    throw unexpected(answer)
  assertElementShape(answer, ANSWER)
  const issuer = optionalChild(onlyChild(answer, NS_QUERY_REPLY, 'Cabecera'), NS_RECORD, 'ObligadoEmision')
  const hasMore = value(answer, 'IndicadorPaginacion', ['S', 'N']) === 'S'
  const hasData = value(answer, 'ResultadoConsulta', ['ConDatos', 'SinDatos']) === 'ConDatos'
  const after = optionalChild(answer, NS_QUERY_REPLY, 'ClavePaginacion')
  const items: HeldRecord[] = []
  for (const child of answer.children) if (child.name === ITEM_NAME) items.push(heldOf(child))
  // If the answer contradicts its own parts, neither can be trusted.
  if (hasData !== items.length > 0) throw new XmlError('syntax', 'ResultadoConsulta contradicts the records')
  if (hasMore && !(hasData && after)) throw new XmlError('syntax', 'IndicadorPaginacion without a next page')
  return {
    kind: 'answer',
    issuerNif: issuer ? text(issuer, NS_RECORD, 'NIF') : null,
    month: monthOf(onlyChild(answer, NS_QUERY_REPLY, 'PeriodoImputacion')),
    hasMore,
    next: hasMore && after ? keyOf(after) : null,
    items,
  }
}

function monthOf(period: XmlElement): string {
  const year = text(period, NS_QUERY_REPLY, 'Ejercicio')
  const month = text(period, NS_QUERY_REPLY, 'Periodo')
  if (!/^\d{4}$/.test(year) || !/^(0[1-9]|1[0-2])$/.test(month))
    throw new XmlError('syntax', `PeriodoImputacion ${year} ${month}`)
  return `${year}-${month}`
}

function heldOf(item: XmlElement): HeldRecord {
  const data = onlyChild(item, NS_QUERY_REPLY, 'DatosRegistroFacturacion')
  const condition = onlyChild(item, NS_QUERY_REPLY, 'EstadoRegistro')
  const presentation = optionalChild(item, NS_QUERY_REPLY, 'DatosPresentacion')
  const state = value(condition, 'EstadoRegistro', HELD_STATES)
  const code = codeOf(condition, NS_QUERY_REPLY) ?? null
  if (state === 'Correcto' && code !== null)
    throw new XmlError('syntax', 'a correct record with an error code')
  const kind = reported(data, 'TipoFactura')
  const generatedAt = reported(data, 'FechaHoraHusoGenRegistro')
  return {
    key: keyOf(onlyChild(item, NS_QUERY_REPLY, 'IDFactura')),
    recordRef: reported(data, 'RefExterna'),
    hash: reported(data, 'Huella'),
    kind: kind === null ? null : oneOf(KINDS, kind, 'TipoFactura'),
    taxTotal: amountOf(data, 'CuotaTotal'),
    total: amountOf(data, 'ImporteTotal'),
    generatedAt: generatedAt === null ? null : instantOf(generatedAt),
    state,
    code,
    message: optionalMessage(condition, NS_QUERY_REPLY, 'DescripcionErrorRegistro') || null,
    modifiedAt: instantOf(text(condition, NS_QUERY_REPLY, 'TimestampUltimaModificacion')),
    requestId: presentation ? text(presentation, NS_RECORD, 'IdPeticion') : null,
    presentedAt: presentation ? instantOf(text(presentation, NS_RECORD, 'TimestampPresentacion')) : null,
    system: systemOf(data),
    recipients: recipientsOf(data),
    description: reported(data, 'DescripcionOperacion'),
  }
}

function systemOf(data: XmlElement): HeldRecord['system'] {
  const system = optionalChild(data, NS_QUERY_REPLY, 'SistemaInformatico')
  if (!system) return null
  return {
    producerId: partyId(system),
    id: text(system, NS_RECORD, 'IdSistemaInformatico'),
    installation: text(system, NS_RECORD, 'NumeroInstalacion'),
  }
}

function recipientsOf(data: XmlElement): HeldRecord['recipients'] {
  const list = optionalChild(data, NS_QUERY_REPLY, 'Destinatarios')
  if (!list) return []
  return list.children.map((one) => ({ name: text(one, NS_RECORD, 'NombreRazon'), id: partyId(one) }))
}

/** Returns the Spanish number of a party, or its other identification: exactly one of them. */
function partyId(party: XmlElement): string {
  const nif = optionalText(party, NS_RECORD, 'NIF')
  const other = optionalChild(party, NS_RECORD, 'IDOtro')
  if (nif !== undefined && other) throw new XmlError('duplicate_element', 'NIF and IDOtro')
  return other ? text(other, NS_RECORD, 'ID') : text(party, NS_RECORD, 'NIF')
}

function amountOf(data: XmlElement, name: string): string | null {
  const amount = reported(data, name)
  if (amount !== null && !AMOUNT.test(amount)) throw new XmlError('syntax', `${name} ${amount}`)
  return amount
}

/** Returns the text of an optional part; null when it is missing or empty. */
function reported(parent: XmlElement, name: string): string | null {
  return optionalText(parent, NS_QUERY_REPLY, name) || null
}

function value<T extends string>(parent: XmlElement, name: string, allowed: readonly T[]): T {
  return oneOf(allowed, text(parent, NS_QUERY_REPLY, name), name)
}
