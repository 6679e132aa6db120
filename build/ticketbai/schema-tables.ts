/**
 * Generates the tables of the schemas of TicketBAI and of Bizkaia's LROE that the simulators check messages with.
 * `SELLO_SHARED=FOLDER node build/ticketbai/schema-tables.ts` writes them; a test compares them with the schemas.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { child, children, readXml } from '../../server/domain/formats/xml-reader.ts'
import type { XmlElement } from '../../server/domain/formats/xml-reader.ts'

const LIMITS = { depth: 40, nodes: 200_000, elementChars: 100_000, totalChars: 10_000_000 }
const FOLDER = 'server/registry/systems/ticketbai/simulator/schema'

interface TableSource {
  /** Files of the schemas, below `territories/`, each with the short name of its types. */
  schemas: readonly (readonly [file: string, short: string])[]
  file: string
  constant: string
  title: string
}

const LROE_TYPES = [
  ['lroe/batuz_TiposComplejos.xsd', 'c'],
  ['lroe/batuz_TiposAnulacion.xsd', 'a'],
  ['lroe/batuz_TiposBasicos.xsd', 'b'],
  ['lroe/batuz_Enumerados.xsd', 'e'],
] as const
const LROE_MESSAGES = [
  'PF_140_1_1_Ingresos_ConfacturaConSG_AltaPeticion_V1_0_2',
  'PF_140_1_1_Ingresos_ConfacturaConSG_AltaRespuesta_V1_0_2',
  'PF_140_1_1_Ingresos_ConfacturaConSG_AnulacionPeticion_V1_0_0',
  'PF_140_1_1_Ingresos_ConfacturaConSG_AnulacionRespuesta_V1_0_0',
  'PF_140_2_1_Gastos_Confactura_AltaModifPeticion_V1_0_2',
  'PF_140_2_1_Gastos_Confactura_AltaModifRespuesta_V1_0_1',
  'PJ_240_1_1_FacturasEmitidas_ConSG_AltaPeticion_V1_0_2',
  'PJ_240_1_1_FacturasEmitidas_ConSG_AltaRespuesta_V1_0_1',
  'PJ_240_1_1_FacturasEmitidas_ConSG_AnulacionPeticion_V1_0_0',
  'PJ_240_1_1_FacturasEmitidas_ConSG_AnulacionRespuesta_V1_0_0',
  'PJ_240_2_FacturasRecibidas_AltaModifPeticion_V1_0_1',
  'PJ_240_2_FacturasRecibidas_AltaModifRespuesta_V1_0_1',
] as const

export const TABLES: readonly TableSource[] = [
  {
    schemas: [
      ['ticketbai/ticketbaiv1-2-2.xsd', 'T'],
      ['ticketbai/anula_ticketbaiv1-2-2.xsd', 'A'],
      ['ticketbai/zuzendualta_ticketbaiv1-2-2.xsd', 'Z'],
      ['ticketbai/zuzenduanula_ticketbaiv1-2-2.xsd', 'Y'],
      ['ticketbai/TicketBAIResponse.xsd', 'R'],
    ],
    file: `${FOLDER}/ticketbai-table.ts`,
    constant: 'TICKETBAI_SCHEMA',
    title: 'Structure of the files of TicketBAI 1.2.2 and of the answer to them, from the official schemas',
  },
  {
    schemas: [
      ...LROE_MESSAGES.map((name, index) => [`lroe/LROE_${name}.xsd`, `m${index}`] as const),
      ...LROE_TYPES,
    ],
    file: `${FOLDER}/lroe-table.ts`,
    constant: 'LROE_SCHEMA',
    title: 'Structure of the messages of LROE that Sello sends and reads, from the official schemas of Batuz',
  },
]

interface Schema {
  root: XmlElement
  ns: string
  short: string
}

/** Returns prefixes to addresses as declared on the root of a schema. */
function prefixesOf(text: string): Map<string, string> {
  const head = /<(?:\w+:)?schema\b[^>]*>/.exec(text)?.[0] ?? ''
  return new Map(
    Array.from(head.matchAll(/xmlns:(\w+)="([^"]+)"/g), ([, prefix = '', ns = '']) => [prefix, ns]),
  )
}

type Simple = Record<string, string | number>

