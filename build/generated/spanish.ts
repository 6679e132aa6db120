/**
 * Spanish messages of the faults of single fields from the window's texts, for answers to programs and assistants:
 * server/domain/errors/spanish-faults.json.
 */
import { faults } from '../../renderer/locales/es/faults.ts'
import { invoiceFaults } from '../../renderer/locales/es/invoice-faults.ts'
import { fillText, USUAL_TERMS } from '../../renderer/locales/terms.ts'

/** Adds a full stop, as the English sentences have one. */
const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

export function generate(): Record<string, string> {
  // For codes in both lists the general message applies to every document.
  const messages = Object.fromEntries(
    Object.entries({ ...invoiceFaults, ...faults }).map(([code, text]) => [
      code,
      // A program is answered with the tax and the registry of most companies.
      sentence(fillText(text, USUAL_TERMS.es)),
    ]),
  )
  return { 'server/domain/errors/spanish-faults.json': `${JSON.stringify(messages, null, 2)}\n` }
}
