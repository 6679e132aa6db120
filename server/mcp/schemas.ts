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

/** A bound that only keeps numbers within what can be kept: nobody comes near it. */
const FAR = 999_999_999

function isFarBound(key: string, value: unknown): boolean {
  return (key === 'minimum' && Number(value) <= -FAR) || (key === 'maximum' && Number(value) >= FAR)
}

/** Any identifier. */
const ANY_ID = '^[\\x20-\\x7e]+$'

// The instructions say these once for all tools.
const SAID_ONCE = / ?(?:At most [26] decimals\.|Day in Spain, YYYY-MM-DD\.|^Identifier\.)$/
/** From this length on a description is not said twice in one schema. */
const LONG = 40

// How long a text may be helps nobody to write one: what is too long is told. Formats mean different things to validators.
const OMITTED = {
  input: new Set(['$schema', '$defs', 'minLength', 'maxLength']),
  output: new Set([
    '$schema',
    '$defs',
    'format',
    'pattern',
    'minLength',
    'maxLength',
    'default',
    'propertyNames',
  ]),
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

/** `type: [x, null]` in the form that more clients read. */
function withSingleTypes(schema: Json): Json {
  const { type, ...rest } = schema
  if (!Array.isArray(type)) return schema
  const { description, ...constraints } = rest
  const anyOf = type.map((one: unknown) => (one === 'null' ? { type: one } : { type: one, ...constraints }))
  return { ...(description === undefined ? {} : { description }), anyOf }
}

/** What is common to all of one tool's arguments or answer. */
interface Whole {
  definitions: Json
  io: 'input' | 'output'
  /** Descriptions said already. */
  said: Set<string>
  /** Leave descriptions out: another tool's schema of the same thing has them. */
  isBrief: boolean
}

/** A description without what is said elsewhere; empty when nothing is left. */
function describe(text: string, said: Set<string>): string {
  if (said.has(text)) return ''
  if (text.length >= LONG) said.add(text)
  return text.replace(SAID_ONCE, '')
}

function compact(value: unknown, whole: Whole, isSchema: boolean): unknown {
  const { definitions, io, said, isBrief } = whole
  if (Array.isArray(value)) return value.map((item) => compact(item, whole, true))
  if (typeof value !== 'object' || value === null) return value
  let schema = value as Json
  if (isSchema) {
    const { $ref, ...beside } = schema
    // Descriptions beside a reference win over the definition's.
    if (typeof $ref === 'string')
      schema = { ...(definitions[$ref.slice('#/$defs/'.length)] as Json), ...beside }
    schema = withSingleTypes(schema)
    if (io === 'input') schema = withoutNull(schema)
    if ('$ref' in schema) return compact(schema, whole, true)
  }
  const result: Json = {}
  for (const [key, member] of Object.entries(schema)) {
    if (isSchema) {
      if (OMITTED[io].has(key) || isFarBound(key, member)) continue
      if (key === 'description' && typeof member === 'string') {
        const text = isBrief ? '' : describe(member, said)
        if (text !== '') result[key] = text
        continue
      }
      if (key === 'pattern' && member === ANY_ID) continue
      // `format` says the same, shorter.
      if (key === 'pattern' && schema.format === 'email') continue
      // An answer may gain fields: a client that keeps an older list must not refuse them.
      if (key === 'additionalProperties' && member === false && io === 'output') continue
      if (key === 'enum' || key === 'const' || key === 'default' || key === 'required') {
        result[key] = member
        continue
      }
    }
    result[key] = compact(member, whole, !(isSchema && key === 'properties'))
  }
  return result
}

/** The schema of a tool's arguments (`input`) or of its structured answer (`output`). */
export function toolSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  { isBrief = false }: { isBrief?: boolean } = {},
): ObjectSchema {
  const document = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  const definitions = (document.$defs ?? {}) as Json
  const compacted = compact(document, { definitions, io, said: new Set<string>(), isBrief }, true) as Json
  if (compacted.type !== 'object') throw new Error('Arguments and answers of tools are objects.')
  return compacted as ObjectSchema
}
