/** Rows that others add wait, whatever the pages of the list, and none is lost or shown twice. */
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useFreshRows } from '../../renderer/components/list/fresh-rows.ts'
import type { WindowEvent } from '../../renderer/events.ts'
import * as person from '../../renderer/stores/person.ts'
import { dice } from '../support/seeded-random.ts'

const PAGE = 20
interface Row {
  id: string
}

beforeEach(() => {
  setActivePinia(createPinia())
  vi.stubGlobal('localStorage', { getItem: () => null })
  person.usePersonStore().beginOffice()
})
afterEach(() => vi.unstubAllGlobals())

const by = (id: string, record: string): WindowEvent => ({
  id: 'evt_1',
  type: 'invoice.created',
  createdAt: '',
  mode: 'test',
  bookId: 'bok_1',
  data: { invoiceId: record },
  actor: { kind: 'user', id, name: id },
})

/** A list as a page has it: rows of the server, those shown by page, and what was seen. */
function openList(count: number) {
  const server: Row[] = Array.from({ length: count }, (_, index) => ({ id: `old_${index}` }))
  const seen = new Set<string>()
  const pages = new Map<number, readonly Row[]>()
  const fresh = useFreshRows<Row>((id) => seen.has(id))
  async function load(page: number): Promise<void> {
    const rows = await fresh.load({ offset: page * PAGE, limit: PAGE }, async ({ offset, limit }) =>
      server.slice(offset, offset + limit),
    )
    pages.set(page, rows)
    for (const { id } of rows) seen.add(id)
  }
  /** What a page does after an event: all pages again, and once more if other rows wait. */
  async function refresh(): Promise<void> {
    for (let moves = -1; moves !== fresh.moves.value;) {
      moves = fresh.moves.value
      for (const page of [...pages.keys()].toSorted((a, b) => a - b)) await load(page)
    }
  }
  const shown = (): string[] =>
    [...pages.keys()].toSorted((a, b) => a - b).flatMap((page) => (pages.get(page) ?? []).map(({ id }) => id))
  return { server, fresh, load, refresh, shown, pages }
}

test('a row of somebody else waits, an own one and a changed one do not', async () => {
  const list = openList(5)
  await list.load(0)
  list.server.unshift({ id: 'theirs' })
  list.fresh.note(by('per_2', 'theirs'), false)
  await list.refresh()
  expect(list.shown()).toEqual(['old_0', 'old_1', 'old_2', 'old_3', 'old_4'])
  expect([...list.fresh.waiting.keys()]).toEqual(['theirs'])

  // A row that is shown changes its place at once, as a change of it does.
  list.fresh.note(by('per_2', 'old_4'), false)
  list.server.splice(1, 0, list.server.pop()!)
  await list.refresh()
  expect(list.shown()).toEqual(['old_4', 'old_0', 'old_1', 'old_2', 'old_3'])

  list.fresh.forget()
  await list.refresh()
  expect(list.shown()[0]).toBe('theirs')
})

test('what was deleted again waits no longer, and an empty list shows all at once', async () => {
  const list = openList(3)
  await list.load(0)
  list.server.unshift({ id: 'theirs' })
  list.fresh.note(by('per_2', 'theirs'), false)
  await list.refresh()
  expect(list.fresh.waiting.size).toBe(1)
  list.server.shift()
  await list.refresh()
  expect(list.fresh.waiting.size).toBe(0)

  const empty = openList(0)
  await empty.load(0)
  empty.server.push({ id: 'first' })
  empty.fresh.note(by('per_2', 'first'), true)
  await empty.refresh()
  expect(empty.shown()).toEqual(['first'])
})

test('200 random lists: nothing moves, is lost or doubled, and all is there when it is asked for', async () => {
  const random = dice(18)
  let waited = 0
  for (let run = 0; run < 200; run++) {
    const list = openList(10 + random.below(90))
    const before = list.server.map(({ id }) => id)
    await list.load(0)
    if (random.below(2) === 0) await list.load(1)
    for (let step = 0; step < 6; step++) {
      const id = `new_${step}`
      list.server.splice(random.below(random.below(2) === 0 ? 1 : PAGE), 0, { id })
      list.fresh.note(by('per_2', id), false)
      if (random.below(3) > 0) await list.refresh()
    }
    await list.refresh()
    const shown = list.shown()
    expect(new Set(shown).size).toBe(shown.length)
    // The old rows in their old places.
    expect(shown).toEqual(before.slice(0, shown.length))
    expect(shown.length).toBe(Math.min(before.length, list.pages.size * PAGE))
    waited += list.fresh.waiting.size
    // Scrolling on meets the next ones, without a gap.
    for (let page = list.pages.size; page * PAGE < before.length; page++) await list.load(page)
    expect(list.shown()).toEqual(before)
    list.fresh.forget()
    for (let page = 0; page * PAGE < list.server.length; page++) await list.load(page)
    expect(list.shown()).toEqual(list.server.map(({ id }) => id))
  }
  console.log(`list: ${waited} rows of others waited in 200 lists`)
  expect(waited).toBeGreaterThan(500)
})
