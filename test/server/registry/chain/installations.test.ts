/**
 * New installations after a restored copy or a move: another chain, no number twice, and every record that the
 * authority knows is listed.
 */
import { describe, expect, test } from 'vitest'
import { checkBooks } from '../../../../server/app/integrity/index.ts'
import { loadBook } from '../../../../server/platform/books/index.ts'
import { createSystemCtx } from '../../../../server/context.ts'
import { eventsAfter } from '../../../../server/platform/events/index.ts'
import { partsOfNumber } from '../../../../server/registry/chain/findings.ts'
import { monthsToQuery } from '../../../../server/registry/systems/verifactu/wire/port.ts'
import { createRollbackGuard } from '../../../../server/registry/chain/rollback-guard.ts'
import { beginInstallation } from '../../../../server/registry/chain/installations.ts'
import type { Authority, Exchange } from '../../../../server/registry/queue/authority.ts'
import { unpackXml } from '../../../../server/registry/systems/packing.ts'
import { readSealedRecord } from '../../../../server/registry/systems/verifactu/record/sealed.ts'
import { buildRegistration } from '../../../../server/registry/systems/verifactu/record/xml.ts'
import { buildSubmission } from '../../../../server/registry/systems/verifactu/wire/messages.ts'
import { openBooks, refusal, refused } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { answering, changed, faulting, unheard, unsent } from '../authorities.ts'
import { openLiveBooks, PRODUCER, sharedAuthority } from '../live.ts'
import type { LiveBooks } from '../live.ts'
import { invoice as sample, SYSTEM } from '../samples.ts'
import { swept } from '../../../support/sweep.ts'

const RESTORED = { reason: 'restored_copy' } as const
const MOVED = { reason: 'moved' } as const

const begin = (
  world: TestBooks,
  authority: Authority,
  input: Parameters<typeof beginInstallation>[1] = RESTORED,
) => beginInstallation(world.live, input, async () => authority)

const statusOf = (world: TestBooks) => world.run('registry.status', {}, world.live)

/** Returns the records of the live book from the store. */
async function recordsOf(world: TestBooks) {
  const rows = await world.env.store.reader
    .selectFrom('registry_records')
    .innerJoin('registry_submissions', 'registry_submissions.record_id', 'registry_records.id')
    .select(['sequence', 'xml', 'status', 'csv_lost', 'conflict'])
    .where('registry_records.book_id', '=', world.books.live.id)
    .orderBy('sequence')
    .execute()
  return rows.map(({ xml, ...row }) => {
    const text = unpackXml(xml)
    return {
      ...row,
      number: readSealedRecord(text).link.number,
      previous: readSealedRecord(text).previous?.number ?? null,
      installation: /<sf:NumeroInstalacion>(.*?)</.exec(text)?.[1],
    }
  })
}

async function proof(world: TestBooks) {
  const { checks } = await checkBooks(world.env, (book) => world.ctx(book))
  return checks.filter((check) => !check.ok).map((check) => `${check.name}: ${check.detail}`)
}

/** Writes the marks of the books as the app does. */
async function mark(world: TestBooks) {
  const highWater = createRollbackGuard({ env: world.env, keychain: null, log: () => {} })
  await highWater.check()
  await highWater.close()
}

interface Restored {
  world: LiveBooks
  authority: ReturnType<typeof sharedAuthority>
}

/** Creates three invoices, a copy, three more and an annulled one, all known to the authority; then restores the copy. */
async function restored(options: Parameters<typeof sharedAuthority>[1] = {}): Promise<Restored> {
  const world = await openLiveBooks()
  const authority = sharedAuthority(() => world.env.now(), options)
  // As at each start of the app, before the first record.
  await mark(world)
  await world.sell()
  const second = await world.sell()
  await world.deliver(authority)
  // Waits in the copy, although it was sent afterwards.
  await world.sell()
  await mark(world)
  const putBack = world.copy()
  world.setTime('2026-12-03T10:00:00+01:00')
  await world.sell({ issueDate: '2026-12-02' })
  // Filed under the previous month.
  await world.sell({ clientName: 'Cliente Perdido, S.L.', operationDate: '2026-11-30' })
  await world.sell()
  const validated = await world.run('invoices.validate', { id: second.id, action: 'cancel' }, world.live)
  const confirmationToken = validated.confirmation?.confirmationToken ?? ''
  await world.run('invoices.cancel', { id: second.id, confirmationToken }, world.live)
  expect(await world.deliver(authority)).toBe(5)
  await mark(world)
  world.setTime('2026-12-10T10:00:00+01:00')
  await putBack()
  await mark(world)
  return { world, authority }
}

