/** The page of the console: filters, totals, order and what it says of itself. */
import { expect, test } from 'vitest'
import { standingOf } from '../../../../server/app/console/state.ts'
import type { SummaryFacts } from '../../../../server/app/summaries/index.ts'
import { writeFacts } from '../../../../server/app/summaries/rows.ts'
import { purchase } from '../../accounting/returns/worked.ts'
import { refused } from '../../../support/books.ts'
import { ANA, LUIS, openConsole, staff } from './companies.ts'

const FACTS: SummaryFacts = {
  version: 1,
  from: '2026-01-10',
  returns: [
    {
      model: '303',
      year: 2026,
      code: '3T',
      dueFrom: '2026-10-01',
      dueTo: '2026-10-20',
      applies: true,
      filedOn: null,
    },
    {
      model: '111',
      year: 2026,
      code: '3T',
      dueFrom: '2026-10-01',
      dueTo: '2026-10-20',
      applies: null,
      filedOn: null,
    },
  ],
  lockedUntil: '2026-06-30',
  closedYear: 2025,
  registry: {
    needAction: 0,
    pending: 2,
    oldestAt: Date.parse('2026-10-20T09:00:00+02:00'),
    chain: 'ok',
    stopped: false,
  },
  certificateUntil: '2026-11-10',
  inbox: { waiting: 0, oldestAt: null },
  bank: null,
  approvals: 0,
  receipts: 0,
  owed: { cents: 0, lateCents: 0, lateInvoices: 0 },
  lastActivityAt: null,
}

test('what figures mean follows from the day on which they are read', () => {
  const on = (day: string, time = '10:30') => standingOf(FACTS, new Date(`${day}T${time}:00+02:00`), day)
  const states = (day: string) => on(day).figures.returns.map(({ model, state }) => `${model} ${state}`)
  expect(states('2026-09-20')).toEqual(['303 upcoming', '111 upcoming'])
  expect(states('2026-10-20')).toEqual(['303 open', '111 unknown'])
  expect(states('2026-10-21')).toEqual(['303 late', '111 unknown'])
  expect(on('2026-09-30').figures.closing.behind).toBeNull()
  expect(on('2026-10-01').figures.closing.behind).toBe('3T 2026')
  // A record is trouble once it has waited for an hour.
  expect(on('2026-10-20', '10:00').figures.trouble.waiting).toBe(0)
  expect(on('2026-10-20', '10:01').figures.trouble.waiting).toBe(2)
  expect(on('2026-10-10').cards.has('certificate')).toBe(false)
  expect(on('2026-10-11').cards.has('certificate')).toBe(true)
  expect(on('2026-11-12').figures.certificate?.daysLeft).toBe(-2)
  // Without a bank nothing is known of its movements.
  expect(on('2026-10-20').figures.bank).toBeNull()
})

test('a company is listed before its figures are known, and says so', async () => {
  const desk = await openConsole(2)
  const before = await desk.run('console.list', {})
  expect(before.items.map(({ figures, outdated, asOf }) => ({ figures, outdated, asOf }))).toEqual(
    Array.from({ length: 2 }, () => ({ figures: null, outdated: true, asOf: null })),
  )
  expect(before.totals.cards).toMatchObject({ outdated: 2, late: 0, certificate: 0 })
  // On a desk a look at what is not current has it computed.
  expect(desk.wakes).toContain('bulk')
  await desk.refresh()
  const after = await desk.run('console.list', {})
  expect(after.items.every(({ figures, outdated }) => figures !== null && !outdated)).toBe(true)
  expect(after.totals).toMatchObject({ companies: 2, cards: { outdated: 0, certificate: 2 } })
  expect(after.staff).toBe(false)
})

