/** Texts of errors in the form that the window shows: a title without a full stop, and the next step. */
import type { ErrorCode } from '../../server/domain/errors/catalog.ts'
import type { ErrorMessages } from '../../server/domain/errors/messages/error-text.ts'

type WindowError = {
  title: string
  next: string
}

/** Returns a message as a title, without its full stop. */
export const titleOf = ({ message }: { message: string }): string => message.replace(/\.$/, '')

/** Returns the window's variant of each error, or the common text where there is none. */
export function windowErrors(texts: ErrorMessages): Record<ErrorCode, WindowError> {
  return Object.fromEntries(
    Object.entries(texts).map(([code, { message, next, window = {} }]) => [
      code,
      { title: titleOf({ message: window.message ?? message }), next: window.next ?? next },
    ]),
  ) as Record<ErrorCode, WindowError>
}
