/** The provider for Holded against the published facts' sample answers, file by file. Runs only where SELLO_SHARED names the folder. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eurosFromCents } from '../../server/domain/money.ts'
import { AppError } from '../../server/domain/errors/app-error.ts'
import { holded } from '../../server/integrations/erp/holded/index.ts'
import type { ErpHttp, ErpReply, ErpRequest } from '../../server/integrations/erp/connection/http.ts'
import { CursorRefused } from '../../server/integrations/erp/port.ts'
import type {
  NeutralContact,
  NeutralDocument,
  NeutralItem,
  Page,
  ProviderCtx,
  Resource,
} from '../../server/integrations/erp/port.ts'

const shared = process.env['SELLO_SHARED']

interface Exchange {
  request: { method: string; path: string; query: Record<string, string> }
  response: { status: number; headers: Record<string, string>; body?: unknown; bodyText?: string }
}
interface Sample {
  exchanges: Exchange[]
  expect?: Record<string, Record<string, string>>
}

const sample = (name: string): Sample =>
  JSON.parse(readFileSync(join(shared ?? '', 'erp', 'samples', name), 'utf8')) as Sample

const replyOf = ({ response }: Exchange): ErpReply => ({
  status: response.status,
  headers: response.headers,
  json: response.body,
  text: response.bodyText ?? '',
})

/** Answers what a sample has for a path and the keys of its query; in `loosely` keys the value may differ. */
function answering(exchanges: readonly Exchange[], loosely: readonly string[] = []) {
  const asked: ErpRequest[] = []
  const http: ErpHttp = {
    async ask(request, classify) {
      asked.push(request)
      const found = exchanges.find(
        ({ request: { method, path, query } }) =>
          method === request.method &&
          path === request.path &&
          Object.entries(query).every(
            ([key, value]) => loosely.includes(key) || String(request.query?.[key] ?? '') === value,
          ),
      )
      const reply = found
        ? replyOf(found)
        : { status: 404, headers: {}, json: { title: 'Not Found' }, text: '' }
      const fault = classify(reply)
      if (fault) throw fault
      return reply
    },
  }
  return { http, asked }
}

const NEWER_KEY = 'pat_0123456789abcdef'
const OLDER_KEY = '0123456789abcdef0123456789abcdef'
const HALF_YEAR = { from: '2025-12-01', to: '2026-06-30' }

function ctxOf(http: ErpHttp, secret: string, notes: ProviderCtx['notes'] = {}): ProviderCtx {
  const credentials = { secret, baseUrl: null, database: null, accountId: null }
  return { http, credentials, notes, today: '2026-11-02' }
}

const taxes = (flavour: 'v1' | 'v2'): Exchange[] => sample(`${flavour}-taxes.json`).exchanges

/** The only page of a sample's list, with the tax list at hand. */
async function page(name: string, resource: Resource, window = HALF_YEAR, list?: string): Promise<Page> {
  const { http } = answering([...sample(name).exchanges, ...taxes('v2')], ['limit'])
  const cursor = list && JSON.stringify({ path: list, page: 1, at: null, part: 0, firstRows: 0 })
  return holded.pull({ resource, cursor: cursor ?? null, window, since: null }, ctxOf(http, NEWER_KEY))
}

const documents = (found: Page): NeutralDocument[] => found.records as NeutralDocument[]
const contacts = (found: Page): NeutralContact[] => found.records as NeutralContact[]
const sums = ({ netCents, taxCents, withholdingCents, totalCents }: NeutralDocument) => [
  netCents,
  taxCents,
  withholdingCents,
  totalCents,
]

