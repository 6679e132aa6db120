/** The queue to the authority: in order, each record once, whatever happens to requests and replies. */
import { describe, expect, test } from 'vitest'
import { eventsAfter } from '../../../../server/platform/events/index.ts'
import { createRegistryJobs, registryCounts } from '../../../../server/registry/index.ts'
import { recoverInterrupted } from '../../../../server/registry/queue/sender.ts'
import { setRegistryStatus } from '../../../../server/sales/invoices/index.ts'
import { openBooks } from '../../../support/books.ts'
import type { DraftInput, TestBooks } from '../../../support/books.ts'
import { answering, changed, listening, unsent, unheard } from '../authorities.ts'
import { swept } from '../../../support/sweep.ts'

const line = (unitPrice: number) => ({ description: 'x', quantity: 1, unitPrice })

async function issued(world: TestBooks, count: number, changes: Partial<DraftInput> = {}): Promise<string[]> {
  const ids: string[] = []
  for (let index = 1; index <= count; index++)
    ids.push((await world.invoice({ lines: [line(index)], ...changes })).id)
  return ids
}

const statusOf = async (world: TestBooks, id: string) => (await world.run('invoices.get', { id })).registry
const heldBySimulator = (world: TestBooks) =>
  world
    .ctx(world.books.test)
    .db.selectFrom('simulator_records')
    .select(['number', 'arrival'])
    .orderBy('arrival')
    .execute()
const eventTypes = async (world: TestBooks) =>
  (await eventsAfter(world.env.store.reader, 0, 1000))
    .filter((event) => event.type.startsWith('registry.'))
    .map((event) => event.type)

