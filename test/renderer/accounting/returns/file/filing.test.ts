/** What the page of filing sends of the choices, and how it says who files for whom. */
import { beforeAll, expect, test } from 'vitest'
import { choicesSent, filesFor, NO_CHOICES } from '../../../../../renderer/accounting/returns/file/filing.ts'
import { i18n } from '../../../../../renderer/i18n.ts'
import words from '../../../../../renderer/locales/es/index.ts'

beforeAll(() => {
  i18n.global.setLocaleMessage('es', words)
})

const BANK = { bic: ' chasus33 ', name: 'Chase', address: '', city: 'New York', country: 'US' }

test('the bank is sent only with a refund abroad, part by part, without what is empty', () => {
  expect(choicesSent({ ...NO_CHOICES, kind: 'X', iban: '0123', bank: BANK })).toEqual({
    nature: 'first',
    kind: 'X',
    iban: '0123',
    bankBic: 'chasus33',
    bankName: 'Chase',
    bankCity: 'New York',
    bankCountry: 'US',
  })
  for (const kind of ['D', 'C', null] as const)
    expect(Object.keys(choicesSent({ ...NO_CHOICES, kind, bank: BANK }))).not.toContain('bankBic')
})

test('who files for whom is said of a representative only', () => {
  const filer = { nif: 'B12345674', name: 'Talleres Ejemplo, S.L.' }
  const adviser = { nif: 'A28000982', name: 'Gestoría, S.A.' }
  expect(filesFor({ ...adviser, representation: 'collaborator' }, filer)).toBe(
    'Gestoría, S.A. (A28000982) presenta por Talleres Ejemplo, S.L. (B12345674), como colaborador social.',
  )
  expect(filesFor({ ...filer, representation: null }, filer)).toBe('')
  expect(filesFor(null, filer)).toBe('')
})
