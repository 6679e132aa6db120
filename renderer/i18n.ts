/** The page's words: Spanish first, English complete, each language fetched only when it is used. */
import { createI18n } from 'vue-i18n'
import { language } from './format.ts'
import type { Language } from './format.ts'
import type { Messages } from './locales/es/index.ts'

const loaders: Record<Language, () => Promise<{ default: Messages }>> = {
  es: () => import('./locales/es/index.ts'),
  en: () => import('./locales/en/index.ts'),
}

export const i18n = createI18n({
  legacy: false,
  locale: 'es',
  fallbackLocale: 'es',
  messages: {} as Record<Language, Messages>,
  missingWarn: true,
  fallbackWarn: false,
})

const loaded = new Set<Language>()

const LANGUAGE_ENTRY = 'sello.language'

/** The language of the last visit; without one the browser's. */
export function rememberedLanguage(): Language {
  const remembered = localStorage.getItem(LANGUAGE_ENTRY) ?? navigator.language
  return remembered.startsWith('en') ? 'en' : 'es'
}

/** For the next visit, which begins before the server has been asked. */
export function rememberLanguage(spoken: Language): void {
  localStorage.setItem(LANGUAGE_ENTRY, spoken)
}

/** Has the words of a language come, without speaking it yet. */
export const fetchMessages = (of: Language): Promise<{ default: Messages }> => loaders[of]()

/** Switches the page's language once its words are here; `html lang` and every number and date follow. */
export async function speak(next: Language): Promise<void> {
  if (!loaded.has(next)) {
    const { default: messages } = await fetchMessages(next)
    i18n.global.setLocaleMessage(next, messages)
    loaded.add(next)
  }
  i18n.global.locale.value = next
  language.value = next
  document.documentElement.lang = next
}

/** The text of `key` outside a component; `count` picks the form for none, one or many. */
export function say(key: string, params: Record<string, unknown> = {}, count?: number): string {
  return count === undefined ? i18n.global.t(key, params) : i18n.global.t(key, params, count)
}

/** True when the current language has a text for `key`. */
export function hasText(key: string): boolean {
  return i18n.global.te(key)
}