test('filters by what companies need, by name, and by return; totals are those of the companies in scope', async () => {
  const desk = await openConsole(6, { at: '2026-10-25T10:00:00+02:00' })
  const live = (index: number) => desk.ctx(desk.clients[index]!.books.live)
  await desk.run(
    'received.create',
    purchase({ supplierNumber: 'A-1', taxLines: [{ base: 200, vatRate: 21 }] }),
    live(1),
  )
  await desk.run(
    'bank.createAccount',
    { name: 'Cuenta', iban: 'ES9121000418450200051332', openingBalance: 0 },
    live(2),
  )
  await desk.refresh()
  const names = async (input: Parameters<typeof desk.run<'console.list'>>[1]) =>
    (await desk.run('console.list', { sort: 'name', ...input })).items.map(({ name }) => name)
  expect(await names({ cards: ['receipts'] })).toEqual([desk.clients[1]!.name])
  expect(await names({ text: 'CLIENTE 004' })).toEqual([desk.clients[3]!.name])
  expect(await names({ text: desk.clients[4]!.nif })).toEqual([desk.clients[4]!.name])
  expect(await names({ text: 'nadie' })).toEqual([])
  expect(await names({ cards: ['receipts', 'bank'] })).toEqual([])
  expect(await names({ certificateDays: 10 })).toHaveLength(6)
  expect(await names({ only: [desk.clients[5]!.id, desk.clients[0]!.id] })).toEqual([
    desk.clients[0]!.name,
    desk.clients[5]!.name,
  ])
  expect(await names({ model: '303', returnState: 'upcoming' })).toHaveLength(6)
  expect(await names({ model: '303', returnState: 'late' })).toEqual([])
  const { totals, count } = await desk.run('console.list', { text: 'cliente', cards: ['receipts'] })
  expect({ count, companies: totals.companies, receipts: totals.cards.receipts }).toEqual({
    count: 1,
    companies: 6,
    receipts: 1,
  })
  expect(totals.returns.find(({ model }) => model === '303')).toMatchObject({ upcoming: 6, late: 0 })
})

test('an archived company says so, keeps its duties in its row, and is counted in no card', async () => {
  const desk = await openConsole(3)
  await desk.refresh()
  const before = await desk.run('console.list', {})
  expect(before.totals.cards.certificate).toBe(3)
  const archived = before.items[0]!
  const book = desk.clients.find(({ id }) => id === archived.id)!.books.live
  await desk.run('companies.archive', {}, desk.ctx(book))
  await desk.refresh()
  const after = await desk.run('console.list', {})
  expect(after.totals.cards.certificate).toBe(2)
  expect(after.items.map((row) => row.archived ?? false)).toEqual([false, false, true])
  expect(after.items.at(-1)).toMatchObject({ id: archived.id, figures: archived.figures })
  const found = await desk.run('console.list', { cards: ['certificate'] })
  expect(found.items.map(({ id }) => id)).not.toContain(archived.id)
  expect(found.count).toBe(2)
  await desk.run('companies.restore', {}, desk.ctx(book))
  expect((await desk.run('console.list', {})).items.every((row) => row.archived === undefined)).toBe(true)
})

test('goes through all companies page by page, in either direction', async () => {
  const desk = await openConsole(7)
  await desk.refresh()
  for (const descending of [false, true]) {
    const seen: string[] = []
    for (let offset = 0; offset < 9; offset += 3) {
      const page = await desk.run('console.list', { sort: 'name', descending, limit: 3, offset })
      expect(page.count).toBe(7)
      seen.push(...page.items.map(({ name }) => name))
    }
    const all = desk.clients.map(({ name }) => name)
    expect(seen).toEqual(descending ? all.toReversed() : all)
  }
})

test('records that wait for an hour are announced of every company, to those who may see them', async () => {
  const people = staff()
  const desk = await openConsole(30, { at: '2026-10-20T09:30:00+02:00', environment: { people } })
  await desk.refresh()
  expect(await desk.run('console.unsent', {})).toEqual({ items: [] })
  const state = async (index: number, registry: Partial<SummaryFacts['registry']>) => {
    const { companyId } = desk.clients[index]!.books.live
    const facts = {
      ...FACTS,
      registry: { ...FACTS.registry, ...registry },
      certificateUntil: '2026-10-19' as const,
    }
    await desk.env.store.transaction(null, async (db) => {
      await writeFacts(db, companyId, { facts, at: desk.env.now().getTime(), today: '2026-10-20' })
    })
  }
  await state(28, {})
  await state(29, { pending: 0, oldestAt: null, stopped: true })
  const stopped = {
    company: desk.clients[29]!.name,
    pending: 0,
    since: null,
    stopped: true,
    certificate: 'expired',
  }
  expect((await desk.run('console.unsent', {})).items).toMatchObject([stopped])
  desk.setTime('2026-10-20T10:01:00+02:00')
  const waiting = {
    bookId: desk.clients[28]!.books.live.publicId,
    company: desk.clients[28]!.name,
    pending: 2,
    since: '2026-10-20T07:00:00.000Z',
    stopped: false,
  }
  expect((await desk.run('console.unsent', {})).items).toMatchObject([waiting, stopped])
  const asked: unknown[] = []
  people.companiesOf = async (_person, capability) => {
    asked.push(capability)
    return new Set([desk.clients[29]!.books.live.companyId])
  }
  expect((await desk.run('console.unsent', {}, desk.as(ANA))).items).toMatchObject([stopped])
  expect(asked).toEqual(['registry.read'])
})

