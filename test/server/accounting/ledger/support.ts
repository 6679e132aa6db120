/** Test book with a second connection for raw SQL, under the same protections as the program's own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Ctx } from '../../../../server/context.ts'
import { postEntry } from '../../../../server/accounting/ledger/index.ts'
import type { EntryInput } from '../../../../server/accounting/ledger/index.ts'
import type { Connection } from '../../../../server/db/embedded/connection.ts'
import { openDatabase } from '../../../../server/db/embedded/open.ts'
import { openTestStore } from '../../../support/store.ts'
import type { TestStore } from '../../../support/store.ts'

export interface LedgerBook extends TestStore {
  readonly test: Ctx
  readonly live: Ctx
  /** Posts a manual entry from pairs of account and signed euros. */
  post(
    date: string,
    lines: Record<string, number>,
    source?: EntryInput['source'],
    ctx?: Ctx,
  ): Promise<number | null>
  sql(): Connection
}

export async function openLedger(at = '2026-11-21T10:00:00+01:00'): Promise<LedgerBook> {
  const world = await openTestStore({ at })
  const books = await world.company()
  const book: LedgerBook = {
    ...world,
    get test() {
      return world.ctx(books.test)
    },
    get live() {
      return world.ctx(books.live)
    },
    post: (date, lines, source = { type: 'manual', id: null }, ctx = book.test) =>
      ctx.transaction((tx) =>
        postEntry(tx, {
          date,
          source,
          text: 'Prueba',
          lines: Object.entries(lines).map(([account, euros]) => ({
            account,
            amountCents: Math.round(euros * 100),
          })),
        }),
      ),
    sql: () => {
      const masterKey = Buffer.from(readFileSync(join(world.folder, 'master.key'), 'utf8').trim(), 'hex')
      const connection = openDatabase({ folder: world.folder, masterKey, role: 'writer', cacheKib: 1024 })
      onTestFinished(() => connection.close())
      return connection
    },
  }
  return book
}
