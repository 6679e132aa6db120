/** Work over many companies: a unit for each, outcomes, cancelling, and what a restart leaves. */
import { expect, test } from 'vitest'
import { unzipSync } from 'fflate'
import { createConsoleJobs } from '../../../../server/app/console/index.ts'
import { pruneWorks } from '../../../../server/app/work-retention.ts'
import { runUnits, reclaim } from '../../../../server/app/console/work/run.ts'
import { beginUnit, endUnit, queuedUnits } from '../../../../server/app/console/work/rows.ts'
import { listBooks } from '../../../../server/platform/books/index.ts'
import { refused } from '../../../support/books.ts'
import { ANA, LUIS, openConsole, staff } from './companies.ts'
import type { Console } from './companies.ts'

const PACK = { kind: 'pack', year: 2026, quarter: 3 } as const
const COMPANIES = 12

const ids = (desk: Console) => desk.clients.map(({ id }) => id)

/** Does units like the worker, and stops after some of them. */
async function work(desk: Console, most = Infinity): Promise<void> {
  const stop = new AbortController()
  let begun = 0
  await runUnits(desk.env, {
    companyId: null,
    signal: stop.signal,
    books: async (companyId) => {
      begun += 1
      if (begun >= most) stop.abort()
      return (await listBooks(desk.env.store.reader)).find(
        (book) => book.companyId === companyId && book.mode === 'live',
      )
    },
  })
}

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}

test('packs of many companies are made one by one, through a restart in the middle, each once', async () => {
  const desk = await openConsole(COMPANIES)
  const started = await desk.run('console.startWork', { companies: ids(desk), work: PACK })
  expect(started).toMatchObject({ units: COMPANIES, ended: false, counts: { queued: COMPANIES } })
  await work(desk, 5)
  expect((await desk.run('console.work', { id: started.id })).counts).toMatchObject({ done: 5, queued: 7 })

  // The process ends in the middle of the sixth.
  const [unit] = await queuedUnits(desk.env.store.reader, null, 1)
  const at = desk.env.now().getTime()
  const attempt = await desk.env.store.transaction(unit!.company_id, (db) => beginUnit(db, unit!.id, at))
  expect(attempt).toBe(1)
  await desk.restart()
  expect((await desk.run('console.work', { id: started.id })).counts).toMatchObject({ done: 5, running: 1 })
  await reclaim(desk.env, null)
  await work(desk)
  const ended = await desk.run('console.work', { id: started.id })
  expect(ended).toMatchObject({ ended: true, counts: { done: COMPANIES, failed: 0 }, files: COMPANIES })
  expect(ended.items.map(({ name }) => name)).toEqual(desk.clients.map(({ name }) => name))

  // The attempt that was cut off ends nothing any more.
  const ending = { state: 'done', code: null, outcome: '{}', fileBytes: null } as const
  expect(
    await desk.env.store.transaction(unit!.company_id, (db) =>
      endUnit(db, { id: unit!.id, attempt: 1, at, ending }),
    ),
  ).toBe(false)

  const { stream, fileName } = await desk.run('console.workFile', { id: started.id })
  expect(fileName).toBe('empresas-2026-11-21.zip')
  const files = unzipSync(await bytesOf(stream))
  const packs = Object.keys(files).filter((name) => name.endsWith('.zip'))
  expect(packs.map((name) => name.split('/')[0])).toEqual(
    desk.clients.map(({ nif, name }) => `${nif} ${name}`),
  )
  for (const name of packs) expect(Object.keys(unzipSync(files[name]!))).toContain('index.html')
  const outcomes = Buffer.from(files['resultados.csv']!).toString('utf8')
  expect(outcomes.split('\r\n').filter((line) => line.includes(';done;'))).toHaveLength(COMPANIES)
  const one = await desk.run('console.workFile', { id: started.id, company: desk.clients[3]!.id })
  expect(one.fileName).toBe(`2026-3T-${desk.clients[3]!.nif}.zip`)
  expect(Object.keys(unzipSync(await bytesOf(one.stream)))).toContain('index.html')
})

test('a company at which the process ended three times fails, and the others go on', async () => {
  const desk = await openConsole(3)
  const { id } = await desk.run('console.startWork', { companies: ids(desk), work: PACK })
  for (let time = 1; time <= 3; time++) {
    const [unit] = await queuedUnits(desk.env.store.reader, null, 1)
    await desk.env.store.transaction(unit!.company_id, (db) =>
      beginUnit(db, unit!.id, desk.env.now().getTime()),
    )
    await desk.restart()
    await reclaim(desk.env, null)
  }
  await work(desk)
  const { items } = await desk.run('console.work', { id })
  expect(items.map(({ state, code }) => `${state} ${code}`)).toEqual([
    'failed internal',
    'done null',
    'done null',
  ])
})

