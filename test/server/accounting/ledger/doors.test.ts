/** Access to the ledger: reads for keys, writes for people, and automatic entries of invoices. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setRegistryStatus } from '../../../../server/sales/invoices/index.ts'
import { sendBook } from '../../../../server/registry/index.ts'
import { World, EXAMPLE_DRAFT } from '../../../support/world.ts'

const world = new World({ at: '2026-07-01T10:00:00+02:00' })
beforeAll(async () => {
  await world.open()
  await world.setUp()
  const draft = await world.createDraft({ ...EXAMPLE_DRAFT, withholdingPct: 15 })
  await world.issue(draft.id)
})
afterAll(() => world.close())

test('an issued invoice appears in the journal with its document', async () => {
  const { status, body } = await world.get('/api/v1/ledger/journal?year=2026')
  expect(status).toBe(422)
  expect(body.error.code).toBe('validation_failed')
  const journal = await world.get('/api/v1/ledger/journal?from=2026-01-01&to=2026-12-31&language=en')
  expect(journal.status).toBe(200)
  const [entry] = journal.body.data.items
  expect(entry).toMatchObject({
    date: '2026-07-01',
    text: null,
    total: 24.2,
    source: { type: 'invoice', label: 'T-F2026-0001', party: 'Ana Ruiz Gil' },
  })
  const sides = Object.fromEntries(
    entry.lines.map((line: { account: string; debit: number; credit: number }) => [
      line.account,
      line.debit - line.credit,
    ]),
  )
  expect(sides).toEqual({ '430': 21.2, '473': 3, '705': -20, '4772100': -4.2 })
  const one = await world.get(`/api/v1/ledger/entries/${entry.id}?language=en`)
  expect(one.body.data).toEqual(entry)
  expect((await world.get('/api/v1/ledger/entries/ent_0000000000000000')).status).toBe(404)
})

test('every report has the same amounts', async () => {
  const get = async (path: string) => (await world.get(`/api/v1/ledger/${path}`)).body.data
  expect(await get('accounts/430?from=2026-07-01')).toMatchObject({ opening: 0, debit: 21.2, closing: 21.2 })
  const trial = await get('trial-balance?year=2026&quarter=3')
  expect(trial.totals).toEqual({ opening: 0, debit: 24.2, credit: 24.2, balance: 0 })
  expect(await get('profit-and-loss?year=2026')).toMatchObject({ result: 20, previousResult: 0 })
  expect(await get('balance-sheet?year=2026&month=7')).toMatchObject({
    totalAssets: 24.2,
    totalEquityAndLiabilities: 24.2,
    balanced: true,
  })
  const { items } = await get('accounts?used=true')
  expect(items.find((account: { code: string }) => account.code === '705')).toMatchObject({ balance: -20 })
  expect(await get('periods')).toMatchObject({ lockedUntil: null, proposed: '2026-06-30' })
  const both = await world.get('/api/v1/ledger/trial-balance?year=2026&quarter=1&month=2')
  expect(both.body.error.details.faults[0]).toMatchObject({ code: 'not_together', field: 'month' })
})

test('an exported file has a name and a media type', async () => {
  const csv = await world.get('/api/v1/ledger/export?what=journal&format=csv&year=2026')
  expect(csv.status).toBe(200)
  expect(csv.headers['content-type']).toContain('text/csv')
  expect(csv.raw.body).toContain('T-F2026-0001')
})

test('a key needs fiscal.read, and only people can write', async () => {
  const { key } = await world.makeKey({ scopes: ['invoices.read'] })
  const refused = await world.get('/api/v1/ledger/journal', { key })
  expect([refused.status, refused.body.error.code]).toEqual([403, 'scope_missing'])
  expect((await world.post('/api/v1/ledger/entries', {})).status).toBe(404)
  const written = await world.call('ledger.writeEntry', {
    date: '2026-07-01',
    text: 'Aportación',
    lines: [
      { account: '572', debit: 100 },
      { account: '550', credit: 100 },
    ],
  })
  expect(written.status).toBe(200)
  const removed = await world.call('ledger.removeEntry', { id: written.body.data.id })
  expect(removed.body.data).toEqual({ removed: true })
})

test('a cancelled invoice is removed from every balance, and the verification still passes', async () => {
  const draft = await world.createDraft()
  const issued = await world.issue(draft.id)
  // Only a record that the authority has answered can be cancelled.
  await sendBook(world.env, world.books.test, setRegistryStatus)
  const before = await world.run('ledger.entriesOf', { type: 'invoice', id: issued.id })
  expect(before.items).toHaveLength(1)
  const validated = await world.post(`/api/v1/invoices/${issued.id}/validate`, { action: 'cancel' })
  const { confirmationToken } = validated.body.data.confirmation
  const cancelled = await world.post(`/api/v1/invoices/${issued.id}/cancel`, { confirmationToken })
  expect(cancelled.status).toBe(200)
  const after = await world.run('ledger.entriesOf', { type: 'invoice', id: issued.id })
  expect(after.items.map((entry) => [entry.date, entry.source.type, entry.source.label])).toEqual([
    ['2026-07-01', 'invoice', issued.number],
    ['2026-07-01', 'reversal', issued.number],
  ])
  const { verifyLedger } = await import('../../../../server/accounting/ledger/index.ts')
  expect(await verifyLedger(world.ctx())).toMatchObject({ ok: true, faults: [] })
  const { rows } = await world.run('ledger.trialBalance', { year: 2026 })
  expect(rows.find((row) => row.code === '705')?.balance).toBe(-20)
})
