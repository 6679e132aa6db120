/**
 * CSV tables for a spreadsheet set to Spanish: they open correctly, numbers are numbers, and no text runs as a
 * formula.
 */
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import {
  csvFile,
  neutralizeFormula,
  spanishDate,
  spanishNumber,
  textCell,
} from '../../../../server/domain/formats/csv-writer.ts'

test('a text that a spreadsheet would run as a formula is only text', () => {
  for (const text of ['=1+2', '+34 600', '-1', '@SUM(A1)', '\t=1', '\r=1'])
    expect(neutralizeFormula(text)).toBe(`'${text}`)
  // Full-width and small forms, which East Asian spreadsheets treat as the plain characters, and characters after
  // blanks.
  for (const text of [
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    '﹦1',
    '﹢1',
    '﹣1',
    '﹫A',
    '\n=1',
    ' =1',
    '\u00a0@A',
    '\u200b=1',
    '\ufeff＝1',
    '|cmd',
    '%1',
  ])
    expect(neutralizeFormula(text)).toBe(`'${text}`)
  for (const text of ['', ' ', '\u200b', '1 =1', '１', 'a＝1', 'a=1', '1-2', 'añ'])
    expect(neutralizeFormula(text)).toBe(text)
})

test('any text can be read back unchanged, apart from the mark before a formula', () => {
  const texts = ['a;b', 'a "b" c', 'two\r\nlines', ' spaces ', 'ñ €', "O'Donnell", '']
  const file = csvFile([['Uno', 'Dos'], ...texts.map((text) => [textCell(text), textCell('=1')])])
  expect(file.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
  const { data, errors } = Papa.parse<string[]>(file.toString('utf8').slice(1), { delimiter: ';' })
  expect(errors).toEqual([])
  expect(data.slice(1, -1)).toEqual(texts.map((text) => [text, "'=1"]))
})

test('amounts and days are written in the Spanish format', () => {
  expect([spanishNumber(1234.5), spanishNumber(-0.07), spanishNumber(0)]).toEqual([
    '1234,50',
    '-0,07',
    '0,00',
  ])
  expect(spanishDate('2026-11-21')).toBe('21/11/2026')
})
