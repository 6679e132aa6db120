/** Composes the application of an office: the same services over PostgreSQL, in any number of servers. */
import type { AppEnvironment } from '../../context.ts'
import { openOfficeStore } from '../../db/postgres/store.ts'
import type { OfficePools } from '../../db/postgres/store.ts'
import { isSandbox } from '../../db/sandbox.ts'
import { createLog } from '../../platform/log.ts'
import { composeEnvironment, openedSello } from '../environment.ts'
import type { EnvironmentOptions, OpenedSello } from '../environment.ts'

export interface OfficeOptions extends EnvironmentOptions {
  /** Where the database is: `postgresql://user@host/name`. */
  url: string
  /** Key of the sealed columns: 32 bytes. */
  masterKey: Buffer
  /** Most connections of this process that write, and most that read. */
  connections?: number
  pools?: OfficePools | undefined
  log?: ((line: string) => void) | undefined
  /** Replaces the clock in tests. */
  now?: () => Date
}

/** Connects to the database of an office. Throws `AppError`s of the store. */
export async function openOffice(
  options: OfficeOptions,
  loadContracts: AppEnvironment['loadContracts'],
): Promise<OpenedSello> {
  const now = options.now ?? (() => new Date())
  const log = createLog(options.log ?? (() => {}), now)
  const { url, masterKey, connections, pools } = options
  const store = await openOfficeStore({
    url,
    masterKey,
    now,
    pools,
    ...(connections === undefined ? {} : { connections }),
  })
  try {
    const sandbox = await isSandbox(store.reader)
    const composed = composeEnvironment({ ...options, loadContracts, store, sandbox, log, now })
    return openedSello(composed, log, async () => store.close())
  } catch (error) {
    store.close()
    throw error
  }
}
