/**
 * Form state of the header fields of an invoice and its conversion from and to the API, all from the table of fields.
 * Pure.
 */
import type { InputOf, OutputOf } from '../../../../server/api/contracts.ts'
import { HEADER, header, HEADER_TEXT_FIELDS } from '../../../../server/sales/invoices/fields.ts'
import type { HeaderName, HeaderTextName, HeaderValues } from '../../../../server/sales/invoices/fields.ts'

export { HEADER, HEADER_TEXT_FIELDS }
export type { HeaderTextName }

type Table = typeof HEADER
type Group<Name extends HeaderName> = Table[Name] extends { columns: infer Columns } ? keyof Columns : never

/** The header fields; a text is empty instead of null, so that a control can hold it. */
export type HeaderForm = {
  [Name in HeaderName]: Name extends HeaderTextName
    ? string
    : Table[Name]['type'] extends 'group'
      ? { [Part in Group<Name>]: string }
      : HeaderValues[Name]
}

type Wire = Partial<{ [Name in HeaderName]: OutputOf<'invoices.get'>[Name] | undefined }>
type HeaderInput = Pick<InputOf<'invoices.create'>, HeaderName>

const NAMES = header.names
const orNull = (text: string) => text.trim() || null

function formValue(name: HeaderName, value: unknown): unknown {
  const spec = HEADER[name]
  if (spec.type === 'text' || spec.type === 'paragraph') return value ?? ''
  if (spec.type !== 'group') return value ?? header.empty[name]
  const group = (value ?? {}) as Record<string, string | null>
  return Object.fromEntries(Object.keys(spec.columns).map((part) => [part, group[part] ?? '']))
}

/** Returns the fields of an answer, or of a content that leaves some out. */
export function headerFormOf(wire: Wire): HeaderForm {
  return Object.fromEntries(NAMES.map((name) => [name, formValue(name, wire[name])])) as HeaderForm
}

/** Returns the fields as the server takes them: an empty text is null. */
export function headerInput(form: HeaderForm): HeaderInput {
  const input = NAMES.map((name) => {
    const value: unknown = form[name]
    const { type } = HEADER[name]
    if (type === 'text' || type === 'paragraph') return [name, orNull(value as string)]
    if (type !== 'group') return [name, value]
    const parts = Object.entries(value as Record<string, string>)
    return [name, Object.fromEntries(parts.map(([part, text]) => [part, orNull(text)]))]
  })
  return Object.fromEntries(input) as HeaderInput
}

/** Returns the fields of an answer as an input that makes the same document again. */
export function headerInputOf(wire: Wire): HeaderInput {
  return Object.fromEntries(NAMES.map((name) => [name, wire[name] ?? header.empty[name]])) as HeaderInput
}

/** Anchors of the fields on the page, by the server's paths. A group maps to its first text. */
export const HEADER_ANCHORS: Readonly<Record<string, string>> = Object.fromEntries(
  NAMES.flatMap((name) => {
    const spec = HEADER[name]
    if (spec.type !== 'group') return [[name, spec.panel === 'kind' ? 'kind' : name]]
    const parts = Object.keys(spec.columns).map((part) => `${name}.${part}`)
    return [[name, parts[0] ?? name], ...parts.map((part) => [part, part])]
  }),
)

/** Anchors of the fields in the panel of rare fields. */
export const MORE_ANCHORS: readonly string[] = Object.entries(HEADER_ANCHORS).flatMap(([path, anchor]) => {
  const [name = path] = path.split('.')
  return HEADER[name as HeaderName].panel === 'more' ? [anchor] : []
})

/** Returns the values that make a fault of the header obsolete when they change. */
export function headerKey(form: HeaderForm): unknown[] {
  return NAMES.filter((name) => HEADER[name].panel !== 'kind').map((name) => form[name])
}
