/** Rows of sums as programs print them: a base before its quota, two blocks in one row, other languages and currencies. */
import { describe, expect, test } from 'vitest'
import { linesOf, pictureOf, readingOf, readText } from '../read-text.ts'

describe('a row of the taxes with the base before the quota', () => {
  test.each([
    [
      'under headings that share their row with another block',
      'FORMA DE PAGO                                Base        Cuota\nTransferencia            IVA 21 %        100,00        21,00\n                         IVA 10 %         50,00         5,00\n                         Suma            150,00        26,00\n                         Total factura                176,00',
      [
        [10_000, 2_100, 2_100],
        [5_000, 1_000, 500],
      ],
    ],
    [
      'without headings, by the product',
      'IVA 21 %     1.347,72 €     283,02 €\nTotal factura     1.630,74 €',
      [[134_772, 2_100, 28_302]],
    ],
    [
      'beside words of the payment, which do not name it',
      'Pago con tarjeta                             Base        Cuota\nTarjeta                  IVA 21 %        100,00        21,00\nEfectivo                 Total factura                121,00',
      [[10_000, 2_100, 2_100]],
    ],
    [
      'with a surcharge that states its base again',
      '                                   Base        Cuota\nIVA 21 %                         232,13        48,75\nRecargo equivalencia 5,2 %       232,13        12,07\nTotal factura                                 292,95',
      [[23_213, 2_100, 4_875, 1_207]],
    ],
    [
      'with the percent sign before the figure',
      '                    Oinarria        Kuota\nBEZ % 21              345,12        72,48\nGuztira                            417,60',
      [[34_512, 2_100, 7_248]],
    ],
    [
      'in the lines of a ticket, whose prices are no quotas',
      'Portes\n5,441 × 245,03 € · IVA 21 %     1.333,21 €\nHoras\n9 × 273,80 € · IVA 10 %     2.464,20 €\nIVA 21 % · Base 1.101,83 €     231,38 €\nIVA 10 % · Base 2.240,18 €     224,02 €\nTotal     3.797,41 €',
      [
        [110_183, 2_100, 23_138],
        [224_018, 1_000, 22_402],
      ],
    ],
  ])('%s', (_name, text, lines) => {
    const reading = readText(text)
    expect(linesOf(reading)?.toSorted()).toEqual(lines.toSorted())
    expect(reading.vetoes).toEqual([])
    expect(reading.closes).toBe(true)
  })

  test('of which the second amount is not the quota, it stays one', () => {
    const { closes } = readText('IVA 21 %     100,00     45,00\nTotal factura     145,00')
    expect(closes).toBe(false)
  })
})

describe('withholding that states its base', () => {
  test.each([
    ['before it', 'Retención IRPF 15 % sobre 100,00     −15,00'],
    ['in brackets', 'PFEZaren atxikipena: % 15 (oinarria: 100,00)     −15,00'],
    ['in French', 'Retenue à la source (IRPF) 15 % sur 100,00     −15,00'],
    ['in the row below', 'Einbehaltene Steuer (IRPF) 15 % von                −15,00\n100,00'],
  ])('%s', (_name, row) => {
    const reading = readText(
      `Base imponible     100,00\nIVA 21 %     21,00\nTotal     121,00\n${row}\nTotal a pagar     106,00`,
    )
    expect(reading.vetoes).toEqual([])
    expect(reading.fields.withholding.value).toEqual({
      rateBp: 1_500,
      baseCents: 10_000,
      amountCents: 1_500,
    })
    expect(reading.fields.payable).toMatchObject({ value: 10_600, level: 'proven' })
  })
})

describe('what OCR sees in such rows', () => {
  const HEAD = 'Pago con tarjeta                             Base        Cuota\n'
  const END = '\n                         Total factura                121,00'
  test.each([
    [
      'a stain between the label and its amounts',
      'Tarjeta                  IVA 21 %   -    100,00        21,00',
    ],
    ['the name of the tax', 'Tarjeta                  TYA 21 %        100,00        21,00'],
  ])('%s', (_name, row) => {
    const reading = readingOf(pictureOf(HEAD + row + END, HEAD + row + END))
    expect(linesOf(reading)).toEqual([[10_000, 2_100, 2_100]])
    expect(reading.vetoes).toEqual([])
  })

  test('a figure alone under the heading of the rates is no rate', () => {
    const text =
      'Concepto        IVA     Importe\nPortes          21 %     100,00\n                1\nBase imponible     100,00\nIVA 21 %     21,00\nTotal     121,00'
    expect(readingOf(pictureOf(text, text)).vetoes).toEqual([])
  })

  test('the symbol as a third decimal', () => {
    const text =
      'Base 1.430,80\nIVA 4%     57,23\nRec. equivalencia 0,5%     7,155€\nTotal factura     1.495,18'
    const reading = readingOf(pictureOf(text, text))
    expect(linesOf(reading)).toEqual([[143_080, 400, 5_723, 715]])
  })

  test('a lost letter of the label of the total', () => {
    const text =
      'Base imponible     100,00\nIVA 21 %     21,00\nRetención IRPF 15 %     −15,00\nTotal pagar     106,00'
    expect(readingOf(pictureOf(text, text)).fields.payable).toMatchObject({ value: 10_600, level: 'proven' })
  })
})

