/** Odoo, read over real HTTP from the mock endpoint: records, changes, deletions, and the meaning of each refusal. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AppError } from '../../../../server/domain/errors/app-error.ts'
import { odoo } from '../../../../server/integrations/erp/odoo/index.ts'
import { timeOf } from '../../../../server/integrations/erp/odoo/paging.ts'
import { CursorRefused } from '../../../../server/integrations/erp/port.ts'
import type { Credentials, NeutralDocument } from '../../../../server/integrations/erp/port.ts'
import { totalsOf } from '../../../support/erp/book.ts'
import type { Contact } from '../../../support/erp/book.ts'
import { FIRST_ID } from '../../../support/erp/odoo-rows.ts'
import { readingOf } from '../../../support/erp/reading.ts'
import { KEYS, startErpServer } from '../../../support/erp/erp-server.ts'
import type { ErpServerOptions } from '../../../support/erp/erp-server.ts'
import { inLongRun } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

const WINDOW = { from: '2026-01-01', to: '2026-12-31' }

async function open(options: ErpServerOptions = {}, credentials: Partial<Credentials> = {}) {
  const server = await startErpServer(options)
  onTestFinished(() => server.close())
  const reading = readingOf(odoo, server.base, { secret: KEYS.odoo, ...credentials })
  const verify = async () => {
    const verified = await odoo.verify(reading.ctx)
    reading.ctx.notes = verified.notes
    return verified
  }
  return {
    server,
    reading,
    verify,
    asked: () => server.calls.map(({ path }) => path.replace('/json/2/', '')),
  }
}

const idOf = (side: 'issued' | 'received', index: number): string => String(FIRST_ID[side] + index)

describe('a key', () => {
  test('is checked with eight calls, of which the first does not send it', async () => {
    const { server, reading, verify, asked } = await open()
    expect(await verify()).toMatchObject({
      accountName: 'Obrador del Ebro SL',
      accountTaxId: 'B50770015',
      apiFlavour: 'json-2 (19.0)',
      granted: [
        'res.partner:read',
        'account.move:read',
        'account.move.line:read',
        'account.tax:read',
        'product.product:read',
      ],
      missing: [],
      accounts: [],
      samples: [
        { externalKind: 'res.partner', externalId: '41' },
        { externalKind: 'res.partner', externalId: '42' },
        { externalKind: 'res.partner', externalId: '43' },
        { externalKind: 'account.move', externalId: '100000' },
        { externalKind: 'account.move', externalId: '100001' },
        { externalKind: 'account.move', externalId: '100002' },
      ],
      notes: { version: '19.0', companyId: 1, companyCurrency: 'EUR' },
    })
    expect(asked()).toEqual([
      '/web/version',
      'res.users/context_get',
      'res.partner/search',
      'account.move/search',
      'account.move.line/search',
      'product.product/search',
      'account.tax/search_read',
      'res.company/search_read',
    ])
    expect(reading.calls.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(JSON.stringify(reading.ctx.notes).length).toBeLessThan(2000)
    expect(await odoo.quota(reading.ctx)).toBe(null)
    expect(server.calls).toHaveLength(8)
  })

  test('that is refused is reported after one call', async () => {
    const { verify, asked } = await open({}, { secret: 'a-key-that-was-revoked' })
    await expect(verify()).rejects.toMatchObject({ code: 'erp_key_rejected', details: undefined })
    expect(asked()).toEqual(['/web/version', 'res.users/context_get'])
  })

  test('may lack permissions, which are named', async () => {
    const keys = { [KEYS.odoo]: ['res.partner:read', 'account.tax:read'] }
    const { verify, reading } = await open({ keys })
    expect(await verify()).toMatchObject({
      accountName: 'Obrador del Ebro SL',
      granted: ['res.partner:read', 'account.tax:read'],
      missing: ['account.move:read', 'account.move.line:read', 'product.product:read'],
    })
    const pulled = reading.pull({ resource: 'issued', window: WINDOW })
    await expect(pulled).rejects.toMatchObject({
      code: 'erp_permission_missing',
      details: { permissions: { missing: ['account.move:read'] } },
    })
  })

  test('may open several companies, of which one is chosen', async () => {
    const odooCompanies = [
      { id: 1, name: 'Obrador del Ebro SL', vat: 'ESB50770015' },
      { id: 4, name: 'Ebro Catering SL', vat: false as const },
    ]
    const several = await open({ odooCompanies })
    expect(await several.verify()).toMatchObject({
      accountName: null,
      accounts: [
        { id: '1', name: 'Obrador del Ebro SL', taxId: 'B50770015' },
        { id: '4', name: 'Ebro Catering SL', taxId: null },
      ],
    })
    expect(several.reading.ctx.notes.companyId).toBe(undefined)
    const chosen = await open({ odooCompanies }, { accountId: '4' })
    expect(await chosen.verify()).toMatchObject({ accountName: 'Ebro Catering SL', accounts: [] })
    const { documents } = await chosen.reading.pull({ resource: 'issued', window: WINDOW })
    expect(documents.map(({ externalId }) => Number(externalId) % 2)).toEqual(Array(50).fill(1))
    const gone = await open({ odooCompanies }, { accountId: '9' })
    expect((await gone.verify()).accounts).toHaveLength(2)
  })

  test.each([
    ['18.0', '18.0'],
    ['saas~18.4', 'saas~18.4'],
  ])('of version %s is rejected before it is sent', async (odooVersion, version) => {
    const { verify, server } = await open({ odooVersion })
    await expect(verify()).rejects.toMatchObject({
      code: 'erp_protocol_error',
      details: { reason: 'version', version },
    })
    expect(server.calls).toHaveLength(1)
  })

  test('of a hosted version between two releases is accepted', async () => {
    const { verify } = await open({ odooVersion: 'saas~19.2' })
    expect((await verify()).apiFlavour).toBe('json-2 (saas~19.2)')
  })

  test('names its database where one address serves several', async () => {
    const right = await open({ odooDatabase: 'ebro' }, { database: 'ebro' })
    expect((await right.verify()).missing).toEqual([])
    const wrong = await open({ odooDatabase: 'ebro' })
    await expect(wrong.verify()).rejects.toMatchObject({
      code: 'erp_protocol_error',
      details: { reason: 'not_found', model: 'res.users' },
    })
  })
})

describe('a full pass reads everything', () => {
  test('page by page, including archived rows, with one call for the lines of a page', async () => {
    const { server, reading, verify, asked } = await open({
      contacts: 450,
      issued: 500,
      received: 201,
      items: 30,
    })
    await verify()
    server.calls.length = 0
    const contacts = await reading.pull({ resource: 'contacts' })
    expect(contacts.contacts.map(({ externalId }) => Number(externalId))).toEqual(
      Array.from({ length: 450 }, (_, at) => FIRST_ID.contact + at),
    )
    expect(contacts.contacts.filter(({ archived }) => archived)).toHaveLength(23)
    // One for the newest change, three pages.
    expect(asked()).toEqual(Array(4).fill('res.partner/search_read'))

    server.calls.length = 0
    const issued = await reading.pull({ resource: 'issued', window: WINDOW })
    expect([issued.documents.length, issued.pages.length, issued.rejects]).toEqual([500, 3, []])
    expect(asked()).toEqual([
      'account.move/search_read',
      ...Array(3).fill(['account.move/search_read', 'account.move.line/search_read']).flat(),
    ])
    expect(issued.pages.map(({ rawCount, nextCursor }) => [rawCount, nextCursor === null])).toEqual([
      [200, false],
      [200, false],
      [100, true],
    ])
    expect(issued.pages.every((page) => page.repeatedCursor === undefined)).toBe(true)

    const received = await reading.pull({ resource: 'received', window: WINDOW })
    expect(received.documents).toHaveLength(201)
    expect(new Set(received.documents.map(({ side }) => side))).toEqual(new Set(['received']))
    const catalogue = await reading.pull({ resource: 'catalogue' })
    expect([catalogue.items.length, catalogue.items.filter(({ archived }) => archived).length]).toEqual([
      30, 2,
    ])
  })

  test('of the requested days, with the drafts that have no date yet', async () => {
    const { reading, verify } = await open({ issued: 120 })
    await verify()
    const { documents } = await reading.pull({
      resource: 'issued',
      window: { from: '2026-03-01', to: '2026-03-31' },
    })
    const dated = documents.filter(({ issueDate }) => issueDate !== null)
    expect(dated.length).toBeGreaterThan(8)
    expect(dated.every(({ issueDate }) => issueDate?.startsWith('2026-03'))).toBe(true)
    const undated = documents.filter(({ issueDate }) => issueDate === null)
    expect(undated.map(({ externalId, state, number }) => [externalId, state, number])).toEqual([
      [idOf('issued', 39), 'draft', null],
      [idOf('issued', 79), 'draft', null],
      [idOf('issued', 119), 'draft', null],
    ])
  })

  test('to the cent: every document of a large data set matches it', async () => {
    const { server, reading, verify } = await open({ issued: 400, received: 400 })
    await verify()
    for (const side of ['issued', 'received'] as const) {
      const { documents, rejects } = await reading.pull({ resource: side, window: WINDOW })
      expect([documents.length, rejects]).toEqual([400, []])
      const seen = new Set<string>()
      for (const found of documents) {
        const doc = server.book.doc(side, Number(found.externalId) - FIRST_ID[side])
        const totals = totalsOf(doc)
        const isRefund = doc.kind === 'credit' || doc.kind === 'purchase-refund'
        const signed = (cents: number): number => (cents === 0 ? 0 : isRefund ? -cents : cents)
        expect(found.warnings, doc.id).toEqual([])
        expect(found, doc.id).toMatchObject({
          amountCheck: 'ok',
          state: doc.state,
          netCents: signed(totals.net),
          taxCents: signed(totals.vat),
          surchargeCents: signed(totals.surcharge),
          withholdingCents: signed(totals.withholding),
          totalCents: signed(totals.total),
          party: { name: doc.contactName, externalId: String(FIRST_ID.contact + doc.contact) },
        })
        expect(found.netCents + found.taxCents + found.surchargeCents - found.withholdingCents).toBe(
          found.totalCents,
        )
        expect(found.lines.reduce((sum, line) => sum + line.netCents, 0)).toBe(found.netCents)
        const [first] = doc.lines
        expect(found.lines[0], doc.id).toMatchObject({
          vatBp: first?.reverseCharge ? 0 : (first?.vatPct ?? 0) * 100,
          withholdingBp: first?.withholdingPct ? first.withholdingPct * 100 : null,
          unitPrice: (first?.priceCents ?? 0) * 10_000,
          quantity: signed(first?.units ?? 0) * 1_000_000,
          discountBp: (first?.discountPct ?? 0) * 100,
        })
        seen.add(
          [
            found.docKind,
            found.state,
            found.currency,
            found.withholdingCents !== 0,
            found.surchargeCents !== 0,
          ].join(),
        )
      }
      // Drafts, cancelled ones, refunds, dollars, withholding and surcharge have all been among them.
      expect(seen.size).toBeGreaterThan(7)
    }
  })
})

describe('a document', () => {
  async function all(options: ErpServerOptions = {}) {
    const { reading, verify, server } = await open({ issued: 120, received: 120, ...options })
    await verify()
    const issued = await reading.pull({ resource: 'issued', window: WINDOW })
    const received = await reading.pull({ resource: 'received', window: WINDOW })
    const by = (side: 'issued' | 'received', index: number): NeutralDocument => {
      const pulled = side === 'issued' ? issued : received
      const found = pulled.documents.find(({ externalId }) => externalId === idOf(side, index))
      if (!found) throw new Error(`no document ${index}`)
      return found
    }
    return { by, server }
  }

  test('that is a refund is negative, with its lines and euros', async () => {
    const { by, server } = await all()
    const credit = by('issued', 24)
    expect([credit.docKind, credit.number]).toEqual(['rectifying', 'R2600025'])
    expect(credit.totalCents).toBe(-totalsOf(server.book.doc('issued', 24)).total)
    expect(credit.eur?.totalCents).toBe(credit.totalCents)
    expect(Math.sign(credit.lines[0]?.quantity ?? 0)).toBe(-1)
    const refund = by('received', 29)
    expect([refund.docKind, refund.supplierNumber]).toEqual(['refund', 'ABONO-2600030'])
    expect(refund.totalCents).toBeLessThan(0)
    // The pending amount of a refund is owed in the opposite direction.
    expect(refund.pendingCents).toBeLessThanOrEqual(0)
    expect((refund.paidCents ?? 0) + (refund.pendingCents ?? 0)).toBe(refund.totalCents)
  })

  test('of a supplier has two numbers', async () => {
    const { by } = await all()
    expect(by('received', 0)).toMatchObject({ number: 'BILL/2026/1', supplierNumber: 'PROV-2600001' })
    expect(by('issued', 0)).toMatchObject({ number: 'F2600001', supplierNumber: null })
  })

  test('is paid, partly paid or unpaid, and a draft or a cancelled one has no payment', async () => {
    const { by } = await all()
    expect(by('issued', 0)).toMatchObject({ paymentState: 'paid', pendingCents: 0 })
    expect(by('issued', 1).paymentState).toBe('partial')
    expect(by('issued', 2)).toMatchObject({ paymentState: 'unpaid', paidCents: 0 })
    const draft = by('issued', 19)
    expect(draft).toMatchObject({
      state: 'draft',
      number: null,
      paymentState: 'unpaid',
      pendingCents: draft.totalCents,
    })
    expect(by('issued', 31)).toMatchObject({ state: 'cancelled', paidCents: null, pendingCents: null })
  })

  test('in dollars keeps them, and has the euros of its own books', async () => {
    const { by, server } = await all()
    const dollars = by('issued', 16)
    const { total, net } = totalsOf(server.book.doc('issued', 16))
    expect(dollars).toMatchObject({ currency: 'USD', totalCents: total, warnings: [] })
    expect(Number(dollars.fxRate)).toBeCloseTo(1.0845, 3)
    expect(dollars.eur).toEqual({
      netCents: Math.round(net / 1.0845),
      taxCents: 0,
      totalCents: Math.round(total / 1.0845),
    })
    // A supplier's document is negative in Odoo's books without being a refund.
    const bill = by('received', 16)
    expect([bill.currency, Math.sign(bill.totalCents), Math.sign(bill.eur?.totalCents ?? 0)]).toEqual([
      'USD',
      1,
      1,
    ])
    expect(by('issued', 0)).toMatchObject({ currency: 'EUR', fxRate: '1' })
  })

  test('of a reverse charge has a rate of 0', async () => {
    const { by } = await all()
    const reversed = by('received', 12)
    expect(reversed).toMatchObject({ taxCents: 0, withholdingCents: 0, warnings: [] })
    expect(reversed.lines.map(({ vatBp, taxKeys }) => [vatBp, taxKeys])).toEqual(
      reversed.lines.map(() => [0, ['46']]),
    )
  })
})

describe('a pass over changes', () => {
  test('reads only those, and then reports which records still exist', async () => {
    const { server, reading, verify } = await open({ issued: 300 })
    await verify()
    const first = await reading.pull({ resource: 'issued', window: WINDOW })
    const mark = first.mark ?? ''
    expect(timeOf(mark)).toBe(mark)
    expect([...first.documents].length).toBe(300)

    const draft = server.book.doc('issued', 19)
    server.remove(draft.id)
    server.edit(server.book.doc('issued', 7).id, (doc) => {
      doc.paidPct = 100
    })
    server.calls.length = 0
    const second = await reading.pull({ resource: 'issued', window: WINDOW, since: mark })
    expect(second.documents.map(({ externalId }) => externalId)).toContain(idOf('issued', 7))
    expect(second.documents.length).toBeLessThan(10)
    expect(second.documents.find(({ externalId }) => externalId === idOf('issued', 7))?.pendingCents).toBe(0)
    expect(second.present).toHaveLength(299)
    expect(second.present).not.toContain(idOf('issued', 19))
    expect(second.mark && second.mark > mark).toBe(true)
    expect(server.calls.map(({ path }) => path.replace('/json/2/', ''))).toEqual([
      'account.move/search_read',
      'account.move.line/search_read',
      'account.move/search',
    ])

    // Nothing has changed since, and a mark never goes back.
    server.remove(server.book.doc('issued', 7).id)
    const third = await reading.pull({ resource: 'issued', window: WINDOW, since: second.mark ?? '' })
    expect([third.documents, third.mark]).toEqual([[], second.mark])
  })

  test('is complete although one second has more rows than a page, in any order', async () => {
    const { server, reading, verify } = await open({ issued: 650, contacts: 10, sameSecond: true })
    await verify()
    for (const index of [3, 400]) server.edit(server.book.doc('issued', index).id, () => undefined)
    const since = '2026-10-31 08:00:00'
    const { documents, pages, present, mark } = await reading.pull({
      resource: 'issued',
      window: WINDOW,
      since,
    })
    expect(new Set(documents.map(({ externalId }) => externalId)).size).toBe(650)
    expect(new Set(present).size).toBe(650)
    expect(mark).toBe('2026-10-31 12:02:00')
    expect(pages.length).toBeLessThan(9)
    expect(pages.slice(0, -1).every((page) => page.repeatedCursor === page.nextCursor)).toBe(true)
  })

  longTest('reads each row once where pages end within a second', async () => {
    const { reading, verify } = await open({ issued: 3170, from: '2026-10-01', to: '2026-10-05' })
    await verify()
    const { documents } = await reading.pull({
      resource: 'issued',
      window: WINDOW,
      since: '2026-09-30 00:00:00',
    })
    const ids = documents.map(({ externalId }) => externalId)
    expect([ids.length, new Set(ids).size]).toEqual([3170, 3170])
  })

  test('includes what changed during the full pass', async () => {
    const { server, reading, verify } = await open({ contacts: 450 })
    await verify()
    const pages = [
      await odoo.pull({ resource: 'contacts', cursor: null, window: null, since: null }, reading.ctx),
    ]
    server.edit<Contact>(server.book.contact(3).id, (contact) => {
      contact.name = 'Otro nombre'
    })
    server.edit<Contact>(server.book.contact(449).id, (contact) => {
      contact.name = 'El último'
    })
    const rest = await reading.pull({ resource: 'contacts', cursor: pages[0]?.nextCursor ?? null })
    expect(rest.contacts.at(-1)?.name).toBe('El último')
    const since = rest.mark ?? ''
    const next = await reading.pull({ resource: 'contacts', since })
    expect(next.contacts.map(({ name }) => name)).toContain('Otro nombre')
  })

  test('continues where it stopped, and rejects a foreign cursor', async () => {
    const { reading, verify } = await open({ contacts: 450 })
    await verify()
    const whole = await reading.pull({ resource: 'contacts' })
    const rest = await reading.pull({ resource: 'contacts', cursor: whole.pages[0]?.nextCursor ?? null })
    expect(rest.contacts).toEqual(whole.contacts.slice(200))
    for (const cursor of [
      '',
      '65a000000000000000000003',
      '{}',
      '[]',
      '["all",-1,null]',
      '["changed","today",[]]',
      '["within","2026-01-01 10:00:00","x"]',
    ])
      await expect(reading.pull({ resource: 'contacts', cursor }), cursor).rejects.toBeInstanceOf(
        CursorRefused,
      )
  })
})

describe('a contact', () => {
  test('has the facts that Odoo has, and null for the others', async () => {
    const { server, reading, verify } = await open()
    await verify()
    const { contacts } = await reading.pull({ resource: 'contacts' })
    const { taxId, zip, city, name } = server.book.contact(0)
    expect(contacts[0]).toMatchObject({
      name,
      taxId,
      taxIdRaw: `ES${taxId}`,
      taxIdCountry: 'ES',
      isClient: true,
      isSupplier: false,
      mobile: null,
      iban: null,
      warnings: [],
      address: {
        line: 'Calle de la Prueba 1, 2.º B',
        postalCode: zip,
        city,
        province: city,
        countryCode: 'ES',
      },
    })
    // A slash means that there is no number, as `false` does.
    expect(contacts[6]).toMatchObject({ taxId: null, taxIdRaw: null })
    expect(contacts[13]).toMatchObject({ taxId: null, taxIdRaw: null })
    expect(contacts[4]?.address).toBe(null)
  })
})

describe('a refusal', () => {
  const pullContacts = async (fault: Parameters<Awaited<ReturnType<typeof startErpServer>>['fail']>[0]) => {
    const { server, reading, verify } = await open()
    await verify()
    server.calls.length = 0
    server.fail(fault)
    const error = await reading.pull({ resource: 'contacts' }).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    return { error: error as AppError | null, tries: server.calls.length }
  }

  test.each([
    [401, 'erp_key_rejected', 1],
    ['403-scope', 'erp_permission_missing', 1],
    ['429-month', 'erp_rate_limited', 1],
    [500, 'erp_unavailable', 4],
    ['html', 'erp_protocol_error', 2],
    ['redirect', 'erp_protocol_error', 1],
    ['gzip', 'erp_protocol_error', 1],
    ['deep', 'erp_protocol_error', 1],
    ['huge', 'erp_protocol_error', 1],
    ['reset', 'erp_unavailable', 4],
    ['truncated', 'erp_unavailable', 4],
    ['repeat-page', null, 2],
  ] as const)('%s means %s after %i', async (fault, code, tries) => {
    const result = await pullContacts({ path: 'res.partner', with: fault })
    expect([result.error?.code ?? null, result.tries]).toEqual([code, tries])
    // The code of the external system stays private.
    if (result.error)
      expect(JSON.stringify([result.error.toBody(), result.error.message])).not.toMatch(
        /Traceback|secret_place/,
      )
  })

  test('that is temporary is not noticed', async () => {
    const { server, reading, verify } = await open()
    await verify()
    server.fail({ path: 'res.partner', nth: 1, with: 500 })
    server.fail({ path: 'res.partner', nth: 2, with: '429-minute' })
    expect((await reading.pull({ resource: 'contacts' })).contacts).toHaveLength(40)
  })
})
