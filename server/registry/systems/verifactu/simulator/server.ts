/**
 * The simulated authority as a SOAP server over mutual TLS on this computer, at the real service's paths: for tests
 * of the transport and for authors of clients. It listens on 127.0.0.1 only. docs/authority.md explains its use.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  readBody,
  startControlServer,
  startTlsServer,
} from '../../../../platform/simulated-authority/index.ts'
import type { PeerFault, TlsServerOptions } from '../../../../platform/simulated-authority/index.ts'
import { webPage } from '../../../../platform/simulated-authority/start.ts'
import { FAULT_PLACES } from './faults.ts'
import { createFaultControl, createSimulator, isQueryMessage, memoryState, readFault } from './index.ts'
import type { Caller, Fault, FaultControl, MemoryState, SimulatorOptions, SimulatorState } from './index.ts'
import { qrPage } from './pages.ts'
import { faultXml, Refusal, refusalXml } from './messages/soap.ts'

const SERVICE_PATH = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP'
const QR_PATH = '/wlpl/TIKE-CONT/ValidarQR'

export interface AuthorityServerOptions
  extends Partial<Omit<SimulatorOptions, 'faults'>>, Omit<TlsServerOptions, 'now'> {
  /** A second port, without TLS, for setting faults and reading what is held; none by default. */
  controlPort?: number
  /** HTTP status of SOAP faults; 500 (SOAP 1.1, section 6.2) by default. */
  faultStatus?: number
  /** Maximum body size that is read. */
  maxBodyBytes?: number
}

export interface AuthorityServer {
  /** Submissions and queries. */
  url: string
  /** The same as `url`: the service has one address for both. */
  queryUrl: string
  qrUrl: string
  /** Null without a control port. */
  controlUrl: string | null
  port: number
  /** The root certificate that a client must trust. */
  caPem: string
  control: FaultControl
  /** The state that the server holds; null when the caller gave one that is not a `MemoryState`. */
  state: MemoryState | null
  /** Counts the received messages, so that a test can see what reached the service. */
  received: () => { submissions: number; queries: number; qr: number; refused: number }
  /** Closes every connection and stops listening. */
  close: () => Promise<void>
}