test('views are one setting of each person, and a change by somebody else is noticed', async () => {
  const desk = await openConsole(1, { environment: { people: staff() } })
  const [ana, luis] = [desk.as(ANA), desk.as(LUIS)]
  const view = { name: '303 atrasados', filter: { model: '303', returnState: 'late' as const } }
  const saved = await desk.run('console.saveViews', { expectedVersion: 0, items: [view] }, ana)
  expect(saved.items).toMatchObject([view])
  expect(await desk.run('console.views', {}, ana)).toEqual(saved)
  expect(await desk.run('console.views', {}, luis)).toEqual({ version: 0, items: [] })
  const error = await refused(desk.run('console.saveViews', { expectedVersion: 0, items: [] }, ana))
  expect(error.code).toBe('version_conflict')
})

test('views of another version are left out, and break nothing', async () => {
  const desk = await openConsole(1)
  await desk.run('console.saveViews', { expectedVersion: 0, items: [{ name: 'Mía', filter: {} }] })
  await desk.tamper(
    `update settings set value = '{"version":4,"items":[{"id":"x","name":"Rara","filter":{"colour":"red"}},{"id":"y","name":"Buena","filter":{}}]}' where name = 'console'`,
  )
  expect(await desk.run('console.views', {})).toEqual({
    version: 4,
    items: [{ id: 'y', name: 'Buena', filter: {} }],
  })
})

test('rows have the mark of the company, and are filtered by groups and favourites of the person', async () => {
  const desk = await openConsole(3, { environment: { people: staff() } })
  const [ana, luis] = [desk.as(ANA), desk.as(LUIS)]
  const [first, second, third] = desk.clients
  await desk.run('companies.setMark', { colour: 7, mark: 'Q' }, desk.ctx(first!.books.live))
  await desk.run('companies.setFavourite', { companyId: second!.id, favourite: true }, ana)
  await desk.run('companies.setGroup', { companyIds: [first!.id, third!.id], group: 'Tiendas' }, ana)
  const ids = async (input: object, ctx = ana) =>
    (await desk.run('console.list', { sort: 'name', ...input }, ctx)).items.map(({ id }) => id)
  const all = await desk.run('console.list', { sort: 'name' }, ana)
  expect(all.items.map(({ favourite, group }) => ({ favourite, group }))).toEqual([
    { favourite: false, group: 'Tiendas' },
    { favourite: true, group: null },
    { favourite: false, group: 'Tiendas' },
  ])
  expect(all.items[0]).toMatchObject({ colour: 7, mark: 'Q' })
  expect(all.totals).toMatchObject({ groups: ['Tiendas'], favourites: 1 })
  expect(await ids({ group: 'Tiendas' })).toEqual([first!.id, third!.id])
  expect(await ids({ favourite: true })).toEqual([second!.id])
  expect(await ids({ group: 'Tiendas', favourite: true })).toEqual([])
  expect(await ids({ group: 'Otra' })).toEqual([])
  const { totals } = await desk.run('console.list', { favourite: true }, ana)
  // What chooses a scope does not vanish with it.
  expect(totals).toMatchObject({ companies: 1, groups: ['Tiendas'], favourites: 1 })
  // Both are Ana's own.
  expect(await ids({ group: 'Tiendas' }, luis)).toEqual([])
  await desk.run(
    'console.saveViews',
    { expectedVersion: 0, items: [{ name: 'Tiendas', filter: { group: 'Tiendas', favourite: true } }] },
    ana,
  )
  expect((await desk.run('console.views', {}, ana)).items[0]?.filter).toEqual({
    group: 'Tiendas',
    favourite: true,
  })
})