describe.skipIf(!shared)('the newer interface', () => {
  test('v2-contacts-page1 and page2: two pages, records that are absent as lists, a foreign number, none at all', async () => {
    const exchanges = ['v2-contacts-page1.json', 'v2-contacts-page2.json'].flatMap(
      (name) => sample(name).exchanges,
    )
    // The most exact first: the first page would answer the second question too.
    const { http, asked } = answering(exchanges.toReversed(), ['limit'])
    const ctx = ctxOf(http, NEWER_KEY)
    const first = await holded.pull({ resource: 'contacts', cursor: null, window: null, since: null }, ctx)
    expect(first.rejects).toEqual([])
    expect(contacts(first).map(({ taxId, isClient, isSupplier }) => [taxId, isClient, isSupplier])).toEqual([
      ['B50123454', true, false],
      ['12345678Z', true, false],
      ['A50998871', false, true],
    ])
    expect(contacts(first)[1]).toMatchObject({ isPerson: true, email: 'lucia@example.test', warnings: [] })
    expect(contacts(first)[2]?.address).toBeNull()
    const second = await holded.pull(
      { resource: 'contacts', cursor: first.nextCursor, window: null, since: null },
      ctx,
    )
    expect(asked[1]?.query).toMatchObject({ cursor: '65a000000000000000000003' })
    expect(second).toMatchObject({ rejects: [], nextCursor: null, rawCount: 3 })
    expect(contacts(second).map(({ name, taxId, taxIdCountry }) => [name, taxId, taxIdCountry])).toEqual([
      ['Atelier Lumière SARL', 'FR12345678901', 'FR'],
      ['Asesoría Canal y Cía, S.C.', 'J50112234', 'ES'],
      ['Cliente contado', null, null],
    ])
    expect(contacts(second)[2]).toMatchObject({ isClient: true, address: null })
  })

  test('v2-invoices: paid, partly paid with withholding, draft, dollars, cancelled, mixed rates', async () => {
    const found = await page('v2-invoices.json', 'issued', { from: '2026-01-01', to: '2026-06-30' })
    expect(found.rejects).toEqual([])
    const [paid, partly, draft, dollars, cancelled, mixed] = documents(found)
    expect(documents(found).map(({ amountCheck, warnings }) => [amountCheck, warnings])).toEqual(
      Array.from({ length: 6 }, () => ['ok', []]),
    )
    expect(paid).toMatchObject({
      number: 'F260001',
      state: 'approved',
      paymentState: 'paid',
      paidCents: 42350,
    })
    expect(sums(partly as NeutralDocument)).toEqual([32400, 6804, 4860, 34344])
    expect(partly).toMatchObject({ paymentState: 'partial', paidCents: 10000, pendingCents: 24344 })
    expect(partly?.lines).toMatchObject([
      {
        quantity: 3_000_000,
        unitPrice: 120_000_000,
        discountBp: 1000,
        vatBp: 2100,
        withholdingBp: 1500,
        netCents: 32400,
      },
    ])
    expect(draft).toMatchObject({ number: null, state: 'draft', dueDate: null, issueDate: '2026-02-20' })
    expect(dollars).toMatchObject({ currency: 'USD', fxRate: '1.0845', totalCents: 60000 })
    expect(dollars?.eur).toEqual({ netCents: 55325, taxCents: 0, totalCents: 55325 })
    expect(cancelled).toMatchObject({ number: 'F260004', state: 'cancelled' })
    expect(mixed?.lines.map(({ vatBp, netCents }) => [vatBp, netCents])).toEqual([
      [400, 2500],
      [2100, 680],
      [400, -200],
    ])
  })

  test('v2-credit-notes: positive on the wire, negative in the books', async () => {
    const found = await page('v2-credit-notes.json', 'issued', HALF_YEAR, '/api/v2/credit-notes')
    const [note] = documents(found)
    expect(note).toMatchObject({
      docKind: 'rectifying',
      side: 'issued',
      number: 'R260001',
      pendingCents: -6050,
    })
    expect(sums(note as NeutralDocument)).toEqual([-5000, -1050, 0, -6050])
    expect(note?.lines).toMatchObject([{ quantity: -1_000_000, unitPrice: 50_000_000, netCents: -5000 }])
  })

  test('v2-invoices-comma-locale: commas in money, a point in the rate', async () => {
    const found = await page('v2-invoices-comma-locale.json', 'issued')
    const expected = sample('v2-invoices-comma-locale.json').expect ?? {}
    expect(Object.keys(expected)).toHaveLength(documents(found).length)
    for (const { number, netCents, taxCents, totalCents, fxRate } of documents(found)) {
      const { fxRate: rate = '1', ...amounts } = expected[number ?? ''] ?? {}
      const read = { net: netCents, tax: taxCents, total: totalCents }
      expect(
        Object.fromEntries(
          Object.entries(read).map(([name, cents]) => [name, eurosFromCents(cents).toFixed(2)]),
        ),
      ).toEqual(amounts)
      expect(fxRate).toBe(rate)
    }
    expect(found.notes).toMatchObject({ decimalSign: 'comma' })
    expect(documents(found).map(({ lines }) => lines[0]?.unitPrice)).toEqual([3_380_670_000, 4_100_000])
  })

  test("v2-purchases: the suppliers' numbers, rent withheld, reverse charge, a refund below zero", async () => {
    const [goods, rent, abroad, back] = documents(await page('v2-purchases.json', 'received'))
    expect(goods).toMatchObject({ side: 'received', supplierNumber: 'MON-7781', paymentState: 'paid' })
    expect(sums(rent as NeutralDocument)).toEqual([90000, 18900, 17100, 91800])
    expect(abroad).toMatchObject({ taxCents: 0, totalCents: 24000, dueDate: null })
    expect(abroad?.lines).toMatchObject([{ taxKeys: ['p_iva_isp'], vatBp: 0 }])
    expect(back).toMatchObject({ docKind: 'refund', externalKind: 'purchase', pendingCents: -3256 })
    expect(sums(back as NeutralDocument)).toEqual([-2960, -296, 0, -3256])
  })

  test('v2-products: one alone, one with variants, and services after them', async () => {
    const { http } = answering([...sample('v2-products.json').exchanges, ...taxes('v2')])
    const ctx = ctxOf(http, NEWER_KEY)
    const first = await holded.pull({ resource: 'catalogue', cursor: null, window: null, since: null }, ctx)
    const items = first.records as NeutralItem[]
    expect(
      items.map(({ kind, sku, unitPrice, cost, vatBp, archived }) => [
        kind,
        sku,
        unitPrice,
        cost,
        vatBp,
        archived,
      ]),
    ).toEqual([
      ['product', 'HAR-55', 18_500_000, 14_800_000, 400, false],
      ['product', null, 12_000_000, null, 2100, false],
      ['variant', 'DEL-S', 12_000_000, null, 2100, false],
      ['variant', 'DEL-L', 13_000_000, null, 2100, true],
    ])
    expect(items.map(({ parentExternalId }) => parentExternalId)).toEqual([
      null,
      null,
      '67a000000000000000000002',
      '67a000000000000000000002',
    ])
    const second = await holded.pull(
      { resource: 'catalogue', cursor: first.nextCursor, window: null, since: null },
      { ...ctx, notes: first.notes ?? {} },
    )
    expect(second.nextCursor).toBeNull()
    expect(second.records).toMatchObject([{ kind: 'service', name: 'Hora técnica', unitPrice: 45_000_000 }])
  })

  test('v2-taxes: keys and identifiers of lines both find their rate, without asking again', async () => {
    const { http, asked } = answering([...sample('v2-invoices.json').exchanges, ...taxes('v2')])
    const step = {
      resource: 'issued',
      cursor: null,
      window: { from: '2026-01-01', to: '2026-06-30' },
      since: null,
    } as const
    const first = await holded.pull(step, ctxOf(http, NEWER_KEY))
    await holded.pull(step, ctxOf(http, NEWER_KEY, first.notes))
    expect(asked.map(({ path }) => path)).toEqual(['/api/v2/taxes', '/api/v2/invoices', '/api/v2/invoices'])
  })

  test('v2-usage: the meter', async () => {
    const { http } = answering(sample('v2-usage.json').exchanges)
    expect(await holded.quota(ctxOf(http, NEWER_KEY))).toEqual({ monthUsed: 431, monthLimit: 500 })
  })

  test('v2-errors: each answer means what it says', async () => {
    const outcomes = await Promise.all(
      sample('v2-errors.json').exchanges.map(async (exchange): Promise<unknown> => {
        const http: ErpHttp = {
          async ask(_, classify) {
            const fault = classify(replyOf(exchange))
            if (fault) throw fault
            return replyOf(exchange)
          },
        }
        const cursor =
          exchange.request.query['cursor'] === undefined
            ? null
            : JSON.stringify({ path: '/api/v2/contacts', page: 2, at: 'abc', part: 0, firstRows: 0 })
        const notes = { pageSizes: { '/api/v2/contacts': 100 } }
        return holded
          .pull({ resource: 'contacts', cursor, window: null, since: null }, ctxOf(http, NEWER_KEY, notes))
          .then(
            () => 'read',
            (error: unknown) =>
              error instanceof AppError
                ? [error.code, error.retryAfterSeconds ?? error.details?.['permissions'] ?? null]
                : error instanceof CursorRefused && 'begin again',
          )
      }),
    )
    expect(outcomes).toEqual([
      ['erp_permission_missing', { missing: ['inventory:products.read'] }],
      ['erp_key_rejected', null],
      ['erp_key_rejected', null],
      'begin again',
      ['erp_protocol_error', null],
      ['erp_rate_limited', 17],
      ['erp_quota_exhausted', 86400],
      ['erp_unavailable', null],
      ['erp_protocol_error', null],
    ])
  })
})

