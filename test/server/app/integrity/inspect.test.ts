/** Checks of large books run in a worker and return what checks in the main thread return. */
import { embedded } from '../../../../server/db/embedded/port.ts'
import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inspectFile, inspectRows } from '../../../../server/app/integrity/inspect.ts'
import { ROW_CHECKS } from '../../../../server/app/integrity/rows.ts'
import type { RowCheckName } from '../../../../server/app/integrity/rows.ts'
import { STORE_FILE } from '../../../../server/db/embedded/keys/keyring.ts'
import { livelyBooks } from './books.ts'
import { swept, sweptCount } from '../../../support/sweep.ts'

const NAMES = swept(Object.keys(ROW_CHECKS) as RowCheckName[], (name) => name === 'totals')

describe('a check of the file in a worker', () => {
  test('finds nothing in valid books, however often it runs', async () => {
    const { env } = await livelyBooks()
    for (let time = 0; time < sweptCount(2, 1); time += 1) {
      expect(await inspectFile(embedded(env.store), 'integrity_check')).toEqual(['ok'])
      expect(await inspectFile(embedded(env.store), 'foreign_key_check')).toEqual([])
    }
  })

  test('reports a dangling reference', async () => {
    const world = await livelyBooks()
    await world.tamper('delete from webhooks')
    await world.restart()
    const [line] = await inspectFile(embedded(world.env.store), 'foreign_key_check')
    expect(line).toMatch(/^webhook_deliveries \d+ webhooks /)
  })

  test('reports an unreadable page', async () => {
    const world = await livelyBooks()
    // The last pages of a vacuumed file are of the schema itself, which every start reads.
    await world.tamper(
      'vacuum; create table at_the_end (content blob); insert into at_the_end values (zeroblob(20000))',
    )
    await world.restart()
    const file = join(world.folder, STORE_FILE)
    const descriptor = openSync(file, 'r+')
    // The last page, which nothing has read since the start.
    writeSync(descriptor, Buffer.alloc(16, 0xff), 0, 16, statSync(file).size - 2000)
    closeSync(descriptor)
    const [line] = await inspectFile(embedded(world.env.store), 'integrity_check')
    expect(line).toMatch(/page \d+/)
  })
})

describe('a check of the rows in a worker', () => {
  test.each(NAMES)('%s returns the result of the main thread, in both books', async (name) => {
    const world = await livelyBooks()
    for (const book of Object.values(world.books)) {
      const found = await inspectRows(world.ctx(book), name)
      expect(found).toEqual(await ROW_CHECKS[name](world.ctx(book)))
      expect(found.ok, found.detail).toBe(true)
    }
  })

  test('reports faults with their position', async () => {
    const world = await livelyBooks()
    await world.tamper('update registry_submissions set attempts = attempts + 1')
    await world.restart()
    const { ok, detail } = await inspectRows(world.ctx(world.books.test), 'queue')
    expect(ok).toBe(false)
    expect(detail).toMatch(/^Record \d+: \d+ attempts are said, \d+ are kept\./)
  })

  test('ends when aborted, and throws the reason', async () => {
    const world = await livelyBooks()
    const stop = new AbortController()
    const look = inspectRows(world.ctx(world.books.test), 'totals', stop.signal)
    stop.abort(new Error('closing'))
    await expect(look).rejects.toThrow('closing')
    await expect(inspectRows(world.ctx(world.books.test), 'totals', stop.signal)).rejects.toThrow('closing')
  })
})
