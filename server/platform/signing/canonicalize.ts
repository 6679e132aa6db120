/**
 * Canonical XML 1.0 and Exclusive Canonical XML 1.0, both without comments (W3C, 15 March 2001 and 18 July 2002), of an
 * element within its document. For XML of others; what our writers make is canonical from the beginning.
 */
import { XML_NAMESPACE } from './xml-tree.ts'
import type { TreeElement } from './xml-tree.ts'

export interface CanonicalForm {
  exclusive: boolean
  /** Prefixes that the exclusive form treats as the inclusive one does (`InclusiveNamespaces`); `` for the default one. */
  inclusivePrefixes?: readonly string[]
  /** An element that is left out with all below it: the enveloped signature. */
  omit?: TreeElement | undefined
}

/** Prefix to address. */
type Scope = ReadonlyMap<string, string>

const byCode = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}
const escapedText = (text: string): string => text.replace(/[&<>\r]/g, (sign) => ESCAPED[sign] ?? sign)
const escapedValue = (text: string): string => text.replace(/[&<"\t\n\r]/g, (sign) => ESCAPED[sign] ?? sign)

/** Returns the declarations in force around an element, without its own. */
function scopeAround(element: TreeElement): Scope {
  const above: TreeElement[] = []
  for (let next = element.parent; next; next = next.parent) above.unshift(next)
  return new Map(above.flatMap(({ declared }) => [...declared]))
}

/** Returns the `xml:` attributes that the top element of a subset inherits (Canonical XML 1.0, section 2.4). */
function inheritedAttributes(element: TreeElement): TreeElement['attributes'] {
  const found = new Map<string, TreeElement['attributes'][number]>()
  for (let next = element.parent; next; next = next.parent)
    for (const attribute of next.attributes)
      if (attribute.uri === XML_NAMESPACE && !found.has(attribute.local))
        found.set(attribute.local, attribute)
  const own = new Set(element.attributes.filter(({ uri }) => uri === XML_NAMESPACE).map(({ local }) => local))
  return [...found.values()].filter(({ local }) => !own.has(local))
}

const prefixOf = (name: string): string => (name.includes(':') ? name.slice(0, name.indexOf(':')) : '')

/** Returns the prefixes whose declarations an element needs in its form. */
function neededPrefixes(
  element: TreeElement,
  attributes: TreeElement['attributes'],
  { form, scope, isTop }: { form: CanonicalForm; scope: Scope; isTop: boolean },
): Set<string> {
  const listed = (prefixes: Iterable<string>): string[] =>
    [...prefixes].filter((prefix) => !form.exclusive || (form.inclusivePrefixes ?? []).includes(prefix))
  const needed = new Set(listed(isTop ? scope.keys() : element.declared.keys()))
  if (!form.exclusive) return needed
  needed.add(element.prefix)
  for (const { name } of attributes) if (name.includes(':')) needed.add(prefixOf(name))
  return needed
}

function write(
  element: TreeElement,
  around: { scope: Scope; rendered: Scope; isTop: boolean },
  form: CanonicalForm,
  parts: string[],
): void {
  if (element === form.omit) return
  const scope = new Map([...around.scope, ...element.declared])
  const attributes =
    around.isTop && !form.exclusive
      ? [...element.attributes, ...inheritedAttributes(element)]
      : element.attributes
  const rendered = new Map(around.rendered)
  const declarations: [string, string][] = []
  for (const prefix of neededPrefixes(element, attributes, { form, scope, isTop: around.isTop })) {
    if (prefix === 'xml') continue
    const address = scope.get(prefix) ?? ''
    // An empty default declaration is written only where it ends another one.
    if ((rendered.get(prefix) ?? '') === address) continue
    declarations.push([prefix, address])
    rendered.set(prefix, address)
  }
  parts.push('<', element.name)
  for (const [prefix, address] of declarations.toSorted(([a], [b]) => byCode(a, b)))
    parts.push(` xmlns${prefix && `:${prefix}`}="${escapedValue(address)}"`)
  for (const { name, value } of attributes.toSorted(
    (a, b) => byCode(a.uri, b.uri) || byCode(a.local, b.local),
  ))
    parts.push(` ${name}="${escapedValue(value)}"`)
  parts.push('>')
  for (const child of element.children)
    if (typeof child === 'string') parts.push(escapedText(child))
    else write(child, { scope, rendered, isTop: false }, form, parts)
  parts.push('</', element.name, '>')
}

/** Returns the canonical form of an element with all below it. */
export function canonicalize(element: TreeElement, form: CanonicalForm): string {
  const parts: string[] = []
  write(element, { scope: scopeAround(element), rendered: new Map(), isTop: true }, form, parts)
  return parts.join('')
}
