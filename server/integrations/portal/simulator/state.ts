/** What the simulated portal holds: invoices with their states. */

interface HeldState {
  code: string
  reason: string | null
}

export interface HeldInvoice {
  registryNumber: string
  /** Epoch milliseconds. */
  receivedAt: number
  trackingCode: string
  issuerNif: string
  series: string
  number: string
  issueDate: string
  total: string
  accountingOffice: string
  managingBody: string
  processingUnit: string
  email: string
  fileName: string
  /** Of the file as it arrived, hex. */
  sha256: string
  /** Tax numbers of the certificate that signed the message. */
  callers: string[]
  processing: HeldState
  cancellation: HeldState
  /** All states since it was registered, oldest first. */
  history: (HeldState & { kind: 'processing' | 'cancellation'; at: number })[]
}

/** The memory of the simulator. */
export interface HeldInvoices {
  all(): Promise<HeldInvoice[]>
  get(registryNumber: string): Promise<HeldInvoice | null>
  /** Adds an invoice, or replaces it. */
  put(invoice: HeldInvoice): Promise<void>
}

export type MemoryInvoices = HeldInvoices & { list(): HeldInvoice[] }

/** Creates a memory that ends with the process. */
export function memoryInvoices(): MemoryInvoices {
  const held = new Map<string, HeldInvoice>()
  return {
    all: async () => [...held.values()],
    list: () => [...held.values()],
    get: async (registryNumber) => held.get(registryNumber) ?? null,
    put: async (invoice) => void held.set(invoice.registryNumber, invoice),
  }
}

/** Meaning of each code. Source: two working programs. */
export const MEANINGS: Readonly<Record<string, readonly [name: string, description: string]>> = {
  '1200': ['Registrada', 'La factura ha sido registrada en el registro electrónico'],
  '1300': ['Registrada en RCF', 'La factura ha sido registrada en el registro contable de facturas'],
  '2400': ['Contabilizada la obligación de pago', 'La obligación de pago ha sido contabilizada'],
  '2500': ['Pagada', 'La factura ha sido pagada'],
  '2600': ['Rechazada', 'La factura ha sido rechazada'],
  '3100': ['Anulada', 'La factura ha sido anulada'],
  '4100': ['No solicitada anulación', 'No se ha solicitado la anulación'],
  '4200': ['Solicitada anulación', 'Se ha solicitado la anulación'],
  '4300': ['Aceptada anulación', 'Se ha aceptado la anulación'],
  '4400': ['Rechazada anulación', 'Se ha rechazado la anulación'],
}

/** Next states of each; an invoice that is rejected, paid or cancelled stays so. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  '1200': ['1300', '2400', '2600', '3100'],
  '1300': ['2400', '2600', '3100'],
  '2400': ['2500', '2600', '3100'],
  '4200': ['4300', '4400'],
}

/** Moves an invoice to a state, as its public body would. Returns the changed invoice, or null where it cannot get there. */
export function moved(
  invoice: HeldInvoice,
  code: string,
  { reason, at }: { reason: string | null; at: number },
): HeldInvoice | null {
  const kind = code.startsWith('4') ? 'cancellation' : 'processing'
  if (!(NEXT[invoice[kind].code] ?? []).includes(code)) return null
  const next: HeldInvoice = {
    ...invoice,
    [kind]: { code, reason },
    history: [...invoice.history, { kind, code, reason, at }],
  }
  // An accepted cancellation is the cancellation.
  if (code !== '4300') return next
  return {
    ...next,
    processing: { code: '3100', reason },
    history: [...next.history, { kind: 'processing', code: '3100', reason, at }],
  }
}

/** A cancellation can be asked for until the invoice has come to an end. */
export function mayAskToCancel({ processing, cancellation }: HeldInvoice): boolean {
  return NEXT[processing.code] !== undefined && cancellation.code !== '4200' && cancellation.code !== '4300'
}
