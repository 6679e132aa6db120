/** A click on the preview of a draft leads to the field of that area. */
import { expect, test } from 'vitest'
import { emptyForm, emptyLine } from '../../../../../renderer/sales/invoices/editor/draft.ts'
import { anchorOfArea } from '../../../../../renderer/sales/invoices/editor/preview.ts'

const form = emptyForm({ today: '2026-11-21', paymentDays: 30, withholdingPct: null, language: 'es' })

test('each editable area of the preview leads to its field', () => {
  const fields = ['client', 'number', 'issueDate', 'dueDate', 'operationDate', 'withholding', 'notes']
  expect(fields.map((field) => anchorOfArea(field, form))).toEqual([
    'client',
    'series',
    'issueDate',
    'dueDate',
    'operationDate',
    'withholding',
    'notes',
  ])
  expect(anchorOfArea('paymentMethod', form)).toBe('paymentMethod')
  expect(anchorOfArea('discount', form)).toBe('discountPct')
})

test('a line leads to its description, counted without unsaved lines', () => {
  const [first, blank, second] = ['Mano de obra', '', 'Filtro'].map((description) => ({
    ...emptyLine('2026-11-21'),
    description,
  }))
  if (!first || !blank || !second) throw new Error('There are three lines.')
  const written = { ...form, lines: [first, blank, second] }
  expect(anchorOfArea('lines.0', written)).toBe(`line:${first.key}:description`)
  expect(anchorOfArea('lines.1', written)).toBe(`line:${second.key}:description`)
  // Removed since it was rendered: the click leads to the lines.
  expect(anchorOfArea('lines.7', written)).toBe(`line:${first.key}:description`)
})

test('an area that is not editable leads nowhere', () => {
  for (const field of ['issuer', 'totals', 'lines.x', 'constructor'])
    expect(anchorOfArea(field, form), field).toBe('')
})
