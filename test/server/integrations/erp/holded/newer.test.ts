/** The newer API: what a key opens, with few calls, and lists from their first page to their last. */
import { describe, expect, test } from 'vitest'
import { AppError } from '../../../../../server/domain/errors/app-error.ts'
import { holded } from '../../../../../server/integrations/erp/holded/index.ts'
import { CursorRefused } from '../../../../../server/integrations/erp/port.ts'
import type { ErpReply, ErpRequest } from '../../../../../server/integrations/erp/connection/http.ts'
import {
  answering,
  ctxOf,
  invoiceRow,
  items,
  lineRow,
  MAY,
  NEWER_KEY,
  OLDER_KEY,
  problem,
  pullAll,
  TAXES,
} from './account.ts'

const V2 = '/api/v2'
const empty = Object.fromEntries(
  [
    'taxes',
    'contacts',
    'invoices',
    'sales-receipts',
    'credit-notes',
    'receipt-notes',
    'purchases',
    'purchase-refunds',
    'products',
    'services',
  ].map((name) => [`${V2}/${name}`, items([])]),
)
const account = { ...empty, [`${V2}/taxes`]: items(TAXES) }
const refused = (scope: string) => problem(403, `Insufficient permissions: ${scope} required.`)
const paths = (asked: readonly ErpRequest[]): string[] => asked.map(({ path }) => path.replace(`${V2}/`, ''))
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'read',
    (error: unknown) => (error instanceof AppError ? error.code : (error as Error).name),
  )
const first = (resource: 'contacts' | 'issued' | 'received' | 'catalogue') =>
  ({ resource, cursor: null, window: MAY, since: null }) as const

/** Serves a list of `count` rows with at most `most` per page, continued from the cursor. */
function listOf(count: number, most: number): (request: ErpRequest) => Partial<ErpReply> {
  return ({ query }) => {
    const from = query?.['cursor'] === undefined ? 0 : Number(query['cursor'])
    const size = Math.min(Number(query?.['limit']), most)
    const rows = Array.from({ length: Math.min(size, count - from) }, (_, index) => ({
      id: `c${from + index}`,
      name: 'x',
    }))
    return items(rows, from + rows.length < count ? String(from + rows.length) : null)
  }
}

describe('a key', () => {
  test('is checked with five calls, and the first sync reuses the taxes', async () => {
    const { http, asked } = answering({
      ...account,
      [`${V2}/contacts`]: items([{ id: 'c1', name: 'x' }]),
      [`${V2}/invoices`]: items([invoiceRow({ total: '3.630,00' })]),
    })
    const verified = await holded.verify(ctxOf(http, ` ${NEWER_KEY}\n`))
    expect(paths(asked)).toEqual(['taxes', 'contacts', 'invoices', 'purchases', 'products'])
    expect(asked.map(({ headers }) => headers)).toEqual(
      Array.from({ length: 5 }, () => ({ authorization: `Bearer ${NEWER_KEY}` })),
    )
    expect(asked[1]?.query).toEqual({ limit: 1 })
    expect(verified).toMatchObject({
      accountName: null,
      accountTaxId: null,
      apiFlavour: 'v2',
      granted: holded.describe().requiredScopes,
      missing: [],
      samples: [
        { externalKind: 'contact', externalId: 'c1' },
        { externalKind: 'invoice', externalId: 'd1' },
      ],
      notes: { flavour: 'v2', decimalSign: 'comma' },
    })
    const kept = JSON.parse(JSON.stringify(verified.notes)) as typeof verified.notes
    await holded.pull(first('issued'), ctxOf(http, NEWER_KEY, kept))
    expect(paths(asked).slice(5)).toEqual(['invoices'])
  })

  test('without all permissions is answered with every missing one', async () => {
    const { http } = answering({
      ...account,
      [`${V2}/taxes`]: refused('accounting:taxes.read'),
      [`${V2}/products`]: refused('inventory:products.read'),
    })
    const { granted, missing } = await holded.verify(ctxOf(http))
    expect(missing).toEqual(['accounting:taxes.read', 'inventory:products.read'])
    expect(granted).toEqual(['contacts:contacts.read', 'sales:invoices.read', 'accounting:purchases.read'])
  })

  test.each([
    [NEWER_KEY, ['/api/v2/taxes']],
    ['sk_live_1', ['/api/v2/taxes']],
    [OLDER_KEY, ['/api/invoicing/v1/taxes']],
    ['something-else', ['/api/v2/taxes', '/api/invoicing/v1/taxes']],
    // A text that a header cannot carry is not a key.
    ['pat_ñ', []],
    [' ', []],
  ])('%s, when refused, costs these calls: %j', async (secret, expected) => {
    const { http, asked } = answering({
      [`${V2}/taxes`]: problem(403, 'Access denied.'),
      '/api/invoicing/v1/taxes': { status: 401, json: { status: 401 } },
    })
    expect(await codeOf(holded.verify(ctxOf(http, secret)))).toBe('erp_key_rejected')
    expect(asked.map(({ path }) => path)).toEqual(expected)
  })

  test('of unknown shape that opens only the older API keeps using it', async () => {
    const { http, asked } = answering({
      [`${V2}/taxes`]: problem(401, 'No.'),
      '/api/invoicing/v1/taxes': { json: [] },
      '/api/company/v1/': { json: { socialName: 'Obrador SL', cifNumber: 'ES B50770015' } },
      '/api/invoicing/v1/contacts': { json: [] },
    })
    const { apiFlavour, notes } = await holded.verify(ctxOf(http, 'something-else'))
    await holded.pull(first('contacts'), ctxOf(http, 'something-else', notes))
    expect([apiFlavour, asked.at(-1)?.path, asked.at(-1)?.headers]).toEqual([
      'v1',
      '/api/invoicing/v1/contacts',
      { key: 'something-else' },
    ])
  })

  test('of an account that does not answer does not count as refused', async () => {
    const { http, asked } = answering({ [`${V2}/taxes`]: problem(500, 'x') })
    expect(await codeOf(holded.verify(ctxOf(http, 'something-else')))).toBe('erp_unavailable')
    expect(asked).toHaveLength(1)
  })
})

