/** FACe, the general entry point of invoices to public bodies: its service over a transport, with signed messages. */
import {
  BrokenXmlSignature,
  elementsOf,
  onlyElement,
  readSoap,
  signSoap,
  textIn,
  verifySoap,
} from '../../../documents/signing/index.ts'
import type { SigningKey, SoapMessage, TreeElement } from '../../../documents/signing/index.ts'
import type {
  Failure,
  HttpOutcome,
  PortalService,
  PortalState,
  Refusal,
  SubmissionStates,
  Transport,
} from '../service.ts'
import { SERVICE_PATH } from './addresses.ts'
import {
  cancelMessage,
  childAt,
  operationXml,
  readServiceAnswer,
  soapAction,
  statesMessage,
  submitMessage,
  textAt,
} from './messages.ts'
import type { Operation, Part, ServiceAnswer } from './messages.ts'

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'
const MOST_DETAIL = 300

/** Returns text of the portal or of the network on one line, within a limit. */
const shown = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, MOST_DETAIL)

const unknown = (detail: string): Failure => ({ kind: 'unknown', detail: shown(detail) })

/** Statuses of a server in front of the service that certainly did not pass the request on. */
const NOT_PASSED_ON: readonly number[] = [400, 401, 403, 404, 405, 411, 413, 415, 429, 431]

function retryAfter(headers: Readonly<Record<string, string>>): { retryAfterSeconds?: number } {
  const seconds = Number(headers['retry-after'])
  return Number.isInteger(seconds) && seconds > 0 && seconds <= 86_400 ? { retryAfterSeconds: seconds } : {}
}

/** Faults whose cause is the message: SOAP 1.1 (section 4.4.1), and those of the security header. */
const OF_THE_MESSAGE =
  /(?:^|:)(?:Client|MustUnderstand|VersionMismatch|FailedCheck|FailedAuthentication|InvalidSecurity|InvalidSecurityToken|UnsupportedSecurityToken|UnsupportedAlgorithm|MessageExpired)(?:\.|$)/

function faultOf(content: TreeElement): Failure {
  const code = textAt(content, 'faultcode')
  const detail = `${code}: ${textAt(content, 'faultstring')}`
  return OF_THE_MESSAGE.test(code)
    ? { kind: 'nothing_done', reason: 'message_refused', detail: shown(detail) }
    : unknown(detail)
}

/**
 * Reads what came back for an operation. An answer without a valid signature proves nothing and leaves it open what was
 * done; a fault may come unsigned, from before the signer.
 */
function answerOf(outcome: HttpOutcome, operation: Operation, now: Date): ServiceAnswer | Failure {
  if (outcome.kind === 'not_sent')
    return { kind: 'nothing_done', reason: outcome.reason, detail: shown(outcome.detail) }
  if (outcome.kind === 'no_answer') return unknown(outcome.detail)
  const text = Buffer.from(outcome.body).toString('utf8')
  let message: SoapMessage
  try {
    message = readSoap(text)
  } catch (error) {
    if (!(error instanceof BrokenXmlSignature)) throw error
    const detail = `HTTP ${outcome.status}, no message of the service`
    return NOT_PASSED_ON.includes(outcome.status)
      ? { kind: 'nothing_done', reason: 'not_passed_on', detail, ...retryAfter(outcome.headers) }
      : unknown(detail)
  }
  if (message.content.local === 'Fault' && message.content.uri === SOAP) return faultOf(message.content)
  try {
    const { content } = verifySoap(text, { now })
    const answer = readServiceAnswer(content, operation)
    return answer ?? unknown(`The answer is none to ${operation}.`)
  } catch (error) {
    if (!(error instanceof BrokenXmlSignature)) throw error
    return unknown(`The answer is not signed as it should be (${error.fault}): ${error.message}`)
  }
}

const isFailure = (answer: ServiceAnswer | Failure): answer is Failure => 'kind' in answer

/**
 * Returns a refusal. The service's own internal errors are none: what it had done before it failed is not known. Source of
 * the range: HTTP, whose numbers the service uses for faults of a message (408 for a format).
 */
function refusalOf({ code, detail, trackingCode }: ServiceAnswer): Refusal | Failure {
  if (/^5\d\d$/.test(code)) return unknown(`${code}: ${detail}`)
  return { kind: 'refused', code, detail: shown(detail), trackingCode }
}

function stateAt(element: TreeElement | null, name: string): PortalState | null {
  const state = element && childAt(element, name)
  const code = textAt(state, 'codigo')
  if (!/^\d{4}$/.test(code)) return null
  return {
    code,
    description: shown(textAt(state, 'descripcion')),
    reason: shown(textAt(state, 'motivo')) || null,
  }
}

/** Returns the code of a unit, which is the text of its element or stands in it beside the name. */
const codeAt = (element: TreeElement, name: string): string =>
  textAt(element, name, 'codigo') || textAt(element, name)

