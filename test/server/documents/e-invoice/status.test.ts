/** Status messages and the platform's answers: written, read back, checked. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkAnswer,
  checkStatusMessage,
  MOST_REPORTS,
  readAnswer,
  readStatusMessage,
  STATUSES,
  writeAnswer,
  writeStatusMessage,
} from '../../../../server/documents/e-invoice/index.ts'
import type {
  AnsweredStatus,
  AnswerItem,
  BatchCode,
  InvoiceCode,
  PlatformAnswer,
  StatusKind,
  StatusMessage,
  StatusReport,
  StatusRole,
} from '../../../../server/documents/e-invoice/index.ts'

const invoice = (nth: number): InvoiceCode => ({
  issuerTaxId: 'B12345674',
  number: `F & 2026-${nth}`,
  issueDate: '2026-06-03',
})

function report(kind: StatusKind, nth: number, changes: Partial<StatusReport> = {}): StatusReport {
  return {
    kind,
    invoice: invoice(nth),
    date: '2026-06-30',
    ...(kind === 'paid' ? { dueDate: '2026-07-03' } : {}),
    ...(kind === 'rejected' ? { reason: 'commercial' as const } : {}),
    ...changes,
  }
}

function message(reports: StatusReport[], changes: Partial<StatusMessage> = {}): StatusMessage {
  return {
    id: 'm-1',
    role: 'recipient',
    senderTaxId: 'A39000013',
    issuedAt: '2026-07-01T08:30:00Z',
    reports,
    ...changes,
  }
}

const KINDS = Object.keys(STATUSES) as StatusKind[]
const rulesOf = (xml: string): string[] => checkStatusMessage(xml).map(({ rule }) => rule)

describe('a status message', () => {
  test.each(KINDS)('with %s follows all rules and is read back whole', (kind) => {
    const one = message([report(kind, 1)], { role: STATUSES[kind].role })
    const xml = writeStatusMessage(one)
    expect(xml).toContain(`<cbc:ResponseCode>${STATUSES[kind].code}<`)
    expect(checkStatusMessage(xml)).toEqual([])
    expect(readStatusMessage(xml)).toEqual(one)
  })

  test('of random statuses is read back whole', () => {
    const day = fc.constantFrom('2026-06-30', '2026-12-31', '2027-02-28')
    const optional = fc.option(day, { nil: undefined })
    const reports = fc
      .array(
        fc.record({
          kind: fc.constantFrom('paid' as const, 'rejected' as const, 'payment_cancelled' as const),
          date: day,
          deliveredOn: optional,
          receivedOn: optional,
          reason: fc.constantFrom('commercial', 'private'),
          note: fc.option(fc.constantFrom('x', 'Mercancía <rota> & sucia'), { nil: undefined }),
        }),
        { minLength: 1, maxLength: 100 },
      )
      .map((rows) =>
        rows.map(({ kind, date, deliveredOn, receivedOn, reason, note }, index) =>
          report(kind, index, {
            date,
            ...(deliveredOn === undefined ? {} : { deliveredOn }),
            ...(receivedOn === undefined ? {} : { receivedOn }),
            ...(note === undefined ? {} : { note }),
            ...(kind === 'rejected' ? { reason } : {}),
          }),
        ),
      )
    fc.assert(
      fc.property(reports, (rows) => {
        const one = message(rows, { senderName: 'Conservas, S.A.' })
        const xml = writeStatusMessage(one)
        expect(checkStatusMessage(xml)).toEqual([])
        expect(readStatusMessage(xml)).toEqual(one)
      }),
      { numRuns: 50, seed: 20_261_130 },
    )
  })

  test('is not written without statuses, with too many, or for the other side', () => {
    expect(() => writeStatusMessage(message([]))).toThrow(`1 to ${MOST_REPORTS}`)
    const many = Array.from({ length: 101 }, (_, index) => report('paid', index))
    expect(() => writeStatusMessage(message(many))).toThrow('101')
    expect(() => writeStatusMessage(message([report('settled', 1)]))).toThrow('does not report settled')
  })

  const paid = writeStatusMessage(message([report('paid', 1)]))
  const rejected = writeStatusMessage(message([report('rejected', 1)]))
  const response = /<cac:DocumentResponse>.*<\/cac:DocumentResponse>/.exec(paid)?.[0] ?? ''
  test.each([
    ['STATUS-NUMBER', paid.replace(response, '')],
    [
      'STATUS-NUMBER',
      paid.replace(
        response,
        Array.from({ length: 101 }, (_, nth) => response.replace('2026-1', `2026-${nth}`)).join(''),
      ),
    ],
    ['STATUS-TWICE', paid.replace(response, response + response)],
    ['STATUS-ROLES', paid.replace(response, response + response.replace('PAYMENT', 'SETTLEMENT'))],
    ['STATUS-CODE', paid.replace('>PAYMENT<', '>PAID<')],
    ['STATUS-DATE', paid.replace('<cbc:EffectiveDate>2026-06-30</cbc:EffectiveDate>', '')],
    ['STATUS-DUE', paid.replace('>DueDate<', '>ShipmentDate<')],
    ['STATUS-REASON', rejected.replace('<cbc:StatusReasonCode>01<', '<cbc:StatusReasonCode>03<')],
    ['STATUS-INVOICE', paid.replace('>B12345674<', '>B12345675<')],
    ['SENDER-NIF', paid.replace('>A39000013<', '>A39000014<')],
    ['UBL-MISSING', paid.replace(/<cac:SenderParty>.*?<\/cac:SenderParty>/, '')],
    ['XML-DOCTYPE', paid.replace('\n', '\n<!DOCTYPE a>')],
    ['XML', paid.slice(0, -3)],
  ])('breaks the rule %s alone', (rule, xml) => {
    expect(xml).not.toBe(paid)
    expect([...new Set(rulesOf(xml))]).toEqual([rule])
  })

  test('that is none is not read', () => {
    expect(() => readStatusMessage(paid.replaceAll('ApplicationResponse', 'DocumentStatus'))).toThrow(
      'no status message',
    )
    expect(() => readStatusMessage(paid.replace('>PAYMENT<', '>PAID<'))).toThrow()
    expect(() =>
      readStatusMessage(paid.replace(response, response + response.replace('PAYMENT', 'DEFAULT'))),
    ).toThrow('one side')
  })
})

describe('an answer', () => {
  const taken: AnswerItem = { invoice: invoice(1), code: '200', text: '', locator: 'LOCGENV1:O:QUJD' }
  const refused = { invoice: invoice(2), code: 'SPFE-GEN-45', text: 'Motivo & más', locator: null }
  const unnamed = { ...refused, invoice: null }
  const answers: Record<string, PlatformAnswer> = {
    'all taken': { csv: 'CSV1', batch: 200, items: [taken] },
    'partly taken': { csv: 'CSV2', batch: 206, items: [taken, refused] },
    'none taken, one of them without a name': { csv: 'CSV3', batch: 400, items: [refused, unnamed] },
    'to a query': {
      csv: 'CSV4',
      batch: 200,
      items: [taken],
      statuses: [{ report: report('paid', 1), locator: 'LOCGENV1:O:QUJD' }],
      page: { sequence: '2', hasMore: true },
    },
    'to a query that found nothing': {
      csv: 'CSV5',
      batch: 200,
      items: [],
      page: { sequence: '1', hasMore: false },
    },
  }
  test.each(Object.entries(answers))('%s is read back whole', (_name, answer) => {
    const xml = writeAnswer(answer, '2026-07-01')
    expect(checkAnswer(xml)).toEqual([])
    expect(readAnswer(xml)).toEqual(answer)
  })

  test('states what the sides of an invoice report, with the codes of the order', () => {
    const of = (role: StatusRole) =>
      Object.values(STATUSES)
        .filter((each) => each.role === role)
        .map(({ code }) => code)
    expect(of('recipient').toSorted()).toEqual(['CANCELPAYMENT', 'CANCELREJECTION', 'PAYMENT', 'REJECTION'])
    expect(of('issuer')).toHaveLength(5)
  })

  test('has the statuses of a query beside its items', () => {
    const batch: BatchCode = 200
    const statuses: AnsweredStatus[] = [
      { report: report('rejected', 1, { note: 'No pedido' }), locator: null },
    ]
    const xml = writeAnswer({ csv: 'CSV', batch, items: [taken], statuses }, '2026-07-01')
    expect(readAnswer(xml).statuses).toEqual(statuses)
  })

  test('that contradicts itself, or is none, is said', () => {
    const xml = writeAnswer({ csv: 'CSV', batch: 200, items: [refused] }, '2026-07-01')
    expect(checkAnswer(xml).map(({ rule }) => rule)).toEqual(['ANSWER-BATCH'])
    const odd = writeAnswer({ csv: 'CSV', batch: 400, items: [{ ...refused, code: 'E1' }] }, '2026-07-01')
    expect(checkAnswer(odd).map(({ rule }) => rule)).toEqual(['ANSWER-ITEM'])
    expect(() => readAnswer(xml.replace('>200<', '>500<'))).toThrow('no answer')
    expect(() => readAnswer('<a/>')).toThrow('no answer')
    expect(() => readAnswer('<html>')).toThrow()
  })
})
