/**
 * Processes a submission from its header to its answer: checks each record, applies the sequence rules of its key and
 * stores it.
 */
import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { madridInstant } from '../../../../../domain/dates.ts'
import { NS_RECORD, NS_REPLY } from '../../wire/namespaces.ts'
import type { XmlElement } from '../../wire/reader.ts'
import { isCancellation, rejectionOf, warningOf } from '../checks/index.ts'
import type { Surroundings } from '../checks/index.ts'
import type { Fault } from '../faults.ts'
import { checkSubmissionHeader } from './header.ts'
import type { Caller, Rights } from './header.ts'
import { isRejection, isWarning, RECORD_MESSAGES } from './record-messages.ts'
import type { RecordCode } from './record-messages.ts'
import { checkSubmissionSchema } from './schema.ts'
import { echoXml, element, envelopeXml, Refusal } from './soap.ts'
import { keyText } from '../state.ts'
import type { Change, Entry, RecordKey, SimulatorState, StoredRecord, SystemKey } from '../state.ts'
import { cancellationTurn, recordState, registrationTurn } from './turns.ts'
import { at, operationDayOf, valueAt } from './values.ts'

export interface SubmissionHandler {
  state: SimulatorState
  rights: Rights
  newCsv: () => string
  clockWindowSeconds: number
  /** Refuses an early submission; called when the header is valid. Throws. */
  admit: (issuerNif: string, records: number, now: Date) => void
  /** Wait that the answer asks for. */
  waitSeconds: number
}

interface Arrival {
  now: Date
  caller: Caller | null
  fault: Fault | null
  /** Number of the message since the start; part of its identifier. */
  serial: number
}

interface Outcome {
  key: RecordKey
  operation: 'Alta' | 'Anulacion'
  flags: string
  recordRef: string
  state: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto'
  code: RecordCode | null
  message: string | null
  duplicate: Entry | null
}

/** Facts common to the records of one message. */
interface Batch {
  header: XmlElement | undefined
  now: Date
  requestId: string
  presenterNif: string
  surroundings: Omit<Surroundings, 'hasEarlierRecords'>
}

/** Processes a submission and returns the envelope of the answer. Throws a Refusal for faults of the whole message. */
export async function processSubmission(
  desk: SubmissionHandler,
  content: XmlElement,
  arrival: Arrival,
): Promise<string> {
  await nextTurn()
  const fault = checkSubmissionSchema(content)
  if (fault) throw new Refusal(fault.code, `${fault.element} (${fault.why})`)
  const header = at(content, 'Cabecera')
  const { now } = arrival
  const presenterNif = checkSubmissionHeader(header, desk.rights, arrival.caller, now)
  const issuerNif = valueAt(header, 'ObligadoEmision', 'NIF')
  const records = content.children.slice(1).map((item) => item.children[0] as XmlElement)
  desk.admit(issuerNif, records.length, now)
  const stamp = now.toISOString().replace(/\D/g, '').slice(0, 14)
  const batch: Batch = {
    header,
    now,
    requestId: `${stamp}${String(arrival.serial % 1_000_000).padStart(6, '0')}`,
    presenterNif,
    surroundings: {
      now,
      headerNif: issuerNif,
      incident: valueAt(header, 'RemisionVoluntaria', 'Incidencia') === 'S',
      census: desk.rights.census,
      clockWindowSeconds: desk.clockWindowSeconds,
    },
  }
  const pages = new Pages(desk.state)
  if (arrival.fault?.kind === 'annulled_key' || arrival.fault?.kind === 'foreign_duplicate')
    await plant(pages, records, batch, arrival.fault.kind)
  const outcomes: Outcome[] = []
  for (const record of records) {
    const forced = forcedCode(arrival.fault, outcomes.length)
    outcomes.push(await takeRecord(pages, record, batch, forced))
    // The simulator shares the process: a thousand records must not block other work.
    if (outcomes.length % 50 === 0) await nextTurn()
  }
  await pages.commit()
  return answerXml(desk, outcomes, batch)
}

