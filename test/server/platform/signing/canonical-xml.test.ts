/** Canonical XML: what we accept equals libxml2's output, and everything else is rejected. */
import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { xmlDocumentCompact } from '../../../../server/domain/formats/xml-writer.ts'
import {
  canonicalSubset,
  NotCanonicalXml,
  readCanonical,
} from '../../../../server/platform/signing/canonical-xml.ts'
import { needs, tool } from '../../../support/tools.ts'

const wrap = (content: string): string => `<a xmlns:n="urn:n">${content}</a>`

const CANONICAL = [
  wrap(''),
  wrap('text "with" \'quotes\', ñ € 🧾 \u00a0 ]]&gt;'),
  wrap('\n\t<b></b>\n'),
  wrap('<b x="1" y="&lt;&amp;&quot;&#x9;&#xA;&#xD;>"></b>'),
  wrap('<b x="\'"><n:c d="1"></n:c></b>&#xD;'),
  '<a xmlns="urn:a" xmlns:b="urn:b" xmlns:c="urn:c" d="1" e="2"></a>',
]

const REFUSED: Record<string, string> = {
  nothing: '',
  text: 'text',
  'a cut document': '<a><b></b>',
  'an end too many': '<a></a></a>',
  'crossed elements': '<a><b></a></b>',
  'two roots': '<a></a><a></a>',
  'text behind the root': '<a></a>x',
  'a short empty element': wrap('<b/>'),
  'a comment': wrap('<!-- x -->'),
  'a comment behind the root': '<a></a><!-- x -->',
  'an instruction': wrap('<?x y?>'),
  'a section of plain text': wrap('<![CDATA[x]]>'),
  'a document type': '<!DOCTYPE a><a></a>',
  'an entity': '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
  'an unknown entity': wrap('&x;'),
  'another declaration': '<?xml version="1.1" encoding="UTF-8"?><a></a>',
  'another encoding': '<?xml version="1.0" encoding="ISO-8859-1"?><a></a>',
  'a byte order mark': '\ufeff<a></a>',
  'a bare ampersand': wrap('&'),
  'a bare >': wrap('>'),
  'a quote by name': wrap('&quot;'),
  'a letter by number': wrap('&#65;'),
  'a line break by number in text': wrap('&#xA;'),
  'a carriage return': wrap('\r\n'),
  'a control': wrap('\u0001'),
  'half a letter': wrap('\ud83e'),
  'no character': wrap('\uffff'),
  'single quotes': wrap("<b x='1'></b>"),
  'two blanks': wrap('<b  x="1"></b>'),
  'a blank before the end': wrap('<b x="1" ></b>'),
  'a line break in a tag': wrap('<b\nx="1"></b>'),
  'a blank in an end': wrap('<b></b >'),
  'a line break in a value': wrap('<b x="\n"></b>'),
  'a < in a value': wrap('<b x="<"></b>'),
  'a > by name in a value': wrap('<b x="&gt;"></b>'),
  'attributes out of order': wrap('<b y="1" x="1"></b>'),
  'an attribute twice': wrap('<b x="1" x="2"></b>'),
  'attributes before declarations': '<a b="1" xmlns="urn:a"></a>',
  'declarations out of order': '<a xmlns:c="urn:c" xmlns:b="urn:b"></a>',
  'an empty declaration': '<a xmlns=""></a>',
  'a declaration further down': wrap('<b xmlns:n="urn:n"></b>'),
  'an attribute with a prefix': wrap('<b n:x="1"></b>'),
  'an attribute of xml': wrap('<b xml:lang="es"></b>'),
  'an unknown prefix': wrap('<m:b></m:b>'),
}

function libxml(xml: string): { status: number | null; canonical: string } {
  const { status, stdout } = spawnSync(tool('xmllint')!, ['--nonet', '--c14n', '-'], {
    input: xml,
    encoding: 'utf8',
  })
  return { status, canonical: stdout }
}

describe('canonical XML', () => {
  test('passes unchanged', () => {
    for (const xml of CANONICAL) {
      expect(readCanonical(xml).root).toBe(xml)
      expect(readCanonical(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}\n`).root).toBe(xml)
    }
  })

  needs('xmllint')('is what libxml2 says it is', () => {
    for (const xml of CANONICAL) expect(libxml(xml)).toEqual({ status: 0, canonical: xml })
  })

  for (const [what, xml] of Object.entries(REFUSED)) {
    test(`is not ${what}`, () => {
      expect(() => readCanonical(xml)).toThrow(NotCanonicalXml)
    })
  }

  needs('xmllint')('is what our writer makes of any text', () => {
    const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), 300)
    const xml = xmlDocumentCompact(['a', texts.map((text) => ['b', `${text}&<>\r\n"`])])
    const { root } = readCanonical(xml)
    expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>\n${root}`)
    expect(libxml(xml)).toEqual({ status: 0, canonical: root })
  })

  test('is never found in a changed text, unless it is still canonical', () => {
    const letters = fc.constantFrom('<', '>', '&', '"', "'", ' ', '/', '!', '?', 'x', '\r', '\n', ':', '=')
    const [, , , sample = ''] = CANONICAL
    fc.assert(
      fc.property(fc.nat(sample.length), letters, (at, letter) => {
        const xml = sample.slice(0, at) + letter + sample.slice(at)
        try {
          expect(readCanonical(xml).root).toBe(xml.trim())
        } catch (error) {
          expect(error).toBeInstanceOf(NotCanonicalXml)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('is read within two seconds, however long', () => {
    const xml = wrap(`<b x="${' '.repeat(50_000)}">${'<c></c>'.repeat(20_000)}</b>`)
    const started = performance.now()
    expect(readCanonical(xml).root).toBe(xml)
    expect(() => readCanonical(`<a ${'x="1" '.repeat(50_000)}`)).toThrow(NotCanonicalXml)
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  test('cuts out a part with the declarations around it', () => {
    const around = new Map([
      ['n', 'urn:n'],
      ['', 'urn:a'],
      ['b', 'urn:b'],
    ])
    expect(canonicalSubset('<n:x Id="1">t</n:x>', around)).toBe(
      '<n:x xmlns="urn:a" xmlns:b="urn:b" xmlns:n="urn:n" Id="1">t</n:x>',
    )
    expect(canonicalSubset('<n:x>t</n:x>', new Map())).toBe('<n:x>t</n:x>')
  })
})
