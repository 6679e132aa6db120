/** Implements the ledger port of context.ts for sales and purchases. Imports no schema, because it is loaded at start. */
import type { Ledger } from '../../context.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { accountExists } from './chart/accounts.ts'
import { postEntry, postOnOpenDay, removeEntry, restoreEntry, reverseEntry } from './journal/post.ts'
import type { EntryInput } from './journal/post.ts'
import { entryOfIssued } from './mapping/issued.ts'
import { entryOfReceived } from './mapping/received.ts'
import { assertOpenPeriod, ledgerDate } from './years/lock.ts'

export const ledger: Ledger = {
  accountExists,
  assertOpenPeriod,
  async bookIssued(ctx, invoiceId, facts, { accrual, issue }) {
    const entryOn = (date: BusinessDate): EntryInput => ({
      date,
      source: { type: 'invoice', id: invoiceId },
      lines: entryOfIssued({ ...facts, date }),
    })
    // Nearly always the day is open; only a closed one is worth reading up to when.
    if (!(await postOnOpenDay(ctx, entryOn(accrual))))
      await postEntry(ctx, entryOn(await ledgerDate(ctx, accrual, issue)))
  },
  async bookReceived(ctx, receivedId, facts) {
    const lines = entryOfReceived(facts)
    await postEntry(ctx, { date: facts.date, source: { type: 'received', id: receivedId }, lines })
  },
  removeEntry,
  reverseEntry,
  restoreEntry,
}
