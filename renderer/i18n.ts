/** Locale messages: Spanish first, English complete, each language loaded only when it is used. */
import { shallowRef } from 'vue'
import type { ShallowRef } from 'vue'
import { createI18n } from 'vue-i18n'
import { language } from './format.ts'
import type { Language } from './format.ts'
import type { Messages } from './locales/es/index.ts'
import { fillTerms, USUAL_TERMS } from './locales/terms.ts'
import type { LocalTerms } from './locales/terms.ts'

/** `templates` have words in brackets that depend on the company; see locales/terms.ts. */
const loaders: Record<Language, () => Promise<{ templates: Messages }>> = {
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

/** Templates of the languages that were used. */
const loaded = new Map<Language, Messages>()
const terms = shallowRef<Readonly<Record<Language, LocalTerms>>>(USUAL_TERMS)
/** Words of the company that is shown. */
export const localTerms: Readonly<ShallowRef<Readonly<Record<Language, LocalTerms>>>> = terms

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
export const fetchMessages = (of: Language): Promise<{ templates: Messages }> => loaders[of]()

type MoreMessages = Record<Language, () => Promise<{ default: object }>>
const added: MoreMessages[] = []

const merge = (of: Language, messages: object): void =>
  i18n.global.mergeLocaleMessage(of, fillTerms(messages, terms.value[of]) as Partial<Messages>)

/** Adds texts that only some windows need, in the languages that are loaded and in those loaded later. */
export async function addMessages(more: MoreMessages): Promise<void> {
  if (added.includes(more)) return
  added.push(more)
  await Promise.all([...loaded.keys()].map(async (each) => merge(each, (await more[each]()).default)))
}

async function showMessages(of: Language, templates: Messages): Promise<void> {
  i18n.global.setLocaleMessage(of, fillTerms(templates, terms.value[of]))
  for (const more of added) merge(of, (await more[of]()).default)
}

/** Makes every text name the tax and the registry of the company that is shown. */
export async function useLocalTerms(next: Readonly<Record<Language, LocalTerms>>): Promise<void> {
  if (JSON.stringify(next) === JSON.stringify(terms.value)) return
  terms.value = next
  for (const [each, templates] of loaded) await showMessages(each, templates)
}

/** Switches the language of the page once its messages are loaded; `html lang` and every number and date follow. */
export async function switchLanguage(next: Language): Promise<void> {
  if (!loaded.has(next)) {
    const { templates } = await fetchMessages(next)
    loaded.set(next, templates)
    await showMessages(next, templates)
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
