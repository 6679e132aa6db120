/** The key of books with a key file; separate from modules that only tests can load, for the programs they start. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export function keyOf(folder: string): Buffer {
  return Buffer.from(readFileSync(join(folder, 'master.key'), 'utf8').trim(), 'hex')
}