describe('a list', () => {
  test('is read by its cursor, unchanged, until there is none', async () => {
    const { http, asked } = answering({ ...account, [`${V2}/contacts`]: listOf(250, 100) })
    const { pages, notes } = await pullAll(http, 'contacts')
    expect(pages.map(({ rawCount }) => rawCount)).toEqual([100, 100, 50])
    expect(new Set(pages.flatMap(({ records }) => records.map(({ externalId }) => externalId))).size).toBe(
      250,
    )
    // The larger page was tried with the second, which the account answered with the smaller.
    expect(asked.map(({ query }) => query)).toEqual([
      { limit: 100 },
      { limit: 200, cursor: '100' },
      { limit: 100, cursor: '200' },
    ])
    await pullAll(http, 'contacts', { notes })
    expect(asked[3]?.query).toEqual({ limit: 100 })
  })

  test('with larger pages is read in them, from the first page of the next run on', async () => {
    const { http, asked } = answering({ ...account, [`${V2}/contacts`]: listOf(500, 200) })
    const { notes } = await pullAll(http, 'contacts')
    await pullAll(http, 'contacts', { notes })
    expect(asked.map(({ query }) => query?.['limit'])).toEqual([100, 200, 200, 200, 200, 200])
  })

  test('that refuses larger pages is read in smaller ones', async () => {
    const list = listOf(150, 100)
    const { http, asked } = answering({
      ...account,
      [`${V2}/contacts`]: (request) =>
        request.query?.['limit'] === 200 ? problem(400, 'limit') : list(request),
    })
    const limits = () => asked.splice(0).map(({ query }) => query?.['limit'])
    const { pages, notes } = await pullAll(http, 'contacts')
    expect(pages.map(({ rawCount }) => rawCount)).toEqual([100, 50])
    expect(limits()).toEqual([100, 200, 100])
    await pullAll(http, 'contacts', { notes })
    expect(limits()).toEqual([100, 100])
    // Larger pages that were given once, and are given no more.
    await pullAll(http, 'contacts', { notes: { ...notes, pageSizes: { [`${V2}/contacts`]: 200 } } })
    expect(limits()).toEqual([200, 100, 100])
  })

  test('whose cursor is refused begins again, as with a foreign cursor', async () => {
    const { http } = answering({
      ...account,
      [`${V2}/contacts`]: ({ query }) =>
        query?.['cursor'] ? problem(400, 'Error parsing') : items([], null),
    })
    const place = { path: `${V2}/contacts`, page: 2, at: 'zz', part: 0, firstRows: 0 }
    const pull = (cursor: string) => holded.pull({ ...first('contacts'), cursor }, ctxOf(http))
    await expect(pull(JSON.stringify(place))).rejects.toThrow(CursorRefused)
    await expect(pull('zz')).rejects.toThrow(CursorRefused)
    await expect(pull(JSON.stringify({ ...place, path: `${V2}/me` }))).rejects.toThrow(CursorRefused)
  })

  test('without a cursor ends, even if it states that there is more', async () => {
    for (const body of [
      { has_more: true },
      { cursor: null, has_more: true },
      { cursor: 'x', has_more: false },
      { cursor: '' },
    ]) {
      const { http } = answering({
        ...account,
        [`${V2}/contacts`]: { json: { items: [{ id: 1, name: 'x' }], ...body } },
      })
      expect((await pullAll(http, 'contacts')).pages).toHaveLength(1)
    }
  })

  test('that repeats its cursor, promises more without rows or never ends is an error', async () => {
    const again = answering({ ...account, [`${V2}/contacts`]: items([{ id: 1, name: 'x' }], 'same') })
    const begun = await holded.pull(first('contacts'), ctxOf(again.http))
    expect(begun.broken).toBeUndefined()
    const step = { ...first('contacts'), cursor: begun.nextCursor }
    // Its rows are valid all the same.
    expect(await holded.pull(step, ctxOf(again.http))).toMatchObject({
      broken: 'same_cursor',
      records: [{ externalId: '1' }],
    })
    const vague = answering({
      ...account,
      [`${V2}/contacts`]: { json: { items: [{ id: 1, name: 'x' }], has_more: true, cursor: null } },
    })
    expect(await holded.pull(first('contacts'), ctxOf(vague.http))).toMatchObject({
      broken: 'missing_cursor',
      rawCount: 1,
    })
    const nothing = answering({ ...account, [`${V2}/contacts`]: items([], 'next') })
    expect((await holded.pull(first('contacts'), ctxOf(nothing.http))).broken).toBe('empty_page')
    const cursor = JSON.stringify({ path: `${V2}/contacts`, page: 2001, at: 'x', part: 0, firstRows: 0 })
    expect(await codeOf(holded.pull({ ...first('contacts'), cursor }, ctxOf(nothing.http)))).toBe(
      'erp_bad_paging',
    )
    expect(nothing.asked).toHaveLength(1)
  })

  test('with an invalid body is an error', async () => {
    for (const json of [[], { data: [] }, 'text', null]) {
      const { http } = answering({ ...account, [`${V2}/contacts`]: { json } })
      expect(await codeOf(holded.pull(first('contacts'), ctxOf(http)))).toBe('erp_protocol_error')
    }
  })
})

