/** The score of a corpus: what counts as right, and a wrong field that is called sure is never overlooked. */
import { expect, test } from 'vitest'
import { scoreOf } from '../../bench/intake/score.ts'
import type { Found } from '../../bench/intake/score.ts'
import { Dice, factsOf, truthOf } from '../../bench/intake/sample-facts.ts'
import type { TruthDocument } from '../../bench/intake/truth.ts'

const fields = truthOf(factsOf(new Dice(1), { rates: [2100], withheldBp: 1500 }))
const documents: TruthDocument[] = [{ id: '1', kind: 'goods', layout: 'boxes', files: {}, fields }]
const scored = (found: Found) => scoreOf(documents, new Map([['1', found]]))

test('what equals the truth is right', () => {
  const { whole, faults } = scored({ fields, sure: new Set(['total', 'taxLines']) })
  expect(faults).toEqual([])
  expect(whole).toEqual({ documents: 1, money: 1, key: 1, moneySure: 1, moneyWrongButSure: [] })
})

test('a wrong field that is called sure is counted, also as money', () => {
  const { whole, fields: tallies } = scored({
    fields: { ...fields, withholding: null },
    sure: new Set(['total', 'taxLines', 'withholding']),
  })
  expect(tallies.withholding).toMatchObject({ missing: 1, wrongButSure: ['1'] })
  expect(whole).toMatchObject({ money: 0, moneySure: 1, moneyWrongButSure: ['1'] })
})

test('a value that the document does not state is wrong, and a document not read is missing', () => {
  const truth = { ...fields, iban: null }
  const score = scoreOf(
    [{ ...documents[0]!, fields: truth }],
    new Map([['1', { fields: { ...truth, iban: 'ES12' }, sure: new Set() }]]),
  )
  expect(score.fields.iban).toMatchObject({ right: 0, wrong: 1 })
  expect(scoreOf(documents, new Map()).whole).toMatchObject({ money: 0, key: 0, moneySure: 0 })
})
