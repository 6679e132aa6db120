/** Schedule of backups, reports when they fail, the weekly drill, the second folder, and full disks. */
import { embedded } from '../../../../../server/db/embedded/port.ts'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { BackupFault } from '../../../../../server/app/backups/make/fault.ts'
import { openSello } from '../../../../../server/api/application.ts'
import { createBackupJobs } from '../../../../../server/app/backups/index.ts'
import { listFolder } from '../../../../../server/app/backups/make/names.ts'
import { backUpWhenDue, drillWhenDue, runBackup } from '../../../../../server/app/backups/make/run.ts'
import { changeState, readState } from '../../../../../server/app/backups/state.ts'
import { exportOf, keyOf } from '../../../../support/stages/backups.ts'
import { canMount, makeBooks, newFolder, smallDisk } from '../../../../support/stages/unopenable-books.ts'
import { storedBooks } from '../../../../support/stages/upgrade.ts'
import { openWorld } from '../../../../support/world.ts'
import type { World } from '../../../../support/world.ts'
import { inLongRun } from '../../../../support/sweep.ts'

const longTest = inLongRun(test)

const onDisk = test.skipIf(!canMount())
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const backupsOf = ({ folder }: { folder: string }) => listFolder(join(folder, 'backups'))

/** Returns the copies in the backup folder, whole or broken; the file next to them says which key they need. */
const copiesIn = ({ folder }: { folder: string }): string[] =>
  readdirSync(join(folder, 'backups')).filter((name) => !name.startsWith('key-'))

/** Runs one background check of what is due. */
async function look(world: World): Promise<void> {
  const log = vi.fn<(line: string) => void>()
  const jobs = createBackupJobs({ env: world.env, log, gatherMs: 0, pollMs: 0 })
  jobs.wake()
  await new Promise((resolve) => setTimeout(resolve, 5))
  await jobs.stop()
  expect(log).not.toHaveBeenCalled()
}

async function eventsOf(world: World): Promise<{ type: string; data: string }[]> {
  return world.env.store.reader
    .selectFrom('events')
    .select(['type', 'data'])
    .where('type', 'like', 'backup.%')
    .orderBy('id')
    .execute()
}

/** Puts a file in place of the folder, so that nothing can be stored there. */
function blockFolder({ folder }: { folder: string }): () => void {
  const backups = join(folder, 'backups')
  rmSync(backups, { recursive: true, force: true })
  writeFileSync(backups, '')
  return () => rmSync(backups)
}

