/**
 * API keys: shown once, identified by their hash, never with more permissions than their maker, rejected at the next
 * request after revocation.
 */
import { inEmbedded } from '../../../support/engines.ts'
import { embedded } from '../../../../server/db/embedded/port.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listAudit } from '../../../../server/platform/audit/index.ts'
import { SCOPES } from '../../../../server/domain/contract/scopes.ts'
import type { Ctx, KeyActor } from '../../../../server/context.ts'
import {
  authenticate,
  capsUsed,
  createKey,
  createKeyByPerson,
  listKeys,
  MAX_MAKERS,
  revokeKey,
  spendCaps,
  touchKey,
} from '../../../../server/platform/api-keys/index.ts'
import { newKeyText, readKeyText } from '../../../../server/platform/api-keys/secret.ts'
import { openTestStore } from '../../../support/store.ts'

async function testBook(at = '2026-11-21T10:00:00+01:00') {
  const world = await openTestStore({ at })
  const books = await world.company()
  const ctx = world.ctx(books.test)
  const who = (key: string) => authenticate(world.env.store.reader, key, world.env.now())
  const actorOf = async (key: string): Promise<KeyActor> => (await who(key))!.actor
  return { world, books, ctx, who, actorOf }
}

describe('the text of a key', () => {
  test('names its mode, and a typing error anywhere is detected without a query', () => {
    const { key, lookup, prefix } = newKeyText('live')
    expect(key).toMatch(/^svc_live_[A-Za-z0-9_-]{49}$/)
    expect(prefix).toBe(key.slice(0, 17))
    expect(lookup).toBe(key.slice(9, 17))
    for (let index = 0; index < key.length; index++) {
      const typo = key.slice(0, index) + (key[index] === 'x' ? 'y' : 'x') + key.slice(index + 1)
      expect(readKeyText(typo), `typo at ${index}`).toBeNull()
    }
    expect(readKeyText(key.replace('live', 'test'))).toBeNull()
    expect(readKeyText(`${key} `)).toBeNull()
    expect(readKeyText(`${key}\n`)).toBeNull()
  })
})

describe('authentication', () => {
  test('gives a key access to its own book with its own scopes', async () => {
    const { ctx, books, who } = await testBook()
    const made = await createKeyByPerson(ctx, {
      name: 'Tienda',
      scopes: ['invoices.write', 'invoices.read', 'invoices.read'],
      limits: { perDay: 5, eurPerDay: 100.5 },
    })
    expect(made.key.startsWith(made.prefix)).toBe(true)
    expect(await who(made.key)).toEqual({
      actor: {
        kind: 'key',
        rowId: 1,
        companyId: 1,
        id: made.id,
        rootId: made.id,
        name: 'Tienda',
        prefix: made.prefix,
        scopes: ['invoices.read', 'invoices.write'],
        approval: 'always',
        assistant: false,
        expiresAt: null,
        perDay: 5,
        centsPerDay: 10_050,
        personId: null,
      },
      book: books.test,
    })
  })

  test('rejects a key that was never created, or half of one', async () => {
    const { ctx, who } = await testBook()
    const { key } = await createKeyByPerson(ctx, { name: 'Tienda', scopes: ['invoices.read'] })
    expect(await who(newKeyText('test').key)).toBeNull()
    expect(await who('')).toBeNull()
    expect(await who(key.slice(0, 17))).toBeNull()
  })

  test('rejects a key with a known beginning and another secret', async () => {
    const { ctx, world, who } = await testBook()
    const { key } = await createKeyByPerson(ctx, { name: 'Tienda', scopes: ['invoices.read'] })
    const forged = newKeyText('test')
    await world.env.store.transaction(null, (db) =>
      db.updateTable('api_keys').set({ lookup: forged.lookup }).execute(),
    )
    expect(await who(forged.key)).toBeNull()
    expect(await who(key)).toBeNull()
  })

  test('rejects a revoked key and an expired key from then on', async () => {
    const { ctx, world, who } = await testBook()
    const revoked = await createKeyByPerson(ctx, { name: 'A', scopes: ['invoices.read'] })
    const dated = await createKeyByPerson(ctx, {
      name: 'B',
      scopes: ['invoices.read'],
      expiresAt: '2026-11-21T12:00:00+01:00',
    })
    expect(await who(revoked.key)).not.toBeNull()
    expect(await revokeKey(ctx, { id: revoked.id })).toEqual({ revoked: true, alsoRevoked: [] })
    expect(await who(revoked.key)).toBeNull()
    await expect(revokeKey(ctx, { id: revoked.id })).rejects.toMatchObject({ code: 'not_found' })
    expect(await who(dated.key)).not.toBeNull()
    world.setTime('2026-11-21T12:00:00+01:00')
    expect(await who(dated.key)).toBeNull()
    expect((await listKeys(ctx, {})).items).toEqual([])
  })

  inEmbedded(test)(
    "does not reveal the key in any answer but the first, nor in the store's folder or rows",
    async () => {
      const { ctx, world } = await testBook()
      const { key } = await createKeyByPerson(ctx, { name: 'Tienda', scopes: ['invoices.read'] })
      const secret = key.slice(17)
      expect(JSON.stringify(await listKeys(ctx, {}))).not.toContain(secret)
      expect(JSON.stringify((await listAudit(ctx, {})).items)).not.toContain(secret)
      expect(JSON.stringify(await ctx.db.selectFrom('api_keys').selectAll().execute())).not.toContain(secret)
      expect(JSON.stringify(await ctx.db.selectFrom('events').selectAll().execute())).not.toContain(secret)
      embedded(world.env.store).checkpoint()
      for (const file of readdirSync(world.folder))
        expect(readFileSync(join(world.folder, file)).includes(secret), file).toBe(false)
    },
  )
})