test.each([
  ['French', 'Base HT     100,00\nTVA 21 %     21,00\nTotal TTC     121,00', 12_100],
  ['French, to pay', 'Total HT     100,00\nTVA 21 %     21,00\nNet à payer     121,00', 12_100],
  ['German', 'Nettobetrag     100,00\nMwSt. 21 %     21,00\nGesamtbetrag     121,00', 12_100],
  [
    'German, with the tax',
    'Netto     100,00\nUSt. 21 %     21,00\nGesamtbetrag inkl. MwSt.     121,00',
    12_100,
  ],
  ['Portuguese', 'Base tributável     100,00\nIVA 21 %     21,00\nTotal da fatura     121,00', 12_100],
  ['Basque', 'Oinarria     100,00\nBEZ % 21     21,00\nOrdaindu beharrekoa     121,00', 12_100],
])('the labels of the sums in %s', (_language, text, total) => {
  const { fields, vetoes } = readText(text)
  expect(vetoes).toEqual([])
  expect(fields.total).toMatchObject({ value: total, level: 'proven' })
})

test.each([
  ['Suplidos', 'Suplidos     34,17'],
  ['in Catalan', 'Suplerts     34,17'],
  ['in French', 'Débours     34,17'],
  ['in German', 'Durchlaufende Posten     34,17'],
])('disbursements %s', (_language, row) => {
  const { fields } = readText(
    `Base imponible     100,00\nIVA 21 %     21,00\nTotal     121,00\n${row}\nTotal a pagar     155,17`,
  )
  expect(fields.supplied).toMatchObject({ value: 3_417, level: 'proven' })
  expect(fields.total.value).toBe(12_100)
})

test('what is given back is printed without its sign', () => {
  const { fields, closes } = readText(
    'Factura rectificativa\nBase imponible     −100,00\nIVA 21 %     −21,00\nTotal     −121,00\nTotal a devolver     121,00',
  )
  expect(closes).toBe(true)
  expect(fields.payable.value).toBe(-12_100)
})

test('what was invoiced before is taken off', () => {
  const { fields, closes } = readText(
    'Base     100,00\nIVA 21 %     21,00\nTotal factura     121,00\nYa facturado en lo que sustituye     −21,00\nTotal a pagar     100,00',
  )
  expect(closes).toBe(true)
  expect(fields.prepaid.value).toBe(2_100)
  expect(fields.payable.value).toBe(10_000)
})

describe('another currency', () => {
  const DOLLARS =
    'Base     1.983,31 USD\nIVA 21 %     416,50 USD\nCambio: 1 € = 1,0837 USD\nIVA en euros     384,33 €\nTotal en euros     2.214,46 €\nTotal     2.399,81 USD'

  test('repeats the sums, which are those of the currency of the document', () => {
    const { fields } = readText(DOLLARS)
    expect(fields.currency.value).toBe('USD')
    expect(fields.total.value).toBe(239_981)
    expect(linesOf(readText(DOLLARS))).toEqual([[198_331, 2_100, 41_650]])
  })

  test('has a rate, which is no change given back in cash', () => {
    expect(readText(DOLLARS).fields.paymentMethod.value).toBeNull()
  })
})

describe('a tax that cannot be deducted is part of the base', () => {
  test('IGIC', () => {
    const { fields, closes } = readText('Base     100,00\nIGIC 7 %     7,00\nTotal     107,00')
    expect(fields.taxLines.value).toEqual([
      { baseCents: 10_700, rateBp: 0, taxCents: 0, surchargeBp: null, surchargeCents: 0, untaxed: 'cost' },
    ])
    // A company of the islands would deduct it.
    expect(closes).toBe(false)
  })

  test('of the margin of a seller of used goods, who does not state it', () => {
    const { fields, closes } = readText(
      '                                         Base      Cuota\nRégimen especial, IVA incluido       9.000,00      —\nTotal factura                                   9.000,00\nRégimen especial de los bienes usados',
    )
    expect(fields.taxLines.value).toMatchObject([{ baseCents: 900_000, rateBp: 0, untaxed: 'cost' }])
    expect(closes).toBe(false)
  })
})

test('an exempt base that is the total proves it', () => {
  const { fields, closes } = readText(
    '                   Base      Cuota\nExenta         2.279,53      —\nTotal factura             2.279,53\nOperación exenta de IVA, art. 20',
  )
  expect(closes).toBe(true)
  expect(fields.taxLines.value).toMatchObject([{ baseCents: 227_953, untaxed: 'exempt' }])
})
