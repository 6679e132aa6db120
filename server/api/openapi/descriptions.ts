/** Words for what contracts say nothing of in the description of the REST interface: by name, from openapi-words.json. */
import wordsOfNames from './descriptions.json' with { type: 'json' }

type Json = Record<string, unknown>

const WORDS: Readonly<Record<string, string>> = wordsOfNames

/** Gives each property and parameter that its contract says nothing of the words of its name. */
export function described(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(described)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(
    // Examples and values are not described.
    Object.entries(value).map(([name, member]) => [
      name,
      UNDESCRIBED.has(name) ? member : name === 'properties' ? properties(member as Json) : described(member),
    ]),
  )
  return typeof copy.in === 'string' && typeof copy.name === 'string' ? parameter(copy, copy.name) : copy
}

/**
 * A parameter with its words. The default of one that may be left out is told in them: a page to try operations with fills
 * in whatever a schema proposes, and would send it.
 */
function parameter(of: Json, name: string): Json {
  const description = of.description ?? wordsOf(name)
  const { default: usual, ...schema } = (of.schema ?? {}) as Json
  if (of.required === true || usual === undefined) return { ...of, description }
  return { ...of, description: `${String(description)} Left out: ${String(usual)}.`, schema }
}

const UNDESCRIBED: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const'])

function properties(members: Json): Json {
  return Object.fromEntries(
    Object.entries(members).map(([name, schema]) => {
      const member = described(schema) as Json
      // What is named elsewhere is described there.
      const isSaid = member.description !== undefined || member.$ref !== undefined
      return [name, isSaid ? member : { description: wordsOf(name), ...member }]
    }),
  )
}

function wordsOf(name: string): string {
  const words = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined
  if (words === undefined) throw new Error(`Describe "${name}" in its contract, or in openapi-words.json.`)
  return words
}