describe('creating keys', () => {
  test('an empty book lists no keys; a new one is listed with its permissions', async () => {
    const { ctx } = await testBook()
    expect(await listKeys(ctx, {})).toEqual({ items: [] })
    const { key: _key, ...record } = await createKeyByPerson(ctx, {
      name: 'Tienda',
      scopes: ['invoices.read'],
      approval: 'never',
    })
    expect(record).toMatchObject({
      approval: 'never',
      mode: 'test',
      assistant: false,
      lastUsedAt: null,
      expiresAt: null,
      limits: {},
    })
    expect((await listKeys(ctx, {})).items).toEqual([record])
  })

  test('the name of an active key is taken; that of a revoked or expired one is free', async () => {
    const { ctx, world } = await testBook()
    const first = await createKeyByPerson(ctx, { name: 'Tienda', scopes: ['invoices.read'] })
    await expect(createKey(ctx, { name: ' Tienda ', scopes: ['invoices.read'] })).rejects.toMatchObject({
      code: 'key_name_taken',
    })
    await revokeKey(ctx, { id: first.id })
    await createKey(ctx, {
      name: 'Tienda',
      scopes: ['invoices.read'],
      expiresAt: '2026-11-22T00:00:00+01:00',
    })
    world.setTime('2026-11-22T10:00:00+01:00')
    const third = await createKey(ctx, { name: 'Tienda', scopes: ['invoices.read'] })
    expect((await listKeys(ctx, {})).items.map((key) => key.id)).toEqual([third.id])
  })

  test.each(['keys.write', 'webhooks.write', 'integrations.write'] as const)(
    'an assistant never has %s',
    async (scope) => {
      const { ctx } = await testBook()
      for (const make of [createKey, createKeyByPerson])
        await expect(
          make(ctx, { name: 'Asistente', scopes: ['invoices.read', scope], assistant: true }),
        ).rejects.toMatchObject({
          code: 'validation_failed',
          details: { faults: [{ code: 'assistant_scope' }] },
        })
    },
  )

  test('an assistant never issues without approval', async () => {
    const { ctx } = await testBook()
    await expect(
      createKeyByPerson(ctx, {
        name: 'Asistente',
        scopes: ['invoices.issue'],
        assistant: true,
        approval: 'never',
      }),
    ).rejects.toMatchObject({
      code: 'validation_failed',
      field: 'approval',
    })
  })

  test('all mistakes are reported at once', async () => {
    const { ctx } = await testBook()
    const wrong = createKey(ctx, {
      name: 'X',
      scopes: ['keys.write'],
      assistant: true,
      expiresAt: '2026-11-21T10:00:00+01:00',
      limits: { eurPerDay: 1.005 },
    })
    await expect(wrong).rejects.toMatchObject({
      details: {
        faults: [{ code: 'assistant_scope' }, { code: 'expiry_past' }, { code: 'too_many_decimals' }],
      },
    })
  })
})