/** The state as this submission sees it: its own changes over the stored ones. */
class Pages {
  private readonly state: SimulatorState
  private readonly changes = new Map<string, Entry>()
  private readonly log: Change[] = []
  private readonly systems = new Set<string>()

  constructor(state: SimulatorState) {
    this.state = state
  }

  async find(key: RecordKey): Promise<Entry | null> {
    return this.changes.get(keyText(key)) ?? this.state.find(key)
  }

  async hasRecords(issuerNif: string, system: SystemKey): Promise<boolean> {
    return this.systems.has(systemText(system)) || this.state.hasRecords(issuerNif, system)
  }

  put(entry: Entry, record: StoredRecord | null): void {
    this.changes.set(keyText(entry), entry)
    if (record) this.systems.add(systemText(record.system))
    this.log.push({ entry, record })
  }

  async commit(): Promise<void> {
    if (this.log.length > 0) await this.state.write(this.log)
  }
}

function systemText({ producer, id, installation }: SystemKey): string {
  return JSON.stringify([producer, id, installation])
}

function forcedCode(fault: Fault | null, index: number): RecordCode | null {
  if (fault?.kind !== 'record_code' || index !== (fault.record ?? 0)) return null
  return isRejection(fault.code) || isWarning(fault.code) ? fault.code : null
}

async function takeRecord(
  pages: Pages,
  record: XmlElement,
  batch: Batch,
  forced: RecordCode | null,
): Promise<Outcome> {
  const cancels = isCancellation(record)
  const key = keyOf(record)
  const outcome: Outcome = {
    key,
    operation: cancels ? 'Anulacion' : 'Alta',
    flags: flagsXml(record),
    recordRef: valueAt(record, 'RefExterna'),
    state: 'Incorrecto',
    code: null,
    message: null,
    duplicate: null,
  }
  const refused = (code: RecordCode, duplicate: Entry | null = null): Outcome => ({
    ...outcome,
    code,
    message: RECORD_MESSAGES[code],
    duplicate,
  })
  if (forced !== null && isRejection(forced) && forced !== '3000') return refused(forced)
  const surroundings: Surroundings = {
    ...batch.surroundings,
    hasEarlierRecords: await pages.hasRecords(batch.surroundings.headerNif, systemOf(record)),
  }
  const rejection = rejectionOf(record, surroundings)
  if (rejection !== null) return refused(rejection)
  const held = await pages.find(key)
  const turn = cancels
    ? cancellationTurn(record, recordState(held))
    : registrationTurn(record, recordState(held))
  if (turn === '3002') return refused(turn)
  if (turn === '3000') return refused(turn, held)
  const code = forced !== null && isWarning(forced) ? forced : warningOf(record, surroundings)
  const state = code === null ? 'Correcto' : 'AceptadoConErrores'
  const message = code === null ? null : warningText(code, surroundings)
  const { entry, stored } = entryOf(record, key, held, batch)
  pages.put({ ...entry, state, code, message }, stored)
  return { ...outcome, state, code, message }
}

function warningText(code: RecordCode, { clockWindowSeconds }: Surroundings): string {
  return RECORD_MESSAGES[code].replace('240 segundos', `${clockWindowSeconds} segundos`)
}

function keyOf(record: XmlElement): RecordKey {
  const suffix = isCancellation(record) ? 'Anulada' : ''
  return {
    issuerNif: valueAt(record, 'IDFactura', `IDEmisorFactura${suffix}`),
    number: valueAt(record, 'IDFactura', `NumSerieFactura${suffix}`),
    issueDate: valueAt(record, 'IDFactura', `FechaExpedicionFactura${suffix}`),
  }
}

