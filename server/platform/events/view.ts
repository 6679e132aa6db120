/** Events as callers see them: their identifiers, their type filter and their form. */
import { validationFailed } from '../../domain/errors/app-error.ts'
import type { Book } from '../../context.ts'
import { EVENT_FAMILIES, EVENT_TYPES } from './types.ts'
import type { EventView } from './contract.ts'
import type { StoredEvent } from './emit.ts'

type BookName = Pick<Book, 'publicId' | 'numbersFrom'>

const markOf = ({ publicId }: BookName): string => publicId.slice(publicId.indexOf('_') + 1)

/** Returns `evt_<book>_<number>`, which is unique among all senders of events to a receiver. */
export function eventIdOf(book: BookName, id: number): string {
  return `evt_${markOf(book)}_${id - (book.numbersFrom?.events ?? 0)}`
}

/** Returns the row id of an event identifier. Throws `validation_failed` if it is not an event of this book. */
export function readEventId(book: BookName, text: string, field: string): number {
  const [, mark, id] = /^evt_([0-9a-z]+)_(\d{1,15})$/.exec(text) ?? []
  if (id !== undefined && mark === markOf(book)) return Number(id) + (book.numbersFrom?.events ?? 0)
  throw validationFailed([
    {
      code: 'event_unknown',
      field,
      severity: 'error',
      message: 'This is not an event of this book.',
      fix: 'Take the id of an event as it was told, with a key of the same book.',
    },
  ])
}

/**
 * Returns the types selected by a list of types and families; null for all. Throws `validation_failed` for an unknown
 * one.
 */
export function readTypes(text: string | undefined, field = 'types'): ReadonlySet<string> | null {
  if (text === undefined) return null
  const wanted = new Set<string>()
  for (const [index, name] of text.split(',').entries()) {
    const isFamily = EVENT_FAMILIES.includes(name)
    const found = EVENT_TYPES.filter(
      (type) => type === name || (isFamily && type.startsWith(name.slice(0, -1))),
    )
    if (found.length === 0)
      throw validationFailed([
        {
          code: 'not_allowed',
          field: `${field}[${index}]`,
          severity: 'error',
          message: 'There is no such type of event.',
          fix: 'The events page of the documentation lists them.',
        },
      ])
    for (const type of found) wanted.add(type)
  }
  return wanted
}

export function eventView(
  book: BookName,
  { id, type, createdAt, mode, data, actor }: StoredEvent,
): EventView {
  return { id: eventIdOf(book, id), type, createdAt, mode, data, actor }
}
