/**
 * Moves a file into the test book of a folder, from where it stopped, and prints each step. Arguments: folder, file, and
 * 'undo' to take it back at the end. It is killed at any of them.
 */
import { readFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { ledger } from '../../../server/accounting/ledger/port.ts'
import { loadContracts, loadOperation } from '../../../server/api/operations.ts'
import { runOperation } from '../../../server/api/run.ts'
import { truth } from '../../../server/documents/truth/port.ts'
import { related } from '../../../server/app/related.ts'
import { createCompany } from '../../../server/company/index.ts'
import { createCtx, NO_BOOK } from '../../../server/context.ts'
import type { AppEnvironment, Book } from '../../../server/context.ts'
import { openStore } from '../../../server/db/embedded/store.ts'
import { AppError } from '../../../server/domain/errors/app-error.ts'
import { createIdMaker } from '../../../server/domain/ids.ts'
import { listBooks, loadBook } from '../../../server/platform/books/index.ts'
import type { InputOf, OperationName, OutputOf } from '../../../server/api/contracts.ts'
import { dump } from '../moving/dump.ts'
import { peakOf } from './memory.ts'

const [folder = '', file = '', then = ''] = process.argv.slice(2)
const now = () => new Date('2027-01-10T12:00:00+01:00')
const store = await openStore({ folder, keychain: null, now, create: true, cacheKib: 1024 })
const env: AppEnvironment = {
  loadContracts,
  store,
  version: '0.1.0',
  build: null,
  servers: null,
  people: null,
  producer: { name: '', nif: '', address: '', systemId: '' },
  sandbox: false,
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
  newId: createIdMaker(Date.now),
  ledger,
  truth,
  related,
  documents: {
    make: async () => {
      throw new Error('Nothing is drawn here.')
    },
  },
  report: () => {},
  wake: () => {},
}
const ctxOf = (book: Book) =>
  createCtx({
    env,
    book,
    actor: { kind: 'user', id: 'user', name: 'Persona' },
    channel: 'ui',
    requestId: env.newId('req'),
  })

if ((await listBooks(store.reader)).length === 0)
  await createCompany(ctxOf(NO_BOOK), {
    legalName: 'Talleres Ejemplo, S.L.',
    nif: 'B12345674',
    address: { street: 'Calle Mayor, 1', postalCode: '28013', city: 'Madrid', country: 'ES' },
  })
const known = (await listBooks(store.reader)).find((book) => book.mode === 'test')
const book = await loadBook(store.reader, known?.publicId ?? '')
if (!book) throw new Error('There is no test book.')

const run = async <Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> =>
  (await runOperation(await loadOperation(name), ctxOf(book), input)) as never
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

// A killed process writes no cache when it ends.
flushCompileCache()
const before = then === 'undo' ? await dump(store.reader) : {}
const [last] = (await run('moving.list', {})).items
let move = last ?? (await run('moving.start', { firstDay: '2027-01-01' })).move
say({ begun: move.state, file: move.files[0]?.state ?? null })
/** How long others wait for their turn. */
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
/** Another request meanwhile. */
const seen = setInterval(() => {
  void run('moving.get', { id: move.id }).then(({ move: { state, files } }) => {
    if (state === 'draft') say({ reading: files[0]?.progress.rowsRead ?? 0 })
  })
}, 20)
if (move.state === 'draft') {
  if (move.files[0]?.state === 'reading')
    try {
      await run('moving.apply', { id: move.id })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      say({ refused: error.code })
    }
  const content = readFileSync(file).toString('base64')
  move = (await run('moving.addFile', { id: move.id, name: 'libros.zip', content })).move
  say({ read: move.files[0]?.waiting })
}
while (move.state !== 'applied') {
  move = (await run('moving.apply', { id: move.id })).move
  await turn()
  say({ created: move.created, skipped: move.skipped })
}
const { boxes } = await run('fiscal.model', { model: '390', year: 2026 })
const figures = () => ({ waitMs: delay.max / 1e6, peakMb: peakOf(process.pid) })
say({
  done: move.created,
  base: boxes.find(({ box }) => box === '33')?.amount ?? 0,
  ...figures(),
})
if (then === 'undo') {
  delay.reset()
  while (move.state !== 'undone') {
    move = (await run('moving.undo', { id: move.id })).move
    await turn()
  }
  clearInterval(seen)
  await run('moving.discard', { id: move.id })
  const after = await dump(store.reader)
  const differ = Object.keys(before).filter((table) => !isDeepStrictEqual(before[table], after[table]))
  say({ undone: move.removed, tables: Object.keys(before).length, differ, ...figures() })
}
clearInterval(seen)
store.close()
process.exit(0)
