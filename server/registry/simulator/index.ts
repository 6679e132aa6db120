/**
 * The simulated authority of test books: takes the same XML as the real one and answers the same way, in process, without
 * a socket. It trusts nothing of the sender: every message is read, checked and hashed again from its text.
 *
 * To provoke answers: a customer with NIF 99999999R is unknown to its census (1110, rejected; as issuer 4104, a fault), a
 * customer identified with type 07 is accepted with errors (2001). It registers new F1 and F2 invoices; other kinds,
 * corrections and cancellations are read and rejected.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { madridInstant } from '../../core/dates.ts'
import { NS_RECORD, NS_REPLY, NS_SOAP } from '../wire/namespaces.ts'
import { readXml, XmlError } from '../wire/reader.ts'
import { escapeText } from '../record/xml.ts'
import { acceptableNif, at, isYearEnd, rejectionOf, valueAt, warningOf } from './checks.ts'
import { checkSubmissionSchema } from './schema.ts'
import { FAULT_TEXTS, RECORD_TEXTS } from './texts.ts'
import type { XmlElement } from '../wire/reader.ts'
import type { Entry, RecordKey, SimulatorState } from './state.ts'
import type { FaultCode, RecordCode } from './texts.ts'

export { memoryState } from './state.ts'
export type { Entry, RecordKey, SimulatorState } from './state.ts'

/** The tax number nobody has: the simulated census does not know it. */
export const UNKNOWN_TO_CENSUS = '99999999R'

export interface SimulatorOptions {
  state: SimulatorState
  now: () => Date
  /** Code of a submission, 16 characters (CSV). */
  newCsv: () => string
  /** What the sender is told to wait between submissions. */
  waitSeconds?: number
  /** How far a record's time may be from the clock before 2004. */
  clockWindowSeconds?: number
}

export interface Simulator {
  /** Takes a SOAP message and answers one. Never rejects because of the message: what is wrong with it is the answer. */
  submit(envelopeXml: string): Promise<string>
}

/** Something wrong with the whole message: answered as a SOAP fault, nothing is registered. */
class Fault extends Error {
  readonly code: FaultCode
  readonly detail: string
  constructor(code: FaultCode, detail = '') {
    super(code)
    this.code = code
    this.detail = detail
  }
}

interface Outcome {
  key: RecordKey
  operation: 'Alta' | 'Anulacion'
  flags: string
  recordRef: string
  state: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto'
  code: RecordCode | null
  duplicate: Entry | null
}

/** A simulated authority over its memory. Submissions are taken one after another, like by the real one for an issuer. */
export function createSimulator(options: SimulatorOptions): Simulator {
  let tail: Promise<unknown> = Promise.resolve()
  let requests = 0
  return {
    submit(envelopeXml) {
      const turn = tail.then(() => answer(options, envelopeXml, ++requests))
      // A failing store must not stop the ones behind it.
      tail = turn.catch(() => undefined)
      return turn
    },
  }
}

async function answer(options: SimulatorOptions, envelopeXml: string, request: number): Promise<string> {
  try {
    return await register(options, contentOf(envelopeXml), request)
  } catch (error) {
    if (error instanceof Fault) return faultXml(error)
    throw error
  }
}

function contentOf(envelopeXml: string): XmlElement {
  if (envelopeXml.trim() === '') throw new Fault('4138')
  let envelope: XmlElement
  try {
    envelope = readXml(envelopeXml)
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    throw new Fault(error.fault === 'not_utf8' ? '4119' : '4103', error.message)
  }
  const body = envelope.children.filter((child) => child.ns === NS_SOAP && child.name === 'Body')
  const content = body[0]?.children[0]
  const shape = envelope.ns === NS_SOAP && envelope.name === 'Envelope' && body.length === 1
  if (!shape || !content || body[0]?.children.length !== 1) throw new Fault('4102', 'Body')
  return content
}

async function register(options: SimulatorOptions, content: XmlElement, request: number): Promise<string> {
  const now = options.now()
  const schemaFault = checkSubmissionSchema(content)
  if (schemaFault) throw new Fault('4102', `${schemaFault.element} (${schemaFault.why})`)
  const header = at(content, 'Cabecera')
  checkHeader(header, now)
  const stamp = now.toISOString().replace(/\D/g, '').slice(0, 14)
  const requestId = `${stamp}${String(request % 1_000_000).padStart(6, '0')}`
  const outcomes: Outcome[] = []
  for (const item of content.children) {
    const record = item.name === 'RegistroFactura' ? item.children[0] : undefined
    if (record) outcomes.push(await registerOne(options, record, header, now, requestId))
    // In process with everything else: a thousand records must not hold up the rest.
    if (outcomes.length % 100 === 0) await nextTurn()
  }
  return answerXml(options, outcomes, header, now)
}

