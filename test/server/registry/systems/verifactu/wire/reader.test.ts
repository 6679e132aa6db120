import { XMLParser, XMLValidator } from 'fast-xml-parser'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  readXml,
  XmlError,
  XML_LIMITS,
} from '../../../../../../server/registry/systems/verifactu/wire/reader.ts'
import { buildRegistration } from '../../../../../../server/registry/systems/verifactu/record/xml.ts'
import { buildSubmission } from '../../../../../../server/registry/systems/verifactu/wire/messages.ts'
import { GENERATED_AT, ISSUER, PREVIOUS, SYSTEM } from '../../../plain-records.ts'
import { validInvoice } from '../../../random-records.ts'
import type { XmlElement } from '../../../../../../server/registry/systems/verifactu/wire/reader.ts'

function faultOf(source: string | Uint8Array): string {
  try {
    readXml(source)
  } catch (error) {
    if (error instanceof XmlError) return error.fault
    throw error
  }
  return 'none'
}

describe('the reader', () => {
  test('resolves prefixes to namespaces, whatever their names', () => {
    const one = readXml('<a:x xmlns:a="urn:1"><a:y>t</a:y><z xmlns="urn:2" k="1" a:k="2"/></a:x>')
    const two = readXml('<x xmlns="urn:1"><y>t</y><b:z xmlns:b="urn:2" xmlns:c="urn:1" c:k="2" k="1"/></x>')
    expect(two).toEqual(one)
    expect(one).toMatchObject({
      ns: 'urn:1',
      name: 'x',
      text: '',
      children: [{ name: 'y', ns: 'urn:1', text: 't' }, { ns: 'urn:2' }],
    })
    expect([...(one.children[1]?.attributes ?? [])]).toEqual([
      ['k', '1'],
      ['{urn:1}k', '2'],
    ])
  })

  test('limits a declared prefix to its element, and lets a default be reset', () => {
    expect(faultOf('<r><a xmlns:p="urn:1"/><p:b/></r>')).toBe('unbound_prefix')
    expect(readXml('<r xmlns="urn:1"><a xmlns=""/></r>').children[0]?.ns).toBe('')
  })

  test('unescapes text once and keeps its blanks', () => {
    expect(readXml('<a> &amp;amp; &lt;&gt;&quot;&apos; &#241;&#x1F600; <![CDATA[<b>&amp;]]> </a>').text).toBe(
      ' &amp; <>"\' ñ😀 <b>&amp; ',
    )
  })

  test('accepts bytes, a byte order mark, a declaration and any line ends', () => {
    const xml = '\ufeff<?xml version="1.0" encoding="utf-8" standalone="yes"?>\r\n<a>x\r\ny</a>\n'
    expect(readXml(xml).text).toBe('x\ny')
    expect(readXml(Buffer.from(xml))).toEqual(readXml(xml))
  })

  test("treats names of JavaScript's own objects as ordinary names", () => {
    const root = readXml('<__proto__><constructor toString="1">x</constructor></__proto__>')
    expect(root.name).toBe('__proto__')
    expect(root.children[0]).toMatchObject({ name: 'constructor', text: 'x' })
    expect(root.children[0]?.attributes.get('toString')).toBe('1')
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })
})

