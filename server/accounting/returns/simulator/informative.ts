/**
 * Informative returns in steps (TGVI Online): their data travel in HTTP headers, the body holds only records. Wrong records
 * do not stop right ones; what was received can be presented once, or left.
 */
import { businessDateOf } from '../../../domain/dates.ts'
import { methodNotAllowed, pdf, step, stepRefused } from './answers.ts'
import type { Answered, SimulatedRequest } from './answers.ts'
import { checkHead, checkRecords, RECORD_LENGTH, totalsOf } from './checks/informative-records.ts'
import type { Head } from './checks/informative-records.ts'
import { finding, listed } from './findings.ts'
import type { Finding } from './findings.ts'
import { informativeFileOf, newCsvFor, newSendingId } from './identifiers.ts'
import { pdfOf } from './pdf.ts'
import type { Services } from './presentation.ts'
import { capacityOf, mayActFor, signerFindings, standingReturns } from './registry.ts'
import type { DeclaredReturn, InformativeSending, RecordNote, ReturnKey } from './state.ts'

const INFORMATIVE_PATH = '/wlpl/OVPT-NTGV/'
const COOKIE = 'NTGV'
const MOST_RECORDS = 40_000

type CertifiedRequest = SimulatedRequest & { callers: readonly string[] }
type Encoding = 'ISO-8859-1' | 'UTF-8'

interface Call {
  request: CertifiedRequest
  services: Services
  /** Returns a header of the message. Throws `Refused` if it is missing or has another form. */
  header: (name: string, form: RegExp) => string
}

interface Done {
  answer: Answered
  filed?: DeclaredReturn
}

/** Ends a step with findings. */
class Refused extends Error {
  readonly findings: readonly Finding[]

  constructor(...findings: Finding[]) {
    super('refused')
    this.findings = findings
  }
}

function refuseFor(findings: readonly Finding[]): void {
  if (findings.length > 0) throw new Refused(...findings)
}

const MODEL = /^\d{3}$/
const YEAR = /^\d{4}$/
const PERIOD = /^[0-9A-Z]{2}$/
const TAX_NUMBER = /^[0-9A-Z]{9}$/
const ENCODING = /^(?:ISO-8859-1|UTF-8)$/
const SENDING = /^\w{27}$/

/** The steps by the last part of their path. */
const STEPS = {
  InicializarEnvio: initialise,
  EnviarDatos: receiveBlock,
  RecuperarErrores: async (call) => notesAnswer(call, ({ refused }) => refused),
  RecuperarAvisos: async (call) => notesAnswer(call, ({ warnings }) => warnings),
  VistaPrevia: preview,
  PresentarEnvio: present,
  RecuperarEnvio: recover,
  BajaDeclaracion: cancel,
} satisfies Record<string, (call: Call) => Promise<Done>>

type StepName = keyof typeof STEPS

/** Returns the step that a path names, or null. */
export function stepOf(pathname: string): StepName | null {
  const name = pathname.startsWith(INFORMATIVE_PATH) ? pathname.slice(INFORMATIVE_PATH.length) : ''
  return Object.hasOwn(STEPS, name) ? (name as StepName) : null
}

/** Answers a step; `filed` is what it presented. */
export async function answerStep(
  name: StepName,
  request: CertifiedRequest,
  services: Services,
): Promise<Done> {
  if (request.method !== 'POST') return { answer: methodNotAllowed('POST') }
  const header = (each: string, form: RegExp): string => {
    const value = request.headers[each.toLowerCase()] ?? ''
    if (!form.test(value)) throw new Refused(finding('S0607', each))
    return value
  }
  try {
    return await STEPS[name]({ request, services, header })
  } catch (error) {
    if (error instanceof Refused) return { answer: stepRefused(listed(error.findings)) }
    throw error
  }
}

function keyOf({ header }: Call): ReturnKey {
  return {
    model: header('MODELO', MODEL),
    year: Number(header('EJERCICIO', YEAR)),
    period: header('PERIODO', PERIOD),
    nif: header('NDC', TAX_NUMBER),
  }
}

function bodyText({ request, header }: Call): string {
  const encoding = header('CODIFICACION', ENCODING)
  if (encoding === 'ISO-8859-1') return Buffer.from(request.body).toString('latin1')
  let text = ''
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(request.body)
  } catch {
    throw new Refused(finding('S0006'))
  }
  refuseFor(/[^\u0000-\u00FF]/.test(text) ? [finding('S0006')] : [])
  return text
}

function refuseStranger({ request, services }: Call, filerNif: string): void {
  refuseFor(
    mayActFor(filerNif, request.callers, services.powers)
      ? []
      : [finding('S0010', request.callers.join(' '))],
  )
}

function signerOf(call: Call, filerNif: string): { nif: string; name: string } {
  const { request, services, header } = call
  const signer = { nif: header('FIRNIF', TAX_NUMBER), name: header('FIRNOMBRE', /\S/) }
  refuseFor(header('FIR', /^/) === 'FirmaBasica' ? [] : [finding('S0004')])
  refuseFor(signerFindings(signer, filerNif, request.callers, services.powers))
  return signer
}

