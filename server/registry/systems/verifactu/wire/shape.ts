/**
 * Shapes of messages: the elements allowed in each place, their namespace, and how often they may appear. Order is
 * left to the schema.
 */
import { trimValue } from '../record/hashed.ts'
import { XmlError } from './reader.ts'
import { unexpected } from './replies.ts'
import type { XmlElement } from './reader.ts'

/** Content allowed inside an element. All its children have one namespace, as in the registry's schemas. */
interface Shape {
  ns: string
  /** By name: a value (null), or an element with a shape of its own. */
  parts: ReadonlyMap<string, Shape | null>
  /** Names that may be repeated; every other name may appear once. */
  repeated: ReadonlySet<string>
}

/** Builds a shape from the names of its values, separated by blanks, and from the shapes of its other parts. */
export function shapeOf(
  ns: string,
  values: string,
  parts: Readonly<Record<string, Shape>> = {},
  repeated: readonly string[] = [],
): Shape {
  const all = new Map<string, Shape | null>(Object.entries(parts))
  for (const name of values.split(' ')) if (name !== '') all.set(name, null)
  return { ns, parts: all, repeated: new Set(repeated) }
}

/** Throws XmlError when anything below the element does not match the shape. Missing parts are left to the reader. */
export function assertElementShape(element: XmlElement, { ns, parts, repeated }: Shape): void {
  if (trimValue(element.text) !== '') throw new XmlError('mixed_content', `text in ${element.name}`)
  let seen: Set<string> | null = null
  for (const child of element.children) {
    const part = parts.get(child.name)
    if (part === undefined || child.ns !== ns) throw unexpected(child)
    if (!repeated.has(child.name)) {
      seen ??= new Set()
      if (seen.has(child.name)) throw new XmlError('duplicate_element', child.name)
      seen.add(child.name)
    }
    if (part) assertElementShape(child, part)
    else if (child.children[0]) throw unexpected(child.children[0])
  }
}
