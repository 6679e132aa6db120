/** Connects a process of an office to its database: connections, the check of its master key, and the application. */
import type { AppEnvironment } from '../../context.ts'
import { assertMasterKey } from '../../db/postgres/tables/servers.ts'
import { createPools } from '../../db/postgres/store.ts'
import type { OfficePools } from '../../db/postgres/store.ts'
import { openOffice } from './application.ts'
import type { OfficeOptions, OpenedOffice } from './application.ts'

/** An open office, and the connections under it. */
export interface ConnectedOffice {
  sello: OpenedOffice
  pools: OfficePools
  close(): Promise<void>
}

/** Opens an office with connections of its own. Throws `office_key_wrong`, or an error of the store. */
export async function connectOffice(
  options: OfficeOptions,
  loadContracts: AppEnvironment['loadContracts'],
): Promise<ConnectedOffice> {
  const pools = createPools(options)
  let sello: OpenedOffice | null = null
  const close = async (): Promise<void> => {
    await sello?.close()
    await Promise.all([pools.writers.end(), pools.readers.end()])
  }
  try {
    sello = await openOffice({ ...options, pools }, loadContracts)
    await assertMasterKey(pools.writers, options.masterKey)
    return { sello, pools, close }
  } catch (error) {
    await close()
    throw error
  }
}
