/**
 * Reduces a call's arguments and answer to short facts for the log. Never a token, key or other secret; names and
 * texts only as long as needed to recognize them. Pure.
 */
import { cleanLine } from './client.ts'

export interface StoredFact {
  name: string
  value: string
}

export interface SeenInvoice {
  id: string
  number: string | null
}

const MAX_FACTS = 24
const MAX_VALUE = 120
const MAX_NAME = 60
const MAX_LINES = 5
const MAX_SEEN = 50
const MAX_DEPTH = 4

const HIDDEN = '…'
const SECRET_NAME =
  /token|secret|passw|credential|authori[sz]ation|cookie|idempotency|(?:api|private|secret)[_-]?key|^key$|^pin$/i
/** Keys and tokens of Sello, those of others by their usual prefixes, and long strings that no person would type. */
const SECRET_TEXT =
  /\b(?:svc[a-z]*|sk|pk|pat|ghp|gho|xox[a-z]|whsec|eyJ)[_-]?[A-Za-z0-9_.-]{12,}|\bbearer\s+\S+|[A-Za-z0-9_/+-]{40,}={0,2}/gi

type Json = Record<string, unknown>

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return null
  // Redacted before truncation, because half a secret is still a secret.
  const free = value.slice(0, 4_000).replace(SECRET_TEXT, HIDDEN)
  const short = cleanLine(free, MAX_VALUE + 1)
  if (short === null || short.length <= MAX_VALUE) return short
  const characters = [...short]
  return characters.length > MAX_VALUE ? `${characters.slice(0, MAX_VALUE).join('')}…` : short
}

/** Adds the leaves of `value` as facts, up to the limit. */
function collect(value: unknown, path: string, facts: StoredFact[], depth: number): void {
  if (facts.length >= MAX_FACTS || depth > MAX_DEPTH) return
  if (Array.isArray(value)) {
    for (const [index, each] of value.slice(0, MAX_LINES).entries())
      collect(each, `${path}[${index + 1}]`, facts, depth + 1)
    if (value.length > MAX_LINES && facts.length < MAX_FACTS)
      facts.push({ name: path, value: `+${value.length - MAX_LINES}` })
  } else if (isObject(value)) {
    for (const [name, each] of Object.entries(value)) {
      const safe = (cleanLine(name, MAX_NAME) ?? '?').replace(SECRET_TEXT, HIDDEN)
      const place = path === '' ? safe : `${path}.${safe}`
      if (!SECRET_NAME.test(name)) collect(each, place, facts, depth + 1)
      else if (facts.length < MAX_FACTS) facts.push({ name: place, value: HIDDEN })
    }
  } else {
    const text = textOf(value)
    if (text !== null) facts.push({ name: path, value: text })
  }
}

/** Returns the arguments of a call as facts, up to the limit. */
export function argumentFacts(args: unknown): StoredFact[] {
  const facts: StoredFact[] = []
  if (isObject(args)) collect(args, '', facts, 0)
  return facts
}

/**
 * Fields of an answer worth logging: identifiers, numbers, states and totals. Names of people are looked up in their
 * own tables instead.
 */
const TELLING = [
  'id',
  'number',
  'state',
  'status',
  'type',
  'issueDate',
  'base',
  'tax',
  'total',
  'valid',
  'environment',
  'legalName',
  'today',
  'proposalId',
  'title',
  'simulated',
  'registration.status',
  'totals.count',
  'totals.base',
  'totals.total',
  'preview.total',
  'queue.pending',
  'result.vatEstimate',
  'output.total',
].map((name) => ({ name, path: name.split('.') }))

function at(answer: Json, path: readonly string[]): unknown {
  let value: unknown = answer
  for (const name of path) value = isObject(value) ? value[name] : undefined
  return value
}

export function answerFacts(answer: unknown): StoredFact[] {
  if (!isObject(answer)) return []
  const facts: StoredFact[] = []
  for (const { name, path } of TELLING) {
    const text = textOf(at(answer, path))
    if (text !== null) facts.push({ name, value: text })
  }
  if (Array.isArray(answer.items)) facts.push({ name: 'items', value: String(answer.items.length) })
  const issues = Array.isArray(answer.issues) ? answer.issues : []
  const codes = issues.slice(0, MAX_LINES).map((issue) => (isObject(issue) ? textOf(issue.code) : null))
  const known = codes.filter((code) => code !== null)
  if (known.length > 0) facts.push({ name: 'issues', value: known.join(', ') })
  return facts
}

function invoiceOf(value: unknown): SeenInvoice | null {
  if (!isObject(value) || typeof value.id !== 'string' || !/^inv_\w{1,40}$/.test(value.id)) return null
  return { id: value.id, number: cleanLine(value.number, MAX_NAME) }
}

/** Returns the invoices in an answer, each once. */
export function seenInvoices(answer: unknown): SeenInvoice[] {
  if (!isObject(answer)) return []
  const found = [answer, answer.invoice, answer.preview, ...(Array.isArray(answer.items) ? answer.items : [])]
    .map(invoiceOf)
    .filter((each) => each !== null)
  return [...new Map(found.map((each) => [each.id, each])).values()].slice(0, MAX_SEEN)
}

/** Returns the invoice that a call concerned: named in its arguments, or created by it. */
export function invoiceIn(args: unknown, answer: unknown): string | null {
  const { id, invoiceId, targetId, uri } = isObject(args) ? args : {}
  const named = id ?? invoiceId ?? targetId ?? uri
  const found =
    typeof named === 'string' ? /^(?:svc:\/\/invoices\/)?(inv_\w{1,40})(?:\/pdf)?$/.exec(named) : null
  return found?.[1] ?? invoiceOf(answer)?.id ?? null
}
