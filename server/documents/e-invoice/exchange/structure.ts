/**
 * Checks a UBL 2.5 document against the structure of the standard: order and number of elements, kinds of values, attributes.
 * It needs no schema at run time; a test compares it with the official schemas.
 */
import { isBusinessDate } from '../../../domain/dates.ts'
import type { XmlElement } from '../../../domain/formats/xml-reader.ts'
import type { Finding } from './finding.ts'
import type { ExchangeRule } from './rules/names.ts'
import { UBL_25, UBL_25_KINDS } from './structure-table.ts'

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:'
const NAMESPACES = {
  group: `${UBL}CommonAggregateComponents-2`,
  value: `${UBL}CommonBasicComponents-2`,
  extension: `${UBL}CommonExtensionComponents-2`,
}

/** Documents of the exchange. */
export type UblRoot = 'Invoice' | 'ApplicationResponse' | 'DocumentStatus'

interface Particle {
  name: string
  kind: keyof typeof NAMESPACES
  /** Group of the content; empty for others. */
  type: string
  min: number
  max: number
}

const OCCURRENCES: Readonly<Record<string, readonly [min: number, max: number]>> = {
  '?': [0, 1],
  '*': [0, Infinity],
  '+': [1, Infinity],
  '': [1, 1],
}

function particleOf(word: string): Particle {
  const [, mark = '', name = '', type = '', often = ''] = /^([@!]?)(\w+)(?::(\w+))?([?*+]?)$/.exec(word) ?? []
  const [min, max] = OCCURRENCES[often] ?? [1, 1]
  const kind = mark === '@' ? 'group' : mark === '!' ? 'extension' : 'value'
  return { name, kind, type: kind === 'group' ? type || name : '', min, max }
}

let parsed: Map<string, readonly Particle[]> | null = null

/** Returns the elements of each group; parsed at the first call. */
function groups(): Map<string, readonly Particle[]> {
  parsed ??= new Map(
    Array.from(`\n${UBL_25.trim()}`.matchAll(/\n(\w+)=((?:.|\n {2})*)/g), ([, type = '', words = '']) => [
      type,
      words.trim().split(/\s+/).map(particleOf),
    ]),
  )
  return parsed
}

type Kind =
  | 'Indicator'
  | 'Date'
  | 'Time'
  | 'Code'
  | 'Percent'
  | 'Measure'
  | 'BinaryObject'
  | 'Amount'
  | 'Numeric'
  | 'Quantity'
  | 'Rate'
  | 'Identifier'
  | 'Text'

const BY_NAME: readonly Kind[] = [
  'Indicator',
  'Date',
  'Time',
  'Code',
  'Percent',
  'Measure',
  'BinaryObject',
  'Amount',
  'Numeric',
  'Quantity',
  'Rate',
]
const EXCEPTIONS = new Map(
  UBL_25_KINDS.split(' ')
    .filter(Boolean)
    .map((each) => each.split(':') as [string, Kind]),
)

