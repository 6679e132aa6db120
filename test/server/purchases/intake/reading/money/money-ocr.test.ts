/** The money of a picture: figures that OCR misread are offered, and sure only where arithmetic proves them. */
import { describe, expect, test } from 'vitest'
import { mendedLabel } from '../../../../../../server/purchases/intake/reading/labels.ts'
import { linesOf, pictureOf, readingOf, readText } from '../read-text.ts'

const TICKET =
  'TOTAL    72,57\nTARJETA    72,57\nIVA    BASE    CUOTA\n4%    21,61    0,86\n10%    24,68    2,47\n21%    18,97    3,98'
const LINES = [
  [1_897, 2_100, 398],
  [2_161, 400, 86],
  [2_468, 1_000, 247],
]

const read = (...texts: string[]) => {
  const reading = readingOf(pictureOf(...texts))
  return { ...reading, lines: linesOf(reading)?.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0)) }
}

test('lines that make less than the amount to pay are completed, never surely', () => {
  const ticket =
    'A PAGAR    169,49\nT. CREDITO    169,49\n%IVA    BASE    CUOTA    TOTAL\n10,00    108,61    10,86    119,47\n4,00    48,10    1192    50,02\nSUMA    156,71    12,78    169,49'
  const reading = read(ticket, ticket)
  expect(reading.lines).toEqual([
    [4_810, 400, 192],
    [10_861, 1_000, 1_086],
  ])
  expect(reading.fields.payable.value).toBe(16_949)
  expect(reading.closes).toBe(false)
  expect(reading.vetoes).toContain('computed_amount')
})

describe('figures without their separator', () => {
  test.each([
    ['a blank', '24 68'],
    ['nothing', '2468'],
    ['a colon', '24:68'],
    ['an apostrophe', '24’68'],
    ['a letter for a digit', '2A,68', '24,68'],
  ])('%s for the comma of a base', (_name, seen, other = seen) => {
    const { lines, fields } = read(TICKET.replace('24,68', seen), TICKET.replace('24,68', other))
    expect(lines).toEqual(LINES)
    expect(fields.total.value).toBe(7_257)
  })

  test('are proven by the other amounts, but not two of one line', () => {
    const one = TICKET.replace('24,68', '24:68')
    expect(read(one, one).closes).toBe(true)
    const two = one.replace('2,47', '2:47')
    const reading = read(two, two)
    expect(reading.lines).toEqual(LINES)
    expect(reading.closes).toBe(false)
    expect(reading.vetoes).toContain('ambiguous_amount')
  })

  test('are no amounts where no sum is expected, nor in exact text', () => {
    const text =
      'Póliza 2468\nTel. 941 234 567\nBase imponible 100,00\nIVA 21 % 21,00\nTotal 121,00\nCompra hecha hoy en la tienda del centro de la ciudad, importe total 98680'
    const reading = read(text, text)
    expect(reading.closes).toBe(true)
    expect(reading.fields.total).toMatchObject({ value: 12_100, rivals: [] })
    expect(readText('Base imponible 10000\nIVA 21 % 2100\nTotal 12100').fields.total.value).toBeNull()
  })
})

describe('an amount that is not legible', () => {
  test.each([
    ['a quota', TICKET.replace('2,47', 'Z,A')],
    ['a base', TICKET.replace('24,68', 'Z4,6')],
    ['a base misread', TICKET.replace('24,68', '24,08')],
    ['a base and its rate', TICKET.replace('10%    24,68', '%    24,08')],
  ])('%s is calculated from its rate and the total, and never sure', (_name, text) => {
    const reading = read(text, text)
    expect(reading.lines).toEqual(LINES)
    expect(reading.fields.taxLines.level).toBe('guess')
    expect(reading.fields.total).toMatchObject({ value: 7_257, level: 'guess' })
    expect(reading.vetoes).toContain('computed_amount')
    expect(reading.closes).toBe(false)
  })

  test('stands in the row of its label, below its base', () => {
    const text =
      'Subtotal    2.989,01 €\nIVA 21 %    627,6\nRet. I.R.P.F. 7 %    -209,23 €\nTOTAL    3.407,47 €'
    const reading = read(text, text)
    expect(reading.lines).toEqual([[298_901, 2_100, 62_769]])
    expect(reading.fields.withholding.value).toMatchObject({ amountCents: 20_923 })
    expect(reading.closes).toBe(false)
  })

  test('is not calculated for two lines at once, nor in exact text', () => {
    const two = TICKET.replace('24,68', '24,08').replace('18,97', '10,97')
    expect(read(two, two).vetoes).toContain('no_solution')
    expect(readText(TICKET.replace('24,68', '24,08')).vetoes).toContain('no_solution')
  })
})