describe('while Sello runs', () => {
  test('a backup is made a day after the last one, and a drill of it once a week', async () => {
    const world = await openWorld()
    await look(world)
    expect(backupsOf(world).map(({ reason }) => reason)).toEqual(['daily'])
    const first = (await world.run('backups.list', {})).drill
    expect(first).toMatchObject({ name: backupsOf(world)[0]?.name, why: null })
    world.advance(DAY_MS - 60_000)
    await look(world)
    expect(backupsOf(world)).toHaveLength(1)
    world.advance(60_000)
    await look(world)
    expect(backupsOf(world)).toHaveLength(2)
    expect((await world.run('backups.list', {})).drill).toEqual(first)
    world.advance(7 * DAY_MS)
    await look(world)
    expect((await world.run('backups.list', {})).drill?.at).toBe(world.env.now().toISOString())
  })

  test('an invalid backup is reported and set aside, and another one is made at once', async () => {
    const world = await openWorld()
    await world.run('backups.make', {})
    const [made] = backupsOf(world)
    const file = join(world.folder, 'backups', made!.name)
    const bytes = readFileSync(file)
    bytes[bytes.length - 2000]! ^= 1
    writeFileSync(file, bytes)
    await look(world)
    expect((await world.run('backups.list', {})).drill?.why).toBe('differs')
    expect(copiesIn(world)).toEqual([`${made!.name}.broken`])
    expect((await world.run('session.get', {})).store.backups?.kind).toBe('drill')
    // Until a drill succeeds, the person is warned: the disk may be failing.
    expect((await world.run('dashboard.get', {})).attention.map(({ title }) => title)).toContain(
      'backup_drill',
    )
    world.advance(1000)
    await look(world)
    // The next one is made and tried at once; past faults are not reported for a week.
    expect(backupsOf(world)).toHaveLength(1)
    expect((await world.run('session.get', {})).store.backups).toBeNull()
    expect(
      (await eventsOf(world)).map(({ type }) => type).filter((type) => type.startsWith('backup')),
    ).toEqual([...['backup.failed', 'backup.failed'], ...['backup.recovered', 'backup.recovered']])
  })

  longTest('a drill without disk space is repeated later, and the backup stays', async () => {
    const world = await openWorld()
    await look(world)
    const [made] = backupsOf(world)
    world.advance(1000)
    changeState(world.folder, {
      drill: { at: world.env.now().toISOString(), name: made!.name, why: 'no_space' },
    })
    await look(world)
    expect((await world.run('session.get', {})).store.backups?.kind).toBe('drill')
    expect(backupsOf(world)).toHaveLength(1)
    world.advance(HOUR_MS)
    await look(world)
    expect((await world.run('session.get', {})).store.backups).toBeNull()
    expect(backupsOf(world)).toHaveLength(1)
  })

  test('a daily backup that waits for one of another reason is not made a second time', async () => {
    const world = await openWorld()
    await Promise.all([runBackup(world.env, 'manual'), backUpWhenDue(world.env), backUpWhenDue(world.env)])
    expect(backupsOf(world).map(({ reason }) => reason)).toEqual(['manual'])
  })

  longTest('a drill uses the newest backup at the time it runs', async () => {
    const world = await openWorld()
    await runBackup(world.env, 'daily')
    const [first] = backupsOf(world)
    world.advance(HOUR_MS)
    // The second one of a day replaces the first.
    await Promise.all([runBackup(world.env, 'daily'), drillWhenDue(world.env)])
    const [second, ...others] = backupsOf(world)
    expect(others).toEqual([])
    expect(second?.name).not.toBe(first?.name)
    expect((await world.run('backups.list', {})).drill).toMatchObject({ name: second?.name, why: null })
    expect(await eventsOf(world)).toEqual([])
  })

  longTest('a clock that was years ahead for a while stops neither backups nor drills', async () => {
    const world = await openWorld()
    const today = world.env.now()
    world.setTime(new Date(today.getTime() + 3000 * DAY_MS))
    await look(world)
    const unblock = blockFolder(world)
    expect(await runBackup(world.env, 'manual')).toBe(false)
    unblock()
    world.setTime(today)
    await look(world)
    expect(backupsOf(world).map(({ at }) => at.getTime())).toContain(today.getTime())
    expect((await world.run('session.get', {})).store.backups).toBeNull()
    expect((await world.run('backups.list', {})).drill?.at).toBe(today.toISOString())
  })

  test('a failure is reported once to every book and shown until a backup is made again', async () => {
    const world = await openWorld()
    const unblock = blockFolder(world)
    const failed = await world.run('backups.make', {})
    expect(failed.fault?.why).not.toBeUndefined()
    world.advance(HOUR_MS)
    await look(world)
    const again = (await world.run('backups.list', {})).fault
    expect(again?.since).toBe(failed.fault?.since)
    expect(again?.at).not.toBe(failed.fault?.at)
    expect((await eventsOf(world)).map(({ type }) => type)).toEqual(['backup.failed', 'backup.failed'])
    expect((await world.run('dashboard.get', {})).attention[0]).toMatchObject({
      kind: 'backup',
      title: 'backup_failed',
    })
    expect((await world.run('session.get', {})).store.backups?.kind).toBe('failed')
    unblock()
    await look(world)
    expect(backupsOf(world)).toEqual([])
    world.advance(HOUR_MS)
    await look(world)
    expect(backupsOf(world)).toHaveLength(1)
    expect((await world.run('session.get', {})).store.backups).toBeNull()
    expect((await eventsOf(world)).map(({ type }) => type).slice(2)).toEqual([
      'backup.recovered',
      'backup.recovered',
    ])
  })

  test('on quitting a backup is made only when something was committed since the last one', async () => {
    const world = await openWorld()
    await world.run('backups.make', {})
    const jobs = createBackupJobs({ env: world.env, log: () => {} })
    await jobs.onQuit()
    expect(backupsOf(world).map(({ reason }) => reason)).toEqual(['manual'])
    await world.createDraft()
    world.advance(1000)
    await jobs.onQuit()
    // The manual one stays next to it.
    expect(backupsOf(world).map(({ reason }) => reason)).toEqual(['quit', 'manual'])
    world.advance(1000)
    await look(world)
    expect(backupsOf(world)).toHaveLength(2)
  })

  test('a backup that would delay the closing, or was cut off by it, is made by the next start', async () => {
    const world = await openWorld()
    const jobs = createBackupJobs({ env: world.env, log: () => {} })
    await world.run('backups.make', {})
    expect(readState(world.folder)).toMatchObject({ owed: false, tookMs: expect.any(Number) })
    await world.createDraft()
    changeState(world.folder, { tookMs: 60_000 })
    await jobs.onQuit()
    expect(backupsOf(world)).toHaveLength(1)
    world.advance(1000)
    await look(world)
    expect(backupsOf(world).map(({ reason }) => reason)).toEqual(['daily', 'manual'])
    expect(readState(world.folder).owed).toBe(false)

    // Without a measured duration, the size of the books decides.
    await world.createDraft()
    changeState(world.folder, { tookMs: null })
    embedded(world.env.store).checkpoint()
    truncateSync(join(world.folder, 'sello.db'), 81_000_000)
    await jobs.onQuit()
    expect(backupsOf(world)).toHaveLength(2)
    changeState(world.folder, { owed: false })

    // Interrupted: the partial file is gone, and the note is there.
    await world.createDraft()
    const restore = blockFolder(world)
    await jobs.onQuit()
    restore()
    expect(readState(world.folder).owed).toBe(true)
    changeState(world.folder, { fault: null })
    await look(world)
    expect(backupsOf(world).map(({ reason }) => reason)).toEqual(['daily'])
  })
})

