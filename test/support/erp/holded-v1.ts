/** The first interface of the mock Holded: bare lists, numbered pages, midnight in Madrid in seconds. */
import { startOfDay } from '../../../server/domain/dates.ts'
import type { Contact, Doc, DocKind, ErpBook, Item } from './book.ts'
import { indexOfId, totalsOf } from './book.ts'
import type { Answer, Asked, Grants } from './face.ts'
import { each, html, json, where } from './face.ts'
import { TAXES_V1, taxesOf } from './holded-taxes.ts'

interface HoldedV1Options {
  keys: Readonly<Record<string, Grants>>
  pageSize: number
  company: { socialName: string; cifNumber: string; email: string } | null
}

const BASE = '/api/invoicing/v1'
const KINDS: Readonly<Record<string, readonly DocKind[]>> = {
  invoice: ['invoice'],
  salesreceipt: ['receipt'],
  creditnote: ['credit'],
  receiptnote: [],
  purchase: ['purchase'],
  purchaserefund: ['purchase-refund'],
}
/** Without dates only recent documents are returned. */
const RECENT_DAYS = 90

export const unknownKey = (): Answer => json({ status: 401 }, 401)

/** Returns null for a path of another interface. */
export function holdedV1(book: ErpBook, options: HoldedV1Options, asked: Asked): Answer | null {
  const isCompany = asked.path === '/api/company/v1/'
  if (!isCompany && !asked.path.startsWith(`${BASE}/`)) return null
  const key = String(asked.headers.key ?? '')
  if (key.startsWith('pat_')) return json({ status: 0, info: 'Invalid key' }, 400)
  if (options.keys[key] === undefined) return unknownKey()
  if (isCompany) return options.company === null ? html() : json(options.company)
  const [name = '', ...rest] = asked.path.slice(BASE.length + 1).split('/')
  // The page parameter is ignored: a client that waits for an empty page never ends.
  if (name === 'contacts' && rest.length === 0) return json([...each(book.contacts(), contactOf)])
  if (name === 'contacts' && rest.length === 1) return oneContact(book, rest[0] ?? '')
  if (name === 'taxes') return json(TAXES_V1)
  if (name === 'products' || name === 'services') {
    const items = where(book.items(), (item) => item.isService === (name === 'services'))
    return json(page([...items], asked.query, options).map(itemOf))
  }
  const kinds = KINDS[rest[0] ?? '']
  if (name !== 'documents' || kinds === undefined) return html()
  if (rest.length === 2) return oneDocument(book, kinds, rest[1] ?? '')
  return documents(book, options, rest[0] ?? '', kinds, asked.query)
}

function page<T>(rows: readonly T[], query: URLSearchParams, { pageSize }: HoldedV1Options): readonly T[] {
  const at = Math.max(1, Number(query.get('page') ?? 1)) - 1
  return rows.slice(at * pageSize, (at + 1) * pageSize)
}

const softError = (info: string): Answer => json({ status: 0, info })

function oneContact(book: ErpBook, id: string): Answer {
  return book.isThere('contact', id)
    ? json(contactOf(book.contact(indexOfId('contact', id))))
    : softError('Not found')
}

function sideOf(kinds: readonly DocKind[]): 'issued' | 'received' {
  return kinds.some((kind) => kind.startsWith('purchase')) ? 'received' : 'issued'
}

function oneDocument(book: ErpBook, kinds: readonly DocKind[], id: string): Answer {
  const side = sideOf(kinds)
  if (!book.isThere(side, id)) return softError('Document not found')
  return json(documentOf(book, book.doc(side, indexOfId(side, id))))
}

const midnights = new Map<string, number>()

function secondsOf(date: string): number {
  const seconds = midnights.get(date) ?? startOfDay(date).getTime() / 1000
  midnights.set(date, seconds)
  return seconds
}

function documents(
  book: ErpBook,
  options: HoldedV1Options,
  type: string,
  kinds: readonly DocKind[],
  query: URLSearchParams,
): Answer {
  const [start, end] = [query.get('starttmp'), query.get('endtmp')]
  const recent = secondsOf(book.to) - RECENT_DAYS * 86_400
  const from = start === null || end === null ? recent : Number(start)
  const before = start === null || end === null ? Number.MAX_SAFE_INTEGER : Number(end)
  const side = type.startsWith('purchase') ? 'received' : 'issued'
  const skip = (Math.max(1, Number(query.get('page') ?? 1)) - 1) * options.pageSize
  const wanted = where(book.heads(side), ({ kind, date }) => {
    if (!kinds.includes(kind)) return false
    const seconds = secondsOf(date)
    return seconds >= from && seconds < before
  })
  const found: unknown[] = []
  let at = 0
  for (const { index } of wanted) {
    if (at++ >= skip) found.push(documentOf(book, book.doc(side, index)))
    if (found.length >= options.pageSize) break
  }
  return json(found)
}

