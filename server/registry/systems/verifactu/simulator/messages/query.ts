/** The query service: the invoices held of an issuer, by month and filter, page by page. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { NS_QUERY_REPLY, NS_RECORD } from '../../wire/namespaces.ts'
import { readXml } from '../../wire/reader.ts'
import type { XmlElement } from '../../wire/reader.ts'
import { checkQueryHeader } from './header.ts'
import type { Caller, Rights } from './header.ts'
import { checkQuerySchema } from './schema.ts'
import { echoXml, element, envelopeXml, Refusal } from './soap.ts'
import type { Entry, RecordKey, SimulatorState } from '../state.ts'
import { systemOf } from './submission.ts'
import { at, dayOf, recipientsOf, valueAt } from './values.ts'

export interface QueryHandler {
  state: SimulatorState
  rights: Rights
  /** Maximum records of one answer: 10,000 at the real service. */
  pageSize: number
}

/** Entries scanned before other work of the process runs. */
const SCAN = 200

interface Filter {
  issuerNif: string
  /** YYYY-MM */
  month: string
  number: string
  /** YYYY-MM-DD; empty for an open end. */
  from: string
  to: string
  recordRef: string
  after: RecordKey | null
  /** Filters that need the record itself, which is read only when the others match. */
  suits: ((record: XmlElement) => boolean) | null
}

/** Answers a query's envelope. Throws a Refusal for its faults. */
export async function answerQuery(
  desk: QueryHandler,
  content: XmlElement,
  caller: Caller | null,
): Promise<string> {
  const fault = checkQuerySchema(content)
  if (fault) throw new Refusal(fault.code, `${fault.element} (${fault.why})`)
  const header = at(content, 'Cabecera')
  const asked = checkQueryHeader(header, desk.rights, caller)
  const wanted = at(content, 'FiltroConsulta')
  const shown = {
    issuerName: valueAt(content, 'DatosAdicionalesRespuesta', 'MostrarNombreRazonEmisor') === 'S',
    system: valueAt(content, 'DatosAdicionalesRespuesta', 'MostrarSistemaInformatico') === 'S',
  }
  if (asked.as === 'recipient' && shown.system) throw new Refusal('1272')
  const found = await search(desk, filterOf(wanted, asked))
  const more = found.length > desk.pageSize
  const page = found.slice(0, desk.pageSize)
  const period = at(wanted, 'PeriodoImputacion')
  let xml = `<q:RespuestaConsultaFactuSistemaFacturacion xmlns:q="${NS_QUERY_REPLY}" xmlns:sf="${NS_RECORD}"><q:Cabecera>${header ? header.children.map((part) => echoXml(part, 'sf')).join('') : ''}</q:Cabecera><q:PeriodoImputacion>${element('q', 'Ejercicio', valueAt(period, 'Ejercicio'))}${element('q', 'Periodo', valueAt(period, 'Periodo'))}</q:PeriodoImputacion>${element('q', 'IndicadorPaginacion', more ? 'S' : 'N')}${element('q', 'ResultadoConsulta', page.length > 0 ? 'ConDatos' : 'SinDatos')}`
  for (const [index, entry] of page.entries()) {
    xml += entryXml(entry, shown)
    if (index % SCAN === SCAN - 1) await nextTurn()
  }
  const last = page.at(-1)
  if (more && last) xml += `<q:ClavePaginacion>${keyXml(last)}</q:ClavePaginacion>`
  return envelopeXml(`${xml}</q:RespuestaConsultaFactuSistemaFacturacion>`)
}

