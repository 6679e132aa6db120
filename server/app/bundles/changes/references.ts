/** References in the input of a change to what an earlier change created, whose identifier the client may not know. */
import { AppError } from '../../../domain/errors/app-error.ts'

/** Stands in the input for the identifier of what a change created. */
interface ToChange {
  $change: string
}

function isToChange(value: unknown): value is ToChange {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
  return keys.length === 1 && keys[0] === '$change'
}

function mapped(value: unknown, of: (value: unknown) => unknown): unknown {
  const found = of(value)
  if (found !== value) return found
  if (Array.isArray(value)) return value.map((item) => mapped(item, of))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member, of)]))
  return value
}

/** Returns an input in which identifiers of `created` name the change that created them. */
export function withReferences(input: unknown, created: ReadonlyMap<string, string>): unknown {
  return mapped(input, (value) => {
    const change = typeof value === 'string' ? created.get(value) : undefined
    return change === undefined ? value : { $change: change }
  })
}

/**
 * Returns an input in which what a change created has the identifier that it has here. Throws `bundle_change_waits` if
 * that change is not made.
 */
export function withIdentifiers(input: unknown, created: (change: string) => string | null): unknown {
  return mapped(input, (value) => {
    if (!isToChange(value)) return value
    const id = created(value.$change)
    if (id === null) throw new AppError('bundle_change_waits', { details: { change: value.$change } })
    return id
  })
}
