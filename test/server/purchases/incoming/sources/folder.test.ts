/** Watched folders with real files: what is taken, what is left alone, and that originals stay as they are. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createFolderJobs, Folders } from '../../../../../server/purchases/incoming/sources/folder/watch.ts'
import { filesIn } from '../../../../../server/purchases/incoming/sources/folder/scan.ts'
import { archiveCompany, restoreCompany } from '../../../../../server/app/companies/archive.ts'
import { openWorld } from '../../../../support/world.ts'
import type { World } from '../../../../support/world.ts'
import { pdfOf } from './dovecot.ts'

const SECOND = 1_000

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sello-folder-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The looks of one run of the program. */
function watching(world: World, platform?: NodeJS.Platform): () => Promise<void> {
  const log = (line: string): void => {
    throw new Error(line)
  }
  const folders = new Folders({ env: world.env, log, ...(platform ? { platform } : {}) }, () => {})
  onTestFinished(() => folders.close())
  return async () => {
    await folders.look(new AbortController().signal)
    world.advance(3 * SECOND)
    await folders.look(new AbortController().signal)
  }
}

const names = async (world: World): Promise<string[]> =>
  (await world.run('incoming.list', {})).items.map(({ name }) => name).toSorted()
const add = (world: World, path: string) =>
  world.run('incoming.addSource', { name: 'Escáner', folder: { path } })
const sourceOf = async (world: World) => (await world.run('incoming.sources', {})).items[0]!

test('files are taken once, and the originals stay as they were', async () => {
  const world = await openWorld()
  const folder = newFolder()
  const path = join(folder, 'factura.pdf')
  writeFileSync(path, pdfOf(1))
  writeFileSync(join(folder, 'copia.pdf'), pdfOf(1))
  chmodSync(path, 0o444)
  const before = statSync(path)
  await add(world, folder)
  const look = watching(world)
  await look()
  expect(await names(world)).toHaveLength(1)
  expect(statSync(path)).toMatchObject({ mtimeMs: before.mtimeMs, ino: before.ino, size: before.size })
  expect(readdirSync(folder).toSorted()).toEqual(['copia.pdf', 'factura.pdf'])
  expect(await sourceOf(world)).toMatchObject({ state: 'active', documents: 1, left: [] })
  // Another name is no other document, also for the next start of the program.
  renameSync(path, join(folder, 'otra.pdf'))
  await watching(world)()
  expect(await names(world)).toHaveLength(1)
  const [item] = (await world.run('incoming.list', {})).items
  expect(item).toMatchObject({ source: 'folder', sourceName: 'Escáner' })
  writeFileSync(join(folder, 'otra.pdf'), pdfOf(2))
  await look()
  expect(await names(world)).toHaveLength(2)
})

test('a folder of an archived company rests until the company is taken back', async () => {
  const world = await openWorld()
  const folder = newFolder()
  await add(world, folder)
  const look = watching(world)
  await look()
  await archiveCompany(world.ctx(), {})
  writeFileSync(join(folder, 'factura.pdf'), pdfOf(1))
  for (let times = 0; times < 3; times++) await look()
  expect(await names(world)).toEqual([])
  await restoreCompany(world.ctx(), {})
  await look()
  expect(await names(world)).toEqual(['factura.pdf'])
})

test('a file that still grows waits until it stands still', async () => {
  const world = await openWorld()
  const folder = newFolder()
  const path = join(folder, 'lenta.pdf')
  await add(world, folder)
  const folders = new Folders({ env: world.env, log: () => {} }, () => {})
  onTestFinished(() => folders.close())
  const look = async (after: number): Promise<string[]> => {
    world.advance(after)
    await folders.look(new AbortController().signal)
    return names(world)
  }
  writeFileSync(path, '')
  expect(await look(0)).toEqual([])
  writeFileSync(path, pdfOf(1))
  expect(await look(3 * SECOND)).toEqual([])
  for (let times = 0; times < 3; times++) {
    appendFileSync(path, '% more\n')
    expect(await look(3 * SECOND)).toEqual([])
  }
  expect(await look(2 * SECOND)).toEqual([])
  expect(await look(SECOND)).toEqual(['lenta.pdf'])
})

