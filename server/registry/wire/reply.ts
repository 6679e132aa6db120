/** Reads the authority's reply. What is not exactly a known shape is `unreadable`: an outcome is never guessed. */
import { trimValue } from '../record/chain.ts'
import { NS_RECORD, NS_REPLY, NS_SOAP } from './namespaces.ts'
import { onlyChild, optionalChild, readXml, XmlError } from './reader.ts'
import { dateFromRegistry } from '../record/sealed.ts'
import type { BusinessDate } from '../../core/dates.ts'
import type { XmlElement } from './reader.ts'

const SUBMISSION_STATES = ['Correcto', 'ParcialmenteCorrecto', 'Incorrecto'] as const
const RECORD_STATES = ['Correcto', 'AceptadoConErrores', 'Incorrecto'] as const
const DUPLICATE_STATES = ['Correcta', 'AceptadaConErrores', 'Anulada'] as const
const OPERATIONS = { Alta: 'registration', Anulacion: 'cancellation' } as const

export type SubmissionState = (typeof SUBMISSION_STATES)[number]
export type RecordState = (typeof RECORD_STATES)[number]
export type DuplicateState = (typeof DUPLICATE_STATES)[number]

export interface ReplyLine {
  issuerNif: string
  number: string
  issueDate: BusinessDate
  operation: 'registration' | 'cancellation'
  /** Our own reference, echoed (RefExterna). */
  recordRef?: string
  state: RecordState
  /** The authority's code, such as `2004`; absent with `Correcto`. */
  code?: string
  message?: string
  /** With code 3000: what the authority already holds under the same key. */
  duplicate?: { requestId: string; state: DuplicateState; code?: string; message?: string }
}

export type Reply =
  | {
      kind: 'answer'
      /** Absent when everything was rejected; it cannot be asked for later. */
      csv?: string
      /** ISO 8601 with offset: when the authority took the submission, by its own clock. */
      presentedAt?: string
      issuerNif: string
      /** Seconds to wait before the next submission; null when the reply leaves the earlier value in force. */
      waitSeconds: number | null
      state: SubmissionState
      lines: ReplyLine[]
    }
  | {
      kind: 'fault'
      /** `Client`: nothing was taken and repeating will not help. `Server`: the outcome is unknown. */
      faultCode: string
      /** The code inside `Codigo[NNNN]`. */
      code?: string
      message: string
    }
  | { kind: 'unreadable'; why: string }

/** Reads a reply's body, whatever its HTTP status was. Never throws. */
export function readReply(xml: string | Uint8Array): Reply {
  try {
    return replyOf(readXml(xml))
  } catch (error) {
    if (error instanceof XmlError) return { kind: 'unreadable', why: error.message }
    throw error
  }
}

function replyOf(envelope: XmlElement): Reply {
  if (envelope.ns !== NS_SOAP || envelope.name !== 'Envelope') throw unexpected(envelope)
  refuseOthers(envelope, NS_SOAP, ['Header', 'Body'])
  optionalChild(envelope, NS_SOAP, 'Header')
  const body = onlyChild(envelope, NS_SOAP, 'Body')
  const [content, second] = body.children
  if (!content) throw new XmlError('missing_element', 'the content of Body')
  if (second) throw unexpected(second)
  if (content.ns === NS_SOAP && content.name === 'Fault') return faultOf(content)
  if (content.ns === NS_REPLY && content.name === 'RespuestaRegFactuSistemaFacturacion')
    return answerOf(content)
  throw unexpected(content)
}

function faultOf(fault: XmlElement): Reply {
  // SOAP 1.1 leaves these without namespace; some servers qualify them.
  const part = (name: string) => optionalChild(fault, '', name) ?? onlyChild(fault, NS_SOAP, name)
  const written = trimValue(part('faultcode').text)
  const message = trimValue(part('faultstring').text)
  const faultCode = written.slice(written.indexOf(':') + 1)
  if (faultCode === '') throw new XmlError('missing_element', 'faultcode')
  const code = /^Codigo\[(\d{1,5})\]/.exec(message)?.[1]
  return code === undefined
    ? { kind: 'fault', faultCode, message }
    : { kind: 'fault', faultCode, code, message }
}

