/** The page's own texts, so that a test finds a button by its name in any language. */
import english from '../../../renderer/locales/en/index.ts'
import { people as englishPeople } from '../../../renderer/locales/en/people.ts'
import spanish from '../../../renderer/locales/es/index.ts'
import { people as spanishPeople } from '../../../renderer/locales/es/people.ts'

/** With those that only an office loads. */
const es = { ...spanish, ...spanishPeople }
const en = { ...english, ...englishPeople }

export type Say = (key: string) => string

const NAMES = new Set(Object.keys(es))
/** Returns true for a text that is a message key instead of its text: shown by a page if a message is missing. */
export const isBareKey = (text: string): boolean =>
  /^[a-z][A-Za-z]*(\.[A-Za-z_][A-Za-z0-9_]*)+$/.test(text) && NAMES.has(text.split('.')[0] ?? '')

/** Returns the text of a message key up to its first variable; for a plural the singular. Throws if there is none. */
export function wordsIn(language: 'es' | 'en'): Say {
  const messages: unknown = language === 'es' ? es : en
  return (key) => {
    const text = key
      .split('.')
      .reduce<unknown>(
        (part, name) =>
          typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[name] : undefined,
        messages,
      )
    if (typeof text !== 'string') throw new Error(`No words are called ${key}.`)
    return (text.split('|')[0] ?? '').split('{')[0]?.trim() ?? ''
  }
}
