/** Removes the rows of a company that lives elsewhere now, or of a copy that was never opened. */
import { AppError } from '../../../domain/errors/app-error.ts'
import { quoted } from '../../../db/bulk.ts'
import { inRows } from '../../../db/outside/objects.ts'
import type { Objects } from '../../../db/outside/objects.ts'
import type { DatabaseBulk } from '../../../db/postgres/bulk.ts'
import { standingOf } from './arrival.ts'
import type { OfficeAddress } from './arrival.ts'
import { hasPointers, removeObjects, withOfficeRows } from './contents.ts'
import { officeTables, ownReferences, stepsOf } from '../../company-copy/index.ts'
import { belongsTo, shapeOfBuild } from '../../company-rows/index.ts'
import type { Shape, Table } from '../../company-rows/index.ts'

/** Rows that are removed in one transaction, in which no other company writes the table. */
const ROWS_AT_ONCE = 2_000

interface ForgetOptions {
  office: OfficeAddress
  company: string
  /** Proves that the company is whole where it was moved to; throws otherwise. Not asked for a copy that never was opened. */
  prove: (movedTo: string) => Promise<void>
}

/** The company whose rows are removed. */
interface Forgotten {
  office: DatabaseBulk
  companyId: number
}

/**
 * Runs a statement on a table without its own triggers, which keep issued rows from being removed. The lock keeps
 * other writers out until the triggers are back, at the end of the same transaction.
 */
async function withoutTriggers(
  { office, companyId }: Forgotten,
  table: string,
  statement: string,
): Promise<number> {
  await office.begin('write')
  await office.enter(companyId)
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

async function removeRows(from: Forgotten, name: string, condition: string): Promise<number> {
  let all = 0
  for (;;) {
    const count = await withoutTriggers(
      from,
      name,
      `delete from ${quoted(name)} where ctid in (select ctid from ${quoted(name)} where ${condition} limit ${ROWS_AT_ONCE})`,
    )
    all += count
    if (count < ROWS_AT_ONCE) return all
  }
}

async function removeTable(from: Forgotten, shape: Shape, table: Table): Promise<number> {
  const condition = belongsTo(shape, table, from.companyId, 'pg')
  for (const at of ownReferences(table)) {
    const column = quoted(table.columns[at]?.name ?? '')
    await withoutTriggers(
      from,
      table.name,
      `update ${quoted(table.name)} set ${column} = null where ${column} is not null and ${condition}`,
    )
  }
  return removeRows(from, table.name, condition)
}

/** Removes the documents of a company that are outside the database. Throws `file_storage_unavailable`. */
async function removeDocuments({ office, companyId }: Forgotten, objects: Objects): Promise<void> {
  await office.begin('read')
  await office.enter(companyId)
  let isOutside: boolean
  try {
    isOutside = await hasPointers(office, companyId)
  } finally {
    await office.rollback()
  }
  // Without the rows nobody would know of them.
  if (isOutside && objects === inRows)
    throw new AppError('file_storage_unavailable', { details: { reason: 'not_configured' } })
  await removeObjects(objects, companyId)
}

/**
 * Removes every row and document of a company that was moved elsewhere, or that was being copied here. Returns the
 * number of rows. May be repeated after an end at any moment. Throws `company_not_here`, `company_here` for one that
 * lives here, `file_storage_unavailable`, or what `prove` throws.
 */
export function forgetCompany({ office: address, company, prove }: ForgetOptions): Promise<number> {
  return withOfficeRows(address, async ({ office, objects }) => {
    const standing = await standingOf(office, company)
    if (!standing) throw new AppError('company_not_here', { details: { company } })
    const { companyId, away, awayTo } = standing
    if (away !== 'moved' && away !== 'arriving')
      throw new AppError('company_here', { details: { company, state: away ?? 'open' } })
    if (away === 'moved') await prove(awayTo ?? '')
    const from: Forgotten = { office, companyId }
    await removeDocuments(from, objects)
    const shape = shapeOfBuild()
    let rows = 0
    const ofOffice = await officeTables(office, shape)
    for (const name of [...ofOffice, 'settings'])
      rows += await removeRows(from, name, `company_id = ${companyId}`)
    for (const step of stepsOf(shape).toReversed()) {
      if (step.do !== 'insert') continue
      // People are named by the history, and by nothing else. The row of the company is the last one.
      if (step.table.name === 'companies')
        rows += await removeRows(from, 'actors', `company_id = ${companyId}`)
      rows += await removeTable(from, shape, step.table)
    }
    return rows
  })
}