/** Returns the source of a table. `shared` is the folder of facts. */
export function tableSource({ schemas, constant, title }: TableSource, shared: string): string {
  const shortByNs = new Map<string, string>()
  const read: (Schema & { prefixes: Map<string, string> })[] = schemas.map(([file, short]) => {
    const text = readFileSync(join(shared, 'territories', file), 'utf8')
    const root = readXml(text, LIMITS)
    const ns = root.attributes['targetNamespace'] ?? ''
    // The answer to a file has the namespace of the file itself.
    if (!shortByNs.has(ns)) shortByNs.set(ns, short)
    return { root, ns, short, prefixes: prefixesOf(text) }
  })
  const complex = new Map<string, string>()
  const simple = new Map<string, Simple>()
  const roots = new Map<string, string>()

  for (const schema of read) {
    const nameOf = (qname: string): string => {
      const [prefix, local] = qname.includes(':') ? qname.split(':') : ['', qname]
      const ns = schema.prefixes.get(prefix ?? '')
      if (ns === undefined) return local ?? ''
      if (ns === schema.ns) return `${schema.short}.${local}`
      return ns.includes('xmldsig') ? 'signature' : `${shortByNs.get(ns)}.${local}`
    }
    const particle = (element: XmlElement): string => {
      const { name, type, ref, minOccurs = '1', maxOccurs = '1' } = element.attributes
      if (ref !== undefined) return `${ref.split(':')[1]}:signature`
      const times =
        minOccurs === '0' && maxOccurs === '1'
          ? '?'
          : minOccurs === '1' && maxOccurs === '1'
            ? ''
            : `${minOccurs}-${maxOccurs === 'unbounded' ? 1_000_000 : maxOccurs}`
      let named = type === undefined ? '' : nameOf(type)
      if (type === undefined) {
        const inner = child(element, 'complexType')
        const simpleInner = child(element, 'simpleType')
        named = `${schema.short}.${name}`
        if (inner) complex.set(named, contentOf(inner))
        else if (simpleInner) simple.set(named, facetsOf(simpleInner))
      }
      return `${name}${times ? `[${times}]` : ''}:${named}`
    }
    const contentOf = (type: XmlElement): string => {
      const sequence = child(type, 'sequence')
      return (sequence?.children ?? [])
        .flatMap((part) => {
          if (part.name === 'element') return [particle(part)]
          if (part.name !== 'choice') return []
          const times = part.attributes['minOccurs'] === '0' ? '?' : ''
          return [
            `(${part.children
              .filter(({ name }) => name === 'element')
              .map(particle)
              .join('|')})${times}`,
          ]
        })
        .join(' ')
    }
    const facetsOf = (type: XmlElement): Simple => {
      const restriction = child(type, 'restriction')
      if (!restriction) throw new Error(`A simple type without a restriction: ${type.attributes['name']}`)
      const facets: Simple = {}
      const base = nameOf(restriction.attributes['base'] ?? 'string')
      if (base !== 'string') facets['base'] = base
      for (const [facet, key] of [
        ['length', 'length'],
        ['minLength', 'least'],
        ['maxLength', 'most'],
        ['minInclusive', 'from'],
        ['maxInclusive', 'to'],
        ['fractionDigits', 'decimals'],
      ] as const) {
        const value = child(restriction, facet)?.attributes['value']
        if (value !== undefined) facets[key] = Number(value)
      }
      const patterns = children(restriction, 'pattern').map((each) => each.attributes['value'] ?? '')
      if (patterns.length > 0) facets['pattern'] = patterns.join('|')
      const values = children(restriction, 'enumeration').map((each) => each.attributes['value'] ?? '')
      if (values.length > 0) facets['values'] = values.join(' ')
      return facets
    }
    for (const each of schema.root.children) {
      const name = each.attributes['name'] ?? ''
      if (each.name === 'complexType') complex.set(`${schema.short}.${name}`, contentOf(each))
      if (each.name === 'simpleType') simple.set(`${schema.short}.${name}`, facetsOf(each))
      if (each.name === 'element') roots.set(`{${schema.ns}}${name}`, particle(each).replace(/^[^:]+:/, ''))
    }
  }

  const reached = new Set<string>()
  const reach = (name: string): void => {
    if (reached.has(name)) return
    reached.add(name)
    const base = simple.get(name)?.['base']
    if (typeof base === 'string') reach(base)
    for (const [, type = ''] of (complex.get(name) ?? '').matchAll(/:([\w.]+)/g)) reach(type)
  }
  for (const type of roots.values()) reach(type)
  const quoted = (text: string): string =>
    text.includes("'") ? JSON.stringify(text) : `'${text.replaceAll('\\', '\\\\')}'`
  const key = (text: string): string => (/^\w+$/.test(text) ? text : quoted(text))
  const lines = [
    `/**`,
    ` * ${title}.`,
    ` * Generated by build/ticketbai/schema-tables.ts; read by check.ts, which explains the form.`,
    ` */`,
    `import type { SchemaTable } from './check.ts'`,
    ``,
    `export const ${constant}: SchemaTable = {`,
    `  roots: {`,
    ...[...roots].map(([name, type]) => `    ${quoted(name)}: ${quoted(type)},`),
    `  },`,
    `  groups: {`,
    ...[...complex]
      .filter(([name]) => reached.has(name))
      .map(([name, content]) => `    ${quoted(name)}: ${quoted(content)},`),
    `  },`,
    `  values: {`,
    ...[...simple]
      .filter(([name]) => reached.has(name))
      .map(
        ([name, facets]) =>
          `    ${quoted(name)}: { ${Object.entries(facets)
            .map(([facet, value]) => `${key(facet)}: ${typeof value === 'number' ? value : quoted(value)}`)
            .join(', ')} },`,
      ),
    `  },`,
    `}`,
    ``,
  ]
  return lines.join('\n')
}

if (import.meta.main) {
  const shared = process.env['SELLO_SHARED'] ?? ''
  for (const table of TABLES)
    writeFileSync(resolve(import.meta.dirname, '../..', table.file), tableSource(table, shared))
}
