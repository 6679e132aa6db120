/** What the form says beside a field that was read: marks, reasons and alternatives. */
import { expect, test } from 'vitest'
import { emptyForm, formOfProposal } from '../../../../renderer/purchases/form.ts'
import type { Proposal } from '../../../../renderer/purchases/form.ts'
import { heldAll, heldBy, noteOf } from '../../../../renderer/purchases/form/field-notes.ts'
import { reasonsOf } from '../../../../renderer/purchases/form/reasons.ts'

const BOX = { left: 0.1, top: 0.1, right: 0.2, bottom: 0.2 }
const proposal = (changes: Partial<Proposal>): Proposal => ({
  source: 'text',
  format: null,
  taxLines: [{ base: 84, vatRate: 21, tax: 17.64 }],
  confidence: {},
  levels: {},
  evidence: {},
  alternatives: {},
  closes: true,
  ...changes,
})
const note = (read: Proposal, field: string, more: Partial<Parameters<typeof noteOf>[1]> = {}) =>
  noteOf(field, { proposal: read, doubts: [], accepted: new Set(), isChanged: false, value: '', ...more })

test.each([
  ['proven', { tone: 'sure', word: 'proven' }],
  ['known', { tone: 'sure', word: 'known' }],
  ['read', { tone: 'doubt', word: 'read' }],
  ['guess', { tone: 'doubt', word: 'guess' }],
] as const)('a value that is %s is marked so', (level, expected) => {
  const read = proposal({ supplierNumber: 'A-1', levels: { supplierNumber: level } })
  expect(note(read, 'supplierNumber')).toMatchObject(expected)
})

test('a needed value that is missing, and a proven one in doubt, are doubtful', () => {
  expect(note(proposal({}), 'supplierNif', { doubts: ['supplierNif'] })).toMatchObject({ word: 'missing' })
  const read = proposal({ levels: { taxLines: 'proven' }, closes: false })
  expect(note(read, 'taxLines', { doubts: ['taxLines'] })).toMatchObject({ tone: 'doubt', word: 'unproven' })
  expect(note(proposal({}), 'supplierNif')).toBeNull()
})

test('a value that a person accepted is no doubt, and one that was typed has no mark', () => {
  const read = proposal({ supplierNumber: 'A-1', levels: { supplierNumber: 'guess' } })
  const doubts = ['supplierNumber']
  expect(note(read, 'supplierNumber', { doubts, accepted: new Set(doubts) })).toMatchObject({
    tone: 'checked',
  })
  const typed = note(read, 'supplierNumber', { doubts, isChanged: true, value: 'A-2' })
  // Only the value that was read is offered again.
  expect(typed).toMatchObject({ tone: 'checked', alternatives: ['A-1'], reasons: [] })
  expect(note(proposal({ levels: { kind: 'guess' } }), 'kind', { isChanged: true })).toBeNull()
})

test('alternatives leave out the value in the form, and are at most nine', () => {
  const others = ['A-2', 'A-3', ...Array.from({ length: 12 }, (_, index) => `B-${index}`)]
  const read = proposal({
    supplierNumber: 'A-1',
    levels: { supplierNumber: 'guess' },
    alternatives: { supplierNumber: others, total: [12] },
  })
  const alternatives = note(read, 'supplierNumber', { value: 'A-3' })?.alternatives
  expect(alternatives).toHaveLength(9)
  expect(alternatives).not.toContain('A-3')
  // The form has no field for the total.
  expect(note({ ...read, levels: { total: 'guess' } }, 'total')?.alternatives).toEqual([])
})

test('the reason of a sum names its parts once, and the label of its total', () => {
  const pair = {
    page: 0,
    box: BOX,
    reason: 'base_rate_tax' as const,
    args: { base: '84.00', rate: '21', tax: '17.64' },
  }
  const read = proposal({
    levels: { taxLines: 'proven' },
    evidence: {
      taxLines: [
        pair,
        pair,
        { page: 0, box: BOX, reason: 'sums_close', args: { total: '101.64', label: 'TOTAL' } },
      ],
    },
  })
  expect(reasonsOf(read, 'taxLines')).toEqual([
    { code: 'base_rate_tax', args: { base: 84, rate: 21, tax: 17.64 } },
    { code: 'sums_close', args: { total: 101.64, label: 'TOTAL' } },
  ])
})

test('a reason without its words has a sentence of its own; a value without a place says where it is from', () => {
  const at = (reason: 'label' | 'words', args: Record<string, string>) =>
    reasonsOf(proposal({ evidence: { issueDate: [{ page: 0, box: BOX, reason, args }] } }), 'issueDate')
  expect(at('label', { label: ' ' })).toEqual([{ code: 'label_bare', args: { label: '' } }])
  expect(at('words', { words: 'luz, kWh' })).toMatchObject([{ code: 'words', args: { text: 'luz, kWh' } }])
  const levels = { supplierName: 'proven' as const }
  expect(reasonsOf(proposal({ levels, source: 'facturae' }), 'supplierName')).toMatchObject([
    { code: 'structured' },
  ])
  expect(reasonsOf(proposal({ levels, supplierId: 'con_1' }), 'supplierName')).toMatchObject([
    { code: 'contact' },
  ])
  expect(reasonsOf(proposal({ levels, source: 'qr' }), 'supplierName')).toMatchObject([{ code: 'qr' }])
  expect(reasonsOf(proposal({ levels: { kind: 'known' } }), 'kind')).toMatchObject([{ code: 'memory' }])
})

test('a change of the form is seen in the fields that it belongs to', () => {
  const form = formOfProposal(proposal({ supplierNumber: 'A-1' }), '2026-06-20')
  const before = heldAll(form)
  form.lines[0]!.base = 9000
  expect(heldBy(form, 'taxLines')).not.toBe(before['taxLines'])
  expect(heldBy(form, 'total')).not.toBe(before['total'])
  expect(heldBy(form, 'supplierNumber')).toBe(before['supplierNumber'])
  expect(heldBy(emptyForm('2026-06-20'), 'supplierNif')).toBe('[""]')
})
