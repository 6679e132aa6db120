/** Locale messages: Spanish first, English complete, each language loaded only when it is used. */
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

/** Returns the language of the last visit; by default the browser's. */
export function savedLanguage(): Language {
  const remembered = localStorage.getItem(LANGUAGE_ENTRY) ?? navigator.language
  return remembered.startsWith('en') ? 'en' : 'es'
}

/** Stores the language for the next visit, which starts before the server answers. */
export function saveLanguage(spoken: Language): void {
  localStorage.setItem(LANGUAGE_ENTRY, spoken)
}

/** Loads the messages of a language without switching to it. */
export const fetchMessages = (of: Language): Promise<{ default: Messages }> => loaders[of]()

type MoreMessages = Record<Language, () => Promise<{ default: object }>>
const added: MoreMessages[] = []

const merge = (of: Language, messages: object): void =>
  i18n.global.mergeLocaleMessage(of, messages as Partial<Messages>)

/** Adds texts that only some windows need, in the languages that are loaded and in those loaded later. */
export async function addMessages(more: MoreMessages): Promise<void> {
  if (added.includes(more)) return
  added.push(more)
  await Promise.all([...loaded].map(async (each) => merge(each, (await more[each]()).default)))
}

/** Switches the language of the page once its messages are loaded; `html lang` and every number and date follow. */
export async function switchLanguage(next: Language): Promise<void> {
  if (!loaded.has(next)) {
    const { default: messages } = await fetchMessages(next)
    i18n.global.setLocaleMessage(next, messages)
    loaded.add(next)
    for (const more of added) merge(next, (await more[next]()).default)
  }
  i18n.global.locale.value = next
  language.value = next
  document.documentElement.lang = next
}

/** Returns the text of `key` outside a component; `count` selects the form for none, one or many. */
export function translate(key: string, params: Record<string, unknown> = {}, count?: number): string {
  return count === undefined ? i18n.global.t(key, params) : i18n.global.t(key, params, count)
}

/** Returns true if the current language has a text for `key`. */
export function hasText(key: string): boolean {
  return i18n.global.te(key)
}
