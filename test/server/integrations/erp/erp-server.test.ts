/** The mock endpoint behaves as documented: other tests rely on it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isNif } from '../../../../server/domain/tax/nif.ts'
import { makeErpBook, totalsOf } from '../../../support/erp/book.ts'
import { comma, dot } from '../../../support/erp/face.ts'
import { judgeOf } from '../../../support/erp/odoo-domain.ts'
import { KEYS, startErpServer } from '../../../support/erp/erp-server.ts'
import type { ErpServerOptions } from '../../../support/erp/erp-server.ts'

async function open(options: ErpServerOptions = {}) {
  const server = await startErpServer(options)
  onTestFinished(() => server.close())
  const get = async (
    path: string,
    headers: Record<string, string> = { authorization: `Bearer ${KEYS.v2}` },
  ) => {
    const answer = await fetch(server.base + path, { headers, redirect: 'manual' })
    const text = await answer.text()
    const isJson = (answer.headers.get('content-type') ?? '').includes('json')
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: isJson ? (JSON.parse(text) as any) : null,
    }
  }
  const v1 = (path: string) => get(path, { key: KEYS.v1 })
  return { server, get, v1 }
}

describe('the newer API of the Holded mock', () => {
  test('continues by cursor, with at most a hundred rows, and ignores page numbers', async () => {
    const { get } = await open({ contacts: 250 })
    const ids: string[] = []
    const sizes: number[] = []
    let cursor: string | null = null
    do {
      const path: string = `/api/v2/contacts?limit=500${cursor === null ? '' : `&cursor=${cursor}`}`
      const { body } = await get(path)
      ids.push(...body.items.map((item: { id: string }) => item.id))
      sizes.push(body.items.length)
      cursor = body.cursor
      expect(body.has_more).toBe(cursor !== null)
    } while (cursor !== null)
    expect([sizes, new Set(ids).size]).toEqual([[100, 100, 50], 250])
    const [first, second] = [await get('/api/v2/contacts?page=1'), await get('/api/v2/contacts?page=2')]
    expect(second.body).toEqual(first.body)
    expect(first.body.items).toHaveLength(25)
    expect((await get('/api/v2/contacts?cursor=')).body).toEqual({ items: [], cursor: null, has_more: false })
    const malformed = await get('/api/v2/contacts?cursor=abc')
    expect([malformed.status, malformed.body.detail]).toEqual([400, 'Error parsing ObjectId string: abc'])
  })

  test('repeats a row between pages only when configured', async () => {
    const { get } = await open({ contacts: 30, duplicates: true })
    const first = await get('/api/v2/contacts?limit=10')
    const second = await get(`/api/v2/contacts?limit=10&cursor=${first.body.cursor}`)
    expect(second.body.items).toHaveLength(11)
    expect(second.body.items[0]).toEqual(first.body.items[9])
  })

  test('respects the dates, writes amounts in both formats, and has negative refunds of suppliers', async () => {
    const { get, server } = await open({ issued: 200, received: 60, decimals: 'comma' })
    const { body } = await get('/api/v2/invoices?limit=100&start_date=2026-03-01&end_date=2026-03-31')
    expect(body.items.length).toBeGreaterThan(10)
    for (const { date } of body.items) expect(date).toMatch(/^2026-03/)
    expect(body.items[0].total).toMatch(/^(\d{1,3}(\.\d{3})*),\d\d$/)
    const dollars = server.book.doc('issued', 16)
    expect((await get(`/api/v2/invoices/${dollars.id}`)).body).toMatchObject({
      currency: 'USD',
      currency_change: '1.0845',
    })
    const refund = await get(`/api/v2/purchases/${server.book.doc('received', 29).id}`)
    expect(refund.body.total).toMatch(/^-/)
    expect((await get('/api/v2/invoices/66a000000000000000000fff')).status).toBe(404)
    expect((await get('/api/v2/nothing')).text).toMatch(/^<!DOCTYPE html>/)
  })

  test('answers about keys and permissions as the real one', async () => {
    const keys = { pat_narrow: ['contacts:contacts.read'] }
    const { get } = await open({ keys })
    const narrow = { authorization: 'Bearer pat_narrow' }
    expect((await get('/api/v2/contacts', narrow)).status).toBe(200)
    const lacking = await get('/api/v2/products', narrow)
    expect([lacking.status, lacking.body.detail]).toEqual([
      403,
      'Insufficient permissions: inventory:products.read required.',
    ])
    const dead = await get('/api/v2/contacts', { authorization: 'Bearer pat_dead' })
    expect([dead.status, dead.body.detail, dead.headers.get('content-type')]).toEqual([
      403,
      'Access denied.',
      'application/problem+json',
    ])
    expect((await get('/api/v2/contacts', {})).status).toBe(401)
  })
})

describe('the older API of the Holded mock', () => {
  test('uses midnights of Madrid, half-open ranges of days, and lists of contacts that never end', async () => {
    const { v1, server } = await open({ issued: 60, contacts: 20 })
    const start = Date.parse('2026-03-01T00:00:00+01:00') / 1000
    const end = Date.parse('2026-04-01T00:00:00+02:00') / 1000
    const { body } = await v1(`/api/invoicing/v1/documents/invoice?starttmp=${start}&endtmp=${end}&page=1`)
    const expected = [...server.book.heads('issued')].filter(
      ({ kind, date }) => kind === 'invoice' && date.startsWith('2026-03'),
    )
    expect(body.map(({ id }: { id: string }) => id)).toEqual(expected.map(({ id }) => id))
    for (const { date } of body) expect(new Date(date * 1000).toISOString()).toMatch(/T2[23]:00:00/)
    const [first, second] = [
      await v1('/api/invoicing/v1/contacts?page=1'),
      await v1('/api/invoicing/v1/contacts?page=2'),
    ]
    expect([second.text === first.text, first.body.length]).toEqual([true, 20])
  })

  test('pages documents by number', async () => {
    const { v1 } = await open({ issued: 60, v1PageSize: 20 })
    const sizes: number[] = []
    for (const page of [1, 2, 3, 4])
      sizes.push(
        (await v1(`/api/invoicing/v1/documents/invoice?starttmp=0&endtmp=2000000000&page=${page}`)).body
          .length,
      )
    expect(sizes).toEqual([20, 20, 17, 0])
  })

  test('answers about keys as the real one, and with a web page on unknown paths', async () => {
    const { v1, get } = await open()
    expect((await get('/api/invoicing/v1/taxes', { key: 'f'.repeat(32) })).body).toEqual({ status: 401 })
    const token = await get('/api/invoicing/v1/taxes', { key: KEYS.v2 })
    expect([token.status, token.body]).toEqual([400, { status: 0, info: 'Invalid key' }])
    expect((await v1('/api/company/v1/')).body).toMatchObject({ cifNumber: 'B50770015' })
    expect((await v1('/api/invoicing/v1/numberingseries')).text).toMatch(/^<!DOCTYPE html>/)
    expect((await v1('/api/invoicing/v1/documents/invoice/none')).body).toEqual({
      status: 0,
      info: 'Document not found',
    })
  })
})

describe("the mock's data set", () => {
  test('is the same for the same seed, and differs for another', () => {
    const [one, same, other] = [makeErpBook({ seed: 5 }), makeErpBook({ seed: 5 }), makeErpBook({ seed: 6 })]
    expect(same.doc('issued', 42)).toEqual(one.doc('issued', 42))
    expect(other.doc('issued', 42).lines).not.toEqual(one.doc('issued', 42).lines)
  })

  test('adds up, has every kind of document, and valid tax numbers', () => {
    const book = makeErpBook({ issued: 300, received: 300 })
    const seen = new Set<string>()
    for (const side of ['issued', 'received'] as const)
      for (const { index } of book.heads(side)) {
        const doc = book.doc(side, index)
        const { net, vat, surcharge, withholding, total, paid, pending } = totalsOf(doc)
        expect([net + vat + surcharge - withholding, paid + pending]).toEqual([total, total])
        expect(total).toBeGreaterThan(0)
        for (const word of [doc.kind, doc.state, doc.currency]) seen.add(word)
        if (surcharge > 0) seen.add('surcharge')
        if (withholding > 0) seen.add('withholding')
        if (doc.lines.some((line) => line.reverseCharge)) seen.add('reverse')
        if (doc.lines.some((line) => line.units < 0)) seen.add('negative')
      }
    expect([...seen].sort()).toEqual(
      [
        ...['invoice', 'receipt', 'credit', 'purchase', 'purchase-refund', 'draft', 'approved', 'cancelled'],
        ...['EUR', 'USD', 'surcharge', 'withholding', 'reverse', 'negative'],
      ].sort(),
    )
    for (const { taxId } of book.contacts()) if (taxId !== null) expect(isNif(taxId), taxId).toBe(true)
  })

  test('of fifty thousand is created only on request', async () => {
    const { get } = await open({ issued: 50_000 })
    const { body } = await get('/api/v2/invoices?limit=100&cursor=66a00000000000000000c000')
    expect(body.items).toHaveLength(100)
    expect(body.items[0].date).toBe('2026-10-26')
  })

  test('changes and loses records on command, in every API', async () => {
    const { server, get, v1 } = await open()
    const { id } = server.book.doc('issued', 0)
    server.edit(id, (doc) => {
      doc.number = 'F-CAMBIADA'
    })
    expect((await get(`/api/v2/invoices/${id}`)).body.document_number).toBe('F-CAMBIADA')
    expect((await v1(`/api/invoicing/v1/documents/invoice/${id}`)).body.docNumber).toBe('F-CAMBIADA')
    server.remove(id)
    expect((await get(`/api/v2/invoices/${id}`)).status).toBe(404)
    expect((await get('/api/v2/invoices?limit=1')).body.items[0].id).not.toBe(id)
  })
})

describe('a fault of the mock', () => {
  test('comes once, in its turn, and every call is recorded', async () => {
    const { server, get } = await open({ now: () => Date.parse('2026-11-22T10:00:00Z') })
    server.fail({ path: '/invoices', nth: 2, with: '429-minute' })
    const statuses: number[] = []
    for (const path of [
      '/api/v2/contacts?limit=1',
      '/api/v2/invoices',
      '/api/v2/invoices',
      '/api/v2/invoices',
    ])
      statuses.push((await get(path)).status)
    expect(statuses).toEqual([200, 200, 429, 200])
    expect(server.calls.map(({ path, status }) => [path, status])).toEqual([
      ['/api/v2/contacts', 200],
      ['/api/v2/invoices', 200],
      ['/api/v2/invoices', 429],
      ['/api/v2/invoices', 200],
    ])
    expect(server.calls[0]).toMatchObject({
      method: 'GET',
      query: { limit: '1' },
      at: new Date('2026-11-22T10:00:00Z'),
    })
    expect(JSON.stringify(server.calls)).not.toContain(KEYS.v2)
    server.fail({ with: '429-month' })
    const month = await get('/api/v2/taxes')
    expect([month.status, month.headers.get('x-ratelimit-window'), month.headers.get('retry-after')]).toEqual(
      [429, 'month', '86400'],
    )
    server.heal()
    expect((await get('/api/v2/taxes')).status).toBe(200)
  })

  test('of paging is a repeated cursor or a repeated page', async () => {
    const { server, get } = await open({ contacts: 30 })
    const first = await get('/api/v2/contacts?limit=10')
    server.fail({ path: '/contacts', nth: 1, with: 'same-cursor' })
    const stuck = await get(`/api/v2/contacts?limit=10&cursor=${first.body.cursor}`)
    expect([stuck.body.cursor, stuck.body.has_more]).toEqual([first.body.cursor, true])
    server.fail({ path: '/contacts', nth: 2, with: 'repeat-page' })
    await get('/api/v2/contacts?limit=10')
    const back = await get(`/api/v2/contacts?limit=10&cursor=${first.body.cursor}`)
    expect(back.body.items).toEqual(first.body.items)
    expect(back.body.cursor).not.toBe(first.body.cursor)
  })
})

test('filters are evaluated as Odoo does', () => {
  const row: Record<string, unknown> = { id: 5, name: 'Ñ', gone: false, at: '2026-03-01 10:00:00.700000' }
  const judge = (domain: unknown): boolean | undefined => judgeOf(domain)?.((field) => row[field])
  for (const domain of [
    [],
    [
      ['id', '>', 4],
      ['id', '<=', 5],
    ],
    ['|', ['id', '=', 1], ['name', '=', 'Ñ']],
    ['|', ['id', '=', 1], '&', ['id', '>=', 5], ['gone', 'in', [false, 3]]],
    ['|', '|', ['id', '=', 1], ['id', '=', 2], ['id', '!=', 3]],
    [
      ['at', '=', '2026-03-01 10:00:00'],
      ['at', '>=', '2026-03-01 10:00:00'],
      ['at', '<', '2026-03-01 10:00:01'],
    ],
    [['id', 'not in', [1, 2]]],
  ])
    expect(judge(domain), JSON.stringify(domain)).toBe(true)
  for (const domain of [
    [['at', '>', '2026-03-01 10:00:00']],
    [['gone', '<', '2026-01-01']],
    ['&', ['id', '=', 5], ['id', '=', 6]],
    [['id', 'in', []]],
  ])
    expect(judge(domain), JSON.stringify(domain)).toBe(false)
  for (const broken of ['x', ['|', ['id', '=', 1]], [['id', 'like', 'x']], [['id', '=']]])
    expect(judgeOf(broken)).toBe(null)
})

test('amounts are written in the format of either account', () => {
  expect([0, 5, -5, 338_067, -123_456_789].map(dot)).toEqual([
    '0.00',
    '0.05',
    '-0.05',
    '3380.67',
    '-1234567.89',
  ])
  expect([0, 5, -5, 338_067, -123_456_789].map(comma)).toEqual([
    '0,00',
    '0,05',
    '-0,05',
    '3.380,67',
    '-1.234.567,89',
  ])
})

test('the mock also runs as a program, and prints its address', async () => {
  const path = resolve(import.meta.dirname, '../../../support/erp/erp-server.ts')
  const child = spawn(process.execPath, [path, '--port', '0', '--documents', '50'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill()
    await once(child, 'exit')
  })
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  const [base = ''] = said.toString().split('\n')
  const answer = await fetch(`${base}/api/v2/purchases?limit=100`, {
    headers: { authorization: `Bearer ${KEYS.v2}` },
  })
  expect(((await answer.json()) as { items: unknown[] }).items).toHaveLength(20)
})
