/** Reads the rows of a company in bulk, in one state of the books: from the file of a desk, or the database of an office. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BulkReader, BulkRow, BulkTable } from '../../../db/bulk.ts'
import { FileBulkReader } from '../../../db/embedded/bulk.ts'
import { openDatabase } from '../../../db/embedded/open.ts'
import { embedded } from '../../../db/embedded/port.ts'
import type { AppEnvironment } from '../../../context.ts'
import { Released } from '../released.ts'
import { shapeOfBuild } from '../../company-rows/index.ts'
import { survey } from '../../company-copy/index.ts'
import type { Side, Survey } from '../../company-copy/index.ts'

const CACHE_KIB = 8 * 1024

/** Lets requests be answered between pages: the engine answers without pauses. */
export async function* pausing(pages: AsyncIterable<BulkRow[]>): AsyncGenerator<BulkRow[]> {
  const released = new Released()
  for await (const page of pages) {
    yield page
    released.rows(page)
    await nextTurn()
  }
}

export class PausingReader extends FileBulkReader {
  override pages(table: BulkTable, condition: string): AsyncGenerator<BulkRow[]> {
    return pausing(super.pages(table, condition))
  }
}

async function fromFile<T>(env: AppEnvironment, work: (reader: BulkReader) => Promise<T>): Promise<T> {
  const store = embedded(env.store)
  const masterKey = store.copyOfKey()
  const connection = openDatabase({ folder: store.folder, masterKey, role: 'reader', cacheKib: CACHE_KIB })
  masterKey.fill(0)
  try {
    connection.handle.exec('begin')
    return await work(new PausingReader(connection))
  } finally {
    connection.close()
  }
}

/** Runs some work on the rows of a company. All of its reads see the same state. */
export function withRows<T>(
  env: AppEnvironment,
  companyId: number,
  work: (side: Side, known: Survey) => Promise<T>,
): Promise<T> {
  const { sealer, objects } = env.store
  const onReader = async (reader: BulkReader): Promise<T> => {
    const side: Side = { shape: shapeOfBuild(), reader, sealer, objects, companyId }
    return work(side, await survey(side))
  }
  return env.readRows ? env.readRows(companyId, onReader) : fromFile(env, onReader)
}
