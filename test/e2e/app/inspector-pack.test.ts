/**
 * Page of an inspector's pack, opened from a file in a real browser: complete packs pass, and changed ones are
 * reported with their location.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { fillBook } from '../../../server/app/demo/index.ts'
import { sendBook } from '../../../server/registry/index.ts'
import { setRegistryStatus } from '../../../server/sales/invoices/index.ts'
import { registrationHash } from '../../../server/registry/systems/verifactu/record/chain.ts'
import { readSealedRecord } from '../../../server/registry/systems/verifactu/record/sealed.ts'
import { axeFaults, overflows, sharedBrowser } from '../../support/browser/browser.ts'
import { startFirefox } from '../../support/browser/firefox.ts'
import { bytesOf, edit, manifestOf, packed, resealed, textOf, unpacked } from '../../support/files/packs.ts'
import type { PackFiles } from '../../support/files/packs.ts'
import { swept } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'
import { openWorld } from '../../support/world.ts'
import type { World } from '../../support/world.ts'

const test = needs('chromium')
const INVOICES = 12
/** In the order of the page. */
const CHECKS = ['manifest', 'files', 'hashes', 'links', 'chain', 'numbers', 'invoices', 'history', 'books']

let folder = ''
let world: World
let browser: Browser
let files: PackFiles = {}
let count = 0
/** The page of the changed packs, reloaded for each. */
let reused: Opened | undefined

beforeAll(async () => {
  if (!tool('chromium')) return
  folder = mkdtempSync(join(tmpdir(), 'sello-pack-'))
  browser = await sharedBrowser()
  world = await openWorld({ at: '2026-11-05T10:00:00+01:00', shared: true })
  await fillBook(world.ctx(), { invoices: INVOICES })
  await sendBook(world.env, world.books.test, setRegistryStatus)
  // Another installation in between, with its own chain.
  world.setTime('2026-11-06T10:00:00+01:00')
  await world.run('registry.newInstallation', { reason: 'moved' })
  await fillBook(world.ctx(), { invoices: 3, contacts: 1, drafts: 0, from: '2026-11-06' })
  const { stream } = await world.run('books.inspectorPack', {})
  files = unpacked(await bytesOf(stream))
  writeFileSync(join(folder, 'index.html'), files['index.html']!)
}, 120_000)

afterAll(async () => {
  await reused?.close()
  await world?.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

interface Opened {
  page: Page
  /** Every request of the page, including itself. */
  asked: string[]
  complaints: string[]
  close(): Promise<void>
}

async function open(locale = 'es-ES'): Promise<Opened> {
  const context = await browser.newContext({
    locale,
    offline: true,
  })
  const page = await context.newPage()
  const asked: string[] = []
  const complaints: string[] = []
  context.on('request', (request) => asked.push(request.url()))
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(pathToFileURL(join(folder, 'index.html')).href)
  return { page, asked, complaints, close: () => context.close() }
}

async function outcome(page: Page): Promise<Record<string, string[]>> {
  await page.locator('#result.ok, #result.wrong').waitFor({ timeout: 60_000 })
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>('#checks > li')].map((item) => [
        `${item.dataset.check} ${item.dataset.state}`,
        [...item.querySelectorAll('.faults li')].map((line) => line.textContent),
      ]),
    ),
  )
}

/** Returns the findings of the page for a pack. */
async function found(changed: PackFiles): Promise<{ wrong: Record<string, string[]>; result: string }> {
  if (reused) await reused.page.reload()
  reused ??= await open()
  const { page } = reused
  count += 1
  const zip = join(folder, `pack-${count}.zip`)
  writeFileSync(zip, packed(changed))
  await page.locator('#zip').setInputFiles(zip)
  const checks = await outcome(page)
  const result = (await page.locator('#result').textContent()) ?? ''
  const wrong = Object.entries(checks).filter(([name]) => !/ (ok|absent)$/.test(name))
  return { wrong: Object.fromEntries(wrong.map(([name, faults]) => [name.split(' ')[0]!, faults])), result }
}

