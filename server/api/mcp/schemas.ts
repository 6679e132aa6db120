/** JSON Schemas of the tools, from the contracts: short, without references, in words that every client's validator knows. */
import { z } from 'zod'

export type Json = Record<string, unknown>
export type JsonValue = string | number | boolean | null | JsonValue[] | { [member: string]: JsonValue }
export type ObjectSchema = {
  type: 'object'
  properties?: Record<string, { [keyword: string]: JsonValue }>
  required?: string[]
  [keyword: string]: unknown
}

// The instructions say these once for all tools.
const SAID_ONCE = / ?(?:At most [26] decimals\.|Day in Spain, YYYY-MM-DD\.|^Identifier\.)$/
/** From this length on a description is not said twice in one schema. */
const LONG = 40

// What a text or a list must be like helps nobody to write one: what is not so is told, with its place.
const NOT_TOLD = new Set([
  '$schema',
  '$defs',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'maxProperties',
  'pattern',
  'propertyNames',
])

/** Of amounts and rates, which nobody gets wrong by their size; of whole numbers a bound says what they count. */
function isBound(key: string): boolean {
  return key === 'minimum' || key === 'maximum'
}

/** The bounds that Zod gives every whole number. */
function isEndOfIntegers(bound: unknown): boolean {
  return Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER
}

function isNull(schema: unknown): boolean {
  return (schema as Json | null)?.type === 'null'
}

/** `X or null` where the null means no more than leaving the field out. */
function withoutNull(schema: Json): Json {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || !anyOf.some(isNull)) return schema
  const others = anyOf.filter((one) => !isNull(one)) as Json[]
  return others.length === 1 ? { ...others[0], ...rest } : { ...rest, anyOf: others }
}

/** A schema with what it refers to in its place. Descriptions beside a reference win over the definition's. */
function resolved(schema: Json, definitions: Json): Json {
  const { $ref, ...beside } = schema
  if (typeof $ref !== 'string') return schema
  return resolved({ ...(definitions[$ref.slice('#/$defs/'.length)] as Json), ...beside }, definitions)
}

/** What is common to all of one tool's arguments. */
interface Whole {
  definitions: Json
  /** Descriptions said already. */
  said: Set<string>
}

/** A description without what is said elsewhere; empty when nothing is left. */
function describe(text: string, said: Set<string>): string {
  if (said.has(text)) return ''
  if (text.length >= LONG) said.add(text)
  return text.replace(SAID_ONCE, '')
}

function compact(value: unknown, whole: Whole, isSchema: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => compact(item, whole, true))
  if (typeof value !== 'object' || value === null) return value
  let schema = value as Json
  if (isSchema) {
    schema = withoutNull(resolved(schema, whole.definitions))
    if ('$ref' in schema) return compact(schema, whole, true)
  }
  const result: Json = {}
  const isAmount = schema.type === 'number'
  for (const [key, member] of Object.entries(schema)) {
    if (isSchema) {
      if (NOT_TOLD.has(key) || (isBound(key) && (isAmount || isEndOfIntegers(member)))) continue
      if (key === 'description' && typeof member === 'string') {
        const text = describe(member, whole.said)
        if (text !== '') result[key] = text
        continue
      }
      if (key === 'enum' || key === 'const' || key === 'default' || key === 'required') {
        result[key] = member
        continue
      }
    }
    result[key] = compact(member, whole, !(isSchema && key === 'properties'))
  }
  return result
}

function objectSchema(schema: unknown): ObjectSchema {
  if ((schema as Json).type !== 'object') throw new Error('Arguments and answers of tools are objects.')
  return schema as ObjectSchema
}

/** The schema of a tool's arguments: all that a model must know to write a right call. */
export function argumentsSchema(schema: z.ZodType): ObjectSchema {
  const document = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
  const definitions = (document.$defs ?? {}) as Json
  return objectSchema(compact(document, { definitions, said: new Set<string>() }, true))
}

/** With fewer members of its own than this, an answer's schema tells those of its objects, too. */
const FEW = 8

/** What a value is, `depth` levels of objects deep; lists and deeper objects are told as such and no more. */
function outline(value: Json, definitions: Json, depth: number): Json {
  const schema = resolved(value, definitions)
  const { type, anyOf, properties, const: fixed } = schema
  // What may be null or of two types says itself; the words for it that every client reads take more than all the rest.
  if (Array.isArray(anyOf) || Array.isArray(type)) return {}
  if (fixed !== undefined) return { type: typeof fixed }
  const told: Json = { type }
  if (type === 'object' && properties !== undefined && depth > 0)
    told.properties = outlines(properties as Json, definitions, depth - 1)
  return told
}

function outlines(properties: Json, definitions: Json, depth: number): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, outline(member as Json, definitions, depth)]),
  )
}

/**
 * The schema of a tool's structured answer. It names the answer's members and what kind of value each is: the values
 * themselves say the rest, and models pay for every word of it. Members that it does not name are allowed, so that a client
 * with an older list goes on reading.
 */
export function answerSchema(schema: z.ZodType, tells?: readonly string[]): ObjectSchema {
  const document = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Json
  const definitions = (document.$defs ?? {}) as Json
  const { type, properties } = resolved(document, definitions)
  const told = Object.fromEntries(
    Object.entries(properties as Json).filter(([name]) => tells?.includes(name) ?? true),
  )
  const depth = Object.keys(told).length < FEW ? 1 : 0
  return objectSchema({ type, properties: outlines(told, definitions, depth) })
}
