/** The second interface of the mock Holded: scoped tokens, cursors, decimal texts, problems with a detail. */
import type { Contact, Doc, DocKind, ErpBook, Item } from './book.ts'
import { indexOfId, totalsOf } from './book.ts'
import type { Answer, Asked, Grants } from './face.ts'
import { comma, dot, html, isGranted, json, where } from './face.ts'
import { TAXES_V2, taxesOf } from './holded-taxes.ts'

interface HoldedV2Options {
  tokens: Readonly<Record<string, Grants>>
  decimals: 'dot' | 'comma'
  /** Every page after the first begins with the last row of the previous one. */
  duplicates: boolean
  callsThisMonth: () => number
  monthlyLimit: number
}

const BASE = '/api/v2'
const HOST = 'https://api.holded.com'
const SCOPES: Readonly<Record<string, string>> = {
  contacts: 'contacts:contacts.read',
  invoices: 'sales:invoices.read',
  'credit-notes': 'sales:invoices.read',
  'receipt-notes': 'sales:invoices.read',
  'sales-receipts': 'sales:receipts.read',
  purchases: 'accounting:purchases.read',
  taxes: 'accounting:taxes.read',
  products: 'inventory:products.read',
  services: 'sales:services.read',
  usage: 'developers:usage.read',
}
const KINDS: Readonly<Record<string, readonly DocKind[]>> = {
  invoices: ['invoice'],
  'credit-notes': ['credit'],
  'receipt-notes': [],
  'sales-receipts': ['receipt'],
  purchases: ['purchase', 'purchase-refund'],
}

function problem(status: number, title: string, detail: string): Answer {
  const type = `${HOST}/problems/${title.toLowerCase().replaceAll(' ', '-')}`
  return json({ type, title, status, detail }, status, 'application/problem+json')
}

export const denied = (): Answer => problem(403, 'Forbidden', 'Access denied.')
export const lacking = (scope: string): Answer =>
  problem(403, 'Forbidden', `Insufficient permissions: ${scope} required.`)
export const unauthorized = (): Answer => problem(401, 'Unauthorized', 'Missing or invalid API key.')
export const broken = (): Answer => problem(500, 'Internal Server Error', 'Unexpected error.')

export function limited(window: 'minute' | 'month', now: number): Answer {
  const seconds = window === 'minute' ? 17 : 86_400
  const limit = window === 'minute' ? 60 : 500
  const detail =
    window === 'minute'
      ? `You have reached the per-minute limit (${limit}). Retry in ${seconds} seconds.`
      : `You have reached the monthly limit (${limit}).`
  const answer = problem(429, 'Rate limit exceeded', detail)
  Object.assign(answer.headers, {
    'retry-after': String(seconds),
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Math.floor(now / 1000) + seconds),
    'x-ratelimit-window': window,
  })
  return answer
}

/** Returns null for a path of another interface. */
export function holdedV2(book: ErpBook, options: HoldedV2Options, asked: Asked): Answer | null {
  if (!asked.path.startsWith(`${BASE}/`)) return null
  const [name = '', id, ...more] = asked.path.slice(BASE.length + 1).split('/')
  const authorization = String(asked.headers.authorization ?? '')
  if (!/^Bearer \S/.test(authorization)) return unauthorized()
  const token = authorization.slice(7)
  const grants = options.tokens[token]
  if (grants === undefined) return denied()
  const scope = SCOPES[name]
  if (scope === undefined || asked.method !== 'GET')
    return name === 'purchase-refunds' ? notFound('list') : html()
  if (!isGranted(grants, scope)) return lacking(scope)
  if (more.length > 0) return html()
  if (name === 'taxes') return json({ items: TAXES_V2 })
  if (name === 'usage') return json(meter(options))
  return id === undefined ? list(book, options, name, asked.query) : one(book, options, name, id)
}

function notFound(what: string): Answer {
  return problem(404, 'Not Found', `The requested ${what} was not found.`)
}

function meter({ callsThisMonth, monthlyLimit }: HoldedV2Options): unknown {
  const usage = callsThisMonth()
  return {
    type: 'automation_token',
    period: '2026-11',
    usage,
    limit: monthlyLimit,
    count: 1,
    secondary_usages: { api_v1_legacy_1: 0 },
    user_usages: {},
    next_plan: 'basic',
    next_limit: 2000,
  }
}

function rowsOf(
  book: ErpBook,
  name: string,
  start: number,
  query: URLSearchParams,
): Iterable<{ id: string; index: number }> {
  if (name === 'contacts') return book.contacts(start)
  if (name === 'products' || name === 'services') {
    const isService = name === 'services'
    return where(book.items(start), (item) => item.isService === isService)
  }
  const from = query.get('start_date')?.slice(0, 10) ?? ''
  const to = query.get('end_date')?.slice(0, 10) ?? '9999'
  const kinds = KINDS[name] ?? []
  const side = name === 'purchases' ? 'received' : 'issued'
  return where(
    book.heads(side, start),
    (head) => kinds.includes(head.kind) && head.date >= from && head.date <= to,
  )
}

function rowKind(name: string): 'contact' | 'issued' | 'received' | 'item' {
  if (name === 'contacts') return 'contact'
  if (name === 'products' || name === 'services') return 'item'
  return name === 'purchases' ? 'received' : 'issued'
}

