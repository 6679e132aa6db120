/**
 * Structured invoices: golden files, the rules of their formats, and the results of our own readers.
 * `SELLO_UPDATE_GOLDEN=1` writes the golden files again; a person then reviews every change.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { totalsOf } from '../../../../server/sales/invoices/index.ts'
import {
  availableFormats,
  ciiXml,
  eInvoiceOf,
  facturaeXml,
  ublXml,
} from '../../../../server/documents/e-invoice/index.ts'
import type { EInvoice } from '../../../../server/documents/e-invoice/index.ts'
import { readStructured } from '../../../../server/purchases/intake/structured.ts'
import { brokenRules, RULES } from './en16931-rules.ts'
import { facturaeFaults } from './facturae-rules.ts'
import { modelOf } from './model.ts'
import type { Model } from './model.ts'
import { invoiceOf, issued, line, randomContent, SAMPLES } from './samples.ts'
import { inLongRun, sweptCount } from '../../../support/sweep.ts'

/** Of our rules, not of the program. */
const longTest = inLongRun(test)

const FOLDER = join(import.meta.dirname, '../../../golden/einvoice')
const WRITERS = { cii: ciiXml, ubl: ublXml, facturae: facturaeXml }
const samples = Object.entries(SAMPLES)
const RANDOM = { numRuns: sweptCount(200, 60), seed: 20_261_121 }

/** Returns a compact file with one line for each element, for people to read. */
const readable = (xml: string): string => (xml.includes('>\n  <') ? xml : xml.replaceAll('><', '>\n<'))

describe('the golden file', () => {
  test.each(samples)('of %s is written unchanged', (name, make) => {
    for (const [format, write] of Object.entries(WRITERS)) {
      const file = join(FOLDER, `${name}.${format}.xml`)
      const xml = readable(write(make()))
      if (process.env.SELLO_UPDATE_GOLDEN === '1') writeFileSync(file, xml)
      expect(existsSync(file), `${name}.${format}.xml is there`).toBe(true)
      expect(xml).toBe(readFileSync(file, 'utf8'))
    }
  })

  test('of every name has its invoice', () => {
    const names = samples.flatMap(([name]) => Object.keys(WRITERS).map((format) => `${name}.${format}.xml`))
    expect(readdirSync(FOLDER).toSorted()).toEqual(names.toSorted())
  })
})

const bothOf = (invoice: EInvoice): Model[] => [modelOf(ciiXml(invoice)), modelOf(ublXml(invoice))]

describe('the rules of EN 16931', () => {
  test.each(samples)('%s follows them all in both syntaxes', (_name, make) => {
    for (const model of bothOf(make())) expect(brokenRules(model)).toEqual([])
  })

  test('random invoices follow them all, and both syntaxes say the same', () => {
    fc.assert(
      fc.property(randomContent, (content) => {
        const invoice = eInvoiceOf(content, totalsOf(content), issued())
        const [cii, ubl] = bothOf(invoice) as [Model, Model]
        expect(brokenRules(cii)).toEqual([])
        const { syntax: _cii, root: _root, taxPointCode, notes, ...said } = cii
        expect({ ...ubl, taxPointCode: taxPointCode === '72' ? '432' : taxPointCode }).toEqual({
          ...said,
          syntax: 'ubl',
          root: ['381', '261'].includes(cii.typeCode ?? '') ? 'CreditNote' : 'Invoice',
          taxPointCode: ubl.taxPointCode,
          notes: notes.flatMap((note) => note.split('\n')),
        })
      }),
      RANDOM,
    )
  })

  longTest('each rule detects a file that breaks it', () => {
    const waiting = new Set(RULES.map(([id]) => id))
    const ask = (model: Model) => {
      for (const [id, isBroken] of RULES) if (waiting.has(id) && isBroken(model)) waiting.delete(id)
    }
    for (const [, make] of samples)
      for (const model of bothOf(make())) for (const bad of spoiled(model)) ask(bad)
    expect([...waiting]).toEqual([])
  })
})

const POISON = [null, '', 'X', '-1', '7.25', '0.001', '999.99', 'S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M']

/** Yields copies of a model with one fault each: every text replaced, every list empty and with one more element. */
function* spoiled(model: Model): Generator<Model> {
  const places: [holder: (copy: unknown) => Record<string, unknown>, key: string][] = []
  const walk = (value: unknown, path: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, each] of Object.entries(value)) {
      const reach = (copy: unknown) =>
        path.reduce((at, step) => (at as Record<string, unknown>)[step], copy) as Record<string, unknown>
      places.push([reach, key])
      walk(each, [...path, key])
    }
  }
  walk(model, [])
  for (const [holder, key] of places) {
    const value = holder(model)[key]
    if (Array.isArray(value)) {
      for (const list of [value.slice(1), [...value, ...value]])
        yield changed(model, (copy) => (holder(copy)[key] = structuredClone(list)))
      continue
    }
    if (typeof value === 'object' && value !== null) {
      if ('reason' in value)
        yield changed(model, (copy) =>
          Object.assign(holder(copy)[key] as object, { reason: null, reasonCode: null }),
        )
      continue
    }
    if (typeof value === 'boolean') yield changed(model, (copy) => (holder(copy)[key] = !value))
    else for (const poison of POISON) yield changed(model, (copy) => (holder(copy)[key] = poison))
  }
}

function changed(model: Model, change: (copy: Model) => void): Model {
  const copy = structuredClone(model)
  change(copy)
  return copy
}

