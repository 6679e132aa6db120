/** Books for the tests of the built app: made by its command line once in a run for each size, copied for each server. */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

export const ROOT = resolve(import.meta.dirname, '..', '..', '..')
export const CLI = join(ROOT, 'out', 'main', 'cli.js')

/** The folder of the prepared books of this run; `build/test-setup.ts` sets it before the first test. */
export const PREPARED = 'SELLO_TEST_BOOKS'

export const COMPANY = {
  legalName: 'Taller Norte S.L.',
  nif: 'B12345674',
  kind: 'legal',
  address: { street: 'Calle Mayor 14', postalCode: '28013', city: 'Madrid', province: 'Madrid' },
}

/** Companies outside the common territory of VAT, by the place that the books are called after. */
const LOCAL_COMPANIES = {
  'las-palmas': {
    legalName: 'Taller Guiniguada S.L.',
    nif: 'B35000017',
    kind: 'legal',
    address: {
      street: 'Calle Triana 14',
      postalCode: '35002',
      city: 'Las Palmas de Gran Canaria',
      province: 'Las Palmas',
    },
  },
  ceuta: {
    legalName: 'Taller del Estrecho S.L.',
    nif: 'B51000016',
    kind: 'legal',
    address: { street: 'Calle Real 14', postalCode: '51001', city: 'Ceuta', province: 'Ceuta' },
  },
  bilbao: {
    legalName: 'Ane Etxeberria Uria',
    nif: '10000034W',
    kind: 'natural',
    activityCode: '1861',
    address: { street: 'Kale Nagusia 14', postalCode: '48001', city: 'Bilbao', province: 'Bizkaia' },
  },
  vitoria: {
    legalName: 'Gasteiz Tailerra S.L.',
    nif: 'B01000017',
    kind: 'legal',
    address: { street: 'Calle Dato 14', postalCode: '01001', city: 'Vitoria-Gasteiz', province: 'Álava' },
  },
  donostia: {
    legalName: 'Kontxa Tailerra S.L.',
    nif: 'B20000014',
    kind: 'legal',
    address: { street: 'Hernani kalea 14', postalCode: '20004', city: 'Donostia', province: 'Gipuzkoa' },
  },
} as const
export type LocalCompany = keyof typeof LOCAL_COMPANIES

interface Size {
  /** Company outside the common territory; without it the company of Madrid. */
  place?: LocalCompany | undefined
  /** How many invented invoices; with none, the company alone. */
  invoices: number
  sandbox: boolean
}

/** Runs a command of the built command line and returns the JSON of its last line. */
async function runCli(args: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], { cwd: ROOT })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>
}

/** Copies prepared books of a size into a folder. */
export async function copyBooks(folder: string, size: Size): Promise<void> {
  // A program that is not a run of the tests makes its own.
  const parent = (process.env[PREPARED] ??= mkdtempSync(join(tmpdir(), 'sello-books-')))
  const place = size.place ? `${size.place}-` : ''
  const books = join(parent, `${place}${size.invoices}${size.sandbox ? '-sandbox' : ''}`)
  await makeOnce(books, (begun) => makeBooks(begun, size))
  cpSync(books, folder, { recursive: true })
}

async function makeBooks(folder: string, { place, invoices, sandbox }: Size): Promise<void> {
  const file = `${folder}.json`
  writeFileSync(file, JSON.stringify(place ? LOCAL_COMPANIES[place] : COMPANY))
  await runCli(['init', '--company', file, '--data', folder, ...(sandbox ? ['--sandbox'] : [])])
  if (invoices > 0) await runCli(['demo', '--invoices', String(invoices), '--data', folder])
}

/** Makes a folder unless it is there. Of several workers one makes it, and the others wait. */
async function makeOnce(folder: string, make: (begun: string) => Promise<void>): Promise<void> {
  const begun = `${folder}.begun`
  while (!existsSync(folder)) {
    try {
      mkdirSync(begun)
    } catch {
      await delay(20)
      continue
    }
    try {
      // Another worker may have finished between the two looks.
      if (existsSync(folder)) return
      await make(begun)
      renameSync(begun, folder)
    } finally {
      rmSync(begun, { recursive: true, force: true })
    }
  }
}