test('a company is assigned to somebody who may open it, with an entry in its history', async () => {
  const desk = await openConsole(2, { environment: { people: staff() } })
  const ana = desk.as(ANA)
  const [client] = desk.clients
  expect((await desk.run('console.staff', { company: client!.id }, ana)).items).toEqual([
    { id: 'usr_ana', name: 'Ana Ruiz' },
    { id: 'usr_luis', name: 'Luis Gil' },
  ])
  await desk.run('console.assign', { company: client!.id, assignee: 'usr_luis' }, ana)
  const mine = await desk.run('console.list', { assignee: 'usr_luis' }, ana)
  expect(mine.items.map(({ id, assignee }) => ({ id, assignee }))).toEqual([
    { id: client!.id, assignee: { id: 'usr_luis', name: 'Luis Gil' } },
  ])
  expect(mine.staff).toBe(true)
  const all = await desk.run('console.list', {}, ana)
  expect(all.totals).toMatchObject({
    unassigned: 1,
    assignees: [{ id: 'usr_luis', name: 'Luis Gil', companies: 1 }],
  })
  const history = await desk.run('audit.window', {}, desk.ctx(client!.books.live))
  expect(history.items[0]).toMatchObject({
    action: 'company.assigned',
    actor: { name: 'Ana Ruiz' },
    target: { label: 'Luis Gil' },
  })
  expect(
    (await refused(desk.run('console.assign', { company: client!.id, assignee: 'usr_nobody' }, ana))).code,
  ).toBe('colleague_unknown')
  await desk.run('console.assign', { company: client!.id, assignee: null }, ana)
  expect((await desk.run('console.list', { assignee: 'none' }, ana)).count).toBe(2)
})

test('notes are kept with author and time, the newest beside the company', async () => {
  const desk = await openConsole(1)
  const company = desk.clients[0]!.id
  for (const text of ['Falta el modelo 111', 'Llamar el lunes', 'Ya está'])
    await desk.run('console.note', { company, text })
  const { items } = await desk.run('console.list', {})
  expect(items[0]?.note).toMatchObject({ text: 'Ya está', by: 'Persona', count: 3 })
  const first = await desk.run('console.notes', { company, limit: 2 })
  expect(first.items.map(({ text }) => text)).toEqual(['Ya está', 'Llamar el lunes'])
  const rest = await desk.run('console.notes', { company, limit: 2, cursor: first.nextCursor! })
  expect(rest.items.map(({ text }) => text)).toEqual(['Falta el modelo 111'])
  expect(rest.nextCursor).toBeNull()
  expect((await refused(desk.run('console.note', { company, text: '  ' }))).code).toBe('validation_failed')
  expect((await refused(desk.run('console.note', { company: 'com_0', text: 'x' }))).code).toBe('not_found')
})

test('entering the books of a client is an entry in their history, once a day and person', async () => {
  const desk = await openConsole(1, { environment: { people: staff() } })
  const { id, books } = desk.clients[0]!
  for (const actor of [ANA, ANA, LUIS]) {
    const { bookId } = await desk.run('console.enter', { company: id }, desk.as(actor))
    expect(bookId).toBe(books.live.publicId)
  }
  desk.setTime('2026-11-22T09:00:00+01:00')
  await desk.run('console.enter', { company: id }, desk.as(ANA))
  const entered = await desk.run('audit.window', { action: 'books.entered' }, desk.ctx(books.live))
  expect(entered.items.map(({ actor }) => actor.name)).toEqual(['Ana Ruiz', 'Luis Gil', 'Ana Ruiz'])
})

test('a client sees who has been in the books, when and what for', async () => {
  const desk = await openConsole(1, { environment: { people: staff() } })
  const { id, books } = desk.clients[0]!
  await desk.run('contacts.create', { name: 'Propio, S.L.' }, desk.ctx(books.live))
  expect((await desk.run('audit.people', {}, desk.ctx(books.live))).items).toEqual([])
  await desk.run('console.enter', { company: id }, desk.as(ANA))
  desk.setTime('2026-11-23T09:00:00+01:00')
  await desk.run('contacts.create', { name: 'Nuevo, S.L.' }, desk.ctx(books.live, ANA))
  desk.setTime('2026-11-23T10:00:00+01:00')
  await desk.run('console.enter', { company: id }, desk.as(LUIS))
  const { items } = await desk.run('audit.people', {}, desk.ctx(books.live))
  expect(items).toEqual([
    expect.objectContaining({ id: 'usr_luis', entries: 1, enteredAt: '2026-11-23T09:00:00.000Z' }),
    {
      id: 'usr_ana',
      name: 'Ana Ruiz',
      firstAt: '2026-11-21T09:00:00.000Z',
      lastAt: '2026-11-23T08:00:00.000Z',
      enteredAt: '2026-11-21T09:00:00.000Z',
      entries: 2,
      actions: expect.arrayContaining([
        { action: 'contact.created', count: 1 },
        { action: 'books.entered', count: 1 },
      ]),
    },
  ])
  // The link leads to the entries of one person.
  const shown = await desk.run('audit.window', { actor: 'usr_ana' }, desk.ctx(books.live))
  expect(shown.count).toBe(2)
})
