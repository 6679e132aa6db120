/** Lists with pages return the position of the next one. */
import { expect, test } from 'vitest'
import { loadContracts } from '../../../server/api/operations.ts'
import { Furnished } from '../../support/examples/index.ts'
import { openWorld } from '../../support/world.ts'
import type { World } from '../../support/world.ts'

test('every operation with a limit accepts a cursor', async () => {
  const shape = (schema: unknown): Record<string, unknown> => (schema as { shape?: object }).shape as never
  const without = (await loadContracts())
    .filter(({ rest, input }) => rest && 'limit' in (shape(input) ?? {}))
    .filter(({ input, output }) => !('cursor' in shape(input)) || !('nextCursor' in shape(output)))
    .map(({ name }) => name)
  expect(without).toEqual([])
})

test('imports are listed page by page, each once and none omitted', async () => {
  const world = await openWorld()
  const made: string[] = []
  for (let index = 0; index < 5; index++) {
    const content = Buffer.from(`Nombre;NIF\nCliente ${index};\n`).toString('base64')
    const { status, body } = await world.post('/api/v1/imports', {
      kind: 'contacts',
      fileName: `c${index}.csv`,
      content,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    made.unshift(body.data.run.id as string)
  }
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const { body }: { body: any } = await world.get(
      `/api/v1/imports?limit=2${cursor ? `&cursor=${cursor}` : ''}`,
    )
    seen.push(...body.data.items.map(({ id }: { id: string }) => id))
    cursor = body.data.nextCursor
  } while (cursor)
  expect(seen).toEqual(made)
  expect((await world.get('/api/v1/imports?cursor=made-up')).status).toBe(422)
})

async function walk(
  world: World,
  path: string,
  limit: number,
  between: () => Promise<unknown>,
): Promise<any[]> {
  const seen: any[] = []
  let cursor: string | null = null
  do {
    const query = `limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`
    const { status, body }: { status: number; body: any } = await world.get(
      `${path}${path.includes('?') ? '&' : '?'}${query}`,
    )
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.data.items.length).toBeLessThanOrEqual(limit)
    seen.push(...body.data.items)
    cursor = body.data.nextCursor
    await between()
  } while (cursor)
  return seen
}

test('open invoices are listed page by page, also with equal or missing days and a payment in between', async () => {
  const world = await openWorld()
  const made = new Furnished(world)
  await made.open()
  for (const [number, dueDate] of [
    ['1', '2026-07-20'],
    ['2', null],
    ['3', '2026-07-10'],
    ['4', '2026-07-20'],
    ['5', null],
    ['6', '2026-07-20'],
  ] as const) {
    const { status, body } = await world.post('/api/v1/received-invoices', {
      supplierName: 'Sol',
      supplierNif: 'B58818501',
      supplierNumber: number,
      issueDate: '2026-05-20',
      receptionDate: '2026-05-22',
      dueDate,
      taxLines: [{ base: 100, vatRate: 21 }],
    })
    expect(status, JSON.stringify(body)).toBe(201)
  }
  const path = '/api/v1/open-items?side=payable'
  const whole = (await world.get(path)).body.data.items.map(({ id }: { id: string }) => id)
  expect(whole.length).toBeGreaterThanOrEqual(6)
  let pages = 0
  const paged = await walk(world, path, 2, async () => {
    // Listed records may be deleted; the following pages must be unaffected.
    if (++pages > 1) return
    const paid = await world.run('payments.payReceived', {
      id: whole[0],
      amount: 121,
      date: '2026-06-30',
      method: 'transfer',
    })
    expect(paid).toBeDefined()
  })
  expect(paged.map(({ id }) => id)).toEqual(whole)
  expect((await world.get(`${path}&text=sol&limit=3`)).body.data.nextCursor).not.toBeNull()
  const { nextCursor } = (await world.get(`${path}&limit=2`)).body.data
  const other = await world.get(`/api/v1/open-items?side=receivable&cursor=${nextCursor}`)
  expect([other.status, other.body.error.details.faults[0].code]).toEqual([422, 'cursor_invalid'])
})

test('duplicate contacts are listed page by page, the most certain first', async () => {
  const world = await openWorld()
  for (let index = 0; index < 4; index++)
    for (const name of [`Panadería Número ${index}`, `Panaderia Numero ${index}`])
      await world.post('/api/v1/contacts', { name })
  const whole = (await world.get('/api/v1/contacts/duplicates?limit=200')).body.data
  expect(whole.items.length).toBeGreaterThan(3)
  const paged = await walk(world, '/api/v1/contacts/duplicates', 1, async () => undefined)
  expect(paged).toEqual(whole.items)
})
