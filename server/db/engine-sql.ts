/**
 * SQL that the engines write differently, each construct once for both. A query built with it is compiled for the
 * engine of the connection that runs it.
 */
import { sql } from 'kysely'
import type { Expression, OperationNode, OperationNodeSource, RawBuilder, RawNode, SqlBool } from 'kysely'
import type { EngineName } from './engines.ts'

/** A node that stands for another one in each engine. */
interface NodeByEngine extends RawNode {
  readonly byEngine?: Readonly<Record<EngineName, OperationNode>>
}

/** Returns the node that stands for `node` in an engine; the compilers of the engines call it. */
export function nodeFor(engine: EngineName, node: RawNode): RawNode {
  return ((node as NodeByEngine).byEngine?.[engine] as RawNode | undefined) ?? node
}

/** Returns SQL with a text for each engine. */
function byEngine<T>(texts: Readonly<Record<EngineName, RawBuilder<T>>>): RawBuilder<T> {
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
