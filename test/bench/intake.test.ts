/** The measurement of reading: what counts as right, and corpora whose truth their documents state. */
import { describe, expect, test } from 'vitest'
import { Dice } from '../../bench/intake/corpus/dice.ts'
import { drawDocument } from '../../bench/intake/corpus/document.ts'
import { factsOf, truthOf } from '../../bench/intake/corpus/facts.ts'
import { SETS } from '../../bench/intake/corpus/layouts/index.ts'
import { PictureMaker } from '../../bench/intake/corpus/pictures/variants.ts'
import { drawSupplier, nextNumber } from '../../bench/intake/corpus/supplier.ts'
import { KINDS, ownInvoice } from '../../bench/intake/own/contents.ts'
import { drawOwn } from '../../bench/intake/own/paper.ts'
import { foundInProposal } from '../../bench/intake/proposal-score.ts'
import { scoreOf, summaryOf, worstOf } from '../../bench/intake/score.ts'
import type { Found } from '../../bench/intake/score.ts'
import type { TruthDocument, TruthFields } from '../../bench/intake/truth.ts'
import { daysBetween } from '../../server/domain/dates.ts'
import { readPdf } from '../../server/purchases/intake/pdf.ts'
import { withPdf } from '../../server/purchases/intake/pages/pdfium.ts'
import { decodePictures } from '../../server/purchases/intake/pictures/decode.ts'
import { pictureFormatOf, statedSize } from '../../server/purchases/intake/pictures/header.ts'

const fields = truthOf(factsOf(new Dice(1), { rates: [2100], withheldBp: 1500 }))
const documents: TruthDocument[] = [{ id: '1', kind: 'goods', layout: 'boxes', files: {}, fields }]
const scored = (found: Found) => scoreOf(documents, new Map([['1', found]]))

describe('score', () => {
  test('what equals the truth is right', () => {
    const { whole, faults } = scored({ fields, sure: new Set(['total', 'taxLines']) })
    expect(faults).toEqual([])
    expect(whole).toEqual({ documents: 1, money: 1, key: 1, moneySure: 1, moneyWrongButSure: [] })
  })

  test('a wrong field that is called sure is counted, also as money', () => {
    const { whole, fields: tallies } = scored({
      fields: { ...fields, withholding: null },
      sure: new Set(['total', 'taxLines', 'withholding']),
    })
    expect(tallies.withholding).toMatchObject({ missing: 1, wrongButSure: ['1'] })
    expect(whole).toMatchObject({ money: 0, moneySure: 1, moneyWrongButSure: ['1'] })
  })

  test('a value that the document does not state is wrong, and a document not read is missing', () => {
    const truth = { ...fields, iban: null }
    const score = scoreOf(
      [{ ...documents[0]!, fields: truth }],
      new Map([['1', { fields: { ...truth, iban: 'ES12' }, sure: new Set() }]]),
    )
    expect(score.fields.iban).toMatchObject({ right: 0, wrong: 1 })
    expect(scoreOf(documents, new Map()).whole).toMatchObject({ money: 0, key: 0, moneySure: 0 })
  })

  test('wrong but sure comes before wrong, wrong before missing, with the reason of a doubt', () => {
    const all: TruthDocument[] = ['sure', 'wrong', 'missing', 'right'].map((id) => ({ ...documents[0]!, id }))
    const score = scoreOf(
      all,
      new Map<string, Found>([
        ['right', { fields, sure: new Set() }],
        ['missing', { fields: { ...fields, number: null }, sure: new Set() }],
        ['wrong', { fields: { ...fields, number: 'X1' }, sure: new Set(), vetoes: ['rival'] }],
        ['sure', { fields: { ...fields, category: 'alquiler' }, sure: new Set(['category']) }],
      ]),
    )
    const lines = worstOf(score, 10).split('\n')
    expect(lines.filter((line) => !line.startsWith(' '))).toEqual([
      'sure',
      'wrong (not sure: rival)',
      'missing',
    ])
    expect(lines[1]).toContain('category wrong SURE')
    expect(worstOf(score, 1)).not.toContain('missing')
    expect(summaryOf(new Map([['text', score]])).split('\n')[1]).toMatch(
      /^text +4 +4 \(100 %\) +2 \(50 %\) +0 \(0 %\) +0 +1$/,
    )
  })
})

