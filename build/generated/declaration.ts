/** The producer's declaration of conformity for this version, as the document supplied with the program. */
import manifest from '../../package.json' with { type: 'json' }
import producer from '../producer.json' with { type: 'json' }
import { declarationOf, declarationText } from '../../server/registry/declaration.ts'

export function generate(): Record<string, string> {
  return { 'docs/declaracion-responsable.md': declarationText(declarationOf(manifest.version, producer)) }
}
