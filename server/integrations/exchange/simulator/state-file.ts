/** The state of `sello platform` in a file: a line for each message that changed something, so that a crash loses nothing. */
import { closeSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import { memoryPlatformState } from './state.ts'
import type { HeldInvoice, MemoryPlatformState } from './state.ts'

/** Reads the file, if it exists, and returns a state that appends to it. A last line that is not whole is removed. */
export function filePlatformState(file: string): MemoryPlatformState {
  const { invoices, bytes } = readLines(file)
  const append = (changed: readonly HeldInvoice[]): void => {
    const line = Buffer.from(`${JSON.stringify(changed)}\n`, 'utf8')
    const descriptor = openSync(file, 'a', 0o600)
    try {
      for (let at = 0; at < line.length;) at += writeSync(descriptor, line, at)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }
  if (bytes !== null) truncateSync(file, bytes)
  return memoryPlatformState(invoices, append)
}

/** Returns the newest version of each invoice, and the length of all whole lines; null without a file. */
function readLines(file: string): { invoices: HeldInvoice[]; bytes: number | null } {
  const bySequence = new Map<number, HeldInvoice>()
  let content: Buffer
  try {
    content = readFileSync(file)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return { invoices: [], bytes: null }
    throw error
  }
  let start = 0
  for (let end = content.indexOf(10); end >= 0; end = content.indexOf(10, start)) {
    const changed = JSON.parse(content.toString('utf8', start, end)) as HeldInvoice[]
    for (const each of changed) bySequence.set(each.sequence, each)
    start = end + 1
  }
  return { invoices: [...bySequence.values()], bytes: start }
}
