/** Removes the rows of a company that lives elsewhere now, or of a copy that was never opened. */
import { AppError } from '../../../domain/errors/app-error.ts'
import { quoted } from '../../../db/bulk.ts'
import { DatabaseBulk } from '../../../db/postgres/bulk.ts'
import { standingOf } from './arrival.ts'
import type { OfficeAddress } from './arrival.ts'
import { officeTables } from './left-behind.ts'
import { ownReferences, stepsOf } from './order.ts'
import { belongsTo, shapeOfBuild } from './shape.ts'
import type { Shape, Table } from './shape.ts'

/** Rows that are removed in one transaction, in which no other company writes the table. */
const ROWS_AT_ONCE = 2_000

interface ForgetOptions {
  office: Pick<OfficeAddress, 'url'>
  company: string
  /** Proves that the company is whole where it was moved to; throws otherwise. Not asked for a copy that never was opened. */
  prove: (movedTo: string) => Promise<void>
}

/**
 * Runs a statement on a table without its own triggers, which keep issued rows from being removed. The lock keeps
 * other writers out until the triggers are back, at the end of the same transaction.
 */
async function withoutTriggers(office: DatabaseBulk, table: string, statement: string): Promise<number> {
  await office.begin('write')
  try {
    await office.execute(`alter table ${quoted(table)} disable trigger user`)
    const count = await office.execute(statement)
    await office.execute(`alter table ${quoted(table)} enable trigger user`)
    await office.commit()
    return count
  } catch (error) {
    await office.rollback()
    throw error
  }
}

async function removeRows(office: DatabaseBulk, name: string, condition: string): Promise<number> {
  let all = 0
  for (;;) {
    const count = await withoutTriggers(
      office,
      name,
      `delete from ${quoted(name)} where ctid in (select ctid from ${quoted(name)} where ${condition} limit ${ROWS_AT_ONCE})`,
    )
    all += count
    if (count < ROWS_AT_ONCE) return all
  }
}

async function removeTable(
  office: DatabaseBulk,
  shape: Shape,
  table: Table,
  companyId: number,
): Promise<number> {
  const condition = belongsTo(shape, table, companyId, 'pg')
  for (const at of ownReferences(table)) {
    const column = quoted(table.columns[at]?.name ?? '')
    await withoutTriggers(
      office,
      table.name,
      `update ${quoted(table.name)} set ${column} = null where ${column} is not null and ${condition}`,
    )
  }
  return removeRows(office, table.name, condition)
}

/**
 * Removes every row of a company that was moved elsewhere, or that was being copied here. Returns their number. May be
 * repeated after an end at any moment. Throws `company_not_here`, `company_here` for one that lives here, or what
 * `prove` throws.
 */
export async function forgetCompany({ office: { url }, company, prove }: ForgetOptions): Promise<number> {
  const office = await DatabaseBulk.open(url)
  try {
    const standing = await standingOf(office, company)
    if (!standing) throw new AppError('company_not_here', { details: { company } })
    const { companyId, away, awayTo } = standing
    if (away !== 'moved' && away !== 'arriving')
      throw new AppError('company_here', { details: { company, state: away ?? 'open' } })
    if (away === 'moved') await prove(awayTo ?? '')
    const shape = shapeOfBuild()
    const books = await office.select<{ id: string }>(
      'select public_id as id from books where company_id = $1',
      [companyId],
    )
    let rows = 0
    for (const name of await officeTables(office, shape))
      rows += await removeRows(office, name, `company_id = ${companyId}`)
    for (const { id } of books)
      rows += await office.execute('delete from settings where starts_with(name, $1)', [`views/${id}/`])
    for (const step of stepsOf(shape).toReversed())
      if (step.do === 'insert') rows += await removeTable(office, shape, step.table, companyId)
    return rows
  } finally {
    await office.close()
  }
}
