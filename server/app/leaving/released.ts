/** Contents of documents pass through by the hundred megabytes: the engine would hold them long after their use. */
import type { BulkRow } from '../../db/bulk.ts'
import { collectGarbage } from '../../platform/processes/memory.ts'

/** Collecting takes some 25 ms. */
const EVERY_BYTES = 24 * 1024 * 1024

/** Counts bytes that have passed, and releases their memory at times. */
export class Released {
  private bytes = 0

  passed(bytes: number): void {
    this.bytes += bytes
    if (this.bytes < EVERY_BYTES) return
    this.bytes = 0
    collectGarbage(true)
  }

  rows(rows: readonly BulkRow[]): void {
    for (const row of rows) for (const value of row) if (Buffer.isBuffer(value)) this.passed(value.length)
  }
}
