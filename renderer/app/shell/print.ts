/**
 * Printing of the page: a list loads all its rows first, and a page that shows a document prints the document instead
 * of itself.
 */
import { getCurrentScope, nextTick, onScopeDispose, shallowReactive } from 'vue'

/** Limit of printed rows: about twenty-five sheets; beyond it a file is more useful. */
export const PRINTED_ROWS = 1000

interface Preparation {
  prepare: () => Promise<void>
  restore: () => void
}

const preparations = shallowReactive(new Set<Preparation>())
const documents = shallowReactive<(() => Promise<void>)[]>([])
let printing = false

/** Registers a part of the page that differs on paper. */
export function usePrintPreparation(preparation: Preparation): void {
  preparations.add(preparation)
  if (getCurrentScope()) onScopeDispose(() => preparations.delete(preparation))
}

/** Registers a page that shows a document: `print` prints it. */
export function usePrintDocument(print: () => Promise<void>): void {
  documents.push(print)
  if (getCurrentScope())
    onScopeDispose(() => {
      const index = documents.indexOf(print)
      if (index !== -1) documents.splice(index, 1)
    })
}

/** Opens the print dialog; a second call while it is open is the same request. */
export async function printPage(): Promise<void> {
  if (printing) return
  printing = true
  try {
    const document = documents.at(-1)
    if (document) return await document()
    const parts = [...preparations]
    await Promise.all(parts.map((part) => part.prepare()))
    await nextTick()
    // Not at once when `print` returns: not every system blocks there until the pages are made.
    window.addEventListener('afterprint', () => parts.forEach((part) => part.restore()), { once: true })
    window.print()
  } finally {
    printing = false
  }
}