interface FaceOptions {
  transport: Transport
  key: SigningKey
  now: () => Date
}

/** Creates the service. Each message is signed when it is sent, because its time is part of what is signed. */
export function createFaceService({ transport, key, now }: FaceOptions): PortalService {
  async function ask(operation: Operation, content: string): Promise<ServiceAnswer | Failure> {
    const body = Buffer.from(signSoap(content, key, { createdAt: now() }), 'utf8')
    const headers = { 'content-type': 'text/xml; charset=UTF-8', soapaction: soapAction(operation) }
    return answerOf(await transport({ path: SERVICE_PATH, headers, body }), operation, now())
  }

  /** Asks for a list; a refusal of it is a failure like another. */
  async function list(operation: Operation, parts: readonly Part[]): Promise<TreeElement | Failure> {
    const answer = await ask(operation, operationXml(operation, parts))
    if (isFailure(answer)) return answer
    if (answer.code === '0') return answer.content
    return { kind: 'nothing_done', reason: answer.code, detail: shown(answer.detail) }
  }

  return {
    submit: async (file) => {
      const answer = await ask('enviarFactura', submitMessage(file))
      if (isFailure(answer)) return answer
      if (answer.code !== '0') return refusalOf(answer)
      const invoice = childAt(answer.content, 'factura')
      const registryNumber = textAt(invoice, 'numeroRegistro')
      if (!/^[\w./-]{1,60}$/.test(registryNumber)) return unknown('The answer names no registry number.')
      return {
        kind: 'registered',
        receipt: {
          registryNumber,
          receivedAt: textAt(invoice, 'fechaRecepcion') || null,
          trackingCode: answer.trackingCode,
        },
      }
    },

    states: async (numbers) => {
      const { operation, content } = statesMessage(numbers)
      const answer = await ask(operation, content)
      if (isFailure(answer)) return answer
      const refused = new Map<string, string>()
      const states: SubmissionStates[] = []
      if (answer.code !== '0') {
        // A number that is not known is the answer to a question for one.
        const [only] = numbers
        if (numbers.length !== 1 || only === undefined)
          return { kind: 'nothing_done', reason: answer.code, detail: shown(answer.detail) }
        refused.set(only, `${answer.code}: ${shown(answer.detail)}`)
        return { kind: 'answered', states, refused }
      }
      const found =
        operation === 'consultarFactura'
          ? elementsOf(answer.content, 'factura')
          : elementsOf(answer.content, 'facturas').flatMap((all) => elementsOf(all))
      for (const one of found) {
        const invoice = onlyElement(one, 'factura') ?? one
        const registryNumber = textAt(invoice, 'numeroRegistro')
        const code = textIn(onlyElement(one, 'codigo')).trim()
        if (code !== '' && code !== '0') {
          refused.set(registryNumber, `${code}: ${shown(textAt(one, 'descripcion'))}`)
          continue
        }
        const processing = stateAt(invoice, 'tramitacion')
        const cancellation = stateAt(invoice, 'anulacion')
        if (numbers.includes(registryNumber) && processing && cancellation)
          states.push({ registryNumber, processing, cancellation })
      }
      return { kind: 'answered', states, refused }
    },

    cancel: async (number, reason) => {
      const answer = await ask('anularFactura', cancelMessage(number, reason))
      if (isFailure(answer)) return answer
      return answer.code === '0' ? { kind: 'asked' } : refusalOf(answer)
    },

    meanings: async () => {
      const content = await list('consultarEstados', [])
      if ('kind' in content) return content
      const all = childAt(content, 'estados') ?? content
      return {
        kind: 'answered',
        states: elementsOf(all, 'estado').flatMap((one) => {
          const code = textAt(one, 'codigo')
          return code === '' ? [] : [{ code, description: textAt(one, 'descripcion'), reason: null }]
        }),
      }
    },

    units: async (administration) => {
      const content = await (administration === undefined
        ? list('consultarUnidades', [])
        : list('consultarUnidadesPorAdministracion', [['codigoDir', administration]]))
      if ('kind' in content) return content
      const all = childAt(content, 'relaciones') ?? content
      return {
        kind: 'answered',
        units: elementsOf(all, 'relacion').map((one) => ({
          managingBody: codeAt(one, 'organoGestor'),
          processingUnit: codeAt(one, 'unidadTramitadora'),
          accountingOffice: codeAt(one, 'oficinaContable'),
        })),
      }
    },

    taxNumbers: async (administration) => {
      const content = await (administration === undefined
        ? list('consultarNIFs', [])
        : list('consultarNIFsPorAdministracion', [['codigoDir', administration]]))
      if ('kind' in content) return content
      const all = childAt(content, 'nifs') ?? content
      return {
        kind: 'answered',
        bodies: elementsOf(all, 'info').map((one) => ({
          managingBody: codeAt(one, 'organoGestor'),
          nif: textAt(one, 'nif'),
        })),
      }
    },
  }
}
