/**
 * The simulated portal for invoices to public bodies: FACe's operations with the same messages, in process (server.ts adds a
 * socket). It trusts nothing of the sender: the signature of each message, the signature and the sums of each invoice and
 * its offices are checked again, with rules written apart from the program's own. Its answers are signed.
 *
 * What the real service answers is known from two working programs. Codes from 9000 on and most texts are the simulator's.
 */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  BrokenXmlSignature,
  elementsOf,
  openSigningKey,
  signSoap,
  textIn,
  verifySoap,
} from '../../../documents/signing/index.ts'
import type { SigningKey, TreeElement } from '../../../documents/signing/index.ts'
import { holderNifs, webPage } from '../../../platform/simulated-authority/start.ts'
import type { PortalFault, PortalFaultControl, PortalMessage } from './faults.ts'
import { checkInvoice } from './invoice-checks.ts'
import type { CheckedInvoice, Refused } from './invoice-checks.ts'
import { faultXml, NAMESPACE, responseXml } from './messages.ts'
import { mayAskToCancel, MEANINGS, moved } from './state.ts'
import type { HeldInvoice, HeldInvoices } from './state.ts'

export { createPortalFaultControl } from './faults.ts'
export type { PortalFault, PortalFaultControl } from './faults.ts'
export { memoryInvoices } from './state.ts'
export type { HeldInvoice, HeldInvoices, MemoryInvoices } from './state.ts'

interface SimulatedRequest {
  method: string
  path: string
  /** By name in lower case. */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
}

interface Answered {
  kind: 'answered'
  status: number
  headers: Readonly<Record<string, string>>
  body: Buffer
}
export type SimulatedAnswer = Answered | { kind: 'dropped' }

/** Offices that belong together, with their names and the tax number of the body. */
export interface SimulatedUnits {
  administration: string
  accountingOffice: string
  managingBody: string
  processingUnit: string
  nif?: string
}

interface PortalSimulatorOptions {
  state: HeldInvoices
  now: () => Date
  /** The key that signs the answers, and its certificate, in PEM. */
  identity: { keyPem: string; chainPem: string }
  faults?: PortalFaultControl
  /** The offices that it knows; without them every office is known that is written as one. */
  units?: readonly SimulatedUnits[]
}

export interface PortalSimulator {
  /** Takes a message and answers it. Never rejects because of the message: what is wrong with it is the answer. */
  handle(request: SimulatedRequest): Promise<SimulatedAnswer>
  /** Moves an invoice to a state, as its public body would. Returns false where it cannot get there. */
  move(registryNumber: string, code: string, reason: string | null): Promise<boolean>
}

const PATH = '/facturasspp2'
/** Most bytes of an invoice: of a regional portal (e.FACT); that of FACe is not known. */
const MOST_FILE_BYTES = 8 * 1024 * 1024

const MESSAGES: Readonly<Record<string, PortalMessage>> = {
  enviarFactura: 'submit',
  consultarFactura: 'query',
  consultarListadoFacturas: 'query',
  anularFactura: 'cancel',
  consultarEstados: 'lists',
  consultarAdministraciones: 'lists',
  consultarAdministracionesRepositorio: 'lists',
  consultarUnidades: 'lists',
  consultarUnidadesPorAdministracion: 'lists',
  consultarNIFs: 'lists',
  consultarNIFsPorAdministracion: 'lists',
}

type Part = readonly [name: string, content: string | readonly Part[]]
type Outcome = Refused | { parts: Part[] }

interface Call {
  operation: string
  content: TreeElement
  callers: string[]
  now: Date
  trackingCode: string
}

function page(status: number, title: string, text: string, headers: Record<string, string> = {}): Answered {
  return {
    kind: 'answered',
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
    body: Buffer.from(webPage(title, text)),
  }
}

const xml = (status: number, text: string): Answered => ({
  kind: 'answered',
  status,
  headers: { 'content-type': 'text/xml; charset=utf-8' },
  body: Buffer.from(text),
})

const fault = (code: string, text: string): Answered => xml(500, faultXml(code, text))

