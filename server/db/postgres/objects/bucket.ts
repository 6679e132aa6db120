/** A bucket of an S3-compatible object storage. The client is loaded only where a bucket is configured. */
import { readFile } from 'node:fs/promises'
import type * as S3 from '@aws-sdk/client-s3'
import { AppError } from '../../../domain/errors/app-error.ts'
import { failpoint } from '../../failpoints.ts'

/** How to reach a bucket. */
export interface BucketSettings {
  /** Address of the storage, such as `https://s3.example.org`; without one, that of the provider's region. */
  endpoint?: string | undefined
  region: string
  bucket: string
  /** Beginning of all keys, such as `sello/`; empty by default. */
  prefix?: string | undefined
  /** Files with the two parts of the credentials. They are read again every few minutes, so that they can be replaced. */
  accessKeyFile: string
  secretKeyFile: string
  /** Writes the bucket into the path and not into the name of the host. */
  pathStyle?: boolean | undefined
  /** File with the certificates (PEM) that sign the certificate of the storage, instead of the system's. */
  caFile?: string | undefined
  limits?: Partial<BucketLimits> | undefined
}

/** Times in milliseconds. */
interface BucketLimits {
  /** To connect. */
  connectMs: number
  /** Without a byte from the storage. */
  silenceMs: number
  /** Of a call with its repetitions. */
  callMs: number
}

const LIMITS: BucketLimits = { connectMs: 2_000, silenceMs: 10_000, callMs: 30_000 }
const TRIES = 3
const CREDENTIALS_MS = 5 * 60_000
/** Removals at the same time. */
const AT_ONCE = 8

interface BucketObject {
  key: string
  /** Bytes. */
  size: number
  modifiedAt: Date
}

/** Calls throw `file_storage_unavailable`. */
export interface Bucket {
  /** Resolves when the object is stored durably. */
  put(key: string, body: Uint8Array): Promise<void>
  /** Returns null if there is no such object. */
  get(key: string): Promise<Buffer | null>
  /** Lists objects whose keys begin with `prefix` and follow `after`, in the order of their keys. */
  list(
    prefix: string,
    after: string | null,
    limit: number,
  ): Promise<{ objects: BucketObject[]; isLast: boolean }>
  /** Removes objects. With versions, the storage keeps the removed ones as long as its rules say. */
  remove(keys: readonly string[]): Promise<void>
  /** Removes objects with all their versions. */
  removeVersions(keys: readonly string[]): Promise<void>
  close(): void
}

interface Fault {
  name?: string
  code?: string
  $metadata?: { httpStatusCode?: number }
}

const BY_NAME: Readonly<Record<string, string>> = {
  NoSuchBucket: 'bucket_missing',
  QuotaExceeded: 'storage_full',
  InsufficientStorage: 'storage_full',
  XMinioStorageFull: 'storage_full',
}

/** Returns the reason for which a call failed. */
function reasonOf({ name = '', $metadata }: Fault): string {
  const known = BY_NAME[name]
  if (known) return known
  const status = $metadata?.httpStatusCode
  if (status === undefined) return 'storage_unreachable'
  if (status === 401 || status === 403) return 'access_denied'
  if (status === 507) return 'storage_full'
  return status === 429 || status >= 500 ? 'storage_failed' : 'request_refused'
}

/** What another call in a few seconds cannot change waits for a person. */
const PASSING: readonly string[] = ['storage_unreachable', 'storage_failed']

function unavailable(error: unknown): AppError {
  const reason = reasonOf(error as Fault)
  return new AppError('file_storage_unavailable', {
    details: { reason },
    retryAfterSeconds: PASSING.includes(reason) ? 5 : 60,
    cause: error,
  })
}

const isMissing = (error: unknown): boolean => (error as Fault).name === 'NoSuchKey'

async function eachOf<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) await Promise.all(items.slice(at, at + AT_ONCE).map(run))
}

type Sdk = typeof S3

class S3Bucket implements Bucket {
  private readonly sdk: Sdk
  private readonly client: S3.S3Client
  private readonly bucket: string
  private readonly prefix: string
  private readonly callMs: number

  constructor(sdk: Sdk, client: S3.S3Client, { bucket, prefix = '' }: BucketSettings, callMs: number) {
    this.sdk = sdk
    this.client = client
    this.bucket = bucket
    this.prefix = prefix
    this.callMs = callMs
  }

