/** The numbered migrations of this build, in their order. Each runs once in a store. */
import { foundation } from './0001-foundation.ts'
import { owedAmounts } from './early/0002-owed-amounts.ts'
import { privacy } from './early/0003-privacy.ts'
import { longLists } from './early/0004-long-lists.ts'
import { bin } from './early/0005-bin.ts'
import { erp } from './early/0006-erp.ts'
import { erpUnseen } from './early/0007-erp-unseen.ts'
import { webhooks } from './early/0008-webhooks.ts'
import { toolCalls } from './early/0009-tool-calls.ts'
import { approvals } from './early/0010-approvals.ts'
import { installationsFrozen } from './early/0011-installations-frozen.ts'
import { foundByIndex } from './early/0012-found-by-index.ts'
import { trials } from './0013-trials.ts'
import { wageRecipients } from './0014-wage-recipients.ts'
import { eventCursors } from './0015-event-cursors.ts'
import { filing } from './0016-filing.ts'
import { incoming } from './0017-incoming.ts'
import { team } from './0018-team.ts'
import { movingIn, movingInConditions } from './0019-moving-in.ts'
import { structuredExchange } from './0020-exchange.ts'
import { territories, territoryConditions } from './0021-territories.ts'

/**
 * A condition of a table that is there already, and what it becomes: a wider one, which every stored row fulfils, so that
 * no row is copied. Source: SQLite, "Making Other Kinds Of Table Schema Changes" (lang_altertable.html).
 */
export interface WidenedCondition {
  table: string
  /** Text in the table's definition, which occurs there once. */
  from: string
  to: string
}

export interface Migration {
  number: number
  name: string
  sql: string
  /** Applied before the statements. */
  conditions?: readonly WidenedCondition[]
}

export const migrations: readonly Migration[] = [
  { number: 1, name: 'foundation', sql: foundation },
  { number: 2, name: 'owed-amounts', sql: owedAmounts },
  { number: 3, name: 'privacy', sql: privacy },
  { number: 4, name: 'long-lists', sql: longLists },
  { number: 5, name: 'bin', sql: bin },
  { number: 6, name: 'erp', sql: erp },
  { number: 7, name: 'erp-unseen', sql: erpUnseen },
  { number: 8, name: 'webhooks', sql: webhooks },
  { number: 9, name: 'tool-calls', sql: toolCalls },
  { number: 10, name: 'approvals', sql: approvals },
  { number: 11, name: 'installations-frozen', sql: installationsFrozen },
  { number: 12, name: 'found-by-index', sql: foundByIndex },
  { number: 13, name: 'trials', sql: trials },
  { number: 14, name: 'wage-recipients', sql: wageRecipients },
  { number: 15, name: 'event-cursors', sql: eventCursors },
  { number: 16, name: 'filing', sql: filing },
  { number: 17, name: 'incoming', sql: incoming },
  { number: 18, name: 'team', sql: team },
  { number: 19, name: 'moving-in', sql: movingIn, conditions: movingInConditions },
  { number: 20, name: 'exchange', sql: structuredExchange },
  { number: 21, name: 'territories', sql: territories, conditions: territoryConditions },
]