function filterOf(
  wanted: XmlElement | undefined,
  asked: { as: 'issuer' | 'recipient'; nif: string },
): Filter {
  const counterpart = at(wanted, 'Contraparte')
  // A recipient queries what one issuer has registered for it.
  if (asked.as === 'recipient' && !counterpart) throw new Refusal('1100', 'Contraparte')
  const issuerNif = asked.as === 'issuer' ? asked.nif : valueAt(counterpart, 'NIF')
  const single = valueAt(wanted, 'FechaExpedicionFactura', 'FechaExpedicionFactura')
  const range = at(wanted, 'FechaExpedicionFactura', 'RangoFechaExpedicion')
  const from = single ? isoDay(single) : isoDay(valueAt(range, 'Desde'))
  const to = single ? from : isoDay(valueAt(range, 'Hasta'))
  if (!single && from !== '' && to !== '' && from >= to) throw new Refusal('1250')
  const key = at(wanted, 'ClavePaginacion')
  const after = key && {
    issuerNif: valueAt(key, 'IDEmisorFactura'),
    number: valueAt(key, 'NumSerieFactura'),
    issueDate: valueAt(key, 'FechaExpedicionFactura'),
  }
  if (after && after.issuerNif !== issuerNif) throw new Refusal('1219')
  const tests: ((record: XmlElement) => boolean)[] = []
  const recipientId =
    asked.as === 'recipient' ? asked.nif : valueAt(counterpart, 'NIF') || valueAt(counterpart, 'IDOtro', 'ID')
  if (counterpart || asked.as === 'recipient') tests.push((record) => isRecipient(record, recipientId))
  const system = at(wanted, 'SistemaInformatico')
  if (system) tests.push((record) => isOfSystem(record, system))
  return {
    issuerNif,
    month: `${valueAt(wanted, 'PeriodoImputacion', 'Ejercicio')}-${valueAt(wanted, 'PeriodoImputacion', 'Periodo')}`,
    number: valueAt(wanted, 'NumSerieFactura'),
    from,
    to,
    recordRef: valueAt(wanted, 'RefExterna'),
    after: after ?? null,
    suits: tests.length === 0 ? null : (record) => tests.every((each) => each(record)),
  }
}

function isoDay(text: string): string {
  if (text === '') return ''
  const day = dayOf(text)
  if (day === null) throw new Refusal('4106', text)
  return day
}

function isRecipient(record: XmlElement, id: string): boolean {
  return recipientsOf(record).some((one) => valueAt(one, 'NIF') === id || valueAt(one, 'IDOtro', 'ID') === id)
}

function isOfSystem(record: XmlElement, wanted: XmlElement): boolean {
  const own = systemOf(record)
  return (
    own.producer === (valueAt(wanted, 'NIF') || valueAt(wanted, 'IDOtro', 'ID')) &&
    ['IdSistemaInformatico', 'NumeroInstalacion', 'NombreSistemaInformatico', 'Version'].every((name) => {
      const value = valueAt(wanted, name)
      return value === '' || value === valueAt(record, 'SistemaInformatico', name)
    })
  )
}

/** Reads one page and one entry more, to know whether another page follows. */
async function search({ state, pageSize }: QueryHandler, filter: Filter): Promise<Entry[]> {
  const found: Entry[] = []
  // Dates sort after an empty one, so the search for a number starts where that number starts.
  let after = filter.after ?? (filter.number ? { ...NO_KEY, number: filter.number } : null)
  for (;;) {
    const entries = await state.page(filter.issuerNif, after, SCAN)
    for (const entry of entries) {
      if (filter.number !== '' && entry.number !== filter.number) {
        if (entry.number > filter.number) return found
        continue
      }
      if (suits(entry, filter)) found.push(entry)
      if (found.length > pageSize) return found
    }
    if (entries.length < SCAN) return found
    after = entries.at(-1) ?? null
    await nextTurn()
  }
}

const NO_KEY: RecordKey = { issuerNif: '', number: '', issueDate: '' }

function suits(entry: Entry, { month, from, to, recordRef, suits: suitsRecord }: Filter): boolean {
  if (entry.operationDate.slice(0, 7) !== month) return false
  const issueDay = dayOf(entry.issueDate) ?? ''
  if (from !== '' && issueDay < from) return false
  if (to !== '' && issueDay > to) return false
  if (recordRef !== '' && entry.recordRef !== recordRef) return false
  return suitsRecord === null || suitsRecord(readXml(entry.record))
}