describe('a record', () => {
  test('that is accepted gets its state, the code of the submission and the event', async () => {
    const world = await openBooks()
    const [id = ''] = await issued(world, 1)
    expect(await world.send()).toBe(1)
    expect(await world.send()).toBe(0)
    expect(await statusOf(world, id)).toMatchObject({
      status: 'accepted',
      simulated: true,
      csv: expect.stringMatching(/^S-[0-9A-F]{14}$/),
      sentAt: expect.any(String),
      answeredAt: expect.any(String),
      errors: [],
    })
    expect((await statusOf(world, id)).nextAttemptAt).toBeUndefined()
    expect(await eventTypes(world)).toEqual(['registry.accepted'])
    expect((await world.run('invoices.list', { registryStatus: 'accepted' })).items).toHaveLength(1)
    const status = await world.run('registry.status', { invoiceId: id })
    expect(status).toMatchObject({
      service: { status: 'up' },
      queue: { pending: 0 },
      counts: { accepted: 1, acceptedWithErrors: 0, rejected: 0, unknown: 0 },
      attention: [],
    })
    expect(status.registrations?.[0]).toMatchObject({
      status: 'accepted',
      attempts: [
        { attempt: 1, outcome: 'accepted', startedAt: expect.any(String), finishedAt: expect.any(String) },
      ],
    })
    expect(status.queue).not.toHaveProperty('oldestPendingAt')
  })

  test('that is rejected gets the code, its meaning and the history, and delays no other', async () => {
    const world = await openBooks()
    const { id } = await world.invoice({ clientName: 'Nadie', clientNif: '99999999R' })
    const [after = ''] = await issued(world, 1)
    expect(await world.send()).toBe(2)
    const registry = await statusOf(world, id)
    expect(registry).toMatchObject({
      status: 'rejected',
      errors: [
        {
          code: 'client_not_in_census',
          authorityCode: expect.stringMatching(/^1(110|239)$/),
          message: expect.any(String),
          fix: expect.any(String),
        },
      ],
    })
    expect(registry.csv).toBeUndefined()
    expect(await statusOf(world, after)).toMatchObject({ status: 'accepted' })
    expect(await eventTypes(world)).toEqual(['registry.rejected', 'registry.accepted'])
    const status = await world.run('registry.status', {})
    expect(status.counts).toEqual({ accepted: 1, acceptedWithErrors: 0, rejected: 1, unknown: 0 })
    expect(status.attention).toEqual([
      {
        code: 'registry_rejected',
        invoiceId: id,
        number: 'T-F2026-0001',
        recordId: 'rec-1',
        untrusted: true,
        message: expect.any(String),
        fix: expect.any(String),
        action: 'correct',
        params: expect.objectContaining({ theme: 'client_not_in_census', authorityCode: '1110' }),
      },
    ])
    expect((await world.run('audit.list', { invoiceId: id })).items[0]).toMatchObject({
      action: 'registry.rejected',
      outcome: 'refused',
      actor: { kind: 'user' },
    })
    // A rejected record is never sent again unchanged.
    world.setTime('2026-11-22T10:00:00+01:00')
    expect(await world.send()).toBe(0)
    expect(await heldBySimulator(world)).toEqual([{ number: 'T-F2026-0002', arrival: 1 }])
    expect((await world.run('registry.verify', {})).ok).toBe(true)
  })

  test('that is accepted with errors is registered with the cause', async () => {
    const world = await openBooks()
    const { id } = await world.invoice({ clientNif: '00000000T', client: { idType: '07' } })
    await world.send()
    expect(await statusOf(world, id)).toMatchObject({
      status: 'accepted_with_errors',
      csv: expect.any(String),
      errors: [{ code: 'client_not_identified', authorityCode: '2001' }],
    })
    expect(await eventTypes(world)).toEqual(['registry.accepted_with_errors'])
    expect((await world.run('registry.status', {})).counts).toMatchObject({
      acceptedWithErrors: 1,
      accepted: 0,
    })
    expect((await world.run('audit.list', { invoiceId: id })).items[0]).toMatchObject({
      action: 'registry.accepted_with_errors',
      outcome: 'ok',
      code: '2001',
    })
  })

  test('without a line in the reply stays unknown, and the others are settled', async () => {
    const world = await openBooks()
    const ids = await issued(world, 3)
    const authority = listening(world, async (envelope, real) =>
      changed(await real.submit(envelope), (text) =>
        text.replace(
          /<sfR:RespuestaLinea>(?:(?!<\/sfR:RespuestaLinea>).)*rec-2<.*?<\/sfR:RespuestaLinea>/,
          '',
        ),
      ),
    )
    expect(await world.send(authority)).toBe(2)
    expect(
      (await Promise.all(ids.map((id) => statusOf(world, id)))).map((registry) => registry.status),
    ).toEqual(['accepted', 'unknown', 'accepted'])
    world.setTime('2026-11-21T10:02:00+01:00')
    expect(await world.send()).toBe(1)
    expect(await statusOf(world, ids[1] ?? '')).toMatchObject({ status: 'accepted' })
    expect(await heldBySimulator(world)).toHaveLength(3)
  })
})