function at(element: TreeElement, ...path: string[]): TreeElement | null {
  let found: TreeElement | null = element
  for (const name of path) found = found && (elementsOf(found, name)[0] ?? null)
  return found
}
const valueAt = (element: TreeElement, ...path: string[]): string => textIn(at(element, ...path)).trim()

const NOT_FOUND: Refused = { code: '9401', text: 'El número de registro no existe' }

const stateParts = ({ processing, cancellation, registryNumber }: HeldInvoice): Part[] => [
  ['numeroRegistro', registryNumber],
  ...(
    [
      ['tramitacion', processing],
      ['anulacion', cancellation],
    ] as const
  ).map(([name, { code, reason }]): Part => [
    name,
    [
      ['codigo', code],
      ['descripcion', MEANINGS[code]?.[1] ?? ''],
      ['motivo', reason ?? ''],
    ],
  ]),
]

/** Instants of the portal: local time in Spain is not modelled, so that it is UTC. */
const instantText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

/** Creates the simulated portal over its state. Messages are processed one at a time. */
export function createPortalSimulator(options: PortalSimulatorOptions): PortalSimulator {
  const { state, faults, units } = options
  const key: SigningKey = openSigningKey(options.identity)
  let tail: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = tail.then(work)
    // A failing store must not block the messages that wait.
    tail = turn.catch(() => undefined)
    return turn
  }

  const known = units && {
    isRelation: (asked: Pick<CheckedInvoice, 'accountingOffice' | 'managingBody' | 'processingUnit'>) =>
      units.some(
        (one) =>
          one.accountingOffice === asked.accountingOffice &&
          one.managingBody === asked.managingBody &&
          one.processingUnit === asked.processingUnit,
      ),
  }

  async function submit({ content, callers, now, trackingCode }: Call): Promise<Outcome> {
    const request = at(content, 'request')
    if (!request) return { code: '9001', text: 'Falta el elemento request' }
    const email = valueAt(request, 'correo')
    const fileName = valueAt(request, 'factura', 'nombre')
    const encoded = valueAt(request, 'factura', 'factura')
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return { code: '9002', text: 'El correo no es válido' }
    if (!/^[\w.-]{1,100}\.xsig$/i.test(fileName))
      return { code: '9003', text: 'El nombre de la factura debe terminar en .xsig' }
    if (valueAt(request, 'factura', 'mime') !== 'application/xml')
      return { code: '9004', text: 'El tipo de la factura debe ser application/xml' }
    if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(encoded))
      return { code: '9005', text: 'La factura no está codificada en base 64' }
    const bytes = Buffer.from(encoded, 'base64')
    if (bytes.length > MOST_FILE_BYTES) return { code: '9006', text: 'La factura es demasiado grande' }
    const checked = checkInvoice(bytes, { now, units: known ?? null })
    if ('code' in checked) return checked
    const all = await state.all()
    const isSame = (held: HeldInvoice): boolean =>
      held.issuerNif === checked.issuerNif &&
      held.series === checked.series &&
      held.number === checked.number &&
      held.issueDate === checked.issueDate &&
      held.processing.code !== '2600' &&
      held.processing.code !== '3100'
    if (all.some(isSame))
      return {
        code: '9204',
        text: 'La factura está duplicada: ya hay una con el mismo emisor, serie, número y fecha',
      }
    const registryNumber = `${now.getUTCFullYear()}${String(all.length + 1).padStart(8, '0')}`
    const first = { code: '1200', reason: null }
    const invoice: HeldInvoice = {
      registryNumber,
      receivedAt: now.getTime(),
      trackingCode,
      ...checked,
      email,
      fileName,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      callers,
      processing: first,
      cancellation: { code: '4100', reason: null },
      history: [{ kind: 'processing', ...first, at: now.getTime() }],
    }
    await state.put(invoice)
    return {
      parts: [
        [
          'factura',
          [
            ['numeroRegistro', registryNumber],
            ['organoGestor', invoice.managingBody],
            ['unidadTramitadora', invoice.processingUnit],
            ['oficinaContable', invoice.accountingOffice],
            ['identificadorEmisor', invoice.issuerNif],
            ['numeroFactura', invoice.number],
            ['serieFactura', invoice.series],
            ['fechaRecepcion', instantText(invoice.receivedAt)],
          ],
        ],
      ],
    }
  }

  /** An invoice is shown to whoever submitted it: an assumption. */
  async function ownInvoice(number: string, callers: readonly string[]): Promise<HeldInvoice | null> {
    const held = await state.get(number)
    return held && held.callers.join() === callers.join() ? held : null
  }

  async function query({ operation, content, callers }: Call): Promise<Outcome> {
    if (operation === 'consultarFactura') {
      const held = await ownInvoice(valueAt(content, 'numeroRegistro'), callers)
      return held ? { parts: [['factura', stateParts(held)]] } : NOT_FOUND
    }
    const request = at(content, 'request')
    const numbers = (request ? elementsOf(request, 'numeroRegistro') : []).map((one) => textIn(one).trim())
    if (numbers.length === 0) return { code: '9007', text: 'Falta el número de registro' }
    const found: Part[] = []
    for (const number of numbers) {
      const held = await ownInvoice(number, callers)
      const { code, text } = held ? { code: '0', text: 'Correcto' } : NOT_FOUND
      found.push([
        'facturas',
        [
          ['codigo', code],
          ['descripcion', text],
          ['factura', held ? stateParts(held) : [['numeroRegistro', number]]],
        ],
      ])
    }
    return { parts: [['facturas', found]] }
  }

  async function cancel({ content, callers, now }: Call): Promise<Outcome> {
    const number = valueAt(content, 'numeroRegistro')
    const reason = valueAt(content, 'motivo')
    const held = await ownInvoice(number, callers)
    if (!held) return NOT_FOUND
    if (reason === '') return { code: '9402', text: 'Falta el motivo de la anulación' }
    if (!mayAskToCancel(held))
      return { code: '9403', text: 'La anulación no se puede solicitar en este estado' }
    await state.put({
      ...held,
      cancellation: { code: '4200', reason },
      history: [...held.history, { kind: 'cancellation', code: '4200', reason, at: now.getTime() }],
    })
    return {
      parts: [
        [
          'factura',
          [
            ['numeroRegistro', number],
            ['mensaje', 'Solicitud de anulación registrada'],
          ],
        ],
      ],
    }
  }

  function lists({ operation, content }: Call): Outcome {
    const administration = valueAt(content, 'codigoDir')
    const all = (units ?? []).filter((one) => administration === '' || one.administration === administration)
    if (operation === 'consultarEstados')
      return {
        parts: [
          [
            'estados',
            Object.entries(MEANINGS).map(([code, [name, description]]): Part => [
              'estado',
              [
                ['nombre', name],
                ['codigo', code],
                ['descripcion', description],
              ],
            ]),
          ],
        ],
      }
    if (operation.startsWith('consultarAdministraciones'))
      return {
        parts: [
          [
            'administraciones',
            [...new Set(all.map((one) => one.administration))].map((code): Part => [
              'administracion',
              [
                ['codigo', code],
                ['nombre', `Administración ${code}`],
              ],
            ]),
          ],
        ],
      }
    if (operation.startsWith('consultarUnidades'))
      return {
        parts: [
          [
            'relaciones',
            all.map((one): Part => [
              'relacion',
              [
                ['organoGestor', one.managingBody],
                ['unidadTramitadora', one.processingUnit],
                ['oficinaContable', one.accountingOffice],
              ],
            ]),
          ],
        ],
      }
    return {
      parts: [
        [
          'nifs',
          all.map((one): Part => [
            'info',
            [
              ['organoGestor', one.managingBody],
              ['nif', one.nif ?? ''],
            ],
          ]),
        ],
      ],
    }
  }

  function processed(call: Call): Promise<Outcome> | Outcome {
    switch (MESSAGES[call.operation]) {
      case 'submit':
        return submit(call)
      case 'query':
        return query(call)
      case 'cancel':
        return cancel(call)
      default:
        return lists(call)
    }
  }

  const signed = ({ operation, now, trackingCode }: Call, outcome: Outcome): string => {
    const result = 'code' in outcome ? outcome : { code: '0', text: 'Correcto' }
    const parts = 'parts' in outcome ? outcome.parts : [['factura', []] as const]
    return signSoap(responseXml(operation, { ...result, trackingCode }, parts), key, { createdAt: now })
  }

  /** Reads and proves a message; the answer is a fault where it is none. */
  function callIn(request: SimulatedRequest, now: Date): Call | Answered {
    try {
      const { content, certificate } = verifySoap(Buffer.from(request.body).toString('utf8'), {
        now,
        timeRequired: true,
      })
      const operation = content.local
      if (content.uri !== NAMESPACE || !Object.hasOwn(MESSAGES, operation))
        return fault('SOAP-ENV:Client', 'La operación no existe.')
      const action = (request.headers['soapaction'] ?? '').replace(/^"|"$/g, '')
      if (action !== `${NAMESPACE}#${operation}`)
        return fault('SOAP-ENV:Client', 'La cabecera SOAPAction no es la de la operación.')
      const trackingCode = createHash('sha256').update(request.body).digest('hex').slice(0, 13)
      return { operation, content, callers: holderNifs(certificate), now, trackingCode }
    } catch (error) {
      if (!(error instanceof BrokenXmlSignature)) throw error
      const code =
        error.fault === 'expired'
          ? 'wsse:MessageExpired'
          : error.fault === 'unreadable'
            ? 'SOAP-ENV:Client'
            : 'wsse:FailedCheck'
      return fault(code, error.message)
    }
  }

  return {
    handle: async (request) => {
      if (request.path.replace(/\?.*$/, '') !== PATH) return page(404, 'No encontrado', 'No hay nada aquí.')
      if (request.method !== 'POST') return page(405, 'Método no permitido', 'El servicio solo admite POST.')
      if (!/^text\/xml\b/i.test(request.headers['content-type'] ?? ''))
        return page(415, 'Tipo no admitido', 'El servicio solo admite text/xml.')
      const now = options.now()
      const call = callIn(request, now)
      if ('kind' in call) return call
      const set = faults?.take(MESSAGES[call.operation] ?? 'lists') ?? null
      if (set?.kind === 'drop_request') return { kind: 'dropped' }
      if (set?.kind === 'refuse')
        return xml(200, signed(call, { code: set.code, text: 'Rechazada por el simulador' }))
      const instead = insteadOf(set)
      if (instead && !(set !== null && 'processed' in set && set.processed)) return instead
      const outcome = await inTurn(async () => processed(call))
      if (set?.kind === 'drop_reply') return { kind: 'dropped' }
      if (instead) return instead
      if (set?.kind === 'slow') await pause(set.ms, undefined, { ref: false })
      return xml(200, changed(signed(call, outcome), set))
    },
    move: (registryNumber, code, reason) =>
      inTurn(async () => {
        const held = await state.get(registryNumber)
        const next = held && moved(held, code, { reason, at: options.now().getTime() })
        if (next) await state.put(next)
        return next !== null
      }),
  }
}

/** Returns what a fault answers instead of the service, or null. */
function insteadOf(set: PortalFault | null): Answered | null {
  switch (set?.kind) {
    case 'error_500':
      return page(500, 'Error interno', 'Vuelva a intentarlo más tarde.')
    case 'error_503':
      return page(503, 'Servicio no disponible', 'Vuelva a intentarlo más tarde.', {
        ...(set.retryAfter === undefined ? {} : { 'retry-after': String(set.retryAfter) }),
      })
    case 'html_200':
      return page(200, 'Servicio en mantenimiento', 'Vuelva a intentarlo más tarde.')
    case 'server_fault':
      return fault('SOAP-ENV:Server', 'Error interno del servicio')
    default:
      return null
  }
}

/** Changes a signed answer as a fault says. */
function changed(answer: string, set: PortalFault | null): string {
  switch (set?.kind) {
    case 'half_body':
      return answer.slice(0, answer.length >> 1)
    case 'unsigned':
      return answer.replace(/<soapenv:Header>[\s\S]*<\/soapenv:Header>/, '')
    case 'forged':
      return answer.replace(/<codigo>(\d)/, '<codigo>$1$1')
    default:
      return answer
  }
}
