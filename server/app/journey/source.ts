/** The interface by which a channel says what it knows of an invoice's journey. */
import type { Ctx } from '../../context.ts'
import type { Received } from '../../purchases/invoices/contract.ts'
import type { Invoice } from '../../sales/invoices/contract.ts'
import type { JourneyChannel, JourneyFact, JourneyStepName } from './contract.ts'

/** The invoice that a source is asked about: issued here. */
interface JourneyInvoice {
  rowId: number
  invoice: Invoice
}

/** The received invoice that a source is asked about. */
interface JourneyEntry {
  rowId: number
  entry: Received
}

/** What a source knows of one step. */
export type SourceFact = Omit<JourneyFact, 'channel'> & {
  step: JourneyStepName
  /** It is shown beside the others, and the step does not follow from it: it was taken back, or another channel decides. */
  isAside?: boolean
}

interface Source<About> {
  channel: JourneyChannel
  /** Returns what the channel knows, in no order; nothing of what it knows nothing about. Reads only the store. */
  facts(ctx: Ctx, about: About): Promise<SourceFact[]>
}

/** A channel of issued invoices. A new one is added to `sources/index.ts`. */
export type JourneySource = Source<JourneyInvoice>
/** A channel of received invoices. */
export type ReceivedSource = Source<JourneyEntry>
