/** The digest used for comparisons. Separate from the digested data's modules, which also run without Node. */
import { hash } from 'node:crypto'

/** Returns the SHA-256 as lower-case hex. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}
