/** The header fields of a received invoice as the form holds them, and the way to and from the API: all from the table of fields. Pure. */
import { RECEIVED_HEADER, receivedHeader } from '../../server/purchases/invoices/fields.ts'
import type { ReceivedHeader } from '../../server/purchases/invoices/fields.ts'

type Table = typeof RECEIVED_HEADER
type Name = keyof Table

/** Texts and choices are empty instead of null, so that a control can hold them. */
export type ReceivedHeaderForm = {
  [Field in Name]: Table[Field]['type'] extends 'text' | 'paragraph'
    ? string
    : Table[Field]['type'] extends 'date'
      ? string | null
      : null extends ReceivedHeader[Field]
        ? Exclude<ReceivedHeader[Field], null> | ''
        : ReceivedHeader[Field]
}

/** Values of an answer, an input or a reading, which may leave some out. */
export type GivenHeader = { readonly [Field in Name]?: ReceivedHeader[Field] | null | undefined }

/** Returns the fields of an answer, an input or a reading; missing ones are as in an empty form. */
export function receivedHeaderForm(given: GivenHeader): ReceivedHeaderForm {
  const fields = receivedHeader.names.map((name) => {
    const value = given[name] ?? receivedHeader.empty[name]
    return [name, RECEIVED_HEADER[name].type === 'date' ? value : (value ?? '')]
  })
  return Object.fromEntries(fields) as ReceivedHeaderForm
}

/** Values for the server: null for an empty field, unless the field has a usual value. */
type HeaderInput = {
  [Field in Name]: Table[Field] extends { usual: string } | { type: 'flag' }
    ? ReceivedHeader[Field]
    : ReceivedHeader[Field] | null
}

/** Returns the fields as the server takes them: an empty text or choice is null. */
export function receivedHeaderInput(form: ReceivedHeaderForm): HeaderInput {
  const fields = receivedHeader.names.map((name) => {
    const value = form[name]
    return [name, typeof value === 'string' ? value.trim() || null : value]
  })
  return Object.fromEntries(fields) as HeaderInput
}