function checkHeader(header: XmlElement | undefined, now: Date): void {
  const nif = valueAt(header, 'ObligadoEmision', 'NIF')
  if (!acceptableNif(nif)) throw new Fault('4116', nif)
  if (!inCensus(nif))
    throw new Fault('4104', `NIF:${nif}. NOMBRE_RAZON:${valueAt(header, 'ObligadoEmision', 'NombreRazon')}`)
  const representative = valueAt(header, 'Representante', 'NIF')
  if (representative !== '') {
    if (!acceptableNif(representative)) throw new Fault('4117', representative)
    if (!inCensus(representative)) throw new Fault('4123', representative)
  }
  if (at(header, 'RemisionRequerimiento')) throw new Fault('4126')
  const end = valueAt(header, 'RemisionVoluntaria', 'FechaFinVeriFactu')
  if (end !== '' && !isYearEnd(end, now)) throw new Fault('4120', end)
}

function inCensus(nif: string): boolean {
  return nif !== UNKNOWN_TO_CENSUS
}

async function registerOne(
  options: SimulatorOptions,
  record: XmlElement,
  header: XmlElement | undefined,
  now: Date,
  requestId: string,
): Promise<Outcome> {
  const cancels = record.name === 'RegistroAnulacion'
  const suffix = cancels ? 'Anulada' : ''
  const key: RecordKey = {
    issuerNif: valueAt(record, 'IDFactura', `IDEmisorFactura${suffix}`),
    number: valueAt(record, 'IDFactura', `NumSerieFactura${suffix}`),
    issueDate: valueAt(record, 'IDFactura', `FechaExpedicionFactura${suffix}`),
  }
  const outcome: Outcome = {
    key,
    operation: cancels ? 'Anulacion' : 'Alta',
    flags: flagsXml(record),
    recordRef: valueAt(record, 'RefExterna'),
    state: 'Incorrecto',
    code: null,
    duplicate: null,
  }
  if (cancels) return { ...outcome, code: '1100' }
  const installation = installationOf(record)
  const surroundings = {
    now,
    headerNif: valueAt(header, 'ObligadoEmision', 'NIF'),
    incident: valueAt(header, 'RemisionVoluntaria', 'Incidencia') === 'S',
    inCensus,
    clockWindowSeconds: options.clockWindowSeconds ?? 240,
    hasEarlierRecords: (await options.state.last(key.issuerNif, installation)) !== null,
  }
  const rejection = rejectionOf(record, surroundings)
  if (rejection !== null) return { ...outcome, code: rejection }
  const held = await options.state.find(key)
  if (held) return { ...outcome, code: '3000', duplicate: held }
  const warning = warningOf(record, surroundings)
  const state = warning === null ? 'Correcto' : 'AceptadoConErrores'
  await options.state.put({
    ...key,
    status: 'active',
    state,
    code: warning,
    message: warning === null ? null : RECORD_TEXTS[warning],
    hash: valueAt(record, 'Huella'),
    requestId,
    installation,
    registeredAt: madridInstant(now),
  })
  return { ...outcome, state, code: warning }
}

function installationOf(record: XmlElement): string {
  const system = at(record, 'SistemaInformatico')
  const producer = valueAt(system, 'NIF') || valueAt(system, 'IDOtro', 'ID')
  return [producer, valueAt(system, 'IdSistemaInformatico'), valueAt(system, 'NumeroInstalacion')].join(' ')
}

function flagsXml(record: XmlElement): string {
  let xml = ''
  for (const name of ['Subsanacion', 'RechazoPrevio', 'SinRegistroPrevio']) {
    const value = valueAt(record, name)
    if (value !== '') xml += element('sf', name, value)
  }
  return xml
}

const ENVELOPE_OPEN = `<?xml version="1.0" encoding="UTF-8"?>\n<env:Envelope xmlns:env="${NS_SOAP}"><env:Header/><env:Body>`
const ENVELOPE_CLOSE = '</env:Body></env:Envelope>'

