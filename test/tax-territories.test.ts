/**
 * Territories and taxes by name: only the tax systems know them. Everything else that names one is listed with its reason,
 * and a reason that is no longer needed is reported.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Where the names belong: the systems, texts for people, and the schema, whose migrations are never edited. */
const AT_HOME: readonly string[] = [
  'server/tax/systems/',
  'renderer/locales/',
  'renderer/app/help/',
  'server/domain/errors/messages/',
  'server/db/migrations/',
  'server/db/schema/',
  'server/db/postgres/schema/',
]

/** Codes and identifiers, not sentences: in a sentence the taxes are written in capitals and the places in full. */
const NAMES =
  /\b(?:canary|ceuta_melilla|igic|ipsi)\b|'(?:mainland|basque|navarre|IGIC|IPSI)'|\bES-(?:CN|CE|ML)\b|\b(?:IGIC|IPSI)(?:_|:)/

/** By path, or by folder with a slash at the end. */
const EXCEPTIONS: Record<string, string> = {
  'server/domain/tax/territories.ts': 'places and areas, the keys of the tables of the systems',
  'server/accounting/returns/': 'the returns of each tax and the calendars of their authorities, as rows',
  'server/registry/': 'the lists and rules of the record, by its codes of taxes',
  'server/documents/e-invoice/exchange/': 'a wire format with its own names and lists of taxes',
  'server/documents/truth/': 'reads that wire format back',
  'server/purchases/intake/reading/': 'words that suppliers print, not whose tax it is',
  'server/integrations/erp/': 'names of taxes in other programs',
  'server/app/imports/fields.ts': 'headings of columns in files',
  'server/sales/invoices/contract.ts': 'the name of the tax is part of the published answer',
  'server/tax/rules/contract.ts': 'codes of places in a published question',
  'renderer/accounting/returns/': 'facts of wages, by the codes of the state’s returns',
  'renderer/tax/territories.ts': 'names of places for people',
}

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->/g, '').replace(/(^|\s)\/\/.*$/gm, '')
}

const namesOne = (code: string): boolean => NAMES.test(withoutComments(code))

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return filesUnder(path)
    return /\.(ts|vue)$/.test(entry.name) ? [path] : []
  })
}

const isIn = (path: string, place: string): boolean =>
  path === place || (place.endsWith('/') && path.startsWith(place))

const naming = ['server', 'main', 'preload', 'renderer']
  .flatMap(filesUnder)
  .filter((path) => !AT_HOME.some((place) => isIn(path, place)))
  .filter((path) => namesOne(readFileSync(join(root, path), 'utf8')))

describe('territories and taxes by name', () => {
  test('are known to the tax systems, and to listed places', () => {
    const places = Object.keys(EXCEPTIONS)
    expect(naming.filter((path) => !places.some((place) => isIn(path, place)))).toEqual([])
  })

  test('every listed place still names one', () => {
    expect(Object.keys(EXCEPTIONS).filter((place) => !naming.some((path) => isIn(path, place)))).toEqual([])
  })

  test.each([
    ['a comparison', "if (company.territory === 'canary') return 7", true],
    ['another one', "if (territory !== 'mainland') return null", true],
    ['a tax', "const family = 'igic'", true],
    ['a place', "if (place === 'ES-CN') return true", true],
    ['a constant', 'const IGIC_RATES = [700]', true],
    ['a sentence', "const text = 'IGIC of the Canary Islands'", false],
    ['a comment', '// canary: seven per cent\nconst a = 1', false],
    ['an ellipsis', 'text-overflow: ellipsis;', false],
  ])('the check recognizes %s', (_name, code, found) => expect(namesOne(code)).toBe(found))
})
