/** Odoo against the bodies that were composed from its documentation. Runs only where SELLO_SHARED names the folder of facts. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { odoo } from '../../server/integrations/erp/odoo/index.ts'
import { readingOf } from '../support/erp/reading.ts'

const shared = process.env['SELLO_SHARED'] ?? ''

interface Exchange {
  request: { method: string; path: string }
  response: { status: number; headers: Record<string, string>; body: unknown }
}

/** Answers as the file says; what it says nothing of is empty, and what is refused in it is told apart by its status. */
async function sampleServer(keepRefusals: boolean) {
  const file = readFileSync(join(shared, 'erp/samples/odoo-json2.json'), 'utf8')
  const { exchanges } = JSON.parse(file) as { exchanges: Exchange[] }
  const server = createServer((request, response) => {
    const found = exchanges.find(
      (each) =>
        each.request.method === request.method &&
        each.request.path === request.url &&
        (keepRefusals || each.response.status === 200),
    )
    const { status, headers, body } = found?.response ?? { status: 200, headers: {}, body: [] }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return readingOf(odoo, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    secret: 'a-key-of-the-samples',
  })
}

describe.skipIf(shared === '')('the samples of Odoo', () => {
  test('name the company', async () => {
    const reading = await sampleServer(false)
    expect(await odoo.verify(reading.ctx)).toMatchObject({
      accountName: 'Obrador del Ebro SL',
      accountTaxId: 'B50770015',
      missing: [],
      notes: { companyId: 1, companyCurrency: 'EUR', version: '19.0' },
    })
  })

  test('have a client and an archived one', async () => {
    const reading = await sampleServer(false)
    const { contacts, rejects } = await reading.pull({ resource: 'contacts' })
    expect(rejects).toEqual([])
    expect(contacts).toMatchObject([
      {
        externalId: '41',
        name: 'Panadería Ebro SL',
        taxId: 'B50123454',
        isPerson: false,
        isClient: true,
        isSupplier: false,
        email: null,
        archived: false,
        address: {
          line: 'Calle de la Prueba 1',
          postalCode: '50001',
          province: 'Zaragoza',
          countryCode: 'ES',
        },
      },
      { externalId: '42', taxId: null, isPerson: true, address: null, archived: true },
    ])
  })

  test('have an invoice that is partly paid, a draft without a day and a refund', async () => {
    const reading = await sampleServer(false)
    const window = { from: '2026-01-01', to: '2026-06-30' }
    const { documents, rejects, mark } = await reading.pull({ resource: 'issued', window })
    expect([rejects, mark]).toEqual([[], '2026-03-02 08:06:00'])
    expect(documents).toMatchObject([
      {
        externalId: '900',
        number: 'INV/2026/00007',
        state: 'approved',
        paymentState: 'partial',
        issueDate: '2026-02-10',
        dueDate: '2026-03-12',
        netCents: 10_000,
        taxCents: 2100,
        totalCents: 12_100,
        paidCents: 10_000,
        pendingCents: 2100,
        lines: [{ description: 'Mantenimiento', netCents: 10_000, taxKeys: ['31'] }],
      },
      { externalId: '901', number: null, state: 'draft', issueDate: null, totalCents: 1210 },
      {
        externalId: '902',
        number: 'RINV/2026/00001',
        docKind: 'rectifying',
        netCents: -2000,
        taxCents: -420,
        totalCents: -2420,
        pendingCents: -2420,
        eur: { totalCents: -2420 },
      },
    ])
  })

  test('have a key that is not accepted', async () => {
    const reading = await sampleServer(true)
    await expect(odoo.verify(reading.ctx)).rejects.toMatchObject({ code: 'erp_key_rejected' })
  })
})
