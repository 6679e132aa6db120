/** A local mail server for the tests, with its own certificate and configurable behaviour. */
import { companyOf } from '../../../support/books.ts'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import type { Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'
import type { InputOf } from '../../../../server/api/contracts.ts'
import { sendDueMails } from '../../../../server/documents/mail/jobs.ts'
import type { SmtpLimits } from '../../../../server/documents/mail/smtp.ts'
import { makeServerCertificate } from '../../../support/files/certificates.ts'
import { openWorld } from '../../../support/world.ts'
import type { World, WorldOptions } from '../../../support/world.ts'

const USER = 'facturas@talleres.example'
export const PASSWORD = 'contraseña-muy-secreta-42'
export const OWN = 'facturas@talleres.example'

interface Received {
  from: string
  to: string[]
  raw: Buffer
  secure: boolean
}

export interface PostOffice {
  port: number
  received: Received[]
  /** Number of login attempts, right or wrong. */
  logins: number
  /** The server's answer to a mail; without one it accepts the mail. */
  answer: ((received: Received) => { code: number; text: string } | 'hang up' | null) | null
  /** Recipients that the server rejects, with the code. */
  refuses: Map<string, number>
}

/** Opens a server that starts TLS immediately or after STARTTLS. */
export async function openPostOffice(
  options: {
    security?: 'tls' | 'starttls' | 'plain'
    hosts?: string[]
    issuer?: string
  } & SMTPServerOptions = {},
): Promise<PostOffice> {
  const { security = 'tls', hosts, issuer, ...rest } = options
  const certificate = makeServerCertificate({ ...(hosts ? { hosts } : {}), ...(issuer ? { issuer } : {}) })
  const office: PostOffice = { port: 0, received: [], logins: 0, answer: null, refuses: new Map() }
  const server = new SMTPServer({
    secure: security === 'tls',
    key: certificate.keyPem,
    cert: certificate.certPem,
    disabledCommands: security === 'plain' ? ['STARTTLS'] : [],
    allowInsecureAuth: security === 'plain',
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth(auth, _session, callback) {
      office.logins += 1
      if (auth.username === USER && auth.password === PASSWORD) return callback(null, { user: USER })
      // Careless servers repeat the entered password in their refusal.
      callback(Object.assign(new Error(`5.7.8 Wrong password: ${auth.password}`), { responseCode: 535 }))
    },
    onRcptTo(address, _session, callback) {
      const code = office.refuses.get(address.address)
      callback(
        code === undefined ? null : Object.assign(new Error('No such mailbox'), { responseCode: code }),
      )
    },
    onData(stream, session, callback) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const received = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(parts),
          secure: session.secure,
        }
        const answer = office.answer?.(received) ?? null
        if (answer === 'hang up') {
          office.received.push(received)
          for (const connection of (
            server as unknown as { connections: Set<{ _socket: { destroy(): void } }> }
          ).connections)
            connection._socket.destroy()
          return
        }
        if (answer) return callback(Object.assign(new Error(answer.text), { responseCode: answer.code }))
        office.received.push(received)
        callback(null, 'Taken as 4711')
      })
    },
    ...rest,
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  office.port = (server.server.address() as AddressInfo).port
  return office
}

/** Opens a port that accepts connections and never sends anything. */
export async function openSilence(): Promise<number> {
  const server = createServer((socket) => void socket.on('error', () => undefined))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Opens a sandbox that trusts the root certificate of the tests' mail servers. */
export async function openMailWorld(options: WorldOptions = {}): Promise<World> {
  const world = await openWorld({ ...options, company: { email: OWN, iban: 'ES9121000418450200051332' } })
  world.env.sandbox = true
  world.env.mockEndpoint = { url: 'https://127.0.0.1:1/', caPem: makeServerCertificate().caPem }
  return world
}

export function accountAt(
  port: number,
  changes: Partial<InputOf<'mail.saveAccount'>> = {},
): InputOf<'mail.saveAccount'> {
  return {
    channel: 'smtp',
    host: '127.0.0.1',
    port,
    security: 'tls',
    user: USER,
    password: PASSWORD,
    fromName: 'Talleres Ejemplo, S.L.',
    fromAddress: OWN,
    ...changes,
  }
}

/** More than a busy machine needs for a handshake; the tests of silent servers have limits of their own. */
const LIMITS: SmtpLimits = { connectMs: 20_000, idleMs: 20_000, totalMs: 60_000 }

/** Sends what is due once the time to cancel is over. */
export function sendDue(world: World): Promise<number> {
  world.advance(5_000)
  const options = { env: world.env, log: (line: string) => world.logged.push(line), limits: LIMITS }
  return sendDueMails(options, companyOf(world))
}

export const parse = (raw: Uint8Array): Promise<Email> => PostalMime.parse(raw)

/** Returns an issued invoice of the test book, and the default mail about it. */
export async function invoiceWithMail(world: World) {
  const invoice = await world.issue((await world.createDraft()).id)
  const draft = await world.run('mail.prepare', { kind: 'invoice', ids: [invoice.id] })
  const input: InputOf<'mail.send'> = {
    kind: 'invoice',
    ids: [invoice.id],
    to: draft.to,
    subject: draft.subject,
    body: draft.body,
  }
  return { invoice, draft, input }
}

/** Returns a quote of the live book, which may be sent to anyone. */
export async function liveQuote(world: World) {
  const quote = await world.run(
    'quotes.create',
    {
      kind: 'quote',
      clientName: 'Ana Ruiz Gil',
      clientNif: '12345678Z',
      client: { email: 'ana@cliente.example' },
      lines: [{ description: 'Mano de obra', quantity: 2, unitPrice: 10 }],
    },
    { book: 'live' },
  )
  const draft = await world.run('mail.prepare', { kind: 'quote', ids: [quote.id] }, { book: 'live' })
  const input: InputOf<'mail.send'> = {
    kind: 'quote',
    ids: [quote.id],
    to: draft.to,
    subject: draft.subject,
    body: draft.body,
  }
  return { quote, draft, input }
}
