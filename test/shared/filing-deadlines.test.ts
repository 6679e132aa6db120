/** Our terms of returns against the researched table of 2026 and 2027. Needs SELLO_SHARED. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filingTerm } from '../../server/accounting/returns/calendar/obligations.ts'
import type { DeadlineModel } from '../../server/accounting/returns/calendar/terms.ts'

const shared = process.env['SELLO_SHARED']

describe.skipIf(!shared)('terms of returns', () => {
  const [head = '', ...lines] = shared
    ? readFileSync(join(shared, 'filing', 'deadlines.tsv'), 'utf8')
        .trim()
        .split('\n')
    : []
  const names = head.split('\t')
  const rows = lines.map((line) => {
    const cells = line.split('\t')
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))
  })

  test('the table has rows', () => expect(rows.length).toBeGreaterThan(100))

  test('every row is reproduced', () => {
    const ours = rows.map(({ model, year, period = '' }) => {
      const term = filingTerm(model as DeadlineModel, Number(year), period)
      return `${model} ${year} ${period} ${term.opens} ${term.due} ${term.directDebitUntil ?? ''} ${term.sure}`
    })
    expect(ours).toEqual(
      rows.map(({ model, year, period, opens, due, direct_debit_until: debit, sure = '' }) =>
        [model, year, period, opens, due, debit, sure.split(' ')[0]].join(' '),
      ),
    )
  })
})