const RECORD = /<sf:(RegistroAlta|RegistroAnulacion) .*?<\/sf:\1>/gs
const recordFile = (): string =>
  Object.keys(files)
    .filter((path) => /^records\/.*\.xml$/.test(path))
    .toSorted()[0]!
const recordsIn = (): string[] => [...textOf(files, recordFile()).matchAll(RECORD)].map(([xml]) => xml)
const numberOf = (xml: string): string => readSealedRecord(xml).link.number

describe('the page of a pack', () => {
  test('verifies a complete pack, sends no request, and states what it does not prove', async () => {
    const { page, asked, complaints, close } = await open()
    writeFileSync(join(folder, 'whole.zip'), packed(files))
    await page.locator('#zip').setInputFiles(join(folder, 'whole.zip'))
    const checks = await outcome(page)
    expect(Object.keys(checks)).toEqual(CHECKS.map((check) => `${check} ok`))
    expect(await page.locator('#result').textContent()).toBe('Todo coincide.')
    expect(await page.locator('#facts').textContent()).toContain(manifestOf(files).records!.head)
    expect(await page.locator('[data-check="hashes"] .count').textContent()).toBe(
      `${INVOICES + 3} comprobados`,
    )
    expect(asked.filter((url) => !url.startsWith('file:') && !url.startsWith('blob:'))).toEqual([])
    expect(asked.filter((url) => url.startsWith('file:'))).toHaveLength(1)
    expect(complaints).toEqual([])
    await close()
  })

  test('can reach no address, even when told to', async () => {
    const { page, asked, close } = await open()
    const reached = await page.evaluate(() =>
      fetch('http://127.0.0.1:9/').then(
        () => 'answered',
        (error: unknown) => String(error),
      ),
    )
    expect(reached).toContain('TypeError')
    expect(asked.filter((url) => url.startsWith('http'))).toEqual([])
    await close()
  })

  test('reads the folder the pack was extracted to, in English', async () => {
    const unpackedTo = join(folder, 'unpacked', 'pack')
    for (const [path, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(unpackedTo, path)), { recursive: true })
      writeFileSync(join(unpackedTo, path), bytes)
    }
    const { page, close } = await open('en-GB')
    await page.locator('#folder').setInputFiles(unpackedTo)
    expect(Object.keys(await outcome(page)).every((name) => name.endsWith(' ok'))).toBe(true)
    expect(await page.locator('#result').textContent()).toBe('Everything agrees.')
    await close()
  })

  for (const dark of swept([false, true], (each) => each))
    test(`is accessible, ${dark ? 'dark' : 'light'}, on a narrow screen too`, async () => {
      // The page's own policy blocks the accessibility checker, so the policy is bypassed.
      const context = await browser.newContext({
        colorScheme: dark ? 'dark' : 'light',
        viewport: { width: 360, height: 800 },
        bypassCSP: true,
        offline: true,
      })
      const bare = await context.newPage()
      await bare.goto(pathToFileURL(join(folder, 'index.html')).href)
      expect(await axeFaults(bare)).toEqual([])
      writeFileSync(join(folder, 'narrow.zip'), packed({ ...files, 'extra.txt': new Uint8Array(3) }))
      await bare.locator('#zip').setInputFiles(join(folder, 'narrow.zip'))
      await bare.locator('#result.wrong').waitFor()
      expect(await axeFaults(bare)).toEqual([])
      expect(await overflows(bare)).toBe(false)
      await context.close()
    })
})