function element(prefix: 'sf' | 'sfR', name: string, value: string): string {
  return `<${prefix}:${name}>${escapeText(value)}</${prefix}:${name}>`
}

function faultXml(fault: Fault): string {
  const detail = fault.detail === '' ? '' : ` ${fault.detail}`
  const text = escapeText(`Codigo[${fault.code}].${FAULT_TEXTS[fault.code]}${detail}`)
  return `${ENVELOPE_OPEN}<env:Fault><faultcode>env:Client</faultcode><faultstring>${text}</faultstring></env:Fault>${ENVELOPE_CLOSE}`
}

function answerXml(
  options: SimulatorOptions,
  outcomes: Outcome[],
  header: XmlElement | undefined,
  now: Date,
): string {
  const allCorrect = outcomes.every(({ state }) => state === 'Correcto')
  const allRejected = outcomes.every(({ state }) => state === 'Incorrecto')
  const state = allCorrect ? 'Correcto' : allRejected ? 'Incorrecto' : 'ParcialmenteCorrecto'
  let xml = `${ENVELOPE_OPEN}<sfR:RespuestaRegFactuSistemaFacturacion xmlns:sfR="${NS_REPLY}" xmlns:sf="${NS_RECORD}">`
  if (!allRejected) {
    const presenter = valueAt(header, 'Representante', 'NIF') || valueAt(header, 'ObligadoEmision', 'NIF')
    const presented =
      element('sf', 'NIFPresentador', presenter) + element('sf', 'TimestampPresentacion', madridInstant(now))
    xml += `${element('sfR', 'CSV', options.newCsv())}<sfR:DatosPresentacion>${presented}</sfR:DatosPresentacion>`
  }
  xml += `<sfR:Cabecera>${header ? header.children.map(echoXml).join('') : ''}</sfR:Cabecera>`
  xml +=
    element('sfR', 'TiempoEsperaEnvio', String(options.waitSeconds ?? 60)) +
    element('sfR', 'EstadoEnvio', state)
  for (const outcome of outcomes) xml += lineXml(outcome)
  return `${xml}</sfR:RespuestaRegFactuSistemaFacturacion>${ENVELOPE_CLOSE}`
}

function echoXml(part: XmlElement): string {
  const content = part.children.length > 0 ? part.children.map(echoXml).join('') : escapeText(part.text)
  return `<sf:${part.name}>${content}</sf:${part.name}>`
}

function lineXml({ key, operation, flags, recordRef, state, code, duplicate }: Outcome): string {
  const invoice =
    element('sf', 'IDEmisorFactura', key.issuerNif) +
    element('sf', 'NumSerieFactura', key.number) +
    element('sf', 'FechaExpedicionFactura', key.issueDate)
  let xml = `<sfR:RespuestaLinea><sfR:IDFactura>${invoice}</sfR:IDFactura><sfR:Operacion>${element('sf', 'TipoOperacion', operation)}${flags}</sfR:Operacion>`
  if (recordRef !== '') xml += element('sfR', 'RefExterna', recordRef)
  xml += element('sfR', 'EstadoRegistro', state)
  if (code !== null)
    xml += errorXml('sfR', code, operation === 'Anulacion' ? CANCELLATION_TEXT : RECORD_TEXTS[code])
  if (duplicate) {
    const held = duplicate.status === 'cancelled' ? 'Anulada' : HELD_STATES[duplicate.state]
    xml += `<sfR:RegistroDuplicado>${element('sf', 'IdPeticionRegistroDuplicado', duplicate.requestId)}${element('sf', 'EstadoRegistroDuplicado', held)}`
    if (duplicate.code !== null) xml += errorXml('sf', duplicate.code, duplicate.message ?? '')
    xml += '</sfR:RegistroDuplicado>'
  }
  return `${xml}</sfR:RespuestaLinea>`
}

const CANCELLATION_TEXT = 'Este simulador todavía no registra anulaciones.'
/** The duplicate's block has its own grammar for the same states. */
const HELD_STATES = { Correcto: 'Correcta', AceptadoConErrores: 'AceptadaConErrores' } as const

function errorXml(prefix: 'sf' | 'sfR', code: string, text: string): string {
  return element(prefix, 'CodigoErrorRegistro', code) + element(prefix, 'DescripcionErrorRegistro', text)
}
