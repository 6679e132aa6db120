/** The one digest that is used for comparing. Apart from what is digested, which also runs where there is no Node. */
import { hash } from 'node:crypto'

/** SHA-256 as lower-case hex. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}
