/**
 * Books whose public platform gives hostile files: each is fetched in a turn of the exchange, and what became of it is printed
 * as a line of JSON. A program of its own, so that its memory is its own. Arguments: folder, titles of the files.
 */
import { ledger } from '../../../server/accounting/ledger/port.ts'
import { related } from '../../../server/app/related.ts'
import { loadContracts, loadOperation } from '../../../server/api/operations.ts'
import { runOperation } from '../../../server/api/run.ts'
import { createCompany } from '../../../server/company/index.ts'
import { createCtx, createSystemCtx, NO_BOOK } from '../../../server/context.ts'
import type { AppEnvironment, Book } from '../../../server/context.ts'
import { openStore } from '../../../server/db/embedded/store.ts'
import { truth } from '../../../server/documents/truth/port.ts'
import { createIdMaker } from '../../../server/domain/ids.ts'
import type { ExchangePort } from '../../../server/integrations/exchange/port.ts'
import { NothingDone } from '../../../server/integrations/exchange/port.ts'
import { exchangeTurn } from '../../../server/integrations/exchange/sending/turn.ts'
import { listBooks, loadBook } from '../../../server/platform/books/index.ts'
import { exchanges, xmls } from '../files/hostile-files.ts'

const [folder = '', ...titles] = process.argv.slice(2)
let now = Date.parse('2027-10-07T10:00:00Z')
const store = await openStore({
  folder,
  keychain: null,
  now: () => new Date(now),
  create: true,
  cacheKib: 1024,
})
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
  now: () => new Date(now),
  newId: createIdMaker(Date.now),
  ledger,
  truth,
  related,
  documents: {
    make: async () => {
      throw new Error('Nothing is drawn here.')
    },
  },
  report: (work, error) => console.error(work, error),
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
await createCompany(ctxOf(NO_BOOK), {
  legalName: 'Talleres Norte, S.L.',
  nif: 'B12345674',
  address: { street: 'Calle Mayor, 1', postalCode: '28013', city: 'Madrid', country: 'ES' },
})
const known = (await listBooks(store.reader)).find((book) => book.mode === 'test')
const book = await loadBook(store.reader, known?.publicId ?? '')
if (!book) throw new Error('There is no test book.')
const run = async (name: Parameters<typeof loadOperation>[0], input: unknown): Promise<any> =>
  runOperation(await loadOperation(name), ctxOf(book), input as never)
await run('exchange.setSettings', { sending: true })

const nothing = async (): Promise<never> => {
  throw new NothingDone('refused', 'Only fetching is tried here.')
}

/** A platform that has one file for this company. */
const portWith = (number: string, xml: Uint8Array): ExchangePort => ({
  send: nothing,
  withdraw: nothing,
  report: nothing,
  find: async () => ({ found: [], next: null }),
  download: async (locators) => locators.map((locator) => ({ locator, xml })),
  events: async () => ({
    events: [
      {
        kind: 'arrived',
        at: new Date(now).toISOString(),
        found: {
          invoice: { issuerTaxId: 'A58818501', number, issueDate: '2027-10-07' },
          locator: number,
          presentedAt: new Date(now).toISOString(),
          copy: false,
          withdrawn: false,
          statuses: [],
        },
      },
    ],
    next: number,
  }),
})

for (const [index, title] of titles.entries()) {
  const make = { ...xmls, ...exchanges }[title]
  if (!make) throw new Error(`There is no file ${title}.`)
  const xml = make()
  const number = `P-${index + 1}`
  const started = performance.now()
  for (let turns = 0; turns < 2; turns += 1) {
    now += 20 * 60_000
    await exchangeTurn(createSystemCtx(env, book), async () => ({ port: portWith(number, xml), why: null }))
  }
  const ms = Math.round(performance.now() - started)
  const { items } = await run('exchange.list', { direction: 'received', limit: 200 })
  const one = items.find((each: { number: string }) => each.number === number)
  const { hasFile } = await run('exchange.get', { id: one.id })
  const row = await ctxOf(book)
    .db.selectFrom('exchange_documents')
    .select('next_at')
    .where('public_id', '=', one.id)
    .executeTakeFirstOrThrow()
  const incoming = one.incomingId === null ? null : await run('incoming.get', { id: one.incomingId })
  console.log(
    JSON.stringify({
      title,
      bytes: xml.length,
      state: one.state,
      why: one.why,
      hasFile,
      isWaiting: row.next_at !== null,
      incoming: incoming?.state ?? null,
      unread: incoming?.why ?? null,
      ms,
    }),
  )
}
store.close()