describe('after a restored copy', () => {
  test('the authority is queried, lost records are listed, and no number is used twice', async () => {
    const { world, authority } = await restored()
    expect((await statusOf(world)).chain).toMatchObject({ records: 3, held: 'restored_copy' })
    const before = (await statusOf(world)).installation
    const begun = await begin(world, authority)
    const first = 'Cliente Primero, S.L.'
    expect(begun.findings).toEqual([
      { number: 'F2026-0002', issueDate: '2026-11-21', total: '605.00', client: first, state: 'cancelled' },
      {
        number: 'F2026-0005',
        issueDate: '2026-12-03',
        total: '605.00',
        client: 'Cliente Perdido, S.L.',
        state: 'accepted',
      },
      { number: 'F2026-0004', issueDate: '2026-12-02', total: '605.00', client: first, state: 'accepted' },
      { number: 'F2026-0006', issueDate: '2026-12-03', total: '605.00', client: first, state: 'accepted' },
    ])
    expect(begun.series).toEqual([{ code: 'F2026', nextNumber: 7 }])
    expect(begun.installation).not.toBe(before)
    const status = await statusOf(world)
    expect(status).toMatchObject({ installation: begun.installation, chain: { records: 3, head: null } })
    expect(status.chain).not.toHaveProperty('held')
    expect(
      authority.questions.map((question) =>
        /<sf:Ejercicio>(\d+)<.*<sf:Periodo>(\d+)</.exec(question)?.slice(1),
      ),
    ).toEqual([
      ['2026', '08'],
      ['2026', '09'],
      ['2026', '10'],
      ['2026', '11'],
      ['2026', '12'],
    ])

    expect((await world.sell()).number).toBe('F2026-0007')
    expect((await world.sell()).number).toBe('F2026-0008')
    expect(await world.deliver(authority)).toBe(3)
    expect(await recordsOf(world)).toMatchObject([
      { number: 'F2026-0001', previous: null, installation: before, status: 'accepted' },
      { number: 'F2026-0002', previous: 'F2026-0001', installation: before, status: 'accepted' },
      // The authority had it, with the same digest.
      {
        number: 'F2026-0003',
        previous: 'F2026-0002',
        installation: before,
        status: 'accepted',
        csv_lost: 1,
        conflict: 0,
      },
      { number: 'F2026-0007', previous: null, installation: begun.installation, status: 'accepted' },
      { number: 'F2026-0008', previous: 'F2026-0007', installation: begun.installation, status: 'accepted' },
    ])
    expect(await world.run('registry.verify', {}, world.live)).toMatchObject({ ok: true, records: 5 })
    expect(await proof(world)).toEqual([])
  })

  test('findings are stored completely, the gap is recorded, and the history shows it', async () => {
    const { world, authority } = await restored()
    const { installation } = await begin(world, authority)
    const findings = await world.env.store.reader
      .selectFrom('registry_findings')
      .selectAll()
      .orderBy('number')
      .execute()
    expect(findings.map((row) => row.number)).toEqual([
      'F2026-0002',
      'F2026-0004',
      'F2026-0005',
      'F2026-0006',
    ])
    expect(JSON.parse(findings[2]?.held ?? '')).toMatchObject({
      key: { number: 'F2026-0005' },
      recipients: [{ name: 'Cliente Perdido, S.L.' }],
      system: { producerId: PRODUCER.nif, id: 'S1' },
      hash: expect.stringMatching(/^[0-9A-F]{64}$/),
    })
    const gaps = await world.env.store.reader.selectFrom('series_gaps').select(['first', 'last']).execute()
    expect(gaps).toEqual([{ first: 4, last: 6 }])
    const list = await world.run('series.list', {}, world.live)
    expect(list.items.find((series) => series.code === 'F2026')).toMatchObject({ nextNumber: 7, issued: 3 })
    const actions = (await world.run('audit.list', {}, world.live)).items
    expect(actions.find((item) => item.action === 'series.numbers_skipped')?.target?.label).toBe(
      'F2026-0004…F2026-0006',
    )
    expect(actions.find((item) => item.action === 'registry.installation_begun')?.target).toMatchObject({
      id: installation,
      label: 'restored_copy',
    })
    const events = await eventsAfter(world.env.store.reader, 0, 1000)
    expect(events.filter((event) => event.type === 'registry.changed').at(-1)?.data).toEqual({
      installation,
      findings: 4,
    })
    const questions = await world.env.store.reader
      .selectFrom('registry_batches')
      .select(['outcome', 'detail'])
      .where('kind', '=', 'query')
      .orderBy('id')
      .execute()
    expect(questions.slice(-2)).toEqual([
      { outcome: 'answered', detail: '2026-11: 4 held' },
      { outcome: 'answered', detail: '2026-12: 2 held' },
    ])
    // No invoice of the series may be dated before those issued elsewhere.
    const series = await world.env.store.reader
      .selectFrom('series')
      .select('last_issue_date')
      .where('code', '=', 'F2026')
      .executeTakeFirstOrThrow()
    expect(series.last_issue_date).toBe('2026-12-03')
  })

  test('the mark follows the new chain, and a second start finds no fault', async () => {
    const { world, authority } = await restored()
    await begin(world, authority)
    await world.restart()
    await mark(world)
    expect((await statusOf(world)).chain).not.toHaveProperty('held')
    await world.sell()
    await mark(world)
    await world.restart()
    await mark(world)
    expect((await statusOf(world)).chain).not.toHaveProperty('held')
  })

  test('a month of many pages is read to its end', async () => {
    const { world, authority } = await restored({ pageSize: 1 })
    expect((await begin(world, authority)).findings).toHaveLength(4)
    expect(
      authority.questions.filter((question) => question.includes('ClavePaginacion')).length,
    ).toBeGreaterThan(3)
  })

  const FAILING: [string, Exchange, string, Record<string, unknown> | undefined][] = [
    ['nothing leaves', unsent('unreachable'), 'registry_unreachable', { reason: 'unreachable' }],
    ['nobody is to be trusted', unsent('not_trusted'), 'registry_unreachable', { reason: 'not_trusted' }],
    ['there is no certificate', unsent('no_certificate'), 'certificate_missing', undefined],
    ['nothing comes back', unheard(), 'registry_unreachable', { reason: 'no_answer' }],
    [
      'a page comes back',
      answering('<html>Mantenimiento</html>'),
      'registry_unreachable',
      { reason: 'unreadable' },
    ],
    [
      'it refuses',
      faulting('Client', 'Codigo[4112].El titular del certificado'),
      'registry_unreachable',
      { reason: 'fault', authorityCode: '4112' },
    ],
  ]
  test.each(swept(FAILING, ([what]) => what === 'nothing comes back' || what === 'it refuses'))(
    'nothing changes when %s',
    async (_case, exchange, code, details) => {
      const { world } = await restored()
      const failing: Authority = { submit: async () => exchange, query: async () => exchange }
      const failure = await refused(begin(world, failing))
      expect(failure.code).toBe(code)
      if (details) expect(failure.details).toMatchObject(details)
      expect((await statusOf(world)).chain).toMatchObject({ records: 3, held: 'restored_copy' })
      expect(await world.env.store.reader.selectFrom('registry_findings').selectAll().execute()).toEqual([])
      expect(
        await world.env.store.reader
          .selectFrom('registry_batches')
          .select('id')
          .where('outcome', '=', 'running')
          .execute(),
      ).toEqual([])
    },
  )

  const STRAY: [string, string, string][] = [
    ['another issuer', 'B12345674', 'B87654323'],
    ['another month', '<q:Ejercicio>2026<', '<q:Ejercicio>2025<'],
  ]
  test.each(swept(STRAY, ([what]) => what === 'another issuer'))(
    'an answer about %s does not count as our held records',
    async (_what, ours, other) => {
      const { world, authority } = await restored()
      const stray: Authority = {
        ...authority,
        query: async (envelope) =>
          changed(await authority.query(envelope), (text) => {
            expect(text).toContain(ours)
            return text.replaceAll(ours, other)
          }),
      }
      const failure = await refused(begin(world, stray))
      expect(failure).toMatchObject({ code: 'registry_unreachable', details: { reason: 'unreadable' } })
      expect((await statusOf(world)).chain).toMatchObject({ records: 3, held: 'restored_copy' })
      const asked = await world.env.store.reader
        .selectFrom('registry_batches')
        .select('outcome')
        .orderBy('id', 'desc')
        .executeTakeFirst()
      expect(asked).toEqual({ outcome: 'unreadable' })
      expect((await begin(world, authority)).findings).toHaveLength(4)
    },
  )

  test('a query that breaks off finds nothing yet, and the next attempt finds everything', async () => {
    const { world, authority } = await restored()
    let asked = 0
    const breaking: Authority = {
      ...authority,
      query: (envelope) => ((asked += 1) < 5 ? authority.query(envelope) : Promise.resolve(unheard())),
    }
    expect(await refusal(begin(world, breaking))).toBe('registry_unreachable')
    expect(await world.env.store.reader.selectFrom('registry_findings').selectAll().execute()).toEqual([])
    expect((await begin(world, authority)).findings).toHaveLength(4)
  })

  test('the mark outside the books still shows the used numbers without a query', async () => {
    const { world } = await restored()
    const asked: string[] = []
    const silent: Authority = {
      submit: async () => unheard(),
      query: async (envelope) => {
        asked.push(envelope)
        return unheard()
      },
    }
    const begun = await begin(world, silent, { ...RESTORED, withoutAsking: true })
    expect(asked).toEqual([])
    expect(begun).toMatchObject({ findings: [], series: [{ code: 'F2026', nextNumber: 7 }] })
    const told = (await world.run('audit.list', {}, world.live)).items.find(
      (item) => item.action === 'registry.installation_begun',
    )
    expect(told?.target?.label).toBe('restored_copy, the authority was not asked')
    expect((await world.sell()).number).toBe('F2026-0007')
    expect(await proof(world)).toEqual([])
  })

  test('held books are queried whatever the reason is', async () => {
    const { world, authority } = await restored()
    expect((await begin(world, authority, MOVED)).findings).toHaveLength(4)
  })

  test('a copy that was not detected is queried when a person requests it', async () => {
    const world = await openLiveBooks()
    const authority = sharedAuthority(() => world.env.now())
    await world.sell()
    const putBack = world.copy()
    await world.sell()
    await world.deliver(authority)
    await putBack()
    expect((await statusOf(world)).chain).not.toHaveProperty('held')
    const begun = await begin(world, authority)
    expect(begun.findings.map((found) => found.number)).toEqual(['F2026-0002'])
    expect((await world.sell()).number).toBe('F2026-0003')
  })
})