describe('documents', () => {
  test('of a window are read in all lists of their side, without a call for a single document', async () => {
    const { http, asked } = answering({
      ...account,
      [`${V2}/invoices`]: items([invoiceRow()]),
      [`${V2}/sales-receipts`]: items([invoiceRow({ id: 'd2' })]),
      [`${V2}/credit-notes`]: items([invoiceRow({ id: 'd3' })]),
    })
    const { pages } = await pullAll(http, 'issued')
    expect(paths(asked)).toEqual(['taxes', 'invoices', 'sales-receipts', 'credit-notes', 'receipt-notes'])
    expect(asked[1]?.query).toEqual({ limit: 100, start_date: '2026-05-01', end_date: '2026-05-31' })
    expect(pages.flatMap(({ records }) => records.map(({ externalKind }) => externalKind))).toEqual([
      'invoice',
      'salesreceipt',
      'creditnote',
    ])
    expect(
      pages.every(({ unread, repeatedCursor }) => unread === undefined && repeatedCursor === undefined),
    ).toBe(true)
  })

  test('in lists that are not offered or not permitted are skipped, noted and reported', async () => {
    const { http, asked } = answering({
      ...account,
      [`${V2}/sales-receipts`]: refused('sales:receipts.read'),
      [`${V2}/receipt-notes`]: problem(404, 'Not found.'),
      [`${V2}/purchase-refunds`]: problem(404, 'Not found.'),
    })
    const issued = await pullAll(http, 'issued')
    expect(issued.pages.map(({ unread }) => unread ?? [])).toEqual([
      [],
      ['salesreceipt'],
      ['salesreceipt'],
      ['salesreceipt', 'receiptnote'],
    ])
    const received = await pullAll(http, 'received', { notes: issued.notes })
    const before = asked.length
    await pullAll(http, 'issued', { notes: received.notes })
    await pullAll(http, 'received', { notes: received.notes })
    expect(paths(asked.slice(before))).toEqual(['invoices', 'credit-notes', 'purchases'])
    // After three months they may be available.
    const later = { ...ctxOf(http, NEWER_KEY, received.notes), today: '2026-09-01' }
    const page = await holded.pull(first('received'), later)
    expect(page.nextCursor).toContain('purchase-refunds')
  })

  test('in a required list are reported as missing', async () => {
    for (const list of ['invoices', 'credit-notes', 'purchases']) {
      const { http } = answering({ ...account, [`${V2}/${list}`]: refused('some:thing.read') })
      expect(await codeOf(pullAll(http, list === 'purchases' ? 'received' : 'issued'))).toBe(
        'erp_permission_missing',
      )
    }
  })

  test('fail with a refused key in every list', async () => {
    const { http, asked } = answering({
      ...account,
      [`${V2}/sales-receipts`]: problem(403, 'Access denied.'),
    })
    expect(await codeOf(pullAll(http, 'issued'))).toBe('erp_key_rejected')
    expect(asked).toHaveLength(3)
  })

  test('are read with the decimal separator that a later row shows, which is noted for the next page', async () => {
    const comma = {
      subtotal: '300',
      discount: '0',
      tax: '63,00',
      total: '363,00',
      payments_total: '',
      payments_pending: '363,00',
    }
    const { http } = answering({
      ...account,
      [`${V2}/products`]: ({ query }) =>
        query?.['cursor'] === undefined
          ? items(
              [
                { id: 'p1', name: 'x', price: '1.234' },
                { id: 'p2', name: 'y', price: '0,50' },
              ],
              'n',
            )
          : items([{ id: 'p3', name: 'z', price: '1.234' }]),
      [`${V2}/invoices`]: items([invoiceRow({ ...comma, lines: [lineRow({ price: '30' })] })]),
    })
    const { pages, notes } = await pullAll(http, 'catalogue')
    expect(pages.flatMap(({ records }) => records)).toMatchObject([
      { unitPrice: 1_234_000_000 },
      { unitPrice: 500_000 },
      { unitPrice: 1_234_000_000 },
    ])
    const { pages: issued } = await pullAll(http, 'issued', { notes })
    expect(issued[0]?.records).toMatchObject([{ totalCents: 36300, paidCents: null, amountCheck: 'ok' }])
  })

  test('reuse their taxes within a day, and read them again after it', async () => {
    const { http, asked } = answering(account)
    const { notes } = await holded.pull(first('issued'), ctxOf(http))
    const on = async (today: string) => {
      const before = asked.length
      await holded.pull(first('issued'), { ...ctxOf(http, NEWER_KEY, notes ?? {}), today })
      return paths(asked.slice(before))
    }
    expect(await on('2026-05-21')).toEqual(['invoices'])
    expect(await on('2026-05-22')).toEqual(['taxes', 'invoices'])
  })

  test('ignore notes of another version', async () => {
    const { http } = answering({ ...account, [`${V2}/invoices`]: items([invoiceRow()]) })
    const notes = {
      flavour: 3,
      decimalSign: 'x',
      taxes: { on: 'never', list: 7 },
      pageSizes: [],
      closed: { [`${V2}/invoices`]: 'x' },
    }
    expect((await holded.pull(first('issued'), ctxOf(http, NEWER_KEY, notes))).records).toMatchObject([
      { warnings: [] },
    ])
  })
})

describe('the meter', () => {
  test.each([
    [{ json: { usage: 431, limit: 2_000_000 } }, { monthUsed: 431, monthLimit: 2_000_000 }],
    [{ json: { usage: '12' } }, { monthUsed: 12, monthLimit: null }],
    [refused('developers:usage.read'), null],
    [problem(404, 'x'), null],
  ])('is read: %j', async (reply, expected) => {
    const { http, asked } = answering({ [`${V2}/usage`]: reply })
    expect(await holded.quota(ctxOf(http))).toEqual(expected)
    expect(asked).toHaveLength(1)
  })

  test('does not exist in the older API', async () => {
    const { http, asked } = answering({})
    expect(await holded.quota(ctxOf(http, OLDER_KEY))).toBeNull()
    expect(asked).toEqual([])
  })
})
