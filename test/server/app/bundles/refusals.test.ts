/** What is refused: torn, changed, old, foreign and newer files, changes that the books do not allow, and issuing in a copy. */
import { describe, expect, test } from 'vitest'
import { loadOperations, operationTable } from '../../../../server/api/operations.ts'
import { runInCopy } from '../../../../server/app/bundles/index.ts'
import { allowedChange, isLocal } from '../../../../server/app/bundles/changes/allowed.ts'
import { sealFile } from '../../../../server/app/bundles/file/envelope.ts'
import { packContent } from '../../../../server/app/bundles/file/content.ts'
import { keysOf } from '../../../../server/app/bundles/pairing/manage.ts'
import { openKeys } from '../../../../server/app/bundles/pairing/keys.ts'
import { findPairing } from '../../../../server/app/bundles/rows.ts'
import { SCHEMA_VERSION } from '../../../../server/db/migrations/version.ts'
import { AppError } from '../../../../server/domain/errors/app-error.ts'
import { createCtx, NO_BOOK } from '../../../../server/context.ts'
import { allCompanies } from '../../../../server/platform/jobs/index.ts'
import { entry, Pair, purchase } from '../../../support/advised/pair.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'
import type { World } from '../../../support/world.ts'

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof AppError) return error.code
      throw error
    },
  )
const read = (world: World, content: string): Promise<string> =>
  codeOf(world.run('bundles.read', { content }))
const bytesOf = (content: string): Buffer => Buffer.from(content, 'base64')

describe('a file of the other side', () => {
  test('is refused at every length but its own, and after a change of any byte', async () => {
    const pair = await Pair.ready()
    await pair.advise('received.create', purchase('A-7'))
    const whole = bytesOf(await pair.changes())
    const codes = new Map<string, number>()
    const count = (code: string): void => void codes.set(code, (codes.get(code) ?? 0) + 1)
    for (let length = 0; length < whole.length; length += 7)
      count(
        length === 0
          ? 'validation_failed'
          : await read(pair.client, whole.subarray(0, length).toString('base64')),
      )
    expect([...codes.keys()].toSorted()).toEqual(['bundle_torn', 'bundle_unreadable', 'validation_failed'])
    codes.clear()
    for (let at = 0; at < whole.length; at += 5) {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] ?? 0) ^ 0x10
      count(await read(pair.client, changed.toString('base64')))
    }
    count(await read(pair.client, Buffer.concat([whole, Buffer.from('more')]).toString('base64')))
    expect(codes.has('done')).toBe(false)
    expect(codes.get('bundle_tampered')).toBeGreaterThan(50)
    expect((await pair.client.run('bundles.state', {})).changes).toEqual([])
    expect(await read(pair.client, whole.toString('base64'))).toBe('done')
  })

  test('is refused the second time, and an older one after a newer one', async () => {
    const pair = await Pair.ready()
    await pair.advise('received.create', purchase('A-7'))
    const [older, newer] = [await pair.changes(), await pair.changes()]
    expect(await read(pair.client, newer)).toBe('done')
    expect(await read(pair.client, newer)).toBe('bundle_old')
    expect(await read(pair.client, older)).toBe('bundle_old')
    const [books, later] = [await pair.books(), await pair.books()]
    expect(await read(pair.adviser, later)).toBe('done')
    expect(await read(pair.adviser, books)).toBe('bundle_old')
    expect((await pair.client.run('bundles.state', {})).changes).toHaveLength(1)
  })

  test('is refused where it does not belong', async () => {
    const [pair, other] = [await Pair.ready(), await Pair.ready()]
    expect(await read(pair.client, await other.changes())).toBe('bundle_foreign')
    expect(await read(pair.adviser, await other.books())).toBe('bundle_foreign')
    // One's own file, and anything else.
    expect(await read(pair.client, await pair.books())).toBe('bundle_foreign')
    expect(await read(pair.client, Buffer.from('%PDF-1.7').toString('base64'))).toBe('bundle_unreadable')
    // Another company of the same installation.
    const { books } = await pair.client.run(
      'company.create',
      { ...EXAMPLE_COMPANY, legalName: 'Otra, S.L.', nif: 'B82846825' },
      { book: NO_BOOK },
    )
    const changes = await pair.changes()
    const elsewhere = { ...pair.client.books.test, companyId: 2, publicId: books[0]?.id ?? '' }
    expect(await codeOf(pair.client.run('bundles.read', { content: changes }, { book: elsewhere }))).toBe(
      'bundle_foreign',
    )
    await pair.client.run('bundles.end', { id: pair.id })
    expect(await read(pair.client, changes)).toBe('pairing_ended')
  })

  test('of another version is refused with what to update', async () => {
    const pair = await Pair.ready()
    const row = await findPairing(pair.client.env.store.reader, pair.id)
    if (!row?.peer_keys) throw new Error('Not paired.')
    const keys = { own: keysOf(pair.client.ctx(), row), peer: openKeys(row.peer_keys) ?? never() }
    const content = packContent({
      kind: 'books',
      company: row.client_company,
      at: 0,
      note: null,
      known: 0,
      outcomes: [],
      filesAfter: 0,
    })
    const facts = { pairing: pair.id, from: 'client', number: row.sent + 1 } as const
    const newer = sealFile({ ...facts, schema: SCHEMA_VERSION + 1 }, content, keys)
    expect(await read(pair.adviser, newer.toString('base64'))).toBe('bundle_newer')
    const outdated = sealFile({ ...facts, schema: SCHEMA_VERSION - 1 }, content, keys)
    expect(await read(pair.adviser, outdated.toString('base64'))).toBe('bundle_outdated')
    const format = newer.toString('latin1').replace('"format":1', '"format":2')
    expect(await read(pair.adviser, Buffer.from(format, 'latin1').toString('base64'))).toBe('bundle_newer')
    // Rows of nothing: the copy stays as it was.
    const empty = sealFile({ ...facts, schema: SCHEMA_VERSION }, content, keys)
    expect(await read(pair.adviser, empty.toString('base64'))).toBe('bundle_foreign')
    expect((await pair.advise('series.list', {})).items.length).toBeGreaterThan(0)
  })

  test('is refused with the numbers that are missing if changes before it are', async () => {
    const pair = await Pair.ready()
    await pair.advise('received.create', purchase('A-1'))
    await pair.sendChanges()
    await pair.takeAll()
    await pair.sendBooks()
    await pair.advise('received.create', purchase('A-2'))
    const changes = await pair.changes()
    // The client goes back to before the first change.
    await pair.client.env.store.transaction(null, async (db) => {
      await db.deleteFrom('bundle_changes').execute()
      await db.updateTable('bundle_pairings').set({ changes: 0 }).execute()
    })
    const error = await pair.client
      .run('bundles.read', { content: changes })
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'bundle_gap', details: { from: 1, to: 1 } })
    // Its books tell the adviser what to send again.
    await pair.sendBooks()
    expect(await pair.sendChanges()).toMatchObject({ added: 2 })
  })
})

