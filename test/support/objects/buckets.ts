/** Buckets for tests, on the object storage of this run. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3'
import { openBucket } from '../../../server/db/postgres/objects/bucket.ts'
import type { Bucket, BucketSettings } from '../../../server/db/postgres/objects/bucket.ts'
import { STORAGE } from './run.ts'
import { ACCESS_KEY, REGION, SECRET_KEY, startSwift } from './swift.ts'
import type { ObjectServer } from './swift.ts'

/** Starts the storage of a run; null if this computer has none. */
export async function startTestStorage(): Promise<ObjectServer | null> {
  const server = await startSwift()
  if (server) process.env[STORAGE] = server.endpoint
  return server
}

/** Creates a client as the administrator of the storage has it. */
export function adminClient(endpoint = process.env[STORAGE] ?? ''): S3Client {
  return new S3Client({
    endpoint,
    region: REGION,
    forcePathStyle: true,
    credentials: { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

interface TestBucket {
  name: string
  settings: BucketSettings
  open(): Promise<Bucket>
  remove(): void
}

/** Creates a bucket with versions; `endpoint` of another storage than that of this run. */
export async function createBucket(endpoint = process.env[STORAGE] ?? ''): Promise<TestBucket> {
  const name = `t${randomBytes(8).toString('hex')}`
  const admin = adminClient(endpoint)
  await admin.send(new CreateBucketCommand({ Bucket: name }))
  await admin.send(
    new PutBucketVersioningCommand({ Bucket: name, VersioningConfiguration: { Status: 'Enabled' } }),
  )
  admin.destroy()
  const folder = mkdtempSync(join(tmpdir(), 'sello-bucket-'))
  const accessKeyFile = join(folder, 'access-key')
  const secretKeyFile = join(folder, 'secret-key')
  writeFileSync(accessKeyFile, `${ACCESS_KEY}\n`)
  writeFileSync(secretKeyFile, `${SECRET_KEY}\n`)
  const settings = {
    endpoint,
    region: REGION,
    bucket: name,
    prefix: 'books/',
    accessKeyFile,
    secretKeyFile,
    pathStyle: true,
  }
  return {
    name,
    settings,
    open: () => openBucket(settings, () => new Date()),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

let shared: Promise<TestBucket> | null = null

/** Returns the bucket that the tests of this worker share. */
export function sharedBucket(): Promise<TestBucket> {
  return (shared ??= createBucket())
}

/** Returns a place of its own in the bucket of this worker. */
export async function ownSettings(): Promise<BucketSettings> {
  const { settings } = await sharedBucket()
  return { ...settings, prefix: `${randomBytes(8).toString('hex')}/` }
}
