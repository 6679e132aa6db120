/** The messages of the simulated filing services, and the forms of their answers. */
import { webPage } from '../../../platform/simulated-authority/start.ts'
import { listed } from './findings.ts'
import type { Finding } from './findings.ts'

/** A message as it arrives, over HTTP or in process. */
export interface SimulatedRequest {
  method: string
  /** Path with its query string. */
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
  body: Uint8Array
  /** Tax numbers of the client's certificate; null without one. */
  callers: readonly string[] | null
}

/** An answer; header names are in lower case. `dropped` means that the connection ends without one. */
export type SimulatedAnswer = Answered | { kind: 'dropped' }

export interface Answered {
  kind: 'answered'
  status: number
  headers: Record<string, string>
  body: Uint8Array
}

function answered(
  status: number,
  type: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Answered {
  return {
    kind: 'answered',
    status,
    headers: { 'content-type': type, ...headers },
    body: typeof body === 'string' ? Buffer.from(body, 'utf8') : body,
  }
}

/** Answers with a page for people, as a gateway does. */
export function page(
  status: number,
  title: string,
  text: string,
  headers?: Record<string, string>,
): Answered {
  return answered(status, 'text/html; charset=utf-8', webPage(title, text), headers)
}

/** Answers 405, naming the method that is allowed. */
export function methodNotAllowed(allow: string): Answered {
  return page(405, 'Método no admitido', `Solo se admite ${allow}.`, { allow })
}

/** Answers with JSON. */
export function json(value: unknown): Answered {
  return answered(200, 'application/json;charset=UTF-8', JSON.stringify(value))
}

/** Answers a filing or a validation with its errors. */
export function refused(findings: readonly Finding[]): Answered {
  return refusedWith(listed(findings))
}

/** Answers a filing or a validation with errors as text. */
export function refusedWith(errores: readonly string[]): Answered {
  return json({ respuesta: { errores } })
}

/** Answers with XML. */
export function xml(text: string): Answered {
  return answered(200, 'application/xml;charset=UTF-8', text)
}

/** Answers with a PDF. */
export function pdf(bytes: Uint8Array, headers?: Record<string, string>): Answered {
  return answered(200, 'application/pdf', bytes, headers)
}

/** Answers a step of an informative return: its data are headers, the body is text in `encoding`. */
export function step(
  headers: Record<string, string>,
  body: { lines: readonly string[]; encoding: 'ISO-8859-1' | 'UTF-8' } = {
    lines: [],
    encoding: 'ISO-8859-1',
  },
): Answered {
  const text = body.lines.map((line) => `${line}\r\n`).join('')
  return answered(
    200,
    `text/plain;charset=${body.encoding}`,
    Buffer.from(text, body.encoding === 'UTF-8' ? 'utf8' : 'latin1'),
    headers,
  )
}

/** Answers a step with errors: the code of the first in `codigo`, all in the body. */
export function stepRefused(errores: readonly string[]): Answered {
  const [first = ''] = errores
  return step(
    { codigo: first.split(' ', 1)[0] ?? '', mensaje: first },
    { lines: errores, encoding: 'ISO-8859-1' },
  )
}
