/** The clients against the simulated services over mutual TLS: every province, fault and certificate. */
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createLroeClient, createXmlClient } from '../../../../../support/ticketbai/client.ts'
import type { TicketBaiClient } from '../../../../../support/ticketbai/client.ts'
import { createTransport } from '../../../../../../server/registry/systems/ticketbai/client/transport.ts'
import type { TransportOptions } from '../../../../../../server/registry/systems/ticketbai/client/transport.ts'
import { makeAuthorityCa } from '../../../../../../server/platform/simulated-authority/certificates/certificates.ts'
import type { ServiceFault } from '../../../../../../server/registry/systems/ticketbai/simulator/faults.ts'
import { startServiceServer } from '../../../../../../server/registry/systems/ticketbai/simulator/server.ts'
import type { ServiceServerOptions } from '../../../../../../server/registry/systems/ticketbai/simulator/server.ts'
import { SERVICES } from '../../../../../../server/registry/systems/ticketbai/wire/services.ts'
import type { Province } from '../../../../../../server/registry/systems/ticketbai/wire/services.ts'
import {
  COMPANY,
  invoiceFile,
  signerOf,
  STRANGER,
  testIdentifier,
  verifyTestFile,
  YEARS,
} from '../../../../../support/ticketbai/files.ts'

const NOW = new Date('2026-11-30T12:00:00Z')
const PROVINCES: readonly Province[] = ['araba', 'bizkaia', 'gipuzkoa']

async function credentialOf(who: { nif: string; name: string }) {
  const { keyPem, certPem } = await signerOf(who)
  return { keyPem, chainPem: certPem, validFrom: YEARS.from.getTime(), validTo: YEARS.to.getTime() }
}

type Opened = Awaited<ReturnType<typeof opened>>

async function opened(province: Province, options: Partial<ServiceServerOptions> = {}) {
  const server = await startServiceServer({
    province,
    now: () => NOW,
    verify: verifyTestFile,
    identifierOf: testIdentifier,
    ...options,
  })
  onTestFinished(() => server.close())
  const transport = (over: Partial<TransportOptions>) =>
    createTransport({
      reach: { kind: 'simulator', caPem: server.caPem },
      credential: null,
      now: () => NOW,
      version: '1.2.3',
      ...over,
      limits: { verdictMs: 200, ...over.limits },
    })
  const client = async (over: Partial<TransportOptions> = {}): Promise<TicketBaiClient> => {
    const using = {
      service: server.service,
      transport: transport({ credential: await credentialOf(COMPANY), ...over }),
    }
    return province === 'bizkaia'
      ? createLroeClient({
          ...using,
          taxpayer: { model: '240', nif: COMPANY.nif, name: COMPANY.name, person: null },
        })
      : createXmlClient(using)
  }
  return { server, client, transport, signer: await signerOf(COMPANY) }
}

const outcomeOf = async (client: TicketBaiClient, { signer }: Pick<Opened, 'signer'>) => {
  const [sent] = await client.send([invoiceFile(signer)])
  if (!sent) throw new Error('There is no outcome.')
  return sent.outcome
}

const CERTAIN: readonly [ServiceFault, string][] = [
  [{ kind: 'down' }, 'down'],
  [{ kind: 'throttled', seconds: 7 }, 'throttled'],
  [{ kind: 'unavailable' }, 'down'],
  [{ kind: 'certificate' }, 'not_allowed'],
]
const OPEN: readonly ServiceFault[] = [
  { kind: 'drop_request' },
  { kind: 'drop_reply' },
  { kind: 'half_answer' },
  { kind: 'error_500' },
  { kind: 'error_500', processed: true },
  { kind: 'html_200' },
  { kind: 'html_200', processed: true },
]

test.each(PROVINCES)('each fault of %s is certain or open, as it is', async (province) => {
  const world = await opened(province)
  const client = await world.client()
  for (const [fault, reason] of CERTAIN) {
    world.server.control.next(fault)
    expect(await outcomeOf(client, world), fault.kind).toMatchObject({ kind: 'not_taken', reason })
  }
  expect(world.server.state.files()).toEqual([])
  for (const fault of OPEN) {
    world.server.control.next(fault)
    expect((await outcomeOf(client, world)).kind, fault.kind).toBe('unknown')
  }
  world.server.control.next({ kind: 'slow', ms: 20 })
  expect((await outcomeOf(client, world)).kind).toBe('held')
})

test.each(PROVINCES)(
  'without a certificate, or with one that is not trusted, %s takes nothing',
  async (province) => {
    const other = await makeAuthorityCa({ ...YEARS, name: 'OTRA' })
    const world = await opened(province, { clientCa: [other.certPem] })
    expect(await outcomeOf(await world.client(), world)).toMatchObject({
      kind: 'not_taken',
      reason: 'not_allowed',
    })
    // It hangs up: why is not said.
    const curt = await opened(province, { refusal: 'handshake', clientCa: [other.certPem] })
    expect(await outcomeOf(await curt.client(), curt)).toMatchObject({ kind: 'not_taken', reason: 'down' })
    expect(curt.server.state.files()).toEqual([])
    const none = await world.client({ credential: null })
    expect(await outcomeOf(none, world)).toMatchObject({ kind: 'not_taken', reason: 'not_allowed' })
    const late = await world.client({ now: () => new Date('2050-01-01T00:00:00Z') })
    expect(await outcomeOf(late, world)).toMatchObject({ kind: 'not_taken', reason: 'not_allowed' })
    const early = await world.client({ now: () => new Date('2010-01-01T00:00:00Z') })
    expect(await outcomeOf(early, world)).toMatchObject({ kind: 'not_taken', reason: 'not_allowed' })
    expect(world.server.state.files()).toEqual([])
  },
)

