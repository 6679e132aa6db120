/** The JSON-2 interface of the mock server: models, domains, orders and limits over the same books. */
import type { ErpBook } from './book.ts'
import type { Answer, Asked, Grants } from './face.ts'
import { each, isGranted, json } from './face.ts'
import { judgeOf } from './odoo-domain.ts'
import { FIRST_ID, lineRows, moveHead, moveRow, partnerRow, productRow, taxRows } from './odoo-rows.ts'
import type { Company, OdooRow } from './odoo-rows.ts'

interface OdooOptions {
  keys: Readonly<Record<string, Grants>>
  version: string
  database: string | null
  companies: readonly Company[]
}

const MODELS = [
  'res.users',
  'res.company',
  'res.partner',
  'account.move',
  'account.move.line',
  'account.tax',
  'product.product',
]

function fault(status: number, name: string, message: string): Answer {
  const debug = 'Traceback (most recent call last):\n  File "/opt/odoo/odoo/http.py", line 1, in secret_place'
  return json({ name, message, arguments: [message, status], context: {}, debug }, status)
}

export const invalidKey = (): Answer => fault(401, 'werkzeug.exceptions.Unauthorized', 'Invalid apikey')
export const accessError = (model: string): Answer =>
  fault(403, 'odoo.exceptions.AccessError', `You are not allowed to access '${model}' records.`)
export const serverError = (): Answer => fault(500, 'builtins.RuntimeError', 'Out of order')

/** Returns null for a path of another interface. */
export function odooFace(book: ErpBook, options: OdooOptions, asked: Asked): Answer | null {
  if (asked.path === '/web/version' && asked.method === 'GET') {
    const [major = '', minor = '0'] = options.version.split('.')
    const first = /^\d+$/.test(major) ? Number(major) : major
    return json({ version_info: [first, Number(minor), 0, 'final', 0, ''], version: options.version })
  }
  const [, model = '', method = ''] = /^\/json\/2\/([\w.]+)\/(\w+)$/.exec(asked.path) ?? []
  if (model === '') return null
  if (asked.method !== 'POST') return fault(405, 'werkzeug.exceptions.MethodNotAllowed', 'Method Not Allowed')
  if (options.database !== null && asked.headers['x-odoo-database'] !== options.database)
    return fault(404, 'werkzeug.exceptions.NotFound', 'Not Found')
  const key = /^bearer (\S+)$/i.exec(String(asked.headers.authorization ?? ''))?.[1] ?? ''
  const grants = options.keys[key]
  if (grants === undefined) return invalidKey()
  if (!MODELS.includes(model))
    return fault(404, 'werkzeug.exceptions.NotFound', `the model '${model}' does not exist`)
  if (model === 'res.users')
    return method === 'context_get'
      ? json({ lang: 'es_ES', tz: 'Europe/Madrid', uid: 7 })
      : fault(404, 'werkzeug.exceptions.NotFound', 'Not Found')
  if (model !== 'res.company' && !isGranted(grants, `${model}:read`)) return accessError(model)
  return search(book, options, model, method, Object(asked.body) as Query)
}

interface Query {
  domain?: unknown
  fields?: unknown
  order?: unknown
  limit?: unknown
  context?: { active_test?: boolean }
}

/** A row with the fields for filtering and sorting, and the complete row. */
interface Candidate {
  plain: OdooRow
  whole: () => OdooRow
}

