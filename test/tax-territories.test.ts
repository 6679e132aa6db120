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

/** A question for one tax or territory by name, also for VAT: what a system should answer. */
const QUESTIONS =
  /[!=]==? *'(?:vat|igic|ipsi|IVA|IGIC|IPSI|mainland|canary|ceuta_melilla|basque|navarre)'|\bcase '(?:igic|ipsi|mainland|canary|ceuta_melilla|basque|navarre)'|[!=]== VAT_SYSTEM\b/

const RETURN_ROW = 'a return of one tax, or the calendar of its authority, as a row'
const RECORD = 'the lists and rules of the record, by its codes of taxes'
const WIRE = 'a wire format with its own names and lists of taxes'
const OTHER_VAT = 'the word names something else, no tax of a territory'
const VAT_RULE = 'a rule of VAT alone, beside the one of every other tax'

const VAT_NAME = 'VAT has a name in each language, the other taxes one in all'

/** Questions for a tax or territory outside the systems, by path. */
const ASKED: Record<string, string> = {
  'server/accounting/hand-on/formats/contaplus.ts': OTHER_VAT,
  'server/app/privacy/standing.ts': OTHER_VAT,
  'server/documents/pdf/layout/table.ts': OTHER_VAT,
  'server/integrations/erp/odoo/records.ts': OTHER_VAT,
  'server/integrations/erp/odoo/taxes.ts': OTHER_VAT,
  'renderer/accounting/ledger/PeriodsTab.vue': OTHER_VAT,
  'renderer/sales/invoices/editor/lines/paste.ts': OTHER_VAT,
  'server/accounting/returns/declaration/wage-records.ts':
    'a residence for income tax, by its code in the return',
  'server/app/demo/local-trade.ts': 'demonstrations of VAT stay as they were',
  'server/documents/e-invoice/category.ts': VAT_RULE,
  'server/accounting/ledger/chart/own-names.ts': VAT_NAME,
  'server/sales/invoices/correct/rectify-lines.ts': VAT_NAME,
  'server/sales/invoices/correct/rectify-messages.ts': VAT_NAME,
  'server/documents/pdf/labels/index.ts': VAT_NAME,
  'server/sales/invoices/draft/check-lines.ts': 'the published codes of the faults of VAT',
  'server/sales/invoices/draft/check-tax.ts': 'the published codes of the faults of VAT',
  'renderer/purchases/form.ts': 'rates of VAT, which have a list of their own',
  'renderer/tax/RatesSection.vue': 'the surcharge of VAT has a column of its own',
}

/** By path, or by folder with a slash at the end. */
const EXCEPTIONS: Record<string, string> = {
  'server/domain/tax/territories.ts': 'places and areas, the keys of the tables of the systems',
  'server/accounting/returns/calendar/holidays.ts': RETURN_ROW,
  'server/accounting/returns/calendar/return-rows.ts': RETURN_ROW,
  'server/accounting/returns/calendar/terms.ts': RETURN_ROW,
  'server/accounting/returns/models/carried.ts': RETURN_ROW,
  'server/accounting/returns/models/elsewhere.ts': RETURN_ROW,
  'server/accounting/returns/models/igic/model-420.ts': RETURN_ROW,
  'server/accounting/returns/models/selectors.ts': 'keys of the record that no return declares, by tax',
  'server/accounting/returns/models/recipients-contract.ts': 'a residence for income tax',
  'server/accounting/returns/declaration/wage-records.ts': 'a residence for income tax',
  'server/registry/systems/verifactu/record/rules/regimes.ts': RECORD,
  'server/registry/systems/verifactu/simulator/checks/': RECORD,
  'server/registry/systems/ticketbai/simulator/rules.ts': 'a language of the texts of rules',
  'server/documents/e-invoice/exchange/': WIRE,
  'server/documents/truth/stored.ts': WIRE,
  'server/documents/truth/ubl25.ts': WIRE,
  'server/purchases/intake/reading/': 'words that suppliers print, not whose tax it is',
  'server/integrations/erp/': 'names of taxes in other programs',
  'server/app/imports/fields.ts': 'headings of columns in files',
  'server/sales/invoices/contract.ts': 'the name of the tax is part of the published answer',
  'server/tax/rules/contract.ts': 'codes of places in a published question',
  'renderer/accounting/returns/recipients/': 'a residence for income tax',
  'renderer/tax/territories.ts': 'names of places for people',
}

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->/g, '').replace(/(^|\s)\/\/.*$/gm, '')
}

/** Paths of imports are left out: a folder of rows may bear the name of its tax. */
const withoutImports = (code: string): string => code.replace(/^(?:import|export) [^;]*? from '[^']+'$/gm, '')

const namesOne = (code: string): boolean => NAMES.test(withoutImports(withoutComments(code)))
const asksOne = (code: string): boolean => QUESTIONS.test(withoutComments(code))

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return filesUnder(path)
    return /\.(ts|vue)$/.test(entry.name) ? [path] : []
  })
}

const isIn = (path: string, place: string): boolean =>
  path === place || (place.endsWith('/') && path.startsWith(place))

const outside = ['server', 'main', 'preload', 'renderer']
  .flatMap(filesUnder)
  .filter((path) => !AT_HOME.some((place) => isIn(path, place)))
  .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const)
const naming = outside.filter(([, code]) => namesOne(code)).map(([path]) => path)
const asking = outside.filter(([, code]) => asksOne(code)).map(([path]) => path)

describe('territories and taxes by name', () => {
  test('are known to the tax systems, and to listed places', () => {
    const places = Object.keys(EXCEPTIONS)
    expect(naming.filter((path) => !places.some((place) => isIn(path, place)))).toEqual([])
  })

  test('are asked for nowhere else, not even VAT', () => {
    expect(asking.toSorted()).toEqual(Object.keys(ASKED).toSorted())
  })

  test.each([
    ['a family', "if (system.family !== 'vat') return", true],
    ['a branch', "case 'canary': return 1", true],
    ['a system', 'if (system === VAT_SYSTEM) return', true],
    ['a row', "{ model: '420', tax: 'igic' }", false],
    ['a comment', "// family === 'vat'", false],
  ])('a question by %s is recognized or not', (_name, code, found) => expect(asksOne(code)).toBe(found))

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