describe('a held record of another program', () => {
  /** Registers invoices as another program does, or as this one on another computer. */
  async function register(
    authority: Authority,
    system: Partial<typeof SYSTEM>,
    invoices: Parameters<typeof sample>[0][],
  ): Promise<void> {
    const issuer = { name: 'Talleres Ejemplo, S.L.', nif: 'B12345674' }
    const records = invoices.map(
      (changes, index) =>
        buildRegistration(
          sample({ issuer, issueDate: '2026-11-21', recordId: `x-${index}`, ...changes }),
          null,
          { ...SYSTEM, ...system },
          '2026-11-21T10:00:00+01:00',
        ).xml,
    )
    const answer = await authority.submit(buildSubmission({ issuer }, records))
    const text = answer.kind === 'answered' ? new TextDecoder().decode(answer.body) : ''
    expect(
      text.match(/<\w+:EstadoRegistro>(\w+)</g)?.filter((state) => state.includes('Incorrecto')),
    ).toEqual([])
  }

  const OURS = { producer: { name: PRODUCER.name, nif: PRODUCER.nif }, id: PRODUCER.systemId }

  test('in its own series is left out', async () => {
    const world = await openLiveBooks()
    const authority = sharedAuthority(() => world.env.now())
    await world.sell()
    await world.deliver(authority)
    await register(authority, { id: 'TP' }, [{ number: 'TPV-0001' }, { number: 'TPV/77' }])
    expect(await begin(world, authority)).toMatchObject({ findings: [], series: [] })
  })

  test('in a series of ours is listed, and its number is not used again', async () => {
    const world = await openLiveBooks()
    const authority = sharedAuthority(() => world.env.now())
    await world.sell()
    await world.deliver(authority)
    await register(authority, { id: 'TP' }, [{ number: 'F2026-0040' }])
    const begun = await begin(world, authority)
    expect(begun.findings.map((found) => found.number)).toEqual(['F2026-0040'])
    expect((await world.sell()).number).toBe('F2026-0041')
    expect(await proof(world)).toEqual([])
  })

  test('in a series that this program began elsewhere adds that series here', async () => {
    const world = await openLiveBooks()
    const authority = sharedAuthority(() => world.env.now())
    await world.sell()
    await world.deliver(authority)
    await register(authority, { ...OURS, installationNumber: 'elsewhere' }, [
      { number: 'F2027-0002' },
      { number: 'TIENDA-0015', kind: 'F2', recipients: [] },
      { number: 'SIN NUMERO' },
      { number: 'F2028-1' },
    ])
    const begun = await begin(world, authority)
    expect(begun.findings.map((found) => found.number).toSorted()).toEqual([
      'F2027-0002',
      'F2028-1',
      'SIN NUMERO',
      'TIENDA-0015',
    ])
    expect(begun.series).toEqual([
      { code: 'F2027', nextNumber: 3 },
      { code: 'TIENDA', nextNumber: 16 },
    ])
    const { items } = await world.run('series.list', {}, world.live)
    expect(items.filter((series) => begun.series.some(({ code }) => code === series.code))).toMatchObject([
      { code: 'F2027', kind: 'ordinary', nextNumber: 3, issued: 0 },
      { code: 'TIENDA', kind: 'simplified', nextNumber: 16, issued: 0 },
    ])
    world.setTime('2027-01-04T10:00:00+01:00')
    expect((await world.sell()).number).toBe('F2027-0003')
    expect(await proof(world)).toEqual([])
  })
})

