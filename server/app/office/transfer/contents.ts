/** The rows and documents of an office as transfers reach them: with its key, and its bucket if it has one. */
import type { Bucket } from '../../../db/postgres/objects/bucket.ts'
import { BucketObjects } from '../../../db/postgres/objects/bucket-objects.ts'
import { DatabaseBulk } from '../../../db/postgres/bulk.ts'
import { assertMasterKey } from '../../../db/postgres/tables/servers.ts'
import { inRows, POINTER_AT_MOST, POINTER_START } from '../../../db/outside/objects.ts'
import type { Objects } from '../../../db/outside/objects.ts'
import { CONTENT_COLUMNS } from '../../maintenance/sweep-objects.ts'
import type { OfficeAddress } from './arrival.ts'

/** Removes all objects of a company whose rows are removed. */
export async function removeObjects(objects: Objects, companyId: number): Promise<void> {
  for (let after: string | null | undefined; after !== null;) {
    const page = await objects.list(companyId, after ?? null)
    await objects.removeListed(companyId, page.objects)
    ;({ after } = page)
  }
}

/** An office as a transfer works with it: its rows and its documents. */
export interface OpenedOfficeRows {
  office: DatabaseBulk
  objects: Objects
}

/**
 * Opens an office for some work with its rows. Throws `office_key_wrong` for another key than its servers have,
 * `store_readonly`, or an error of the settings of its bucket.
 */
export async function withOfficeRows<T>(
  { url, masterKey, openBucket, inRowAtMost, isPooled = false }: OfficeAddress,
  work: (opened: OpenedOfficeRows) => Promise<T>,
): Promise<T> {
  const office = await DatabaseBulk.open(url, { setsSession: !isPooled })
  let bucket: Bucket | undefined
  try {
    // What is sealed with another key would be lost.
    await assertMasterKey(office, masterKey)
    bucket = await openBucket?.()
    const [row] = await office.select<{ id: string }>('select store_id as id from installation')
    const objects = bucket
      ? new BucketObjects({ bucket, storeId: row?.id ?? '', masterKey, inRowAtMost })
      : inRows
    return await work({ office, objects })
  } finally {
    bucket?.close()
    await office.close()
  }
}

/** Returns true if a row of the company points to an object. */
export async function hasPointers(office: DatabaseBulk, companyId: number): Promise<boolean> {
  for (const { table, column } of CONTENT_COLUMNS) {
    const rows = await office.select(
      `select 1 from ${table} where company_id = $1 and length(${column}) <= ${POINTER_AT_MOST}
       and substr(${column}, 1, ${POINTER_START.length}) = convert_to('${POINTER_START}', 'UTF8') limit 1`,
      [companyId],
    )
    if (rows.length > 0) return true
  }
  return false
}
