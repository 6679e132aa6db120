/** The interface by which a channel says what it knows of an invoice's journey. */
import type { Ctx } from '../../context.ts'
import type { Invoice } from '../../sales/invoices/contract.ts'
import type { JourneyChannel, JourneyFact, JourneyStepName } from './contract.ts'

/** The invoice that a source is asked about: issued here. */
interface JourneyInvoice {
  rowId: number
  invoice: Invoice
}

/** What a source knows of one step. */
export type SourceFact = Omit<JourneyFact, 'channel'> & { step: JourneyStepName }

/** A channel. A new one is added to `sources/index.ts`. */
export interface JourneySource {
  channel: JourneyChannel
  /** Returns what the channel knows, in no order; nothing of what it knows nothing about. Reads only the store. */
  facts(ctx: Ctx, about: JourneyInvoice): Promise<SourceFact[]>
}
