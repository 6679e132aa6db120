/** The languages a document can be written in; the window and everything that is not a document speak two of them. */
import type { BusinessDate } from './dates.ts'
import { basisPointsToText } from './money.ts'
import type { BasisPoints } from './money.ts'

/** Spain's official languages, English, and its neighbours' and best customers'. In the order in which they are offered. */
export const DOCUMENT_LANGUAGES = ['es', 'ca', 'eu', 'gl', 'en', 'fr', 'de', 'pt'] as const
export type DocumentLanguage = (typeof DOCUMENT_LANGUAGES)[number]

/** Each by its own name, as whoever reads it looks for it. */
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

/** BCP 47: each with the country whose habits of writing its documents follow. */
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

/** What the program itself is written in: the window, and the texts it proposes. */
export type ProgramLanguage = 'es' | 'en'

/** The language of the program's own text beside a document: Spanish where the reader is in Spain, else English. */
export function programLanguage(language: DocumentLanguage): ProgramLanguage {
  return language === 'es' || language === 'ca' || language === 'eu' || language === 'gl' ? 'es' : 'en'
}

/** What a language calls the value added tax. */
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
 * A percentage as the language writes it, with a plain blank: `5,2 %`, English `5.2%`, Basque `% 5,2`. Source: Unicode
 * CLDR, percentFormat; in Portuguese with Spain's blank, which the metric system asks for and CLDR leaves out.
 */
export function percentText(basisPoints: BasisPoints, language: DocumentLanguage): string {
  const figure = basisPointsToText(basisPoints)
  if (language === 'en') return `${figure}%`
  const shown = figure.replace('.', ',')
  return language === 'eu' ? `% ${shown}` : `${shown} %`
}

/** A day in figures: `03/06/2026`, Basque `2026/06/03`, German `03.06.2026`. Source: Unicode CLDR, yMd. */
export function dayText(date: BusinessDate, language: DocumentLanguage): string {
  const [year = '', month = '', day = ''] = date.slice(0, 10).split('-')
  if (language === 'eu') return `${year}/${month}/${day}`
  return [day, month, year].join(language === 'de' ? '.' : '/')
}
