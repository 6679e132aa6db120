/** Notices above the form, the order of doubts, and where values stand on the papers. */
import { expect, test } from 'vitest'
import { marksOf, papersOf } from '../../../../renderer/purchases/incoming/marks.ts'
import { doubtsOf, noticesOf } from '../../../../renderer/purchases/incoming/notices.ts'
import type { Incoming } from '../../../../renderer/purchases/incoming/notices.ts'

type Reading = NonNullable<Incoming['reading']>
const BOX = { left: 0.1, top: 0.2, right: 0.3, bottom: 0.4 }
const warning = (code: string): Reading['warnings'][number] => ({
  field: 'content',
  code,
  severity: 'warning',
  message: code,
  fix: '',
})
const reading = (
  changes: Partial<Reading> & { closes?: boolean; evidence?: Reading['proposal']['evidence'] },
): Reading => {
  const { closes = true, evidence = {}, ...rest } = changes
  return {
    proposal: {
      source: 'text',
      format: null,
      taxLines: [],
      confidence: {},
      levels: {},
      evidence,
      alternatives: {},
      closes,
    },
    warnings: [],
    invoices: [],
    places: null,
    ...rest,
  }
}
const duplicate = (because: 'file' | 'number' | 'total' | 'picture'): Incoming['duplicateOf'] => ({
  type: 'received',
  id: 'rec_1',
  label: '2026-0001',
  because,
})

test('a certain duplicate asks to enter it anyway, a possible one whether it is another', () => {
  const answers = (['file', 'number', 'total', 'picture'] as const).map(
    (because) => noticesOf({ reading: null, duplicateOf: duplicate(because) })[0]?.answer,
  )
  expect(answers).toEqual(['enterAnyway', 'enterAnyway', 'other', 'other'])
})

test('signs of fraud come first and in red; every warning that holds a document back asks for an answer', () => {
  const codes = [
    'read_from_text',
    'other_customer',
    'signature_not_checked',
    'iban_new',
    'not_an_invoice',
    'several_invoices',
  ]
  const notices = noticesOf({
    reading: reading({ warnings: codes.map(warning) }),
    duplicateOf: duplicate('number'),
  })
  expect(notices.map(({ key, tone, answer }) => [key, tone, answer])).toEqual([
    ['iban_new', 'error', 'seen'],
    ['duplicate', 'warning', 'enterAnyway'],
    ['other_customer', 'warning', 'seen'],
    ['not_an_invoice', 'warning', 'isInvoice'],
    ['several_invoices', 'warning', 'seen'],
    ['signature_not_checked', 'info', null],
  ])
  expect(notices.filter(({ splits }) => splits).map(({ key }) => key)).toEqual(['several_invoices'])
})

test('doubts follow the form, and sums that nothing proves are one of them', () => {
  expect(doubtsOf({ reading: reading({}), doubts: ['total', 'issueDate', 'supplierName'] })).toEqual([
    'supplierName',
    'issueDate',
    'total',
  ])
  expect(doubtsOf({ reading: reading({ closes: false }), doubts: [] })).toEqual(['taxLines'])
  expect(doubtsOf({ reading: null, doubts: ['total'] })).toEqual([])
})

test('the places of a field are those of its file and page, each once', () => {
  const at = (page: number) => ({ page, box: BOX, reason: 'label' as const, args: {} })
  const evidence = { taxLines: [at(0), at(0)], total: [at(1)], issueDate: [at(2)] }
  expect(marksOf(reading({ evidence }), 'taxLines')).toEqual([
    { file: 0, page: 0, ...BOX },
    { file: 0, page: 1, ...BOX },
  ])
  const places = [
    { file: 0, page: 0 },
    { file: 1, page: 0 },
  ]
  expect(marksOf(reading({ evidence, places }), 'total')).toEqual([{ file: 1, page: 0, ...BOX }])
  // A page that is in none of the files.
  expect(marksOf(reading({ evidence, places }), 'issueDate')).toEqual([])
  expect(marksOf(null, 'total')).toEqual([])
  expect(marksOf(reading({ evidence }), null)).toEqual([])
})

test('the mail around a document is none of its papers, unless there is nothing else', () => {
  const file = (id: string, mediaType: Incoming['attachments'][number]['mediaType']) => ({
    id,
    name: id,
    mediaType,
    size: 1,
    sha256: '',
    createdAt: '2026-06-20T10:00:00.000Z',
  })
  const [mail, pdf] = [file('a', 'message/rfc822'), file('b', 'application/pdf')]
  expect(papersOf([mail, pdf]).map(({ id }) => id)).toEqual(['b'])
  expect(papersOf([mail]).map(({ id }) => id)).toEqual(['a'])
})
