/**
 * A portable file and the recovery code restore the books on any computer; any other file is rejected and changes
 * nothing.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSello } from '../../../../../server/api/application.ts'
import { makePortableAt } from '../../../../../server/app/backups/index.ts'
import { readPortable } from '../../../../../server/app/backups/portable/portable-file.ts'
import { sha256Hex } from '../../../../../server/domain/sha256.ts'
import { checkBooks } from '../../../../../server/app/integrity/index.ts'
import { newRecoveryCode } from '../../../../../server/db/embedded/keys/recovery-code.ts'
import {
  cleanFolder,
  everythingIn,
  exportOf,
  keepCode,
  portableOf,
  restoreWith,
} from '../../../../support/stages/backups.ts'
import { dice } from '../../../../support/seeded-random.ts'
import { refusal } from '../../../../support/books.ts'
import { openWorld } from '../../../../support/world.ts'
import { inLongRun } from '../../../../support/sweep.ts'

const longTest = inLongRun(test)

const SEED = Number(process.env.SELLO_SEED ?? 20_261_122)

describe('a portable backup', () => {
  test('opens in an empty folder with the code alone: identical byte for byte, complete, and working', async () => {
    const world = await openWorld()
    const code = keepCode(world)
    await world.issue((await world.createDraft({ clientName: 'Núñez "e hijos" 🧾' })).id)
    await world.createDraft()
    const file = await portableOf(world)
    const source = exportOf(world.folder)
    const folder = cleanFolder()
    const restored = await restoreWith(folder, file, ` ${code.toLowerCase()} `)
    expect(exportOf(folder) === source).toBe(true)
    expect(restored).toMatchObject({ content: sha256Hex(source), older: false, aside: null })
    expect(readdirSync(folder).toSorted()).toEqual([
      'keyring.json',
      'master.key',
      'recovery.json',
      'sello.db',
      'store.lock',
    ])
    const sello = await openSello({ dataDir: folder, keychain: null, cacheKib: 1024 })
    const { checks } = await checkBooks(sello.env, (book) => sello.ctx(book))
    const numbers = await sello.env.store.reader
      .selectFrom('invoices')
      .select('number')
      .orderBy('id')
      .execute()
    await sello.close()
    expect(checks.filter(({ ok }) => !ok)).toEqual([])
    expect(numbers).toEqual([{ number: 'T-F2026-0001' }, { number: null }])
    // The code on paper stays valid.
    await restoreWith(cleanFolder(), file, code)
  })

  test('is readable by its owner only, and reveals nothing of its content', async () => {
    const world = await openWorld()
    keepCode(world)
    await world.issue((await world.createDraft({ clientName: 'Nombre que nadie debe leer' })).id)
    const file = await portableOf(world)
    const bytes = readFileSync(file)
    for (const word of [
      'Nombre que nadie debe leer',
      'SQLite format 3',
      'T-F2026',
      world.books.test.publicId,
    ])
      expect(bytes.includes(word), word).toBe(false)
    expect(readPortable(file).header).toMatchObject({ format: 1, storeId: world.env.store.storeId })
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(world.folder, 'backups'))).toEqual([])
    const { items } = await world.run('audit.list', {})
    expect(items.some(({ action }) => action === 'backups.portable')).toBe(true)
  })

  test('is downloaded by the window, and leaves nothing next to the books', async () => {
    const world = await openWorld()
    const code = keepCode(world)
    await world.createDraft()
    const { raw } = await world.call('backups.portable', {})
    expect(raw.headers['content-disposition']).toMatch(/sello-2026-07-01\.sellobak/)
    const file = `${cleanFolder()}.sellobak`
    writeFileSync(file, raw.rawPayload)
    const folder = cleanFolder()
    await restoreWith(folder, file, code)
    expect(exportOf(folder) === exportOf(world.folder)).toBe(true)
    expect(readdirSync(join(world.folder, 'backups'))).toEqual([])
  })

  test('is refused for books without a recovery code', async () => {
    const world = await openWorld()
    const file = `${cleanFolder()}.sellobak`
    expect(await refusal(makePortableAt(world.ctx(), file))).toBe('recovery_code_missing')
    expect(existsSync(file)).toBe(false)
  })
})

describe('a changed portable file', () => {
  test('is rejected with its own error when truncated, flipped, extended, of another kind, or with another code', async () => {
    const world = await openWorld()
    const code = keepCode(world)
    await world.issue((await world.createDraft()).id)
    const file = await portableOf(world)
    const whole = readFileSync(file)
    const { bodyAt } = readPortable(file)
    const { below } = dice(SEED)
    const flipped = (at: number): Buffer => {
      const bytes = Buffer.from(whole)
      bytes[at]! ^= 1 << below(8)
      return bytes
    }
    const cases: [string, Buffer, string[]][] = [
      ['empty', Buffer.alloc(0), ['backup_unknown']],
      ['of another kind', Buffer.from('%PDF-1.7\n'.repeat(2_000)), ['backup_unknown']],
      ['longer', Buffer.concat([whole, Buffer.from([0])]), ['backup_damaged']],
      ...[4, 10, bodyAt - 1, bodyAt, whole.length - 1].map((length): [string, Buffer, string[]] => [
        `cut off at ${length}`,
        whole.subarray(0, length),
        ['backup_unknown', 'backup_damaged'],
      ]),
      ...Array.from({ length: 12 }, (): [string, Buffer, string[]] => {
        const at = below(bodyAt)
        // A bit flip in the header may change any field: whatever it looks like, it is rejected.
        return [
          `flipped in its header at ${at}`,
          flipped(at),
          ['backup_unknown', 'backup_damaged', 'recovery_code_wrong', 'store_newer'],
        ]
      }),
      ...Array.from({ length: 6 }, (): [string, Buffer, string[]] => {
        const at = bodyAt + below(whole.length - bodyAt)
        return [`flipped in its body at ${at}`, flipped(at), ['backup_damaged']]
      }),
    ]
    const existing = cleanFolder()
    await restoreWith(existing, file, code)
    const before = everythingIn(existing)
    const spoiled = `${cleanFolder()}.sellobak`
    for (const [name, bytes, codes] of cases) {
      writeFileSync(spoiled, bytes)
      const when = `${name}, seed ${SEED}`
      const folder = cleanFolder()
      expect(codes, when).toContain(await refusal(restoreWith(folder, spoiled, code)))
      expect(existsSync(folder), when).toBe(false)
      expect(codes, when).toContain(await refusal(restoreWith(existing, spoiled, code)))
    }
    for (const wrong of [newRecoveryCode(), 'AAAA-BBBB', ''])
      expect(await refusal(restoreWith(existing, file, wrong))).toBe('recovery_code_wrong')
    expect(await refusal(restoreWith(cleanFolder(), file, null))).toBe('recovery_code_wrong')
    expect(everythingIn(existing)).toEqual(before)
  })

  longTest('of a later schema is rejected unchanged', async () => {
    const world = await openWorld()
    const code = keepCode(world)
    const file = await portableOf(world)
    const { header, bodyAt } = readPortable(file)
    const later = Buffer.from(JSON.stringify({ ...header, schema: 999 }))
    const start = Buffer.from(readFileSync(file).subarray(0, 12))
    start.writeUInt32BE(later.length, 8)
    writeFileSync(file, Buffer.concat([start, later, readFileSync(file).subarray(bodyAt)]))
    const folder = cleanFolder()
    expect(await refusal(restoreWith(folder, file, code))).toBe('store_newer')
    expect(existsSync(folder)).toBe(false)
  })
})
