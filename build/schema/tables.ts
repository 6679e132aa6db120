/** Reads the tables of a migrated database: columns, their storage types, and the values that their CHECKs allow. */
import type { Connection } from '../../server/db/embedded/connection.ts'

export interface Column {
  name: string
  storage: 'number' | 'string' | 'Uint8Array'
  nullable: boolean
  /** Whether an insert must, may or cannot give a value: a default or a rowid may be left out. */
  insert: 'required' | 'optional' | 'never'
  /** The literals, in TypeScript, of a CHECK such as `state in ('draft', 'issued')`; null if any value is allowed. */
  values: readonly string[] | null
}

export interface Table {
  name: string
  columns: readonly Column[]
}

interface ColumnInfo {
  name: string
  type: string
  notnull: number
  dflt_value: string | null
  pk: number
  hidden: number
}

const STORAGE: Readonly<Record<string, Column['storage']>> = {
  INTEGER: 'number',
  REAL: 'number',
  TEXT: 'string',
  BLOB: 'Uint8Array',
}
/** `hidden` of `pragma table_xinfo` for generated columns, virtual and stored. */
const GENERATED: readonly number[] = [2, 3]

/** Returns the tables in alphabetical order. Throws for one that is not STRICT, whose columns hold any type. */
export function readTables({ handle }: Connection): Table[] {
  const tables = handle
    .prepare(
      `select l.name, l.strict, l.wr as withoutRowid, m.sql from pragma_table_list l
       join sqlite_schema m on m.name = l.name
       where l.schema = 'main' and l.name not like 'sqlite\\_%' escape '\\' order by l.name`,
    )
    .all() as { name: string; strict: number; withoutRowid: number; sql: string }[]
  return tables.map(({ name, strict, withoutRowid, sql }) => {
    if (!strict) throw new Error(`The table ${name} is not STRICT: its columns have no certain type.`)
    const infos = handle.prepare('select * from pragma_table_xinfo(?)').all(name) as ColumnInfo[]
    const references = handle.prepare('select "from" from pragma_foreign_key_list(?)').pluck().all(name)
    const values = allowedValues(sql)
    const keys = infos.filter(({ pk }) => pk > 0)
    const columns = infos.map((info): Column => {
      const storage = STORAGE[info.type]
      if (!storage) throw new Error(`${name}.${info.name} has the unknown type ${info.type}.`)
      const isRowId = keys.length === 1 && info.pk > 0 && info.type === 'INTEGER' && !withoutRowid
      // The rowid of the row that it belongs to is always given.
      const isAssigned = isRowId && !references.includes(info.name)
      return {
        name: info.name,
        storage,
        nullable: !info.notnull && !isRowId && !(withoutRowid && info.pk > 0),
        insert: GENERATED.includes(info.hidden)
          ? 'never'
          : info.dflt_value !== null || isAssigned
            ? 'optional'
            : 'required',
        values: values.get(info.name) ?? null,
      }
    })
    return { name, columns }
  })
}

/** Strings, quoted names, comments, words and numbers, then single characters. */
const TOKEN = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\w+|\S/g

/** Returns the literals that the CHECKs of a CREATE TABLE allow, by column. */
export function allowedValues(sql: string): Map<string, string[]> {
  const tokens = (sql.match(TOKEN) ?? [])
    .filter((token) => !/^(--|\/\*)/.test(token))
    .map((token) => (token.startsWith('"') ? token.slice(1, -1) : token))
  const values = new Map<string, string[]>()
  tokens.forEach((token, at) => {
    if (token.toLowerCase() !== 'check' || tokens[at + 1] !== '(') return
    const expression = tokens.slice(at + 2, closing(tokens, at + 1))
    const [column = ''] = expression
    const list = literalsOf(column, expression)
    if (list) values.set(column, list)
  })
  return values
}

/** Returns the position of the bracket that closes the one at `from`. */
function closing(tokens: readonly string[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    if (tokens[at] === '(') depth++
    if (tokens[at] === ')' && --depth === 0) return at
  }
  throw new Error('A CHECK has no closing bracket.')
}

/** Returns the list of `column in (…)` or the literal of `column = …`; null for any other expression. */
function literalsOf(column: string, expression: readonly string[]): string[] | null {
  const orNull = [column, 'is', 'null', 'or']
  const rest = orNull.every((token, at) => expression[at] === token)
    ? expression.slice(orNull.length)
    : expression
  const [subject, operator, ...operand] = rest
  if (subject !== column) return null
  if (operator === '=') return operand.length === 1 ? literals(operand) : null
  if (operator !== 'in' || operand[0] !== '(' || closing(operand, 0) !== operand.length - 1) return null
  return literals(operand.slice(1, -1).filter((token) => token !== ','))
}

/** Returns the tokens as literals of TypeScript; null if one is neither a string nor a number. */
function literals(tokens: readonly string[]): string[] | null {
  if (!tokens.every((token) => /^('|\d+$)/.test(token))) return null
  return tokens.map((token) =>
    token.startsWith("'") ? JSON.stringify(token.slice(1, -1).replaceAll("''", "'")) : token,
  )
}
