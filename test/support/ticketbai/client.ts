/** Sends files to the service of a province and queries what it holds, for tests of wires and simulators without the queue. */
import {
  CHAPTERS,
  ISSUED_PER_MESSAGE,
  PAGE_OF_QUERY,
} from '../../../server/registry/systems/ticketbai/lroe/chapters.ts'
import {
  inBatches,
  issuedContent,
  lroeRequest,
} from '../../../server/registry/systems/ticketbai/lroe/message.ts'
import type { LroeFile, LroeTaxpayer } from '../../../server/registry/systems/ticketbai/lroe/message.ts'
import { queryRequest, readQuery } from '../../../server/registry/systems/ticketbai/lroe/query.ts'
import type { LroeFilter, QueriedRecord } from '../../../server/registry/systems/ticketbai/lroe/query.ts'
import {
  readReceivedExchange,
  receivedContent,
} from '../../../server/registry/systems/ticketbai/lroe/received.ts'
import type { ReceivedInvoice } from '../../../server/registry/systems/ticketbai/lroe/received.ts'
import { readLroeExchange } from '../../../server/registry/systems/ticketbai/lroe/reply.ts'
import type { FileOutcome, RecordOutcome } from '../../../server/registry/systems/ticketbai/wire/outcome.ts'
import type { ServiceAddresses } from '../../../server/registry/systems/ticketbai/wire/services.ts'
import {
  FILES_PER_MESSAGE,
  readXmlExchange,
  xmlRequest,
} from '../../../server/registry/systems/ticketbai/wire/xml.ts'
import type { Transport } from '../../../server/registry/systems/ticketbai/client/transport.ts'

type Failure = Extract<RecordOutcome, { kind: 'not_taken' | 'unknown' }>

/** What a service holds; `failed` says why it could not be learnt. */
type Findings = { kind: 'found'; records: QueriedRecord[] } | { kind: 'failed'; outcome: Failure }

export interface TicketBaiClient {
  /** Files in a message at most. */
  readonly mostFiles: number
  /** Returns how many of the first files fit one message: at least one of any. */
  fitting(files: readonly LroeFile[]): number
  /** Sends files that fit one message, and returns an outcome for each, in their order. */
  send(files: readonly LroeFile[]): Promise<FileOutcome[]>
  /** Queries invoices by their key, or by days of one year, all pages; null where the service has no query. */
  find: ((filter: LroeFilter) => Promise<Findings>) | null
}

/** Creates the client of Araba or Gipuzkoa. */
export function createXmlClient({
  service,
  transport,
}: {
  service: ServiceAddresses
  transport: Transport
}): TicketBaiClient {
  return {
    mostFiles: FILES_PER_MESSAGE,
    fitting: (files) => Math.min(files.length, FILES_PER_MESSAGE),
    find: null,
    send: async (files) => {
      const [file, ...others] = files
      if (!file || others.length > 0) throw new RangeError('A message takes one file.')
      const exchange = await transport(xmlRequest(service, file))
      return [{ id: file.id, outcome: readXmlExchange(file, exchange) }]
    },
  }
}

interface LroeClient extends TicketBaiClient {
  find: (filter: LroeFilter) => Promise<Findings>
  /** Adds or changes received invoices of one year, at most 10,000. */
  sendReceived(
    operation: 'A00' | 'M00',
    year: string,
    invoices: readonly ReceivedInvoice[],
  ): Promise<{ id: string; outcome: RecordOutcome }[]>
}

/** More pages than a year of a taxpayer can fill. */
const MOST_PAGES = 10_000

/** Creates the client of Bizkaia for the book of one taxpayer. */
export function createLroeClient({
  service,
  transport,
  taxpayer,
  mostFiles: wished = ISSUED_PER_MESSAGE,
}: {
  service: ServiceAddresses
  transport: Transport
  taxpayer: LroeTaxpayer
  /** Files in a message, at most 1,000. */
  mostFiles?: number
}): LroeClient {
  const facts = CHAPTERS[taxpayer.model].issued
  const mostFiles = Math.min(wished, facts.most)
  const batches = (files: readonly LroeFile[]) => inBatches(taxpayer, files, mostFiles)
  return {
    mostFiles,
    fitting: (files) => batches(files)[0]?.files.length ?? 0,
    send: async (files) => {
      const [batch, ...others] = batches(files)
      if (!batch || others.length > 0) throw new RangeError('The files do not fit one message.')
      const { operation, year } = batch
      const message = { taxpayer, chapter: 'issued' as const, operation, year }
      const exchange = await transport(lroeRequest(service, message, issuedContent(facts, operation, files)))
      return readLroeExchange(message, files, exchange)
    },
    find: async (filter) => {
      const records: QueriedRecord[] = []
      for (let page = 1; page <= MOST_PAGES; page += 1) {
        const exchange = await transport(queryRequest(service, taxpayer, filter, page))
        const result = readQuery(taxpayer, filter, page, exchange)
        if (result.kind === 'failed') return result
        records.push(...result.records)
        if (!result.more) return { kind: 'found', records }
      }
      return {
        kind: 'failed',
        outcome: { kind: 'unknown', detail: `There are more than ${MOST_PAGES * PAGE_OF_QUERY} records.` },
      }
    },
    sendReceived: async (operation, year, invoices) => {
      const message = { taxpayer, chapter: 'received' as const, operation, year }
      const content = receivedContent(taxpayer.model, invoices)
      return readReceivedExchange(message, invoices, await transport(lroeRequest(service, message, content)))
    },
  }
}

/** Sends files one message after another, and returns an outcome for each. */
export async function sendInTurn(
  client: TicketBaiClient,
  files: readonly LroeFile[],
): Promise<FileOutcome[]> {
  const outcomes: FileOutcome[] = []
  for (let at = 0; at < files.length;) {
    const next = files.slice(at, at + client.fitting(files.slice(at)))
    outcomes.push(...(await client.send(next)))
    at += next.length
  }
  return outcomes
}
