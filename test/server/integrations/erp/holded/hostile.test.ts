/** Rows of any shape: each becomes a valid record or is set aside, and never stops its page. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_CENTS } from '../../../../../server/domain/money.ts'
import { updateDecimalSign, readList } from '../../../../../server/integrations/erp/holded/client.ts'
import type { List } from '../../../../../server/integrations/erp/holded/lists.ts'
import { memoryOf } from '../../../../../server/integrations/erp/holded/notes.ts'
import { taxesOf } from '../../../../../server/integrations/erp/holded/taxes.ts'
import { invoiceRow, lineRow, TAXES, TODAY } from './account.ts'

const anything = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    '1.234',
    '1,234.5',
    '9'.repeat(40),
    '1e300',
    1e300,
    -1e15,
    '0000-00-00',
    '__proto__',
    '\ud800',
    '\u202e',
    ['s_iva_21', { id: 't3' }, null],
    [lineRow(), null, 7],
    [lineRow({ units: '1e9', price: '1e9' })],
    { country_code: 'ES', postal_code: 1 },
    true,
  ),
)
const fields = [...Object.keys(invoiceRow()), ...Object.keys(lineRow())].filter((name) => name !== 'id')
const moreFields = [
  'bill_address',
  'billAddress',
  'client_record',
  'variants',
  'products',
  'code',
  'price',
  'docNumber',
  'iban',
]
const row = fc
  .record({
    name: fc.constantFrom('x', '', null),
    rest: fc.dictionary(fc.constantFrom(...fields, ...moreFields), anything, { maxKeys: 8 }),
    whole: fc.boolean(),
  })
  .map(({ name, rest, whole }) => ({ ...(whole ? invoiceRow() : { id: 'x' }), name, ...rest }))
const kinds: readonly List['kind'][] = [
  'contact',
  'invoice',
  'creditnote',
  'purchase',
  'purchaserefund',
  'product',
  'service',
]

test.each(['v1', 'v2'] as const)('%s', (flavour) => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(row, anything), { maxLength: 5 }),
      fc.constantFrom(...kinds),
      (rows, kind) => {
        const memory = { ...memoryOf({}), taxes: { on: TODAY, list: taxesOf(TAXES) } }
        const { records, rejects } = readList(rows, kind, flavour, updateDecimalSign(memory, rows, flavour))
        const ofRows = records.filter(({ externalKind }) => externalKind !== 'variant').length
        expect(ofRows + rejects.filter(({ externalKind }) => externalKind !== 'variant').length).toBe(
          rows.length,
        )
        for (const record of records) {
          expect(record.externalId).not.toBe('')
          if (record.record !== 'document') continue
          const { netCents, taxCents, surchargeCents, withholdingCents, totalCents, amountCheck } = record
          for (const cents of [netCents, taxCents, surchargeCents, withholdingCents, totalCents]) {
            expect(Number.isSafeInteger(cents)).toBe(true)
            expect(Object.is(cents, -0)).toBe(false)
          }
          for (const line of record.lines) {
            expect(Math.abs(line.netCents)).toBeLessThanOrEqual(MAX_CENTS)
            for (const value of [line.quantity, line.unitPrice, line.discountBp])
              expect(Number.isSafeInteger(value)).toBe(true)
          }
          if (amountCheck !== 'failed')
            expect(netCents + taxCents + surchargeCents - withholdingCents).toBe(totalCents)
        }
      },
    ),
    { numRuns: 3000 },
  )
})
