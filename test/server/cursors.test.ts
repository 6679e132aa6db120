/** Lists that give a page say where the next one begins. */
import { expect, test } from 'vitest'
import { loadContracts } from '../../server/contracts.ts'
import { openWorld } from '../support/world.ts'

/** Made of everything at the moment they are asked for, most pressing first: they have a first page only. */
const FIRST_PAGE_ONLY = ['contacts.duplicates', 'payments.open']

test('what takes a limit takes a cursor', async () => {
  const shape = (schema: unknown): Record<string, unknown> => (schema as { shape?: object }).shape as never
  const without = (await loadContracts())
    .filter(({ rest, input }) => rest && 'limit' in (shape(input) ?? {}))
    .filter(({ input, output }) => !('cursor' in shape(input)) || !('nextCursor' in shape(output)))
    .map(({ name }) => name)
  expect(without.toSorted()).toEqual(FIRST_PAGE_ONLY)
})

test('imports page by page: none twice and none left out', async () => {
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
