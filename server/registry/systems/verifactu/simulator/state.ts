/** State of the simulated authority, as a port: a test book keeps it in its store, a test in memory. */

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
  /** Verdict on the last record of the invoice. */
  state: 'Correcto' | 'AceptadoConErrores'
  /** Code and text of an acceptance with errors. */
  code: string | null
  message: string | null
  /** Hash of the last registration; null when only a cancellation is held. */
  hash: string | null
  /** Hash of the last cancellation. */
  cancellationHash: string | null
  /** Identifier of the submission with the record that a query returns (IdPeticion), at most 20 characters. */
  requestId: string
  /** Tax number of the presenter. */
  presenterNif: string
  /** The system that made the last record of the invoice. */
  system: SystemKey
  recordRef: string
  /** Creation time of the record that a query returns, as written there. */
  generatedAt: string
  /** The date whose month a query finds the invoice by: of the operation, else of the issue. YYYY-MM-DD. */
  operationDate: string
  /** Total of the registration as written; null when only a cancellation is held. */
  total: string | null
  /** Arrival of the record that a query returns, and of the last record. ISO 8601 with offset. */
  registeredAt: string
  modifiedAt: string
  /** Other fields of the header; empty when absent. */
  header: { representativeNif: string; leavingOn: string; incident: string }
  /** The record that a query returns, as XML: the last registration, or the cancellation when there is none. */
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
  /** Null for an entry that nobody sent: a fault switch created it. */
  record: StoredRecord | null
}

export interface SimulatorState {
  /** Returns the entry of a key, or null. */
  find(key: RecordKey): Promise<Entry | null>
  /** Returns true if the system has sent records of this issuer. */
  hasRecords(issuerNif: string, system: SystemKey): Promise<boolean>
  /**
   * Returns entries of an issuer by number and date, both compared as text, after a key (which need not exist) or
   * from the first.
   */
  page(issuerNif: string, after: RecordKey | null, limit: number): Promise<Entry[]>
  /** Writes the changes of one submission: all of them, or none on failure. */
  write(changes: readonly Change[]): Promise<void>
}

export interface MemoryState extends SimulatorState {
  entries(): Entry[]
  /** Returns every stored record in order of arrival. */
  records(): StoredRecord[]
  /** Adds an entry as if it had always existed. */
  put(entry: Entry): void
}

export function keyText(key: RecordKey): string {
  return JSON.stringify([key.issuerNif, key.number, key.issueDate])
}

/** Compares entries by number, then by date, as text. */
function compareKeys(a: RecordKey, b: RecordKey): number {
  if (a.number !== b.number) return a.number < b.number ? -1 : 1
  return a.issueDate === b.issueDate ? 0 : a.issueDate < b.issueDate ? -1 : 1
}

/** Creates a state that lives as long as the process. */
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