function kindOf(name: string): Kind {
  return (
    EXCEPTIONS.get(name) ??
    BY_NAME.find((kind) => name.endsWith(kind)) ??
    (/(?:ID|URI)$/.test(name) ? 'Identifier' : 'Text')
  )
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/
const ZONE = String.raw`(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d|[+-]14:00)?`
const DATE = new RegExp(String.raw`^(\d{4}-\d{2}-\d{2})${ZONE}$`)
const TIME = new RegExp(
  String.raw`^(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?|24:00:00(?:\.0+)?)${ZONE}$`,
)
const LANGUAGE = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/

const isText = (): boolean => true
const isDecimal = (text: string): boolean => DECIMAL.test(text)

/** Whether a value, without the space around it, has the form of its kind. */
const FORMS: Readonly<Record<Kind, (text: string) => boolean>> = {
  Indicator: (text) => ['true', 'false', '1', '0'].includes(text),
  Date: (text) => isBusinessDate(DATE.exec(text)?.[1] ?? ''),
  Time: (text) => TIME.test(text),
  BinaryObject: (text) => {
    const bare = text.replace(/\s/g, '')
    return bare.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(bare)
  },
  Percent: isDecimal,
  Measure: isDecimal,
  Amount: isDecimal,
  Numeric: isDecimal,
  Quantity: isDecimal,
  Rate: isDecimal,
  Code: isText,
  Identifier: isText,
  Text: isText,
}

/** Attributes of each kind of value; the required one first, marked. */
const ATTRIBUTES: Readonly<Record<Kind, string>> = {
  Amount: 'currencyID! currencyCodeListVersionID',
  BinaryObject: 'mimeCode! format encodingCode characterSetCode uri filename',
  Code: 'listID listAgencyID listAgencyName listName listVersionID name languageID listURI listSchemeURI',
  Identifier: 'schemeID schemeName schemeAgencyID schemeAgencyName schemeVersionID schemeDataURI schemeURI',
  Measure: 'unitCode! unitCodeListVersionID',
  Quantity: 'unitCode unitCodeListID unitCodeListAgencyID unitCodeListAgencyName',
  Text: 'languageID languageLocaleID',
  Percent: 'format',
  Numeric: 'format',
  Rate: 'format',
  Indicator: '',
  Date: '',
  Time: '',
}

/** More findings than this say nothing new. */
const MOST_FINDINGS = 100

class Structure {
  readonly findings: Finding[] = []

  say(rule: ExchangeRule, path: string, message: string): void {
    if (this.findings.length < MOST_FINDINGS) this.findings.push({ rule, path, message })
  }

  value(element: XmlElement, path: string): void {
    const kind = kindOf(element.name)
    const [inside] = element.children
    if (inside) this.say('UBL-CONTENT', path, `${element.name} holds a value and no ${inside.name}.`)
    if (!FORMS[kind](element.text.trim()))
      this.say('UBL-VALUE', path, `${element.name} has no valid value of the kind ${kind}.`)
    const known = ATTRIBUTES[kind].split(' ')
    for (const name of Object.keys(element.attributes)) {
      if (name.startsWith('xsi:')) continue
      if (!known.includes(name) && !known.includes(`${name}!`))
        this.say('UBL-ATTRIBUTE', path, `${element.name} has no attribute ${name}.`)
      else if (name === 'languageID' && !LANGUAGE.test(element.attributes[name] ?? ''))
        this.say('UBL-ATTRIBUTE', path, `${element.name} names no language.`)
    }
    const required = known.find((name) => name.endsWith('!'))?.slice(0, -1)
    if (required !== undefined && element.attributes[required] === undefined)
      this.say('UBL-ATTRIBUTE', path, `${element.name} lacks the attribute ${required}.`)
  }

  group(element: XmlElement, type: string, path: string): void {
    const particles = groups().get(type)
    if (!particles) throw new Error(`The structure has no group ${type}.`)
    if (element.text.trim() !== '')
      this.say('UBL-CONTENT', path, `${element.name} holds elements and no text.`)
    for (const name of Object.keys(element.attributes))
      if (!name.startsWith('xsi:'))
        this.say('UBL-ATTRIBUTE', path, `${element.name} has no attribute ${name}.`)
    let at = 0
    let count = 0
    const counts = new Map<string, number>()
    for (const child of element.children) {
      const nth = (counts.get(child.name) ?? 0) + 1
      counts.set(child.name, nth)
      const here = `${path}/${child.name}${nth === 1 ? '' : `[${nth}]`}`
      let next = at
      while (next < particles.length && !isNamed(child, particles[next])) next++
      const particle = particles[next]
      if (!particle) {
        const known = particles.find((each) => isNamed(child, each))
        this.say(
          known ? 'UBL-ORDER' : 'UBL-UNKNOWN',
          here,
          known
            ? `${child.name} stands after what must follow it in ${element.name}.`
            : `${element.name} has no element ${child.name}.`,
        )
        continue
      }
      this.missing(particles.slice(at, next), at === next ? 0 : count, element, path)
      count = next === at ? count + 1 : 1
      at = next
      if (count > particle.max)
        this.say('UBL-NUMBER', here, `${element.name} has more than ${particle.max} ${child.name}.`)
      if (particle.kind === 'group') this.group(child, particle.type, here)
      else if (particle.kind === 'value') this.value(child, here)
    }
    this.missing(particles.slice(at), count, element, path)
  }

  /** Names required elements that are absent; of the first there are `count`. */
  missing(particles: readonly Particle[], count: number, element: XmlElement, path: string): void {
    for (const [index, { name, min }] of particles.entries())
      if ((index === 0 ? count : 0) < min) this.say('UBL-MISSING', path, `${element.name} lacks ${name}.`)
  }
}

function isNamed(element: XmlElement, particle: Particle | undefined): boolean {
  return particle !== undefined && element.name === particle.name && element.ns === NAMESPACES[particle.kind]
}

/** Returns what in a document does not have the structure of UBL 2.5; empty if nothing. */
export function checkStructure(root: XmlElement, expected: UblRoot): Finding[] {
  const structure = new Structure()
  if (root.name !== expected || root.ns !== `${UBL}${expected}-2`)
    structure.say('UBL-ROOT', root.name, `The document is no ${expected} of UBL.`)
  else structure.group(root, expected, expected)
  return structure.findings
}
