/**
 * The messages of FACe's service: SOAP 1.1, operations in the service's namespace, what is in them without one. Sources: two
 * working programs that agree with each other; no message was ever exchanged with the real service from here.
 */
import { xmlText } from '../../../domain/formats/xml-writer.ts'
import { elementsOf, onlyElement, textIn } from '../../../documents/signing/index.ts'
import type { TreeElement } from '../../../documents/signing/index.ts'

const SERVICE_NAMESPACE = 'https://webservice.face.gob.es'

export type Operation =
  | 'enviarFactura'
  | 'consultarFactura'
  | 'consultarListadoFacturas'
  | 'anularFactura'
  | 'consultarEstados'
  | 'consultarAdministraciones'
  | 'consultarAdministracionesRepositorio'
  | 'consultarUnidades'
  | 'consultarUnidadesPorAdministracion'
  | 'consultarNIFs'
  | 'consultarNIFsPorAdministracion'

/** An element in no namespace: its name, and its text or its children. */
export type Part = readonly [name: string, content: string | readonly Part[]]

function written([name, content]: Part): string {
  return `<${name}>${typeof content === 'string' ? xmlText(content) : content.map(written).join('')}</${name}>`
}

/** Returns the element of the body of a message, in canonical form. */
export function operationXml(name: string, parts: readonly Part[] = []): string {
  return `<web:${name} xmlns:web="${SERVICE_NAMESPACE}">${parts.map(written).join('')}</web:${name}>`
}

/** Returns the value of the header `SOAPAction`. */
export const soapAction = (name: Operation): string => `"${SERVICE_NAMESPACE}#${name}"`

/** The mime type that the service requires, whatever the extension of the file. */
const MIME = 'application/xml'

/** Returns the message that submits a file. */
export function submitMessage(file: { email: string; name: string; bytes: Uint8Array }): string {
  return operationXml('enviarFactura', [
    [
      'request',
      [
        ['correo', file.email],
        [
          'factura',
          [
            ['factura', Buffer.from(file.bytes).toString('base64')],
            ['nombre', file.name],
            ['mime', MIME],
          ],
        ],
        ['anexos', []],
      ],
    ],
  ])
}

/** Returns the message that asks for the states of one submission, or of several. */
export function statesMessage(numbers: readonly string[]): { operation: Operation; content: string } {
  const [only] = numbers
  if (only !== undefined && numbers.length === 1)
    return {
      operation: 'consultarFactura',
      content: operationXml('consultarFactura', [['numeroRegistro', only]]),
    }
  return {
    operation: 'consultarListadoFacturas',
    content: operationXml('consultarListadoFacturas', [
      ['request', numbers.map((number): Part => ['numeroRegistro', number])],
    ]),
  }
}

/** Returns the message that asks for a cancellation. */
export function cancelMessage(number: string, reason: string): string {
  return operationXml('anularFactura', [
    ['numeroRegistro', number],
    ['motivo', reason],
  ])
}

/** The answer to an operation, below its wrappers (`return`, once or twice). */
export interface ServiceAnswer {
  /** `0` is right. */
  code: string
  detail: string
  trackingCode: string | null
  /** What holds the result. */
  content: TreeElement
}

/** Returns the text of an element below another, by its path; empty if it is not there. */
export function textAt(element: TreeElement | null | undefined, ...path: string[]): string {
  let at: TreeElement | null = element ?? null
  for (const name of path) at = at && (elementsOf(at, name)[0] ?? null)
  return textIn(at).trim()
}

export const childAt = (element: TreeElement, name: string): TreeElement | null =>
  elementsOf(element, name)[0] ?? null

/** Reads the answer to an operation; null if it is none. */
export function readServiceAnswer(content: TreeElement, operation: Operation): ServiceAnswer | null {
  if (content.uri !== SERVICE_NAMESPACE || content.local !== `${operation}Response`) return null
  let inner = content
  for (let next = onlyElement(inner, 'return'); next; next = onlyElement(inner, 'return')) inner = next
  const result = childAt(inner, 'resultado')
  const code = textAt(result, 'codigo')
  if (!result || !/^\d{1,6}$/.test(code)) return null
  return {
    code,
    detail: textAt(result, 'descripcion'),
    trackingCode: textAt(result, 'codigoSeguimiento') || null,
    content: inner,
  }
}
