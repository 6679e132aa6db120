/**
 * Content of documents in a bucket: what exceeds a length is an encrypted object, and its row holds a pointer.
 *
 * Each object has a name of its own, also with the same content: only the writer that stored it can name it, within
 * seconds. An object that no row names after a day is therefore never named again, and can be removed without a lock
 * between storage and database.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { AppError } from '../../../domain/errors/app-error.ts'
import { failpoint } from '../../failpoints.ts'
import { pointedObject, pointerTo } from '../../outside/objects.ts'
import type { Content, ListedObject, ObjectPage, Objects } from '../../outside/objects.ts'
import { deriveKey } from '../../seal.ts'
import type { Bucket } from './bucket.ts'
import { openObject, SEAL_BYTES, sealObject } from './sealed-object.ts'

/** Content up to this length stays in its row. */
const IN_ROW_AT_MOST = 64 * 1024
const PAGE = 500

interface BucketObjectsOptions {
  bucket: Bucket
  storeId: string
  masterKey: Uint8Array
  /** Longest content in a row, in bytes; 64 kB by default. */
  inRowAtMost?: number | undefined
}

/** Keys of a company's objects. */
interface CompanyKeys {
  sealing: Buffer
  naming: Buffer
}

export class BucketObjects implements Objects {
  private readonly bucket: Bucket
  private readonly storeId: string
  private readonly inRowAtMost: number
  private readonly key: Buffer

  constructor({ bucket, storeId, masterKey, inRowAtMost = IN_ROW_AT_MOST }: BucketObjectsOptions) {
    this.bucket = bucket
    this.storeId = storeId
    this.inRowAtMost = inRowAtMost
    this.key = deriveKey(masterKey, 'objects-v1')
  }

  private folderOf(companyId: number): string {
    return `${this.storeId}/${companyId}/objects/`
  }

  private keysOf(companyId: number): CompanyKeys {
    const salt = Buffer.from(`${this.storeId}/${companyId}`, 'utf8')
    return {
      sealing: deriveKey(this.key, 'content', salt),
      naming: deriveKey(this.key, 'names', salt),
    }
  }

  async keep(companyId: number, bytes: Uint8Array, sha256: Uint8Array): Promise<Uint8Array> {
    if (bytes.byteLength <= this.inRowAtMost) return bytes
    const { sealing, naming } = this.keysOf(companyId)
    // Names that contained the SHA-256 would tell whether a known file is among the documents.
    const digest = createHmac('sha256', naming).update(sha256).digest('hex').slice(0, 32)
    const name = `${digest}-${randomBytes(8).toString('hex')}`
    const key = `${this.folderOf(companyId)}${name}`
    await this.bucket.put(key, sealObject(sealing, bytes, key))
    failpoint('objects.stored')
    return pointerTo(name, bytes.byteLength)
  }

  async read(companyId: number, content: Content): Promise<Uint8Array> {
    const pointed = pointedObject(content)
    if (!pointed) return content.cell
    const key = `${this.folderOf(companyId)}${pointed.name}`
    const sha256 = Buffer.from(content.sha256).toString('hex')
    const object = await this.bucket.get(key)
    if (!object) throw new AppError('stored_file_missing', { details: { sha256 } })
    const bytes = openObject(this.keysOf(companyId).sealing, object, key)
    if (!bytes || !createHash('sha256').update(bytes).digest().equals(content.sha256))
      throw new AppError('stored_file_damaged', { details: { sha256 } })
    return bytes
  }

  async remove(companyId: number, contents: readonly Content[], forGood: boolean): Promise<void> {
    const keys = contents.flatMap((content) => {
      const pointed = pointedObject(content)
      return pointed ? [`${this.folderOf(companyId)}${pointed.name}`] : []
    })
    await (forGood ? this.bucket.removeVersions(keys) : this.bucket.remove(keys))
  }

  async list(companyId: number, after: string | null): Promise<ObjectPage> {
    const folder = this.folderOf(companyId)
    const start = after === null ? null : `${folder}${after}`
    const { objects, isLast } = await this.bucket.list(folder, start, PAGE)
    const listed = objects.map(({ key, size, modifiedAt }) => {
      const name = key.slice(folder.length)
      return { name, pointer: pointerTo(name, size - SEAL_BYTES), storedAt: modifiedAt }
    })
    return { objects: listed, after: isLast ? null : (listed.at(-1)?.name ?? null) }
  }

  async removeListed(companyId: number, objects: readonly ListedObject[]): Promise<void> {
    const folder = this.folderOf(companyId)
    await this.bucket.remove(objects.map(({ name }) => `${folder}${name}`))
  }
}
