/**
 * Query of the treatment dialog: what it takes from the customer, which fields it shows, and that no hidden answer
 * decides.
 */
import { expect, test } from 'vitest'
import en from '../../../renderer/locales/en/index.ts'
import es from '../../../renderer/locales/es/index.ts'
import { territoryChoices, territoryName } from '../../../renderer/tax/territories.ts'
import {
  needsVatNumber,
  chosenOf,
  fieldsFor,
  formFor,
  customerTerritory,
  questionOf,
  withoutUnseen,
} from '../../../renderer/tax/question.ts'
import { SUPPLIES, SUPPLY_CODES } from '../../../server/domain/tax/supplies.ts'
import { proposeTreatmentContract, TreatmentQuestion } from '../../../server/tax/rules/contract.ts'
import { proposeTreatment } from '../../../server/tax/rules/index.ts'
import { THRESHOLD_CODES } from '../../../server/tax/rules/thresholds.ts'
import { QUESTIONS, WARNINGS, WHY } from '../../../server/tax/rules/treatment/messages.ts'
import { WITHHOLDING_CODES } from '../../../server/tax/rules/withholding.ts'

test.each([
  [{ country: 'ES', postalCode: '28013' }, 'ES'],
  [{ country: 'ES', postalCode: '35001' }, 'ES-CN'],
  [{ country: 'ES', postalCode: ' 38002' }, 'ES-CN'],
  [{ country: 'ES', postalCode: '51001' }, 'ES-CE'],
  [{ country: 'ES', postalCode: '52001' }, 'ES-ML'],
  [{ country: 'FR', postalCode: '35000' }, 'FR'],
  [{}, 'ES'],
])('the territory of %j is %s', (customer, place) => expect(customerTerritory(customer)).toBe(place))

test.each([
  [{ nif: null }, 'consumer', 'unchecked'],
  [{ nif: 'B12345674' }, 'business', 'none'],
  [{ nif: 'P2807900B' }, 'public_body', 'none'],
  [{ nif: 'DE129273398', country: 'DE', idType: '02' }, 'business', 'unchecked'],
  [{ nif: 'X1', country: 'DE', idType: '03' }, 'consumer', 'none'],
])('the customer %j starts as %s', (customer, kind, vatNumber) =>
  expect(formFor(customer)).toMatchObject({ kind, vatNumber }),
)

test('only answered fields are sent, and the contract accepts them for every supply and customer', () => {
  expect(questionOf(formFor({ nif: 'B12345674' }), null)).toEqual({
    supply: 'services',
    customer: { kind: 'business', place: 'ES' },
  })
  for (const supply of SUPPLY_CODES)
    for (const kind of ['consumer', 'business', 'public_body'] as const)
      for (const place of ['ES', 'ES-CN', 'DE', 'XI', 'US']) {
        const form = { ...formFor({}), supply, kind, place }
        const question = questionOf(form, '2026-06-15')
        expect(TreatmentQuestion.safeParse(question).success).toBe(true)
        // The dialog has a field for everything that the proposal still requires.
        const proposal = proposeTreatment(TreatmentQuestion.parse(question))
        const asked = proposal.nextQuestions.map((each) => each.field)
        const fields = fieldsFor(form, asked)
        for (const field of asked)
          expect(
            field === 'customer.vatNumber'
              ? needsVatNumber(form)
              : fields.includes(field.split('.').at(-1) as never),
            `${supply} ${kind} ${place} ${field}`,
          ).toBe(true)
        expect(proposeTreatmentContract.output.safeParse(proposal).success).toBe(true)
      }
})

test('answers are sent under the names of the contract', () => {
  const form = {
    ...formFor({ nif: 'B12345674', surcharge: true }),
    supply: 'phones_computers' as const,
    reseller: false,
    amount: 1_200_050,
    overOssThreshold: false,
  }
  expect(questionOf(form, '2026-06-15')).toEqual({
    date: '2026-06-15',
    supply: 'phones_computers',
    customer: { kind: 'business', place: 'ES', surcharge: true, reseller: false },
    facts: { amount: 12_000.5 },
    seller: { overOssThreshold: false },
  })
  expect(questionOf({ ...form, supply: 'used_goods', marginScheme: 'none' }, null).facts).toMatchObject({
    marginScheme: null,
  })
  expect(
    questionOf({ ...form, supply: 'rent_rural_land', notForFarming: true, amount: null }, null).facts,
  ).toEqual({ forFarming: false })
})

test('a hidden answer does not decide', () => {
  const form = { ...formFor({ nif: 'B12345674' }), supply: 'building_used' as const, waiver: true }
  expect(withoutUnseen(form, fieldsFor(form, [])).waiver).toBe(true)
  const other = { ...form, supply: 'services' as const }
  expect(withoutUnseen(other, fieldsFor(other, [])).waiver).toBe(false)
})

test('a proposal gives the line its treatment, and nothing else', () => {
  const proposal = proposeTreatment({ supply: 'medical', customer: { kind: 'consumer' } })
  expect(chosenOf(proposal)).toEqual({
    taxTreatment: 'E1',
    regimeKey: '01',
    vatRate: null,
    surcharge: null,
    withholding: null,
    isDisbursement: false,
    cause: 'medical',
    mention: 'Operación exenta (art. 20.Uno.3º Ley 37/1992)',
  })
})

test('every code of the server has a text in the page, with the same placeholders', () => {
  const blanks = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).toSorted()
  for (const { tax } of [es, en]) {
    for (const [own, theirs] of [
      [tax.why, WHY],
      [tax.warning, WARNINGS],
    ] as const) {
      expect(Object.keys(own).toSorted()).toEqual(Object.keys(theirs).toSorted())
      // The page may omit a placeholder, but never use one that does not exist.
      for (const [code, text] of Object.entries(own))
        for (const blank of blanks(text)) expect(blanks(theirs[code as never]), code).toContain(blank)
    }
    expect(Object.keys(tax.group)).toEqual(Object.keys(SUPPLIES))
    expect(Object.keys(tax.supply).toSorted()).toEqual([...SUPPLY_CODES].toSorted())
    expect(Object.keys(tax.withheld).toSorted()).toEqual([...WITHHOLDING_CODES].toSorted())
    expect(Object.keys(tax.threshold).toSorted()).toEqual([...THRESHOLD_CODES].toSorted())
  }
  expect(Object.keys(QUESTIONS).length).toBeGreaterThan(10)
})

test('territories are named, with Spain and its territories first', () => {
  const word = (code: string) => `<${code}>`
  expect(territoryName('FR', 'es', word)).toBe('Francia')
  expect(territoryName('ES-CN', 'es', word)).toBe('<canary>')
  expect(
    territoryChoices('es', 'ES', word)
      .slice(0, 5)
      .map((each) => each.code),
  ).toEqual(['ES', 'ES-CN', 'ES-CE', 'ES-ML', expect.any(String)])
  expect(territoryChoices('es', 'KZ', word).map((each) => each.code)).toContain('KZ')
  expect(territoryChoices('en', 'ES', word).at(-1)).toEqual({ code: 'XI', name: '<northernIreland>' })
})
