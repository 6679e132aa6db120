/** JSON Schema (2020-12) of the rows of an archive: one definition for each table, which each line of its file fulfils. */
import { BLANKED, archivedTables, leftOut } from '../content.ts'
import { MORE_TABLES, rowsPath } from '../format.ts'
import { LOOSE } from '../../company-rows/index.ts'
import type { Shape, Table } from '../../company-rows/index.ts'
import { CONTENT_COLUMNS } from '../../maintenance/sweep-objects.ts'

/** What is known of a table beside its columns (`columns.json`, generated). */
interface Described {
  doc?: string
  columns: Readonly<Record<string, { doc?: string; values?: readonly (string | number)[] }>>
}

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/_cents$/, 'Cents of a euro.'],
  [/_bp$/, 'Hundredths of a percentage point.'],
  [/_micro$/, 'Millionths.'],
  [/_at$/, 'Milliseconds since 1970, UTC.'],
  [/_ms$/, 'Milliseconds.'],
  [/sha256$/, 'SHA-256.'],
]

type Json = Record<string, unknown>

const isContent = (table: string, column: string): boolean =>
  CONTENT_COLUMNS.some((each) => each.table === table && each.column === column) ||
  (table === 'document_signatures' && column === 'appended')

function columnSchema(
  table: Table,
  column: Table['columns'][number],
  described: Described | undefined,
  left: ReadonlyMap<string, string>,
): Json {
  const { name, storage, refersTo, isJson } = column
  const place = `${table.name}.${name}`
  const { doc, values } = described?.columns[name] ?? {}
  const always = column.isRequired
  const blank = place in BLANKED || (refersTo !== null && left.has(refersTo))
  const loose = LOOSE[place]
  const words = [
    doc,
    refersTo !== null && !left.has(refersTo) && `Id of a row of \`${refersTo}\`.`,
    loose &&
      `Id of a row of ${typeof loose.to === 'string' ? `\`${loose.to}\`` : `a table by \`${loose.to.by}\``}.`,
    ENDINGS.find(([ending]) => ending.test(name))?.[1],
    blank && 'Left out: always null.',
  ].filter(Boolean)
  const description = words.length > 0 ? { description: words.join(' ') } : {}
  if (blank) return { type: 'null', ...description }
  if (isContent(table.name, name))
    return {
      ...(always
        ? { $ref: '#/$defs/FilePart' }
        : { anyOf: [{ $ref: '#/$defs/FilePart' }, { type: 'null' }] }),
      ...description,
    }
  const type = storage === 'integer' ? 'integer' : 'string'
  return {
    type: always ? type : [type, 'null'],
    ...(values ? { enum: always ? values : [...values, null] } : {}),
    ...(storage === 'blob' ? { contentEncoding: 'base64' } : {}),
    ...(isJson ? { contentMediaType: 'application/json' } : {}),
    ...description,
  }
}

/** Returns the schema of all tables. */
export async function tablesSchema(shape: Shape): Promise<string> {
  const { default: known } = await import('./columns.json', { with: { type: 'json' } })
  const descriptions = known as Readonly<Record<string, Described>>
  const left = leftOut(shape)
  const more = Object.entries(MORE_TABLES).map(([name, columns]): [string, Json] => [
    name,
    {
      description:
        name === 'actors'
          ? 'People and programs in the history of the company.'
          : 'Settings of the books of the company.',
      type: 'object',
      properties: Object.fromEntries(
        columns.map((column) => [column, { type: column === 'id' ? 'integer' : 'string' }]),
      ),
      required: columns,
      additionalProperties: false,
    },
  ])
  const tables = archivedTables(shape).map((table): [string, Json] => [
    table.name,
    {
      description: [
        descriptions[table.name]?.doc,
        `Each line of ${rowsPath(table.name)}; key: ${table.key.join(', ')}.`,
      ]
        .filter(Boolean)
        .join(' '),
      type: 'object',
      properties: Object.fromEntries(
        table.columns.map((column) => [
          column.name,
          columnSchema(table, column, descriptions[table.name], left),
        ]),
      ),
      required: table.columns.map(({ name }) => name),
      additionalProperties: false,
    },
  ])
  return `${JSON.stringify(
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Rows of an archive of Sello',
      description: 'Each line of a file in tables/ is an object of the definition with the name of the file.',
      $defs: {
        FilePart: {
          description:
            'In place of bytes: a file of the archive, or `length` bytes of it from the byte `from`.',
          type: 'object',
          properties: {
            file: { type: 'string' },
            from: { type: 'integer', minimum: 0 },
            length: { type: 'integer', minimum: 0 },
          },
          required: ['file'],
          additionalProperties: false,
        },
        ...Object.fromEntries([...more, ...tables]),
      },
    },
    null,
    1,
  )}\n`
}