describe('a key that creates keys', () => {
  const MAKER = {
    name: 'Gestor',
    scopes: ['keys.write', 'invoices.read'] as ['keys.write', 'invoices.read'],
    limits: { perDay: 10, eurPerDay: 1000 },
    expiresAt: '2026-12-01T00:00:00+01:00',
  }

  async function asMaker() {
    const place = await testBook()
    const { key } = await createKeyByPerson(place.ctx, { ...MAKER, approval: 'never' })
    return { ...place, maker: place.world.ctx(place.books.test, await place.actorOf(key)) }
  }

  test.each([
    ['scopes', { scopes: ['invoices.read', 'invoices.issue'] as const }],
    ['limits.perDay', { limits: { perDay: 11 } }],
    ['limits.eurPerDay', { limits: { eurPerDay: 1000.01 } }],
    ['expiresAt', { expiresAt: '2026-12-01T00:00:01+01:00' }],
  ])('cannot exceed its own %s', async (field, wider) => {
    const { maker, ctx } = await asMaker()
    const input = { name: 'Hija', scopes: ['invoices.read'], ...wider } as Parameters<typeof createKey>[1]
    await expect(createKey(maker, input)).rejects.toMatchObject({ code: 'key_too_wide', field })
    expect((await listKeys(ctx, {})).items.map((key) => key.name)).toEqual(['Gestor'])
  })

  test('passes on its own caps and expiry by default, and always the approval of a person', async () => {
    const { maker } = await asMaker()
    expect(await createKey(maker, { name: 'Hija', scopes: ['invoices.read'] })).toMatchObject({
      approval: 'always',
      expiresAt: '2026-11-30T23:00:00.000Z',
      limits: { perDay: 10, eurPerDay: 1000 },
    })
  })

  test('may create a more limited one', async () => {
    const { maker } = await asMaker()
    const made = await createKey(maker, {
      name: 'Hija',
      scopes: ['keys.write'],
      limits: { perDay: 1 },
      expiresAt: '2026-11-25T00:00:00Z',
    })
    expect(made).toMatchObject({
      scopes: ['keys.write'],
      limits: { perDay: 1, eurPerDay: 1000 },
      expiresAt: '2026-11-25T00:00:00.000Z',
    })
  })

  test('of an assistant creates only keys of assistants', async () => {
    const { world, books, maker } = await asMaker()
    const assistant = world.ctx(books.test, { ...(maker.actor as KeyActor), assistant: true })
    expect(await createKey(assistant, { name: 'Hija', scopes: ['invoices.read'] })).toMatchObject({
      assistant: true,
    })
  })

  test('cannot act as a person', async () => {
    const { maker } = await asMaker()
    await expect(
      createKeyByPerson(maker, { name: 'Hija', scopes: ['invoices.read'], approval: 'never' }),
    ).rejects.toMatchObject({ code: 'scope_missing' })
  })

  test('cannot revoke a key of another book', async () => {
    const { world, books, maker } = await asMaker()
    const live = await createKeyByPerson(world.ctx(books.live), { name: 'Real', scopes: [...SCOPES] })
    expect(live.prefix).toMatch(/^svc_live_/)
    await expect(revokeKey(maker, { id: live.id })).rejects.toMatchObject({ code: 'not_found' })
    expect((await listKeys(world.ctx(books.live), {})).items).toHaveLength(1)
  })

  test('is named in the history of the keys it creates', async () => {
    const { maker, ctx } = await asMaker()
    await createKey(maker, { name: 'Hija', scopes: ['invoices.read'] })
    expect((await listAudit(ctx, { action: 'key.created' })).items[0]).toMatchObject({
      actor: { kind: 'key', name: 'Gestor' },
      channel: 'rest',
      target: { type: 'key', label: 'Hija' },
    })
  })
})

describe('the last use', () => {
  test('is recorded at most once a minute', async () => {
    const { ctx, world, actorOf } = await testBook()
    const { key } = await createKeyByPerson(ctx, { name: 'Tienda', scopes: ['invoices.read'] })
    const actor = await actorOf(key)
    const lastUse = async () => (await listKeys(ctx, {})).items[0]?.lastUsedAt
    await touchKey(world.env, actor)
    expect(await lastUse()).toBe('2026-11-21T09:00:00.000Z')
    world.setTime('2026-11-21T10:00:59+01:00')
    await touchKey(world.env, actor)
    expect(await lastUse()).toBe('2026-11-21T09:00:00.000Z')
    world.setTime('2026-11-21T10:01:00+01:00')
    await touchKey(world.env, actor)
    expect(await lastUse()).toBe('2026-11-21T09:01:00.000Z')
  })

  test('is lost without an error if the store cannot be written', async () => {
    const { ctx, world, actorOf } = await testBook()
    const actor = await actorOf(
      (await createKeyByPerson(ctx, { name: 'Tienda', scopes: ['invoices.read'] })).key,
    )
    world.env.store.close()
    await expect(touchKey(world.env, actor)).resolves.toBeUndefined()
  })
})

