/** What the simulated authority remembers, as a port: a test book keeps it in its store, a test in memory. */

export interface RecordKey {
  issuerNif: string
  number: string
  /** DD-MM-YYYY, as in the record. */
  issueDate: string
}

/** One invoice as the simulated authority holds it. */
export interface Entry extends RecordKey {
  status: 'active' | 'cancelled'
  state: 'Correcto' | 'AceptadoConErrores'
  /** Code and text of an acceptance with errors. */
  code: string | null
  message: string | null
  hash: string
  /** Identifier of the submission that brought it (IdPeticion), at most 20 characters. */
  requestId: string
  /** Issuer's installation: producer, system and installation number in one text. */
  installation: string
  /** ISO 8601 with offset. */
  registeredAt: string
}

export interface SimulatorState {
  /** The entry of a key, or null. */
  find(key: RecordKey): Promise<Entry | null>
  /** Writes or replaces the entry of its key. */
  put(entry: Entry): Promise<void>
  /** The entry written last for an issuer's installation, or null. */
  last(issuerNif: string, installation: string): Promise<Entry | null>
}

/** A state that lives as long as the process. */
export function memoryState(): SimulatorState & { entries(): Entry[] } {
  const entries = new Map<string, Entry>()
  const last = new Map<string, Entry>()
  const keyOf = (key: RecordKey) => JSON.stringify([key.issuerNif, key.number, key.issueDate])
  return {
    find: (key) => Promise.resolve(entries.get(keyOf(key)) ?? null),
    put: (entry) => {
      entries.set(keyOf(entry), entry)
      last.set(JSON.stringify([entry.issuerNif, entry.installation]), entry)
      return Promise.resolve()
    },
    last: (issuerNif, installation) =>
      Promise.resolve(last.get(JSON.stringify([issuerNif, installation])) ?? null),
    entries: () => [...entries.values()],
  }
}
