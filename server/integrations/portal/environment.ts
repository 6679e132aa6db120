/** Which portal a book submits to. */
import type { Book } from '../../context.ts'

export type PortalEnvironment = 'simulator' | 'test' | 'production'

/** Returns the environment of a book: a test book never reaches the real service. */
export function environmentOf({ mode, environment }: Pick<Book, 'mode' | 'environment'>): PortalEnvironment {
  if (mode === 'test') return 'simulator'
  return environment === 'production' ? 'production' : 'test'
}
