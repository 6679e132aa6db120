/**
 * Readers of registry records by the registry that they belong to: code of their own, which the writers do not share. A
 * registry without a reader issues nothing.
 */
import { FIRST_REGISTRY } from '../../registry/index.ts'
import { saidByRecord } from './registered.ts'
import { saidByFile } from './signed-file.ts'
import type { Said } from './said.ts'

const READERS: Readonly<Record<string, (text: string, hash: string) => Said[]>> = {
  [FIRST_REGISTRY]: saidByRecord,
  'signed-01': saidByFile,
  'signed-20': saidByFile,
  'signed-48': saidByFile,
}

/** Returns what the text of a record says. `hash` is the one stored with it. Throws for a registry without a reader. */
export function saidByRegistry(record: { xml: string; hash: string; registry?: string }): Said[] {
  const name = record.registry ?? FIRST_REGISTRY
  const read = READERS[name]
  if (!read) throw new Error(`No reader compares the records of "${name}".`)
  return read(record.xml, record.hash)
}
