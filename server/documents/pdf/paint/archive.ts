/**
 * Metadata for archives and screen readers, in XMP: the identification of PDF/A-3a (ISO 19005-3), PDF/UA-1 (ISO
 * 14289-1) and, when the invoice is embedded as XML, Factur-X 1.07. Output intent, embedded fonts and tags come from
 * pdfkit and the renderer.
 */
import { xmlText } from '../../../domain/formats/xml-writer.ts'

interface ArchiveFacts {
  title: string
  author: string
  /** BCP 47. */
  locale: string
  createdAt: Date
  /** Name of the program that made the file. */
  tool: string
  hasInvoiceXml: boolean
}

/** File name that the standard gives to the embedded invoice. */
export const INVOICE_XML = 'factur-x.xml'

const FACTUR_X = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'

interface Property {
  name: string
  type: 'Text' | 'Integer'
  category: 'internal' | 'external'
  description: string
}

/** Describes properties that are in no standard schema, as ISO 19005-3, 6.6.2.3.3 requires. */
function schema(name: string, uri: string, prefix: string, properties: readonly Property[]): string {
  const described = properties
    .map(
      (property) =>
        `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${property.name}</pdfaProperty:name>` +
        `<pdfaProperty:valueType>${property.type}</pdfaProperty:valueType>` +
        `<pdfaProperty:category>${property.category}</pdfaProperty:category>` +
        `<pdfaProperty:description>${property.description}</pdfaProperty:description></rdf:li>`,
    )
    .join('\n')
  return (
    `<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>${name}</pdfaSchema:schema>` +
    `<pdfaSchema:namespaceURI>${uri}</pdfaSchema:namespaceURI><pdfaSchema:prefix>${prefix}</pdfaSchema:prefix>` +
    `<pdfaSchema:property><rdf:Seq>\n${described}\n</rdf:Seq></pdfaSchema:property></rdf:li>`
  )
}

const UA_SCHEMA = schema(
  'PDF/UA Universal Accessibility Schema',
  'http://www.aiim.org/pdfua/ns/id/',
  'pdfuaid',
  [
    {
      name: 'part',
      type: 'Integer',
      category: 'internal',
      description: 'Part of ISO 14289 the file conforms to',
    },
  ],
)

const external = (name: string, description: string): Property => ({
  name,
  type: 'Text',
  category: 'external',
  description,
})

const FACTUR_X_SCHEMA = schema('Factur-X PDFA Extension Schema', FACTUR_X, 'fx', [
  external('DocumentFileName', 'Name of the embedded XML invoice file'),
  external('DocumentType', 'INVOICE'),
  external('Version', 'Version of the Factur-X schema'),
  external('ConformanceLevel', 'Conformance level of the Factur-X data'),
])

/** Returns the descriptions of the metadata packet besides PDF/A's own, which pdfkit writes. */
export function metadataXml(facts: ArchiveFacts): string {
  const instant = `${facts.createdAt.toISOString().slice(0, 19)}Z`
  const tool = xmlText(facts.tool)
  const described = (namespace: string, content: string): string =>
    `<rdf:Description rdf:about="" ${namespace}>\n${content}\n</rdf:Description>`
  const parts = [
    described(
      'xmlns:dc="http://purl.org/dc/elements/1.1/"',
      `<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${xmlText(facts.title)}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>${xmlText(facts.author)}</rdf:li></rdf:Seq></dc:creator>
<dc:language><rdf:Bag><rdf:li>${facts.locale}</rdf:li></rdf:Bag></dc:language>`,
    ),
    described(
      'xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
      `<xmp:CreatorTool>${tool}</xmp:CreatorTool>
<xmp:CreateDate>${instant}</xmp:CreateDate>
<xmp:ModifyDate>${instant}</xmp:ModifyDate>`,
    ),
    described('xmlns:pdf="http://ns.adobe.com/pdf/1.3/"', `<pdf:Producer>${tool}</pdf:Producer>`),
    described('xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"', '<pdfuaid:part>1</pdfuaid:part>'),
  ]
  if (facts.hasInvoiceXml)
    parts.push(
      described(
        `xmlns:fx="${FACTUR_X}"`,
        `<fx:DocumentType>INVOICE</fx:DocumentType>
<fx:DocumentFileName>${INVOICE_XML}</fx:DocumentFileName>
<fx:Version>1.0</fx:Version>
<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>`,
      ),
    )
  parts.push(
    described(
      'xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"',
      `<pdfaExtension:schemas><rdf:Bag>
${[UA_SCHEMA, ...(facts.hasInvoiceXml ? [FACTUR_X_SCHEMA] : [])].join('\n')}
</rdf:Bag></pdfaExtension:schemas>`,
    ),
  )
  return `${parts.join('\n')}\n`
}
