/**
 * The simulated authority as a SOAP server over mutual TLS on this computer, at the real service's paths: for tests
 * of the transport and for authors of clients. It listens on 127.0.0.1 only. docs/authority.md explains its use.
 */
import { constants, X509Certificate } from 'node:crypto'
import { createServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { issueServerCertificate, makeAuthorityCa } from './certificates/certificates.ts'
import type { AuthorityCa, KeyedCertificate } from './certificates/certificates.ts'
import { certificateFault, holderNifs } from './certificates/client-certificate.ts'
import type { CertificateFault } from './certificates/client-certificate.ts'
import { startControlServer } from './control.ts'
import { createFaultControl, createSimulator, isQueryMessage, memoryState } from './index.ts'
import type { Caller, Fault, FaultControl, MemoryState, SimulatorOptions, SimulatorState } from './index.ts'
import { qrPage, webPage } from './pages.ts'
import { faultXml, Refusal, refusalXml } from './messages/soap.ts'

const SERVICE_PATH = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP'
const QR_PATH = '/wlpl/TIKE-CONT/ValidarQR'
const DAY_MS = 86_400_000
const MOST_PRESENTED = 8

export interface AuthorityServerOptions extends Partial<Omit<SimulatorOptions, 'faults'>> {
  /** 0 for any free port. */
  port?: number
  /** A second port, without TLS, for setting faults and reading what is held; none by default. */
  controlPort?: number
  /** Roots (PEM) that client certificates must chain to; by default any certificate is accepted. */
  clientCa?: readonly string[]
  /** Way of refusing a client without an accepted certificate; a page by default. */
  refusal?: 'page' | 'handshake'
  /** The server's own certificate; valid by default. */
  serverCertificate?: 'valid' | 'expired' | 'other_name'
  /** Certification authority that signs the server's certificate; a new one by default. */
  ca?: AuthorityCa
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
  const ca = options.ca ?? (await makeAuthorityCa())
  const identity = await serverIdentity(ca, options.serverCertificate ?? 'valid')
  const byHandshake = options.refusal === 'handshake'
  const roots = byHandshake ? [] : (options.clientCa ?? []).map((pem) => new X509Certificate(pem))
  const counts = { submissions: 0, queries: 0, qr: 0, refused: 0 }
  const timers = new Set<NodeJS.Timeout>()

  /** Sets the Date header to the simulated clock, which the HTTP library does not know. */
  function setDate(response: ServerResponse, aheadSeconds = 0): void {
    response.sendDate = false
    response.setHeader('date', new Date(now().getTime() + aheadSeconds * 1000).toUTCString())
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://127.0.0.1')
    setDate(response)
    if (pathname === QR_PATH) {
      counts.qr += 1
      return answerQr(request, response, searchParams)
    }
    const { fault, caller } = callerOf(request.socket as TLSSocket)
    if (fault) {
      counts.refused += 1
      return send(response, 403, 'text/html; charset=utf-8', webPage('Acceso denegado', REFUSED[fault]))
    }
    if (pathname !== SERVICE_PATH)
      return send(response, 404, 'text/html; charset=utf-8', webPage('No encontrado', 'No hay nada aquí.'))
    return answerSoap(request, response, caller)
  }

  function callerOf(socket: TLSSocket): { fault: CertificateFault | null; caller: Caller } {
    const [leaf, ...presented] = presentedBy(socket)
    return {
      fault: certificateFault(leaf, presented, roots, now()),
      caller: { nifs: leaf ? holderNifs(leaf) : [] },
    }
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

  const server = createServer(
    {
      key: identity.keyPem,
      cert: identity.certPem,
      minVersion: 'TLSv1.2',
      requestCert: true,
      rejectUnauthorized: byHandshake,
      // A resumed session would not show the certificate again.
      secureOptions: constants.SSL_OP_NO_TICKET,
      // Passed to the TLS library only where it decides: for a client that it trusts, it omits the intermediate
      // certificates.
      ...(byHandshake ? { ca: [...(options.clientCa ?? [])] } : {}),
    },
    (request, response) => {
      handle(request, response).catch(() => {
        // The client left, or the state failed: neither can be answered.
        request.socket.destroy()
      })
    },
  )
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  server.on('clientError', (_error, socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const controlServer =
    options.controlPort === undefined
      ? null
      : await startControlServer({ port: options.controlPort, control, state }).catch((error: unknown) => {
          server.close()
          throw error
        })
  const origin = `https://127.0.0.1:${port}`
  return {
    url: origin + SERVICE_PATH,
    queryUrl: origin + SERVICE_PATH,
    qrUrl: origin + QR_PATH,
    controlUrl: controlServer?.url ?? null,
    port,
    caPem: ca.certPem,
    control,
    state,
    received: () => ({ ...counts }),
    close: async () => {
      for (const timer of timers) clearTimeout(timer)
      await controlServer?.close()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
    },
  }
}

/** Returns the client's certificates as it sent them, its own first. */
function presentedBy(socket: TLSSocket): X509Certificate[] {
  const found: X509Certificate[] = []
  let next = socket.getPeerX509Certificate()
  for (; next && found.length < MOST_PRESENTED; next = next.issuerCertificate) found.push(next)
  return found
}

function isMemory(state: SimulatorState): state is MemoryState {
  return 'records' in state
}

async function serverIdentity(
  ca: AuthorityCa,
  kind: NonNullable<AuthorityServerOptions['serverCertificate']>,
): Promise<KeyedCertificate> {
  const names = kind === 'other_name' ? ['autoridad.example'] : ['127.0.0.1', 'localhost']
  // A client uses its own clock, whatever the simulated one shows.
  const yesterday = new Date(Date.now() - DAY_MS)
  return kind === 'expired'
    ? issueServerCertificate({ ca, names, from: new Date(yesterday.getTime() - DAY_MS), to: yesterday })
    : issueServerCertificate({ ca, names })
}

const REFUSED: Record<CertificateFault, string> = {
  missing: 'Este servicio exige un certificado electrónico.',
  expired: 'El certificado está caducado.',
  not_yet_valid: 'El certificado todavía no es válido.',
  not_trusted: 'El certificado no es de un prestador admitido.',
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

async function readBody(request: IncomingMessage, most: number): Promise<Buffer | 'too_large'> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    // Reads to the end even beyond the limit: a client that is still writing would not read the answer.
    if (length <= most) chunks.push(chunk)
  }
  return length > most ? 'too_large' : Buffer.concat(chunks)
}
