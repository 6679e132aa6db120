/** A Sello that listens on loopback, with the example company and keys, for tests with real clients. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSello } from '../../../../server/api/application.ts'
import type { RunningSello } from '../../../../server/api/application.ts'
import { loadBook } from '../../../../server/platform/books/index.ts'
import type { InputOf, OperationName, OutputOf } from '../../../../server/api/contracts.ts'
import { SCOPES } from '../../../../server/domain/contract/scopes.ts'
import type { Scope } from '../../../../server/domain/contract/scopes.ts'
import { createCtx, NO_BOOK } from '../../../../server/context.ts'
import type { Book, Mode, PersonCheck } from '../../../../server/context.ts'
import { PERSON } from '../../../../server/api/http/index.ts'
import { loadOperation } from '../../../../server/api/operations.ts'
import { runOperation } from '../../../../server/api/run.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'

export interface Running {
  dataDir: string
  sello: RunningSello
  url: string
  mcpUrl: string
  logged: string[]
  /** Creates a key, by default of the test book with every scope. */
  makeKey(options?: { mode?: Mode; scopes?: readonly Scope[] }): Promise<OutputOf<'keys.createByPerson'>>
  run<Name extends OperationName>(name: Name, input: InputOf<Name>, mode?: Mode): Promise<OutputOf<Name>>
  close(): Promise<void>
}

/** Starts it; `now` replaces the clock. */
export async function startRunning({
  now,
  sandbox = false,
  person,
}: { now?: () => Date; sandbox?: boolean; person?: PersonCheck } = {}): Promise<Running> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sello-mcp-'))
  const logged: string[] = []
  const sello = await startSello({
    dataDir,
    port: 0,
    uiDir: null,
    keychain: null,
    cacheKib: 2048,
    sandbox,
    log: (line) => logged.push(line),
    ...(now ? { now } : {}),
    ...(person ? { person } : {}),
  })
  const { env } = sello

  async function run<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    book: Book,
  ): Promise<OutputOf<Name>> {
    const operation = await loadOperation(name)
    const ctx = createCtx({ env, book, actor: PERSON, channel: 'ui', requestId: env.newId('req') })
    return (await runOperation(operation, ctx, input)) as OutputOf<Name>
  }

  const { books } = await run('company.create', EXAMPLE_COMPANY, NO_BOOK)
  const bookOf = async (mode: Mode): Promise<Book> => {
    const book = await loadBook(env.store.reader, books.find((one) => one.mode === mode)?.id ?? '')
    if (!book) throw new Error('The book was not made.')
    return book
  }
  const opened = { live: await bookOf('live'), test: await bookOf('test') }
  return {
    dataDir,
    sello,
    url: sello.url,
    mcpUrl: sello.mcpUrl,
    logged,
    makeKey: ({ mode = 'test', scopes = SCOPES } = {}) =>
      run('keys.createByPerson', { name: `key ${env.newId('key')}`, scopes: [...scopes] }, opened[mode]),
    run: (name, input, mode = 'test') => run(name, input, opened[mode]),
    close: async () => {
      await sello.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export const DRAFT = {
  clientName: 'Ana Ruiz Gil',
  clientNif: '12345678Z',
  lines: [{ description: 'Mano de obra', quantity: 2, unitPrice: 10 }],
}