/** Starts the server. Rejects when the port is in use. */
export async function startAuthorityServer(options: AuthorityServerOptions = {}): Promise<AuthorityServer> {
  const now = options.now ?? (() => new Date())
  const control = createFaultControl()
  const memory = options.state ?? memoryState()
  const state = isMemory(memory) ? memory : null
  let csvs = 0
  const simulator = createSimulator({
    newCsv: () => `A-${String(++csvs).padStart(14, '0')}`,
    ...options,
    state: memory,
    now,
    faults: control,
  })
  const counts = { submissions: 0, queries: 0, qr: 0, refused: 0 }
  const timers = new Set<NodeJS.Timeout>()

  function setDate(response: ServerResponse, aheadSeconds: number): void {
    response.setHeader('date', new Date(now().getTime() + aheadSeconds * 1000).toUTCString())
  }

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    { fault, nifs }: { fault: PeerFault | null; nifs: string[] },
  ): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://127.0.0.1')
    if (pathname === QR_PATH) {
      counts.qr += 1
      return answerQr(request, response, searchParams)
    }
    if (fault) {
      counts.refused += 1
      return send(response, 403, 'text/html; charset=utf-8', webPage('Acceso denegado', fault.text))
    }
    if (pathname !== SERVICE_PATH)
      return send(response, 404, 'text/html; charset=utf-8', webPage('No encontrado', 'No hay nada aquí.'))
    return answerSoap(request, response, { nifs })
  }

  async function answerQr(
    request: IncomingMessage,
    response: ServerResponse,
    params: URLSearchParams,
  ): Promise<void> {
    if (request.method !== 'GET') return methodNotAllowed(response, 'GET')
    const answer = await simulator.checkQr({
      nif: params.get('nif'),
      numserie: params.get('numserie'),
      fecha: params.get('fecha'),
      importe: params.get('importe'),
    })
    return params.get('formato') === 'json'
      ? send(response, 200, 'application/json; charset=utf-8', JSON.stringify(answer))
      : send(response, 200, 'text/html; charset=utf-8', qrPage(answer))
  }

  async function answerSoap(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller,
  ): Promise<void> {
    if (request.method === 'GET') return sendFault(response, refusalXml(new Refusal('4135')))
    if (request.method !== 'POST') return methodNotAllowed(response, 'GET, POST')
    const body = await readBody(request, options.maxBodyBytes ?? 10 * 1024 * 1024)
    if (body === 'too_large')
      return send(
        response,
        413,
        'text/html; charset=utf-8',
        webPage('Demasiado grande', 'El mensaje no cabe.'),
      )
    const isQuery = isQueryMessage(body)
    counts[isQuery ? 'queries' : 'submissions'] += 1
    const fault = control.take(isQuery ? 'query' : 'submission')
    if (fault?.kind === 'drop_request') return cut(request)
    if (fault?.kind === 'wrong_clock') setDate(response, fault.seconds)
    const unfit = unfitHeaders(request)
    if (unfit)
      return unfit.kind === 'fault' ? sendFault(response, unfit.body) : sendUnfit(response, unfit.status)
    if (isUseless(fault) && !fault.processed) return sendUseless(response, fault)
    const answer = await simulator.receive(body, { caller, fault })
    if (fault?.kind === 'drop_reply') return cut(request)
    if (isUseless(fault)) return sendUseless(response, fault)
    if (fault?.kind === 'slow') await pause(fault.ms)
    if (answer.kind === 'too_early')
      return send(
        response,
        429,
        'text/html; charset=utf-8',
        webPage('Demasiados envíos', 'Espere antes de volver a enviar.'),
      )
    if (answer.kind === 'fault') return sendFault(response, answer.body)
    const text = fault?.kind === 'half_xml' ? answer.body.slice(0, answer.body.length >> 1) : answer.body
    return send(response, 200, 'text/xml; charset=utf-8', text)
  }

  function sendFault(response: ServerResponse, body: string): void {
    send(response, options.faultStatus ?? 500, 'text/xml; charset=utf-8', body)
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        resolve()
      }, ms)
      timers.add(timer)
    })
  }

  const server = await startTlsServer({ ...options, now }, handle)
  const controlServer =
    options.controlPort === undefined
      ? null
      : await startControlServer({
          port: options.controlPort,
          control,
          readFault,
          on: FAULT_PLACES,
          onError: 'on_is_submission_query_or_any',
          lists: state ? { records: () => state.records(), entries: () => state.entries() } : {},
        }).catch(async (error: unknown) => {
          await server.close()
          throw error
        })
  const origin = `https://127.0.0.1:${server.port}`
  return {
    url: origin + SERVICE_PATH,
    queryUrl: origin + SERVICE_PATH,
    qrUrl: origin + QR_PATH,
    controlUrl: controlServer?.url ?? null,
    port: server.port,
    caPem: server.caPem,
    control,
    state,
    received: () => ({ ...counts }),
    close: async () => {
      for (const timer of timers) clearTimeout(timer)
      await controlServer?.close()
      await server.close()
    },
  }
}

function isMemory(state: SimulatorState): state is MemoryState {
  return 'records' in state
}

type Useless = Extract<Fault, { kind: 'error_500' | 'html_200' }>

function isUseless(fault: Fault | null): fault is Useless {
  return fault?.kind === 'error_500' || fault?.kind === 'html_200'
}

function sendUseless(response: ServerResponse, { kind }: Useless): void {
  const [status, title] = kind === 'error_500' ? [500, 'Error interno'] : [200, 'Servicio en mantenimiento']
  send(
    response,
    status as number,
    'text/html; charset=utf-8',
    webPage(title as string, 'Vuelva a intentarlo más tarde.'),
  )
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  const bytes = Buffer.from(body, 'utf8')
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.length }).end(bytes)
}

function methodNotAllowed(response: ServerResponse, allowed: string): void {
  response.setHeader('allow', allowed)
  send(response, 405, 'text/html; charset=utf-8', webPage('Método no admitido', `Solo se admite ${allowed}.`))
}

function sendUnfit(response: ServerResponse, status: number): void {
  send(response, status, 'text/html; charset=utf-8', webPage('Tipo no admitido', 'Se espera text/xml.'))
}

function cut(request: IncomingMessage): void {
  request.socket.destroy()
}

/** Checks the headers of a SOAP 1.1 request: text/xml in UTF-8, and an action, which is empty here. */
function unfitHeaders(
  request: IncomingMessage,
): { kind: 'fault'; body: string } | { kind: 'page'; status: number } | null {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';')
  if (type.trim() !== 'text/xml') return { kind: 'page', status: 415 }
  const charset = parameters
    .map((each) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/.exec(each)?.[1])
    .find((each) => each !== undefined)
  if (charset !== undefined && charset !== 'utf-8')
    return { kind: 'fault', body: refusalXml(new Refusal('4119')) }
  const action = request.headers.soapaction
  if (action === '""' || action === '') return null
  const told =
    action === undefined ? 'Falta la cabecera SOAPAction.' : 'La cabecera SOAPAction debe ir vacía.'
  return { kind: 'fault', body: faultXml('Client', told) }
}