describe('a move to another computer', () => {
  test('begins another chain without a query; waiting records are sent first, unchanged', async () => {
    const world = await openLiveBooks()
    const authority = sharedAuthority(() => world.env.now())
    await world.sell()
    const before = (await statusOf(world)).installation
    const begun = await begin(world, authority, MOVED)
    expect(authority.questions).toEqual([])
    expect(begun).toMatchObject({ findings: [], series: [] })
    await world.sell()
    expect(await recordsOf(world)).toMatchObject([
      { number: 'F2026-0001', previous: null, installation: before, status: 'pending' },
      { number: 'F2026-0002', previous: null, installation: begun.installation, status: 'pending' },
    ])
    expect(await world.deliver(authority)).toBe(2)
    expect((await recordsOf(world)).map((record) => record.status)).toEqual(['accepted', 'accepted'])
    expect(await proof(world)).toEqual([])
  })

  test('may come before the first record, and twice; no number is used twice', async () => {
    const world = await openLiveBooks()
    const authority = sharedAuthority(() => world.env.now())
    const numbers = [(await statusOf(world)).installation]
    for (let time = 0; time < 3; time += 1) numbers.push((await begin(world, authority, MOVED)).installation)
    await world.sell()
    numbers.push((await begin(world, authority, MOVED)).installation)
    numbers.push((await world.run('registry.status', {})).installation)
    expect(new Set(numbers).size).toBe(6)
    for (const number of numbers) expect(number).toMatch(/^\d{14}-\d{4}(-\d+)?$/)
    await world.sell()
    expect((await recordsOf(world)).map((record) => [record.previous, record.installation])).toEqual([
      [null, numbers[3]],
      [null, numbers[4]],
    ])
    expect(await world.deliver(authority)).toBe(2)
    expect(await proof(world)).toEqual([])
  })

  test('puts the correction of an invoice of the old chain into the new one', async () => {
    const world = await openLiveBooks()
    const authority = sharedAuthority(() => world.env.now())
    const { id } = await world.sell()
    await world.deliver(authority)
    await begin(world, authority, MOVED)
    const validated = await world.run('invoices.validate', { id, action: 'cancel' }, world.live)
    const confirmationToken = validated.confirmation?.confirmationToken ?? ''
    await world.run('invoices.cancel', { id, confirmationToken }, world.live)
    expect(await world.deliver(authority)).toBe(1)
    expect((await recordsOf(world)).map((record) => [record.status, record.previous])).toEqual([
      ['accepted', null],
      ['accepted', null],
    ])
    expect(await proof(world)).toEqual([])
  })
})

