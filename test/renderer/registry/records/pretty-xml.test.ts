import { expect, test } from 'vitest'
import { prettyXml } from '../../../../renderer/registry/records/pretty-xml.ts'

test('elements are on lines of their own, indented by depth', () => {
  const xml =
    '<sf:RegistroAlta xmlns:sf="urn:x"><sf:IDVersion>1.0</sf:IDVersion><sf:IDFactura><sf:Num>A-1</sf:Num></sf:IDFactura><sf:Vacio/><a></a></sf:RegistroAlta>'
  expect(prettyXml(xml)).toBe(
    [
      '<sf:RegistroAlta xmlns:sf="urn:x">',
      '  <sf:IDVersion>1.0</sf:IDVersion>',
      '  <sf:IDFactura>',
      '    <sf:Num>A-1</sf:Num>',
      '  </sf:IDFactura>',
      '  <sf:Vacio/>',
      '  <a>',
      '  </a>',
      '</sf:RegistroAlta>',
    ].join('\n'),
  )
})

test('only whitespace is added', () => {
  const xml = '<r><t>una &lt; otra &amp; más</t><t>fin</t></r>'
  expect(prettyXml(xml).replace(/\n\s*/g, '')).toBe(xml)
})
