/** The registries that a book may be under. Adding one is adding its folder and a line here. */
import type { Book } from '../../context.ts'
import type { RegistrySystem } from '../system.ts'
import { ticketBaiSystems } from './ticketbai/index.ts'
import { verifactu } from './verifactu/index.ts'

/** The registry of all books of versions that knew only one. */
export const FIRST_REGISTRY = verifactu.name

const SYSTEMS: readonly RegistrySystem[] = [verifactu, ...ticketBaiSystems]
const BY_NAME = new Map(SYSTEMS.map((system) => [system.name, system]))

/** Names of all registries, the first one first. */
export const REGISTRIES: readonly string[] = SYSTEMS.map(({ name }) => name)

/**
 * Runs the simulated authority of a registry (default: the first one) as a program of its own, for `sello authority`. It
 * needs no books.
 */
export const runAuthority = (
  registry: string | undefined,
  ...args: Parameters<RegistrySystem['serve']>
): Promise<void> => systemOf({ registry: registry ?? FIRST_REGISTRY }).serve(...args)

/** Returns the registry of a book, which never changes once the book has a record. Throws for a name of a newer program. */
export function systemOf(book: Pick<Book, 'registry'>): RegistrySystem {
  const system = BY_NAME.get(book.registry)
  if (!system) throw new Error(`No registry "${book.registry}" is known.`)
  return system
}
