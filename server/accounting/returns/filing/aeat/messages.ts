/**
 * Messages of the agency's services for self-assessments, and their answers. Source: what independent programs send and
 * what was recorded of the services PresBasicaDos, ServValiDos and ConsultaExt; their own description was not at hand.
 * Whatever is neither an acceptance nor a list of errors is unknown.
 */
import { readXml, XmlRefused } from '../../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../../domain/formats/xml-reader.ts'
import type {
  DeclaredReturn,
  FiledText,
  FilingAnswer,
  HttpMessage,
  HttpOutcome,
  Party,
  Presented,
  QueryAnswer,
  ValidationAnswer,
} from '../service.ts'

const PATHS = {
  file: '/wlpl/PFTW-PICW/PresBasicaDos',
  validate: '/wlpl/PFTW-PICW/ServValiDos',
  query: '/wlpl/SCEJ-MANT/ConsultaExt',
  document: '/wlpl/inwinvoc/es.aeat.dit.adu.eeca.catalogo.vis.VisualizaSc',
} as const

/** Language of the answers. */
const LANGUAGE = 'ES'
/** The only value that is known to be accepted as the signature. */
export const SIGNATURE = 'FirmaBasica'

function post(path: string, type: string, body: string, certificate: boolean): HttpMessage {
  return {
    method: 'POST',
    path,
    headers: { 'content-type': type, accept: '*/*' },
    body: Buffer.from(body, 'utf8'),
    certificate,
  }
}

const JSON_TYPE = 'application/json;charset=UTF-8'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Returns the message that files a return. */
export function filingMessage(file: FiledText, signer: Party, paymentReference: string | null): HttpMessage {
  const body = {
    MODELO: file.model,
    EJERCICIO: String(file.year),
    PERIODO: file.period,
    NRC: paymentReference ?? '',
    IDI: LANGUAGE,
    F01: file.text,
    FIR: SIGNATURE,
    FIRNIF: signer.nif,
    FIRNOMBRE: signer.name,
  }
  return post(PATHS.file, JSON_TYPE, JSON.stringify(body), true)
}

/** Returns the message that has a return checked and files nothing. */
export function validationMessage(file: FiledText): HttpMessage {
  const body = {
    MODELO: file.model,
    EJERCICIO: String(file.year),
    PERIODO: file.period,
    IDI: LANGUAGE,
    F01: file.text,
  }
  return post(PATHS.validate, JSON_TYPE, JSON.stringify(body), false)
}

/** Returns the message that asks which returns of a period were filed. */
export function queryMessage(of: {
  nif: string
  name: string
  model: string
  year: number
  period: string
}): HttpMessage {
  const fields = new URLSearchParams({
    NIF: of.nif,
    ANR: of.name,
    MOD: of.model,
    EJF: String(of.year),
    PER: of.period,
    FED: '',
    FEH: '',
    HOD: '',
    HOH: '',
  })
  return post(PATHS.query, FORM_TYPE, fields.toString(), true)
}

/** Returns the message that fetches the document of a receipt. */
export function documentMessage(csv: string): HttpMessage {
  const query = new URLSearchParams({ COMPLETA: 'SI', ORIGEN: 'E', NIF: '', CSV: csv })
  return {
    method: 'GET',
    path: `${PATHS.document}?${query.toString()}`,
    headers: { accept: 'application/pdf' },
    body: new Uint8Array(),
    certificate: false,
  }
}

/** Returns a member of a JSON object whatever the case of its name: the services write it differently. */
function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const found = Object.entries(value).find(([key]) => key.toLowerCase() === name)
  return found?.[1]
}

const ERRORS_READ = 100
const CHARACTERS_READ = 500

function stringsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  // How the service writes an error that is no text is not known: it is shown as it came.
  return value
    .slice(0, ERRORS_READ)
    .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)).slice(0, CHARACTERS_READ))
}

