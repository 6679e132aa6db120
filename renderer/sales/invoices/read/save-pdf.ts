/** Download of PDFs from the server, waiting while they are being rendered. */
import { callBytes, CallError } from '../../../call.ts'
import type { InputOf } from '../../../../server/api/contracts.ts'

const TRIES = 5
const WAIT_MS = 2000

/** Saves a file as if its link had been clicked. */
export function saveFile(file: File): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = file.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), WAIT_MS)
}

/**
 * Fetches a document that the server renders. Throws `CallError`; `internal` with an option to retry if it is not
 * rendered in time.
 */
export async function fetchPdf<Name extends 'invoices.pdf' | 'quotes.pdf' | 'quotes.preview'>(
  operation: Name,
  input: InputOf<Name>,
  options: { bookId?: string } = {},
): Promise<File> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const file = await callBytes(operation, input, options)
    // 202 is answered as JSON: the document is not rendered yet.
    if (file.type.startsWith('application/pdf')) return file
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  }
  throw new CallError({ code: 'internal', message: 'The document is still being drawn.', retry: 'backoff' })
}

/** Downloads one invoice's PDF. */
export async function savePdf(id: string): Promise<void> {
  saveFile(await fetchPdf('invoices.pdf', { id }))
}
