/** What the simulated authority remembers, as a port: a test book keeps it in its store, a test in memory. */

export interface RecordKey {
  issuerNif: string
  number: string
  /** DD-MM-YYYY, as in the record. */
  issueDate: string
}

/** The program that made a record: the producer's number, its code for the system, and the installation. */
export interface SystemKey {
  producer: string
  id: string
  installation: string
}

/** One invoice as the simulated authority holds it. */
export interface Entry extends RecordKey {
  status: 'active' | 'cancelled'
  /** How the last record of the invoice was taken. */
  state: 'Correcto' | 'AceptadoConErrores'
  /** Code and text of an acceptance with errors. */
  code: string | null
  message: string | null
  /** Of the last registration; null when only a cancellation is held. */
  hash: string | null
  /** Of the last cancellation. */
  cancellationHash: string | null
  /** Identifier of the submission that brought what a query tells (IdPeticion), at most 20 characters. */
  requestId: string
  /** Who handed it over. */
  presenterNif: string
  /** The system that made the last record of the invoice. */
  system: SystemKey
  recordRef: string
  /** Of the record a query tells, as written there. */
  generatedAt: string
  /** The month the invoice is asked for by, as a day: of the operation, else of the issue. YYYY-MM-DD. */
  operationDate: string
  /** Total of the registration as written; null when only a cancellation is held. */
  total: string | null
  /** ISO 8601 with offset: when what a query tells arrived, and when the last record did. */
  registeredAt: string
  modifiedAt: string
  /** What the header said beside it: empty when nothing. */
  header: { representativeNif: string; leavingOn: string; incident: string }
  /** The record a query tells, as XML: the last registration, or the cancellation when there is none. */
  record: string
}

/** A line of the log: one record that was stored, as it arrived. */
export interface StoredRecord {
  key: RecordKey
  kind: 'registration' | 'cancellation'
  hash: string
  /** Empty for the first record of an installation. */
  previousHash: string
  recordRef: string
  system: SystemKey
  /** ISO 8601 with offset. */
  at: string
}

export interface Change {
  /** The invoice after the record. */
  entry: Entry
  /** Null for what nobody sent: an entry that a fault switch put there. */
  record: StoredRecord | null
}

export interface SimulatorState {
  /** The entry of a key, or null. */
  find(key: RecordKey): Promise<Entry | null>
  /** Whether the system has brought records of this issuer. */
  hasRecords(issuerNif: string, system: SystemKey): Promise<boolean>
  /** Entries of an issuer by number and date, both as text, after a key (which need not exist) or from the first. */
  page(issuerNif: string, after: RecordKey | null, limit: number): Promise<Entry[]>
  /** Writes what one submission brought: all of it, or, when it fails, nothing. */
  write(changes: readonly Change[]): Promise<void>
}

export interface MemoryState extends SimulatorState {
  entries(): Entry[]
  /** Every record that was stored, in order of arrival. */
  records(): StoredRecord[]
  /** Puts an entry there as if it had always been. */
  put(entry: Entry): void
}

export function keyText(key: RecordKey): string {
  return JSON.stringify([key.issuerNif, key.number, key.issueDate])
}

/** Order of entries: by number, then by date, as text. */
export function compareKeys(a: RecordKey, b: RecordKey): number {
  if (a.number !== b.number) return a.number < b.number ? -1 : 1
  return a.issueDate === b.issueDate ? 0 : a.issueDate < b.issueDate ? -1 : 1
}

/** A state that lives as long as the process. */
export function memoryState(): MemoryState {
  const entries = new Map<string, Entry>()
  const systems = new Set<string>()
  const log: StoredRecord[] = []
  let ordered: Entry[] | null = null
  const systemText = (issuerNif: string, system: SystemKey) =>
    JSON.stringify([issuerNif, system.producer, system.id, system.installation])
  const keep = (entry: Entry) => {
    entries.set(keyText(entry), entry)
    systems.add(systemText(entry.issuerNif, entry.system))
    ordered = null
  }
  return {
    find: (key) => Promise.resolve(entries.get(keyText(key)) ?? null),
    hasRecords: (issuerNif, system) => Promise.resolve(systems.has(systemText(issuerNif, system))),
    page: (issuerNif, after, limit) => {
      ordered ??= [...entries.values()].sort(compareKeys)
      const found: Entry[] = []
      for (const entry of ordered) {
        if (found.length >= limit) break
        if (entry.issuerNif === issuerNif && (after === null || compareKeys(entry, after) > 0))
          found.push(entry)
      }
      return Promise.resolve(found)
    },
    write: (changes) => {
      for (const { entry, record } of changes) {
        keep(entry)
        if (record) log.push(record)
      }
      return Promise.resolve()
    },
    put: keep,
    entries: () => [...entries.values()],
    records: () => [...log],
  }
}
