/** Changes documents at random, one place each, to compare two judges of their structure. */
import { xmlText } from '../../../../server/domain/formats/xml-writer.ts'
import type { XmlElement } from '../../../../server/domain/formats/xml-reader.ts'
import { readXml } from '../../../../server/purchases/intake/xml.ts'
import type { Dice } from '../../../support/seeded-random.ts'

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:'

function write({ ns, name, attributes, children, text }: XmlElement, isRoot = false): string {
  const prefix = ns.endsWith('AggregateComponents-2')
    ? 'cac:'
    : ns.endsWith('BasicComponents-2')
      ? 'cbc:'
      : ''
  const spaces = isRoot
    ? ` xmlns="${ns}" xmlns:cac="${UBL}CommonAggregateComponents-2" xmlns:cbc="${UBL}CommonBasicComponents-2"`
    : ''
  const own = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(value)}"`)
  const inside =
    xmlText(children.length > 0 ? text.trim() : text) + children.map((each) => write(each)).join('')
  return `<${prefix}${name}${spaces}${own.join('')}>${inside}</${prefix}${name}>`
}

function every(element: XmlElement): XmlElement[] {
  return [element, ...element.children.flatMap(every)]
}

const VALUES = [
  '', ' ', 'x', '1', '-1', '1.5', '1.234', '+.5', '1.', '1,5', '2027-02-29', '2028-02-29', '2027-10-15Z', '10:00:00',
  'true', '0', 'TRUE', '99999999999999999999.99',
] // prettier-ignore
const ATTRIBUTES = [
  'currencyID',
  'schemeID',
  'unitCode',
  'languageID',
  'name',
  'listID',
  'format',
  'foo',
  'mimeCode',
]

/** Returns a copy of a document with one change. */
export function changedDocument(xml: string, random: Dice): string {
  const root = readXml(Buffer.from(xml))
  const all = every(root)
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)] as T
  const parents = all.filter(({ children }) => children.length > 0)
  const parent = pick(parents)
  const at = random.below(parent.children.length)
  const child = parent.children[at] as XmlElement
  switch (random.below(9)) {
    case 0:
      parent.children.splice(at, 1)
      break
    case 1:
      parent.children.splice(random.below(parent.children.length + 1), 0, structuredClone(child))
      break
    case 2:
      parent.children.splice(at, 1)
      parent.children.splice(random.below(parent.children.length + 1), 0, child)
      break
    case 3:
      // An element of another place, whatever it is.
      parent.children.splice(random.below(parent.children.length + 1), 0, structuredClone(pick(all.slice(1))))
      break
    case 4:
      child.name = pick(all.slice(1)).name
      break
    case 5:
      pick(all).text = pick(VALUES)
      break
    case 6: {
      const { attributes } = pick(all)
      attributes[pick(ATTRIBUTES)] = pick(['', 'EUR', 'es', 'x y'])
      break
    }
    case 7: {
      const owner = pick(all.filter(({ attributes }) => Object.keys(attributes).length > 0))
      delete owner.attributes[pick(Object.keys(owner.attributes))]
      break
    }
    default: {
      const other = `${UBL}Common${random.below(2) === 0 ? 'Basic' : 'Aggregate'}Components-2`
      child.ns = other
    }
  }
  return write(root, true)
}