export function systemOf(record: XmlElement): SystemKey {
  const system = at(record, 'SistemaInformatico')
  return {
    producer: valueAt(system, 'NIF') || valueAt(system, 'IDOtro', 'ID'),
    id: valueAt(system, 'IdSistemaInformatico'),
    installation: valueAt(system, 'NumeroInstalacion'),
  }
}

/** Returns the invoice after a record, with its verdict still open, and the line of the log. */
function entryOf(
  record: XmlElement,
  key: RecordKey,
  held: Entry | null,
  batch: Batch,
): { entry: Entry; stored: StoredRecord } {
  const cancels = isCancellation(record)
  const now = madridInstant(batch.now)
  const ownHash = valueAt(record, 'Huella')
  const system = systemOf(record)
  const stored: StoredRecord = {
    key,
    kind: cancels ? 'cancellation' : 'registration',
    hash: ownHash,
    previousHash: valueAt(record, 'Encadenamiento', 'RegistroAnterior', 'Huella'),
    recordRef: valueAt(record, 'RefExterna'),
    system,
    at: now,
  }
  // A cancelled invoice still reports its registration; only without one does it report the cancellation.
  if (cancels && held !== null && held.hash !== null) {
    const entry: Entry = { ...held, status: 'cancelled', cancellationHash: ownHash, system, modifiedAt: now }
    return { entry, stored }
  }
  const entry: Entry = {
    ...key,
    status: cancels ? 'cancelled' : 'active',
    state: 'Correcto',
    code: null,
    message: null,
    hash: cancels ? null : ownHash,
    cancellationHash: cancels ? ownHash : (held?.cancellationHash ?? null),
    requestId: batch.requestId,
    presenterNif: batch.presenterNif,
    system,
    recordRef: stored.recordRef,
    generatedAt: valueAt(record, 'FechaHoraHusoGenRegistro'),
    operationDate: cancels ? isoDay(key.issueDate) : operationDayOf(record),
    total: cancels ? null : valueAt(record, 'ImporteTotal'),
    registeredAt: now,
    modifiedAt: now,
    header: {
      representativeNif: valueAt(batch.header, 'Representante', 'NIF'),
      leavingOn: valueAt(batch.header, 'RemisionVoluntaria', 'FechaFinVeriFactu'),
      incident: valueAt(batch.header, 'RemisionVoluntaria', 'Incidencia'),
    },
    record: recordXml(record),
  }
  return { entry, stored }
}

function isoDay(registryDay: string): string {
  return `${registryDay.slice(6)}-${registryDay.slice(3, 5)}-${registryDay.slice(0, 2)}`
}

/** Writes a record as a document of its own, unchanged except for its blanks and prefixes. */
function recordXml(record: XmlElement): string {
  const children = record.children.filter((child) => child.ns === NS_RECORD)
  return `<sf:${record.name} xmlns:sf="${NS_RECORD}">${children.map((child) => echoXml(child, 'sf')).join('')}</sf:${record.name}>`
}

/**
 * Stores an entry under the key of the first registration whose key is free, as if another program had sent it
 * before.
 */
async function plant(
  pages: Pages,
  records: readonly XmlElement[],
  batch: Batch,
  kind: 'annulled_key' | 'foreign_duplicate',
): Promise<void> {
  for (const record of records) {
    const key = keyOf(record)
    if (isCancellation(record) || (await pages.find(key)) !== null) continue
    const { entry } = entryOf(record, key, null, batch)
    const otherHash = (salt: string) => hash('sha256', `${salt} ${keyText(key)}`, 'hex').toUpperCase()
    const foreign: Entry = {
      ...entry,
      status: kind === 'annulled_key' ? 'cancelled' : 'active',
      hash: otherHash('registration'),
      cancellationHash: kind === 'annulled_key' ? otherHash('cancellation') : null,
      system: { ...entry.system, installation: 'OTRA-INSTALACION' },
      recordRef: '',
      record: entry.record
        .replace(/<sf:RefExterna>[^<]*<\/sf:RefExterna>/, '')
        .replace(/<sf:NumeroInstalacion>[^<]*/, '<sf:NumeroInstalacion>OTRA-INSTALACION')
        .replace(/<sf:Huella>[^<]*<\/sf:Huella><\/sf:RegistroAlta>$/, () => {
          return `<sf:Huella>${otherHash('registration')}</sf:Huella></sf:RegistroAlta>`
        }),
    }
    pages.put(foreign, null)
    return
  }
}

