/** The result of rendering, for tests whose documents are plain bytes. */
import { sha256Hex } from '../../server/domain/sha256.ts'
import type { MadeDocument } from '../../server/documents/rendering/index.ts'

/** Returns an unsigned document of one page without fields. */
export function madeOf(bytes: Uint8Array): MadeDocument {
  return {
    bytes: new Uint8Array(bytes),
    sha256: sha256Hex(Buffer.from(bytes)),
    signature: null,
    pages: 1,
    areas: [],
  }
}