test('hidden, partial, linked, outside, empty and foreign files are left alone', async () => {
  const world = await openWorld()
  const folder = newFolder()
  const outside = newFolder()
  writeFileSync(join(outside, 'fuera.pdf'), pdfOf('fuera'))
  symlinkSync(join(outside, 'fuera.pdf'), join(folder, 'enlace.pdf'))
  symlinkSync(outside, join(folder, 'carpeta'))
  mkdirSync(join(folder, 'dentro'))
  writeFileSync(join(folder, 'dentro', 'dentro.pdf'), pdfOf('dentro'))
  for (const name of ['.oculto.pdf', '~$factura.pdf', 'a.pdf.crdownload', 'b.pdf.part', 'c.tmp', 'd.pdf~'])
    writeFileSync(join(folder, name), pdfOf(name))
  writeFileSync(join(folder, 'vacio.pdf'), '')
  writeFileSync(join(folder, 'precios.csv'), 'a;b\n1;2\n')
  writeFileSync(join(folder, 'programa.pdf'), Buffer.from('MZ\u0090\0'))
  writeFileSync(join(folder, 'enorme.pdf'), pdfOf('enorme'))
  truncateSync(join(folder, 'enorme.pdf'), 21 * 1024 * 1024)
  writeFileSync(join(folder, 'buena.pdf'), pdfOf('buena'))
  await add(world, folder)
  const look = watching(world)
  await look()
  await look()
  expect(await names(world)).toEqual(['buena.pdf'])
  const { left } = await sourceOf(world)
  expect(left.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: 'enorme.pdf', why: 'too_large' },
    { name: 'precios.csv', why: 'type' },
    { name: 'programa.pdf', why: 'type' },
  ])
})

test('placeholders of cloud drives are not downloaded', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'nube.pdf'), '')
  truncateSync(join(folder, 'nube.pdf'), 100_000)
  const placeholders = async (platform: NodeJS.Platform) =>
    (await filesIn(folder, { platform })).map(({ isPlaceholder }) => isPlaceholder)
  expect(await placeholders('win32')).toEqual([true])
  expect(await placeholders('darwin')).toEqual([true])
  expect(await placeholders('linux')).toEqual([false])
})

test('a folder that vanishes or becomes a link fails, says so, and goes on when it is back', async () => {
  const world = await openWorld()
  const parent = newFolder()
  const folder = join(parent, 'escaner')
  mkdirSync(folder)
  const { id } = await add(world, folder)
  const look = watching(world)
  await look()
  renameSync(folder, join(parent, 'otro'))
  await look()
  expect(await sourceOf(world)).toMatchObject({ state: 'failing', why: 'folder_gone' })
  expect(await world.run('incoming.checkSource', { id })).toMatchObject({ why: 'folder_gone' })
  writeFileSync(join(parent, 'otro', 'ajena.pdf'), pdfOf(1))
  symlinkSync(join(parent, 'otro'), folder)
  await look()
  expect(await sourceOf(world)).toMatchObject({ why: 'folder_gone' })
  rmSync(folder)
  mkdirSync(folder)
  writeFileSync(join(folder, 'suya.pdf'), pdfOf(2))
  await look()
  expect(await names(world)).toEqual(['suya.pdf'])
  expect(await world.run('incoming.checkSource', { id })).toMatchObject({ why: null, found: 1 })
})

test('what was rejected and deleted does not come again', async () => {
  const world = await openWorld()
  const folder = newFolder()
  writeFileSync(join(folder, 'no.pdf'), pdfOf(1))
  await add(world, folder)
  await watching(world)()
  const [item] = (await world.run('incoming.list', {})).items
  await world.run('incoming.reject', { id: item!.id })
  writeFileSync(join(folder, 'copia.pdf'), pdfOf(1))
  await watching(world)()
  expect(await names(world)).toEqual([])
})

test('a folder with 10,000 files does not block the server', { timeout: 120_000 }, async () => {
  const world = await openWorld()
  const folder = newFolder()
  for (let index = 0; index < 10_000; index++)
    writeFileSync(join(folder, `nota-${index}.csv`), `${index};x\n`)
  writeFileSync(join(folder, 'una.pdf'), pdfOf(1))
  await add(world, folder)
  // Turns of the event loop in which other requests are answered: how long each takes is up to the computer.
  let turns = 0
  let isListing = true
  const turn = (): void => {
    turns += 1
    if (isListing) setImmediate(turn)
  }
  setImmediate(turn)
  expect(await filesIn(folder)).toHaveLength(10_001)
  isListing = false
  expect(turns).toBeGreaterThan(1_000)
  await watching(world)()
  expect(await names(world)).toEqual(['una.pdf'])
})

test(
  'a new file in a watched folder is taken within seconds, without anybody asking',
  { timeout: 30_000 },
  async () => {
    const world = await openWorld({ at: new Date().toISOString() })
    const folder = newFolder()
    await add(world, folder)
    const env = { ...world.env, now: () => new Date() }
    const jobs = createFolderJobs({ env, log: (line) => world.logged.push(line), stillMs: 200 })
    onTestFinished(() => jobs.stop())
    jobs.wake()
    await pause(1_500)
    writeFileSync(join(folder, 'nueva.pdf'), pdfOf(1))
    for (let wait = 0; wait < 100 && (await names(world)).length === 0; wait++) await pause(100)
    expect(await names(world)).toEqual(['nueva.pdf'])
    expect(readFileSync(join(folder, 'nueva.pdf')).equals(pdfOf(1))).toBe(true)
  },
)