function search(book: ErpBook, options: OdooOptions, model: string, method: string, query: Query): Answer {
  const judge = judgeOf(query.domain ?? [])
  if (!judge) return fault(422, 'builtins.ValueError', 'Invalid domain')
  if (method !== 'search' && method !== 'search_read')
    return fault(404, 'werkzeug.exceptions.NotFound', 'Not Found')
  const limit = typeof query.limit === 'number' ? query.limit : Number.MAX_SAFE_INTEGER
  const order = typeof query.order === 'string' ? query.order : 'id'
  const hidesArchived = query.context?.active_test !== false

  const found: Candidate[] = []
  for (const candidate of candidates(book, options, model, query.domain)) {
    const { plain } = candidate
    if (hidesArchived && plain.active === false) continue
    if (!judge((field) => linkless(plain[field]))) continue
    found.push(candidate)
    // They are ordered by identifier, so that no more are needed.
    if (order === 'id' && found.length >= limit) break
  }
  if (order !== 'id') found.sort(comparing(order))
  const page = found.slice(0, limit)
  if (method === 'search') return json(page.map(({ plain }) => plain.id))
  const fields = Array.isArray(query.fields) ? (query.fields as string[]) : []
  return json(page.map(({ whole }) => chosen(whole(), fields)))
}

function linkless(value: unknown): unknown {
  return Array.isArray(value) ? (value as unknown[])[0] : (value ?? false)
}

function comparing(order: string): (a: Candidate, b: Candidate) => number {
  const keys = order.split(',').map((part) => part.trim().split(/\s+/))
  return ({ plain: a }, { plain: b }) => {
    for (const [field = '', direction] of keys) {
      const [one, other] = [a[field] as number, b[field] as number]
      if (one !== other) return one < other === (direction === 'desc') ? 1 : -1
    }
    return 0
  }
}

function chosen(row: OdooRow, fields: readonly string[]): OdooRow {
  const names = fields.length === 0 ? Object.keys(row) : ['id', ...fields]
  return Object.fromEntries(
    names.map((name) => {
      const value = row[name] ?? false
      return [name, name === 'write_date' ? String(value).slice(0, 19) : value]
    }),
  )
}

function* candidates(
  book: ErpBook,
  { companies }: OdooOptions,
  model: string,
  domain: unknown,
): Generator<Candidate> {
  const same = (plain: OdooRow): Candidate => ({ plain, whole: () => plain })
  if (model === 'res.company')
    yield* companies.map(({ id, name, vat }) => same({ id, name, vat, currency_id: [125, 'EUR'] }))
  if (model === 'res.partner') yield* each(book.contacts(), (contact) => same(partnerRow(contact)))
  if (model === 'product.product') yield* each(book.items(), (item) => same(productRow(item)))
  if (model === 'account.tax') yield* taxRows.map(same)
  if (model === 'account.move')
    for (const side of ['issued', 'received'] as const)
      for (const head of book.heads(side, leastId(domain) - FIRST_ID[side]))
        yield {
          plain: moveHead(head, companies),
          whole: () => moveRow(book, book.doc(side, head.index), companies),
        }
  if (model === 'account.move.line') for (const row of linesOf(book, domain)) yield same(row)
}

/**
 * Returns the start of a domain that ends in "and after this identifier": pages of large books are not searched from
 * the start.
 */
function leastId(domain: unknown): number {
  const terms = Array.isArray(domain) ? (domain as unknown[]) : []
  const last: unknown = terms.at(-1)
  if (!Array.isArray(last) || last[0] !== 'id' || last[1] !== '>' || typeof last[2] !== 'number') return 0
  // Without it the rest must be complete: then the condition is separate and not part of an "or".
  return judgeOf(terms.slice(0, -1)) === null ? 0 : last[2]
}

/** Yields the lines of the named documents, or of all: a request without documents returns very many lines. */
function* linesOf(book: ErpBook, domain: unknown): Generator<OdooRow> {
  const named = (domain as unknown[]).find((term) => Array.isArray(term) && term[0] === 'move_id') as
    | [string, string, number[]]
    | undefined
  if (!named) {
    for (const side of ['issued', 'received'] as const)
      for (const { index } of book.heads(side)) yield* lineRows(book.doc(side, index))
    return
  }
  for (const id of [...named[2]].sort((a, b) => a - b)) {
    const side = id >= FIRST_ID.received ? 'received' : 'issued'
    const index = id - FIRST_ID[side]
    if (index < book.counts[side]) yield* lineRows(book.doc(side, index))
  }
}