test('the holder of a certificate is remarked by Gipuzkoa and refused by Bizkaia when it is a stranger', async () => {
  const gipuzkoa = await opened('gipuzkoa')
  const stranger = { credential: await credentialOf(STRANGER) }
  expect(await outcomeOf(await gipuzkoa.client(stranger), gipuzkoa)).toMatchObject({
    kind: 'accepted',
    warnings: [{ code: '007' }],
  })
  const bizkaia = await opened('bizkaia')
  expect(await outcomeOf(await bizkaia.client(stranger), bizkaia)).toMatchObject({
    kind: 'not_taken',
    reason: 'not_allowed',
    code: 'N3_0000007',
  })
})

test('a server that is not the service gets no message', async () => {
  const world = await opened('gipuzkoa', { serverCertificate: 'other_name' })
  expect(await outcomeOf(await world.client(), world)).toMatchObject({
    kind: 'not_taken',
    reason: 'not_trusted',
  })
  const other = await opened('gipuzkoa')
  const wrongRoot = await world.client({ reach: { kind: 'simulator', caPem: other.server.caPem } })
  expect((await outcomeOf(wrongRoot, world)).kind).toBe('not_taken')
  expect(world.server.state.files()).toEqual([])
})

test('a transport reaches the hosts of the services or this computer, and nothing else', async () => {
  const world = await opened('araba')
  const credential = await credentialOf(COMPANY)
  const message = { headers: {}, body: Buffer.from('<x/>'), answerBytes: 1_000 }
  const reachOf = async (reach: TransportOptions['reach'], url: string) =>
    (await world.transport({ reach, credential })({ url, ...message })).kind
  const simulator = { kind: 'simulator', caPem: world.server.caPem } as const
  for (const url of [
    'https://example.com/alta',
    SERVICES.araba.production.invoice,
    'http://127.0.0.1/alta',
    'x',
  ])
    expect(await reachOf(simulator, url), url).toBe('not_sent')
  for (const url of [
    world.server.service.invoice,
    'https://example.com/',
    `${SERVICES.araba.production.invoice.replace('.eus/', '.eus:8443/')}`,
  ])
    expect(await reachOf({ kind: 'official' }, url), url).toBe('not_sent')
  expect(await reachOf(simulator, world.server.service.invoice)).toBe('answered')
})

test('an answer that is too large, too slow or stopped leaves the outcome open', async () => {
  const world = await opened('gipuzkoa')
  const credential = await credentialOf(COMPANY)
  const { service } = world.server
  const file = invoiceFile(world.signer)
  const message = {
    url: service.invoice,
    headers: { 'content-type': 'application/xml;charset=UTF-8' },
    body: file.xml,
    answerBytes: 50,
  }
  expect((await world.transport({ credential })(message)).kind).toBe('no_answer')
  world.server.control.next({ kind: 'slow', ms: 5_000 })
  const hasty = world.transport({ credential, limits: { totalMs: 300 } })
  expect((await hasty({ ...message, answerBytes: 10_000 })).kind).toBe('no_answer')
  world.server.control.next({ kind: 'slow', ms: 5_000 })
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 300)
  const stopped = world.transport({ credential, signal: stop.signal })
  expect((await stopped({ ...message, answerBytes: 10_000 })).kind).toBe('no_answer')
  expect((await stopped({ ...message, answerBytes: 10_000 })).kind).toBe('not_sent')
})

test('the control port sets faults and lists what is held, without the files', async () => {
  const world = await opened('bizkaia', { controlPort: 0 })
  const control = world.server.controlUrl ?? ''
  const answer = await fetch(control, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fault: { kind: 'unavailable' } }),
  })
  expect(answer.status).toBe(200)
  const client = await world.client()
  expect(await outcomeOf(client, world)).toMatchObject({ kind: 'not_taken', code: 'B4_1000004' })
  expect((await outcomeOf(client, world)).kind).toBe('accepted')
  const { files } = (await (await fetch(`${control}/files`)).json()) as { files: Record<string, unknown>[] }
  expect(files).toMatchObject([{ sequence: 1, status: 'active' }])
  expect(Object.hasOwn(files[0] ?? {}, 'xml')).toBe(false)
})

test('a connection that says nothing does not stop the server from closing', async () => {
  const world = await opened('araba')
  const socket = connect(world.server.port, '127.0.0.1')
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  await world.server.close()
  socket.destroy()
  expect(world.server.state.files()).toEqual([])
})
