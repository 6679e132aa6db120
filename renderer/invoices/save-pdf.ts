/** Gets the PDF of an invoice onto the computer, waiting while it is still being drawn. */
import { callBytes, CallError } from '../call.ts'

const TRIES = 5
const WAIT_MS = 2000

/** Keeps a file as if its link had been clicked. */
export function saveFile(file: File): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = file.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), WAIT_MS)
}

/** Downloads one invoice's PDF. Throws `CallError`; `internal` with a way to repeat it when it is not drawn in time. */
export async function savePdf(id: string): Promise<void> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const file = await callBytes('invoices.pdf', { id })
    // 202 comes as JSON: the document is not drawn yet.
    if (file.type.startsWith('application/pdf')) return saveFile(file)
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  }
  throw new CallError({ code: 'internal', message: 'The document is still being drawn.', retry: 'backoff' })
}
