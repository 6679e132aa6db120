/** What the simulator of the filing services holds: filed returns, and informative returns that are being sent. */

/** A filed return. */
export interface DeclaredReturn {
  /** Tax number of the filer. */
  nif: string
  model: string
  year: number
  period: string
  nature: 'first' | 'complementary' | 'rectifying' | 'substitutive'
  /** Kind of return (`I`, `U`, `N`, …); empty where the design has none. */
  kind: string
  /** Code that identifies the document (CSV), 16 characters. */
  csv: string
  /** Receipt number (`Justificante`), 13 characters that begin with the model. */
  receipt: string
  /** Number of the agency's file (`Expediente`). */
  file: string
  /** Epoch milliseconds. */
  presentedAt: number
  /** Positive to pay, negative to get back; 0 for an informative return. */
  resultCents: number
  presenterNif: string
  presenterName: string
  /** How the presenter represents the filer; empty for the filer itself. */
  presenterAs: string
  /** Name of the filer, as the file has it. */
  name: string
  /** The whole file. */
  text: string
}

/** A record 2 that was refused, with its line in the declaration and its findings. */
export interface RecordNote {
  /** The 500 characters. */
  record: string
  /** Line in the declaration, from 1: record 1 is the first. */
  line: number
  /** `CODE - text`, each. */
  notes: string[]
}

/** An informative return that is sent in steps. */
export interface InformativeSending {
  /** `IDENVIO`. */
  id: string
  nif: string
  model: string
  year: number
  period: string
  /** Place among the sendings of this return, from 1: the one created last has the highest. */
  serial: number
  estado: 'CREADO' | 'FINALIZADO' | 'PRESENTADO'
  /** Announced blocks, and how many were received. */
  blocks: number
  received: number
  /** Record 1. */
  head: string
  /** Accepted records 2, in order, joined. */
  accepted: string
  refused: RecordNote[]
  warnings: RecordNote[]
  /** Sums over all received records 2, in the order of the totals in record 1. */
  sums: number[]
  /** False once a record 2 could not be read. */
  isReadable: boolean
  /** `Expediente` of each filed declaration of this return that was cancelled; later sendings carry them on. */
  cancelled: string[]
}

/** What a return is filed for. */
export interface ReturnKey {
  nif: string
  model: string
  year: number
  period: string
}

/** The memory of the simulator. It never changes what it was given, nor what it answers. */
export interface ReturnsState {
  /** Returns the filed returns of a period, oldest first. */
  declared(query: ReturnKey): Promise<DeclaredReturn[]>
  byCsv(csv: string): Promise<DeclaredReturn | null>
  add(declared: DeclaredReturn): Promise<void>
  sending(id: string): Promise<InformativeSending | null>
  /** Stores a sending, or replaces the one with its `id`. */
  putSending(sending: InformativeSending): Promise<void>
  /** Returns the sending of a return with the highest `serial`. */
  lastSending(query: ReturnKey): Promise<InformativeSending | null>
}

/** A state in memory, which can also be read as a whole. */
export interface MemoryReturnsState extends ReturnsState {
  allDeclared(): DeclaredReturn[]
  allSendings(): InformativeSending[]
}

/** Creates an empty state. */
export function memoryReturnsState(): MemoryReturnsState {
  const declared: DeclaredReturn[] = []
  const sendings = new Map<string, InformativeSending>()
  const isOf = (key: ReturnKey) => (each: ReturnKey) =>
    each.nif === key.nif && each.model === key.model && each.year === key.year && each.period === key.period
  return {
    declared: async (query) => structuredClone(declared.filter(isOf(query))),
    byCsv: async (csv) => structuredClone(declared.find((each) => each.csv === csv) ?? null),
    add: async (added) => void declared.push(structuredClone(added)),
    sending: async (id) => structuredClone(sendings.get(id) ?? null),
    putSending: async (sending) => void sendings.set(sending.id, structuredClone(sending)),
    lastSending: async (query) => {
      const found = [...sendings.values()].filter(isOf(query))
      return structuredClone(found.toSorted((one, other) => one.serial - other.serial).at(-1) ?? null)
    },
    allDeclared: () => structuredClone(declared),
    allSendings: () => structuredClone([...sendings.values()]),
  }
}
