/** Sending in the background: the authority of each book, what delays a message, and that tests never call out. */
import { inEmbedded } from '../../../support/engines.ts'
import { Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { setRegistryStatus } from '../../../../server/sales/invoices/index.ts'
import { sendBook } from '../../../../server/registry/index.ts'
import { startAuthorityServer } from '../../../../server/registry/systems/verifactu/simulator/server.ts'
import { makeP12 } from '../../../support/files/certificates.ts'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'
import { inLongRun } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

const NOW = Date.parse('2026-11-21T09:00:00Z')

async function certificate(world: TestBooks, to: string): Promise<void> {
  const { p12 } = makeP12({
    kind: 'seal',
    nif: EXAMPLE_COMPANY.nif,
    name: 'Sello',
    organization: EXAMPLE_COMPANY.legalName,
    organizationNif: EXAMPLE_COMPANY.nif,
    keyType: 'ec',
    from: '2026-01-01T00:00:00Z',
    to,
    password: 'clave',
  })
  await world.run('certificates.import', { file: p12.toString('base64'), password: 'clave' }, world.live)
}

const sendLive = (world: TestBooks) => sendBook(world.env, world.books.live, setRegistryStatus)
const statusOf = (world: TestBooks) => world.run('registry.status', {}, world.live)
const exchanges = (world: TestBooks) =>
  world.ctx(world.books.test).db.selectFrom('registry_batches').selectAll().execute()

describe('a live book of a sandbox', () => {
  test('keeps its records, opens no socket and shows the reason on the page without a mock endpoint', async () => {
    const world = await openBooks({ environment: { sandbox: true } })
    await certificate(world, '2030-01-01T00:00:00Z')
    await world.invoice({}, world.live)
    const connect = vi.spyOn(Socket.prototype, 'connect')
    onTestFinished(() => connect.mockRestore())
    expect(await sendLive(world)).toBeNull()
    expect(connect).not.toHaveBeenCalled()
    expect(await exchanges(world)).toEqual([])
    expect(await statusOf(world)).toMatchObject({
      environment: 'sandbox',
      queue: { pending: 1 },
      attention: [{ code: 'no_stand_in' }],
    })
  })

  test('sends to its mock endpoint, waits while the certificate is expired, and continues with the next one', async () => {
    let time = NOW
    const server = await startAuthorityServer({ now: () => new Date(time), waitSeconds: 0 })
    onTestFinished(() => server.close())
    const world = await openBooks({
      environment: { sandbox: true, mockEndpoint: { url: server.url, caPem: server.caPem } },
    })
    await certificate(world, '2026-11-22T00:00:00Z')
    await world.invoice({}, world.live)
    expect(await sendLive(world)).toBeNull()
    expect((await statusOf(world)).counts.accepted).toBe(1)
    expect((await statusOf(world)).attention).toMatchObject([
      { code: 'certificate_expiring', action: 'certificate' },
    ])
    time = NOW + 2 * 86_400_000
    world.setTime(new Date(time).toISOString())
    await world.invoice({}, world.live)
    expect(await sendLive(world)).toBeNull()
    expect(await exchanges(world)).toHaveLength(1)
    expect(await statusOf(world)).toMatchObject({
      queue: { pending: 1 },
      attention: [{ code: 'certificate_expired', action: 'certificate' }],
    })
    world.wakes.length = 0
    await certificate(world, '2030-01-01T00:00:00Z')
    expect(world.wakes).toContain('sender')
    expect(await sendLive(world)).toBeNull()
    expect(await statusOf(world)).toMatchObject({ counts: { accepted: 2 }, attention: [] })
    expect(server.received()).toMatchObject({ submissions: 2, refused: 0 })
  })

  longTest(
    'compares a clock that was far off again automatically, so that correcting it is enough',
    async () => {
      let away = 3_600_000
      const server = await startAuthorityServer({
        now: () => new Date(world.live.now().getTime() - away),
        waitSeconds: 0,
      })
      onTestFinished(() => server.close())
      const world = await openBooks({
        environment: { sandbox: true, mockEndpoint: { url: server.url, caPem: server.caPem } },
      })
      await certificate(world, '2030-01-01T00:00:00Z')
      await world.invoice({}, world.live)
      expect(await sendLive(world)).toBe(NOW + 60_000)
      expect((await statusOf(world)).attention.map(({ code }) => code)).toContain('clock_wrong')
      const draft = await world.draft({}, world.live)
      expect((await world.run('invoices.validate', { id: draft.id }, world.live)).valid).toBe(false)
      away = 0
      world.setTime(new Date(NOW + 60_000).toISOString())
      expect(await sendLive(world)).toBeNull()
      expect(server.received()).toMatchObject({ submissions: 1, queries: 1 })
      expect((await statusOf(world)).attention.map(({ code }) => code)).not.toContain('clock_wrong')
      expect((await world.run('invoices.validate', { id: draft.id }, world.live)).valid).toBe(true)
    },
  )
})

inEmbedded(test)("a test book's whole life opens no socket", async () => {
  const world = await openBooks()
  const connect = vi.spyOn(Socket.prototype, 'connect')
  onTestFinished(() => connect.mockRestore())
  const { id } = await world.invoice()
  await sendBook(world.env, world.books.test, setRegistryStatus)
  const validated = await world.run('invoices.validate', { id, action: 'cancel' })
  await world.run('invoices.cancel', {
    id,
    confirmationToken: validated.confirmation?.confirmationToken ?? '',
  })
  await sendBook(world.env, world.books.test, setRegistryStatus)
  expect((await world.run('invoices.get', { id })).registry.status).toBe('cancelled')
  expect(connect).not.toHaveBeenCalled()
})