describe('daily caps', () => {
  async function capped(limits: { perDay?: number; eurPerDay?: number }, at?: string) {
    const place = await testBook(at)
    const actor = await place.actorOf(
      (await createKeyByPerson(place.ctx, { name: 'Tienda', scopes: ['invoices.issue'], limits })).key,
    )
    const issue = (totalCents: number, then?: (tx: Ctx) => Promise<void>) =>
      place.ctx.transaction(async (tx) => {
        await spendCaps(tx, actor, totalCents)
        await then?.(tx)
      })
    return { ...place, issue }
  }

  test('a key issues up to its cap per day in Spain, and again the next day', async () => {
    const { issue, world } = await capped({ perDay: 2 }, '2026-11-21T23:30:00+01:00')
    await issue(100)
    await issue(100)
    await expect(issue(100)).rejects.toMatchObject({
      code: 'daily_cap_reached',
      retryAfterSeconds: 1800,
      details: { cap: 'perDay', issued: 2 },
    })
    world.setTime('2026-11-22T00:00:00+01:00')
    await issue(100)
  })

  test('a key issues up to its euros, to the cent; negative totals count by their absolute value', async () => {
    const { issue } = await capped({ eurPerDay: 100 })
    await issue(6_000)
    await expect(issue(4_001)).rejects.toMatchObject({
      code: 'daily_cap_reached',
      details: { cap: 'eurPerDay', issuedEur: 60 },
    })
    await issue(-4_000)
    await expect(issue(1)).rejects.toMatchObject({ code: 'daily_cap_reached' })
  })

  test('an issue that is rolled back spends nothing', async () => {
    const { issue } = await capped({ perDay: 1 })
    const failed = issue(100, async () => {
      throw new Error('the chain is broken')
    })
    await expect(failed).rejects.toThrow('the chain is broken')
    await issue(100)
  })

  test('a key without caps issues without a limit', async () => {
    const { issue, ctx } = await capped({})
    await issue(99_999_999_999)
    await issue(99_999_999_999)
    expect(await ctx.db.selectFrom('key_usage').selectAll().execute()).toEqual([])
  })
})

