/**
 * Printing what is on screen: lists bring all their rows first, and a page that shows a document prints that document
 * instead of itself.
 */
import { getCurrentScope, nextTick, onScopeDispose, shallowReactive } from 'vue'

/** Rows of a list that go on paper: some twenty-five sheets; beyond that a file serves better. */
export const PRINTED_ROWS = 1000

interface Preparation {
  prepare: () => Promise<void>
  restore: () => void
}

const preparations = shallowReactive(new Set<Preparation>())
const documents = shallowReactive<(() => Promise<void>)[]>([])
let printing = false

/** A part of the page that is put on paper otherwise than on screen. */
export function usePrintPreparation(preparation: Preparation): void {
  preparations.add(preparation)
  if (getCurrentScope()) onScopeDispose(() => preparations.delete(preparation))
}

/** The page shows a document: `print` prints it. */
export function usePrintDocument(print: () => Promise<void>): void {
  documents.push(print)
  if (getCurrentScope())
    onScopeDispose(() => {
      const index = documents.indexOf(print)
      if (index !== -1) documents.splice(index, 1)
    })
}

/** Opens the print dialog; a second call while it is open is the same wish. */
export async function printPage(): Promise<void> {
  if (printing) return
  printing = true
  try {
    const document = documents.at(-1)
    if (document) return await document()
    const parts = [...preparations]
    await Promise.all(parts.map((part) => part.prepare()))
    await nextTick()
    // Not at once when `print` returns: not every system waits there until the pages are made.
    window.addEventListener('afterprint', () => parts.forEach((part) => part.restore()), { once: true })
    window.print()
  } finally {
    printing = false
  }
}