function answerOf(answer: XmlElement): Reply {
  const names = ['CSV', 'DatosPresentacion', 'Cabecera', 'TiempoEsperaEnvio', 'EstadoEnvio', 'RespuestaLinea']
  refuseOthers(answer, NS_REPLY, names)
  const csv = optionalText(answer, NS_REPLY, 'CSV')
  const presentation = optionalChild(answer, NS_REPLY, 'DatosPresentacion')
  const presentedAt = presentation && instantOf(text(presentation, NS_RECORD, 'TimestampPresentacion'))
  const header = onlyChild(answer, NS_REPLY, 'Cabecera')
  const issuerNif = text(onlyChild(header, NS_RECORD, 'ObligadoEmision'), NS_RECORD, 'NIF')
  const wait = text(answer, NS_REPLY, 'TiempoEsperaEnvio')
  if (!/^\d{0,4}$/.test(wait)) throw new XmlError('syntax', `TiempoEsperaEnvio ${wait}`)
  const state = oneOf(SUBMISSION_STATES, text(answer, NS_REPLY, 'EstadoEnvio'), 'EstadoEnvio')
  const lines = answer.children.filter((child) => child.name === 'RespuestaLinea').map(lineOf)
  // A whole that contradicts its parts cannot be trusted about either.
  const allCorrect = lines.every((line) => line.state === 'Correcto')
  const allRejected = lines.every((line) => line.state === 'Incorrecto')
  if ((state === 'Correcto' && !allCorrect) || (state === 'Incorrecto' && !allRejected)) {
    throw new XmlError('syntax', 'EstadoEnvio contradicts the records')
  }
  return {
    kind: 'answer',
    ...(csv ? { csv } : {}),
    ...(presentedAt === undefined ? {} : { presentedAt }),
    issuerNif,
    waitSeconds: wait === '' ? null : Number(wait),
    state,
    lines,
  }
}

function lineOf(line: XmlElement): ReplyLine {
  refuseOthers(line, NS_REPLY, [
    'IDFactura',
    'Operacion',
    'RefExterna',
    'EstadoRegistro',
    'CodigoErrorRegistro',
    'DescripcionErrorRegistro',
    'RegistroDuplicado',
  ])
  const key = onlyChild(line, NS_REPLY, 'IDFactura')
  const written = text(onlyChild(line, NS_REPLY, 'Operacion'), NS_RECORD, 'TipoOperacion')
  if (written !== 'Alta' && written !== 'Anulacion') throw new XmlError('syntax', `TipoOperacion ${written}`)
  const recordRef = optionalText(line, NS_REPLY, 'RefExterna')
  const state = oneOf(RECORD_STATES, text(line, NS_REPLY, 'EstadoRegistro'), 'EstadoRegistro')
  const code = codeOf(line, NS_REPLY)
  const message = optionalText(line, NS_REPLY, 'DescripcionErrorRegistro')
  if (state === 'Correcto' && code !== undefined)
    throw new XmlError('syntax', 'a correct record with an error code')
  const held = optionalChild(line, NS_REPLY, 'RegistroDuplicado')
  return {
    issuerNif: text(key, NS_RECORD, 'IDEmisorFactura'),
    number: text(key, NS_RECORD, 'NumSerieFactura'),
    issueDate: dateFromRegistry(text(key, NS_RECORD, 'FechaExpedicionFactura')),
    operation: OPERATIONS[written],
    ...(recordRef ? { recordRef } : {}),
    state,
    ...(code === undefined ? {} : { code }),
    ...(message ? { message } : {}),
    ...(held ? { duplicate: duplicateOf(held) } : {}),
  }
}

function duplicateOf(held: XmlElement): NonNullable<ReplyLine['duplicate']> {
  const code = codeOf(held, NS_RECORD)
  const message = optionalText(held, NS_RECORD, 'DescripcionErrorRegistro')
  return {
    requestId: text(held, NS_RECORD, 'IdPeticionRegistroDuplicado'),
    state: oneOf(
      DUPLICATE_STATES,
      text(held, NS_RECORD, 'EstadoRegistroDuplicado'),
      'EstadoRegistroDuplicado',
    ),
    ...(code === undefined ? {} : { code }),
    ...(message ? { message } : {}),
  }
}

function codeOf(parent: XmlElement, ns: string): string | undefined {
  const code = optionalText(parent, ns, 'CodigoErrorRegistro')
  if (code === undefined) return undefined
  if (!/^\d{1,5}$/.test(code)) throw new XmlError('syntax', `CodigoErrorRegistro ${code}`)
  return code
}

function text(parent: XmlElement, ns: string, name: string): string {
  return leafText(onlyChild(parent, ns, name))
}

function optionalText(parent: XmlElement, ns: string, name: string): string | undefined {
  const child = optionalChild(parent, ns, name)
  return child && leafText(child)
}

function leafText(element: XmlElement): string {
  const [child] = element.children
  if (child) throw unexpected(child)
  return trimValue(element.text)
}

function instantOf(written: string): string {
  const valid = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(written)
  if (!valid || Number.isNaN(Date.parse(written)))
    throw new XmlError('syntax', `${written} is not an instant`)
  return written
}

function oneOf<T extends string>(allowed: readonly T[], written: string, name: string): T {
  const found = allowed.find((item) => item === written)
  if (found === undefined) throw new XmlError('syntax', `${name} ${written}`)
  return found
}

function refuseOthers(parent: XmlElement, ns: string, names: string[]): void {
  for (const child of parent.children)
    if (child.ns !== ns || !names.includes(child.name)) throw unexpected(child)
}

function unexpected(element: XmlElement): XmlError {
  return new XmlError('unexpected_element', element.name)
}