/** An earlier declaration forbids a first one; a later one names an earlier one that stands. */
async function refuseConflict({ services: { state } }: Call, key: ReturnKey, head: Head): Promise<void> {
  const earlier = await standingReturns(state, key)
  const all = await state.declared(key)
  if (all.some(({ receipt }) => receipt === head.number)) throw new Refused(finding('S0617', head.number))
  if (head.nature === 'first') refuseFor(earlier.length > 0 ? [finding('8888', earlier.at(-1)?.file)] : [])
  else if (!earlier.some(({ receipt }) => receipt === head.previousNumber))
    throw new Refused(finding('S0614', head.previousNumber))
}

/** The cookie of a sending, that its later messages must bring. */
const cookieOf = (id: string): string => `${COOKIE}=${id}`
const setCookie = (id: string): Record<string, string> => ({
  'set-cookie': `${cookieOf(id)}; Path=${INFORMATIVE_PATH}; Secure; HttpOnly`,
})

const headClaim = ({ model, year, period, nif }: ReturnKey) => ({ model, year: String(year), period, nif })

async function headOf(call: Call, key: ReturnKey, record: string): Promise<Head> {
  const { findings, head } = await checkHead(record, headClaim(key), businessDateOf(call.services.now))
  if (!head) throw new Refused(...findings)
  return head
}

async function initialise(call: Call): Promise<Done> {
  const { header, services } = call
  const key = keyOf(call)
  header('IDIOMA', /^(?:ES|EN|CA|GL|VA)$/)
  const blocks = Number(header('NUMBLOQUES', /^\d{1,4}$/))
  const record = bodyText(call)
  refuseStranger(call, key.nif)
  const head = await headOf(call, key, record)
  if (blocks === 0 && totalsOf(record).some((total) => total !== 0)) throw new Refused(finding('S0601'))
  await refuseConflict(call, key, head)
  const last = await services.state.lastSending(key)
  const serial = (last?.serial ?? 0) + 1
  const id = await newSendingId(services.state, key, businessDateOf(services.now), serial)
  await services.state.putSending({
    id,
    ...key,
    serial,
    estado: 'CREADO',
    blocks,
    received: 0,
    head: record,
    accepted: '',
    refused: [],
    warnings: [],
    sums: totalsOf(record).map(() => 0),
    isReadable: true,
    cancelled: last?.cancelled ?? [],
  })
  return {
    answer: step({
      idenvio: id,
      estado: 'CREADO',
      sigbloque: '1',
      codigo: '0',
      mensaje: 'Envío creado',
      ...setCookie(id),
    }),
  }
}

/** Returns the sending that a message names, if its certificate and its cookie are right. */
async function sendingOf({ request, services, header }: Call): Promise<InformativeSending> {
  const id = header('IDENVIO', SENDING)
  const sending = await services.state.sending(id)
  if (!sending || !mayActFor(sending.nif, request.callers, services.powers))
    throw new Refused(finding('S0609', id))
  const cookies = (request.headers['cookie'] ?? '').split(';').map((each) => each.trim())
  if (!cookies.includes(cookieOf(id))) throw new Refused(finding('S0613'))
  return sending
}

function recordsIn(text: string): string[] {
  if (text === '' || text.length % RECORD_LENGTH !== 0)
    throw new Refused(finding('EMALREG', String(text.length)))
  if (text.length > MOST_RECORDS * RECORD_LENGTH) throw new Refused(finding('S0611'))
  return Array.from({ length: text.length / RECORD_LENGTH }, (_, at) =>
    text.slice(at * RECORD_LENGTH, (at + 1) * RECORD_LENGTH),
  )
}

const acceptedCount = ({ accepted }: InformativeSending): number => accepted.length / RECORD_LENGTH

async function receiveBlock(call: Call): Promise<Done> {
  const sending = await sendingOf(call)
  const block = Number(call.header('NUMBLOQUE', /^\d{1,4}$/))
  const text = bodyText(call)
  if (sending.estado !== 'CREADO') throw new Refused(finding('S0610', sending.estado))
  if (block !== sending.received + 1 || block > sending.blocks)
    throw new Refused(finding('S0608', String(sending.received + 1)))
  const before = acceptedCount(sending) + sending.refused.length
  const checked = await checkRecords(sending.head, recordsIn(text), before + 2)
  const sums = sending.sums.map((sum, at) => sum + (checked.sums[at] ?? 0))
  const isLast = block === sending.blocks
  // A record that cannot be read is set aside like any wrong one; the totals say nothing then.
  const isReadable = sending.isReadable && checked.isReadable
  if (isLast && isReadable && totalsOf(sending.head).some((total, at) => total !== sums[at]))
    throw new Refused(finding('S0601', sums.join(' ')))
  const next: InformativeSending = {
    ...sending,
    estado: isLast ? 'FINALIZADO' : 'CREADO',
    received: block,
    accepted: sending.accepted + checked.accepted.join(''),
    refused: [...sending.refused, ...checked.refused],
    warnings: [...sending.warnings, ...checked.warnings],
    sums,
    isReadable,
  }
  await call.services.state.putSending(next)
  return {
    answer: step({
      idenvio: next.id,
      estado: next.estado,
      // Whether the real service names the next block here is not known.
      ...(isLast ? {} : { sigbloque: String(block + 1) }),
      codigo: '0',
      mensaje: 'Bloque recibido',
      totalt2ok: String(acceptedCount(next)),
      totalt2ko: String(next.refused.length),
      bloquet2ok: String(checked.accepted.length),
      bloquet2ko: String(checked.refused.length),
      avisos: next.warnings.length > 0 ? 'S' : 'N',
    }),
  }
}

