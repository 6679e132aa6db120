/** Backups equal the books: random books are backed up and opened elsewhere, and every difference is rejected. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { asBackupFault } from '../../../../../server/app/backups/make/fault.ts'
import { verifyBackup } from '../../../../../server/app/backups/make/drill.ts'
import { makeBackup } from '../../../../../server/app/backups/make/make.ts'
import { readName } from '../../../../../server/app/backups/make/names.ts'
import { openSello } from '../../../../../server/api/application.ts'
import { sha256Hex } from '../../../../../server/domain/sha256.ts'
import { exportOf, keyOf, openedElsewhere } from '../../../../support/stages/backups.ts'
import { dice } from '../../../../support/seeded-random.ts'
import type { Dice } from '../../../../support/seeded-random.ts'
import { filesBelow } from '../../../../support/checks/planted-secrets.ts'
import { openWorld } from '../../../../support/world.ts'
import type { World } from '../../../../support/world.ts'

const AT = new Date('2026-07-01T08:00:00Z')

function backUp(folder: string, to = join(folder, 'backups')): Promise<string> {
  return makeBackup({ folder, to, masterKey: keyOf(folder), reason: 'manual', at: AT.getTime() })
}

/** Applies random everyday actions: drafts with various texts, issued, deleted or left. */
async function live(world: World, { below, chance, pick }: Dice): Promise<void> {
  for (let count = 1 + below(4); count > 0; count -= 1) {
    const { id } = await world.createDraft({
      clientName: pick(['Ana Ruiz Gil', 'Núñez "e hijos"', 'Ωmega Łódź', 'Straße y Cía. 🧾']),
      lines: Array.from({ length: 1 + below(3) }, () => ({
        description: pick(['Horas', 'Piezas \\ n.º 3', '€'.repeat(1 + below(40))]),
        quantity: 1 + below(9),
        unitPrice: below(100_000) / 100,
      })),
    })
    if (chance(0.6)) await world.issue(id)
    else if (chance(0.3)) await world.delete(`/api/v1/invoices/${id}`)
  }
  if (chance(0.5)) await world.run('session.savePreferences', { theme: pick(['dark', 'light'] as const) })
}

describe('books of random content', () => {
  test('give a backup with the same canonical export, byte for byte, wherever it is opened', async () => {
    const seed = Number(process.env.SELLO_SEED ?? 20_261_122)
    const random = dice(seed)
    const world = await openWorld()
    const names = new Set<string>()
    for (let round = 1; round <= 5; round += 1) {
      await live(world, random)
      const name = await backUp(world.folder)
      names.add(name)
      const source = exportOf(world.folder)
      expect(readName(name)?.hash, `seed ${seed}`).toBe(sha256Hex(source).slice(0, 32))
      const elsewhere = openedElsewhere(world.folder, join(world.folder, 'backups', name))
      expect(exportOf(elsewhere) === source, `seed ${seed}, round ${round}`).toBe(true)
    }
    expect(names.size).toBe(5)
  })

  test('open elsewhere as working books, and numbering continues', async () => {
    const world = await openWorld()
    await world.issue((await world.createDraft()).id)
    const name = await backUp(world.folder)
    const elsewhere = openedElsewhere(world.folder, join(world.folder, 'backups', name))
    const sello = await openSello({ dataDir: elsewhere, keychain: null, cacheKib: 1024 })
    const rows = await sello.env.store.reader.selectFrom('invoices').select('number').execute()
    await sello.close()
    expect(rows).toEqual([{ number: expect.stringMatching(/0001$/) as string }])
  })
})

describe('the canonical export', () => {
  test('is the same whatever the order of writes, and differs for any other value', async () => {
    const world = await openWorld()
    const { store } = world.env
    const setting = (name: string, value: string) =>
      store.transaction(null, (db) => db.insertInto('settings').values({ name, value }).execute())
    const drop = () =>
      store.transaction(null, (db) => db.deleteFrom('settings').where('name', 'in', ['a', 'b']).execute())
    await setting('a', '1')
    await setting('b', '2')
    const first = exportOf(world.folder)
    await drop()
    await setting('b', '2')
    await setting('a', '1')
    expect(exportOf(world.folder) === first).toBe(true)
    await drop()
    await setting('a', '1')
    await setting('b', '"2"')
    expect(exportOf(world.folder) === first).toBe(false)
  })
})

describe('a backup', () => {
  test('is encrypted with the key of the books, for this user only, and leaves nothing else behind', async () => {
    const world = await openWorld()
    await world.createDraft({ clientName: 'Nombre que nadie debe leer' })
    const name = await backUp(world.folder)
    const folder = join(world.folder, 'backups')
    // Before the list of files, so that a failure reports clear text first.
    for (const { name: file, bytes } of filesBelow(world.folder)) {
      if (file !== 'store.lock') expect(bytes.includes('SQLite format 3'), file).toBe(false)
      expect(bytes.includes('Nombre que nadie debe leer'), file).toBe(false)
    }
    expect(readdirSync(folder)).toEqual([name])
    if (process.platform !== 'win32') {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
    }
    await expect(verifyBackup(folder, name, Buffer.alloc(32, 1))).rejects.toMatchObject({
      code: 'store_damaged',
    })
    await verifyBackup(folder, name, keyOf(world.folder))
  })

  test('with one flipped bit is not valid', async () => {
    const world = await openWorld()
    const folder = join(world.folder, 'backups')
    const name = await backUp(world.folder)
    const bytes = readFileSync(join(folder, name))
    bytes[Math.floor(bytes.length / 2)]! ^= 1
    writeFileSync(join(folder, name), bytes)
    const thrown = await verifyBackup(folder, name, keyOf(world.folder)).catch((reason: unknown) => reason)
    expect(asBackupFault(thrown).why).toBe('differs')
  })

  test('with other content than its name says is not valid', async () => {
    const world = await openWorld()
    const folder = join(world.folder, 'backups')
    const old = await backUp(world.folder)
    await world.createDraft()
    const newer = await backUp(world.folder)
    writeFileSync(join(folder, newer), readFileSync(join(folder, old)))
    await expect(verifyBackup(folder, newer, keyOf(world.folder))).rejects.toMatchObject({ why: 'differs' })
  })

  test('is not made of books with a broken chain', async () => {
    const world = await openWorld()
    await world.issue((await world.createDraft()).id)
    const { store } = world.env
    await store.transaction(null, (db) =>
      db.updateTable('registry_chains').set({ records: 7 }).where('records', '>', 0).execute(),
    )
    await expect(backUp(world.folder)).rejects.toMatchObject({ why: 'broken_chain' })
    expect(readdirSync(join(world.folder, 'backups'))).toEqual([])
  })

  test('requires its parent folder: a missing disk is not created', async () => {
    const world = await openWorld()
    const missing = join(world.folder, 'not-mounted', 'backups')
    await expect(backUp(world.folder, missing)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(existsSync(join(world.folder, 'not-mounted'))).toBe(false)
  })
})
