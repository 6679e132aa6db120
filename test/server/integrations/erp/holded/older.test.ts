/** The older API: numbered pages that may repeat themselves, long windows in parts, failures with 200. */
import { describe, expect, test } from 'vitest'
import { addDays, daysBetween } from '../../../../../server/domain/dates.ts'
import { AppError } from '../../../../../server/domain/errors/app-error.ts'
import { holded } from '../../../../../server/integrations/erp/holded/index.ts'
import { partsOf, secondsOf } from '../../../../../server/integrations/erp/holded/v1.ts'
import type { ErpReply, ErpRequest } from '../../../../../server/integrations/erp/connection/http.ts'
import { answering, ctxOf, MAY, OLDER_KEY, pullAll, TODAY } from './account.ts'

const V1 = '/api/invoicing/v1'
const TAX_LIST = [{ key: 's_iva_21', amount: '21', group: 'iva', type: 'percentage', scope: 'sales' }]
const none = Object.fromEntries(
  [
    'contacts',
    'products',
    'services',
    ...['invoice', 'salesreceipt', 'creditnote', 'receiptnote', 'purchase', 'purchaserefund'].map(
      (type) => `documents/${type}`,
    ),
  ].map((name) => [`${V1}/${name}`, { json: [] }]),
)
const account = { ...none, [`${V1}/taxes`]: { json: TAX_LIST } }
const secret = OLDER_KEY
const paths = (asked: readonly ErpRequest[]): string[] => asked.map(({ path }) => path.replace(`${V1}/`, ''))
const contact = (id: number) => ({ id, name: `Cliente ${id}` })

/** Serves `count` contacts in pages of `size`; with `ignores` every page is the first. */
function contacts(count: number, size: number, ignores = false) {
  return ({ query }: ErpRequest): Partial<ErpReply> => {
    const from = ignores ? 0 : (Number(query?.['page']) - 1) * size
    return {
      json: Array.from({ length: Math.max(0, Math.min(size, count - from)) }, (_, index) =>
        contact(from + index),
      ),
    }
  }
}

describe('pages', () => {
  test.each([
    ['end with a shorter one', contacts(7, 3), [3, 3, 1]],
    ['end with an empty one', contacts(6, 3), [3, 3, 0]],
    ['end where they repeat themselves', contacts(3, 3, true), [3, 3]],
    ['may be none', contacts(0, 3), [0]],
  ])('%s', async (_name, list, expected) => {
    const { http, asked } = answering({ ...account, [`${V1}/contacts`]: list })
    const { pages } = await pullAll(http, 'contacts', { secret })
    expect(pages.map(({ rawCount }) => rawCount)).toEqual(expected)
    expect(asked.map(({ query }) => query)).toEqual(expected.map((_, index) => ({ page: index + 1 })))
    expect(asked[0]?.headers).toEqual({ key: OLDER_KEY })
  })

  test('that never end are an error before they are requested', async () => {
    const { http, asked } = answering(account)
    const cursor = JSON.stringify({ path: `${V1}/contacts`, page: 2001, at: null, part: 0, firstRows: 5 })
    const error: unknown = await holded
      .pull({ resource: 'contacts', cursor, window: null, since: null }, ctxOf(http, secret))
      .catch((reason: unknown) => reason)
    expect(error instanceof AppError && error.code).toBe('erp_bad_paging')
    expect(asked).toEqual([])
  })

  test('that are not lists are an error', async () => {
    for (const reply of [{ json: { status: 0, info: 'x' } }, { json: { items: [] } }, { text: '<html>' }]) {
      const { http } = answering({ ...account, [`${V1}/documents/invoice`]: reply })
      await expect(pullAll(http, 'issued', { secret })).rejects.toMatchObject({ code: 'erp_protocol_error' })
    }
  })
})