describe.skipIf(!shared)('the older interface', () => {
  test('v1-contacts: a lost zero, and a second page that is the first again', async () => {
    const { http } = answering(sample('v1-contacts.json').exchanges)
    const ctx = ctxOf(http, OLDER_KEY)
    const first = await holded.pull({ resource: 'contacts', cursor: null, window: null, since: null }, ctx)
    expect(contacts(first).map(({ address }) => address?.postalCode ?? null)).toEqual([
      '33201',
      '08020',
      null,
    ])
    expect(contacts(first).map(({ isClient, isSupplier }) => [isClient, isSupplier])).toEqual([
      [true, false],
      [false, true],
      [true, false],
    ])
    const second = await holded.pull(
      { resource: 'contacts', cursor: first.nextCursor, window: null, since: null },
      ctx,
    )
    expect(second.records).toEqual(first.records)
    expect(second.repeatedCursor).toBeNull()
  })

  test('v1-documents: midnights in Madrid, states that are not what they say', async () => {
    const { http } = answering([...sample('v1-documents.json').exchanges, ...taxes('v1')])
    const ctx = ctxOf(http, OLDER_KEY)
    const of = async (resource: Resource, list: string): Promise<NeutralDocument[]> => {
      const cursor = JSON.stringify({
        path: `/api/invoicing/v1/documents/${list}`,
        page: 1,
        at: null,
        part: 0,
        firstRows: 0,
      })
      return documents(await holded.pull({ resource, cursor, window: HALF_YEAR, since: null }, ctx))
    }
    const invoices = await of('issued', 'invoice')
    expect(
      invoices.map(({ number, issueDate, state, paymentState }) => [number, issueDate, state, paymentState]),
    ).toEqual([
      ['F250900', '2026-01-01', 'approved', 'paid'],
      ['F260010', '2026-03-29', 'approved', 'unpaid'],
      [null, '2026-04-01', 'draft', 'unpaid'],
      ['F260011', '2026-04-02', 'cancelled', 'unpaid'],
    ])
    expect(sums(invoices[1] as NeutralDocument)).toEqual([6333, 1330, 950, 6713])
    expect(invoices[3]?.party).toEqual({
      externalId: '5aa0000000000000000dead0',
      name: 'Cliente fusionado',
      taxId: null,
    })
    const [note] = await of('issued', 'creditnote')
    expect([note?.issueDate, ...sums(note as NeutralDocument)]).toEqual(['2026-05-04', -2000, -420, 0, -2420])
    const [purchase] = await of('received', 'purchase')
    expect([purchase?.issueDate, purchase?.supplierNumber, purchase?.totalCents]).toEqual([
      '2026-05-31',
      'MON-9',
      3626,
    ])
    expect(
      [...invoices, note, purchase].map((document) => [document?.amountCheck, document?.warnings]),
    ).toEqual(Array.from({ length: 6 }, () => ['ok', []]))
  })

  test('v1-errors: failures with 200 and 400, and the name of the company', async () => {
    const [unknown, newer, soft, html, company] = sample('v1-errors.json').exchanges as [
      Exchange,
      Exchange,
      Exchange,
      Exchange,
      Exchange,
    ]
    const codeOf = async (exchange: Exchange): Promise<unknown> => {
      const { http } = answering([
        { ...exchange, request: { ...exchange.request, path: '/api/invoicing/v1/taxes' } },
      ])
      return holded
        .verify(ctxOf(http, OLDER_KEY))
        .catch((error: unknown) => error instanceof AppError && error.code)
    }
    expect(await Promise.all([unknown, newer, soft, html].map(codeOf))).toEqual([
      'erp_key_rejected',
      'erp_key_rejected',
      'erp_protocol_error',
      'erp_protocol_error',
    ])
    const { http, asked } = answering([...taxes('v1'), company])
    expect(await holded.verify(ctxOf(http, OLDER_KEY))).toMatchObject({
      accountName: 'Obrador del Ebro SL',
      accountTaxId: 'B50770015',
      apiFlavour: 'v1',
    })
    expect(asked).toHaveLength(2)
  })
})
