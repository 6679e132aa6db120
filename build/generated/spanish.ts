/**
 * Spanish messages of errors and faults from the window's texts, for answers to programs and assistants:
 * server/domain/errors/spanish.json.
 */
import { errors } from '../../renderer/locales/es/errors.ts'
import { invoiceFaults } from '../../renderer/locales/es/invoice-faults.ts'
import { ERRORS } from '../../server/domain/errors/catalog.ts'

/** Replacements for messages in which the window speaks of itself. */
const TO_PROGRAMS: Readonly<Record<string, string>> = {
  unauthorized: 'Falta la clave de la API, o no está en vigor',
  confirmation_required: 'Este paso no se puede deshacer y necesita un código de confirmación',
  confirmation_invalid: 'El código de confirmación no vale para esta factura, este paso y esta clave',
  confirmation_expired: 'El código de confirmación ha caducado',
  confirmation_used: 'Ese código de confirmación ya se ha usado',
}

/** Adds a full stop, as the English sentences have one. */
const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

function sentences(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([code, text]) => [code, sentence(text)]))
}

export function generate(): Record<string, string> {
  const titles = errors.errors as Readonly<Record<string, { title: string }>>
  const told = Object.fromEntries(
    Object.keys(ERRORS).flatMap((code) => {
      const text = TO_PROGRAMS[code] ?? titles[code]?.title
      return text === undefined ? [] : [[code, text]]
    }),
  )
  // For codes in both lists the general message applies to every document.
  const words = { errors: sentences(told), faults: sentences({ ...invoiceFaults, ...errors.faults }) }
  return { 'server/domain/errors/spanish.json': `${JSON.stringify(words, null, 2)}\n` }
}