async function notesAnswer(
  call: Call,
  choose: (sending: InformativeSending) => readonly RecordNote[],
): Promise<Done> {
  const sending = await sendingOf(call)
  const encoding = call.header('CODIFICACION', ENCODING) as Encoding
  const lines = choose(sending).flatMap(({ record, line, notes }) =>
    notes.map((note) => `${record};(${line}) ${note}`),
  )
  return { answer: step({ idenvio: sending.id, codigo: '0' }, { lines, encoding }) }
}

/** A sending without records 2 needs no block. */
function refuseUnfinished({ estado, blocks }: InformativeSending): void {
  const isReady = estado === 'FINALIZADO' || (estado === 'CREADO' && blocks === 0)
  if (!isReady) throw new Refused(finding('S0610', estado))
}

async function preview(call: Call): Promise<Done> {
  const sending = await sendingOf(call)
  refuseUnfinished(sending)
  const { model, year, period, nif, id } = sending
  const bytes = pdfOf([
    `BORRADOR  Modelo ${model}  Ejercicio ${year}  Periodo ${period}`,
    'SIMULACIÓN: no presentado',
    `NIF: ${nif}`,
    `Envío: ${id}`,
    `Registros: ${acceptedCount(sending)}`,
  ])
  return { answer: pdf(bytes, { idenvio: id, codigo: '0' }) }
}

async function present(call: Call): Promise<Done> {
  const { state, now, newCsv, powers } = call.services
  const sending = await sendingOf(call)
  const signer = signerOf(call, sending.nif)
  refuseUnfinished(sending)
  const count = acceptedCount(sending)
  if (count === 0 && sending.blocks > 0) throw new Refused(finding('S0619'))
  const { nif, model, year, period } = sending
  const key = { nif, model, year, period }
  const head = await headOf(call, key, sending.head)
  await refuseConflict(call, key, head)
  const place = (await state.declared(key)).length + 1
  const records = recordsIn(sending.head + sending.accepted)
  const filed: DeclaredReturn = {
    ...key,
    nature: head.nature,
    kind: '',
    csv: newCsv ? newCsv() : await newCsvFor(state, key, place),
    receipt: head.number,
    file: informativeFileOf(key, place),
    presentedAt: now.getTime(),
    resultCents: 0,
    presenterNif: signer.nif,
    presenterName: signer.name,
    presenterAs: capacityOf(signer.nif, nif, powers),
    name: head.name,
    text: records.map((record) => `${record}\r\n`).join(''),
  }
  await state.add(filed)
  await state.putSending({ ...sending, estado: 'PRESENTADO' })
  return {
    answer: step({
      idenvio: sending.id,
      estado: 'PRESENTADO',
      numeroregistros: String(count),
      csv: filed.csv,
      expediente: filed.file,
      codigo: '0',
    }),
    filed,
  }
}

async function recover(call: Call): Promise<Done> {
  const key = keyOf(call)
  refuseStranger(call, key.nif)
  const sending = await call.services.state.lastSending(key)
  if (!sending) throw new Refused(finding('S0609'))
  return {
    answer: step({
      idenvio: sending.id,
      estado: sending.estado,
      numbloques: String(sending.blocks),
      enviot2ok: String(acceptedCount(sending)),
      enviot2ko: String(sending.refused.length),
      codigo: '0',
      // Whether the real service sets its cookie here is not known; without one, no later step would be possible.
      ...setCookie(sending.id),
    }),
  }
}

async function cancel(call: Call): Promise<Done> {
  const { state } = call.services
  const key = keyOf(call)
  signerOf(call, key.nif)
  const file = call.header('EXPEDIENTE', /^\w{1,30}$/)
  const [standing, last] = [await standingReturns(state, key), await state.lastSending(key)]
  if (!last || !standing.some((each) => each.file === file)) throw new Refused(finding('S0615', file))
  await state.putSending({ ...last, cancelled: [...last.cancelled, file] })
  return { answer: step({ expediente: file, codigo: '0' }) }
}
