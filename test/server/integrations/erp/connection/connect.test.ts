/**
 * Connecting an accounting system: the key is tried before it is stored, sealed while stored, destroyed afterwards,
 * and never leaks.
 */
import { sql } from 'kysely'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEYS } from '../../../../support/erp/erp-server.ts'
import { openStage } from '../../../../support/erp/erp-stage.ts'
import { piecesHeld } from '../../../../support/checks/store-pages.ts'
import { inLongRun, swept } from '../../../../support/sweep.ts'
import { openWorld } from '../../../../support/world.ts'
import type { World } from '../../../../support/world.ts'

const longTest = inLongRun(test)

/** Every kind of document, few of each. */
const FEW = { contacts: 8, issued: 60, received: 30, items: 5 } as const

/** Returns the files below a folder that contain a text, as UTF-8 or UTF-16. */
function filesWith(folder: string, text: string): string[] {
  const needles = [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le')]
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .filter((path) => {
      const bytes = readFileSync(path)
      return needles.some((needle) => bytes.includes(needle))
    })
}

const sealedOf = async (world: World): Promise<string | null> =>
  (await world.ctx().db.selectFrom('erp_connections').select('sealed_key').executeTakeFirst())?.sealed_key ??
  null

describe('a key', () => {
  test('is tried with five calls, stored sealed, and never leaks', async () => {
    const { world, connect, newCalls, sync } = await openStage(FEW)
    const key = await world.key()
    const answer = await world.post(
      '/api/v1/integrations/erp/api-key',
      { erpApiKey: `  ${KEYS.v2}\n` },
      { key },
    )
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({
      connected: true,
      erpAccountName: null,
      lastSyncAt: null,
      provider: 'holded',
      apiFlavour: 'v2',
      permissions: { missing: [] },
      keyHint: 'pat_…9f3a',
    })
    expect(newCalls()).toHaveLength(5)
    const sealed = await sealedOf(world)
    expect(sealed).toMatch(/^v1\./)
    expect(sealed).not.toContain(KEYS.v2)
    await sync()
    const said = [
      answer.raw.body,
      ...(await Promise.all(
        [
          '/api/v1/integrations/accounting/status',
          '/api/v1/integrations/erp/runs',
          '/api/v1/audit/events',
          '/api/v1/companies/current',
        ].map(async (path) => (await world.get(path, { key })).raw.body),
      )),
      ...world.logged,
    ]
    for (const text of said) expect(text).not.toContain(KEYS.v2)
    expect(filesWith(world.folder, KEYS.v2)).toEqual([])
    const events = await world.env.store.reader.selectFrom('events').select('data').execute()
    expect(JSON.stringify(events)).not.toContain(KEYS.v2)
    await connect()
  })

  longTest(
    'is destroyed with its sealed text, also in the write-ahead log; the records read stay',
    async () => {
      const { world, connect, sync } = await openStage(FEW)
      await connect()
      await sync()
      const sealed = (await sealedOf(world))!
      // Also proves that reading pages works: the key is there while it is in use.
      expect(piecesHeld(world.folder, sealed)).toBeGreaterThan(0)
      const key = await world.key()
      const gone = await world.delete('/api/v1/integrations/erp/api-key', { key })
      expect(gone.body.data).toEqual({ connected: false, removed: true, dataKept: true })
      expect(await sealedOf(world)).toBeNull()
      expect(piecesHeld(world.folder, sealed)).toBe(0)
      expect((await world.delete('/api/v1/integrations/erp/api-key', { key })).body.data).toEqual({
        connected: false,
        removed: false,
        dataKept: true,
      })
      const [integration] = (await world.run('erp.status', {})).integrations
      expect(integration).toMatchObject({ state: 'disconnected', connected: false, keyHint: null })
      expect(integration!.counts.issued).toBe(FEW.issued)
      await expect(sync()).rejects.toMatchObject({ code: 'erp_not_connected' })
    },
  )

  test('that is refused changes nothing, and costs only one call', async () => {
    const { world, connect, newCalls, sync } = await openStage(FEW)
    await connect()
    const before = await sealedOf(world)
    newCalls()
    const wrong = { erpApiKey: 'pat_this-is-no-key-of-this-account-0000' }
    await expect(world.run('erp.connect', wrong)).rejects.toMatchObject({ code: 'erp_key_rejected' })
    expect(newCalls()).toHaveLength(1)
    expect(await sealedOf(world)).toBe(before)
    expect(await sync()).toMatchObject({ state: 'completed' })
  })

  test('without the necessary permissions is not stored, and the missing ones are named', async () => {
    const { world } = await openStage({
      ...FEW,
      keys: { [KEYS.v2]: ['contacts:contacts.read', 'accounting:taxes.read', 'sales:invoices.read'] },
    })
    const key = await world.key()
    const answer = await world.post('/api/v1/integrations/erp/api-key', { erpApiKey: KEYS.v2 }, { key })
    expect(answer.status).toBe(422)
    expect(answer.body.error).toMatchObject({
      code: 'erp_permission_missing',
      field: 'erpApiKey',
      details: {
        permissions: {
          granted: ['contacts:contacts.read', 'sales:invoices.read', 'accounting:taxes.read'],
          missing: ['accounting:purchases.read', 'inventory:products.read'],
        },
      },
    })
    expect(await sealedOf(world)).toBeNull()
  })

  test.each(swept(['v1', 'odoo'] as const, (face) => face === 'odoo'))(
    'of %s returns the name of the account and warns of another company',
    async (face) => {
      const { connect } = await openStage(FEW)
      const answer = await connect(face)
      expect(answer.erpAccountName).toBe('Obrador del Ebro SL')
      expect(answer.warnings).toEqual([
        expect.objectContaining({ code: 'erp_company_differs', severity: 'warning', field: 'erpApiKey' }),
      ])
    },
  )

  test('can be entered only with the scope', async () => {
    const { world } = await openStage(FEW)
    const { key } = await world.makeKey({ scopes: ['integrations.read'] })
    const answer = await world.post('/api/v1/integrations/erp/api-key', { erpApiKey: KEYS.v2 }, { key })
    expect(answer.body.error).toMatchObject({ code: 'scope_missing' })
    expect((await world.get('/api/v1/integrations/accounting/status', { key })).status).toBe(200)
  })
})

describe('another account', () => {
  test('is recognized by its tax number, and replacing keeps the earlier records apart', async () => {
    const stage = await openStage(FEW)
    const { world, sync } = stage
    await stage.connect('odoo')
    await sync()
    // The same credentials, another company behind them.
    await world.env.store.transaction(world.books.test.companyId, (db) =>
      db
        .updateTable('erp_connections')
        .set({ account_tax_id: 'B11111119' })
        .execute()
        .then(() => {}),
    )
    await expect(stage.connect('odoo')).rejects.toMatchObject({
      code: 'erp_other_account',
      details: { reason: 'tax_id' },
    })
    await world.run('erp.connect', {
      erpApiKey: KEYS.odoo,
      provider: 'odoo',
      baseUrl: stage.erp.base,
      replace: true,
    })
    const { integrations } = await world.run('erp.status', {})
    const own = integrations.filter(({ provider }) => provider === 'odoo')
    expect(own.map(({ state, counts }) => [state, counts.issued])).toEqual([
      ['connected', 0],
      ['disconnected', FEW.issued],
    ])
    expect((await world.run('erp.documents', { side: 'issued' })).items).toEqual([])
    const old = own[1]!.connectionId!
    expect((await world.run('erp.documents', { side: 'issued', connectionId: old })).items).toHaveLength(25)
    expect(await world.run('erp.forget', { connectionId: old })).toMatchObject({
      deleted: FEW.issued + FEW.received + FEW.contacts + FEW.items,
    })
    await expect(world.run('erp.forget', { connectionId: own[0]!.connectionId! })).rejects.toMatchObject({
      code: 'erp_still_connected',
    })
  })

  test('without a name is recognized by its records', async () => {
    const { world, connect, sync } = await openStage(FEW)
    await connect()
    await sync()
    await connect()
    await world.env.store.transaction(world.books.test.companyId, async (db) => {
      for (const table of ['erp_contacts', 'erp_documents', 'erp_items'] as const)
        await db
          .updateTable(table)
          .set(() => ({ external_id: sql<string>`external_id || ${'x'}` }))
          .execute()
    })
    await expect(connect()).rejects.toMatchObject({
      code: 'erp_other_account',
      details: { reason: 'unknown_records', connected: 'pat_…9f3a' },
    })
    expect(await world.run('erp.connect', { erpApiKey: KEYS.v2, sameAccount: true })).toMatchObject({
      connected: true,
    })
    expect((await world.run('erp.status', {})).integrations[0]!.counts.issued).toBe(FEW.issued)
  })

  test('has to be chosen when one key opens several companies', async () => {
    const { world, erp } = await openStage({
      ...FEW,
      odooCompanies: [
        { id: 1, name: 'Obrador del Ebro SL', vat: 'ESB50770015' },
        { id: 2, name: 'Segunda SL', vat: false },
      ],
    })
    const input = { erpApiKey: KEYS.odoo, provider: 'odoo' as const, baseUrl: erp.base }
    await expect(world.run('erp.connect', input)).rejects.toMatchObject({
      code: 'erp_account_choice',
      field: 'accountId',
      details: { accounts: [{ id: '1' }, { id: '2' }] },
    })
    expect(await world.run('erp.connect', { ...input, accountId: '2' })).toMatchObject({
      erpAccountName: 'Segunda SL',
    })
  })
})

describe('an address', () => {
  let shared: World
  beforeAll(async () => {
    shared = await openWorld({ shared: true })
  })
  afterAll(() => shared.close())

  test.each([
    [undefined, 'baseUrl', 'required'],
    ['ftp://example.test', 'baseUrl', 'erp_address'],
    ['http://example.test', 'baseUrl', 'erp_address'],
    ['https://user:password@example.test', 'baseUrl', 'erp_address'],
    ['https://example.test/?a=1', 'baseUrl', 'erp_address'],
    ['no address', 'baseUrl', 'erp_address'],
  ])('of a self-hosted system: %s', async (baseUrl, field, code) => {
    const input = { erpApiKey: KEYS.odoo, provider: 'odoo' as const, ...(baseUrl ? { baseUrl } : {}) }
    await expect(shared.run('erp.connect', input)).rejects.toMatchObject({
      code: 'validation_failed',
      field,
      details: { faults: [{ code }] },
    })
  })

  test('in the private network can be chosen by a person, not by a program', async () => {
    const { world, erp } = await openStage(FEW)
    const key = await world.key()
    const body = { erpApiKey: KEYS.odoo, provider: 'odoo', baseUrl: erp.base }
    const answer = await world.post('/api/v1/integrations/erp/api-key', body, { key })
    expect(answer.status).toBe(422)
    expect(answer.body.error.code).toBe('erp_address_refused')
    expect(erp.calls).toEqual([])
  })

  test('is rejected for providers with a fixed address', async () => {
    const { world, erp } = await openStage(FEW)
    const input = { erpApiKey: KEYS.v2, baseUrl: erp.base }
    await expect(world.run('erp.connect', input)).rejects.toMatchObject({ field: 'baseUrl' })
  })
})

test('the two books of a company have connections of their own', async () => {
  const { world, connect, sync } = await openStage(FEW)
  await connect()
  await sync()
  const live = await world.run('erp.status', {}, { book: 'live' })
  expect(live.integrations.every(({ connected, connectionId }) => !connected && connectionId === null)).toBe(
    true,
  )
  expect((await world.run('erp.documents', { side: 'issued' }, { book: 'live' })).items).toEqual([])
  expect((await world.run('company.current', {})).erp).toMatchObject({ connected: true })
  expect((await world.run('company.current', {}, { book: 'live' })).erp).toEqual({
    connected: false,
    lastSyncAt: null,
  })
})
