/**
 * Amounts and dates are typed in Spanish notation: into our own fields, never into those of the browser or the UI
 * library.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const renderer = resolve(import.meta.dirname, '../../renderer')
const pages = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.vue'))
  .map((file) => ({ file, text: readFileSync(join(renderer, file), 'utf8') }))

const found = (pattern: RegExp) =>
  pages.flatMap(({ file, text }) => (text.match(pattern) ?? []).map((match) => `${file}: ${match}`))

test('no field is a number or date field of the browser, which reads "12.5" and "1.234,56" differently', () => {
  expect(
    found(/type="(?:number|date|month|datetime-local)"|<UInput(?:Number|Date)\b|<input[^>]*v-model\.number/g),
  ).toEqual([])
})

/** Rates held as text in their forms, which `parse/money.ts` parses when they are saved. */
const READ_LATER = [
  'app/settings/company/CompanySection.vue',
  'catalog/contacts/ContactPanel.vue',
  'purchases/form/TaxLines.vue',
]

test('a field with decimals is MoneyInput, or a text that its form parses the same way', () => {
  const files = found(/inputmode="decimal"/g).map((each) => each.split(':')[0])
  expect(files.toSorted()).toEqual(['components/fields/MoneyInput.vue', ...READ_LATER].toSorted())
})

test('no decimal comma is replaced by a point by hand: 1.234,56 would become invalid, or another number', () => {
  const guesses = pages.flatMap(({ file, text }) => (/Number\([^)]*replace\(/.test(text) ? [file] : []))
  expect(guesses).toEqual([])
})