const LAYOUTS = Object.entries(SETS).flatMap(([set, layouts]) =>
  Object.entries(layouts).map(([name, layout]) => ({ set, name, layout })),
)
const cents = (euros: number): number => Math.round(euros * 100)
/** Letters and digits, as they stand one after another on the page. */
const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()

function sumOf({ taxLines, withholding, supplied, total, payable }: TruthFields) {
  const lines = taxLines.reduce(
    (sum, { base, tax, surcharge }) => sum + cents(base) + cents(tax) + cents(surcharge ?? 0),
    0,
  )
  return {
    lines,
    total: cents(total ?? 0),
    payable: cents(payable ?? 0),
    rest: lines - cents(withholding?.amount ?? 0) + cents(supplied ?? 0),
  }
}

describe('corpora', () => {
  test('no layout for judging is one for developing, and there are enough of both', () => {
    const names = (set: string): string[] => Object.keys(SETS[set] ?? {})
    const drawings = (set: string) => Object.values(SETS[set] ?? {}).map(({ draw }) => draw)
    expect(names('own').length).toBeGreaterThanOrEqual(14)
    expect(names('held').length).toBeGreaterThanOrEqual(6)
    expect(
      names('held').filter((name) => names('own').includes(name) || names('first').includes(name)),
    ).toEqual([])
    expect(drawings('held').filter((draw) => drawings('own').includes(draw))).toEqual([])
  })

  test.each(LAYOUTS)('the documents of $set/$name state their truth', async ({ layout }) => {
    for (const kind of Object.keys(layout.kinds)) {
      const dice = new Dice(kind.length * 31)
      const one = { ...layout, kinds: { [kind]: layout.kinds[kind]! } }
      const { bytes, truth } = await drawDocument(one, dice)
      const { lines, total, payable, rest } = sumOf(truth)
      expect(lines, kind).toBe(total)
      // What was paid before is the rest.
      if (kind === 'prepaid') expect(payable).toBeLessThan(rest)
      else expect(payable, kind).toBe(rest)
      const text = bare(
        await withPdf(new Uint8Array(bytes), async (pdf) =>
          Array.from({ length: pdf.getPageCount() }, (_, page) => pdf.getPage(page).getText()).join(''),
        ),
      )
      const printed = [
        truth.number,
        truth.supplierName,
        truth.supplierNif,
        truth.customerNif,
        truth.iban,
        (Math.abs(payable) / 100).toFixed(2),
      ]
      for (const value of printed.filter((each) => each !== null))
        expect(text, `${kind} ${value}`).toContain(bare(value))
    }
  })

  test('the same seed draws the same document, another seed another', async () => {
    const layout = SETS['own']!['framed']!
    const draw = async (seed: number) => (await drawDocument(layout, new Dice(seed))).truth
    expect(await draw(4)).toEqual(await draw(4))
    expect(await draw(4)).not.toEqual(await draw(5))
  })

  test('a supplier keeps its number, labels and days to pay, and sends another document each time', async () => {
    const layout = SETS['own']!['telephone']!
    const termOf = ({ issueDate, dueDate }: TruthFields) => dueDate && daysBetween(issueDate!, dueDate)
    const drawn = await drawSupplier(layout, new Dice(3), 3)
    const labels: string[] = []
    for (const { bytes, truth } of drawn) {
      expect(truth).toMatchObject({
        supplierNif: drawn[0]!.truth.supplierNif,
        paymentMethod: drawn[0]!.truth.paymentMethod,
      })
      expect(termOf(truth)).toBe(termOf(drawn[0]!.truth))
      const text = await withPdf(new Uint8Array(bytes), async (pdf) => pdf.getPage(0).getText())
      expect(bare(text)).toContain(bare(truth.number!))
      // These stand below the items, of which each document has another number.
      labels.push(
        /^(Base imponible|Total \(base|Importe sin)[^]*\d,\d\d$/m
          .exec(text)?.[0]
          .replace(/[\d.]+,\d\d/g, '#') ?? '',
      )
    }
    expect(new Set(labels).size).toBe(1)
    expect(labels[0]).not.toBe('')
    expect(new Set(drawn.map(({ truth }) => truth.number)).size).toBe(3)
    expect(new Set(drawn.map(({ truth }) => truth.total)).size).toBe(3)
  })

  test('the next number of a supplier has the form of the last one, and leaves the year', () => {
    for (const [number, form] of [
      ['A123/26', /^A\d{3}\/26$/],
      ['2026-F-07', /^2026-F-\d\d$/],
      ['12/2026', /^\d\d\/2026$/],
      ['20260815', /^2026\d{4}$/],
      ['FV', /^FV$/],
    ] as const)
      expect(nextNumber(number, new Dice(1))).toMatch(form)
    expect(nextNumber('A123/26', new Dice(1))).not.toBe('A123/26')
  })

  test('pictures have the size of their variant, and the same seed draws the same', async () => {
    const { bytes } = await drawDocument(SETS['own']!['tavern']!, new Dice(9))
    const maker = new PictureMaker(bytes, true)
    const draw = async (variant: 'scan300' | 'scan200' | 'hard') =>
      (await maker.picturesOf(variant, new Dice(2)))[0]!.bytes
    for (const [variant, format, width] of [
      ['scan300', 'png', 900],
      ['scan200', 'jpeg', 600],
      ['hard', 'jpeg', 2200],
    ] as const) {
      const picture = await draw(variant)
      expect(pictureFormatOf(picture)).toBe(format)
      expect(statedSize(picture, format)?.width).toBeGreaterThan(width)
      for await (const grey of decodePictures(picture)) expect(new Set(grey.data).size).toBeGreaterThan(1)
    }
    expect((await draw('scan200')).equals(await draw('scan200'))).toBe(true)
  }, 60_000)
})

describe("Sello's own documents", () => {
  const kinds = Object.keys(KINDS)
  const ofKind = (kind: string) => drawOwn(ownInvoice(kinds.indexOf(kind), new Dice(kinds.indexOf(kind) + 7)))

  test('every kind has a truth that adds up, with its e-invoice unless nobody is its customer', async () => {
    for (const kind of kinds) {
      const { truth, hasXml } = await ofKind(kind)
      const { lines, total, payable, rest } = sumOf(truth)
      expect(lines, kind).toBe(total)
      expect(payable, kind).toBe(kind === 'replacing' ? rest - 12_100 : rest)
      expect(hasXml, kind).toBe(kind !== 'simplified' && kind !== 'ticket')
    }
  }, 60_000)

  test('the answer to a file with an e-invoice is its truth, with disbursements apart', async () => {
    for (const kind of ['disbursements', 'surcharge', 'canaries', 'replacing']) {
      const { bytes, truth } = await ofKind(kind)
      const { found } = await readPdf(
        bytes,
        { ownNif: truth.customerNif ?? '', ownName: '', today: '2026-12-31' },
        { seen: [] },
      )
      const { fields, sure } = foundInProposal(found.proposal)
      const { taxLines, supplied, total, payable, number } = truth
      expect(fields, kind).toMatchObject({ taxLines, supplied, total, payable, number })
      expect(sure.has('total'), kind).toBe(true)
      expect(foundInProposal({ ...found.proposal, closes: false }).sure.has('total')).toBe(false)
    }
  }, 60_000)
})
