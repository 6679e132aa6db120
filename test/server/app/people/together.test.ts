/** People of an office who work on the same records: notes, tasks, inboxes, and who edits what. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventStreamReader } from '../../../../renderer/events.ts'
import type { Book } from '../../../../server/context.ts'
import { openOfficeOf, SITE } from '../../../support/postgres/office.ts'
import type { OfficeServer } from '../../../support/postgres/office.ts'
import { codeOf, newMember } from '../../../support/postgres/visitor.ts'
import type { Visitor } from '../../../support/postgres/visitor.ts'
import { EXAMPLE_DRAFT } from '../../../support/world.ts'

type Team = Record<'ana' | 'luis' | 'eva', Visitor>

async function team(server: OfficeServer, book: Book): Promise<Team> {
  const join = (name: string, role: 'owner' | 'bookkeeper' | 'sales') =>
    newMember(server, book, { email: `${name.toLowerCase()}@example.com`, name, roles: [role] })
  return {
    ana: await join('Ana', 'owner'),
    luis: await join('Luis', 'bookkeeper'),
    eva: await join('Eva', 'sales'),
  }
}

async function idOf(visitor: Visitor, book: Book): Promise<string> {
  return (await visitor.run('people.me', {}, book)).id
}

test('a mention reaches the inbox of whom it names, who marks it as read; others do not hear of it', async () => {
  const office = await openOfficeOf(1)
  const [server] = office.servers as [OfficeServer]
  const { live } = await office.company()
  const { ana, luis, eva } = await team(server, live)
  const draft = await ana.run('invoices.create', EXAMPLE_DRAFT, live)
  const target = { type: 'invoice', id: draft.id } as const
  const { colleagues } = await ana.run('notes.list', { target }, live)
  expect(colleagues.map(({ name }) => name)).toEqual(['Ana', 'Eva', 'Luis'])
  const mentions = [await idOf(luis, live), await idOf(eva, live), 'per_6tqy0v5cbn2k8w4e']
  // Eva is in the list but not in the text.
  const note = await ana.run('notes.add', { target, text: '@Luis ¿está el pedido?', mentions }, live)
  expect(note.mentions.map(({ name }) => name)).toEqual(['Luis'])
  expect(note.author).toMatchObject({ name: 'Ana' })

  const inbox = await luis.run('inbox.mine', {}, live)
  expect(inbox).toMatchObject({ waiting: 1, mentions: [{ isUnread: true, target: { id: draft.id } }] })
  expect((await eva.run('inbox.mine', {}, live)).waiting).toBe(0)
  expect((await ana.run('inbox.mine', {}, live)).waiting).toBe(0)
  await luis.run('inbox.markRead', { until: new Date(Date.now() + 3_600_000).toISOString() }, live)
  expect(await luis.run('inbox.mine', {}, live)).toMatchObject({
    waiting: 0,
    mentions: [{ isUnread: false }],
  })

  // A note is changed and removed by its author alone.
  expect(codeOf(await luis.call('notes.edit', { id: note.id, text: 'otra' }, live))).toBe('not_found')
  expect(codeOf(await luis.call('notes.remove', { id: note.id }, live))).toBe('not_found')
  // The mark is never beyond now: what is written after it is unread.
  await pause(5)
  await ana.run('notes.edit', { id: note.id, text: '@Luis ¿y el albarán?', mentions }, live)
  expect((await luis.run('inbox.mine', {}, live)).waiting).toBe(1)
})

test('a task goes to a colleague who may read its record, and who completes it is named', async () => {
  const office = await openOfficeOf(1)
  const [server] = office.servers as [OfficeServer]
  const { live } = await office.company()
  const { ana, luis, eva } = await team(server, live)
  const target = { type: 'return', id: '303-2026-3T' } as const
  const toEva = { title: 'Revisar', target, assigneeId: await idOf(eva, live) }
  expect(codeOf(await ana.call('tasks.create', toEva, live))).toBe('validation_failed')
  const task = await ana.run('tasks.create', { ...toEva, assigneeId: await idOf(luis, live) }, live)
  expect(task).toMatchObject({ assignee: { name: 'Luis' }, createdBy: { name: 'Ana' }, assignedToMe: false })
  expect((await luis.run('inbox.mine', {}, live)).tasks).toMatchObject([{ id: task.id, assignedToMe: true }])
  // Sales sees no returns: neither the notes of one nor its tasks.
  expect((await eva.run('tasks.list', { which: 'open' }, live)).items).toEqual([])
  for (const [operation, input] of [
    ['notes.list', { target }],
    ['notes.add', { target, text: 'x' }],
    ['tasks.complete', { id: task.id }],
    ['tasks.update', { id: task.id, title: 'x' }],
    ['tasks.remove', { id: task.id }],
  ] as const)
    expect(codeOf(await eva.call(operation, input, live)), operation).toBe('not_found')
  // Two complete it at the same time: one did, and the history says it once.
  const both = await Promise.all([
    luis.run('tasks.complete', { id: task.id }, live),
    ana.run('tasks.complete', { id: task.id }, live),
  ])
  expect(both[0].doneBy).toEqual(both[1].doneBy)
  const { items } = await ana.run('audit.list', { action: 'task.completed' }, live)
  expect(items).toHaveLength(1)
  expect(items[0]!.actor.name).toBe(both[0].doneBy!.name)
})

test('who edits a draft is seen on another server, until the page leaves or the time is over', async () => {
  let now = new Date('2026-11-21T10:00:00+01:00')
  const office = await openOfficeOf(2, { now: () => now })
  const [first, second] = office.servers as [OfficeServer, OfficeServer]
  const { live, test: trial } = await office.company()
  const { ana, luis, eva } = await team(first, live)
  const draft = await ana.run('invoices.create', EXAMPLE_DRAFT, live)
  const record = { type: 'invoice', id: draft.id } as const
  eva.server = second

  const heard = await listen(await second.listen(), eva, live)
  await luis.run('presence.edit', { record }, live)
  await expect.poll(heard).toContain('presence.changed')
  expect((await eva.run('presence.list', {}, live)).editors).toMatchObject([
    { type: 'invoice', id: draft.id, name: 'Luis', mine: false, askedBy: null },
  ])
  // The other book of the company has nothing of it, and an unknown session leaves nothing.
  expect((await eva.run('presence.list', {}, trial)).editors).toEqual([])
  // Nothing is in the outbox, from which webhooks are sent.
  const { items } = await ana.run('events.list', {}, live)
  expect(items.map(({ type }) => type)).not.toContain('presence.changed')

  now = new Date(now.getTime() + 1_000)
  await eva.run('presence.edit', { record }, live)
  await eva.run('presence.takeOver', { record }, live)
  const asked = await luis.run('presence.edit', { record }, live)
  expect(asked.editors).toMatchObject([
    { name: 'Luis', mine: true, askedBy: 'Eva' },
    { name: 'Eva', mine: false, askedBy: null },
  ])
  await luis.run('presence.leave', { record }, live)
  expect((await ana.run('presence.list', {}, live)).editors.map(({ name }) => name)).toEqual(['Eva'])
  // A page that says nothing any more is forgotten.
  now = new Date(now.getTime() + 46_000)
  expect((await ana.run('presence.list', {}, live)).editors).toEqual([])
  // A bank clerk's record type is nobody else's: sales may not read purchases.
  const received = { type: 'received', id: 'rin_6tqy0v5cbn2k8w4e' }
  expect(codeOf(await eva.call('presence.edit', { record: received }, live))).toBe('not_found')
  await luis.run('presence.edit', { record: received as { type: 'received'; id: string } }, live)
  expect((await eva.run('presence.list', {}, live)).editors).toEqual([])
  expect((await ana.run('presence.list', {}, live)).editors).toMatchObject([{ type: 'received' }])
})

/** Opens the event stream of somebody; returns the types that it has brought. */
async function listen(url: string, visitor: Visitor, book: Book): Promise<() => string[]> {
  const types: string[] = []
  const response = await fetch(`${url}/app/events`, {
    headers: {
      host: SITE.id,
      cookie: `__Host-sello=${visitor.cookie}`,
      'sello-book': book.publicId,
    },
  })
  expect(response.status).toBe(200)
  const read = eventStreamReader(({ event }) => void types.push(event))
  void (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) read(chunk)
  })().catch(() => {})
  return () => types
}