describe('keys created by keys', () => {
  const MAKER = { name: 'Gestor', scopes: ['keys.write', 'keys.read', 'invoices.issue'] as const }

  async function family(limits: { perDay?: number; eurPerDay?: number } = {}) {
    const place = await testBook()
    const as = async (key: string) => place.world.ctx(place.books.test, await place.actorOf(key))
    const maker = await createKeyByPerson(place.ctx, { ...MAKER, scopes: [...MAKER.scopes], limits })
    const makerCtx = await as(maker.key)
    const child = (name: string, own: { perDay?: number; eurPerDay?: number } = {}) =>
      createKey(makerCtx, { name, scopes: ['keys.write', 'invoices.issue'], limits: own })
    const issue = async (key: string, totalCents: number) => {
      const actor = await place.actorOf(key)
      await place.ctx.transaction((tx) => spendCaps(tx, actor, totalCents))
    }
    return { ...place, maker, makerCtx, as, child, issue }
  }

  test("the issues of a child count against its maker's caps, and so do those of its own child", async () => {
    const { maker, child, issue, as } = await family({ perDay: 3 })
    const first = await child('Hija 1')
    const second = await child('Hija 2')
    const grandchild = await createKey(await as(second.key), { name: 'Nieta', scopes: ['invoices.issue'] })
    await issue(first.key, 100)
    await issue(second.key, 100)
    await issue(grandchild.key, 100)
    for (const { key } of [first, second, grandchild, maker])
      await expect(issue(key, 100)).rejects.toMatchObject({
        code: 'daily_cap_reached',
        details: { cap: 'perDay', perDay: 3, issued: 3 },
      })
  })

  test("euros count along the makers too, and the child's own lower cap applies first", async () => {
    const { child, issue } = await family({ eurPerDay: 100 })
    const wide = await child('Ancha')
    const narrow = await child('Estrecha', { eurPerDay: 10 })
    await issue(wide.key, 8_500)
    await issue(narrow.key, 1_000)
    await expect(issue(narrow.key, 1)).rejects.toMatchObject({ details: { eurPerDay: 10, issuedEur: 10 } })
    await expect(issue(wide.key, 501)).rejects.toMatchObject({
      details: { eurPerDay: 100, issuedEur: 95, thisEur: 5.01 },
    })
    await issue(wide.key, 500)
  })

  test("the reported caps are those with the smallest remainder, including its makers'", async () => {
    const { child, issue, ctx, actorOf } = await family({ perDay: 3, eurPerDay: 100 })
    const first = await child('Hija 1')
    const second = await child('Hija 2', { perDay: 2 })
    await issue(first.key, 5_000)
    await issue(first.key, 4_000)
    expect(await capsUsed(ctx, await actorOf(second.key))).toEqual({
      perDay: 3,
      issuedToday: 2,
      eurPerDay: 100,
      issuedEurToday: 90,
    })
  })

  test('revoking a key revokes all its descendants, each in the history', async () => {
    const { maker, child, as, who, ctx } = await family()
    const first = await child('Hija')
    const grandchild = await createKey(await as(first.key), { name: 'Nieta', scopes: ['invoices.issue'] })
    const stranger = await createKeyByPerson(ctx, { name: 'Otra', scopes: ['invoices.read'] })
    expect(await who(grandchild.key)).not.toBeNull()
    expect(await revokeKey(ctx, { id: maker.id })).toEqual({
      revoked: true,
      alsoRevoked: [first.id, grandchild.id],
    })
    expect([await who(maker.key), await who(first.key), await who(grandchild.key)]).toEqual([
      null,
      null,
      null,
    ])
    expect(await who(stranger.key)).not.toBeNull()
    expect((await listKeys(ctx, {})).items.map(({ id }) => id)).toEqual([stranger.id])
    const told = (await listAudit(ctx, { action: 'key.revoked' })).items
    expect(told.map(({ target }) => target?.label).toSorted()).toEqual(['Gestor', 'Hija', 'Nieta'])
  })

  test('taking the name of an expired key revokes its descendants as well', async () => {
    const { ctx, world, actorOf, books } = await testBook()
    const maker = await createKeyByPerson(ctx, {
      name: 'Gestor',
      scopes: ['keys.write'],
      expiresAt: '2026-11-21T12:00:00+01:00',
    })
    const made = await createKey(world.ctx(books.test, await actorOf(maker.key)), {
      name: 'Hija',
      scopes: ['keys.write'],
    })
    world.setTime('2026-11-21T13:00:00+01:00')
    await createKeyByPerson(ctx, { name: 'Gestor', scopes: ['keys.write'] })
    const rows = await ctx.db
      .selectFrom('api_keys')
      .select(['public_id', 'revoked_at'])
      .orderBy('id')
      .execute()
    expect(rows.filter(({ revoked_at: at }) => at !== null).map(({ public_id: id }) => id)).toEqual([
      maker.id,
      made.id,
    ])
  })

  test('the list names the maker; a person created the others', async () => {
    const { ctx, maker, child } = await family()
    const made = await child('Hija')
    expect(made.maker).toEqual({ id: maker.id, name: 'Gestor' })
    expect((await listKeys(ctx, {})).items.map((key) => [key.name, key.maker])).toEqual([
      ['Hija', { id: maker.id, name: 'Gestor' }],
      ['Gestor', null],
    ])
  })

  test('a chain of makers has a limit', async () => {
    const { maker, as, who } = await family()
    let { key } = maker
    for (let depth = 1; depth <= MAX_MAKERS; depth++)
      ({ key } = await createKey(await as(key), { name: `Nivel ${depth}`, scopes: ['keys.write'] }))
    expect((await who(key))?.actor.rootId).toBe(maker.id)
    await expect(createKey(await as(key), { name: 'Una más', scopes: ['keys.write'] })).rejects.toMatchObject(
      {
        code: 'key_too_wide',
        details: { makers: MAX_MAKERS },
      },
    )
  })

  test('a key that expires or is revoked while it creates another creates nothing', async () => {
    const { ctx, maker, makerCtx } = await family()
    await revokeKey(ctx, { id: maker.id })
    await expect(createKey(makerCtx, { name: 'Tarde', scopes: ['invoices.issue'] })).rejects.toMatchObject({
      code: 'unauthorized',
    })
  })
})
