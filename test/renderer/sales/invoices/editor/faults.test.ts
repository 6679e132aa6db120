/** Faults of the page and of the server link to the field that fixes them. */
import { expect, test } from 'vitest'
import { emptyForm, emptyLine } from '../../../../../renderer/sales/invoices/editor/draft.ts'
import type { DraftForm } from '../../../../../renderer/sales/invoices/editor/draft.ts'
import {
  aboutOf,
  anchorOf,
  lineAnchor,
  localFaults,
  serverFaults,
} from '../../../../../renderer/sales/invoices/editor/faults.ts'
import type { ServerFault } from '../../../../../renderer/sales/invoices/editor/faults.ts'

const TODAY = '2026-11-21'

/** Three rows: a complete one, one without its description, a complete one. */
function form(): DraftForm {
  const made = emptyForm({ today: TODAY, paymentDays: 30, withholdingPct: null, language: 'es' })
  made.client.name = 'Clínica'
  made.lines = [
    { ...emptyLine(TODAY), description: 'Uno', unitPriceMicro: 1_000_000 },
    { ...emptyLine(TODAY), unitPriceMicro: 2_000_000 },
    { ...emptyLine(TODAY), description: 'Tres', unitPriceMicro: 3_000_000 },
    emptyLine(TODAY),
  ]
  return made
}
const server = (field: string, changes: Partial<ServerFault> = {}): ServerFault => ({
  code: 'vat_rate_unknown',
  field,
  severity: 'error',
  message: '',
  ...changes,
})
const keyOf = (draft: DraftForm, index: number) => draft.lines[index]?.key ?? -1

test('an untouched draft lacks its customer and its first line', () => {
  const empty = emptyForm({ today: TODAY, paymentDays: 30, withholdingPct: null, language: 'es' })
  expect(localFaults(empty).map((fault) => [fault.code, fault.anchor])).toEqual([
    ['client_missing', 'client'],
    ['lines_missing', `line:${keyOf(empty, 0)}:description`],
  ])
})

test('a simplified invoice needs no customer', () => {
  const draft = { ...form(), kind: 'F2' as const }
  draft.client.name = ''
  expect(localFaults(draft).map((fault) => fault.code)).not.toContain('client_missing')
})

test('each line reports its missing fields, by its number on the page; a blank one reports none', () => {
  const draft = form()
  Object.assign(draft.lines[2] ?? {}, { unread: { unitPrice: '3,2o' } })
  expect(localFaults(draft)).toEqual([
    {
      severity: 'error',
      code: 'description_missing',
      anchor: lineAnchor({ key: keyOf(draft, 1) }, 'description'),
      line: 2,
    },
    {
      severity: 'error',
      code: 'unitPrice_unread',
      anchor: lineAnchor({ key: keyOf(draft, 2) }, 'unitPrice'),
      line: 3,
      words: '3,2o',
    },
  ])
})

test('an unreadable date is a fault of its field', () => {
  expect(localFaults(form(), { dueDate: '31/2' })).toContainEqual({
    severity: 'error',
    code: 'date_unread',
    anchor: 'dueDate',
    line: null,
    words: '31/2',
  })
})

test("the server counts the lines it received: its second is the page's third", () => {
  const draft = form()
  expect(anchorOf('lines[1].vatRate', draft)).toEqual({ anchor: `line:${keyOf(draft, 2)}:vat`, line: 3 })
  expect(anchorOf('lines[0].discountPct', draft)).toEqual({
    anchor: `line:${keyOf(draft, 0)}:discount`,
    line: 1,
  })
  expect(anchorOf('lines[0].isDisbursement', draft).anchor).toBe(`line:${keyOf(draft, 0)}:more`)
  expect(anchorOf('lines[9].quantity', draft)).toEqual({
    anchor: `line:${keyOf(draft, 0)}:description`,
    line: null,
  })
})

test('paths outside the lines lead to their fields, unknown ones to none', () => {
  const draft = form()
  expect(anchorOf('clientNif', draft).anchor).toBe('clientNif')
  expect(anchorOf('client.address', draft).anchor).toBe('clientStreet')
  expect(anchorOf('dueDate', draft).anchor).toBe('dueDate')
  expect(anchorOf('lines', draft).anchor).toBe(`line:${keyOf(draft, 0)}:description`)
  expect(anchorOf('', draft).anchor).toBe('')
})

test('a fault reported by the page is not repeated; warnings are', () => {
  const draft = form()
  const local = localFaults(draft, { dueDate: 'x' })
  const faults = serverFaults(
    [
      server('dueDate'),
      server('dueDate', { severity: 'warning', code: 'term_too_long' }),
      server('clientNif'),
    ],
    draft,
    local,
  )
  expect(faults.map((fault) => [fault.code, fault.anchor])).toEqual([
    ['term_too_long', 'dueDate'],
    ['vat_rate_unknown', 'clientNif'],
  ])
})

test('a fault holds until its content changes', () => {
  const draft = form()
  const [ofLine, ofClient] = serverFaults([server('lines[0].vatRate'), server('clientNif')], draft, [])
  if (!ofLine || !ofClient) throw new Error('two faults')
  const before = [aboutOf(ofLine, draft), aboutOf(ofClient, draft)]
  Object.assign(draft.lines[0] ?? {}, { open: true })
  expect([aboutOf(ofLine, draft), aboutOf(ofClient, draft)]).toEqual(before)
  Object.assign(draft.lines[0] ?? {}, { vatRateBp: 400 })
  expect(aboutOf(ofLine, draft)).not.toBe(before[0])
  draft.client.nif = '12345678Z'
  expect(aboutOf(ofClient, draft)).not.toBe(before[1])
})
