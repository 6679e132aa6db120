/** Documents in object storage: a real server of the protocol, real rows, and everything that can go wrong between them. */
import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { DeleteObjectCommand, ListObjectVersionsCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { checkBooks } from '../../../../../server/app/integrity/index.ts'
import { sweepObjects } from '../../../../../server/app/maintenance/sweep-objects.ts'
import { pointedObject, pointerTo } from '../../../../../server/db/outside/objects.ts'
import type { Objects } from '../../../../../server/db/outside/objects.ts'
import { openBucket } from '../../../../../server/db/postgres/objects/bucket.ts'
import type { Bucket, BucketSettings } from '../../../../../server/db/postgres/objects/bucket.ts'
import { BucketObjects } from '../../../../../server/db/postgres/objects/bucket-objects.ts'
import { startChild } from '../../../../support/children/run.ts'
import { adminClient, createBucket, sharedBucket } from '../../../../support/objects/buckets.ts'
import { openWorld } from '../../../../support/world.ts'
import type { World } from '../../../../support/world.ts'

const COMPANY = 7
const DAY_MS = 86_400_000
const now = (): Date => new Date()
const sha256Of = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
const failing = (code: string, reason?: string) =>
  expect.objectContaining({
    code,
    ...(reason === undefined ? {} : { details: expect.objectContaining({ reason }) as unknown }),
  }) as unknown

/** Returns the versions of all objects below a prefix of the shared bucket, removals included. */
async function versionsIn(prefix = ''): Promise<{ key: string; version: string; isRemoval: boolean }[]> {
  const admin = adminClient()
  const { Versions: versions = [], DeleteMarkers: removals = [] } = await admin.send(
    new ListObjectVersionsCommand({ Bucket: (await sharedBucket()).name, Prefix: prefix }),
  )
  admin.destroy()
  return [
    ...versions.map((one) => ({ ...one, isRemoval: false })),
    ...removals.map((one) => ({ ...one, isRemoval: true })),
  ].map(({ Key = '', VersionId = '', isRemoval }) => ({ key: Key, version: VersionId, isRemoval }))
}

async function asAdmin(command: PutObjectCommand | DeleteObjectCommand): Promise<void> {
  const admin = adminClient()
  await admin.send(command as PutObjectCommand)
  admin.destroy()
}

/** A way to the storage that can be closed. */
async function openGate(to: BucketSettings): Promise<{ isOpen: boolean; settings: BucketSettings }> {
  const { hostname: host, port } = new URL(to.endpoint!)
  const sockets = new Set<Socket>()
  const server = createServer((inside) => {
    sockets.add(inside)
    if (!gate.isOpen) return inside.destroy()
    const outside = connect({ host, port: Number(port) })
    inside.on('error', () => {}).pipe(outside)
    outside.on('error', () => {}).pipe(inside)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let isOpen = true
  const gate = {
    settings: { ...to, endpoint },
    get isOpen(): boolean {
      return isOpen
    },
    set isOpen(open: boolean) {
      isOpen = open
      if (!open) for (const socket of sockets) socket.destroy()
    },
  }
  onTestFinished(() => {
    gate.isOpen = false
    server.close()
  })
  return gate
}

describe('content in a bucket', () => {
  let bucket: Bucket
  let bucketName: string
  let objects: Objects
  const storeId = `store-${randomBytes(4).toString('hex')}`
  const bytes = randomBytes(200_000)
  const sha256 = sha256Of(bytes)
  beforeAll(async () => {
    const { name, open } = await sharedBucket()
    bucketName = name
    bucket = await open()
    objects = new BucketObjects({ bucket, storeId, masterKey: Buffer.alloc(32, 1) })
  })

  const keyOf = (cell: Uint8Array): string =>
    `books/${storeId}/${COMPANY}/objects/${pointedObject({ cell, sha256 })?.name}`

  test('is in the row up to 64 kB, and beyond in an encrypted object that the row points to', async () => {
    const small = randomBytes(64 * 1024)
    expect(await objects.keep(COMPANY, small, sha256Of(small))).toBe(small)
    const cell = await objects.keep(COMPANY, bytes, sha256)
    expect(pointedObject({ cell, sha256 })?.length).toBe(bytes.length)
    expect(cell.byteLength).toBeLessThan(128)
    expect(bytes.equals(await objects.read(COMPANY, { cell, sha256 }))).toBe(true)
    const object = await bucket.get(keyOf(cell).slice('books/'.length))
    expect(object).toHaveLength(bytes.length + 29)
    expect(object?.includes(bytes.subarray(1_000, 1_016))).toBe(false)
    expect(keyOf(cell)).not.toContain(sha256.toString('hex').slice(0, 16))
  })

  test('gets an object of its own each time, of its own company', async () => {
    const [first, second] = [
      await objects.keep(COMPANY, bytes, sha256),
      await objects.keep(COMPANY, bytes, sha256),
    ]
    expect(Buffer.from(first).equals(second)).toBe(false)
    await objects.remove(COMPANY, [{ cell: first, sha256 }], false)
    await expect(objects.read(COMPANY, { cell: first, sha256 })).rejects.toEqual(
      failing('stored_file_missing'),
    )
    expect(bytes.equals(await objects.read(COMPANY, { cell: second, sha256 }))).toBe(true)
    await expect(objects.read(COMPANY + 1, { cell: second, sha256 })).rejects.toEqual(
      failing('stored_file_missing'),
    )
  })

  test('is refused if the object was changed, cut or exchanged, or opened with another key', async () => {
    const cell = await objects.keep(COMPANY, bytes, sha256)
    const other = await objects.keep(COMPANY, bytes, sha256)
    const key = keyOf(cell).slice('books/'.length)
    const whole = (await bucket.get(key))!
    const others = (await bucket.get(keyOf(other).slice('books/'.length)))!
    const changed = Buffer.from(whole)
    changed[100_000]! ^= 1
    for (const body of [changed, whole.subarray(0, -1), whole.subarray(0, 5), others]) {
      await asAdmin(new PutObjectCommand({ Bucket: bucketName, Key: keyOf(cell), Body: body }))
      await expect(objects.read(COMPANY, { cell, sha256 })).rejects.toEqual(failing('stored_file_damaged'))
    }
    await asAdmin(new PutObjectCommand({ Bucket: bucketName, Key: keyOf(cell), Body: whole }))
    expect(bytes.equals(await objects.read(COMPANY, { cell, sha256 }))).toBe(true)
    await expect(objects.read(COMPANY, { cell, sha256: sha256Of(Buffer.from('x')) })).rejects.toEqual(
      failing('stored_file_damaged'),
    )
    const foreign = new BucketObjects({ bucket, storeId, masterKey: Buffer.alloc(32, 2) })
    await expect(foreign.read(COMPANY, { cell, sha256 })).rejects.toEqual(failing('stored_file_damaged'))
  })

  test('that reads like a pointer is the content itself', async () => {
    const victim = await objects.keep(COMPANY, bytes, sha256)
    const forged = Buffer.from(victim)
    const cell = await objects.keep(COMPANY, forged, sha256Of(forged))
    const content = { cell, sha256: sha256Of(forged) }
    expect(forged.equals(await objects.read(COMPANY, content))).toBe(true)
    await objects.remove(COMPANY, [content], true)
    expect(bytes.equals(await objects.read(COMPANY, { cell: victim, sha256 }))).toBe(true)
  })

  test('is listed page by page, in the order of the names', async () => {
    const own = new BucketObjects({ bucket, storeId, masterKey: Buffer.alloc(32, 1) })
    await own.keep(COMPANY + 2, bytes, sha256)
    const { objects: first, isLast } = await bucket.list(`${storeId}/${COMPANY}/objects/`, null, 2)
    expect(first).toHaveLength(2)
    expect(isLast).toBe(false)
    const rest = await bucket.list(`${storeId}/${COMPANY}/objects/`, first[1]!.key, 1_000)
    expect(rest.isLast).toBe(true)
    expect(rest.objects.map(({ key }) => key)).not.toContain(first[1]!.key)
    const { objects: listed, after } = await own.list(COMPANY + 2, null)
    expect(after).toBeNull()
    expect(listed.map(({ pointer }) => pointer)).toEqual([pointerTo(listed[0]!.name, bytes.length)])
  })
})

describe('a storage that fails', () => {
  const limits = { connectMs: 200, silenceMs: 200, callMs: 600 }
  const calling = async (changes: Partial<BucketSettings>, secret?: string): Promise<unknown> => {
    const { settings, remove } = await createBucket()
    onTestFinished(remove)
    if (secret !== undefined) writeFileSync(settings.secretKeyFile, secret)
    const bucket = await openBucket({ ...settings, limits, ...changes }, now)
    onTestFinished(() => bucket.close())
    return bucket.put('k', Buffer.from('x')).catch((error: unknown) => error)
  }

  test('names its cause: credentials, bucket, no server, a server that says nothing', async () => {
    expect(await calling({}, 'wrong')).toEqual(failing('file_storage_unavailable', 'access_denied'))
    expect(await calling({ bucket: 'none-such' })).toEqual(
      failing('file_storage_unavailable', 'bucket_missing'),
    )
    expect(await calling({ endpoint: 'http://127.0.0.1:1' })).toEqual(
      failing('file_storage_unavailable', 'storage_unreachable'),
    )
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const began = performance.now()
    const error = await calling({ endpoint: `http://127.0.0.1:${port}` })
    expect(error).toEqual(failing('file_storage_unavailable', 'storage_unreachable'))
    expect(error).toMatchObject({ retryAfterSeconds: 5 })
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  test('is reached with TLS, except on this computer; a missing file of credentials is an error at once', async () => {
    const { settings, remove } = await createBucket()
    onTestFinished(remove)
    await expect(openBucket({ ...settings, endpoint: 'http://s3.example.org' }, now)).rejects.toThrow(/https/)
    await expect(openBucket({ ...settings, accessKeyFile: '/none/such' }, now)).rejects.toThrow(/ENOENT/)
  })

  test('changes nothing: an upload is answered with 503 and leaves no row, and works when it is back', async () => {
    const world = await openWorld()
    const gate = await openGate(world.storage!)
    const bucket = await openBucket(gate.settings, now)
    const masterKey = Buffer.alloc(32, 7)
    const { storeId } = world.env.store
    const own = new BucketObjects({ bucket, storeId, masterKey, inRowAtMost: 0 })
    Object.assign(world.env.store, { objects: own })
    const upload = () =>
      world.post('/api/v1/attachments', {
        name: 'a.txt',
        content: Buffer.from('factura').toString('base64'),
      })
    const rows = () => world.ctx().db.selectFrom('files').select('id').execute()
    gate.isOpen = false
    const refused = await upload()
    expect([refused.status, refused.body.error.code]).toEqual([503, 'file_storage_unavailable'])
    expect(refused.headers['retry-after']).toBe('5')
    expect(await rows()).toEqual([])
    gate.isOpen = true
    const { body } = await upload()
    expect((await world.get(`/api/v1/attachments/${body.data.id}`)).raw.body).toBe('factura')
    gate.isOpen = false
    expect((await world.get(`/api/v1/attachments/${body.data.id}`)).status).toBe(503)
    expect(await rows()).toHaveLength(1)
  })
})

describe('rows and objects', () => {
  const upload = async (world: World, text: string): Promise<string> => {
    const { body } = await world.post('/api/v1/attachments', {
      name: 'a.txt',
      content: Buffer.from(text).toString('base64'),
    })
    return body.data.id as string
  }
  const objectsOf = async (world: World) =>
    (await versionsIn(world.storage?.prefix)).filter(({ isRemoval }) => !isRemoval)
  const sweep = (world: World) => sweepObjects(world.ctx(), null)

  test('an object that no row names is removed after a day; named and young ones stay', async () => {
    const world = await openWorld()
    world.setTime(now())
    const company = world.books.test.companyId
    const named = await upload(world, 'con fila')
    const orphan = Buffer.from('sin fila')
    const cell = await world.env.store.objects.keep(company, orphan, sha256Of(orphan))
    expect(await sweep(world)).toEqual({ removed: 0, after: null })
    world.advance(DAY_MS + 60_000)
    expect(await sweep(world)).toEqual({ removed: 1, after: null })
    expect((await world.get(`/api/v1/attachments/${named}`)).raw.body).toBe('con fila')
    await expect(world.env.store.objects.read(company, { cell, sha256: sha256Of(orphan) })).rejects.toEqual(
      failing('stored_file_missing'),
    )
    expect(await sweep(world)).toEqual({ removed: 0, after: null })
  })

  test('a server killed between object and row leaves an object that the sweep removes', async () => {
    const world = await openWorld()
    world.setTime(now())
    const child = startChild('store-object', [
      JSON.stringify({ url: world.databaseUrl, settings: world.storage, book: world.books.test.publicId }),
    ])
    expect(await child.line()).toEqual({ stored: true })
    await child.kill()
    expect(await world.ctx().db.selectFrom('files').select('id').execute()).toEqual([])
    expect(await objectsOf(world)).toHaveLength(1)
    world.advance(DAY_MS + 60_000)
    expect(await sweep(world)).toEqual({ removed: 1, after: null })
  })

  test('a deleted file leaves its earlier version in the storage; the rows say where each file is', async () => {
    const world = await openWorld()
    const id = await upload(world, 'factura')
    const { rows } = await sql<{ bytes: Uint8Array }>`select bytes from file_bytes`.execute(world.ctx().db)
    expect(rows.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([
      expect.stringMatching(/^sello-object 1 [0-9a-f]{32}-[0-9a-f]{16} 7$/),
    ])
    // The same file again is the same row, and no other object.
    expect(await upload(world, 'factura')).toBe(id)
    expect(await objectsOf(world)).toHaveLength(1)
    expect((await world.delete(`/api/v1/attachments/${id}`)).status).toBe(200)
    await expect.poll(() => versionsIn(world.storage?.prefix)).toHaveLength(2)
    expect(await objectsOf(world)).toHaveLength(1)
  })

  test('erasing a person removes every version of the objects of their mails', async () => {
    const world = await openWorld({ company: { email: 'facturas@talleres.example' } })
    const contact = await world.run('contacts.create', { name: 'Ana Gil', email: 'ana@ejemplo.es' })
    const quote = await world.run('quotes.create', {
      clientName: 'Ana Gil',
      clientId: contact.id,
      lines: [{ description: 'Mano de obra', quantity: 1, unitPrice: 100 }],
    })
    await world.run('mail.file', {
      kind: 'quote',
      ids: [quote.id],
      to: ['facturas@talleres.example'],
      subject: 'Presupuesto',
      body: 'va adjunto',
    })
    expect(await objectsOf(world)).toHaveLength(1)
    const { hash } = await world.run('privacy.preview', { subject: { contactId: contact.id } })
    await world.run('privacy.erase', { subject: { contactId: contact.id }, hash })
    expect(await versionsIn(world.storage?.prefix)).toEqual([])
  })

  test('the self-check names documents whose object is missing or was changed', async () => {
    const world = await openWorld()
    const { id } = await world.createDraft()
    await world.issue(id)
    await world.run('invoices.pdf', { id })
    await upload(world, 'factura')
    const [faults, before] = [
      () => checkBooks(world.env, (book) => world.ctx({ book })),
      await objectsOf(world),
    ]
    expect((await faults()).ok).toBe(true)
    expect(before).toHaveLength(2)
    const { name } = await sharedBucket()
    const found = async () =>
      (await faults()).checks.filter(({ ok }) => !ok).map(({ name: check, detail }) => `${check}: ${detail}`)
    for (const { key } of before)
      await asAdmin(new PutObjectCommand({ Bucket: name, Key: key, Body: 'other' }))
    expect(await found()).toEqual([
      expect.stringMatching(
        /^documents: T-F2026-0001: its a4 document cannot be read, its object .* is not the one that was stored\. att_\w+: its object/,
      ),
    ])
    for (const { key } of before) await asAdmin(new DeleteObjectCommand({ Bucket: name, Key: key }))
    expect(await found()).toEqual([
      expect.stringMatching(
        /^documents: T-F2026-0001: .* its object is not in the object storage\. att_\w+: its object/,
      ),
    ])
    expect((await world.get(`/api/v1/invoices/${id}/pdf`)).body.error.code).toBe('stored_file_missing')
  })
})
