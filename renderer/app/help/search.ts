/**
 * Search in the help, local and offline: words without accents, matched by prefix, with the title weighted above the
 * text. The index is built on first use; some forty topics take a few milliseconds. Pure.
 */
import { plainText } from './parse.ts'
import { TOPIC_IDS } from './topics.ts'
import type { TopicId, TopicContent } from './topics.ts'

/** Weight of a word by its position. */
const WEIGHTS = { title: 12, words: 8, lead: 4, body: 1 } as const
type Part = keyof typeof WEIGHTS
/** Factor for a match by prefix only. */
const BEGINNING = 0.6
/** Limit of the repetitions of a word that count in one part. */
const REPEATED = 3

export interface SearchIndex {
  /** Weight of each word in each topic. */
  words: Map<string, Map<TopicId, number>>
}

/** Returns the text in lower case without accents; ñ becomes n, as users type it. */
export function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

const STOP = new Set(
  'a al con de del el en es la las lo los o para por que se si sin su tu un una y an and are for in is it my of on or the to with what how your como qué mi'.split(
    ' ',
  ),
)

/** Returns the significant words of a text; all of its words if none is significant. */
export function searchWords(text: string): string[] {
  const all = folded(text).match(/[\p{L}\p{N}*]+/gu) ?? []
  const significant = all.filter((word) => !STOP.has(word))
  return significant.length > 0 ? significant : all
}

/** Builds the index of the texts of one language. */
export function indexOf(texts: TopicContent): SearchIndex {
  const words: SearchIndex['words'] = new Map()
  for (const id of TOPIC_IDS) {
    const { title, lead, body, words: others = '' } = texts[id]
    const parts: Record<Part, string> = { title, words: others, lead, body: plainText(body) }
    for (const part of Object.keys(WEIGHTS) as Part[]) {
      const counts = new Map<string, number>()
      for (const word of searchWords(parts[part])) counts.set(word, (counts.get(word) ?? 0) + 1)
      for (const [word, count] of counts) {
        const topics = words.get(word) ?? new Map<TopicId, number>()
        topics.set(id, (topics.get(id) ?? 0) + WEIGHTS[part] * Math.min(count, REPEATED))
        words.set(word, topics)
      }
    }
  }
  return { words }
}

/** Returns the topics that contain every word of the query, best first; if none contains all, those that contain most. */
export function searchTopics(index: SearchIndex, question: string): TopicId[] {
  const asked = [...new Set(searchWords(question))]
  const found = new Map<TopicId, { score: number; hits: number }>()
  for (const word of asked) {
    const best = new Map<TopicId, number>()
    for (const [known, topics] of index.words) {
      if (!known.startsWith(word)) continue
      const factor = known === word ? 1 : BEGINNING
      for (const [id, weight] of topics) best.set(id, Math.max(best.get(id) ?? 0, weight * factor))
    }
    // A rare word is more significant than one that half of the topics contain.
    const rarity = Math.log(1 + TOPIC_IDS.length / Math.max(1, best.size))
    for (const [id, weight] of best) {
      const sum = found.get(id) ?? { score: 0, hits: 0 }
      found.set(id, { score: sum.score + weight * rarity, hits: sum.hits + 1 })
    }
  }
  const most = Math.max(0, ...[...found.values()].map(({ hits }) => hits))
  return [...found]
    .filter(([, { hits }]) => hits === most)
    .sort(([, a], [, b]) => b.score - a.score)
    .map(([id]) => id)
}