describe('a document', () => {
  test.each([
    ['doctype', '<!DOCTYPE a><a/>'],
    ['doctype', '<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
    ['doctype', '<!DOCTYPE lolz [<!ENTITY l "lol"><!ENTITY m "&l;&l;&l;&l;">]><lolz>&m;</lolz>'],
    ['entity', '<a>&x;</a>'],
    ['entity', '<a>&nbsp;</a>'],
    ['entity', '<a>a & b</a>'],
    ['entity', '<a b="&x;"/>'],
    ['entity', '<a>&#99999999;</a>'],
    ['character', '<a>&#0;</a>'],
    ['character', '<a>&#x1F;</a>'],
    ['character', '<a>&#xD800;</a>'],
    ['character', '<a>&#x110000;</a>'],
    ['character', '<a>\u0000</a>'],
    ['character', '<a>\u001b</a>'],
    ['processing_instruction', '<a><?php echo 1 ?></a>'],
    ['processing_instruction', '<?xml-stylesheet href="x"?><a/>'],
    ['processing_instruction', ' <?xml version="1.0"?><a/>'],
    ['comment', '<a><!-- x --></a>'],
    ['comment', '<!-- x --><a/>'],
    ['unbound_prefix', '<p:a/>'],
    ['unbound_prefix', '<a p:b="1"/>'],
    ['unbound_prefix', '<a xmlns:p=""/>'],
    ['unbound_prefix', '<a xmlns:xml="urn:1"/>'],
    ['duplicate_attribute', '<a b="1" b="2"/>'],
    ['duplicate_attribute', '<a xmlns:p="urn:1" xmlns:q="urn:1" p:b="1" q:b="2"/>'],
    ['duplicate_attribute', '<a xmlns="urn:1" xmlns="urn:2"/>'],
    ['mixed_content', '<a>x<b/></a>'],
    ['mixed_content', '<a><b/>x</a>'],
    ['syntax', ''],
    ['syntax', 'text'],
    ['syntax', '{"ok":true}'],
    ['syntax', '<a>'],
    ['syntax', '<a></b>'],
    ['syntax', '<a></ab>'],
    ['syntax', '<a><b></a></b>'],
    ['syntax', '</a>'],
    ['syntax', '<a/><b/>'],
    ['syntax', '<a/>x'],
    ['syntax', '<a b=1/>'],
    ['syntax', '<a b/>'],
    ['syntax', '<a b="1"c="2"/>'],
    ['syntax', '<a b="<"/>'],
    ['syntax', '< a/>'],
    ['syntax', '<a:b:c xmlns:a="urn:1"/>'],
    ['syntax', '<ñ/>'],
    ['syntax', '<a>]]></a>'],
    ['syntax', '<a><![CDATA[x</a>'],
    ['syntax', '<![CDATA[x]]>'],
    ['syntax', '<a><!ELEMENT b></a>'],
    ['syntax', '<?xml version="1.1"?><a/>'],
    ['not_utf8', '<?xml version="1.0" encoding="ISO-8859-1"?><a/>'],
    ['not_utf8', '<a>\ud800</a>'],
    ['mixed_content', '<html><body><p>503<br></p></body></html>'],
  ])('is rejected: %s: %s', (fault, xml) => {
    expect(faultOf(xml)).toBe(fault)
  })

  test('is rejected for bytes that are not UTF-8', () => {
    expect(faultOf(Buffer.from('<a>ñ</a>', 'latin1'))).toBe('not_utf8')
    expect(faultOf(Buffer.from('<a>ñ</a>', 'utf16le'))).not.toBe('none')
  })

  test('is rejected when it is too deep, too large or has too many nodes, before memory or time is spent', () => {
    const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)
    expect(faultOf(nested(XML_LIMITS.depth))).toBe('none')
    expect(faultOf(nested(XML_LIMITS.depth + 1))).toBe('too_deep')
    expect(faultOf('<a>'.repeat(1_000_000))).toBe('too_deep')
    expect(faultOf(`<r>${'<a/>'.repeat(199_999)}</r>`)).toBe('none')
    expect(faultOf(`<r>${'<a/>'.repeat(200_000)}</r>`)).toBe('too_many_nodes')
    expect(faultOf(`<r>${'x'.repeat(XML_LIMITS.bytes)}</r>`)).toBe('too_large')
    expect(faultOf(`<r>${'ñ'.repeat(XML_LIMITS.bytes / 2)}</r>`)).toBe('too_large')
    expect(faultOf(Buffer.alloc(XML_LIMITS.bytes + 1, 32))).toBe('too_large')
    expect(faultOf(`<a b="${'x'.repeat(65_537)}"/>`)).toBe('attribute_too_large')
    const manyAttributes = Array.from({ length: 65 }, (_, index) => ` a${index}="1"`).join('')
    expect(faultOf(`<a${manyAttributes}/>`)).toBe('too_many_nodes')
  })

  test('may have other limits: a reply to a query is larger than a submission', () => {
    const limits = { bytes: 100, depth: 3, nodes: 6, attributeChars: 4 }
    const fault = (xml: string) => {
      try {
        readXml(xml, limits)
        return 'none'
      } catch (error) {
        return error instanceof XmlError ? error.fault : 'thrown'
      }
    }
    expect(fault('<a><b><c/></b></a>')).toBe('none')
    expect(fault('<a><b><c><d/></c></b></a>')).toBe('too_deep')
    expect(fault('<a><b/><b/><b/><b/><b/></a>')).toBe('none')
    expect(fault('<a><b/><b/><b/><b/><b/><b/></a>')).toBe('too_many_nodes')
    expect(fault(`<a>${'x'.repeat(94)}</a>`)).toBe('too_large')
    expect(fault('<a b="1234"/>')).toBe('none')
    expect(fault('<a b="12345"/>')).toBe('attribute_too_large')
    expect(fault('<a b="1" c="2" d="3" e="4" f="5"/>')).toBe('none')
    expect(fault('<a b="1" c="2" d="3" e="4" f="5">x</a>')).toBe('too_many_nodes')
    expect(
      readXml(`<r>${'<a/>'.repeat(250_000)}</r>`, { ...XML_LIMITS, nodes: 250_001 }).children,
    ).toHaveLength(250_000)
  })

  test('with indentation has no more nodes than a dense one', () => {
    const limits = { ...XML_LIMITS, nodes: 5 }
    expect(readXml('<a>\n  <b>x</b>\n  <b/>\n</a>\n', limits).children).toHaveLength(2)
    expect(() => readXml('<a>\n  <b>x</b>\n  <b>y</b>\n</a>\n', limits)).toThrow(
      expect.objectContaining({ fault: 'too_many_nodes' }),
    )
  })

  test('of the largest size with hostile text costs no more than a few that are valid', () => {
    const filler = XML_LIMITS.bytes - 64
    const hostile = [
      `<a ${'b'.repeat(filler)}`,
      `<a${' '.repeat(filler)}`,
      `<a b="${'&'.repeat(60_000)}"/>`,
      `<a>${'&amp'.repeat(filler / 4)}</a>`,
      `<a>${']'.repeat(filler)}</a`,
      `<a>${'<![CDATA['.repeat(Math.floor(filler / 9))}`,
      `<?xml version="1.0"${' '.repeat(filler)}`,
      `<a></a${' '.repeat(filler)}`,
      `${'<a xmlns:p="urn:1">'.repeat(31)}${'<p:b/>'.repeat(150_000)}`,
    ]
    const costOf = (xml: string, valid: boolean): number => {
      const start = process.cpuUsage()
      expect(faultOf(xml) === 'none').toBe(valid)
      const spent = process.cpuUsage(start)
      return spent.user + spent.system
    }
    // A ratio in one run: a reader that goes back over what it has read takes thousands of times as long.
    const limit = 4 * costOf(`<a>${'&amp;'.repeat(filler / 5)}</a>`, true)
    for (const xml of hostile) expect(costOf(xml, false), xml.slice(0, 30)).toBeLessThan(limit)
  })

  test('of any other kind gives a tree or an XmlError', () => {
    const piece = fc.constantFrom(
      '<a>',
      '</a>',
      '<b/>',
      '<',
      '>',
      '&',
      '&amp;',
      '"',
      "'",
      '=',
      ' xmlns:p="u"',
      '<p:c ',
      '/>',
      ']]>',
      '<![CDATA[',
      '<!--',
      '<?',
      'x',
      'ñ',
      '\u0000',
      '\ud800',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        faultOf(pieces.join(''))
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('the reader and fast-xml-parser', () => {
  type Node = Record<string, unknown>
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseTagValue: false,
    trimValues: false,
    htmlEntities: false,
    ignoreDeclaration: true,
    processEntities: { enabled: true, maxTotalExpansions: 100_000, maxExpandedLength: 1_000_000 },
  })
  /** Reduces an element to local names and texts, which both readers know. */
  const ours = (element: XmlElement): unknown =>
    element.children.length > 0
      ? { [element.name]: element.children.map(ours) }
      : { [element.name]: element.text }
  const theirs = (node: Node): unknown => {
    const [tag = ''] = Object.keys(node).filter((key) => key !== ':@')
    const children = node[tag] as Node[]
    const elements = children.filter((child) => !('#text' in child))
    const name = tag.slice(tag.indexOf(':') + 1)
    if (elements.length > 0) return { [name]: elements.map(theirs) }
    return { [name]: children.map((child) => child['#text']).join('') }
  }

  test('read the same in every submission', () => {
    fc.assert(
      fc.property(validInvoice, (made) => {
        const message = buildSubmission({ issuer: ISSUER }, [
          buildRegistration(made, PREVIOUS, SYSTEM, GENERATED_AT).xml,
        ])
        expect(XMLValidator.validate(message)).toBe(true)
        expect(ours(readXml(message))).toEqual(
          theirs((parser.parse(message) as Node[]).find((node) => !('#text' in node))!),
        )
      }),
      { numRuns: 100 },
    )
  })
})