const never = (): never => {
  throw new Error('No keys.')
}

describe('a pairing', () => {
  test('needs the same fingerprint on both sides', async () => {
    const pair = await Pair.open()
    const { client, adviser } = pair
    const invitation = (await client.run('bundles.invite', {})) as { bytes: Uint8Array }
    const answer = (await adviser.run('bundles.join', {
      content: Buffer.from(invitation.bytes).toString('base64'),
      adviserName: 'Gestoría Olmo',
      person: 'Ana Prado',
    })) as { bytes: Uint8Array }
    const changed = Buffer.from(answer.bytes).toString('utf8').replace('Ana Prado', 'Eva Prado')
    const accept = (content: Buffer): Promise<string> =>
      codeOf(client.run('bundles.accept', { content: content.toString('base64') }))
    expect(await accept(Buffer.from(changed))).toBe('bundle_tampered')
    expect(await accept(Buffer.from(answer.bytes).subarray(0, 100))).toBe('bundle_torn')
    expect(await accept(Buffer.from(invitation.bytes))).toBe('bundle_unreadable')
    expect(await accept(Buffer.from(answer.bytes))).toBe('done')
    const [{ id, fingerprint } = never()] = (await client.run('bundles.state', {})).pairings
    expect(fingerprint).toMatch(/^\d{5} \d{5} \d{5} \d{5}$/)
    expect(fingerprint).toBe((await adviser.run('bundles.state', {})).pairings[0]?.fingerprint)
    expect(await codeOf(client.run('bundles.write', { id }))).toBe('pairing_not_confirmed')
    expect(await codeOf(client.run('bundles.confirm', { id, fingerprint: '00000 00000 00000 00000' }))).toBe(
      'fingerprint_differs',
    )
    expect(await codeOf(client.run('bundles.confirm', { id, fingerprint: fingerprint ?? '' }))).toBe('done')
    expect(await codeOf(client.run('bundles.invite', {}))).toBe('pairing_exists')
    // The same person cannot be both sides.
    expect(
      await codeOf(
        client.run('bundles.join', {
          content: Buffer.from(invitation.bytes).toString('base64'),
          adviserName: 'Yo',
          person: 'Yo',
        }),
      ),
    ).toBe('company_here')
  })
})

