/** State of a simulated service, as a port: a test book keeps it in its store, a test in memory, the command in a file. */
import type { RecordKey } from '../wire/outcome.ts'

interface Remark {
  code: string
  text: string
}

/** A file with an invoice as the service keeps it, with what became of it. */
export interface HeldFile {
  /** Order of arrival, from 1. */
  sequence: number
  key: RecordKey
  status: 'active' | 'cancelled'
  /** Remarks of its acceptance; empty for a correct one. */
  remarks: Remark[]
  /** First 100 characters of the signature of the file. */
  signature: string
  /** The chain whose last file it was when it came: issuer, licence and device. Empty if it was not put at the end of one. */
  chain: string
  /** Signature of the file before it, as written; null for the first of a chain. */
  previous: string | null
  /** The activities of the book of a person, as XML; empty elsewhere. */
  income: string
  /** YYYY-MM-DDThh:mm:ss.sssZ: arrival of the file, and of the last change. */
  presentedAt: string
  modifiedAt: string
  presenterNif: string
  /** The file as it arrived: the last correction after one. */
  xml: string
  /** The cancellation as it arrived, or null. */
  cancellation: string | null
  /** Corrections that replaced the file, or its cancellation. */
  corrections: number
}

/** A received invoice in the book of Bizkaia. */
export interface HeldReceived {
  taxpayerNif: string
  /** Text of its key. */
  key: string
  year: string
  xml: string
  changes: number
}

/** The last file of a chain that the service keeps. */
export interface ChainHead {
  key: RecordKey
  signature: string
}

interface FilePage {
  issuerNif: string
  /** Year of issue. */
  year: string
  /** Sequence of the last file before the page; 0 for the first. */
  after: number
  limit: number
}

/** It never changes what it was given or what it returned. */
export interface ServiceState {
  find(key: RecordKey): Promise<HeldFile | null>
  head(chain: string): Promise<ChainHead | null>
  lastSequence(): Promise<number>
  /** Returns files of an issuer and a year, cancelled ones too, by their sequence. */
  page(page: FilePage): Promise<HeldFile[]>
  findReceived(taxpayerNif: string, key: string): Promise<HeldReceived | null>
  /** Writes what a message changes: all of it, or nothing on failure. */
  write(files: readonly HeldFile[], received: readonly HeldReceived[]): Promise<void>
}

export interface MemoryServiceState extends ServiceState {
  files(): HeldFile[]
  received(): HeldReceived[]
}

export function fileKeyText({ issuerNif, series, number, issueDate }: RecordKey): string {
  return JSON.stringify([issuerNif, series, number, issueDate])
}

/** Creates a state in memory. `written` is called with what a message changes before it counts, and may refuse it by throwing. */
export function memoryServiceState(
  given: { files: readonly HeldFile[]; received: readonly HeldReceived[] } = { files: [], received: [] },
  written: (files: readonly HeldFile[], received: readonly HeldReceived[]) => void = () => {},
): MemoryServiceState {
  const files = new Map<string, HeldFile>()
  const heads = new Map<string, HeldFile>()
  const books = new Map<string, HeldReceived>()
  let last = 0
  const file = (held: HeldFile): void => {
    files.set(fileKeyText(held.key), held)
    last = Math.max(last, held.sequence)
    const head = heads.get(held.chain)
    if (held.chain === '') return
    if (!head || head.sequence <= held.sequence) heads.set(held.chain, held)
  }
  const receivedKey = (taxpayerNif: string, key: string): string => JSON.stringify([taxpayerNif, key])
  const bookReceived = (held: HeldReceived): void => {
    books.set(receivedKey(held.taxpayerNif, held.key), held)
  }
  for (const held of given.files) file(held)
  for (const held of given.received) bookReceived(held)
  const copyOf = (held: HeldFile | undefined): HeldFile | null =>
    held ? { ...held, remarks: [...held.remarks] } : null
  return {
    find: async (key) => copyOf(files.get(fileKeyText(key))),
    head: async (chain) => {
      const head = heads.get(chain)
      return head ? { key: head.key, signature: head.signature } : null
    },
    lastSequence: async () => last,
    page: async ({ issuerNif, year, after, limit }) =>
      [...files.values()]
        .filter(
          ({ key, sequence }) =>
            key.issuerNif === issuerNif && key.issueDate.slice(6) === year && sequence > after,
        )
        .toSorted((a, b) => a.sequence - b.sequence)
        .slice(0, limit)
        .map((held) => copyOf(held) as HeldFile),
    findReceived: async (taxpayerNif, key) => {
      const held = books.get(receivedKey(taxpayerNif, key))
      return held ? { ...held } : null
    },
    write: async (changed, received) => {
      written(changed, received)
      for (const held of changed) file({ ...held, remarks: [...held.remarks] })
      for (const held of received) bookReceived({ ...held })
    },
    files: () => [...files.values()].toSorted((a, b) => a.sequence - b.sequence),
    received: () => [...books.values()],
  }
}
