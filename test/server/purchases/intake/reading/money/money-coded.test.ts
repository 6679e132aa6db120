/** The total of a tax code on the page, beside what the words say. */
import { expect, test } from 'vitest'
import type { Reading } from '../../../../../../server/purchases/intake/reading/field-value.ts'
import { readPages } from '../../../../../../server/purchases/intake/reading/read-pages.ts'
import { CONTEXT, linesOf, pictureOf } from '../read-text.ts'

function readWith(codedCents: number, ...texts: string[]): Reading {
  const [reading] = readPages([pictureOf(...texts)], { ...CONTEXT, codedCents })
  if (!reading) throw new Error('Nothing was read.')
  return reading
}

const BASE = 'Base imponible     100,00\nIVA 21 %     21,00\n'

test('stands for a printed one that is not legible', () => {
  const { fields, closes } = readWith(12_100, `${BASE}Total factura     1Z?,0O`)
  expect(closes).toBe(true)
  expect(fields.total).toMatchObject({ value: 12_100, level: 'proven' })
  // It has no place among the words.
  expect(fields.total.evidence).toEqual([])
  expect(fields.taxLines.evidence.length).toBeGreaterThan(0)
})

test('decides between two readings of the printed one', () => {
  const { fields, closes } = readWith(
    12_100,
    `${BASE}Total factura     121,00`,
    `${BASE}Total factura     127,00`,
  )
  expect(closes).toBe(true)
  expect(fields.total.value).toBe(12_100)
})

test('does not make the lines of another total', () => {
  const { fields, closes } = readWith(15_000, `${BASE}Total factura     121,00`)
  expect(closes).toBe(false)
  expect(fields.total.level).not.toBe('proven')
})

test('gives what is to be paid where withholding is legible', () => {
  const { fields, closes } = readWith(12_100, `${BASE}Total     121,00\nRetención IRPF 15 %     −15,00\n`)
  expect(closes).toBe(true)
  expect(fields.payable.value).toBe(10_600)
})

test('does not hide withholding that is not', () => {
  const { closes, vetoes } = readWith(12_100, `${BASE}Total     121,00\nRetención IRPF 15 %     −1S?\n`)
  expect(closes).toBe(false)
  expect(vetoes).toContain('unexplained_label')
})

test('holds disbursements or not', () => {
  const text = `${BASE}Total     121,00\nSuplidos     34,17\nTotal a pagar     155,17`
  for (const coded of [12_100, 15_517]) {
    const reading = readWith(coded, text)
    expect(reading.closes).toBe(true)
    expect(linesOf(reading)).toEqual([[10_000, 2_100, 2_100]])
    expect(reading.fields.supplied.value).toBe(3_417)
  }
})

test('says nothing of a file with several invoices', () => {
  const page = (index: number, nif: string) => ({
    ...pictureOf(`Factura nº F26/${index + 1}\nNIF ${nif}\n${BASE}Total factura     121,00`),
    index,
  })
  const readings = readPages([page(0, 'B58818501'), page(1, 'A58818501')], { ...CONTEXT, codedCents: 99_900 })
  expect(readings.length).toBe(2)
  expect(readings.map(({ fields }) => fields.total.value)).toEqual([12_100, 12_100])
})

test('is in euros, and says nothing of an invoice in another currency', () => {
  const { fields, closes } = readWith(
    11_165,
    'Base     100,00 USD\nIVA 21 %     21,00 USD\nTotal     121,00 USD\nTotal en euros     111,65 €',
  )
  expect(closes).toBe(true)
  expect(fields.total.value).toBe(12_100)
})
