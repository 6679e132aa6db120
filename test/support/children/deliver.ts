/** Tells events one after the other and delivers them to the book's webhook until it is killed. Argument: folder. */
import { openSello } from '../../../server/app.ts'
import { listBooks } from '../../../server/company/index.ts'
import { emitEvent } from '../../../server/events/index.ts'
import { createWebhookJobs } from '../../../server/webhooks/index.ts'

const [folder = ''] = process.argv.slice(2)
const sello = await openSello({ dataDir: folder, keychain: null, cacheKib: 1024 })
const book = (await listBooks(sello.env.store.reader)).find(({ mode }) => mode === 'test')
if (!book) throw new Error('There is no test book.')
const jobs = createWebhookJobs({ env: sello.env, log: (line) => console.error(line) })
sello.listeners.webhooks = () => jobs.wake()
jobs.wake()
console.log(JSON.stringify({ ready: true }))
const AT_ONCE = 5
for (;;) {
  await sello.ctx(book).transaction(async (tx) => {
    for (let nth = 1; nth <= AT_ONCE; nth++)
      await emitEvent(tx, 'invoice.issued', { invoiceId: tx.newId('inv'), number: `T-${nth}` })
  })
  console.log(JSON.stringify({ told: AT_ONCE }))
  await new Promise((resolve) => setTimeout(resolve, 4))
}
