/** Layout and addresses of returns on the page. */
import { expect, test } from 'vitest'
import {
  formLines,
  isTypedReturn,
  pastable,
  pastableForm,
  shownResult,
} from '../../../../renderer/accounting/returns/form.ts'
import type { Box } from '../../../../renderer/accounting/returns/form.ts'
import {
  addressOf,
  certaintyKey,
  addressByFaults,
  addressOfReturn,
  formatPeriodLabel,
  placeOfAddress,
  quarterOfAddress,
  shifted,
  usualQuarter,
} from '../../../../renderer/accounting/returns/period.ts'

const box = (number: string, es: string, amount: number, changes: Partial<Box> = {}): Box => ({
  box: number,
  section: 'output',
  label: { es, en: es.replace('cuota', 'tax') },
  kind: 'amount',
  amount,
  formula: null,
  documents: 1,
  input: false,
  typed: false,
  ...changes,
})

test('base and tax of one rate are on one line', () => {
  const boxes = [
    box('01', '4 %: base', 50),
    box('03', '4 %: cuota', 2),
    box('04', '10 %: base', 0),
    box('06', '10 %: cuota', 0),
    box('27', 'Total', 0, { formula: { es: '03 + 06', en: '03 + 06' }, documents: null }),
    box('59', 'Otra', 1, { section: 'information' }),
  ]
  const shown = (all: boolean) =>
    formLines(boxes, 'output', 'es', all).map((line) => [line.label, line.boxes.map((each) => each.box)])
  // A line of zeros is omitted; a total never is.
  expect(shown(false)).toEqual([
    ['4 %', ['01', '03']],
    ['Total', ['27']],
  ])
  expect(shown(true)).toHaveLength(3)
  expect(formLines(boxes, 'output', 'en', false)[0]?.label).toBe('4 %')
})

test('base, rate and tax are on one line where the form has a box for the rate', () => {
  const boxes = [
    box('07', 'Ventas, 7 %: base', 100),
    box('08', 'Ventas, 7 %: tipo', 7, { kind: 'percent' }),
    box('09', 'Ventas, 7 %: cuota', 7),
    box('19', 'Otras: base', 1),
    box('20', 'Otras: tipo', 2),
    box('21', 'Algo', 3),
  ]
  expect(
    formLines(boxes, 'output', 'es', false).map((line) => [line.label, line.boxes.map((each) => each.box)]),
  ).toEqual([
    ['Ventas, 7 %', ['07', '08', '09']],
    ['Otras: base', ['19']],
    ['Otras: tipo', ['20']],
    ['Algo', ['21']],
  ])
})

test("a box is copied in the format of the agency's form", () => {
  expect([
    pastable({ amount: 1234.5, kind: 'amount' }),
    pastable({ amount: -0.07, kind: 'amount' }),
    pastable({ amount: 3, kind: 'count' }),
    pastable({ amount: 6731, kind: 'code' }),
  ]).toEqual(['1234,50', '-0,07', '3', '6731'])
})

test('a return without computed figures is typed if it has boxes', () => {
  expect(isTypedReturn({ computed: false, boxes: [box('14', 'Resultado', 0, { input: true })] })).toBe(true)
  expect(isTypedReturn({ computed: false, boxes: [] })).toBe(false)
  expect(isTypedReturn({ computed: true, boxes: [box('01', 'Base', 0)] })).toBe(false)
})

test('a return whose obligation is unknown shows no amount, and so does not claim that nothing is payable', () => {
  expect(shownResult({ applies: null, result: 0 })).toBeNull()
  expect(shownResult({ applies: true, result: 0 })).toBe(0)
  expect(shownResult({ applies: true, result: null })).toBeNull()
})

test('returns of months have an address, and their quarter is that of the list', () => {
  expect(placeOfAddress('2026-11')).toEqual({ year: 2026, month: 11 })
  expect(placeOfAddress('2026-4T')).toEqual({ year: 2026, quarter: 4 })
  expect(['2026-00', '2026-13', '2026-1', '2026-011'].map((text) => placeOfAddress(text))).toEqual([
    null,
    null,
    null,
    null,
  ])
  expect(['2026-01', '2026-03', '2026-04', '2026-12'].map((text) => quarterOfAddress(text)?.quarter)).toEqual(
    [1, 1, 2, 4],
  )
  expect(['0A', '4T', '07'].map((period) => addressOfReturn({ year: 2026, period }))).toEqual([
    '2026-4T',
    '2026-4T',
    '2026-07',
  ])
  expect(['2026', '4T 2026', '11 2026'].map(formatPeriodLabel)).toEqual([
    '2026',
    '4T 2026',
    'noviembre de 2026',
  ])
})

test('an address of the other unit leads to that by which the return is filed', () => {
  const by = (unit: string) => [{ code: `files_by_${unit}` }]
  expect(addressByFaults({ year: 2026, quarter: 1 }, by('months'))).toBe('2026-03')
  expect(addressByFaults({ year: 2026, quarter: 4 }, by('months'))).toBe('2026-12')
  expect(addressByFaults({ year: 2026, month: 4 }, by('quarters'))).toBe('2026-2T')
  expect(addressByFaults({ year: 2026, month: 4 }, by('months'))).toBeNull()
  expect(addressByFaults({ year: 2026, quarter: 1 }, [{ code: 'quarter_missing' }])).toBeNull()
})

test('quarters have an address, can be stepped through, and start at the one still to be filed', () => {
  expect(quarterOfAddress('2026-4T')).toEqual({ year: 2026, quarter: 4 })
  expect([quarterOfAddress('2026-5T'), quarterOfAddress(''), quarterOfAddress('../x')]).toEqual([
    null,
    null,
    null,
  ])
  expect(addressOf(shifted({ year: 2026, quarter: 4 }, 1))).toBe('2027-1T')
  expect(addressOf(shifted({ year: 2026, quarter: 1 }, -1))).toBe('2025-4T')
  expect(addressOf(usualQuarter('2027-01-20'))).toBe('2026-4T')
  expect(addressOf(usualQuarter('2026-11-21'))).toBe('2026-4T')
  expect(addressOf(usualQuarter('2026-07-01'))).toBe('2026-2T')
})

test('a computed last day says so: as unpublished only before its year', () => {
  const on = (sure: 'official' | 'computed', today: string) =>
    certaintyKey({ sure, dueTo: '2027-02-01' }, today)
  expect(on('official', '2026-12-31')).toBeNull()
  expect(on('computed', '2026-12-31')).toBe('taxes.dayUnpublished')
  expect(on('computed', '2027-01-01')).toBe('taxes.dayByRule')
})

test('the whole form is copied in its order, with every numbered box', () => {
  const boxes = [
    box('01', '4 %: base', 50),
    box('03', '4 %: cuota', 2.5),
    box('hard', 'Gastos de difícil justificación', 12),
    box('07', 'Perceptores', 3, { kind: 'count' }),
    box('71', 'Resultado', -1234.5),
    box('150', '0 %: base', 0),
  ]
  expect(pastableForm(boxes)).toBe('01\t50,00\n03\t2,50\n07\t3\n71\t-1234,50\n150\t0,00')
})