test('cancelling stops between companies, and keeps what is done', async () => {
  const desk = await openConsole(6)
  const { id } = await desk.run('console.startWork', { companies: ids(desk), work: PACK })
  await work(desk, 2)
  const cancelled = await desk.run('console.cancelWork', { id })
  expect(cancelled).toMatchObject({ ended: true, counts: { done: 2, cancelled: 4, queued: 0 } })
  await work(desk)
  expect((await desk.run('console.work', { id })).counts).toMatchObject({ done: 2, cancelled: 4 })
  const { stream } = await desk.run('console.workFile', { id })
  expect(Object.keys(unzipSync(await bytesOf(stream)))).toHaveLength(3)
})

test('a unit says why it failed or was skipped, and holds up no other', async () => {
  const desk = await openConsole(3)
  const remind = await desk.run('console.startWork', { companies: ids(desk), work: { kind: 'remind' } })
  await work(desk)
  expect((await desk.run('console.work', { id: remind.id })).items).toMatchObject(
    Array.from({ length: 3 }, () => ({ state: 'skipped', code: 'nothing_to_do', outcome: null })),
  )
  const certificate = await desk.run('console.startWork', {
    companies: ids(desk),
    work: { kind: 'certificate', file: Buffer.from('no certificate').toString('base64'), password: 'x' },
  })
  const secrets = () =>
    desk.env.store.reader
      .selectFrom('bulk_units')
      .select('secret')
      .where('run_id', '=', certificate.id)
      .execute()
  expect((await secrets()).every(({ secret }) => secret?.startsWith('v1.'))).toBe(true)
  await work(desk)
  const { items } = await desk.run('console.work', { id: certificate.id })
  expect(items.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed'])
  expect(items.map(({ code }) => code)).toEqual(Array.from({ length: 3 }, () => 'certificate_invalid'))
  expect((await secrets()).map(({ secret }) => secret)).toEqual([null, null, null])
  expect((await refused(desk.run('console.workFile', { id: certificate.id }))).code).toBe('nothing_to_export')
})

test('of an archived company no reminders are sent; everything else is done', async () => {
  const desk = await openConsole(2, { at: '2026-10-05T10:00:00+02:00' })
  const archived = desk.clients[0]!
  await desk.run('companies.archive', {}, desk.ctx(archived.books.live))
  const codesOf = async (kind: Parameters<typeof desk.run<'console.startWork'>>[1]['work']) => {
    const { id } = await desk.run('console.startWork', { companies: ids(desk), work: kind })
    await work(desk)
    const { items } = await desk.run('console.work', { id })
    return items.toSorted((a, b) => ids(desk).indexOf(a.company) - ids(desk).indexOf(b.company))
  }
  expect((await codesOf({ kind: 'remind' })).map(({ state, code }) => [state, code])).toEqual([
    ['skipped', 'company_archived'],
    ['skipped', 'nothing_to_do'],
  ])
  for (const kind of [
    PACK,
    { kind: 'export', what: 'journal', year: 2026 },
    { kind: 'close', year: 2026, quarter: 3, enterVat: true },
  ] as const)
    expect(
      (await codesOf(kind)).map(({ state }) => state),
      kind.kind,
    ).toEqual(['done', 'done'])
})

test('closings are prepared: each with the steps that are missing', async () => {
  const desk = await openConsole(2, { at: '2026-10-05T10:00:00+02:00' })
  const { id } = await desk.run('console.startWork', {
    companies: ids(desk),
    work: { kind: 'close', year: 2026, quarter: 3, enterVat: true },
  })
  await work(desk)
  const { items } = await desk.run('console.work', { id })
  expect(items[0]?.outcome?.missing).toEqual(expect.arrayContaining(['returns', 'lock']))
  expect(items[0]?.outcome?.entered).toBeUndefined()
})

test('exports of each kind are files', async () => {
  const desk = await openConsole(1)
  const made: string[] = []
  for (const what of ['vat_books', 'journal'] as const) {
    const { id } = await desk.run('console.startWork', {
      companies: ids(desk),
      work: { kind: 'export', what, year: 2026 },
    })
    await work(desk)
    const { items } = await desk.run('console.work', { id })
    expect(items).toMatchObject([{ state: 'done' }])
    made.push(items[0]?.outcome?.file ?? '')
  }
  expect(made).toEqual([expect.stringMatching(/\.xlsx$/), expect.stringMatching(/\.xlsx$/)])
})

test('assigns many companies at once, and skips those that are assigned so already', async () => {
  const desk = await openConsole(3, { environment: { people: staff() } })
  const ana = desk.as(ANA)
  await desk.run('console.assign', { company: desk.clients[1]!.id, assignee: 'usr_luis' }, ana)
  const { id } = await desk.run(
    'console.startWork',
    { companies: ids(desk), work: { kind: 'assign', assignee: 'usr_luis' } },
    ana,
  )
  await work(desk)
  const { items } = await desk.run('console.work', { id }, ana)
  expect(items.map(({ state }) => state)).toEqual(['done', 'skipped', 'done'])
  expect((await desk.run('console.list', { assignee: 'usr_luis' }, ana)).count).toBe(3)
  // The history names who asked for it, and not the program.
  const history = await desk.run('audit.window', {}, desk.ctx(desk.clients[0]!.books.live))
  expect(history.items[0]).toMatchObject({ action: 'company.assigned', actor: { name: 'Ana Ruiz' } })
})

test('a work is of the person who started it, and nobody starts it for a company that is not there', async () => {
  const desk = await openConsole(2, { environment: { people: staff() } })
  const { id } = await desk.run('console.startWork', { companies: ids(desk), work: PACK }, desk.as(ANA))
  expect((await desk.run('console.works', {}, desk.as(ANA))).items.map((one) => one.id)).toEqual([id])
  expect((await desk.run('console.works', {}, desk.as(LUIS))).items).toEqual([])
  for (const name of ['console.work', 'console.cancelWork', 'console.workFile'] as const)
    expect((await refused(desk.run(name, { id }, desk.as(LUIS)))).code).toBe('not_found')
  const strange = desk.run('console.startWork', { companies: ['com_0'], work: PACK }, desk.as(ANA))
  expect((await refused(strange)).code).toBe('not_found')
  for (let more = 0; more < 2; more++)
    await desk.run('console.startWork', { companies: ids(desk), work: PACK }, desk.as(ANA))
  const fourth = desk.run('console.startWork', { companies: ids(desk), work: PACK }, desk.as(ANA))
  expect((await refused(fourth)).code).toBe('bulk_work_full')
})

test('a desk assigns nobody', async () => {
  const desk = await openConsole(1)
  const work = desk.run('console.startWork', {
    companies: ids(desk),
    work: { kind: 'assign', assignee: 'user' },
  })
  expect((await refused(work)).code).toBe('not_found')
})

test('outcomes and files are kept for seven days after the end', async () => {
  const desk = await openConsole(1)
  const { id } = await desk.run('console.startWork', { companies: ids(desk), work: PACK })
  await work(desk)
  const { availableUntil } = await desk.run('console.work', { id })
  expect(availableUntil).toBe('2026-11-28T09:00:00.000Z')
  desk.setTime('2026-11-28T09:59:00+01:00')
  await pruneWorks(desk.env)
  expect((await desk.run('console.works', {})).items).toHaveLength(1)
  desk.setTime('2026-11-28T10:01:00+01:00')
  await pruneWorks(desk.env)
  expect((await desk.run('console.works', {})).items).toEqual([])
  const live = desk.ctx(desk.clients[0]!.books.live)
  expect(await live.db.selectFrom('bulk_files').selectAll().execute()).toEqual([])
})

test('the loop of a desk does the units and keeps the summaries', async () => {
  const desk = await openConsole(2)
  const { id } = await desk.run('console.startWork', { companies: ids(desk), work: PACK })
  const jobs = createConsoleJobs({ env: desk.env, log: (line) => expect.fail(line) })
  jobs.wake()
  await expect
    .poll(async () => (await desk.run('console.work', { id })).ended, { timeout: 10_000 })
    .toBe(true)
  await expect.poll(async () => (await desk.run('console.list', {})).totals.cards.outdated).toBe(0)
  await jobs.stop()
})

test('a unit needs the rights of its person in the company when it is done', async () => {
  const desk = await openConsole(2, { environment: { people: staff({ without: ['export'] }) } })
  const { id } = await desk.run('console.startWork', { companies: ids(desk), work: PACK }, desk.as(ANA))
  await work(desk)
  const { items } = await desk.run('console.work', { id }, desk.as(ANA))
  expect(items.map(({ state, code }) => `${state} ${code}`)).toEqual(['failed not_found', 'failed not_found'])
})

test('a person sees and works on the companies that they may open, and on no other', async () => {
  const people = staff()
  const desk = await openConsole(3, { environment: { people } })
  const [own, other] = [desk.clients[0]!, desk.clients[1]!]
  people.companiesOf = async () => new Set([own.books.live.companyId])
  const { items, totals } = await desk.run('console.list', {}, desk.as(ANA))
  expect(items.map(({ id }) => id)).toEqual([own.id])
  expect(totals.companies).toBe(1)
  const refusals = [
    () => desk.run('console.note', { company: other.id, text: 'x' }, desk.as(ANA)),
    () => desk.run('console.notes', { company: other.id }, desk.as(ANA)),
    () => desk.run('console.enter', { company: other.id }, desk.as(ANA)),
    () => desk.run('console.staff', { company: other.id }, desk.as(ANA)),
    () => desk.run('console.startWork', { companies: [own.id, other.id], work: PACK }, desk.as(ANA)),
  ]
  for (const refusal of refusals) expect((await refused(refusal())).code).toBe('not_found')
})