function list(book: ErpBook, options: HoldedV2Options, name: string, query: URLSearchParams): Answer {
  const limit = Number(query.get('limit') ?? 25)
  if (!Number.isInteger(limit) || limit < 1) return problem(400, 'Bad request', 'Invalid limit.')
  for (const date of ['start_date', 'end_date']) {
    const text = query.get(date)
    if (text !== null && !/^\d{4}-\d\d-\d\d(?:T|$)/.test(text))
      return problem(400, 'Bad request', `Invalid ${date}.`)
  }
  const cursor = query.get('cursor')
  if (cursor === '') return json({ items: [], cursor: null, has_more: false })
  if (cursor !== null && !/^[\da-f]{24}$/.test(cursor))
    return problem(400, 'Bad request', `Error parsing ObjectId string: ${cursor}`)

  const last = cursor === null ? -1 : indexOfId(rowKind(name), cursor)
  const start = cursor !== null && options.duplicates ? last : last + 1
  // As in the real system: at most a hundred, whatever the request.
  const most = Math.min(limit, 100) + (start === last ? 1 : 0)
  const found: { id: string; index: number }[] = []
  let hasMore = false
  for (const row of rowsOf(book, name, start, query)) {
    hasMore = found.length === most
    if (hasMore) break
    found.push(row)
  }
  const items = found.map((row) => shown(book, options, name, row.index))
  return json({ items, cursor: hasMore ? (found.at(-1)?.id ?? null) : null, has_more: hasMore })
}

function one(book: ErpBook, options: HoldedV2Options, name: string, id: string): Answer {
  const kind = rowKind(name)
  if (!book.isThere(kind, id)) return notFound(name.replace(/s$/, '').replace('-', ' '))
  return json(shown(book, options, name, indexOfId(kind, id)))
}

function shown(book: ErpBook, options: HoldedV2Options, name: string, index: number): unknown {
  if (name === 'contacts') return contactOf(book.contact(index))
  if (name === 'products' || name === 'services') return itemOf(book.item(index), options)
  return documentOf(book, book.doc(name === 'purchases' ? 'received' : 'issued', index), options)
}

/** Missing values are an empty list, null or an empty text in turn. */
function contactOf(contact: Contact): unknown {
  const { id, index, name, taxId, country, isPerson, isClient, isSupplier, email } = contact
  return {
    id,
    custom_id: null,
    name,
    trade_name: '',
    code: taxId ?? '',
    vat_number: taxId === null ? null : `${country}${taxId}`,
    type: isClient ? 'client' : 'supplier',
    is_person: isPerson,
    email: email ?? '',
    phone: '',
    mobile: null,
    iban: '',
    bill_address: contact.hasAddress
      ? {
          address: `Calle de la Prueba ${index + 1}`,
          city: contact.city,
          postal_code: contact.zip,
          province: contact.city,
          country: 'España',
          country_code: country,
          info: null,
        }
      : index % 2 === 0
        ? []
        : null,
    client_record: isClient ? { num: 43_000_000 + index, name } : [],
    supplier_record: isSupplier ? { num: 40_000_000 + index, name } : [],
    tags: [],
    ...(contact.archived ? { archived: true } : {}),
  }
}

function itemOf(item: Item, { decimals }: HoldedV2Options): unknown {
  const money = decimals === 'comma' ? comma : dot
  const common = {
    id: item.id,
    name: item.name,
    description: item.index % 2 === 0 ? null : 'De muestra',
    price: money(item.priceCents),
    taxes: [`s_iva_${item.vatPct}`],
  }
  if (item.isService) return common
  const cost = item.costCents === null ? null : money(item.costCents)
  return {
    ...common,
    sku: item.sku,
    barcode: null,
    cost,
    purchase_price: cost,
    stock: item.index,
    weight: null,
    factory_code: null,
    archived: item.archived,
    kind: item.variants > 0 ? 'variants' : 'simple',
    variants: Array.from({ length: item.variants }, (_, at) => ({
      id: `67b${item.id.slice(4)}${at}`,
      sku: item.sku === null ? null : `${item.sku}-${at}`,
      barcode: null,
      price: money(item.priceCents + at * 100),
      cost,
      purchase_price: cost,
      stock: 0,
      weight: null,
      archived: false,
    })),
  }
}

/** Credit notes are positive; refunds of suppliers are purchases with a negative amount. */
function documentOf(book: ErpBook, doc: Doc, { decimals }: HoldedV2Options): unknown {
  const money = decimals === 'comma' ? comma : dot
  const sign = doc.kind === 'purchase-refund' ? -1 : 1
  const { net, vat, surcharge, withholding, total, paid, pending } = totalsOf(doc)
  const isDraft = doc.state === 'draft'
  const status = doc.state === 'cancelled' ? 'cancelled' : pending === 0 && !isDraft ? 'completed' : 'pending'
  return {
    id: doc.id,
    document_number: doc.number,
    contact_id: book.contact(doc.contact).id,
    contact_name: doc.contactName,
    description: '',
    notes: '',
    date: doc.date,
    due_date: doc.dueDate,
    subtotal: money(net * sign),
    discount: money(0),
    tax: money((vat + surcharge - withholding) * sign),
    total: money(total * sign),
    currency: doc.currency,
    currency_change: String(doc.rate),
    status,
    draft: isDraft,
    approved_at: isDraft ? null : `${doc.date}T09:00:00`,
    payments_total: money(paid * sign),
    payments_pending: money(pending * sign),
    payment_method_id: null,
    tags: [],
    lines: doc.lines.map((line, at) => ({
      line_id: `71${doc.id.slice(2, -1)}${at}`,
      name: line.name,
      type: 'product',
      description: null,
      product_id: null,
      units: at % 2 === 0 ? String(line.units * sign) : line.units * sign,
      price: money(line.priceCents),
      discount: String(line.discountPct),
      tax: '0',
      taxes: taxesOf(line, doc.side, doc.index % 5 === 4),
      tags: [],
      sku: null,
      account: null,
      project_id: null,
      retention: '0',
      unit_type: null,
    })),
  }
}