describe('rates', () => {
  test('of the less certain reading help, and accuse nothing', () => {
    const other = TICKET.replace('10%', '1%')
    expect(read(TICKET, other)).toMatchObject({ lines: LINES, closes: true })
  })

  test('in an address below the table is none of it', () => {
    const text = `${TICKET}\nMesón Ejemplo S.L. - NIF B12345674 - Avda. de la Constitución, 118, 5% B - 33003 Oviedo - Tel. 981`
    expect(read(text, text)).toMatchObject({ lines: LINES, closes: true })
  })

  test('a sign of percent in a heading is no rate of 7 %', () => {
    const text =
      'Base imponible    % IVA    Cuota IVA    7% R.E.    Cuota R.E.    Total\n252,65    21,00 %    53,06    5,20 %    13,14    318,85\nTOTAL FACTURA 318,85'
    const reading = read(text, text)
    expect(reading.lines).toEqual([[25_265, 2_100, 5_306, 1_314]])
    expect(reading.closes).toBe(true)
  })
})

describe('labels', () => {
  test.each([
    ['T0TAL', 'total'],
    ['imponib1e', 'imponible'],
    ['Imparte', 'importe'],
    ['CuotaIVA', 'cuota iva'],
    ['TOTALFACTURA', 'total factura'],
    ['CuotaR.E.', 'cuota r e'],
    ['CuotaRE.', 'cuota r e'],
    ['TOTALAPAGAR', 'total a pagar'],
    ['1VE 21%', 'IVE 21%'],
    ['IVA21%', 'IVA 21%'],
    ['TOTAL EUROS ...e...eonrcccccooeo', 'TOTAL EUROS '],
    ['Base imponible', 'Base imponible'],
    ['Nota', 'Nota'],
    ['importes', 'importes'],
    ['Toldo', 'Toldo'],
  ])('%s is read as %s', (seen, mended) => {
    expect(mendedLabel(seen)).toBe(mended)
  })

  test('that OCR misread by a sign still name the amounts', () => {
    const text = 'Base imponib1e    100,00\nIVA21%    21,00\nT0TAL FACTURA    121,00'
    expect(read(text, text)).toMatchObject({ lines: [[10_000, 2_100, 2_100]], closes: true })
  })

  test.each([
    ['Total a pagar (IVA incl.) 121,00'],
    ['SALDO A NUESTRO FAVOR 121,00'],
    ['Saldo pendiente 121,00'],
  ])('%s is the amount to pay', (total) => {
    const { fields, closes } = readText(`Base imponible 100,00\nIVA 21 % 21,00\n${total}`)
    expect(fields.payable).toMatchObject({ value: 12_100, level: 'proven' })
    expect(closes).toBe(true)
  })

  test.each([
    ['glued', 'Base imponible    100,00\n1VA21%    21,00\nTOTALAPAGAR    121,00'],
    ['before dots', 'Base imponible    100,00\nIVA 21 %    21,00\nTOTAL EUROS ...e...eonrccco    121,00'],
    [
      'of two lines over a figure',
      'Base        Cuota      TOTAL A\nimponible    IVA 21 %    PAGAR\n100,00        21,00    121,00',
    ],
  ])('%s are read', (_name, text) => {
    expect(read(text, text)).toMatchObject({ lines: [[10_000, 2_100, 2_100]], closes: true })
  })

  test('stand over their amounts beside the rows of another block', () => {
    const { fields, closes } = readText(
      'Concepto    Importe            Base imponible\nInforme    587,40            1.000,00\nVisita    911,10            IVA 21 %\nCurso    497,83            210,00\nActa    784,10            Retención IRPF 15 %\nViaje    116,43            -150,00\nOtros    99,14            TOTAL FACTURA\nMás    12,13            1.060,00',
    )
    expect(fields.withholding.value).toMatchObject({ rateBp: 1_500, amountCents: 15_000 })
    expect(fields.payable.value).toBe(106_000)
    expect(closes).toBe(true)
  })

  test('amounts in dollars may have the sign of the country', () => {
    const { fields } = readText('Invoice number INV-1\nAmount due    US$ 3,550.47')
    expect(fields.currency.value).toBe('USD')
    expect(fields.total.value).toBe(355_047)
  })
})

test('many quotas whose bases are not legible, and a total that nothing makes, are given up at once', () => {
  // Without its rate a quota may be of any base and rate: hundreds of each.
  const rows = [1, 2, 3, 4, 5, 6].map((line) => `${line}00,00        ${line * 7},31`)
  const text = `Base          Cuota\n${rows.join('\n')}\nTotal factura     99.999,99`
  const started = performance.now()
  expect(readingOf(pictureOf(text, text)).vetoes).toContain('no_solution')
  expect(performance.now() - started).toBeLessThan(4_000)
})