describe('a new installation is refused', () => {
  test.each(['sending', 'unknown'] as const)('while a record is %s', async (status) => {
    const world = await openLiveBooks()
    const authority = sharedAuthority(() => world.env.now())
    await world.sell()
    await world.env.store.transaction(null, (db) =>
      db.updateTable('registry_submissions').set({ status }).execute(),
    )
    const failure = await refused(begin(world, authority, MOVED))
    expect([failure.code, failure.details]).toEqual(['registry_pending', { status }])
    expect((await statusOf(world)).chain.head).not.toBeNull()
  })

  test('when a record was sent during the query', async () => {
    const { world, authority } = await restored()
    const sending: Authority = {
      ...authority,
      query: async (envelope) => {
        await world.env.store.transaction(null, (db) =>
          db
            .updateTable('registry_submissions')
            .set({ status: 'sending' })
            .where('status', '=', 'pending')
            .execute(),
        )
        return authority.query(envelope)
      },
    }
    expect(await refusal(begin(world, sending))).toBe('registry_pending')
    expect((await statusOf(world)).chain.held).toBe('restored_copy')
  })

  test('while another one is beginning: two clicks begin one', async () => {
    const { world, authority } = await restored()
    const results = await Promise.allSettled([begin(world, authority), begin(world, authority)])
    expect(results.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const installations = await world.env.store.reader
      .selectFrom('registry_installations')
      .select('installation')
      .where('book_id', '=', world.books.live.id)
      .execute()
    expect(installations).toHaveLength(2)
    // Afterwards it is possible again.
    await begin(world, authority, MOVED)
  })

  test('to an API key', async () => {
    const world = await openBooks()
    const ctx = world.ctx(world.books.test, await world.key())
    expect(await refusal(world.run('registry.newInstallation', MOVED, ctx))).toBe('not_found')
  })
})

describe('in a test book', () => {
  test('a new chain begins beyond the numbers of the mark; its authority forgot them with the books', async () => {
    const world = await openLiveBooks()
    await world.invoice()
    await world.send()
    await mark(world)
    const putBack = world.copy()
    await world.invoice()
    await world.invoice()
    await world.send()
    await mark(world)
    await putBack()
    await mark(world)
    expect((await world.run('registry.status', {})).chain.held).toBe('restored_copy')
    expect(await world.run('registry.newInstallation', RESTORED)).toMatchObject({
      findings: [],
      series: [{ code: 'T-F2026', nextNumber: 4 }],
    })
    expect((await world.invoice()).number).toBe('T-F2026-0004')
    expect(await world.send()).toBe(1)
    expect(await proof(world)).toEqual([])
  })

  test('a new installation leaves the live book of the same store unchanged', async () => {
    const world = await openLiveBooks()
    await world.sell()
    const before = await statusOf(world)
    await world.run('registry.newInstallation', MOVED)
    expect((await statusOf(world)).installation).toBe(before.installation)
    expect((await loadBook(world.env.store.reader, world.books.live.publicId))?.id).toBe(world.books.live.id)
    expect((await statusOf(world)).chain).toEqual(before.chain)
  })
})

describe('months and numbers', () => {
  test.each([
    ['2026-11-21', '2026-11-30', ['2026-08', '2026-09', '2026-10', '2026-11']],
    ['2026-12-31', '2027-01-01', ['2026-09', '2026-10', '2026-11', '2026-12', '2027-01']],
    ['2027-02-01', '2027-02-01', ['2026-11', '2026-12', '2027-01', '2027-02']],
  ])('are queried from %s to %s', (first, last, months) => expect(monthsToQuery(first, last)).toEqual(months))

  test.each([
    ['F2026-0001', { code: 'F2026', sequence: 1 }],
    ['A-B/C_1-12345', { code: 'A-B/C_1', sequence: 12_345 }],
    ['F2026-1', null],
    ['F2026-00001', null],
    ['F2026-0000', null],
    ['F2026-12345678', null],
    ['F2026', null],
    ['-0001', null],
    ['F 2026-0001', null],
    [`${'A'.repeat(16)}-0001`, null],
  ])('are split only in our own format: %s', (number, parts) => expect(partsOfNumber(number)).toEqual(parts))
})

test('of two servers that begin an installation at the same time, one does', async () => {
  const world = await openBooks()
  // Another server has a store object of its own.
  const elsewhere = { ...world.env, store: Object.create(world.env.store) as typeof world.env.store }
  const ctxs = [world.env, elsewhere].map((env) => createSystemCtx(env, world.books.live))
  const outcomes = await Promise.allSettled(
    ctxs.map((ctx) =>
      beginInstallation(ctx, MOVED, async () => {
        throw new Error('The authority is not asked.')
      }),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'registry_pending', details: { status: 'asking' } },
  })
})
