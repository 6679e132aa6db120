/** Implements the ledger port of context.ts for sales and purchases. Imports no schema, because it is loaded at start. */
import type { Ledger } from '../../context.ts'
import { accountExists } from './chart/accounts.ts'
import { postEntry, removeEntry, restoreEntry, reverseEntry } from './journal/post.ts'
import { entryOfIssued } from './mapping/issued.ts'
import { entryOfReceived } from './mapping/received.ts'
import { assertOpenPeriod, ledgerDate } from './years/lock.ts'

export const ledger: Ledger = {
  accountExists,
  assertOpenPeriod,
  async bookIssued(ctx, invoiceId, facts, { accrual, issue }) {
    const date = await ledgerDate(ctx, accrual, issue)
    const lines = entryOfIssued({ ...facts, date })
    await postEntry(ctx, { date, source: { type: 'invoice', id: invoiceId }, lines })
  },
  async bookReceived(ctx, receivedId, facts) {
    const lines = entryOfReceived(facts)
    await postEntry(ctx, { date: facts.date, source: { type: 'received', id: receivedId }, lines })
  },
  removeEntry,
  reverseEntry,
  restoreEntry,
}
