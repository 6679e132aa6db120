/**
 * Checks a document against a table of a schema. A group of elements is written as in a content model: parts in their order,
 * `name:type`, with `[?]` where a part may be absent and `[least-most]` where it may be repeated; `(a:x|b:y)` is a choice of one.
 */
import type { XmlElement } from '../../../../../domain/formats/xml-reader.ts'

/** Restrictions of a text: its characters, its pattern, its values, or the numbers it may stand for. */
interface ValueRule {
  base?: string
  length?: number
  least?: number
  most?: number
  from?: number
  to?: number
  decimals?: number
  /** A regular expression for the whole text. */
  pattern?: string
  /** Separated by blanks. */
  values?: string
}

export interface SchemaTable {
  /** Type of a root element by `{namespace}name`. */
  roots: Readonly<Record<string, string>>
  groups: Readonly<Record<string, string>>
  values: Readonly<Record<string, ValueRule>>
}

/** Where a document departs from its schema, and how; both in a few words. */
interface SchemaFault {
  path: string
  detail: string
}

interface Part {
  /** By name: one element, or the alternatives of a choice. */
  types: ReadonlyMap<string, string>
  least: number
  most: number
}

const DS = 'http://www.w3.org/2000/09/xmldsig#'
/** Type of the signature, which is verified and not described. */
const SIGNATURE = 'signature'
const BUILT_IN: Readonly<Record<string, RegExp>> = {
  string: /^/,
  int: /^[+-]?\d{1,10}$/,
  decimal: /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/,
  base64Binary: /^[A-Za-z0-9+/\s]*={0,2}\s*$/,
}
const PART = /\(([^)]+)\)(\?)?|(\w+)(?:\[(?:(\?)|(\d+)-(\d+))\])?:([\w.]+)/g

const parsed = new WeakMap<SchemaTable, Map<string, Part[]>>()

function partsOf(table: SchemaTable, type: string): Part[] | null {
  const content = table.groups[type]
  if (content === undefined) return null
  const known = parsed.get(table) ?? new Map<string, Part[]>()
  parsed.set(table, known)
  const cached = known.get(type)
  if (cached) return cached
  const parts = Array.from(
    content.matchAll(PART),
    ([, choice, absent, name = '', once, least, most, of = '']) =>
      choice === undefined
        ? {
            types: new Map([[name, of]]),
            least: once ? 0 : Number(least ?? 1),
            most: Number(most ?? 1),
          }
        : {
            types: new Map(choice.split('|').map((each) => each.split(':') as [string, string])),
            least: absent ? 0 : 1,
            most: 1,
          },
  )
  known.set(type, parts)
  return parts
}

/** Returns the first departure of a document from the table, or null. A root that the table does not name is one. */
export function schemaFault(root: XmlElement, table: SchemaTable): SchemaFault | null {
  const type = table.roots[`{${root.ns}}${root.name}`]
  if (type === undefined) return { path: root.name, detail: 'is no known document' }
  return elementFault(root, type, table, root.name)
}

function elementFault(
  element: XmlElement,
  type: string,
  table: SchemaTable,
  path: string,
): SchemaFault | null {
  const parts = partsOf(table, type)
  if (!parts)
    return element.children.length > 0
      ? { path, detail: 'holds elements' }
      : valueFault(element.text, type, table, path)
  if (element.text.trim() !== '') return { path, detail: 'holds text' }
  let next = 0
  for (const part of parts) {
    let count = 0
    for (; count < part.most; count += 1) {
      const child = element.children[next]
      const childType = child && part.types.get(child.name)
      if (!child || childType === undefined) break
      const inside = `${path}/${child.name}`
      if (child.ns !== (childType === SIGNATURE ? DS : ''))
        return { path: inside, detail: 'has another namespace' }
      const fault = childType === SIGNATURE ? null : elementFault(child, childType, table, inside)
      if (fault) return fault
      next += 1
    }
    if (count < part.least) return { path, detail: `lacks ${[...part.types.keys()].join(' or ')}` }
  }
  const left = element.children[next]
  return left ? { path: `${path}/${left.name}`, detail: 'has no place here' } : null
}

function valueFault(text: string, type: string, table: SchemaTable, path: string): SchemaFault | null {
  const fault = (detail: string): SchemaFault => ({ path, detail })
  const builtIn = BUILT_IN[type]
  if (builtIn) return builtIn.test(text) ? null : fault(`is no ${type}`)
  const rule = table.values[type]
  if (!rule) throw new Error(`The table has no type ${type}.`)
  const base = rule.base === undefined ? null : valueFault(text, rule.base, table, path)
  if (base) return base
  const characters = [...text].length
  if (rule.length !== undefined && characters !== rule.length)
    return fault(`has not ${rule.length} characters`)
  if (rule.least !== undefined && characters < rule.least) return fault(`is shorter than ${rule.least}`)
  if (rule.most !== undefined && characters > rule.most) return fault(`is longer than ${rule.most}`)
  if (rule.pattern !== undefined && !patternOf(rule.pattern).test(text)) return fault('has another form')
  if (rule.values !== undefined && !rule.values.split(' ').includes(text))
    return fault(`cannot be ${text.slice(0, 20)}`)
  if (rule.from !== undefined && Number(text) < rule.from) return fault(`is below ${rule.from}`)
  if (rule.to !== undefined && Number(text) > rule.to) return fault(`is above ${rule.to}`)
  if (rule.decimals !== undefined && (text.split('.')[1]?.length ?? 0) > rule.decimals)
    return fault(`has more than ${rule.decimals} decimals`)
  return null
}

const patterns = new Map<string, RegExp>()

function patternOf(source: string): RegExp {
  const known = patterns.get(source)
  if (known) return known
  const made = new RegExp(`^(?:${source})$`)
  patterns.set(source, made)
  return made
}