function textOf(value: unknown, name: string): string | null {
  const found = member(value, name)
  return typeof found === 'string' && found.trim() !== '' ? found.trim().slice(0, CHARACTERS_READ) : null
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

const OK = 200

/** Returns the errors of an answer that lists some; null for any other answer. */
function refusalOf(body: unknown): string[] | null {
  const errors = stringsOf(member(member(body, 'respuesta'), 'errores'))
  return errors.length > 0 ? errors : null
}

/** Returns who filed for whom, as an acceptance names them; null if it names nobody. */
function presentedOf(correct: unknown): Presented | null {
  const presented: Presented = {
    presenterNif: textOf(correct, 'nifpresentador'),
    presenterName: textOf(correct, 'apellidosnombrepresentador'),
    presenterAs: textOf(correct, 'tiporepresentacion'),
    declarantNif: textOf(correct, 'nifdeclarante'),
    declarantName: textOf(correct, 'apellidosnombredeclarante'),
  }
  return Object.values(presented).some((each) => each !== null) ? presented : null
}

/** Form of the code that identifies a document. */
export const CSV = /^[A-Z0-9]{16}$/

/**
 * Reads the answer to a filing. Only a whole acceptance with its code, or a list of errors, is certain: a page, a redirect,
 * half a text or an acceptance without a code leaves it unknown.
 */
export function readFilingAnswer(outcome: HttpOutcome): FilingAnswer {
  if (outcome.kind === 'not_sent') return outcome
  if (outcome.kind === 'no_answer') return { kind: 'unknown', detail: outcome.detail }
  const body = parsed(outcome.body)
  const correct = member(member(body, 'respuesta'), 'correcta')
  const csv = textOf(correct, 'codigoseguroverificacion')
  const errors = refusalOf(body)
  if (csv !== null && CSV.test(csv) && outcome.status === OK && errors === null)
    return {
      kind: 'accepted',
      receipt: {
        csv,
        receipt: textOf(correct, 'justificante'),
        registerNumber: textOf(correct, 'expediente'),
        presentedAt: [textOf(correct, 'fecha'), textOf(correct, 'hora')].filter(Boolean).join(' '),
        documentUrl: textOf(correct, 'urlpdf'),
        notices: [...stringsOf(member(correct, 'avisos')), ...stringsOf(member(correct, 'advertencias'))],
        presented: presentedOf(correct),
        exchangeId: null,
      },
    }
  if (correct === undefined && errors !== null) return { kind: 'refused', errors }
  return {
    kind: 'unknown',
    detail: `The answer (status ${outcome.status}, ${outcome.body.length} bytes) is neither an acceptance nor a list of errors.`,
  }
}

/** Reads the answer to a validation. */
export function readValidationAnswer(outcome: HttpOutcome): ValidationAnswer {
  if (outcome.kind !== 'answered') return { kind: 'unavailable', detail: outcome.detail }
  const body = parsed(outcome.body)
  const errors = refusalOf(body)
  if (errors !== null) return { kind: 'invalid', errors }
  const answer = member(body, 'respuesta')
  const pages = member(answer, 'pdf')
  if (outcome.status !== OK || !Array.isArray(pages))
    return { kind: 'unavailable', detail: `The answer (status ${outcome.status}) cannot be read.` }
  const [first] = pages
  const draft = typeof first === 'string' ? new Uint8Array(Buffer.from(first, 'base64')) : null
  return {
    kind: 'valid',
    notices: stringsOf(member(answer, 'avisos')),
    draft: draft && isPdf(draft) ? draft : null,
  }
}

/** Where the mark of the end of a PDF must be. Source: ISO 32000-1, annex H. */
const PDF_TAIL_BYTES = 1024

/** Returns true if bytes begin and end as a PDF does: half a receipt is none. */
function isPdf(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return text.subarray(0, 5).equals(Buffer.from('%PDF-')) && text.subarray(-PDF_TAIL_BYTES).includes('%%EOF')
}

const XML_LIMITS = { depth: 8, nodes: 5_000, elementChars: 1_000, totalChars: 200_000 }

const child = (element: XmlElement, name: string): string | null => {
  const found = element.children.find((each) => each.name === name)
  return found && found.text.trim() !== '' ? found.text.trim() : null
}

/**
 * Reads the answer to a query. Found and not found are told apart only in a whole answer about what was asked: an error of
 * the service, a page, half a text or a return of another period says nothing about what is filed.
 */
export function readQueryAnswer(
  outcome: HttpOutcome,
  asked: { nif: string; model: string; year: number; period: string },
): QueryAnswer {
  if (outcome.kind !== 'answered') return { kind: 'unavailable', detail: outcome.detail }
  let root: XmlElement
  try {
    root = readXml(Buffer.from(outcome.body).toString('utf8'), XML_LIMITS)
  } catch (error) {
    if (!(error instanceof XmlRefused)) throw error
    return {
      kind: 'unavailable',
      detail: `The answer (status ${outcome.status}) is not XML that can be read.`,
    }
  }
  if (outcome.status !== OK || root.name !== 'servicioConsultasDirectas')
    return { kind: 'unavailable', detail: `The answer (status ${outcome.status}) is of another kind.` }
  const failed = root.children.find(({ name }) => name === 'error')
  if (failed)
    return { kind: 'unavailable', detail: child(failed, 'descripcionError') ?? 'The query was refused.' }
  const stated = { ejercicio: String(asked.year), modelo: asked.model, periodo: asked.period, nif: asked.nif }
  const declared: DeclaredReturn[] = []
  if (root.text.trim() !== '') return { kind: 'unavailable', detail: 'The answer holds what is not known.' }
  for (const element of root.children) {
    if (element.name !== 'respuestaCorrecta')
      return { kind: 'unavailable', detail: 'The answer holds what is not known.' }
    if (Object.entries(stated).some(([name, value]) => (child(element, name) ?? value) !== value))
      return { kind: 'unavailable', detail: 'A return in the answer is of another filer, model or period.' }
    const csv = child(element, 'csv')
    const presentedAt = child(element, 'fechaYHoraPresentacion')
    if (csv === null || presentedAt === null)
      return { kind: 'unavailable', detail: 'A return in the answer has no code or no time.' }
    declared.push({
      csv,
      receipt: child(element, 'justificante'),
      registerNumber: child(element, 'expediente'),
      presentedAt,
    })
  }
  return declared.length > 0 ? { kind: 'found', declared } : { kind: 'none' }
}

/** Reads a document; null if the answer is none. */
export function readDocument(outcome: HttpOutcome): Uint8Array | null {
  if (outcome.kind !== 'answered' || outcome.status !== OK) return null
  return isPdf(outcome.body) ? outcome.body : null
}
