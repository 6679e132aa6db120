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

/** What zod writes for any whole number: it says nothing. */
function isSafeIntegerBound(key: string, value: unknown): boolean {
  return (
    (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
    (key === 'maximum' && value === Number.MAX_SAFE_INTEGER)
  )
}

// How long a text of an answer may be helps nobody, and formats mean different things to validators.
const OMITTED = {
  input: new Set(['$schema', '$defs']),
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

function compact(value: unknown, definitions: Json, io: 'input' | 'output', isSchema: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => compact(item, definitions, io, true))
  if (typeof value !== 'object' || value === null) return value
  let schema = value as Json
  if (isSchema) {
    const { $ref, ...beside } = schema
    // Descriptions beside a reference win over the definition's.
    if (typeof $ref === 'string')
      schema = { ...(definitions[$ref.slice('#/$defs/'.length)] as Json), ...beside }
    schema = withSingleTypes(schema)
    if (io === 'input') schema = withoutNull(schema)
    if ('$ref' in schema) return compact(schema, definitions, io, true)
  }
  const result: Json = {}
  for (const [key, member] of Object.entries(schema)) {
    if (isSchema) {
      if (OMITTED[io].has(key) || isSafeIntegerBound(key, member)) continue
      // `format` says the same, shorter.
      if (key === 'pattern' && schema.format === 'email') continue
      // An answer may gain fields: a client that keeps an older list must not refuse them.
      if (key === 'additionalProperties' && member === false && io === 'output') continue
      if (key === 'enum' || key === 'const' || key === 'default' || key === 'required') {
        result[key] = member
        continue
      }
    }
    result[key] = compact(member, definitions, io, !(isSchema && key === 'properties'))
  }
  return result
}

/** The schema of a tool's arguments (`input`) or of its structured answer (`output`). */
export function toolSchema(schema: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const document = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  const compacted = compact(document, (document.$defs ?? {}) as Json, io, true) as Json
  if (compacted.type !== 'object') throw new Error('Arguments and answers of tools are objects.')
  return compacted as ObjectSchema
}
