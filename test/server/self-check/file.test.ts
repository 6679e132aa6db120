/** The look through a large file happens in a thread of its own, and finds what a look in place finds. */
import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkOwnFile } from '../../../server/backups/index.ts'
import { STORE_FILE } from '../../../server/store/keyring.ts'
import { livelyBooks } from './books.ts'

test('of whole books there is nothing to say, as often as it is asked', async () => {
  const { env } = await livelyBooks()
  for (let time = 0; time < 2; time += 1) {
    expect(await checkOwnFile(env.store, 'integrity_check')).toEqual(['ok'])
    expect(await checkOwnFile(env.store, 'foreign_key_check')).toEqual([])
  }
})

test('a reference that leads nowhere is named', async () => {
  const world = await livelyBooks()
  world.tamper('delete from webhooks')
  await world.restart()
  const [line] = await checkOwnFile(world.env.store, 'foreign_key_check')
  expect(line).toMatch(/^webhook_deliveries \d+ webhooks /)
})

test('a page that cannot be read is named', async () => {
  const world = await livelyBooks()
  world.tamper('vacuum')
  await world.restart()
  const file = join(world.folder, STORE_FILE)
  const descriptor = openSync(file, 'r+')
  // The last page, which nothing has read since the start.
  writeSync(descriptor, Buffer.alloc(16, 0xff), 0, 16, statSync(file).size - 2000)
  closeSync(descriptor)
  const [line] = await checkOwnFile(world.env.store, 'integrity_check')
  expect(line).toMatch(/page \d+/)
})
