/** The messages and answers of VERI*FACTU in the words of the queue. */
import type { InvoiceKey } from '../record/fields.ts'
import type { KeyAnswer, Outcome, PageAnswer, Question, Reading, RegistryWire } from '../../../system.ts'
import { faultTreatment, isTechnical } from './codes.ts'
import { buildQuery, buildSubmission, MAX_RECORDS_PER_SUBMISSION } from './messages.ts'
import type { Query } from './messages.ts'
import { foreignElementIn, readQueryReply } from './query-reply.ts'
import type { HeldRecord, QueryAnswer } from './query-reply.ts'
import { readReply } from './reply.ts'
import type { RecordState, ReplyLine } from './reply.ts'
import type { FaultReply, UnreadableReply } from './replies.ts'

/** The key is registered already. */
const TAKEN = '3000'
/** The invoice is annulled already. */
const ANNULLED = '3001'

/**
 * An invoice is filed under the month of its operation, which may precede the month of issue: invoices to businesses
 * may be issued until the 16th of the following month (RD 1619/2012 art. 11), and some are issued later still.
 */
const MONTHS_BEFORE = 3

const STATES: Record<RecordState, Outcome['state']> = {
  Correcto: 'accepted',
  AceptadoConErrores: 'accepted_with_errors',
  Incorrecto: 'rejected',
}

function rejectionOf({ code, duplicate, operation }: ReplyLine): Outcome['rejection'] {
  if (code !== undefined && isTechnical(code)) return 'again'
  if (code === ANNULLED && operation === 'cancellation') return 'done'
  if (code !== TAKEN || !duplicate) return 'final'
  return duplicate.state === 'Anulada' && operation === 'registration' ? 'cancelled' : 'taken'
}

function outcomeOf(line: ReplyLine): Outcome {
  return {
    recordRef: line.recordRef,
    operation: line.operation,
    number: line.number,
    state: STATES[line.state],
    code: line.code ?? null,
    message: line.message ?? null,
    rejection: rejectionOf(line),
  }
}

function read(body: string | Uint8Array): Reading {
  const reply = readReply(body)
  if (reply.kind === 'unreadable') return { kind: 'unknown', outcome: 'unreadable', detail: reply.why }
  if (reply.kind === 'answer')
    return {
      kind: 'answer',
      issuerNif: reply.issuerNif,
      presentedAt: reply.presentedAt ?? null,
      waitSeconds: reply.waitSeconds,
      receipt: reply.csv ?? null,
      outcomes: reply.lines.map(outcomeOf),
    }
  const code = reply.code ?? null
  // Of a fault on the server's side the outcome is unknown.
  if (reply.faultCode !== 'Client')
    return { kind: 'unknown', outcome: 'fault', detail: code ?? reply.message }
  return { kind: 'refused', code, message: reply.message, treatment: faultTreatment(code) }
}

function unanswered(
  reply: FaultReply | UnreadableReply,
): Exclude<KeyAnswer, { kind: 'held' | 'nothing' | 'stray' }> {
  if (reply.kind === 'unreadable') return { kind: 'unreadable', detail: reply.why }
  const code = reply.code ?? null
  return { kind: 'fault', code, message: reply.message, stops: faultTreatment(code) === 'stop' }
}

function heldUnder(key: InvoiceKey, { items }: QueryAnswer): HeldRecord | undefined {
  return items.find(
    (item) =>
      item.key.issuerNif === key.issuerNif &&
      item.key.number === key.number &&
      item.key.issueDate === key.issueDate,
  )
}

/**
 * Returns why an answer does not belong to the query about a key, or null when it does. An answer about other
 * invoices belongs to another query: read as "nothing held", it would cause a second submission of a record that the
 * authority has.
 */
function strayFromKey(answer: QueryAnswer, key: InvoiceKey, month: string): string | null {
  const [first] = answer.items
  // The same number with another date is a valid answer: the queried invoice is not held.
  if (first && answer.items.every((item) => item.key.number !== key.number))
    return `asked ${key.number}, told ${first.key.number}`
  return foreignElementIn(answer, key.issuerNif, month)
}

/** A query about a key in one month. */
function aboutKey(query: Query, key: InvoiceKey): Question<string, KeyAnswer> {
  return {
    message: buildQuery(query),
    read: (body) => {
      const reply = readQueryReply(body)
      if (reply.kind !== 'answer') return unanswered(reply)
      const stray = strayFromKey(reply, key, query.month)
      if (stray !== null) return { kind: 'stray', detail: stray }
      const held = heldUnder(key, reply)
      return held ? { kind: 'held', held } : { kind: 'nothing' }
    },
  }
}

function pageOf(query: Query): Question<string, PageAnswer> {
  return {
    message: buildQuery(query),
    read: (body) => {
      const reply = readQueryReply(body)
      if (reply.kind !== 'answer') return unanswered(reply)
      const stray = foreignElementIn(reply, query.issuer.nif, query.month)
      return stray === null
        ? { kind: 'page', items: reply.items, next: reply.next }
        : { kind: 'stray', detail: stray }
    },
  }
}

/** Returns each month as `YYYY-MM`, from `MONTHS_BEFORE` months before `first` to `last`. */
export function monthsToQuery(first: string, last: string): string[] {
  const indexOf = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1
  const months: string[] = []
  for (let month = indexOf(first) - MONTHS_BEFORE; month <= indexOf(last); month += 1)
    months.push(`${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`)
  return months
}

export const verifactuWire = {
  maxRecords: MAX_RECORDS_PER_SUBMISSION,
  canAsk: true,
  // An answer repeats our own references.
  readsSent: false,
  takenCode: TAKEN,
  fitting: (records) => Math.min(records.length, MAX_RECORDS_PER_SUBMISSION),
  submission: ({ name, nif }, records, options) =>
    buildSubmission({ issuer: { name, nif } }, records, options),
  kept: ({ body }) => body,
  read,
  questions: (issuer, { days, ...key }) => {
    const months = [...new Set(days.filter((day) => day !== null).map((day) => day.slice(0, 7)))]
    const { number, issueDate } = key
    return months.map((month) => aboutKey({ issuer, month, number, issued: { on: issueDate } }, key))
  },
  clockQuestion: (issuer, head) =>
    aboutKey({ issuer, month: head.issueDate.slice(0, 7), number: head.number }, head),
  periods: monthsToQuery,
  page: (issuer, month, after) =>
    pageOf({ issuer, month, ...(after !== null && typeof after === 'object' ? { after } : {}) }),
  heldIn: (stored, number) => {
    const reply = readQueryReply(stored)
    return (reply.kind === 'answer' && reply.items.find((item) => item.key.number === number)) || null
  },
} satisfies RegistryWire<string>