describe("in the copy of a client's books", () => {
  test('every operation that writes is refused but those of an adviser', async () => {
    const pair = await Pair.ready()
    const ctx = createCtx({
      env: pair.adviser.env,
      book: await pair.copy('live'),
      actor: { kind: 'user', id: 'user', name: 'user' },
      channel: 'ui',
      requestId: 'req_1',
    })
    const counts = { refused: 0, allowed: 0, local: 0 }
    for (const operation of await loadOperations(operationTable)) {
      const { name, effect, bookless } = operation.contract
      if (effect === 'read' || bookless) continue
      if (isLocal(name)) counts.local += 1
      else if (allowedChange(name)) counts.allowed += 1
      else {
        const code = await codeOf(runInCopy(operation, ctx, { write: true }))
        expect(code, name).toBe('company_advised')
        counts.refused += 1
      }
    }
    console.info(JSON.stringify(counts))
    expect(counts.allowed).toBe(21)
    expect(counts.refused).toBeGreaterThan(130)
  })

  test('nothing but the changes of the adviser writes, and no work in the background begins', async () => {
    const pair = await Pair.ready()
    const { env } = pair.adviser
    const copy = await pair.copy('live')
    expect(await codeOf(env.store.transaction(copy.companyId, async () => {}))).toBe('company_advised')
    expect((await allCompanies(env)).map(({ companyId }) => companyId)).not.toContain(copy.companyId)
    for (const name of ['certificates', 'api_keys', 'webhooks'] as const)
      expect(await env.store.reader.selectFrom(name).select('id').execute()).toEqual([])
    // Also after the next start.
    await pair.adviser.restart()
    const again = await pair.copy('live')
    expect(await codeOf(pair.adviser.env.store.transaction(again.companyId, async () => {}))).toBe(
      'company_advised',
    )
    expect(await pair.adviser.run('bundles.state', {}, { book: again })).toMatchObject({ advised: true })
  })
})

describe('a change of the adviser', () => {
  test('that the books no longer allow stays with the reason, and the others are taken', async () => {
    const pair = await Pair.ready()
    const { client } = pair
    await pair.advise('received.create', purchase('A-1'))
    await pair.advise(
      'received.create',
      purchase('A-2', { issueDate: '2026-02-01', receptionDate: '2026-02-03' }),
    )
    await pair.advise('ledger.writeEntry', entry('Comisión', 10))
    await pair.advise('received.create', purchase('A-4'))
    await client.run('received.create', purchase('A-1'))
    await client.run('ledger.lock', { until: '2026-03-31' })
    await client.run('ledger.saveAccount', { code: '626', active: false })
    await pair.sendChanges()
    const { changes } = await client.run('bundles.state', {})
    expect(changes.map(({ problem }) => problem?.faults[0]?.code ?? problem?.code ?? null)).toEqual([
      'received_duplicate',
      'period_locked',
      'account_inactive',
      null,
    ])
    expect(changes[1]?.summary).toMatchObject({ title: 'Papelería Sol, S.L. · A-2', date: '2026-02-01' })
    expect(await pair.takeAll()).toMatchObject({ taken: 1, failed: [{}, {}, {}] })
    const ids = changes.slice(0, 3).map(({ id }) => id)
    await client.run('bundles.reject', { ids, note: 'Ya estaba' })
    await pair.sendBooks()
    const there = await pair.advise('bundles.state', {})
    expect(there.changes.map(({ state, note }) => [state, note])).toEqual([
      ['rejected', 'Ya estaba'],
      ['rejected', 'Ya estaba'],
      ['rejected', 'Ya estaba'],
      ['taken', null],
    ])
    expect((await pair.advise('received.list', {})).items).toHaveLength(2)
  })

  test('cannot ask for what an adviser may not do, nor speak in the name of the owner', async () => {
    const pair = await Pair.ready()
    const { client, adviser } = pair
    await pair.advise('received.create', purchase('A-1'))
    await adviser.env.store.transaction(null, async (db) => {
      const first = await db.selectFrom('bundle_changes').selectAll().executeTakeFirstOrThrow()
      await db
        .updateTable('bundle_changes')
        .set({ person_id: 'user', person_name: 'user' })
        .where('id', '=', first.id)
        .execute()
      await db
        .insertInto('bundle_changes')
        .values({
          ...first,
          id: first.id + 1,
          number: 2,
          public_id: 'chg_0000000000000000',
          operation: 'registry.send',
          input: '{}',
        })
        .execute()
      await db
        .insertInto('bundle_changes')
        .values({
          ...first,
          id: first.id + 2,
          number: 3,
          public_id: 'chg_0000000000000001',
          book: 'book_0000000000000000',
        })
        .execute()
    })
    await pair.sendChanges()
    const result = await pair.takeAll()
    expect(result.failed.map(({ problem }) => problem.code)).toEqual([
      'bundle_change_refused',
      'bundle_change_refused',
    ])
    const entered = await client.env.store.reader
      .selectFrom('audit_events')
      .innerJoin('actors', 'actors.id', 'audit_events.actor_id')
      .select(['actors.kind', 'actors.public_id', 'actors.name'])
      .where('action', '=', 'received.entered')
      .execute()
    expect(entered).toEqual([{ kind: 'user', public_id: `${pair.id}/user`, name: 'user, Gestoría Olmo' }])
  })
})
