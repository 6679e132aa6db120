/**
 * Marks of books in a bucket. A mark that is changed in place would need conditional writes, which not every S3
 * has: so each is an object of its own.
 */
import type { MarkStorage } from '../../outside/marks.ts'
import { deriveKey } from '../../seal.ts'
import type { Bucket } from './bucket.ts'
import { openObject, sealObject } from './sealed-object.ts'

/** More marks than servers that crash between putting one and removing the others leave. */
const MOST = 100

interface BucketMarksOptions {
  bucket: Bucket
  storeId: string
  masterKey: Uint8Array
}

export class BucketMarks implements MarkStorage {
  private readonly bucket: Bucket
  private readonly storeId: string
  private readonly key: Buffer

  constructor({ bucket, storeId, masterKey }: BucketMarksOptions) {
    this.bucket = bucket
    this.storeId = storeId
    this.key = deriveKey(masterKey, 'marks-v1')
  }

  private folderOf(companyId: number, book: string): string {
    return `${this.storeId}/${companyId}/marks/${book}/`
  }

  async list(companyId: number, book: string): ReturnType<MarkStorage['list']> {
    const folder = this.folderOf(companyId, book)
    const { objects } = await this.bucket.list(folder, null, MOST)
    const marks = objects.map(async ({ key }) => {
      const object = await this.bucket.get(key)
      // Another server has removed it since.
      if (!object) return []
      return [
        { name: key.slice(folder.length), text: openObject(this.key, object, key)?.toString('utf8') ?? null },
      ]
    })
    return (await Promise.all(marks)).flat()
  }

  async put(companyId: number, book: string, name: string, text: string): Promise<void> {
    const key = `${this.folderOf(companyId, book)}${name}`
    await this.bucket.put(key, sealObject(this.key, Buffer.from(text, 'utf8'), key))
  }

  async remove(companyId: number, book: string, names: readonly string[]): Promise<void> {
    await this.bucket.remove(names.map((name) => `${this.folderOf(companyId, book)}${name}`))
  }
}
