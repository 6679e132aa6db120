/**
 * Reads the reply to a submission. A reply that is not exactly of a known shape is `unreadable`: an outcome is never
 * guessed.
 */
import { NS_RECORD, NS_REPLY } from './namespaces.ts'
import { onlyChild, optionalChild, XmlError } from './reader.ts'
import {
  codeOf,
  instantOf,
  keyOf,
  oneOf,
  optionalText,
  optionalMessage,
  readEnvelope,
  refuseOthers,
  text,
  unexpected,
} from './replies.ts'
import type { InvoiceKey } from '../record/fields.ts'
import type { XmlElement } from './reader.ts'
import type { FaultReply, UnreadableReply } from './replies.ts'

const SUBMISSION_STATES = ['Correcto', 'ParcialmenteCorrecto', 'Incorrecto'] as const
const RECORD_STATES = ['Correcto', 'AceptadoConErrores', 'Incorrecto'] as const
const DUPLICATE_STATES = ['Correcta', 'AceptadaConErrores', 'Anulada'] as const
const OPERATIONS = { Alta: 'registration', Anulacion: 'cancellation' } as const

type SubmissionState = (typeof SUBMISSION_STATES)[number]
export type RecordState = (typeof RECORD_STATES)[number]
type DuplicateState = (typeof DUPLICATE_STATES)[number]

export interface ReplyLine extends InvoiceKey {
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

interface SubmissionAnswer {
  kind: 'answer'
  /** Absent when everything was rejected; it cannot be requested later. */
  csv?: string
  /** ISO 8601 with offset: when the authority received the submission, by its own clock. */
  presentedAt?: string
  issuerNif: string
  /** Seconds to wait before the next submission; null when the reply does not change the previous value. */
  waitSeconds: number | null
  state: SubmissionState
  lines: ReplyLine[]
}

export type Reply = SubmissionAnswer | FaultReply | UnreadableReply

/** Reads the body of a reply with any HTTP status. Never throws. */
export function readReply(xml: string | Uint8Array): Reply {
  return readEnvelope(xml, answerOf)
}

function answerOf(answer: XmlElement): SubmissionAnswer {
  if (answer.ns !== NS_REPLY || answer.name !== 'RespuestaRegFactuSistemaFacturacion')
    throw unexpected(answer)
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
  // If the reply contradicts its own parts, neither can be trusted.
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
  const written = text(onlyChild(line, NS_REPLY, 'Operacion'), NS_RECORD, 'TipoOperacion')
  if (written !== 'Alta' && written !== 'Anulacion') throw new XmlError('syntax', `TipoOperacion ${written}`)
  const recordRef = optionalText(line, NS_REPLY, 'RefExterna')
  const state = oneOf(RECORD_STATES, text(line, NS_REPLY, 'EstadoRegistro'), 'EstadoRegistro')
  const code = codeOf(line, NS_REPLY)
  const message = optionalMessage(line, NS_REPLY, 'DescripcionErrorRegistro')
  if (state === 'Correcto' && code !== undefined)
    throw new XmlError('syntax', 'a correct record with an error code')
  const held = optionalChild(line, NS_REPLY, 'RegistroDuplicado')
  return {
    ...keyOf(onlyChild(line, NS_REPLY, 'IDFactura')),
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
  const message = optionalMessage(held, NS_RECORD, 'DescripcionErrorRegistro')
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
