/** What has to be said of an incoming document before it is entered, and which of it needs an answer. Pure. */
import type { OutputOf } from '../../../server/api/contracts.ts'

export type Incoming = OutputOf<'incoming.get'>
type Warning = NonNullable<Incoming['reading']>['warnings'][number]

export interface Notice {
  key: string
  tone: 'error' | 'warning' | 'info'
  /** The warning of the reading, unless it is about a duplicate. */
  warning: Warning | null
  duplicate: NonNullable<Incoming['duplicateOf']> | null
  /** Key of the answer below `incoming.answer`; null if none is needed. */
  answer: 'enterAnyway' | 'other' | 'isInvoice' | 'seen' | null
  /** True if the document can be split here. */
  splits: boolean
}

/** They say how it was read, or what the state says as well. */
const SILENT: readonly string[] = ['read_from_text', 'read_from_picture', 'nothing_found']
const WITHOUT_ANSWER: readonly string[] = ['signature_not_checked']
/** Signs of fraud. */
const GRAVE: readonly string[] = ['iban_new', 'supplier_nif_new']
const CERTAIN: readonly string[] = ['file', 'number']

/** Returns the notices of a document, the gravest first. */
export function noticesOf({ reading, duplicateOf }: Pick<Incoming, 'reading' | 'duplicateOf'>): Notice[] {
  const notices: Notice[] = []
  if (duplicateOf)
    notices.push({
      key: 'duplicate',
      tone: 'warning',
      warning: null,
      duplicate: duplicateOf,
      answer: CERTAIN.includes(duplicateOf.because) ? 'enterAnyway' : 'other',
      splits: false,
    })
  for (const warning of reading?.warnings ?? []) {
    const { code } = warning
    if (SILENT.includes(code)) continue
    const isFree = WITHOUT_ANSWER.includes(code)
    notices.push({
      key: code,
      tone: GRAVE.includes(code) ? 'error' : isFree ? 'info' : 'warning',
      warning,
      duplicate: null,
      answer: isFree ? null : code === 'not_an_invoice' ? 'isInvoice' : 'seen',
      splits: code === 'several_invoices',
    })
  }
  const order = { error: 0, warning: 1, info: 2 }
  return notices.toSorted((a, b) => order[a.tone] - order[b.tone])
}

/** Order of the fields in the form, in which they are looked at. */
const FORM_ORDER: readonly string[] = [
  'supplierName',
  'supplierNif',
  'kind',
  'supplierNumber',
  'issueDate',
  'dueDate',
  'currency',
  'taxLines',
  'total',
  'withholding',
]

/** Returns the fields to look at, in the order of the form. */
export function doubtsOf({ reading, doubts }: Pick<Incoming, 'reading' | 'doubts'>): string[] {
  if (reading === null) return []
  const all = new Set(doubts)
  // Sums that nothing proves are a doubt about the lines, whatever else is sure.
  if (!reading.proposal.closes) all.add('taxLines')
  const place = (field: string): number => {
    const at = FORM_ORDER.indexOf(field)
    return at === -1 ? FORM_ORDER.length : at
  }
  return [...all].toSorted((a, b) => place(a) - place(b))
}
