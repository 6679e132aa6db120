/**
 * Issues one invoice after another in the test book of a folder, and prints each number after the answer. Argument:
 * folder.
 */
import { ledger } from '../../../server/accounting/ledger/port.ts'
import { flushCompileCache } from 'node:module'
import { createCompany } from '../../../server/company/index.ts'
import { listBooks, loadBook } from '../../../server/platform/books/index.ts'
import { createIdMaker } from '../../../server/domain/ids.ts'
import { createCtx, NO_BOOK } from '../../../server/context.ts'
import type { AppEnvironment, Book } from '../../../server/context.ts'
import {
  createDraft,
  issueInvoice,
  setRegistryStatus,
  validateInvoice,
} from '../../../server/sales/invoices/index.ts'
import { recoverInterrupted } from '../../../server/registry/queue/sender.ts'
import { sendBook } from '../../../server/registry/index.ts'
import { loadContracts } from '../../../server/api/operations.ts'
import { openStore } from '../../../server/db/embedded/store.ts'
import { truth } from '../../../server/documents/truth/port.ts'
import { related } from '../../../server/app/related.ts'

const [folder = ''] = process.argv.slice(2)
const now = () => new Date()
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

await recoverInterrupted(ctxOf(book))
// A killed process writes no cache when it ends.
flushCompileCache()
console.log(JSON.stringify({ ready: true }))
// The queue runs in parallel, as in the program.
void (async () => {
  for (;;) {
    await sendBook(env, book, setRegistryStatus)
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
})()
for (let index = 1; ; index++) {
  const ctx = ctxOf(book)
  const line = { description: 'Trabajo', quantity: (index % 7) + 1, unitPrice: (index % 100) + 0.5 }
  const draft = await createDraft(ctx, {
    clientName: `Cliente ${index % 20}`,
    clientNif: '12345678Z',
    lines: [line],
  })
  const { confirmation } = await validateInvoice(ctx, { id: draft.id })
  if (!confirmation) throw new Error('The draft is not valid.')
  const issued = await issueInvoice(ctx, { id: draft.id, confirmationToken: confirmation.confirmationToken })
  process.stdout.write(
    `${JSON.stringify({ id: issued.id, number: issued.number, hash: issued.contentHash })}\n`,
  )
  await new Promise((resolve) => setImmediate(resolve))
}