describe('Facturae', () => {
  test.each(samples)('%s adds up', (_name, make) => {
    const invoice = make()
    expect(facturaeFaults(facturaeXml(invoice), invoice.groups.length)).toEqual([])
  })

  test('random invoices add up, or state why they have no such file', () => {
    let written = 0
    fc.assert(
      fc.property(randomContent, (content) => {
        const invoice = eInvoiceOf(content, totalsOf(content), issued())
        const fault = availableFormats(invoice).facturae
        if (fault !== null) {
          expect(fault).toBe('only_disbursements')
          return
        }
        written += 1
        expect(facturaeFaults(facturaeXml(invoice), invoice.groups.length)).toEqual([])
      }),
      RANDOM,
    )
    expect(written).toBeGreaterThan(RANDOM.numRuns * 0.75)
  })

  test('a changed amount is detected anywhere in a file', () => {
    const amounts = /<(\w*(?:Amount|Total|TotalCost|GrossAmount\w*|TotalTax\w+|Total\w+))>(-?\d+\.\d\d)</g
    for (const name of [
      '02-three-rates-discounts-withholding',
      '04-surcharge',
      '10-exempt-suplidos-and-taxed',
      '17-rectifying-by-substitution',
    ]) {
      const xml = facturaeXml((SAMPLES[name] as () => EInvoice)())
      let count = 0
      for (const match of xml.matchAll(amounts)) {
        count += 1
        const [whole, element = '', amount = ''] = match
        const wrong = whole.replace(amount, (Number(amount) + 7).toFixed(2))
        const spoilt = xml.slice(0, match.index) + wrong + xml.slice(match.index + whole.length)
        expect(facturaeFaults(spoilt, 3), `${name}: ${element} ${amount}`).not.toEqual([])
      }
      expect(count).toBeGreaterThan(20)
    }
  })

  test('the file is canonical XML: explicit end tags, no blank between elements, text escaped', () => {
    const xml = facturaeXml(invoiceOf({ notes: 'a < b & c > "d"\te', lines: [line('<x>&</x>', 1)] }))
    expect(xml.slice(xml.indexOf('\n') + 1)).not.toMatch(/\/>|>\s+</)
    expect(xml).toContain('a &lt; b &amp; c &gt; "d"\te')
    expect(xml).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<fe:Facturae xmlns:fe="[^"]+"><FileHeader>/,
    )
    expect(xml.endsWith('</Invoices></fe:Facturae>')).toBe(true)
  })
})

describe('our own readers', () => {
  const read = (xml: string) => {
    const found = readStructured(Buffer.from(xml))
    if (!found) throw new Error('Nothing was read.')
    return found.proposal
  }
  const euros = (cents: number): number => (cents === 0 ? 0 : cents / 100)
  const valueSum = (proposal: ReturnType<typeof read>): number =>
    Math.round(
      (proposal.taxLines ?? []).reduce(
        (sum, each) => sum + each.base + (each.tax ?? 0) + (each.surcharge ?? 0),
        0,
      ) * 100,
    )

  test.each(samples)('%s is read back with the same figures', (_name, make) => {
    const invoice = make()
    for (const write of Object.values(WRITERS)) {
      const proposal = read(write(invoice))
      expect(proposal).toMatchObject({
        total: euros(invoice.totalCents),
        payable: euros(invoice.amountDueCents),
        supplierName: 'Estudio Peña & Muñoz, S.L.',
        supplierNif: 'B12345674',
        supplierNumber: invoice.number,
        issueDate: invoice.issueDate,
        currency: invoice.currency,
        supplierAddress: { street: 'Calle de la Palma, 27, 2.º izda.', postalCode: '28004', city: 'Madrid' },
      })
      expect(valueSum(proposal)).toBe(invoice.totalCents)
      if (invoice.references.length > 0 && invoice.rectification)
        expect(proposal.rectifies?.[0]).toEqual({ supplierNumber: 'F2026-0012', issueDate: '2026-03-15' })
    }
  })

  test('tax lines, withholding and surcharge are read back one by one', () => {
    const facturae = read(facturaeXml((SAMPLES['04-surcharge'] as () => EInvoice)()))
    expect(facturae.taxLines).toEqual([
      { base: 100.1, vatRate: 21, tax: 21.02, surcharge: 5.21, surchargeRate: 5.2 },
      { base: 10.02, vatRate: 21, tax: 2.1 },
      { base: 33.33, vatRate: 10, tax: 3.33, surcharge: 0.47, surchargeRate: 1.4 },
    ])
    const discounted = invoiceOf({ withholdingBp: 1500, discountBp: 1000, lines: [line('Proyecto', 1000)] })
    expect(read(facturaeXml(discounted)).withholding).toEqual({ rate: 15, base: 900, amount: 135 })
    expect(read(ciiXml(discounted)).taxLines).toEqual([{ base: 900, vatRate: 21, tax: 189 }])
    expect(read(ublXml(discounted)).payable).toBe(954)
  })
})

test('five hundred lines are all written', () => {
  const invoice = invoiceOf({
    lines: Array.from({ length: 500 }, (_, index) =>
      line(`Artículo ${index} & <cosas>`, 1.005 + index, { discountBp: index % 3 === 0 ? 500 : 0 }),
    ),
  })
  for (const [format, write] of Object.entries(WRITERS))
    expect(write(invoice).match(/Artículo \d+ &amp; &lt;cosas&gt;/g), format).toHaveLength(500)
})
