/** No code of a move is shown as it is: each has its text in both languages, with parameters that the text knows. */
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import en from '../../../../renderer/locales/en/index.ts'
import es from '../../../../renderer/locales/es/index.ts'
import { choiceKey } from '../../../../renderer/app/moving-in/wizard.ts'
import { ERRORS } from '../../../../server/domain/errors/catalog.ts'
import { balanceFields, isBalanceContent } from '../../../../server/app/moving-in/adding/list-fields.ts'
import {
  CHOSEN_CONTENTS,
  FILE_CONTENTS,
  QUESTION_CHOICES,
  RECOGNITION_REASONS,
  SKIP_REASONS,
} from '../../../../server/app/moving-in/files/codes.ts'
import { listFields } from '../../../../server/app/moving-in/files/lists/fields.ts'
import { fieldList } from '../../../../server/app/imports/index.ts'

type Words = { [key: string]: string | Words }

function textAt(words: Words, path: string): string | undefined {
  let found: string | Words | undefined = words
  for (const key of path.split('.')) found = typeof found === 'object' ? found[key] : undefined
  return typeof found === 'string' ? found : undefined
}
const LANGUAGES: Record<string, Words> = { es, en }
/** Keys without a text in some language. */
const missing = (keys: readonly string[]): string[] =>
  Object.entries(LANGUAGES).flatMap(([language, words]) =>
    keys.filter((key) => !textAt(words, key)).map((key) => `${language} ${key}`),
  )
const bare = (code: string): string => code.replace(/^[a-z]+_/, '')

const root = resolve(import.meta.dirname, '../../../..')
const sources = globSync('server/app/moving-in/**/*.ts', { cwd: root }).map((path) => ({
  path,
  text: readFileSync(resolve(root, path), 'utf8'),
}))

test('every question has its words, and every answer', () => {
  const keys = Object.entries(QUESTION_CHOICES).flatMap(([code, choices]) => [
    `moving.ask.${bare(code)}.title`,
    `moving.ask.${bare(code)}.text`,
    ...choices.map((choice) => `moving.choice.${bare(code)}.${choiceKey(choice)}`),
  ])
  expect(keys.length).toBeGreaterThan(50)
  expect(missing(keys)).toEqual([])
  // Two answers of a question never read alike.
  for (const [code, choices] of Object.entries(QUESTION_CHOICES))
    for (const words of Object.values(LANGUAGES)) {
      const texts = choices.map((choice) => textAt(words, `moving.choice.${bare(code)}.${choiceKey(choice)}`))
      expect(new Set(texts).size, code).toBe(texts.length)
    }
})

test('every reason, every kind of table and every row that is skipped has its words', () => {
  expect(
    missing([
      ...RECOGNITION_REASONS.map((code) => `moving.reason.${bare(code)}`),
      ...SKIP_REASONS.map((code) => `moving.skip.reason.${bare(code)}`),
      ...FILE_CONTENTS.map((content) => `moving.content.${content}`),
    ]),
  ).toEqual([])
  // The texts name no parameter that the reader does not give.
  const text = sources.map((source) => source.text).join('\n')
  for (const code of RECOGNITION_REASONS) {
    const holes = [...(textAt(es, `moving.reason.${bare(code)}`) ?? '').matchAll(/\{(\w+)\}/g)]
    for (const [, hole] of holes) expect(text, code).toMatch(new RegExp(`\\b${hole}\\b`))
  }
})

test('every field of a list has a name', () => {
  for (const content of CHOSEN_CONTENTS) {
    if (content === 'issued' || content === 'received')
      expect(missing(listFields(content).map(({ name }) => `moving.field.${name}`)), content).toEqual([])
    else if (content === 'contacts' || content === 'items')
      expect(missing(fieldList(content).map(({ name }) => `imports.field.${name}`)), content).toEqual([])
    else if (isBalanceContent(content))
      expect(missing(balanceFields(content).map(({ name }) => `moving.field.${name}`)), content).toEqual([])
  }
})

/** Words with the look of a code that are none: names of tables and of what a row is. */
const NO_CODES: ReadonlySet<string> = new Set([
  'history_documents',
  'moving_files',
  'moving_records',
  'moving_rows',
  'moving_runs',
  'return_file',
])

test('every fault that a move can report has its words', () => {
  const codes = new Map<string, string>()
  for (const { path, text } of sources)
    for (const [, code = ''] of text.matchAll(
      /['\s]((?:history|import|moving|opening|return)_[a-z_]+)(?:'|: \[)/g,
    ))
      if (!NO_CODES.has(code)) codes.set(code, path)
  expect(codes.size).toBeGreaterThan(50)
  const unknown = [...codes].filter(([code]) => !(code in ERRORS) && missing([`faults.${code}`]).length > 0)
  expect(unknown).toEqual([])
  // The readers of returns are of another room.
  const readers = globSync('server/accounting/returns/files/*.ts', { cwd: root })
    .map((path) => readFileSync(resolve(root, path), 'utf8'))
    .flatMap((text) => [...text.matchAll(/'(return_[a-z_]+)'/g)].map(([, code = '']) => code))
  expect(readers.length).toBeGreaterThan(5)
  expect(
    missing([...new Set(readers)].filter((code) => !(code in ERRORS)).map((code) => `faults.${code}`)),
  ).toEqual([])
  // What the readers of files throw is shown as a fault of the file.
  expect(missing(['file_unreadable', 'no_file_layout'].map((code) => `faults.${code}`))).toEqual([])
})

test('a fault names no parameter that its place in the program does not give', () => {
  const all = sources.map(({ text }) => text).join('\n')
  for (const code of [...all.matchAll(/'(history_[a-z_]+)'/g)].map(([, found = '']) => found)) {
    const text = textAt(es, `faults.${code}`)
    if (text === undefined) continue
    for (const [, hole = ''] of text.matchAll(/\{(\w+)\}/g)) {
      const places = [...all.matchAll(new RegExp(`'${code}'[\\s\\S]{0,400}`, 'g'))].map(([found]) => found)
      expect(
        places.some((place) => new RegExp(`\\b${hole}\\b`).test(place)),
        `${code} {${hole}}`,
      ).toBe(true)
    }
  }
})

test('every reason why a move cannot be undone has its words', () => {
  const undo = sources.find(({ path }) => path.endsWith('/undo.ts'))?.text ?? ''
  const uses = [...undo.matchAll(/then '([a-z]+)'/g)].map(([, use = '']) => use)
  expect(uses.length).toBeGreaterThan(2)
  expect(missing([...uses, 'asset'].map((use) => `moving.undo.use.${use}`))).toEqual([])
  expect(sources.some(({ text }) => text.includes("by: 'asset'"))).toBe(true)
})
