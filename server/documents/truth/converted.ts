/** Compares the amounts of a document in another currency with those in euros, which are rounded by themselves. Pure. */
import type { Contradiction, Said } from './said.ts'

const MICRO = 1_000_000

/** Returns the first amount in euros that does not follow from the document's own; null for a document in euros. */
export function convertedContradiction(
  sources: readonly Said[],
  fxMicro: number | null,
): Contradiction | null {
  if (fxMicro === null) return null
  const [stored] = sources
  const euros = stored?.facts.eurosTotal
  if (!stored || typeof euros !== 'number') return null
  // Each tax is converted and rounded twice, base and quota; a cent of a weaker currency is less than one of the euro.
  const rounded = 2 * (stored.registered?.size ?? 0) + 2
  const within = rounded * Math.max(1, MICRO / fxMicro)
  for (const { source, facts } of sources) {
    const { total } = facts
    if (typeof total !== 'number') continue
    const converted = (total * MICRO) / fxMicro
    if (Math.abs(converted - euros) > within)
      return {
        field: 'eurosTotal',
        sources: [stored.source, source],
        values: [euros, Math.round(converted)],
      }
  }
  return null
}
