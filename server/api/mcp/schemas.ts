/**
 * JSON Schemas of the tools, from the contracts: short, without references, limited to keywords that every client's
 * validator supports.
 */
import { z } from 'zod'
import { hiddenFromTools } from '../../domain/contract/text-fields.ts'

export type Json = Record<string, unknown>
export type JsonValue = string | number | boolean | null | JsonValue[] | { [member: string]: JsonValue }
export type ObjectSchema = {
  type: 'object'
  properties?: Record<string, { [keyword: string]: JsonValue }>
  required?: string[]
  [keyword: string]: unknown
}

// Phrases that the instructions state once for all tools.
const SAID_ONCE = / ?(?:At most [26] decimals\.|Day in Spain, YYYY-MM-DD\.|^Identifier\.)$/
/** Descriptions of this length or more are not repeated within one schema. */
const LONG = 40

// Keywords that do not help to write a correct value; the error message names the fault and its place.
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

/**
 * Returns true for bounds of amounts and rates, whose size nobody gets wrong; bounds of whole numbers are kept
 * because they are informative.
 */
function isBound(key: string): boolean {
  return key === 'minimum' || key === 'maximum'
}

/** Returns true for the bounds that Zod gives every whole number. */
function isEndOfIntegers(bound: unknown): boolean {
  return Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER
}

function isNull(schema: unknown): boolean {
  return (schema as Json | null)?.type === 'null'
}

/** Removes `or null` where null means the same as omitting the field. */
function withoutNull(schema: Json): Json {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || !anyOf.some(isNull)) return schema
  const others = anyOf.filter((one) => !isNull(one)) as Json[]
  return others.length === 1 ? { ...others[0], ...rest } : { ...rest, anyOf: others }
}

/** Replaces references in a schema by their definitions. A description next to a reference wins over the definition's. */
function resolved(schema: Json, definitions: Json): Json {
  const { $ref, ...beside } = schema
  if (typeof $ref !== 'string') return schema
  return resolved({ ...(definitions[$ref.slice('#/$defs/'.length)] as Json), ...beside }, definitions)
}

/** State shared by all arguments of one tool. */
interface Whole {
  definitions: Json
  /** Descriptions used so far. */
  said: Set<string>
}

/** Returns a description without phrases stated elsewhere; may be empty. */
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

/** Returns the schema of a tool's arguments: everything that a model needs for a correct call. */
export function argumentsSchema(schema: z.ZodType): ObjectSchema {
  const document = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
  const definitions = (document.$defs ?? {}) as Json
  return objectSchema(compact(document, { definitions, said: new Set<string>() }, true))
}

/** If an answer has fewer members than this, its schema also describes the members of its objects. */
const FEW = 8

/**
 * Returns the outline of a value, `depth` levels of objects deep; lists and deeper objects are only named by their
 * type.
 */
function outline(value: Json, definitions: Json, depth: number): Json {
  const schema = resolved(value, definitions)
  const { type, anyOf, properties, const: fixed } = schema
  // Nullable values and unions get no type: the keyword that every client supports would be longer than all the rest.
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
 * Returns the schema of a tool's structured answer. It names the members and their types; more is not needed next to
 * the values, and every word costs the model tokens. Further members are allowed, so that a client with an older list
 * can still read the answer.
 */
export function answerSchema(schema: z.ZodType, outputFields?: readonly string[]): ObjectSchema {
  const document = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Json
  const definitions = (document.$defs ?? {}) as Json
  const { type, properties } = resolved(document, definitions)
  const hidden = hiddenFromTools(schema)
  const told = Object.fromEntries(
    Object.entries(properties as Json).filter(
      ([name]) => outputFields?.includes(name) ?? !hidden.includes(name),
    ),
  )
  const depth = Object.keys(told).length < FEW ? 1 : 0
  return objectSchema({ type, properties: outlines(told, definitions, depth) })
}
