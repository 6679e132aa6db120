/** Forms of EU VAT numbers: every state's own example is valid, typing errors are not. */
import { expect, test } from 'vitest'
import { OTHER_MEMBER_STATES } from '../../../../server/domain/tax/territories.ts'
import {
  normalizeVatNumber,
  splitVatNumber,
  VAT_NUMBER_FORMS,
  vatNumberFault,
} from '../../../../server/domain/tax/vat-numbers.ts'

test('every member state has a form, and its example matches with and without the prefix', () => {
  expect(VAT_NUMBER_FORMS.map((row) => row.country).toSorted()).toEqual(
    [...OTHER_MEMBER_STATES, 'ES', 'XI'].toSorted(),
  )
  for (const { country, example, prefix } of VAT_NUMBER_FORMS) {
    expect(vatNumberFault(country, example), example).toBeNull()
    expect(vatNumberFault(country, example.slice(prefix.length)), example).toBeNull()
    expect(splitVatNumber(example)).toEqual({ country, prefix, number: example.slice(prefix.length) })
  }
})

// Numbers of well-known companies, as they publish them.
test.each([
  ['DE', 'DE 129 273 398'],
  ['FR', 'FR 40 303 265 045'],
  ['FR', 'FRXX999999999'],
  ['IE', 'IE6388047V'],
  ['IE', 'IE3668997OH'],
  ['NL', 'NL004495445B01'],
  ['AT', 'ATU12345678'],
  ['BE', 'BE 0403.019.261'],
  ['GR', 'EL094019245'],
  ['GR', 'GR094019245'],
  ['ES', 'ESB12345674'],
  ['GB', 'XI123456789'],
  ['XI', 'XI123456789'],
  ['MC', 'FR12345678901'],
  ['SE', 'SE556012579001'],
  ['RO', 'RO18'],
])('%s accepts %s', (country, number) => expect(vatNumberFault(country, number)).toBeNull())

test.each([
  ['DE', 'DE12345678', 'vat_number_form'],
  ['DE', 'DE1234567890', 'vat_number_form'],
  ['FR', 'FRO1123456789', 'vat_number_form'],
  ['AT', 'AT123456789', 'vat_number_form'],
  ['ES', 'ESB12345675', 'vat_number_form'],
  ['SE', 'SE123456789002', 'vat_number_form'],
  ['NL', 'NL123456789A01', 'vat_number_form'],
  ['RO', 'RO0123', 'vat_number_form'],
  ['DE', '', 'vat_number_form'],
  ['IT', 'DE123456789', 'vat_number_prefix'],
  ['PT', 'FR12345678901', 'vat_number_prefix'],
  ['US', 'US123456789', 'vat_number_country'],
  ['GB', 'GB123456789', 'vat_number_country'],
  ['CH', 'CHE123456789', 'vat_number_country'],
])('%s rejects %s', (country, number, code) => {
  expect(vatNumberFault(country, number)?.code).toBe(code)
})

test('numbers are stored without separators, and Greek ones with their own prefix', () => {
  expect(normalizeVatNumber('be 0403.019.261')).toBe('BE0403019261')
  expect(normalizeVatNumber('GR 094019245')).toBe('EL094019245')
  expect(splitVatNumber('US123')).toBeNull()
})
