/**
 * Answers in Spanish: the messages of errors and faults with the texts of the window, and the sentences that explain
 * an answer. Codes, fields and `next`, which are for programs, stay unchanged, as does a message without a
 * translation.
 */
import type { ErrorCode } from './catalog.ts'
import type { ErrorMessages } from './messages/error-text.ts'
import { spanishSentences } from './spanish-sentences.ts'

interface Messages {
  errors: ErrorMessages
  faults: Readonly<Record<string, string>>
}
type Params = Readonly<Record<string, string | number>>
type Json = Record<string, unknown>

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns true if an `Accept-Language` header (RFC 9110, 12.5.4) prefers Spanish to English. */
export function prefersSpanish(header: string | undefined): boolean {
  const weights = { es: 0, en: 0 }
  for (const part of (header ?? '').slice(0, 200).toLowerCase().split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim())
    const language = range.split('-')[0]
    if (language !== 'es' && language !== 'en') continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const quality = weight === undefined ? 1 : Number(weight.slice(2))
    // On equal weight the first language wins.
    if (quality > weights.es && quality > weights.en) weights[language] = quality
  }
  return weights.es > weights.en
}

function valueText(name: string, value: string | number): string {
  if (typeof value === 'number')
    return name === 'amount' ? `${value.toFixed(2).replace('.', ',')} €` : String(value).replace('.', ',')
  return /^\d{4}-\d{2}(-\d{2})?$/.test(value) ? value.split('-').toReversed().join('/') : value
}

/** Fills the values into a text; null if one is missing. */
function filled(text: string | undefined, params: Params): string | null {
  if (text === undefined) return null
  let isWhole = true
  const sentence = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) isWhole = false
    return value === undefined ? '' : valueText(name, value)
  })
  return isWhole ? sentence : null
}

function ofFault({ faults }: Messages, { code, params }: Json): string | null {
  const given = (params ?? {}) as Params
  // The correct control character is not always known.
  const name = code === 'nif_invalid' && given.expected !== undefined ? 'nif_control' : String(code)
  return Object.hasOwn(faults, name) ? filled(faults[name], given) : null
}

function ofError({ errors }: Messages, { code }: Json): string | null {
  return Object.hasOwn(errors, String(code)) ? errors[code as ErrorCode].message : null
}

/** Translates members that contain sentences for people: the reason of an inferred field, the limits of a summary. */
function explained(name: string, value: unknown): unknown {
  if (name === 'why' && typeof value === 'string') return spanishSentences(value)
  if (name === 'caveats' && Array.isArray(value))
    return value.map((each: unknown) => (typeof each === 'string' ? spanishSentences(each) : each))
  return value
}

function translated(value: unknown, messages: Messages): unknown {
  if (Array.isArray(value)) return value.map((each) => translated(each, messages))
  if (!isObject(value)) return value
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, translated(explained(name, each), messages)]),
  )
  if (typeof value.code !== 'string' || typeof value.message !== 'string') return copy
  const isFault = value.severity === 'error' || value.severity === 'warning'
  const isError = typeof value.retry === 'string' && typeof value.next === 'string'
  const message = isFault ? ofFault(messages, value) : isError ? ofError(messages, value) : null
  return message === null ? copy : { ...copy, message }
}

/** Returns the answer with its messages in Spanish. */
export async function translateMessages<T>(answer: T): Promise<T> {
  const [{ spanish }, { default: faults }] = await Promise.all([
    import('./messages/es.ts'),
    import('./spanish-faults.json', { with: { type: 'json' } }),
  ])
  return translated(answer, { errors: spanish, faults }) as T
}
