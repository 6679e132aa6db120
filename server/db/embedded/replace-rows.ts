/** Writes many rows at once: replaced without the triggers that forbid it, or added under all of them. */
import { AppError } from '../../domain/errors/app-error.ts'
import type { Connection } from './connection.ts'

interface Trigger {
  name: string
  sql: string
}

/**
 * Runs `work` in one transaction of the write connection, without triggers and foreign keys. Checks the references
 * before the commit. Throws `transfer_differs` if one leads nowhere; the file is unchanged then.
 */
export async function replaceRows<T>(
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
  beforeCommit: () => void,
): Promise<T> {
  const { handle } = connection
  handle.pragma('foreign_keys = off')
  try {
    handle.exec('begin immediate')
    const triggers = handle
      .prepare("select name, sql from sqlite_master where type = 'trigger' order by rowid")
      .all() as Trigger[]
    for (const { name } of triggers) handle.exec(`drop trigger "${name}"`)
    const result = await work(connection)
    const [broken] = handle.pragma('foreign_key_check') as { table: string; parent: string }[]
    if (broken)
      throw new AppError('transfer_differs', {
        details: { reason: 'references', table: broken.table, to: broken.parent },
      })
    for (const { sql } of triggers) handle.exec(sql)
    beforeCommit()
    handle.exec('commit')
    return result
  } finally {
    if (handle.inTransaction) handle.exec('rollback')
    handle.pragma('foreign_keys = on')
  }
}

/**
 * Runs `work` in one transaction of the write connection, with every trigger and reference checked as in any other. The
 * file is unchanged if it throws.
 */
export async function addRows<T>(
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
  beforeCommit: () => void,
): Promise<T> {
  const { handle } = connection
  handle.exec('begin immediate')
  try {
    const result = await work(connection)
    beforeCommit()
    handle.exec('commit')
    return result
  } finally {
    if (handle.inTransaction) handle.exec('rollback')
  }
}
