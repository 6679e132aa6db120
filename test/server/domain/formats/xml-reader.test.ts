/** What the reader of foreign XML gives, and what it refuses before it costs much. */
import { expect, test } from 'vitest'
import {
  at,
  child,
  children,
  readXml,
  textAt,
  XmlRefused,
} from '../../../../server/domain/formats/xml-reader.ts'

const LIMITS = { depth: 4, nodes: 12, elementChars: 20, totalChars: 30 }

function faultOf(text: string): unknown {
  try {
    readXml(text, LIMITS)
  } catch (error) {
    return error instanceof XmlRefused ? [error.fault, error.line] : error
  }
  return null
}

test('names are resolved by namespace, attributes keep the name as written', () => {
  const root = readXml(
    '<a xmlns="urn:a" xmlns:b="urn:b" id="1">\n<b:c b:d="2">x &amp; <![CDATA[<y>]]></b:c><b:c/></a>',
    LIMITS,
  )
  expect(root).toMatchObject({ ns: 'urn:a', name: 'a', attributes: { id: '1' }, line: 1 })
  expect(child(root, 'c')).toMatchObject({
    ns: 'urn:b',
    attributes: { 'b:d': '2' },
    text: 'x & <y>',
    line: 2,
  })
  expect(children(root, 'c')).toHaveLength(2)
  expect(textAt(root, 'c')).toBe('x & <y>')
  expect([at(root, 'c', 'd'), textAt(root, 'd'), child(null, 'c')]).toEqual([null, null, null])
})

test('an element that is taken when it is complete does not stay in the tree', () => {
  const taken: string[] = []
  const root = readXml('<a><b>1</b><c/><b>2</b></a>', LIMITS, (element, parent) => {
    if (element.name !== 'b') return false
    taken.push(`${parent?.name} ${element.text}`)
    return true
  })
  expect(taken).toEqual(['a 1', 'a 2'])
  expect(root.children.map(({ name }) => name)).toEqual(['c'])
})

test.each([
  ['a document type', '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', 'doctype'],
  ['an entity of its own', '<a>&e;</a>', 'not_well_formed'],
  ['an open end', '<a><b></b>', 'not_well_formed'],
  ['a prefix nobody declared', '<x:a/>', 'not_well_formed'],
  ['an attribute twice', '<a b="1" b="2"/>', 'not_well_formed'],
  ['nothing', '', 'not_well_formed'],
  ['too deep a nesting', '<a><b><c><d><e/></d></c></b></a>', 'too_deep'],
  ['too many elements', `<a>${'<b/>'.repeat(12)}</a>`, 'too_many_nodes'],
  [
    'too many attributes',
    `<a ${Array.from({ length: 12 }, (_, i) => `a${i}=""`).join(' ')}/>`,
    'too_many_nodes',
  ],
  ['too long a text', `<a>${'x'.repeat(21)}</a>`, 'element_text_too_long'],
  [
    'too much text in all',
    `<a><b>${'x'.repeat(16)}</b><c><![CDATA[${'x'.repeat(16)}]]></c></a>`,
    'text_too_long',
  ],
])('%s is refused', (_name, text, fault) => {
  expect(faultOf(text)).toEqual([fault, 1])
})
