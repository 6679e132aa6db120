/** Texts of the help in the page's language, loaded on first use, with figures and index. */
import { shallowRef, watch } from 'vue'
import type { ShallowRef } from 'vue'
import { asCallError } from '../../call.ts'
import type { CallError } from '../../call.ts'
import { language } from '../../format.ts'
import type { Language } from '../../format.ts'
import { fillText, USUAL_TERMS } from '../../locales/terms.ts'
import type { LocalTerms } from '../../locales/terms.ts'
import { localTerms } from '../../i18n.ts'
import { withFigures } from './figures.ts'
import { indexOf } from './search.ts'
import type { SearchIndex } from './search.ts'
import { TOPIC_IDS } from './topics.ts'
import type { TopicContent } from './topics.ts'

export interface Help {
  texts: TopicContent
  index: SearchIndex
}

const loaders: Record<Language, () => Promise<{ default: TopicContent }>> = {
  es: () => import('./es/index.ts'),
  en: () => import('./en/index.ts'),
}
const loaded = new Map<Language, { help: Help; own: LocalTerms }>()

/** Returns the texts with their figures and the words of the company, and the index over them. */
export function helpFrom(raw: TopicContent, of: Language, own: LocalTerms = USUAL_TERMS[of]): Help {
  const texts = Object.fromEntries(
    TOPIC_IDS.map((id) => {
      const { title, lead, body, words } = raw[id]
      const fill = (text: string) => withFigures(fillText(text, own), of)
      const filled = { title: fillText(title, own), lead: fill(lead), body: fill(body) }
      return [id, words === undefined ? filled : { ...filled, words }]
    }),
  ) as TopicContent
  return { texts, index: indexOf(texts) }
}

async function load(of: Language): Promise<Help> {
  const known = loaded.get(of)
  const own = localTerms.value[of]
  if (known?.own === own) return known.help
  const help = helpFrom((await loaders[of]()).default, of, own)
  loaded.set(of, { help, own })
  return help
}

/** Returns the help in the language of the page; it follows a change of language and of company. */
export function useHelp(): {
  help: ShallowRef<Help | null>
  error: ShallowRef<CallError | null>
  retry: () => Promise<void>
} {
  const help = shallowRef<Help | null>(loaded.get(language.value)?.help ?? null)
  const error = shallowRef<CallError | null>(null)
  async function retry(): Promise<void> {
    error.value = null
    try {
      help.value = await load(language.value)
    } catch (thrown) {
      error.value = asCallError(thrown)
    }
  }
  watch([language, localTerms], retry, { immediate: true })
  return { help, error, retry }
}
