/** Boxes, identities and terms of the returns of IGIC against the researched tables. Needs SELLO_SHARED. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../server/accounting/returns/models/boxes.ts'
import type { Box } from '../../server/accounting/returns/models/boxes.ts'
import { draft420 } from '../../server/accounting/returns/drafts/xml-420.ts'
import { boxes420 } from '../../server/accounting/returns/models/igic/model-420.ts'
import { boxes425 } from '../../server/accounting/returns/models/igic/model-425.ts'

const shared = process.env['SELLO_SHARED']
const folder = join(shared ?? '', 'territories')

interface Row {
  box: string
  formula: string
}

function table(name: string): Row[] {
  const [, ...lines] = readFileSync(join(folder, name), 'utf8').trim().split('\n')
  return lines.map((line) => {
    const [box = '', , , formula = ''] = line.split('\t')
    return { box, formula }
  })
}

/** Terms of a formula as signed boxes: `41+42-43`. */
const termsOf = (formula: string): string[] => formula.replace(/^(?!-)/, '+').match(/[+-]\d+(?: bis)?/g) ?? []

/** Terms of a sum of ours. */
const ownTerms = ({ sum = [] }: Box): string[] =>
  sum.map(([number, sign]) => `${sign === 1 ? '+' : '-'}${number}`)

const isIdentity = ({ formula }: Row): boolean => /^\d+(?:[+-]\d+)+$/.test(formula)
/** A "bis" line is ours to add: the table gives no identity with it. */
const withoutBis = (terms: readonly string[]) => terms.filter((term) => !term.endsWith('bis')).toSorted()

describe.skipIf(!shared)('the returns of IGIC', () => {
  test('420 has every box of the table, and its identities', () => {
    const rows = table('model-420.tsv')
    const boxes = boxes420([])
    expect(boxes.map(({ box }) => box).toSorted()).toEqual(rows.map(({ box }) => box).toSorted())
    const identities = rows.filter(isIdentity)
    expect(identities.map(({ box }) => box)).toEqual(['25', '40', '41', '45'])
    for (const { box, formula } of identities)
      expect(ownTerms(boxes.find((each) => each.box === box)!).toSorted(), box).toEqual(
        termsOf(formula).toSorted(),
      )
  })

  test('425 has every box of the table, and its identities', () => {
    const rows = table('model-425.tsv')
    const boxes = boxes425([])
    const named = rows.flatMap(({ box }) => {
      const [, from, to] = /^(\d+)\.\.(\d+)/.exec(box) ?? []
      if (from === undefined || to === undefined) return [box]
      return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) =>
        String(Number(from) + index).padStart(2, '0'),
      )
    })
    const ours = boxes.map(({ box }) => box).filter((box) => !box.endsWith('bis'))
    expect(ours.toSorted()).toEqual(named.toSorted())
    const identities = rows.filter(isIdentity)
    expect(identities.length).toBeGreaterThan(8)
    for (const { box, formula } of identities)
      expect(withoutBis(ownTerms(boxes.find((each) => each.box === box)!)), box).toEqual(
        termsOf(formula).toSorted(),
      )
  })

  test('420 reproduces the worked numbers', () => {
    const { igic_420: worked } = JSON.parse(readFileSync(join(folder, 'vectors.json'), 'utf8')) as {
      igic_420: { quarter: Record<string, string>; result: Record<string, string> }
    }
    const given = new Map(
      Object.entries(worked.quarter).map(([box, euros]) => [box, Math.round(Number(euros) * 100)]),
    )
    // The boxes that come from documents are given here: only the sums are computed.
    const boxes = boxes420([]).map((box): Box => {
      const { from: _from, ...rest } = box
      return given.has(box.box) ? rest : box
    })
    const values = evaluate(boxes, [], given)
    for (const [box, euros] of Object.entries(worked.result))
      expect(values.find((value) => value.box.box === box)?.value, box).toBe(Math.round(Number(euros) * 100))
  })

  test('the draft of the 420 has only paths of the table, and amounts and rates in its forms', () => {
    const [, ...lines] = readFileSync(join(folder, 'model-420-xml.tsv'), 'utf8').trim().split('\n')
    const allowed = new Set<string>()
    for (const line of lines) {
      const [path = '', , format = ''] = line.split('\t')
      const [element = '', names] = path.split('/@')
      const attributes =
        names?.split(/ ?@| /).filter(Boolean) ??
        (format.startsWith('as DEV') ? ['BAS', 'TIP', 'CUO'] : format.startsWith('CUO') ? ['CUO'] : [])
      for (const name of attributes) allowed.add(`${element}/@${name}`)
    }
    const amounts = { baseCents: 5, taxCents: -100, rateBp: 950 }
    const xml = Buffer.from(
      draft420({
        year: 2026,
        quarter: 4,
        completes: { receipt: '4200000000001' },
        filer: {
          nif: 'B35000017',
          name: 'Guanche, S.L.',
          postalCode: '35001',
          country: 'ES',
          email: 'a@b.example',
        },
        isCash: true,
        lines: [amounts, { ...amounts, rateBp: 0 }],
        asBuyer: amounts,
        corrections: amounts,
        box: (number) => Number(number),
        kind: 'D',
      }),
    ).toString('latin1')
    const open: string[] = []
    const found: [path: string, value: string][] = []
    for (const [, closing, name = '', text = '', ends] of xml.matchAll(
      /<(\/?)([A-Z_]+)((?: [A-Z]+="[^"]*")*)(\/?)>/g,
    )) {
      if (closing) {
        expect(open.pop()).toBe(name)
        continue
      }
      open.push(name)
      for (const [, attribute = '', value = ''] of text.matchAll(/([A-Z]+)="([^"]*)"/g))
        found.push([`${open.join('/')}/@${attribute}`, value])
      if (ends) open.pop()
    }
    expect(open).toEqual([])
    expect(found.length).toBeGreaterThan(50)
    expect(found.map(([path]) => path).filter((path) => !allowed.has(path))).toEqual([])
    for (const [path, value] of found) {
      if (/@(?:BAS|CUO|TOT|DIF|RCU|CPA|DAC|RLI|IMP|EOA|ODD)$/.test(path))
        expect(value, path).toMatch(/^-?\d{2,15}$/)
      if (/DEV\/@TIP$/.test(path)) expect(value, path).toMatch(/^\d{2,5}$/)
    }
  })
})
