/** Descriptions for names without one in their contracts, for the OpenAPI document: by name, from descriptions.json. */
import wordsOfNames from './descriptions.json' with { type: 'json' }

type Json = Record<string, unknown>

const WORDS: Readonly<Record<string, string>> = wordsOfNames

/** Adds the description of its name to each property and parameter without one. */
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
 * Returns a parameter with its description. An optional parameter's default is given in the text: an interactive page
 * would fill in a default from the schema and send it.
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
      // A referenced schema has its own description.
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
