/** The page's own words, so that a test finds a button by its name in any language. */
import en from '../../renderer/locales/en/index.ts'
import es from '../../renderer/locales/es/index.ts'

export type Say = (key: string) => string

/** The text of a message key as far as its first variable; of a plural the singular. Throws where there is none. */
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
