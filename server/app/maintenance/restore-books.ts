/** Restores books from a backup with all checks of this version, for the command line, the window and the app. */
import { ledger } from '../../accounting/ledger/port.ts'
import manifest from '../../../package.json' with { type: 'json' }
import producer from '../../../build/producer.json' with { type: 'json' }
import { restoreBackup } from '../backups/index.ts'
import type { Restored, RestoreRequest } from '../backups/index.ts'
import { RUNNING_BUILD } from '../build/index.ts'
import { createSystemCtx } from '../../context.ts'
import type { AppEnvironment, Book, Ctx } from '../../context.ts'
import { createIdMaker } from '../../domain/ids.ts'
import { resealBooks } from './sealed-values.ts'
import { checkBooks } from '../integrity/index.ts'
import type { Db } from '../../db/query.ts'
import { isSandbox } from '../../db/sandbox.ts'
import { openStore } from '../../db/embedded/store.ts'
import type { EmbeddedStore } from '../../db/embedded/port.ts'
import { truth } from '../../documents/truth/port.ts'
import { related } from '../related.ts'

export type { Restored, RestoreRequest }

/** Rolls back the transaction in which it is thrown. */
class Undone extends Error {}

/**
 * Returns the store with writes that are never stored, because the checks record results that do not belong in a copy
 * under verification.
 */
function withoutTraces(store: EmbeddedStore): EmbeddedStore {
  const unwritten: EmbeddedStore = Object.create(store, {}) as EmbeddedStore
  unwritten.transaction = async <T>(companyId: number | null, work: (db: Db) => Promise<T>): Promise<T> => {
    let result: { value: T } | null = null
    await store
      .transaction(companyId, async (db) => {
        result = { value: await work(db) }
        throw new Undone()
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error
      })
    return (result as unknown as { value: T }).value
  }
  return unwritten
}

/** Returns the faults of the books in a folder as sentences. The books stay unchanged. */
async function faultsOfCopy(folder: string, masterKey: Buffer, now: () => Date): Promise<string[]> {
  const store = await openStore({
    folder,
    keychain: null,
    now,
    recoveredKey: masterKey,
  })
  try {
    // Books at rest: no prompts, no rendering, no sending.
    const env: AppEnvironment = {
      loadContracts: () => Promise.reject(new Error('The operations of a copy are not described.')),
      store: withoutTraces(store),
      servers: null,
      people: null,
      version: manifest.version,
      build: RUNNING_BUILD,
      producer,
      sandbox: await isSandbox(store.reader),
      mockEndpoint: null,
      returnsMockEndpoint: null,
      portalMockEndpoint: null,
      platformMockEndpoint: null,
      erpMockEndpoint: null,
      address: { restUrl: null, mcpUrl: null },
      person: null,
      window: { pages: 0 },
      closeForRestore: null,
      now,
      newId: createIdMaker(() => now().getTime()),
      ledger,
      truth,
      related,
      documents: { make: () => Promise.reject(new Error('Nothing is drawn of a copy.')) },
      report: () => {},
      wake: () => {},
    }
    const ctxOf = (book: Book): Ctx => createSystemCtx(env, book, 'restore')
    const { checks } = await checkBooks(env, ctxOf)
    return checks.flatMap(({ ok, name, detail }) => (ok ? [] : [`${name}: ${detail}`]))
  } finally {
    store.close()
  }
}

/** Restores the books of a backup. Throws the errors of `restoreBackup`; in that case nothing was changed. */
export function restoreBooks(request: RestoreRequest): Promise<Restored> {
  return restoreBackup(request, {
    faultsOf: (folder, masterKey) => faultsOfCopy(folder, masterKey, request.now),
    reseal: resealBooks,
  })
}