describe('submissions', () => {
  test('send records in the order of the chain, whatever the order of the requests', async () => {
    const world = await openBooks()
    await issued(world, 7)
    const authority = listening(world, (envelope, real) => real.submit(envelope))
    await world.send(authority)
    const sent = [...(authority.envelopes[0] ?? '').matchAll(/<sf:RefExterna>(rec-\d+)</g)].map(
      (match) => match[1],
    )
    expect(sent).toEqual(['rec-1', 'rec-2', 'rec-3', 'rec-4', 'rec-5', 'rec-6', 'rec-7'])
    expect((await heldBySimulator(world)).map((row) => row.number)).toEqual(
      Array.from({ length: 7 }, (_, index) => `T-F2026-000${index + 1}`),
    )
  })

  test('each begin where the previous one ended', async () => {
    const world = await openBooks()
    for (const count of [3, 1, 4]) {
      await issued(world, count)
      expect(await world.send()).toBe(count)
    }
    expect((await heldBySimulator(world)).map((row) => row.arrival)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(
      (await world.ctx(world.books.test).db.selectFrom('registry_batches').select('outcome').execute()).map(
        (row) => row.outcome,
      ),
    ).toEqual(['answered', 'answered', 'answered'])
    expect(await registryCounts(world.test)).toMatchObject({ accepted: 8, pending: 0, chainRecords: 8 })
  })

  test('are repeated unchanged, character by character', async () => {
    const world = await openBooks()
    await issued(world, 2)
    const refuses = listening(world, async () => unsent('unreachable'))
    await world.send(refuses)
    world.setTime('2026-11-21T10:05:00+01:00')
    const takes = listening(world, (envelope, real) => real.submit(envelope))
    expect(await world.send(takes)).toBe(2)
    const records = (envelope = '') => envelope.match(/<sf:RegistroAlta[\s\S]*?<\/sf:RegistroAlta>/g)
    expect(records(takes.envelopes[0])).toEqual(records(refuses.envelopes[0]))
    expect(records(takes.envelopes[0])).toHaveLength(2)
  })
})

describe('after a failure', () => {
  test('of delivery, a record returns to the queue, is retried after one minute, then two, and is never lost', async () => {
    const world = await openBooks()
    const [id = ''] = await issued(world, 1)
    const start = Date.parse('2026-11-21T09:00:00Z')
    const down = listening(world, async () => unsent('unreachable'))
    let now = start
    for (const wait of [60, 120, 240, 480, 960, 1920, 3600, 3600]) {
      expect(await world.send(down)).toBe(0)
      expect(await statusOf(world, id)).toMatchObject({
        status: 'pending',
        nextAttemptAt: new Date(now + wait * 1_000).toISOString(),
      })
      world.setTime(new Date(now + wait * 1_000 - 1).toISOString())
      const before = down.envelopes.length
      await world.send(down)
      expect(down.envelopes).toHaveLength(before)
      now += wait * 1_000
      world.setTime(new Date(now).toISOString())
    }
    expect((await world.run('registry.status', { invoiceId: id })).service.status).toBe('down')
    expect(await world.send()).toBe(1)
    // Hours later the message reports an incident, and the authority accepts it without a warning.
    expect(await statusOf(world, id)).toMatchObject({ status: 'accepted', errors: [] })
    const { registrations } = await world.run('registry.status', { invoiceId: id })
    expect(registrations?.[0]?.attempts.map((attempt) => attempt.outcome)).toEqual([
      ...Array.from({ length: 8 }, () => 'not_delivered'),
      'accepted',
    ])
  })

  test("on the authority's side, a record is unknown, the service degraded, and the record is queried and sent again", async () => {
    const world = await openBooks()
    const [id = ''] = await issued(world, 1)
    const faulty = listening(world, async () =>
      answering(
        '<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body><env:Fault><faultcode>env:Server</faultcode><faultstring>Codigo[20009].Error interno en el servidor</faultstring></env:Fault></env:Body></env:Envelope>',
      ),
    )
    expect(await world.send(faulty)).toBe(0)
    expect(await statusOf(world, id)).toMatchObject({
      status: 'unknown',
      nextAttemptAt: '2026-11-21T09:01:00.000Z',
    })
    expect((await world.run('registry.status', {})).service.status).toBe('degraded')
    expect(
      (await world.ctx(world.books.test).db.selectFrom('registry_batches').select('outcome').execute()).at(
        -1,
      ),
    ).toEqual({
      outcome: 'fault',
    })
    world.setTime('2026-11-21T10:01:00+01:00')
    expect(await world.send()).toBe(1)
  })

  const NO_ANSWERS = ['', 'OK', '<html><body>Bad gateway</body></html>', '<a>', '\ud800 half', '{"ok":true}']
  test.each(swept(NO_ANSWERS, (reply) => reply === '' || reply.startsWith('<html>')))(
    'a reply of %j counts as no answer: the record is unknown and queried, and the reply is stored',
    async (body) => {
      const world = await openBooks()
      const [id = ''] = await issued(world, 1)
      expect(await world.send(listening(world, async () => answering(body)))).toBe(0)
      expect(await statusOf(world, id)).toMatchObject({
        status: 'unknown',
        nextAttemptAt: '2026-11-21T09:01:00.000Z',
      })
      expect(
        (await world.run('invoices.window', { view: 'trouble', limit: 10 })).items.map((item) => item.id),
      ).toEqual([id])
      expect(await eventTypes(world)).toEqual([])
      world.setTime('2026-11-21T10:01:00+01:00')
      expect(await world.send()).toBe(1)
      expect(await statusOf(world, id)).toMatchObject({ status: 'accepted' })
    },
  )

  test('after registration, a lost reply is queried again, recognized as ours and counted once', async () => {
    const world = await openBooks()
    const ids = await issued(world, 3)
    const loses = listening(world, async (envelope, real) => {
      await real.submit(envelope)
      return unheard()
    })
    expect(await world.send(loses)).toBe(0)
    expect(await heldBySimulator(world)).toHaveLength(3)
    world.setTime('2026-11-21T10:02:00+01:00')
    expect(await world.send()).toBe(3)
    for (const id of ids) expect(await statusOf(world, id)).toMatchObject({ status: 'accepted', errors: [] })
    expect(await heldBySimulator(world)).toHaveLength(3)
    expect((await world.run('registry.status', {})).counts).toEqual({
      accepted: 3,
      acceptedWithErrors: 0,
      rejected: 0,
      unknown: 0,
    })
    expect(await eventTypes(world)).toEqual(['registry.accepted', 'registry.accepted', 'registry.accepted'])
  })

  test('a number registered by another program is rejected, not taken as ours', async () => {
    const world = await openBooks()
    const [id = ''] = await issued(world, 1)
    await world.send(
      listening(world, async (envelope, real) => {
        await real.submit(envelope)
        return unheard()
      }),
    )
    world.setTime('2026-11-21T10:02:00+01:00')
    const foreign = listening(world, undefined, async (envelope, real) =>
      changed(await real.query(envelope), (text) =>
        text.replace(/[0-9A-F]{64}(?=<\/[a-zA-Z]+:Huella>)/, 'A'.repeat(64)),
      ),
    )
    expect(await world.send(foreign)).toBe(1)
    expect(foreign.envelopes).toEqual([])
    expect(await statusOf(world, id)).toMatchObject({
      status: 'rejected',
      errors: [{ code: 'registry_conflict', authorityCode: '3000', action: 'decide' }],
    })
    expect(await eventTypes(world)).toEqual(['registry.rejected', 'registry.conflict'])
  })

  test('between sending and answer, a record is unknown at the next start, queried, and not sent twice', async () => {
    const world = await openBooks()
    const ids = await issued(world, 3)
    let reached: () => void = () => {}
    const sent = new Promise<void>((resolve) => (reached = resolve))
    const hangs = listening(world, async (envelope, real) => {
      await real.submit(envelope)
      reached()
      return new Promise<never>(() => {})
    })
    void world.send(hangs)
    await sent
    expect(await statusOf(world, ids[0] ?? '')).toMatchObject({ status: 'sending' })
    await world.restart()
    expect((await world.run('registry.status', {})).queue.pending).toBe(3)
    await recoverInterrupted(world.test)
    for (const id of ids) expect(await statusOf(world, id)).toMatchObject({ status: 'unknown' })
    expect(await world.send()).toBe(0)
    world.setTime('2026-11-21T10:01:00+01:00')
    expect(await world.send()).toBe(3)
    for (const id of ids) expect(await statusOf(world, id)).toMatchObject({ status: 'accepted' })
    expect(await heldBySimulator(world)).toHaveLength(3)
    const { registrations } = await world.run('registry.status', { invoiceId: ids[0] ?? '' })
    expect(registrations?.[0]?.attempts.map((attempt) => attempt.outcome)).toEqual(['unknown', 'held'])
  })

  test('or a restart, queued records still wait', async () => {
    const world = await openBooks()
    await issued(world, 2)
    await world.restart()
    expect(await world.send()).toBe(2)
  })

  test('"try now" makes delayed records due', async () => {
    const world = await openBooks()
    await issued(world, 1)
    await world.send(listening(world, async () => answering('unreadable')))
    world.setTime('2026-11-21T10:01:00+01:00')
    await world.send(listening(world, undefined, async () => unheard()))
    world.setTime('2026-11-21T10:02:00+01:00')
    expect(await world.send()).toBe(0)
    world.wakes.length = 0
    expect(await world.run('registry.send', {})).toEqual({ pending: 1 })
    expect(world.wakes).toContain('sender')
    expect(await world.send()).toBe(1)
  })

  test('or not, no second sender takes a record that is being sent', async () => {
    const world = await openBooks()
    await issued(world, 1)
    let answer: () => void = () => {}
    const asked = new Promise<void>((resolve) => (answer = resolve))
    let reached: () => void = () => {}
    const sent = new Promise<void>((resolve) => (reached = resolve))
    const slow = listening(world, async (envelope, real) => {
      reached()
      await asked
      return real.submit(envelope)
    })
    const first = world.send(slow)
    await sent
    const second = listening(world, (envelope, real) => real.submit(envelope))
    expect(await world.send(second)).toBe(0)
    expect(second.envelopes).toEqual([])
    answer()
    expect(await first).toBe(1)
    expect((await world.run('registry.status', {})).counts.accepted).toBe(1)
  })
})

describe('the status', () => {
  test('counts an unknown record as waiting, and returns it as unknown', async () => {
    const world = await openBooks()
    await issued(world, 2)
    await world.send(listening(world, async () => answering('unreadable')))
    const { queue, counts } = await world.run('registry.status', {})
    expect(queue).toEqual({
      pending: 2,
      oldestPendingAt: '2026-11-21T09:00:00.000Z',
      nextAttemptAt: '2026-11-21T09:01:00.000Z',
      stopped: false,
    })
    expect(counts).toEqual({ accepted: 0, acceptedWithErrors: 0, rejected: 0, unknown: 2 })
  })

  test('lists records by state and by page', async () => {
    const world = await openBooks()
    await issued(world, 5)
    await world.send()
    await issued(world, 2)
    expect(
      (await world.run('registry.records', { status: 'pending' })).items.map((item) => item.sequence),
    ).toEqual([7, 6])
    const first = await world.run('registry.records', { limit: 3 })
    expect([first.items.map((item) => item.sequence), first.next]).toEqual([[7, 6, 5], 5])
    const second = await world.run('registry.records', { limit: 4, before: first.next ?? 0 })
    expect([second.items.map((item) => item.sequence), second.next]).toEqual([[4, 3, 2, 1], null])
    expect(second.items[0]).toMatchObject({
      recordId: 'rec-4',
      kind: 'registration',
      number: 'T-F2026-0004',
      status: 'accepted',
      csv: expect.any(String),
      nextAttemptAt: null,
    })
  })

  test('returns the registrations of an invoice by its number too, and none of another book', async () => {
    const world = await openBooks()
    const [id = ''] = await issued(world, 1)
    const byId = await world.run('registry.status', { invoiceId: id })
    expect(await world.run('registry.status', { invoiceId: 'T-F2026-0001' })).toEqual(byId)
    await expect(world.run('registry.status', { invoiceId: id }, world.live)).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(
      (await world.run('registry.status', { invoiceId: (await world.draft()).id })).registrations,
    ).toEqual([])
  })

  test('of a live book without a certificate has nothing to send and states that it cannot', async () => {
    const world = await openBooks()
    expect(await world.run('registry.status', {}, world.live)).toMatchObject({
      environment: 'production',
      simulated: false,
      service: { status: 'unknown', checkedAt: null },
      chain: { records: 0, head: null, ok: true },
      certificate: { status: 'missing' },
    })
  })
})

describe('in the background', () => {
  test('a wake-up sends everything of every test book, after querying the records left behind', async () => {
    const world = await openBooks()
    const ids = await issued(world, 3)
    await world.env.store.transaction(world.books.test.companyId, (db) =>
      db
        .updateTable('registry_submissions')
        .set({ status: 'sending', attempts: 1 })
        .where('record_id', '=', 2)
        .execute(),
    )
    const lines: string[] = []
    const jobs = createRegistryJobs({
      env: world.env,
      onStatus: setRegistryStatus,
      log: (text) => lines.push(text),
    })
    jobs.wake()
    await expect
      .poll(async () => (await world.run('registry.status', {})).counts.accepted, { timeout: 5_000 })
      .toBe(3)
    await jobs.stop()
    for (const id of ids) expect(await statusOf(world, id)).toMatchObject({ status: 'accepted' })
    expect(lines).toEqual([])
    expect(await heldBySimulator(world)).toHaveLength(3)
    expect((await heldBySimulator(world)).map((row) => row.number).toSorted()).toEqual([
      'T-F2026-0001',
      'T-F2026-0002',
      'T-F2026-0003',
    ])
  })
})
