/**
 * Golden records and messages: `name.json` holds the facts, `name.xml` their written form. With SELLO_UPDATE_GOLDEN=1
 * the tests write the XML again; a person then reviews each change.
 */
import { readdirSync, readFileSync } from 'node:fs'
import {
  buildCancellation,
  buildRegistration,
} from '../../../server/registry/systems/verifactu/record/xml.ts'
import { buildQuery, buildSubmission } from '../../../server/registry/systems/verifactu/wire/messages.ts'
import { GENERATED_AT, SYSTEM } from './plain-records.ts'
import type {
  ChainLink,
  RegistryCancellation,
  RegistryInvoice,
} from '../../../server/registry/systems/verifactu/record/fields.ts'
import type {
  Query,
  SubmissionHeader,
  SubmissionOptions,
} from '../../../server/registry/systems/verifactu/wire/messages.ts'

const FOLDER = new URL('../../golden/registry/', import.meta.url)

type RecordFacts = { invoice: RegistryInvoice } | { cancellation: RegistryCancellation }
type RecordCase = { name: string; previous: ChainLink | null } & RecordFacts

type MessageCase = { name: string } & (
  | {
      submission: { header: SubmissionHeader; options: SubmissionOptions; records: RecordFacts[] }
      /** The record before the first one of the submission. */
      previous: ChainLink | null
    }
  | { query: Query }
)

interface Golden<Case> {
  /** Name of the file with the facts, inside the folder. */
  file: string
  facts: Case
  /** Location of the XML. */
  xml: URL
}

function goldenOf<Case>(folder: string): Golden<Case>[] {
  return readdirSync(new URL(folder, FOLDER))
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({
      file: folder + name,
      facts: JSON.parse(readFileSync(new URL(folder + name, FOLDER), 'utf8')) as Case,
      xml: new URL(folder + name.replace(/json$/, 'xml'), FOLDER),
    }))
}

export const goldenRecords = goldenOf<RecordCase>('./')
export const goldenMessages = goldenOf<MessageCase>('messages/')

/** Returns the record as our program with its test producer writes it, and the link of the next record to it. */
export function builtRecord(
  facts: RecordFacts,
  previous: ChainLink | null,
): { xml: string; link: ChainLink } {
  if ('cancellation' in facts) {
    const { xml, hash } = buildCancellation(facts.cancellation, previous, SYSTEM, GENERATED_AT)
    return { xml, link: { ...facts.cancellation.key, hash } }
  }
  const { issuer, number, issueDate } = facts.invoice
  const { xml, hash } = buildRegistration(facts.invoice, previous, SYSTEM, GENERATED_AT)
  return { xml, link: { issuerNif: issuer.nif, number, issueDate, hash } }
}

/** Returns the message; the records of a submission follow each other in the chain. */
export function builtMessage(facts: MessageCase): string {
  if ('query' in facts) return buildQuery(facts.query)
  const { header, options, records } = facts.submission
  let { previous } = facts
  const xmls = records.map((record) => {
    const built = builtRecord(record, previous)
    previous = built.link
    return built.xml
  })
  return buildSubmission(header, xmls, options)
}
