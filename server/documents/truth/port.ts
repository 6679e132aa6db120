/**
 * Implements the port of context.ts that compares an invoice with all that is said of it. Its parts are loaded when an
 * invoice is validated or issued, once.
 */
import type { TruthPort } from '../../context.ts'
import type { BookedInvoice } from '../../sales/invoices/index.ts'
import type * as parts from './check.ts'

let loaded: typeof parts | null = null

async function load(): Promise<typeof parts> {
  return (loaded ??= await import('./check.ts'))
}

export const truth: TruthPort = {
  load: () => (loaded === null ? load().then(() => {}) : null),
  async check(tx, booked) {
    const { assertOneTruth } = loaded ?? (await load())
    await assertOneTruth(tx, booked as BookedInvoice)
  },
}
