/**
 * Emits events one after another and delivers them to the book's webhooks until it is killed. Arguments: folder,
 * milliseconds by which its clock is ahead, maximum number of events.
 */
import { flushCompileCache } from 'node:module'
import { openSello } from '../../../server/api/application.ts'
import { listBooks } from '../../../server/platform/books/index.ts'
import { emitEvent } from '../../../server/platform/events/index.ts'
import { createWebhookJobs } from '../../../server/platform/webhooks/index.ts'

const [folder = '', laterMs = '0', atMost = '0'] = process.argv.slice(2)
const now = (): Date => new Date(Date.now() + Number(laterMs))
const sello = await openSello({ dataDir: folder, keychain: null, cacheKib: 1024, now })
const book = (await listBooks(sello.env.store.reader)).find(({ mode }) => mode === 'test')
if (!book) throw new Error('There is no test book.')
const jobs = createWebhookJobs({ env: sello.env, log: (line) => console.error(line) })
sello.listeners.webhooks = () => jobs.wake()
jobs.wake()
// A killed process writes no cache when it ends.
flushCompileCache()
console.log(JSON.stringify({ ready: true }))
const AT_ONCE = 25
for (let told = 0; told < Number(atMost); told += AT_ONCE) {
  await sello.ctx(book).transaction(async (tx) => {
    if (told === 0) await emitEvent(tx, 'document.ready', { invoiceId: tx.newId('inv') })
    for (let nth = told === 0 ? 2 : 1; nth <= AT_ONCE; nth++)
      await (nth % 10 === 0
        ? emitEvent(tx, 'contact.changed', { contactId: tx.newId('con') })
        : emitEvent(tx, 'invoice.issued', { invoiceId: tx.newId('inv'), number: `T-${nth}` }))
  })
  console.log(JSON.stringify({ told: AT_ONCE }))
  await new Promise((resolve) => setTimeout(resolve, 4))
}
// It continues to deliver.
setInterval(() => {}, 60_000)
