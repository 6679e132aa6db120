/** Copies of external documents: a draft here, or a proposal to enter; nothing is issued or entered automatically. */
import { expect, test } from 'vitest'
import type { OutputOf } from '../../../../../server/api/contracts.ts'
import { totalsOf } from '../../../../support/erp/book.ts'
import type { Head } from '../../../../support/erp/book.ts'
import { openStage } from '../../../../support/erp/erp-stage.ts'
import type { Stage } from '../../../../support/erp/erp-stage.ts'
import { inLongRun, sweptCount } from '../../../../support/sweep.ts'

const longTest = inLongRun(test)

async function read(): Promise<Stage> {
  const stage = await openStage()
  await stage.connect()
  await stage.sync()
  return stage
}

async function hereOf(stage: Stage, head: Head): Promise<OutputOf<'erp.document'>> {
  const row = await stage.world
    .ctx()
    .db.selectFrom('erp_documents')
    .select('public_id')
    .where('external_id', '=', head.id)
    .executeTakeFirstOrThrow()
  return stage.world.run('erp.document', { id: row.public_id })
}

const heads = (stage: Stage, side: 'issued' | 'received') =>
  [...stage.erp.book.heads(side)].filter(({ state }) => state === 'approved')

test('every kind of issued invoice becomes a draft with the same sum', async () => {
  const stage = await read()
  const count = sweptCount(60, 20)
  let compared = 0
  for (const head of heads(stage, 'issued').slice(0, count)) {
    const document = await hereOf(stage, head)
    const copy = await stage.world.run('erp.copy', { id: document.id })
    expect(copy.type).toBe('invoice')
    const draft = await stage.world.run('invoices.get', { id: copy.invoiceId! })
    expect(draft).toMatchObject({ state: 'draft', number: null, currency: document.currency })
    const paid = Math.round((draft.total - (draft.withholding?.amount ?? 0)) * 100)
    const sign = document.total < 0 ? -1 : 1
    const { total } = totalsOf(stage.erp.book.doc('issued', head.index))
    if (document.currency === 'EUR' && !copy.notes.includes('totals_differ'))
      expect(Math.abs(paid - sign * total), `${document.number} ${copy.notes.join()}`).toBeLessThanOrEqual(1)
    else if (document.currency === 'EUR') expect(Math.abs(paid - sign * total)).toBeGreaterThan(1)
    compared += copy.notes.includes('totals_differ') ? 0 : 1
    expect((await stage.world.run('erp.document', { id: document.id })).here).toMatchObject({
      type: 'invoice',
      id: copy.invoiceId,
    })
  }
  expect(compared).toBeGreaterThan(count * 0.75)
  expect((await stage.world.run('invoices.list', { state: 'issued' })).items).toEqual([])
})

test('a received invoice is proposed; once entered, it is recognized and not proposed again', async () => {
  const stage = await read()
  const count = sweptCount(30, 10)
  let entered = 0
  for (const head of heads(stage, 'received')
    .filter(({ kind }) => kind === 'purchase')
    .slice(0, count)) {
    const document = await hereOf(stage, head)
    const { type, proposal, invoiceId } = await stage.world.run('erp.copy', { id: document.id })
    expect({ type, invoiceId }).toEqual({ type: 'received', invoiceId: null })
    expect((await stage.world.run('erp.document', { id: document.id })).here).toBeNull()
    const received = await stage.world.run('received.create', proposal!)
    if (document.currency === 'EUR') {
      expect(received.payable, document.number!).toBeCloseTo(document.total, 2)
      expect(received.base).toBeCloseTo(document.net, 2)
    }
    expect(received).toMatchObject({ supplierNumber: document.number, issueDate: document.issueDate })
    // By its number and its supplier's, or where the supplier has none, as copied from there.
    const { here } = await stage.world.run('erp.document', { id: document.id })
    expect(here).toMatchObject({ type: 'received', id: received.id })
    entered += 1
  }
  expect(entered).toBe(count)
  const { items } = await stage.world.run('erp.documents', { side: 'received', here: true, limit: 100 })
  expect(items).toHaveLength(entered)
})

test('a cancelled document is not copied', async () => {
  const stage = await read()
  const cancelled = [...stage.erp.book.heads('issued')].find(({ state }) => state === 'cancelled')
  const document = await hereOf(stage, cancelled!)
  await expect(stage.world.run('erp.copy', { id: document.id })).rejects.toMatchObject({
    code: 'erp_document_unreadable',
    details: { reason: 'cancelled' },
  })
})

longTest('a linked contact is set on the draft', async () => {
  const stage = await read()
  const { items } = await stage.world.run('erp.compareContacts', { limit: 100 })
  await stage.world.run('erp.linkContacts', {
    items: items.map(({ erp }) => ({ id: erp.id, action: 'create' as const })),
  })
  const document = await hereOf(stage, heads(stage, 'issued')[0]!)
  expect(document.contact).not.toBeNull()
  const { invoiceId, notes } = await stage.world.run('erp.copy', { id: document.id })
  expect(notes).not.toContain('contact_unlinked')
  expect(await stage.world.run('invoices.get', { id: invoiceId! })).toMatchObject({
    clientId: document.contact!.id,
    client: { name: document.contact!.name },
  })
})

test('lists can be searched, filtered, added up and paged by cursor without a gap', async () => {
  const stage = await read()
  const key = await stage.world.key()
  const first = await stage.world.get(
    '/api/v1/integrations/erp/documents?side=issued&limit=100&totals=true',
    { key },
  )
  expect(first.body.data.totals.count).toBe(250)
  const seen = new Set<string>(first.body.data.items.map(({ id }: { id: string }) => id))
  let cursor: string | null = first.body.data.nextCursor
  while (cursor) {
    const next = await stage.world.get(
      `/api/v1/integrations/erp/documents?side=issued&limit=100&cursor=${cursor}`,
      { key },
    )
    for (const { id } of next.body.data.items) seen.add(id)
    cursor = next.body.data.nextCursor
  }
  expect(seen.size).toBe(250)
  const one = await stage.world.run('erp.documents', {
    side: 'issued',
    text: first.body.data.items.at(-1).number,
  })
  expect(one.items).toHaveLength(1)
  const drafts = await stage.world.run('erp.documents', { side: 'issued', state: 'draft', totals: true })
  expect(drafts.totals).toMatchObject({ total: 0 })
  const window = await stage.world.run('erp.windowDocuments', {
    side: 'issued',
    offset: 240,
    limit: 50,
    summary: true,
  })
  expect(window.items).toHaveLength(10)
  const items = await stage.world.run('erp.windowItems', { limit: 100 })
  expect(items.count).toBe(items.items.length)
})
