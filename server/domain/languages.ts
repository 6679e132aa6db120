/** Languages of documents; the window and all other texts have two of them. */
import type { BusinessDate } from './dates.ts'
import { basisPointsToText } from './money.ts'
import type { BasisPoints } from './money.ts'

/**
 * Spain's official languages, English, and those of its neighbours and main customers, in the order in which they are
 * offered.
 */
export const DOCUMENT_LANGUAGES = ['es', 'ca', 'eu', 'gl', 'en', 'fr', 'de', 'pt'] as const
export type DocumentLanguage = (typeof DOCUMENT_LANGUAGES)[number]

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Readonly<Record<DocumentLanguage, string>> = {
  es: 'Español',
  ca: 'Català',
  eu: 'Euskara',
  gl: 'Galego',
  en: 'English',
  fr: 'Français',
  de: 'Deutsch',
  pt: 'Português',
}

/** BCP 47 tags: each with the country whose conventions its documents follow. */
export const LOCALES: Readonly<Record<DocumentLanguage, string>> = {
  es: 'es-ES',
  ca: 'ca-ES',
  eu: 'eu-ES',
  gl: 'gl-ES',
  en: 'en-GB',
  fr: 'fr-FR',
  de: 'de-DE',
  pt: 'pt-PT',
}

/** The languages of the program itself: the window, and the texts it proposes. */
export type ProgramLanguage = 'es' | 'en'

/**
 * Returns the language of the program's own text for a document language: Spanish for Spain's languages, else
 * English.
 */
export function programLanguage(language: DocumentLanguage): ProgramLanguage {
  return language === 'es' || language === 'ca' || language === 'eu' || language === 'gl' ? 'es' : 'en'
}

/** Name of the value added tax in each language. */
export const VAT_NAMES: Readonly<Record<DocumentLanguage, string>> = {
  es: 'IVA',
  ca: 'IVA',
  eu: 'BEZ',
  gl: 'IVE',
  en: 'VAT',
  fr: 'TVA',
  de: 'MwSt.',
  pt: 'IVA',
}

/**
 * Formats a percentage by the rules of the language, with a plain blank: `5,2 %`, English `5.2%`, Basque `% 5,2`.
 * Source: Unicode CLDR, percentFormat; Portuguese has the blank, which the metric system requires and CLDR omits.
 */
export function percentText(basisPoints: BasisPoints, language: DocumentLanguage): string {
  const figure = basisPointsToText(basisPoints)
  if (language === 'en') return `${figure}%`
  const shown = figure.replace('.', ',')
  return language === 'eu' ? `% ${shown}` : `${shown} %`
}

/** Formats a day in digits: `03/06/2026`, Basque `2026/06/03`, German `03.06.2026`. Source: Unicode CLDR, yMd. */
export function dayText(date: BusinessDate, language: DocumentLanguage): string {
  const [year = '', month = '', day = ''] = date.slice(0, 10).split('-')
  if (language === 'eu') return `${year}/${month}/${day}`
  return [day, month, year].join(language === 'de' ? '.' : '/')
}