function keyXml({ issuerNif, number, issueDate }: RecordKey): string {
  return (
    element('sf', 'IDEmisorFactura', issuerNif) +
    element('sf', 'NumSerieFactura', number) +
    element('sf', 'FechaExpedicionFactura', issueDate)
  )
}

function entryXml(entry: Entry, shown: { issuerName: boolean; system: boolean }): string {
  const presented =
    element('sf', 'NIFPresentador', entry.presenterNif) +
    element('sf', 'TimestampPresentacion', entry.registeredAt) +
    element('sf', 'IdPeticion', entry.requestId)
  const state = entry.status === 'cancelled' ? 'Anulado' : entry.state
  let held =
    element('q', 'TimestampUltimaModificacion', entry.modifiedAt) + element('q', 'EstadoRegistro', state)
  if (entry.code !== null) {
    held +=
      element('q', 'CodigoErrorRegistro', entry.code) +
      element('q', 'DescripcionErrorRegistro', entry.message ?? '')
  }
  return `<q:RegistroRespuestaConsultaFactuSistemaFacturacion><q:IDFactura>${keyXml(entry)}</q:IDFactura><q:DatosRegistroFacturacion>${factsXml(entry, shown)}</q:DatosRegistroFacturacion><q:DatosPresentacion>${presented}</q:DatosPresentacion><q:EstadoRegistro>${held}</q:EstadoRegistro></q:RegistroRespuestaConsultaFactuSistemaFacturacion>`
}

/** Blocks of a record whose direct children use the answer's namespace; deeper ones use the record's. */
const OF_THE_ANSWER = ['FacturasRectificadas', 'FacturasSustituidas', 'Destinatarios', 'Encadenamiento']
/** Parts of a record that an answer states elsewhere, only when requested, or never. */
const LEFT_OUT = ['IDVersion', 'IDFactura', 'NombreRazonEmisor']

/** Writes the record's facts in the order of the answer, which is nearly that of the record. */
function factsXml(entry: Entry, shown: { issuerName: boolean; system: boolean }): string {
  const record = readXml(entry.record)
  const issuerName = shown.issuerName ? valueAt(record, 'NombreRazonEmisor') : ''
  let xml = issuerName === '' ? '' : element('q', 'NombreRazonEmisor', issuerName)
  for (const part of inAnswerOrder(record.children)) {
    if (LEFT_OUT.includes(part.name) || (part.name === 'SistemaInformatico' && !shown.system)) continue
    xml += OF_THE_ANSWER.includes(part.name)
      ? `<q:${part.name}>${part.children.map((child) => echoXml(child, 'q', 'sf')).join('')}</q:${part.name}>`
      : echoXml(part, 'q', 'sf')
  }
  const { representativeNif, leavingOn, incident } = entry.header
  if (representativeNif !== '') xml += element('q', 'NifRepresentante', representativeNif)
  if (leavingOn !== '') xml += element('q', 'FechaFinVeriFactu', leavingOn)
  if (incident !== '') xml += element('q', 'Incidencia', incident)
  return xml
}

/**
 * Sorts the flags of a cancellation. The record states first that there is no record, then that it was rejected; an
 * answer has the reverse order.
 */
function inAnswerOrder(parts: readonly XmlElement[]): XmlElement[] {
  const unregistered = parts.filter(({ name }) => name === 'SinRegistroPrevio')
  const others = parts.filter(({ name }) => name !== 'SinRegistroPrevio')
  const rejectedAt = others.findIndex(({ name }) => name === 'RechazoPrevio')
  const place = rejectedAt >= 0 ? rejectedAt + 1 : others.findIndex(({ name }) => !EARLY.includes(name))
  return others.toSpliced(place, 0, ...unregistered)
}

/** Elements before the flags in both kinds of record. */
const EARLY = ['IDVersion', 'IDFactura', 'RefExterna', 'NombreRazonEmisor']