  private place(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: `${this.prefix}${key}` }
  }

  private async call<T>(run: (limit: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    try {
      return await run({ abortSignal: AbortSignal.timeout(this.callMs) })
    } catch (error) {
      throw isMissing(error) ? error : unavailable(error)
    }
  }

  async put(key: string, body: Uint8Array): Promise<void> {
    const command = new this.sdk.PutObjectCommand({
      ...this.place(key),
      Body: body,
      ContentLength: body.byteLength,
    })
    await this.call((limit) => this.client.send(command, limit))
  }

  async get(key: string): Promise<Buffer | null> {
    const command = new this.sdk.GetObjectCommand(this.place(key))
    try {
      return await this.call(async (limit) => {
        const { Body: body } = await this.client.send(command, limit)
        return body ? Buffer.from(await body.transformToByteArray()) : null
      })
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  async list(prefix: string, after: string | null, limit: number): ReturnType<Bucket['list']> {
    const command = new this.sdk.ListObjectsV2Command({
      Bucket: this.bucket,
      Prefix: `${this.prefix}${prefix}`,
      MaxKeys: limit,
      ...(after === null ? {} : { StartAfter: `${this.prefix}${after}` }),
    })
    const { Contents: contents = [], IsTruncated: isTruncated = false } = await this.call((given) =>
      this.client.send(command, given),
    )
    const objects = contents.flatMap(({ Key: key, Size: size, LastModified: modifiedAt }) =>
      key === undefined || size === undefined || modifiedAt === undefined
        ? []
        : [{ key: key.slice(this.prefix.length), size, modifiedAt }],
    )
    return { objects, isLast: !isTruncated }
  }

  remove(keys: readonly string[]): Promise<void> {
    return eachOf(keys, (key) => this.removeOne(key))
  }

  removeVersions(keys: readonly string[]): Promise<void> {
    return eachOf(keys, async (key) => {
      for (const version of await this.versionsOf(key)) await this.removeOne(key, version)
    })
  }

  private async removeOne(key: string, version?: string): Promise<void> {
    const command = new this.sdk.DeleteObjectCommand({
      ...this.place(key),
      ...(version === undefined ? {} : { VersionId: version }),
    })
    await this.call((limit) => this.client.send(command, limit)).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
    failpoint('objects.removed')
  }

  /** Returns the versions of an object; undefined is its only one, in a storage without versions. */
  private async versionsOf(key: string): Promise<(string | undefined)[]> {
    const { Bucket: bucket, Key: whole } = this.place(key)
    const command = new this.sdk.ListObjectVersionsCommand({ Bucket: bucket, Prefix: whole })
    try {
      const { Versions: versions = [], DeleteMarkers: markers = [] } = await this.call((limit) =>
        this.client.send(command, limit),
      )
      return [...versions, ...markers].flatMap(({ Key: one, VersionId: version }) =>
        one === whole ? [version] : [],
      )
    } catch (error) {
      if (((error as AppError).cause as Fault | undefined)?.$metadata?.httpStatusCode === 501)
        return [undefined]
      throw error
    }
  }

  close(): void {
    this.client.destroy()
  }
}

/** A storage on another computer is reached with TLS only: keys and names of objects are not encrypted. */
function assertProtected(endpoint: string): void {
  const { protocol, hostname } = new URL(endpoint)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'https:' || (protocol === 'http:' && isHere)) return
  throw new Error(`The address of the object storage must begin with https: ${endpoint}`)
}

/**
 * Loads the client and returns the bucket; it connects with the first call. Reads the files of the settings, and
 * throws their errors, or an error for an address without TLS.
 */
export async function openBucket(settings: BucketSettings, now: () => Date): Promise<Bucket> {
  const { endpoint, region, accessKeyFile, secretKeyFile, pathStyle = false, caFile } = settings
  if (endpoint !== undefined) assertProtected(endpoint)
  const limits = { ...LIMITS, ...settings.limits }
  const credentials = async () => {
    const [accessKeyId, secretAccessKey] = await Promise.all(
      [accessKeyFile, secretKeyFile].map(async (file) => (await readFile(file, 'utf8')).trim()),
    )
    return {
      accessKeyId: accessKeyId ?? '',
      secretAccessKey: secretAccessKey ?? '',
      expiration: new Date(now().getTime() + CREDENTIALS_MS),
    }
  }
  await credentials()
  const ca = caFile === undefined ? undefined : await readFile(caFile, 'utf8')
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    region,
    credentials,
    forcePathStyle: pathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    maxAttempts: TRIES,
    // Newer checksums are headers that other storages refuse; the content is checked when it is read.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: limits.connectMs,
      socketTimeout: limits.silenceMs,
      requestTimeout: limits.silenceMs,
      throwOnRequestTimeout: true,
      ...(ca === undefined ? {} : { httpsAgent: { ca, keepAlive: true } }),
    },
  })
  return new S3Bucket(sdk, client, settings, limits.callMs)
}
