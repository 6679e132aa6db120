/**
 * The registry is a port: outside its folder nothing of the server names a registry or its authority, with few
 * exceptions. What is left over is what a further registry would touch.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesNamingRegistries, filesWithBrands } from './support/checks/brands.ts'

const ROOT = resolve(import.meta.dirname, '..')

/** Texts for people, and documents of the law. */
const TEXT = 'a text that people read'
/** The tax agency in other roles than that of a registry. */
const AGENCY = 'the agency as the receiver of returns, the keeper of lists or a party at a bank: no registry'
const PLATFORM = 'a literal of the public e-invoice platform, whose documents name the registry of the QR'

/** Files that name a brand for another reason than to know a registry. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'server/accounting/bank/match/patterns.ts': AGENCY,
  'server/accounting/returns/filing/aeat/index.ts': AGENCY,
  'server/accounting/returns/filing/aeat/informative.ts': AGENCY,
  'server/accounting/returns/filing/aeat/messages.ts': AGENCY,
  'server/accounting/returns/filing/aeat/transport.ts': AGENCY,
  'server/accounting/returns/filing/way.ts': AGENCY,
  'server/accounting/returns/simulator/document.ts': AGENCY,
  'server/app/moving-in/files/recognize.ts': AGENCY,
  'server/catalog/lookups/census.ts': AGENCY,
  'server/app/inspection/readme.ts': TEXT,
  'server/domain/errors/messages/en.ts': TEXT,
  'server/domain/errors/messages/es.ts': TEXT,
  'server/documents/e-invoice/exchange/assumptions.ts': TEXT,
  'server/documents/e-invoice/exchange/codes.ts': PLATFORM,
  'server/documents/e-invoice/exchange/write.ts': PLATFORM,
  'server/integrations/exchange/simulator/help.ts': PLATFORM,
  'server/domain/tax/law-dates.ts': 'dates of laws by the names of the laws; a registry does not read them',
  'server/db/migrations/0021/registries.ts': 'the registry of all books of earlier versions, as stored',
  'server/db/postgres/schema/newest.ts': 'generated from the migration above',
  'server/db/postgres/schema/steps.ts': 'generated from the migration above',
  'server/app/backups/proof/prove.ts': 'books of earlier versions, which have no column for it',
  'server/registry/index.ts': 'passes the name of the first registry on',
}

/** Files outside its own folder that a further registry touches, with what it adds there. */
const A_FURTHER_REGISTRY: Readonly<Record<string, string>> = {
  'server/registry/systems/index.ts': 'its line in the list',
  'server/registry/systems/packing.ts': 'the dictionary that its records are compressed with',
  'server/documents/truth/records.ts': 'the reader that compares its records, by code of its own',
  'server/purchases/intake/qr-url.ts': 'its QR on invoices of suppliers',
}

function sources(): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(join(ROOT, 'server'), { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !/\.(ts|mjs)$/.test(entry.name)) continue
    const full = join(entry.parentPath, entry.name)
    found[full.slice(ROOT.length + 1).replaceAll('\\', '/')] = readFileSync(full, 'utf8')
  }
  return found
}

describe('names of registries', () => {
  const all = sources()

  test('stand in their folders, and elsewhere only where the list says why', () => {
    const listed = [...Object.keys(EXCEPTIONS), ...Object.keys(A_FURTHER_REGISTRY)]
    const named = new Set([...filesWithBrands(all), ...filesNamingRegistries(all)])
    expect([...named].toSorted()).toEqual(listed.toSorted())
  })

  test('lead to the files that a further registry touches, which the guide lists', () => {
    const guide = readFileSync(join(ROOT, 'docs/registry.md'), 'utf8')
    const [, section = ''] = guide.split('## A further registry')
    const rows = [...section.split('\n## ')[0]!.matchAll(/^\| `(server\/[^`]+)` \| (.+) \|$/gm)]
    expect(Object.fromEntries(rows.map(([, path, what]) => [path, what]))).toEqual(A_FURTHER_REGISTRY)
    const touched = filesNamingRegistries(all).filter((path) => !(path in EXCEPTIONS))
    expect(touched).toEqual(Object.keys(A_FURTHER_REGISTRY).toSorted())
  })

  test.each([
    ['a path', 'server/sales/verifactu.ts', ''],
    ['an import', 'server/sales/a.ts', "import { x } from '../registry/systems/verifactu/index.ts'"],
    ['a name', 'server/sales/a.ts', 'const isTicketBai = true'],
    ['a text', 'server/sales/a.ts', "if (book.registry === 'verifactu') throw new Error()"],
    ['a template', 'server/sales/a.ts', 'const url = `https://www1.aeat.es/${path}`'],
    ['a pattern', 'server/sales/a.ts', 'const host = /aeat\\.es$/'],
  ])('are found in %s', (_what, path, code) => {
    expect(filesWithBrands({ [path]: code })).toEqual([path])
  })

  test('are allowed in comments, and in the folder of a registry', () => {
    const code = '/** The AEAT keeps VERI*FACTU, verifactu for short. */\nconst x = 1 // aeat'
    expect(filesWithBrands({ 'server/sales/a.ts': code })).toEqual([])
    expect(filesWithBrands({ 'server/registry/systems/verifactu/a.ts': 'const aeat = 1' })).toEqual([])
  })
})