describe('a changed pack is reported with its location:', () => {
  test('a byte of a PDF', async () => {
    const path = Object.keys(files).find((name) => name.endsWith('.pdf'))!
    const bytes = new Uint8Array(files[path]!)
    bytes[500]! ^= 1
    expect((await found({ ...files, [path]: bytes })).wrong).toEqual({
      files: [`${path}: su contenido no es el que se guardó.`],
    })
  })

  test('two swapped records, with a recomputed manifest', async () => {
    const [, second = '', third = '', fourth = ''] = recordsIn()
    const changed = resealed(
      edit(files, recordFile(), (text) =>
        text
          .replace(second, '#')
          .replace(third, () => second)
          .replace('#', () => third),
      ),
    )
    const { wrong } = await found(changed)
    expect(Object.keys(wrong)).toEqual(['links', 'chain'])
    expect(wrong.links?.map((line) => line.split(':')[0])).toEqual([
      `Registro ${numberOf(third)} (#2)`,
      `Registro ${numberOf(second)} (#3)`,
      `Registro ${numberOf(fourth)} (#4)`,
    ])
    expect(wrong.chain).toEqual([`Registro ${numberOf(second)} (#2): no está en su sitio.`])
  })

  test('a missing record', async () => {
    const [, , third = '', fourth = ''] = recordsIn()
    const changed = resealed(edit(files, recordFile(), (text) => text.replace(third, '')))
    const { wrong } = await found(changed)
    expect(wrong.links?.[0]).toBe(
      `Registro ${numberOf(fourth)} (#3): no sigue al que tiene delante; nombra a ${numberOf(third)}.`,
    )
    expect(wrong.chain).toEqual([`Registro ${numberOf(third)} (#3): falta su XML.`])
    expect(wrong.invoices).toContain(`Factura ${numberOf(third)}: no tiene registro.`)
  })

  test('an amount, without recomputing its hash', async () => {
    const [first = ''] = recordsIn()
    const changed = resealed(
      edit(files, recordFile(), (text) =>
        text.replace(
          /(<sf:ImporteTotal>)(\d)/,
          (_, tag: string, digit: string) => `${tag}${9 - Number(digit)}`,
        ),
      ),
    )
    const { wrong } = await found(changed)
    expect(wrong.hashes).toEqual([
      `Registro ${numberOf(first)} (#1): su huella no es la de sus datos (${recordFile()}).`,
    ])
  })

  test('an amount, with a recomputed hash of its record', async () => {
    const [, second = '', third = ''] = recordsIn()
    const { text: fields, link } = readSealedRecord(second)
    if (!('taxTotal' in fields)) throw new Error('The second record is no registration.')
    const forged = { ...fields, taxTotal: '1.00' }
    const xml = second
      .replace(`<sf:CuotaTotal>${fields.taxTotal}<`, `<sf:CuotaTotal>1.00<`)
      .replace(link.hash, registrationHash(forged))
    const changed = resealed(edit(files, recordFile(), (text) => text.replace(second, () => xml)))
    const { wrong } = await found(changed)
    const number = numberOf(second)
    expect(wrong.hashes).toBeUndefined()
    expect(wrong.links).toEqual([
      `Registro ${numberOf(third)} (#3): no sigue al que tiene delante; nombra a ${number}.`,
    ])
    expect(wrong.chain).toEqual([
      `Registro ${number} (#2): no está en chain.json (${recordFile()}).`,
      `Registro ${number} (#2): falta su XML.`,
    ])
    expect(wrong.invoices?.[0]).toMatch(`Factura ${number}: la cuota no coincide, 1.00 ≠ ${fields.taxTotal}`)
    expect(wrong.books?.[0]).toMatch(`Factura ${number}: la cuota del libro no es la del registro, 1.00`)
  })

  test('events of the history in another order', async () => {
    const changed = resealed(
      edit(files, 'audit.jsonl', (text) => {
        const lines = text.split('\n')
        return [lines[0], lines[2], lines[1], ...lines.slice(3)].join('\n')
      }),
    )
    const { wrong } = await found(changed)
    expect(Object.keys(wrong)).toEqual(['history'])
    expect(wrong.history?.[0]).toMatch(/^audit\.jsonl:2: no está en su sitio \(.+ \(#3\)\)\.$/)
  })

  test('an event of the history with another name in it', async () => {
    const changed = resealed(
      edit(files, 'audit.jsonl', (text) =>
        text.replace('"action":"series.created"', '"action":"series.changed"'),
      ),
    )
    expect((await found(changed)).wrong.history?.[0]).toMatch(/^audit\.jsonl:\d+: no es el que se escribió/)
  })

  test('the manifest', async () => {
    const changed = edit(files, 'manifest.json', (text) => text.replace('"count": ', '"count": 1'))
    const { wrong, result } = await found(changed)
    expect(wrong.manifest).toEqual(['manifest.json: se ha editado después de sellarlo.'])
    expect(result).toContain('Hay algo que no coincide')
  })

  test('an invoice removed everywhere but in the chain', async () => {
    const path = Object.keys(files).find((name) => name.endsWith('.pdf'))!
    const number = path.slice('invoices/'.length, -'.pdf'.length)
    const { [path]: _, ...others } = files
    const changed = resealed(
      edit(others, 'invoices/invoices.json', (text) =>
        text.replace(new RegExp(`^.*"${number}".*\n`, 'm'), ''),
      ),
    )
    const { wrong } = await found(changed)
    expect(wrong.numbers?.at(-1)).toBe(`${number}: está registrada y no está en la lista de facturas.`)
    expect(wrong.invoices).toEqual([
      `invoices/: hay otro número de facturas (${INVOICES + 2} / ${INVOICES + 3}).`,
    ])
  })

  test('an extra file, and a missing one', async () => {
    const { 'LEEME.txt': _, ...others } = files
    expect((await found({ ...others, 'nota.txt': new Uint8Array(1) })).wrong.files).toEqual([
      'LEEME.txt: falta.',
      'nota.txt: no está en el manifiesto.',
    ])
  })

  test('a file that is not a pack is reported as such', async () => {
    const { page, close } = await open()
    writeFileSync(join(folder, 'none.zip'), 'nothing of the kind')
    await page.locator('#zip').setInputFiles(join(folder, 'none.zip'))
    await page.locator('#result.wrong').waitFor()
    expect(await page.locator('#result').textContent()).toContain('No es un archivo ZIP.')
    await close()
  })
})

describe('in Firefox', () => {
  const test = needs('firefox')

  test('verifies a complete pack, finds a changed record in another, and sends no request', async () => {
    const firefox = await startFirefox('es-ES')
    onTestFinished(() => firefox.stop())
    const checksOf = async (name: string, pack: PackFiles): Promise<string[]> => {
      const zip = join(folder, name)
      writeFileSync(zip, packed(pack))
      await firefox.open(pathToFileURL(join(folder, 'index.html')).href)
      await firefox.choose('#zip', zip)
      return firefox.evaluate<string[]>(`new Promise((resolve) => {
        const look = () => document.querySelector('#result.ok, #result.wrong')
          ? resolve([...document.querySelectorAll('#checks > li')].map((item) => [item.dataset.check, item.dataset.state,
              ...[...item.querySelectorAll('.faults li')].map((line) => line.textContent)].join(' ')))
          : setTimeout(look, 50)
        look()
      })`)
    }
    expect(await checksOf('firefox.zip', files)).toEqual(CHECKS.map((check) => `${check} ok`))

    const [first = ''] = recordsIn()
    const changed = edit(files, recordFile(), (text) => text.replace(/(<sf:ImporteTotal>)(\d)/, '$10'))
    expect(await checksOf('firefox-changed.zip', resealed(changed))).toContain(
      `hashes wrong Registro ${numberOf(first)} (#1): su huella no es la de sus datos (${recordFile()}).`,
    )

    expect(
      await firefox.evaluate<string>(
        "fetch('http://127.0.0.1:48123/').then(() => 'answered', (error) => String(error))",
      ),
    ).toContain('TypeError')
    expect(firefox.asked.filter((url) => !/^(file|blob):/.test(url))).toEqual([])
  }, 120_000)
})