describe('windows', () => {
  test('begin and end at midnights in Madrid', () => {
    expect(secondsOf({ from: '2025-12-01', to: '2026-06-30' })).toEqual({
      starttmp: 1_764_543_600,
      endtmp: 1_782_856_800,
    })
    expect(secondsOf({ from: '2026-03-29', to: '2026-03-29' })).toMatchObject({
      starttmp: 1_774_738_800,
      endtmp: 1_774_738_800 + 23 * 3600,
    })
  })

  test('of years are split into parts of less than one, without a gap', () => {
    const parts = partsOf({ from: '2023-10-29', to: '2026-05-20' })
    const all = parts.map(secondsOf)
    expect(all.every(({ starttmp, endtmp }) => endtmp - starttmp <= 365 * 86_400)).toBe(true)
    expect(all.slice(1).map(({ starttmp }) => starttmp)).toEqual(all.slice(0, -1).map(({ endtmp }) => endtmp))
    expect([parts[0]?.from, parts.at(-1)?.to, parts.length]).toEqual(['2023-10-29', '2026-05-20', 3])
    expect(partsOf(MAY)).toEqual([MAY])
    expect(partsOf({ from: '2026-05-01', to: '2026-05-01' })).toHaveLength(1)
    expect(daysBetween('2025-01-01', partsOf({ from: '2025-01-01', to: '2025-12-31' })[1]?.from ?? '')).toBe(
      364,
    )
  })

  test('are read part by part in every list, and end where the account repeats itself', async () => {
    const invoice = {
      id: 'd1',
      contactName: 'x',
      date: 1_777_845_600,
      docNumber: 'F-1',
      subtotal: 10,
      tax: 0,
      total: 10,
      status: 1,
      products: [],
    }
    const { http, asked } = answering({ ...account, [`${V1}/documents/invoice`]: { json: [invoice] } })
    const { pages } = await pullAll(http, 'issued', {
      secret,
      window: { from: '2025-01-01', to: '2026-05-31' },
    })
    expect(paths(asked)).toEqual([
      'taxes',
      // Page 1 again as page 2, then the second part returns the same once more.
      ...['invoice', 'invoice', 'invoice'].map((type) => `documents/${type}`),
      ...['salesreceipt', 'salesreceipt', 'creditnote', 'creditnote', 'receiptnote', 'receiptnote'].map(
        (type) => `documents/${type}`,
      ),
    ])
    expect(asked[1]?.query).toEqual({ page: 1, starttmp: 1_735_686_000, endtmp: 1_767_135_600 })
    expect(asked[3]?.query).toEqual({ page: 1, starttmp: 1_767_135_600, endtmp: 1_780_264_800 })
    expect(pages[0]?.records).toMatchObject([{ issueDate: '2026-05-04', currency: 'EUR' }])
  })
})

describe('lists', () => {
  test.each([
    ['an error with 200', { json: { status: 0, info: 'Not found' } }, 90],
    // Maintenance looks the same.
    ['a web page', { text: '<!DOCTYPE html>' }, 1],
    ['404', { status: 404, json: {} }, 90],
  ])(
    'that answer %s are skipped, noted and reported, where they are optional',
    async (_name, reply, days) => {
      const { http, asked } = answering({ ...account, [`${V1}/documents/receiptnote`]: reply })
      const { pages, notes } = await pullAll(http, 'issued', {
        secret,
        window: { from: '2024-01-01', to: '2026-05-31' },
      })
      expect(pages.at(-1)).toMatchObject({ nextCursor: null, unread: ['receiptnote'] })
      expect(paths(asked).filter((path) => path.endsWith('receiptnote'))).toHaveLength(1)
      const before = asked.length
      await pullAll(http, 'issued', { secret, notes })
      expect(paths(asked.slice(before))).toEqual([
        'documents/invoice',
        'documents/salesreceipt',
        'documents/creditnote',
      ])
      const cursor = JSON.stringify({
        path: `${V1}/documents/creditnote`,
        page: 1,
        at: null,
        part: 0,
        firstRows: 0,
      })
      const nextOn = async (after: number): Promise<string | null> => {
        const ctx = { ...ctxOf(http, secret, notes), today: addDays(TODAY, after) }
        return (await holded.pull({ resource: 'issued', cursor, window: MAY, since: null }, ctx)).nextCursor
      }
      expect(await nextOn(days - 1)).toBeNull()
      expect(await nextOn(days)).toContain('receiptnote')
    },
  )

  test('of the catalogue have no date range', async () => {
    const { http, asked } = answering({
      ...account,
      [`${V1}/products`]: { json: [{ id: 1, name: 'x', price: 3 }] },
    })
    await pullAll(http, 'catalogue', { secret })
    expect(asked.slice(1).map(({ query }) => query)).toEqual([{ page: 1 }, { page: 2 }, { page: 1 }])
  })
})

describe('the account', () => {
  test('has a name where the company answers', async () => {
    const { http, asked } = answering({
      ...account,
      '/api/company/v1/': { json: { socialName: ' Obrador SL ', cifNumber: 'b-50770015' } },
    })
    expect(await holded.verify(ctxOf(http, ` ${OLDER_KEY.slice(0, 8)} ${OLDER_KEY.slice(8)}`))).toMatchObject(
      {
        accountName: 'Obrador SL',
        accountTaxId: 'B50770015',
        missing: [],
        samples: [],
        notes: { flavour: 'v1' },
      },
    )
    expect(asked.map(({ path }) => path)).toEqual([`${V1}/taxes`, '/api/company/v1/'])
  })

  test.each([
    { status: 401, json: {} },
    { status: 403, json: { detail: 'Access denied.' } },
    { status: 404 },
    { status: 500 },
    { text: '<html>' },
    { json: [] },
  ])('has none with %j, and is recognized by its contacts', async (reply) => {
    const { http } = answering({
      ...account,
      '/api/company/v1/': reply,
      [`${V1}/contacts`]: { json: [contact(5)] },
    })
    expect(await holded.verify(ctxOf(http, secret))).toMatchObject({
      accountName: null,
      accountTaxId: null,
      samples: [{ externalKind: 'contact', externalId: '5' }],
    })
  })
})
