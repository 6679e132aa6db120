/** Locale messages: both languages complete, none missing where it is used, none unused, every error code explained. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { templates as en } from '../../renderer/locales/en/index.ts'
import { people as enPeople } from '../../renderer/locales/en/people.ts'
import { templates as es } from '../../renderer/locales/es/index.ts'
import { people as esPeople } from '../../renderer/locales/es/people.ts'
import { fillText, registryTerms, USUAL_TERMS } from '../../renderer/locales/terms.ts'
import { ERRORS } from '../../server/domain/errors/catalog.ts'

const renderer = resolve(import.meta.dirname, '../../renderer')

type Words = { [key: string]: string | Words }

function flatten(words: Words, prefix = ''): Map<string, string> {
  const flat = new Map<string, string>()
  for (const [key, value] of Object.entries(words)) {
    if (typeof value === 'string') flat.set(prefix + key, value)
    else for (const [inner, text] of flatten(value, `${prefix}${key}.`)) flat.set(inner, text)
  }
  return flat
}

/** With the texts that only an office loads. */
const spanish = flatten({ ...es, ...esPeople })
const english = flatten({ ...en, ...enPeople })

const sources = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(vue|ts)$/.test(file) && !file.startsWith('locales'))
  .map((file) => ({ file, text: readFileSync(join(renderer, file), 'utf8') }))

const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort()

test('English has every text of Spanish, with the same placeholders', () => {
  expect([...english.keys()].sort()).toEqual([...spanish.keys()].sort())
  for (const [key, text] of spanish) expect([key, holes(english.get(key) ?? '')]).toEqual([key, holes(text)])
})

test('no text is empty, and none contains characters that the message format would interpret', () => {
  for (const words of [spanish, english])
    for (const [key, text] of words) {
      expect(text.trim(), key).not.toBe('')
      // A literal sign, {'@'}, is safe; a bar separates the forms for none, one and many, all three of them.
      expect(text.replaceAll("{'@'}", ''), key).not.toMatch(/@/)
      expect([1, 3], key).toContain(text.split('|').length)
      for (const form of text.split(' | ')) expect(form, key).toMatch(/^[^|]*\S[^|]*$/)
    }
})

test('every word in brackets depends on the company, and is filled in', () => {
  for (const [language, words] of [
    ['es', spanish],
    ['en', english],
  ] as const)
    for (const [key, text] of words)
      expect(fillText(text, USUAL_TERMS[language]), key).not.toMatch(/\[[a-zA-Z]+\]/)
})

test('texts name the tax and the registry of another company', () => {
  const words = { tax: 'IGIC', return: 'el modelo 420', ...registryTerms('signed-48', 'es') }
  const said = (key: string) => fillText(spanish.get(key) ?? '', words)
  expect(said('shell.registry.up')).toBe('Hacienda Foral de Bizkaia responde')
  expect(said('ledger.periods.vatText')).toMatch(/^Pasa el IGIC del trimestre .* presentar el modelo 420\.$/)
})

test('every text used by a source exists', () => {
  const missing: string[] = []
  for (const { file, text } of sources) {
    for (const match of text.matchAll(/\b(?:t|say|hasText)\(\s*'([\w.]+)'/g))
      if (!spanish.has(match[1] ?? '')) missing.push(`${file}: ${match[1]}`)
    for (const match of text.matchAll(/\b(?:t|say|hasText)\(\s*`([\w.]+?)\.?\$\{/g)) {
      const prefix = match[1] ?? ''
      if (![...spanish.keys()].some((key) => key.startsWith(prefix))) missing.push(`${file}: ${prefix}…`)
    }
  }
  expect(missing).toEqual([])
})

test('every text is used', () => {
  const all = sources.map(({ text }) => text).join('\n')
  const literals = new Set([...all.matchAll(/['"`]([\w]+(?:\.[\w]+)+)['"`]/g)].map((match) => match[1]))
  // Keys composed with a value: `registryStatus.${status}`, also with text after it.
  const patterns = [...all.matchAll(/`((?:[\w.]|\$\{[^`]*?\})+)`/g)]
    .map((match) => match[1] ?? '')
    .filter((key) => /^[\w]+\./.test(key) && key.includes('${'))
    .map(
      (key) =>
        new RegExp(
          `^${key
            .split(/\$\{[^}]*\}/)
            .map((part) => part.replaceAll('.', '\\.'))
            .join('\\w+')}$`,
        ),
    )
  const unused = [...spanish.keys()].filter(
    (key) => !literals.has(key) && !patterns.some((pattern) => pattern.test(key)),
  )
  expect(unused).toEqual([])
})

test('every error code has its sentence and its next step', () => {
  const said = new Set([...spanish.keys()].filter((key) => key.startsWith('errors.')))
  for (const code of Object.keys(ERRORS)) {
    expect(said, code).toContain(`errors.${code}.title`)
    expect(said, code).toContain(`errors.${code}.next`)
  }
})
