/** A quote as it is drawn: the one that is kept, or the one that is being written. */
import type { Preview } from '../../components/pdf/use-preview.ts'
import { fetchPdf } from '../invoices/read/save-pdf.ts'
import type { InputOf } from '../../../server/api/contracts.ts'

const previewOf = async (file: File): Promise<Preview> => ({
  bytes: new Uint8Array(await file.arrayBuffer()),
  areas: [],
})

/** Throws `CallError`. */
export async function loadQuotePreview(id: string, bookId: string): Promise<Preview> {
  return previewOf(await fetchPdf('quotes.pdf', { id }, { bookId }))
}

/** Throws `CallError`: `validation_failed` while what is written cannot be kept either. */
export async function loadUnsavedPreview(input: InputOf<'quotes.preview'>, bookId: string): Promise<Preview> {
  return previewOf(await fetchPdf('quotes.preview', input, { bookId }))
}
