/** The producer's declaration of conformity for this version, as the document supplied with the program. */
import manifest from '../../package.json' with { type: 'json' }
import producer from '../producer.json' with { type: 'json' }
import { declarationOf, declarationText } from '../../server/registry/declaration.ts'

export function generate(): Record<string, string> {
  // The document belongs to the sources; a build states its own hash.
  const declaration = declarationOf(manifest.version, producer, null)
  return { 'docs/declaracion-responsable.md': declarationText(declaration) }
}
