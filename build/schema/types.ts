/** Writes the tables of a database as Kysely types, one file for each room. */
import { format } from 'oxfmt'
import style from '../../.oxfmtrc.json' with { type: 'json' }
import type { ColumnNotes, Room, TableNotes } from './room.ts'
import type { Column, Table } from './tables.ts'

const FOLDER = 'server/db/schema'
/** Types that generated files take from Kysely and from server/db/schema/columns.ts. */
const KYSELY = ['Generated', 'GeneratedAlways']
const SHARED = ['Flag', 'Nullable']
const PRIMITIVES = ['number', 'string', 'Uint8Array']

/**
 * Returns the files by their paths. Throws if a table has no room or several, or if a room names a table, a column, a
 * type or an import that does not exist or is not used.
 */
export async function schemaFiles(
  tables: readonly Table[],
  rooms: Readonly<Record<string, Room>>,
): Promise<Record<string, string>> {
  assertEachTableOnce(tables, rooms)
  const sources: Record<string, string> = { [`${FOLDER}.ts`]: schemaFile(Object.keys(rooms)) }
  for (const [room, notes] of Object.entries(rooms))
    sources[`${FOLDER}/${room}.ts`] = roomFile(room, notes, tables)
  const files: Record<string, string> = {}
  for (const [path, source] of Object.entries(sources)) files[path] = await formatted(path, source)
  return files
}

function assertEachTableOnce(tables: readonly Table[], rooms: Readonly<Record<string, Room>>): void {
  const owners = new Map<string, string>()
  for (const [room, { tables: typed, untyped = {} }] of Object.entries(rooms))
    for (const name of [...Object.keys(typed), ...Object.keys(untyped)]) {
      if (!tables.some((table) => table.name === name))
        throw new Error(`build/schema/rooms/${room}.ts names the table ${name}, which does not exist.`)
      if (owners.has(name)) throw new Error(`Both ${owners.get(name)} and ${room} own the table ${name}.`)
      owners.set(name, room)
    }
  for (const { name } of tables)
    if (!owners.has(name))
      throw new Error(`The table ${name} belongs to no room: add it to a file in build/schema/rooms/.`)
}

function roomFile(room: string, { imports = {}, tables: typed }: Room, tables: readonly Table[]): string {
  const unions: string[] = []
  const names = new Set([
    ...PRIMITIVES,
    ...Object.keys(imports),
    ...Object.values(typed).flatMap(({ columns = {} }) =>
      Object.values(columns).flatMap(({ union }) => union ?? []),
    ),
  ])
  const interfaces = Object.entries(typed).map(([name, notes]) => {
    const { columns } = tables.find((table) => table.name === name)!
    const known = new Set(columns.map((column) => column.name))
    for (const [column, { type }] of Object.entries(notes.columns ?? {})) {
      const at = `build/schema/rooms/${room}.ts: ${name}.${column}`
      if (!known.has(column)) throw new Error(`${at} does not exist.`)
      if (type !== undefined && !names.has(type)) throw new Error(`${at} has the unknown type ${type}.`)
    }
    const lines = columns.map((column) => {
      const own = notes.columns?.[column.name] ?? {}
      if (own.union !== undefined) unions.push(unionOf(name, column, own))
      // The comment of a union stands at the union.
      const doc = own.union === undefined ? comment(own.doc) : ''
      return `${doc}${column.name}: ${typeOf(column, own)}`
    })
    return `${comment(notes.doc)}export interface ${interfaceOf(name, notes)} {\n${lines.join('\n')}\n}`
  })
  const all = Object.entries(typed).map(([name, notes]) => `${name}: ${interfaceOf(name, notes)}`)
  const body = [
    ...unions,
    ...interfaces,
    `export interface ${pascal(room)}Tables {\n${all.join('\n')}\n}`,
  ].join('\n\n')
  const uses = (name: string): boolean => new RegExp(`(?<![\\w'])${name}(?![\\w'])`).test(body)
  for (const name of Object.keys(imports))
    if (!uses(name)) throw new Error(`build/schema/rooms/${room}.ts imports ${name} without using it.`)
  return [
    `/**\n * Types of the tables of ${room}/. Generated from the migrations by \`npm run generate\`; comments and types that SQL\n * cannot express are in build/schema/rooms/${room}.ts.\n */`,
    importOf(KYSELY.filter(uses), 'kysely'),
    ...Object.entries(imports).map(([name, file]) => importOf([name], `../../${file}`)),
    importOf(SHARED.filter(uses), './columns.ts'),
    `\n${body}\n`,
  ]
    .filter((part) => part !== '')
    .join('\n')
}

const importOf = (names: readonly string[], file: string): string =>
  names.length === 0 ? '' : `import type { ${names.join(', ')} } from '${file}'`

function unionOf(table: string, { name, values }: Column, { union, doc }: ColumnNotes): string {
  if (!values) throw new Error(`No CHECK lists the values of ${table}.${name}, which ${union} would name.`)
  return `${comment(doc)}export type ${union} = ${values.join(' | ')}`
}

function typeOf({ storage, nullable, insert, values }: Column, notes: ColumnNotes): string {
  const isFlag = storage === 'number' && values?.length === 2 && values.join() === '0,1'
  const literal = storage === 'string' && values ? values.join(' | ') : storage
  const type = notes.type ?? notes.union ?? (isFlag ? 'Flag' : literal)
  if (insert === 'never') return `GeneratedAlways<${nullable ? `${type} | null` : type}>`
  if (nullable) return `Nullable<${type}>`
  return insert === 'optional' && !notes.required ? `Generated<${type}>` : type
}

/** Returns the file of the whole schema: what other rooms import. */
function schemaFile(rooms: readonly string[]): string {
  const names = rooms.map((room) => `${pascal(room)}Tables`)
  return [
    '/**\n * The tables as Kysely types, one file for each room. Generated from the migrations by `npm run generate`; the first\n * migration documents the conventions (units, instants, flags).\n */',
    ...rooms.map((room, at) => importOf([names[at]!], `./schema/${room}.ts`)),
    '',
    ...rooms.map((room) => `export type * from './schema/${room}.ts'`),
    '',
    `export interface Schema extends ${names.join(', ')} {}`,
    '',
  ].join('\n')
}

const interfaceOf = (table: string, { name }: TableNotes): string => name ?? `${pascal(table)}Table`
const pascal = (name: string): string =>
  name.replace(/(?:^|[_-])([a-z])/g, (_, letter: string) => letter.toUpperCase())
const comment = (doc: string | undefined): string => (doc === undefined ? '' : `/** ${doc} */\n`)

async function formatted(path: string, source: string): Promise<string> {
  const { $schema: _, ignorePatterns: __, ...options } = style
  const { code, errors } = await format(path, source, options as Parameters<typeof format>[2])
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`)
  return code
}
