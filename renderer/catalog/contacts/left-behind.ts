/**
 * Contacts left with a change that could not be saved, because somebody else had saved another one: for the lifetime of
 * the window, since customers' data are not written to the browser's storage.
 */
import type { ContactForm } from './form.ts'

interface LeftContact {
  form: ContactForm
  /** The form, as JSON, that the page and the server both had. */
  saved: string
  version: number
}

const left = new Map<string, LeftContact>()

export const contactsLeft = {
  put: (id: string, contact: LeftContact): void => void left.set(id, contact),
  /** Returns what was left of a contact, once. */
  take(id: string): LeftContact | undefined {
    const found = left.get(id)
    left.delete(id)
    return found
  },
}