function flagsXml(record: XmlElement): string {
  let xml = ''
  for (const name of ['Subsanacion', 'RechazoPrevio', 'SinRegistroPrevio']) {
    const value = valueAt(record, name)
    if (value !== '') xml += element('sf', name, value)
  }
  return xml
}

function answerXml(
  desk: SubmissionHandler,
  outcomes: Outcome[],
  { header, now, presenterNif }: Batch,
): string {
  const allCorrect = outcomes.every(({ state }) => state === 'Correcto')
  const allRejected = outcomes.every(({ state }) => state === 'Incorrecto')
  const state = allCorrect ? 'Correcto' : allRejected ? 'Incorrecto' : 'ParcialmenteCorrecto'
  let xml = `<sfR:RespuestaRegFactuSistemaFacturacion xmlns:sfR="${NS_REPLY}" xmlns:sf="${NS_RECORD}">`
  if (!allRejected) {
    const presented =
      element('sf', 'NIFPresentador', presenterNif) +
      element('sf', 'TimestampPresentacion', madridInstant(now))
    xml += `${element('sfR', 'CSV', desk.newCsv())}<sfR:DatosPresentacion>${presented}</sfR:DatosPresentacion>`
  }
  xml += `<sfR:Cabecera>${header ? header.children.map((part) => echoXml(part, 'sf')).join('') : ''}</sfR:Cabecera>`
  xml += element('sfR', 'TiempoEsperaEnvio', String(desk.waitSeconds)) + element('sfR', 'EstadoEnvio', state)
  for (const outcome of outcomes) xml += lineXml(outcome)
  return envelopeXml(`${xml}</sfR:RespuestaRegFactuSistemaFacturacion>`)
}

function lineXml({ key, operation, flags, recordRef, state, code, message, duplicate }: Outcome): string {
  const invoice =
    element('sf', 'IDEmisorFactura', key.issuerNif) +
    element('sf', 'NumSerieFactura', key.number) +
    element('sf', 'FechaExpedicionFactura', key.issueDate)
  let xml = `<sfR:RespuestaLinea><sfR:IDFactura>${invoice}</sfR:IDFactura><sfR:Operacion>${element('sf', 'TipoOperacion', operation)}${flags}</sfR:Operacion>`
  if (recordRef !== '') xml += element('sfR', 'RefExterna', recordRef)
  xml += element('sfR', 'EstadoRegistro', state)
  if (code !== null) xml += errorXml('sfR', code, message ?? '')
  if (duplicate) {
    const heldAsState = duplicate.status === 'cancelled' ? 'Anulada' : HELD_STATES[duplicate.state]
    xml += `<sfR:RegistroDuplicado>${element('sf', 'IdPeticionRegistroDuplicado', duplicate.requestId)}${element('sf', 'EstadoRegistroDuplicado', heldAsState)}`
    if (duplicate.code !== null) xml += errorXml('sf', duplicate.code, duplicate.message ?? '')
    xml += '</sfR:RegistroDuplicado>'
  }
  return `${xml}</sfR:RespuestaLinea>`
}

/** The block about a duplicate uses different endings for the same states. */
const HELD_STATES = { Correcto: 'Correcta', AceptadoConErrores: 'AceptadaConErrores' } as const

function errorXml(prefix: 'sf' | 'sfR', code: string, text: string): string {
  return element(prefix, 'CodigoErrorRegistro', code) + element(prefix, 'DescripcionErrorRegistro', text)
}
