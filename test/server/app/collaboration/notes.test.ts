/** Notes and tasks on records, on both engines. */
import { expect, test } from 'vitest'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'

test('a note is on its record until its author removes it, and then its text is gone', async () => {
  const world = await openWorld()
  const draft = await world.run('invoices.create', EXAMPLE_DRAFT)
  const target = { type: 'invoice', id: draft.id } as const
  const note = await world.run('notes.add', { target, text: 'Falta el pedido\r\n¿Lo pides?' })
  expect(note).toMatchObject({ text: 'Falta el pedido\n¿Lo pides?', mine: true, author: { id: null } })
  const edited = await world.run('notes.edit', {
    id: note.id,
    text: 'Pedido 7',
    expectedVersion: note.version,
  })
  expect(edited).toMatchObject({ text: 'Pedido 7', version: 2 })
  await expect(
    world.run('notes.edit', { id: note.id, text: 'Otra', expectedVersion: note.version }),
  ).rejects.toMatchObject({ code: 'version_conflict' })
  expect((await world.run('notes.list', { target })).notes).toHaveLength(1)
  await world.run('notes.remove', { id: note.id })
  expect((await world.run('notes.list', { target })).notes).toEqual([])
  await expect(world.run('notes.remove', { id: note.id })).rejects.toMatchObject({ code: 'not_found' })
  const row = await world.ctx().db.selectFrom('notes').selectAll().executeTakeFirstOrThrow()
  expect(row.text).toBe('')
  const { items } = await world.run('audit.list', { invoiceId: draft.id })
  expect(items.map(({ action }) => action).filter((action) => action.startsWith('note.'))).toEqual([
    'note.removed',
    'note.edited',
    'note.added',
  ])
})

test('only a record of the book has notes', async () => {
  const world = await openWorld()
  for (const target of [
    { type: 'invoice', id: 'inv_6tqy0v5cbn2k8w4e' },
    { type: 'contact', id: '1' },
    { type: 'return', id: '999-2026-3T' },
    { type: 'return', id: '303-2026-5T' },
  ] as const)
    await expect(world.run('notes.add', { target, text: 'x' })).rejects.toMatchObject({ code: 'not_found' })
  const kept = await world.run('notes.add', { target: { type: 'return', id: '303-2026-3T' }, text: 'Ojo' })
  expect(kept.text).toBe('Ojo')
  await expect(
    world.run('notes.add', { target: { type: 'return', id: '303-2026-3T' }, text: '' }),
  ).rejects.toMatchObject({ code: 'validation_failed' })
})

test('on a desk every open task is the owner’s, the most urgent first', async () => {
  const world = await openWorld()
  const draft = await world.run('invoices.create', EXAMPLE_DRAFT)
  const target = { type: 'invoice', id: draft.id } as const
  const late = await world.run('tasks.create', { title: 'Llamar', target, dueOn: '2026-12-09' })
  const soon = await world.run('tasks.create', { title: 'Enviar', dueOn: '2026-12-01' })
  const someday = await world.run('tasks.create', { title: 'Ordenar' })
  const inbox = await world.run('inbox.mine', {})
  expect(inbox.tasks.map(({ id }) => id)).toEqual([soon.id, late.id, someday.id])
  expect(inbox.waiting).toBe(3)
  const done = await world.run('tasks.complete', { id: soon.id })
  expect(done.doneBy).toMatchObject({ id: null })
  // A second time changes nothing.
  expect(await world.run('tasks.complete', { id: soon.id })).toEqual(done)
  expect((await world.run('inbox.mine', {})).waiting).toBe(2)
  await world.run('tasks.reopen', { id: soon.id })
  await world.run('tasks.update', { id: soon.id, dueOn: null, title: 'Enviar ya' })
  await expect(
    world.run('tasks.update', { id: soon.id, title: 'Tarde', expectedVersion: soon.version }),
  ).rejects.toMatchObject({ code: 'version_conflict' })
  await expect(
    world.run('tasks.update', { id: soon.id, assigneeId: 'per_6tqy0v5cbn2k8w4e' }),
  ).rejects.toMatchObject({ code: 'validation_failed' })
  await world.run('tasks.remove', { id: late.id })
  expect((await world.run('tasks.list', { which: 'open' })).items.map(({ title }) => title)).toEqual([
    'Enviar ya',
    'Ordenar',
  ])
  expect((await world.run('notes.list', { target })).tasks).toEqual([])
})

test('erasing a person erases the notes and tasks about them', async () => {
  const world = await openWorld()
  const contact = await world.run('contacts.create', { name: 'Rosa Fuentes Gil', nif: '12345678Z' })
  const other = await world.run('contacts.create', { name: 'Taller Norte SL', nif: 'B12345674' })
  await world.run('notes.add', { target: { type: 'contact', id: contact.id }, text: 'Prefiere las tardes' })
  await world.run('notes.add', {
    target: { type: 'contact', id: other.id },
    text: 'Preguntar a Rosa Fuentes Gil por la obra',
  })
  await world.run('notes.add', { target: { type: 'contact', id: other.id }, text: 'Nada de nadie' })
  await world.run('tasks.create', { title: 'Llamarla', target: { type: 'contact', id: contact.id } })
  const subject = { contactId: contact.id }
  const before = await world.run('privacy.preview', { subject })
  expect(before.findings).toContainEqual(expect.objectContaining({ area: 'notes', fate: 'erase', count: 3 }))
  await world.run('privacy.erase', { subject, hash: before.hash })
  const { db } = world.ctx()
  expect((await db.selectFrom('notes').select('text').execute()).map(({ text }) => text)).toEqual([
    'Nada de nadie',
  ])
  expect(await db.selectFrom('tasks').select('id').execute()).toEqual([])
})
