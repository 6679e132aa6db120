/** Marks outside the database: a database that was restored to an earlier state is recognized before it sends. */
import { PutObjectCommand } from '@aws-sdk/client-s3'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openOfficeSello } from '../../../../../server/api/office.ts'
import type { OpenedSello } from '../../../../../server/app/environment.ts'
import { PERSON } from '../../../../../server/api/http/index.ts'
import { newInstallation } from '../../../../../server/registry/chain/installations.ts'
import { guardBook, sendBook } from '../../../../../server/registry/index.ts'
import {
  createDraft,
  issueInvoice,
  setRegistryStatus,
  validateInvoice,
} from '../../../../../server/sales/invoices/index.ts'
import { openBucket } from '../../../../../server/db/postgres/objects/bucket.ts'
import { adminClient, sharedBucket } from '../../../../support/objects/buckets.ts'
import { testKey } from '../../../../support/postgres/databases.ts'
import { EXAMPLE_DRAFT, openWorld } from '../../../../support/world.ts'
import type { World } from '../../../../support/world.ts'

async function issue(world: World): Promise<void> {
  const { id } = await world.createDraft()
  await world.issue(id)
}

const marksOf = async (world: World) =>
  (await world.env.store.marks?.list(world.books.test.companyId, world.books.test.publicId)) ?? []

test('each sending leaves one mark with the progress of the book; a mark that was changed is reported', async () => {
  const world = await openWorld()
  expect(await guardBook(world.ctx())).toBe(true)
  await issue(world)
  await sendBook(world.env, world.books.test, setRegistryStatus)
  const [first, ...none] = await marksOf(world)
  expect(none).toEqual([])
  expect(JSON.parse(first?.text ?? '')).toMatchObject({ records: 1, series: [{ next: 2 }] })
  // Nothing new: the same mark.
  expect(await guardBook(world.ctx())).toBe(true)
  expect(await marksOf(world)).toEqual([first])
  await issue(world)
  expect(await guardBook(world.ctx())).toBe(true)
  const marks = await marksOf(world)
  expect(marks.map(({ text }) => (JSON.parse(text ?? '') as { records: number }).records)).toEqual([2])

  const admin = adminClient()
  const { companyId, publicId } = world.books.test
  const key = `${world.storage?.prefix}${world.env.store.storeId}/${companyId}/marks/${publicId}/x`
  await admin.send(new PutObjectCommand({ Bucket: (await sharedBucket()).name, Key: key, Body: 'other' }))
  admin.destroy()
  await issue(world)
  expect(await guardBook(world.ctx())).toBe(true)
  expect(world.logged.join('\n')).toContain('The mark x is not of this book, or was changed.')
})

/** Opens a copy of the database of a world as it is now: what a restore to this moment gives. */
async function restored(world: World): Promise<OpenedSello> {
  const [name = ''] = /\bt[0-9a-f]{16}\b/.exec(world.databaseUrl) ?? []
  const copy = `${name}_restored`
  const admin = new pg.Client({
    connectionString: world.databaseUrl.replace(name, 'postgres').replace('sello_server', 'sello'),
  })
  await admin.connect()
  // A template has no connections; the world's pools open new ones.
  await admin.query(`alter database ${name} with allow_connections false`)
  await admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name])
  await admin.query(`create database ${copy} template ${name} strategy file_copy`)
  await admin.query(`alter database ${name} with allow_connections true`)
  const sello = await openOfficeSello({
    url: world.databaseUrl.replace(name, copy),
    masterKey: testKey(),
    bucket: await openBucket(world.storage!, () => new Date()),
    now: () => world.env.now(),
  })
  onTestFinished(async () => {
    await sello.close()
    await admin.query(`drop database ${copy} with (force)`)
    await admin.end()
  })
  return sello
}

async function issueIn(sello: OpenedSello, world: World): Promise<void> {
  const ctx = sello.ctx(world.books.test, PERSON)
  const { id } = await createDraft(ctx, {
    ...EXAMPLE_DRAFT,
    lines: [{ description: 'Otra cosa', quantity: 1, unitPrice: 7 }],
  })
  const { confirmation } = await validateInvoice(ctx, { id })
  await issueInvoice(ctx, { id, confirmationToken: confirmation?.confirmationToken ?? '' })
}

const chainOf = ({ env }: Pick<OpenedSello, 'env'>, world: World) =>
  env.store
    .readerOf(world.books.test.companyId)
    .selectFrom('registry_chains')
    .select(['held_for', 'records'])
    .where('book_id', '=', world.books.test.id)
    .executeTakeFirstOrThrow()

test.each([
  ['lacks records', false],
  ['went on by itself', true],
])(
  'a restored database that %s is held and sends nothing until it declares a new installation',
  async (_case, goesOn) => {
    const world = await openWorld()
    await issue(world)
    expect(await guardBook(world.ctx())).toBe(true)
    const sello = await restored(world)
    await issue(world)
    expect(await guardBook(world.ctx())).toBe(true)
    if (goesOn) await issueIn(sello, world)

    const marks = await marksOf(world)
    await sendBook(sello.env, world.books.test, setRegistryStatus)
    expect(await chainOf(sello, world)).toEqual({ held_for: 'restored_copy', records: goesOn ? 2 : 1 })
    expect(
      await sello.env.store
        .readerOf(world.books.test.companyId)
        .selectFrom('registry_attempts')
        .selectAll()
        .execute(),
    ).toEqual([])
    await expect(issueIn(sello, world)).rejects.toMatchObject({ name: 'AppError' })
    expect(await marksOf(world)).toEqual(marks)
    // The one that is ahead goes on.
    expect(await guardBook(world.ctx())).toBe(true)

    const { series } = await newInstallation(sello.ctx(world.books.test, PERSON), { reason: 'restored_copy' })
    // Number 2 is given in the other one.
    expect(series).toEqual(goesOn ? [] : [{ code: 'T-F2026', nextNumber: 3 }])
    await sendBook(sello.env, world.books.test, setRegistryStatus)
    expect(
      await sello.env.store
        .readerOf(world.books.test.companyId)
        .selectFrom('registry_attempts')
        .selectAll()
        .execute(),
    ).not.toEqual([])
    // From then on the other one is the copy.
    expect(await guardBook(world.ctx())).toBe(false)
    expect(await chainOf(world, world)).toMatchObject({ held_for: 'restored_copy' })
  },
)

test('while the storage cannot be reached nothing is sent', async () => {
  const world = await openWorld()
  await issue(world)
  const { marks } = world.env.store
  const limits = { connectMs: 200, silenceMs: 200, callMs: 500 }
  const settings = { ...world.storage!, endpoint: 'http://127.0.0.1:1', limits }
  const bucket = await openBucket(settings, () => new Date())
  Object.assign(world.env.store, {
    marks: { ...marks, list: async () => (await bucket.list('x', null, 1)).objects },
  })
  const next = await sendBook(world.env, world.books.test, setRegistryStatus)
  expect(next).toBeGreaterThan(world.ctx().now().getTime())
  expect(await world.ctx().db.selectFrom('registry_attempts').selectAll().execute()).toEqual([])
  expect(world.logged.join('\n')).toContain('file_storage_unavailable')
  Object.assign(world.env.store, { marks })
  await sendBook(world.env, world.books.test, setRegistryStatus)
  expect(await world.ctx().db.selectFrom('registry_attempts').selectAll().execute()).not.toEqual([])
})
