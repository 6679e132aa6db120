/**
 * Proposes the concept of an expense by the words of its document: multinomial naive Bayes with add-one smoothing
 * (Manning, Raghavan and Schütze, Introduction to Information Retrieval, section 13.2). It begins with lists of words and
 * learns from the suppliers whose documents were entered. Pure.
 */
import { digestOf } from '../intake/reading/layout.ts'
import type { ReadCategory } from '../intake/contract.ts'
import { SEEDS } from './seeds.ts'
import type { SupplierMemory } from './shape.ts'

/** Suppliers whose documents must have a word before it counts: a word of one alone may be the name of a person. */
const LEAST_SUPPLIERS = 2
/** A word of a list counts like the documents of so many suppliers. */
const SEED_WEIGHT = 3
/** Share of the documents of a supplier that have a word which is typical of it. */
const TYPICAL = 0.5
/** Probability from which a class is proposed. */
const LEAST_PROBABILITY = 0.5

interface WordClass {
  category: ReadCategory | null
  concept: string | null
  /** Suppliers, and lists, that it has. */
  weight: number
  counts: Map<string, number>
  total: number
}

interface WordModel {
  classes: WordClass[]
  /** Number of distinct words. */
  size: number
}

interface Stems {
  exact: ReadonlyMap<string, string>
  prefixes: readonly string[]
}

function stemsOf(): Stems {
  const words = SEEDS.flatMap((seed) => seed.words.split(' '))
  const exact = new Map(words.filter((word) => !word.endsWith('*')).map((word) => [word, word]))
  const prefixes = [...new Set(words.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1)))]
  return { exact, prefixes: prefixes.toSorted((a, b) => b.length - a.length) }
}

const STEMS = stemsOf()

/** Returns a word of the lists for a word; null if they have none. */
function stemOf(word: string): string | null {
  const exact = STEMS.exact.get(word)
  if (exact !== undefined) return exact
  const prefix = STEMS.prefixes.find((each) => word.startsWith(each))
  return prefix === undefined ? null : `${prefix}*`
}

/** Returns the features of words: those of the lists as they are, all others as digests. */
export function digestsOf(words: readonly string[]): string[] {
  return [...new Set(words.map((word) => stemOf(word) ?? digestOf(word)))]
}

function add(into: WordClass, feature: string, count: number): void {
  into.counts.set(feature, (into.counts.get(feature) ?? 0) + count)
  into.total += count
}

/** A supplier of the book as the model learns from it. */
interface TaughtSupplier {
  concept: string
  words: string[]
}

/** Returns what a memory teaches: its usual concept, and the words that most of its documents have. */
export function taughtBy({ usual, words, layouts }: SupplierMemory): TaughtSupplier | null {
  const concept = usual.concept?.value
  if (concept === undefined) return null
  const documents = layouts.reduce((sum, layout) => sum + layout.documents, 0)
  const typical = Object.entries(words).filter(([, count]) => count >= documents * TYPICAL)
  return { concept, words: typical.map(([word]) => word) }
}

/** Builds the model of a book from the suppliers that it remembers. */
export function wordModelOf(suppliers: readonly TaughtSupplier[]): WordModel {
  const classes = SEEDS.map(({ category, concept, words }): WordClass => {
    const each: WordClass = { category, concept, weight: 1, counts: new Map(), total: 0 }
    for (const word of words.split(' ')) add(each, word, SEED_WEIGHT)
    return each
  })
  const having = new Map<string, number>()
  for (const { words } of suppliers)
    for (const word of new Set(words)) having.set(word, (having.get(word) ?? 0) + 1)
  for (const { concept, words } of suppliers) {
    let known = classes.find((each) => each.concept === concept)
    if (!known) {
      known = { category: null, concept, weight: 0, counts: new Map(), total: 0 }
      classes.push(known)
    }
    known.weight += 1
    for (const word of new Set(words)) if ((having.get(word) ?? 0) >= LEAST_SUPPLIERS) add(known, word, 1)
  }
  const features = new Set(classes.flatMap(({ counts }) => [...counts.keys()]))
  return { classes, size: features.size }
}

interface WordProposal {
  category: ReadCategory | null
  concept: string | null
  probability: number
  /** The next best category. */
  second: ReadCategory | null
}

/** Returns the class of a document by its words; null where they decide nothing. */
export function classify(model: WordModel, words: readonly string[]): WordProposal | null {
  const features = digestsOf(words).filter((feature) =>
    model.classes.some(({ counts }) => counts.has(feature)),
  )
  if (features.length === 0) return null
  const all = model.classes.reduce((sum, { weight }) => sum + weight, 0)
  const logs = model.classes.map(({ weight, counts, total }) =>
    features.reduce(
      (sum, feature) => sum + Math.log(((counts.get(feature) ?? 0) + 1) / (total + model.size)),
      Math.log(weight / all),
    ),
  )
  const most = Math.max(...logs)
  const shares = logs.map((each) => Math.exp(each - most))
  const sum = shares.reduce((a, b) => a + b, 0)
  const ranked = model.classes
    .map(({ category, concept }, index) => ({ category, concept, probability: shares[index]! / sum }))
    .toSorted((a, b) => b.probability - a.probability)
  const [best] = ranked
  if (!best || best.probability < LEAST_PROBABILITY) return null
  const second = ranked.find(({ category }) => category !== null && category !== best.category)
  return { ...best, second: second?.category ?? null }
}
