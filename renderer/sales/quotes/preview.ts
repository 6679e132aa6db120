/** Preview of a quote: the saved one, or the one being edited. */
import type { Preview } from '../../components/pdf/use-preview.ts'
import { fetchPdf } from '../invoices/read/save-pdf.ts'
import type { InputOf } from '../../../server/api/contracts.ts'

const previewOf = async (file: File): Promise<Preview> => ({
  bytes: new Uint8Array(await file.arrayBuffer()),
  areas: [],
})

/** Loads the preview of a saved quote. Throws `CallError`. */
export async function loadQuotePreview(id: string, bookId: string): Promise<Preview> {
  return previewOf(await fetchPdf('quotes.pdf', { id }, { bookId }))
}

/**
 * Renders the preview of unsaved content. Throws `CallError`: `validation_failed` if the content could not be saved
 * either.
 */
export async function loadUnsavedPreview(input: InputOf<'quotes.preview'>, bookId: string): Promise<Preview> {
  return previewOf(await fetchPdf('quotes.preview', input, { bookId }))
}
