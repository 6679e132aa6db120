/** Queries of every start use indexes: no table that grows with the books is scanned. */
import { embedded } from '../../../server/db/embedded/port.ts'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { startSello } from '../../../server/api/application.ts'
import { fillBook } from '../../../server/app/demo/index.ts'
import { openDatabase } from '../../../server/db/embedded/open.ts'
import { keyOf } from '../../support/stages/backups.ts'
import { openWorld } from '../../support/world.ts'

/** Tables that stay small whatever the number of invoices, the schema, and `files`, whose bytes are elsewhere. */
const SMALL =
  /^(?:advised_companies|books|companies|series|settings|api_keys|actors|certificates|registry_(?:chains|flows|installations)|sqlite_\w+|mail_accounts|webhooks|erp_connections|recurrences|cash_operations|files|incoming_sources|json_each|pragma_\w+)$/

interface Spied {
  source: string
}
type Method = (this: Spied, ...values: unknown[]) => unknown

/** Collects every statement executed from now on. */
function watchStatements(): Set<string> {
  const found = new Set<string>()
  const probe = new Database(':memory:')
  const prototype = Object.getPrototypeOf(probe.prepare('select 1')) as Record<string, Method>
  probe.close()
  for (const name of ['all', 'get', 'run', 'iterate']) {
    const real = prototype[name]!
    prototype[name] = function (...values) {
      found.add(this.source)
      return real.apply(this, values)
    }
    onTestFinished(() => void (prototype[name] = real))
  }
  return found
}

test('a start reads no table from end to end', { timeout: 60_000 }, async () => {
  const world = await openWorld()
  await fillBook(world.ctx(), { invoices: 40 })
  embedded(world.env.store).checkpoint()
  // Closing removes its folder.
  const folder = mkdtempSync(join(tmpdir(), 'sello-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(world.folder, folder, { recursive: true })
  await world.close()
  const statements = watchStatements()
  const running = await startSello({
    dataDir: folder,
    port: 0,
    uiDir: null,
    keychain: null,
    cacheKib: 1024,
  })
  // The chain verification and the first runs of the background jobs come later, each at its own time.
  const awaited = [
    /^update.*registry_submissions/,
    /^select.*registry_records.*"xml"/,
    /^select.*mails/,
    /^delete.*bin/,
  ]
  const seen = (): boolean => awaited.every((one) => [...statements].some((sql) => one.test(sql)))
  await expect.poll(seen, { timeout: 20_000 }).toBe(true)
  await running.close()
  const asked = [...statements].filter(
    // The document queue is emptied, and its query plan depends on its length.
    (sql) => /^(?:select|update|delete)\b/.test(sql) && !sql.includes('"document_queue"'),
  )
  expect(asked.length).toBeGreaterThan(25)
  const connection = openDatabase({
    folder,
    masterKey: keyOf(folder),
    role: 'reader',
    cacheKib: 1024,
  })
  onTestFinished(() => connection.close())
  const partial = new Set(
    (
      connection.all("select name from sqlite_schema where type = 'index' and sql like '% where %'", []) as {
        name: string
      }[]
    ).map(({ name }) => name),
  )
  /** Returns the table that a step scans completely, or for a whole book. */
  const readWhole = (detail: string, sql: string): string | undefined => {
    const scanned = /^SCAN (?!CONSTANT|\()(\w+)(?!.*USING)/.exec(detail)?.[1]
    const [, searched, index = ''] =
      /^SEARCH (\w+) USING (?:COVERING )?INDEX (\w+) \(book_id=\?\)$/.exec(detail) ?? []
    return scanned ?? (partial.has(index) || /\blimit\b/i.test(sql) ? undefined : searched)
  }
  const scans = asked.flatMap((sql) => {
    const plan = connection.handle.prepare(`explain query plan ${sql}`)
    const values = Array.from({ length: sql.split('?').length - 1 }, () => null)
    return (plan.all(...values) as { detail: string }[])
      .map(({ detail }) => readWhole(detail, sql))
      .filter((table) => table !== undefined && !SMALL.test(table))
      .map((table) => `${table}: ${sql}`)
  })
  expect(scans).toEqual([])
})
