/**
 * Converts a password to bytes and keys for a PKCS#12 file. node-forge passes UTF-16 to both key derivations, which
 * is correct for PKCS#12's own (RFC 7292, B.2) and wrong for PBKDF2 (RFC 8018): PBKDF2 is replaced by node:crypto's.
 */
import { pbkdf2Sync } from 'node:crypto'
import { FileFault } from './fault.ts'
import { bufferOf, forgeBytes, pkcs12, pkcs5, pki } from './forge.ts'

/**
 * Maximum rounds of one derivation: programs write 2,000 to 600,000. PBKDF2 runs outside JavaScript, where no time
 * limit applies.
 */
const MAX_ROUNDS = 1_000_000

/** A password as text for PKCS#12's own derivation (null: no password), and as bytes for PBKDF2. */
interface PasswordForms {
  wide: string | null
  narrow: Buffer[]
}

function unique(candidates: readonly Buffer[]): Buffer[] {
  return candidates.filter((one, index) => candidates.findIndex((other) => other.equals(one)) === index)
}

/**
 * Returns the ways in which programs convert a password to bytes, most likely first. They agree on ASCII; for other
 * characters PBKDF2 received UTF-8 (OpenSSL), Latin-1 or UTF-16, and OpenSSL before 1.1 widened each byte of UTF-8
 * separately. An empty password may also mean no password, which PKCS#12 distinguishes.
 */
export function formsOf(text: string): PasswordForms[] {
  const found: PasswordForms[] = [...new Set([text, text.normalize('NFC'), text.normalize('NFD')])].map(
    (wide) => ({
      wide,
      narrow: unique([
        Buffer.from(wide, 'utf8'),
        ...(/^[\u0000-\u00ff]*$/.test(wide) ? [Buffer.from(wide, 'latin1')] : []),
        Buffer.from(`${wide}\0`, 'utf16le').swap16(),
      ]),
    }),
  )
  const narrow = found[0]?.narrow ?? []
  if (text === '') return [...found, { wide: null, narrow }]
  const bytewise = Buffer.from(text, 'utf8').toString('latin1')
  return bytewise === text ? found : [...found, { wide: bytewise, narrow }]
}

function checkRounds(rounds: number): void {
  if (!(rounds >= 1)) throw new FileFault('unreadable')
  if (rounds > MAX_ROUNDS) throw new FileFault('too_slow')
}

/**
 * Runs the synchronous `read` while node-forge derives PBKDF2 keys from these bytes, with a maximum of rounds.
 * `onKey` is called before each key that is about to decrypt something.
 */
export function withPassword<T>(narrow: Buffer, onKey: () => void, read: () => T): T {
  const { pbkdf2 } = pkcs5
  const { generateKey } = pkcs12
  const { generatePkcs12Key } = pki.pbe
  const narrowPbkdf2 = (
    _text: string,
    salt: string,
    rounds: number,
    length: number,
    { algorithm }: { algorithm: string },
  ): string => {
    onKey()
    checkRounds(rounds)
    return forgeBytes(pbkdf2Sync(narrow, bufferOf(salt), rounds, length, algorithm))
  }
  const limited =
    (derive: typeof generateKey, before: () => void): typeof generateKey =>
    (text, salt, purpose, rounds, length, digest) => {
      before()
      checkRounds(rounds)
      return derive(text, salt, purpose, rounds, length, digest)
    }
  Object.assign(pkcs5, { pbkdf2: narrowPbkdf2 })
  Object.assign(pkcs12, { generateKey: limited(generateKey, () => {}) })
  Object.assign(pki.pbe, { generatePkcs12Key: limited(generatePkcs12Key, onKey) })
  try {
    return read()
  } finally {
    Object.assign(pkcs5, { pbkdf2 })
    Object.assign(pkcs12, { generateKey })
    Object.assign(pki.pbe, { generatePkcs12Key })
  }
}