describe('the second folder', () => {
  test('receives the same file, and is reported after a week of absence while the first one continues', async () => {
    const world = await openWorld()
    const disk = newFolder()
    const chosen = await world.run('backups.settings', { folder: disk })
    expect(chosen.own?.lastAt).toBeNull()
    const made = await world.run('backups.make', {})
    const [there] = listFolder(made.own!.folder)
    expect(there?.name).toBe(made.items[0]?.name)
    expect(exportOf(made.own!.folder, there!.name, keyOf(world.folder)) === exportOf(world.folder)).toBe(true)
    rmSync(disk, { recursive: true })
    world.advance(1000)
    const away = await world.run('backups.make', {})
    expect(away).toMatchObject({ fault: null, own: { fault: { why: 'folder_missing' } } })
    expect((await world.run('session.get', {})).store.backups).toBeNull()
    world.advance(7 * DAY_MS)
    expect((await world.run('session.get', {})).store.backups?.kind).toBe('own')
    mkdirSync(disk)
    expect((await world.run('backups.make', {})).own?.fault).toBeNull()
  })

  test('is rejected inside the data folder, when it is missing, and when the path is not absolute', async () => {
    const world = await openWorld()
    for (const [folder, code] of [
      [world.folder, 'folder_in_data'],
      [join(world.folder, 'x'), 'folder_in_data'],
      ['/no/such/folder', 'folder_unusable'],
      [join(import.meta.dirname, 'run.test.ts'), 'folder_unusable'],
      ['copies', 'folder_not_absolute'],
    ] as const) {
      const answer = await world.call('backups.settings', { folder })
      expect(answer.body.error.details.faults[0]).toMatchObject({ field: 'folder', code })
    }
  })

  test('cannot be read or set by a key', async () => {
    const world = await openWorld()
    const answer = await world.get('/api/v1/backups')
    expect(answer.status).toBe(404)
  })

  inLongRun(onDisk)('is reported, and leaves no partial file behind', async () => {
    const world = await openWorld()
    const disk = smallDisk(40 * 1024)
    await world.run('backups.settings', { folder: disk.folder })
    disk.fill()
    const made = await world.run('backups.make', {})
    expect(made).toMatchObject({ fault: null, own: { fault: { why: 'no_space' } } })
    expect(listFolder(made.own!.folder)).toEqual([])
    disk.free()
    expect((await world.run('backups.make', {})).own?.fault).toBeNull()
  })
})

describe('a full disk', () => {
  onDisk('is detected before anything is written, and the books and old backups stay unchanged', async () => {
    const disk = smallDisk(48 * 1024)
    const { folder } = await makeBooks(join(disk.folder, 'books'))
    const sello = await openSello({ dataDir: folder, keychain: null, cacheKib: 1024 })
    expect(await runBackup(sello.env, 'manual')).toBe(true)
    const before = readdirSync(join(folder, 'backups'))
    const source = exportOf(folder)
    disk.fill()
    expect(await runBackup(sello.env, 'daily')).toBe(false)
    expect(readdirSync(join(folder, 'backups'))).toEqual(before)
    expect(exportOf(folder) === source).toBe(true)
    disk.free()
    expect(await runBackup(sello.env, 'daily')).toBe(true)
    await sello.close()
  })
})

describe('before a migration', () => {
  longTest('the books are backed up as they were', async () => {
    const folder = storedBooks(9)
    const source = exportOf(folder)
    const sello = await openSello({ dataDir: folder, keychain: null, cacheKib: 1024 })
    await sello.close()
    const [made] = backupsOf({ folder })
    expect(made?.reason).toBe('migration')
    expect(exportOf(join(folder, 'backups'), made!.name, keyOf(folder)) === source).toBe(true)
    expect(exportOf(folder) === source).toBe(false)
  })

  test('books that cannot be backed up are left unchanged', async () => {
    const folder = storedBooks(9)
    const source = exportOf(folder)
    const unblock = blockFolder({ folder })
    await expect(openSello({ dataDir: folder, keychain: null, cacheKib: 1024 })).rejects.toMatchObject({
      cause: expect.any(BackupFault),
    })
    expect(exportOf(folder) === source).toBe(true)
    unblock()
    await (await openSello({ dataDir: folder, keychain: null, cacheKib: 1024 })).close()
    expect(existsSync(join(folder, 'backups'))).toBe(true)
  })
})
