/**
 * SQL that the engines write differently, each construct once for both. A query built with it is compiled for the
 * engine of the connection that runs it.
 */
import { sql } from 'kysely'
import type { Expression, OperationNode, OperationNodeSource, RawBuilder, RawNode, SqlBool } from 'kysely'
import type { EngineName } from './engines.ts'
import { POINTER_AT_MOST, POINTER_START } from './outside/objects.ts'

/** A node that stands for another one in each engine. */
interface NodeByEngine extends RawNode {
  readonly byEngine?: Readonly<Record<EngineName, OperationNode>>
}

/** Returns the node that stands for `node` in an engine; the compilers of the engines call it. */
export function nodeFor(engine: EngineName, node: RawNode): RawNode {
  return ((node as NodeByEngine).byEngine?.[engine] as RawNode | undefined) ?? node
}

/** Returns SQL with a text for each engine. */
export function byEngine<T>(texts: Readonly<Record<EngineName, RawBuilder<T>>>): RawBuilder<T> {
  const source: OperationNodeSource = {
    toOperationNode: (): OperationNode => {
      const node: NodeByEngine = {
        kind: 'RawNode',
        sqlFragments: [''],
        parameters: [],
        byEngine: { sqlite: texts.sqlite.toOperationNode(), pg: texts.pg.toOperationNode() },
      }
      return node
    },
  }
  return sql<T>`${source}`
}

/** Returns the condition that a text is one of the elements of a JSON list of texts. */
export function isOneOfStrings(text: Expression<unknown>, list: string): RawBuilder<SqlBool> {
  return byEngine<SqlBool>({
    sqlite: sql`${text} in (select value from json_each(${list}))`,
    pg: sql`${text} = any (array(select json_array_elements_text(${list}::json)))`,
  })
}

/** Returns a list of whole numbers, for `in`. A list of one parameter has one text, however long it is. */
export function numberList(values: readonly number[]): RawBuilder<number> {
  const list = JSON.stringify(values)
  return byEngine<number>({
    sqlite: sql`(select value from json_each(${list}))`,
    pg: sql`(select value::bigint from json_array_elements_text(${list}::json) as each(value))`,
  })
}

/** Returns a list of strings, for `in`. */
export function stringList(values: readonly string[]): RawBuilder<string> {
  const list = JSON.stringify(values)
  return byEngine<string>({
    sqlite: sql`(select value from json_each(${list}))`,
    pg: sql`(select value from json_array_elements_text(${list}::json) as each(value))`,
  })
}

/** Returns the elements of a JSON list as rows called `each`, with a column `value`; for `from`. */
export function elementsOf(list: Expression<unknown> | string): RawBuilder<unknown> {
  return byEngine({
    sqlite: sql`json_each(${list}) as each`,
    pg: sql`json_array_elements_text(${list}::json) as each(value)`,
  })
}

/** Returns the text below members of a JSON object; null if there is none. */
export function jsonText(object: Expression<unknown>, ...path: string[]): RawBuilder<string | null> {
  return byEngine<string | null>({
    sqlite: sql`${object} ->> ${sql.lit(`$.${path.join('.')}`)}`,
    pg: sql`(${object}::json #>> ${sql.lit(`{${path.join(',')}}`)})`,
  })
}

/** Returns the whole number at a place of a JSON list or below the members of an object; null if there is none. */
export function jsonNumber(
  json: Expression<unknown>,
  ...path: (string | number)[]
): RawBuilder<number | null> {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
  return byEngine<number | null>({
    sqlite: sql`json_extract(${json}, ${sql.lit(`$${steps.join('')}`)})`,
    pg: sql`(${json}::json #>> ${sql.lit(`{${path.join(',')}}`)})::bigint`,
  })
}

/** Returns the condition that a text contains another one. */
export function contains(text: Expression<unknown>, part: Expression<unknown>): RawBuilder<SqlBool> {
  return byEngine<SqlBool>({
    sqlite: sql`instr(${text}, ${part}) > 0`,
    pg: sql`strpos(${text}, ${part}) > 0`,
  })
}

/** Returns the largest of some values, none of which is null. */
export function largest<T>(...values: (RawBuilder<unknown> | string | number)[]): RawBuilder<T> {
  return byEngine<T>({ sqlite: sql`max(${sql.join(values)})`, pg: sql`greatest(${sql.join(values)})` })
}

/** Returns the smallest of some values, none of which is null. */
export function smallest<T>(...values: (RawBuilder<unknown> | string | number)[]): RawBuilder<T> {
  return byEngine<T>({ sqlite: sql`min(${sql.join(values)})`, pg: sql`least(${sql.join(values)})` })
}

/** Names the index that SQLite must use for the table before; PostgreSQL knows better. */
export function indexedBy(index: string): RawBuilder<unknown> {
  return byEngine({ sqlite: sql`indexed by ${sql.raw(index)}`, pg: sql`` })
}

/** Keeps SQLite from using an index of a column, where another one is better. */
export function unindexed(column: Expression<unknown>): RawBuilder<unknown> {
  return byEngine({ sqlite: sql`+${column}`, pg: sql`${column}` })
}

/** Makes SQLite read the table before in the order of its rows; PostgreSQL knows better. */
export const notIndexed: RawBuilder<unknown> = byEngine({ sqlite: sql`not indexed`, pg: sql`` })

/** Returns the highest identifier that a table has ever given, also to rows that were deleted since; 0 if none. */
export function highestGiven(table: string): RawBuilder<number> {
  return byEngine<number>({
    sqlite: sql`coalesce((select seq from sqlite_sequence where name = ${sql.lit(table)}), 0)`,
    pg: sql`coalesce(pg_sequence_last_value(pg_get_serial_sequence(${sql.lit(table)}, 'id')), 0)`,
  })
}

/** Returns the condition that a column of content is short enough to be a pointer. */
export function isPointerSized(cell: Expression<unknown>): RawBuilder<SqlBool> {
  // As in the partial indexes of such columns.
  return sql<SqlBool>`length(${cell}) <= ${sql.lit(POINTER_AT_MOST)}`
}

/** Returns the length in bytes of content that a row holds or points to. */
export function contentLength(cell: Expression<unknown>): RawBuilder<number> {
  return byEngine<number>({
    sqlite: sql`length(${cell})`,
    pg: sql`case when ${isPointerSized(cell)} and position(${sql.lit(POINTER_START)}::bytea in ${cell}) = 1
      then split_part(encode(${cell}, 'escape'), ' ', 4)::bigint else length(${cell}) end`,
  })
}

/** 1 if the installation has more than one company, whichever of them asks. */
export const severalCompanies: RawBuilder<number> = byEngine({
  sqlite: sql`(select count(*) > 1 from companies)`,
  pg: sql`several_companies()`,
})