function contactOf(contact: Contact): unknown {
  const { id, index, name, isClient, isSupplier } = contact
  return {
    id,
    customId: null,
    name,
    code: contact.taxId ?? '',
    vatnumber: '',
    tradeName: '',
    email: contact.email ?? '',
    mobile: '',
    phone: '',
    type: isClient ? 'client' : 'supplier',
    iban: '',
    swift: '',
    groupId: '',
    clientRecord: isClient ? { num: 43_000_000 + index, name } : index % 2 === 0 ? 0 : [],
    supplierRecord: isSupplier ? { num: 40_000_000 + index, name } : index % 2 === 0 ? 0 : [],
    billAddress: contact.hasAddress
      ? {
          address: `Calle de la Prueba ${index + 1}`,
          city: contact.city,
          // Every second time as a number, without its leading zero.
          postalCode: index % 2 === 0 ? contact.zip : Number(contact.zip),
          province: contact.city,
          country: 'España',
          countryCode: contact.country,
          info: '',
        }
      : [],
    defaults: {},
    socialNetworks: { website: '' },
    tags: [],
    notes: [],
    contactPersons: [],
    shippingAddresses: [],
    customFields: [],
    isperson: contact.isPerson,
    createdAt: secondsOf('2026-01-01') + index,
    updatedAt: Math.floor(Date.parse(`${contact.changedAt.slice(0, 19).replace(' ', 'T')}Z`) / 1000),
    updatedHash: String(index).padStart(8, '0'),
  }
}

function itemOf(item: Item): unknown {
  return {
    id: item.id,
    name: item.name,
    desc: '',
    price: item.priceCents / 100,
    tax: item.vatPct,
    taxes: [`s_iva_${item.vatPct}`],
    ...(item.isService
      ? {}
      : {
          kind: 'simple',
          sku: item.sku ?? '',
          barcode: '',
          cost: (item.costCents ?? 0) / 100,
          purchasePrice: (item.costCents ?? 0) / 100,
          stock: item.index,
          variants: [],
        }),
  }
}

/** Positive, also for refunds of suppliers: the type of the list identifies them. */
function documentOf(book: ErpBook, doc: Doc): unknown {
  const { net, vat, surcharge, withholding, total, paid, pending } = totalsOf(doc)
  const isDraft = doc.state === 'draft'
  const date = secondsOf(doc.date)
  return {
    id: doc.id,
    contact: book.contact(doc.contact).id,
    contactName: doc.contactName,
    desc: '',
    date,
    dueDate: doc.dueDate === null ? null : secondsOf(doc.dueDate),
    multipledueDate: [],
    forecastDate: null,
    notes: '',
    tags: [],
    products: doc.lines.map((line) => ({
      name: line.name,
      desc: '',
      // In euros, whatever the document's currency.
      price: Math.round((line.priceCents / doc.rate) * 1e4) / 1e6,
      units: line.units,
      projectid: null,
      tax: line.reverseCharge ? 0 : line.vatPct,
      taxes: taxesOf(line, doc.side),
      tags: [],
      discount: line.discountPct,
      retention: line.withholdingPct,
      weight: 0,
      costPrice: 0,
      sku: '',
      productId: '',
      account: '',
    })),
    tax: (vat + surcharge - withholding) / 100,
    subtotal: net / 100,
    discount: 0,
    total: total / 100,
    language: 'es',
    // Approved ones have 0 as often as 1; only the approval time distinguishes them from drafts.
    status: doc.state === 'cancelled' ? 3 : isDraft ? 0 : doc.index % 2,
    customFields: [],
    docNumber: doc.number ?? '---',
    currency: doc.currency.toLowerCase(),
    currencyChange: doc.rate,
    paymentMethodId: '',
    paymentsTotal: paid / 100,
    paymentsPending: pending / 100,
    paymentsRefunds: 0,
    accountingDate: date,
    draft: isDraft,
    approvedAt: isDraft ? null : date + 36_000,
  }
}
