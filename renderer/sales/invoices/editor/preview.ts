/**
 * Preview of an invoice: a draft as it would be now, an issued one as stored; and the field that a click on it
 * belongs to.
 */
import { call } from '../../../call.ts'
import { previewOf } from '../../../components/pdf/use-preview.ts'
import type { Preview } from '../../../components/pdf/use-preview.ts'
import type { DraftForm } from './draft.ts'
import { anchorOf } from './faults.ts'
import type { Anchor } from './faults.ts'
import { fetchPdf } from '../read/save-pdf.ts'

/** Loads the preview of a draft with the areas of its fields. Throws `CallError`. */
export async function loadPreview(id: string, bookId: string): Promise<Preview> {
  return previewOf(await call('invoices.preview', { id }, { bookId }))
}

/** Loads the document itself, waiting while it is being rendered. Throws `CallError`. */
export async function loadDocument(id: string, bookId: string): Promise<Preview> {
  const file = await fetchPdf('invoices.pdf', { id }, { bookId })
  return { bytes: new Uint8Array(await file.arrayBuffer()), areas: [] }
}

/** Fields of the form by the names of the areas in the preview; the issuer and the totals are not editable here. */
const FIELDS = new Map<string, Anchor>([
  ['client', 'client'],
  ['number', 'series'],
  ['issueDate', 'issueDate'],
  ['dueDate', 'dueDate'],
  ['operationDate', 'operationDate'],
  ['withholding', 'withholding'],
  ['notes', 'notes'],
  ['paymentMethod', 'paymentMethod'],
  ['discount', 'discountPct'],
])

/** Returns the field for an area of the preview; empty if there is none. */
export function anchorOfArea(field: string, form: DraftForm): Anchor {
  const line = /^lines\.(\d+)$/.exec(field)?.[1]
  if (line !== undefined) return anchorOf(`lines[${line}].description`, form).anchor
  return FIELDS.get(field) ?? ''
}
