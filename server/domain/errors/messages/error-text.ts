/** Form of the texts of an error, which each language declares once for all surfaces. */
import type { ErrorCode } from '../catalog.ts'

export interface ErrorText {
  /** What happened, as a sentence. */
  message: string
  /** The next step in one sentence. */
  next: string
  /** Texts for the window where its user is addressed differently from a program, or has another next step. */
  window?: { message?: string; next?: string }
}

export type ErrorMessages = Readonly<Record<ErrorCode, ErrorText>>
