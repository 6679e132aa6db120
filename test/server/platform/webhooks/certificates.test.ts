/** The expiry of the company's certificate, as a receiver of webhooks gets it while time passes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook as Verifier } from 'standardwebhooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSello, startSello } from '../../../../server/api/application.ts'
import { watchCertificates } from '../../../../server/company/certificates/index.ts'
import { listBooks } from '../../../../server/platform/books/index.ts'
import type { OperationName, OutputOf } from '../../../../server/api/contracts.ts'
import { NO_BOOK } from '../../../../server/context.ts'
import { EVENTS } from '../../../../server/platform/events/contract.ts'
import type { EventType } from '../../../../server/platform/events/index.ts'
import { PERSON } from '../../../../server/api/http/index.ts'
import { loadOperation } from '../../../../server/api/operations.ts'
import { runOperation } from '../../../../server/api/run.ts'
import { makeP12 } from '../../../support/files/certificates.ts'
import { startReceiver } from '../../../support/receiver.ts'
import type { Message } from '../../../support/receiver.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'
import { openStage } from '../../../support/stages/webhook-stage.ts'
import { swept } from '../../../support/sweep.ts'

const HOUR_MS = 3_600_000

/** Returns the content of a message, after checking its signature at its own time and its data against the catalogue. */
function told(message: Message, secret: string): { type: string; data: Record<string, unknown> } {
  vi.useFakeTimers({ toFake: ['Date'], now: Number(message.headers['webhook-timestamp']) * 1000 })
  try {
    new Verifier(secret).verify(message.body, message.headers as Record<string, string>)
  } finally {
    vi.useRealTimers()
  }
  const body = JSON.parse(message.body) as { type: EventType; data: Record<string, unknown> }
  expect(Object.keys(body)).toEqual(['id', 'type', 'createdAt', 'mode', 'data', 'actor'])
  return { type: body.type, data: EVENTS[body.type].data.parse(body.data) }
}

const certificateUntil = (to: string) => ({
  file: makeP12({ password: 'clave', to }).p12.toString('base64'),
  password: 'clave',
})

test('each warning before the expiry and the expiry itself arrive once, signed, as in the catalogue', async () => {
  const { world, receiver, webhook, pass } = await openStage({
    input: { events: ['certificate.expiring', 'certificate.expired'] },
  })
  await world.run('certificates.import', certificateUntil('2026-08-01T12:00:00Z'))
  const heard: [at: string, what: string][] = []
  for (let hours = 0; hours <= 45 * 24; hours += 6) {
    const before = receiver.messages.length
    await watchCertificates(world.ctx())
    await watchCertificates(world.ctx({ book: 'live' }))
    await pass()
    for (const message of receiver.messages.slice(before)) {
      const { type, data } = told(message, webhook.secret)
      heard.push([world.env.now().toISOString(), `${type} ${JSON.stringify(data)}`])
    }
    world.advance(6 * HOUR_MS)
  }
  const expiring = (daysLeft: number): string =>
    `certificate.expiring {"daysLeft":${daysLeft},"expiresOn":"2026-08-01"}`
  expect(heard).toEqual([
    ['2026-07-02T02:00:00.000Z', expiring(30)],
    ['2026-07-17T02:00:00.000Z', expiring(15)],
    ['2026-07-25T02:00:00.000Z', expiring(7)],
    ['2026-07-31T02:00:00.000Z', expiring(1)],
    ['2026-08-01T14:00:00.000Z', 'certificate.expired {"expiresOn":"2026-08-01"}'],
  ])
  const modes = receiver.messages.map(({ body }) => (JSON.parse(body) as { mode: string }).mode)
  expect(new Set(modes)).toEqual(new Set(['test']))
})

test('a Sello that is started occasionally sends them automatically', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-certificate-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let at = '2026-05-01T10:00:00+02:00'
  const options = { dataDir: folder, keychain: null, cacheKib: 2048, now: () => new Date(at) }
  const receiver = await startReceiver()
  const setUp = await openSello({ ...options, create: true })
  const run = async (name: OperationName, input: unknown): Promise<unknown> => {
    const book = (await listBooks(setUp.env.store.reader)).find(({ mode }) => mode === 'test')
    return runOperation(await loadOperation(name), setUp.ctx(book ?? NO_BOOK, PERSON), input)
  }
  await run('company.create', EXAMPLE_COMPANY)
  await run('certificates.import', certificateUntil('2026-08-01T12:00:00Z'))
  const { secret } = (await run('webhooks.createByPerson', {
    url: receiver.url,
    events: ['certificate.*'],
    allowLocal: true,
  })) as OutputOf<'webhooks.createByPerson'>
  await setUp.close()

  // A delivery is repeated with its id when the program ends before it has recorded the answer.
  const distinct = () => [...new Map(receiver.messages.map((message) => [message.id, message])).values()]
  const starts = swept(['2026-07-20T10:00:00+02:00', '2026-09-01T10:00:00+02:00'], (_, index) => index === 0)
  for (at of starts) {
    const before = distinct().length
    const running = await startSello({ ...options, port: 0, uiDir: null })
    await vi.waitFor(() => expect(distinct().length).toBeGreaterThan(before), {
      timeout: 20_000,
      interval: 20,
    })
    await running.close()
  }
  expect(distinct().map((message) => told(message, secret))).toEqual(
    [
      { type: 'certificate.expiring', data: { daysLeft: 12, expiresOn: '2026-08-01' } },
      { type: 'certificate.expired', data: { expiresOn: '2026-08-01' } },
    ].slice(0, starts.length),
  )
})
