/**
 * Takes keys and certificates out of a PKCS#12 file (.p12, .pfx) with node-forge, whichever program wrote it: AES or the
 * ciphers of before 2022, DER or BER. Only files under a password are read, not those under somebody's public key.
 */
import { FileFault, PasswordFault } from './fault.ts'
import { asn1, derOf, forgeBytes, itemsOf, pkcs12, pki } from './forge.ts'
import type { Asn1 } from './forge.ts'
import { formsOf, withPassword } from './password.ts'

/** What a file holds: keys as PKCS#8, certificates as X.509, both DER, in the order of the file. */
export interface Contents {
  keys: Buffer[]
  certificates: Buffer[]
}

type Pfx = ReturnType<typeof pkcs12.pkcs12FromAsn1>
type Bag = Pfx['safeContents'][number]['safeBags'][number]

/** Keys of an honest file are one or two, certificates a handful. */
const MAX_KEYS = 20
const MAX_CERTIFICATES = 100

/** node-forge makes objects of RSA keys and leaves others as they are. */
function keyOf({ key, asn1: value }: Bag): Buffer {
  return derOf(key ? pki.wrapRsaPrivateKey(pki.privateKeyToAsn1(key)) : value)
}

function certificateOf({ cert, asn1: value }: Bag): Buffer {
  return derOf(cert ? pki.certificateToAsn1(cert) : value)
}

function contentsOf({ safeContents }: Pfx): Contents {
  const bags = safeContents.flatMap((safe) => safe.safeBags)
  const certificates = bags.filter((bag) => bag.type === pki.oids.certBag)
  const keys = bags.filter((bag) => bag.type !== pki.oids.certBag)
  if (keys.length > MAX_KEYS || certificates.length > MAX_CERTIFICATES) throw new FileFault('too_large')
  return { keys: keys.map(keyOf), certificates: certificates.map(certificateOf) }
}

/**
 * What became of a file under one form of the password: the proof of integrity is of another password, or of a kind that
 * node-forge does not know; or something did not decrypt, or not into what it should.
 */
type Outcome = Contents | 'wrong_proof' | 'unknown_proof' | 'wrong_content'

/** Throws `FileFault` for what no password would open. */
function attempt(file: Asn1, wide: string | null, narrow: Buffer): Outcome {
  let hasDecrypted = false
  const noteKey = (): void => {
    hasDecrypted = true
  }
  try {
    return withPassword(narrow, noteKey, () =>
      // Lenient inside, where some programs leave a list empty.
      contentsOf(pkcs12.pkcs12FromAsn1(file, false, wide ?? undefined)),
    )
  } catch (error) {
    if (error instanceof FileFault) throw error
    const { message, ...details } = Object(error) as Record<string, unknown>
    const text = String(message ?? error)
    if (text.includes('MAC could not be verified')) return 'wrong_proof'
    if (text.includes('unsupported MAC algorithm')) return 'unknown_proof'
    if ('supportedOids' in details || 'supported' in details) throw new FileFault('unsupported_cipher')
    if ('version' in details || 'oid' in details || 'contentType' in details)
      throw new FileFault('unsupported_format')
    if (!hasDecrypted) throw new FileFault('unreadable')
    return 'wrong_content'
  }
}

function readFile(file: Asn1, password: string): Contents {
  const hasProof = itemsOf(file).length > 2
  for (const { wide, narrow } of formsOf(password)) {
    for (const form of narrow) {
      const found = attempt(file, wide, form)
      if (typeof found === 'object') return found
      // As that of RFC 9579: read like a file that never had one.
      if (found === 'unknown_proof') return readFile({ ...file, value: itemsOf(file).slice(0, 2) }, password)
      if (found === 'wrong_proof') break
      // The proof is right: this is damage, not a wrong password.
      if (hasProof && form === narrow.at(-1)) throw new FileFault('unreadable')
    }
  }
  throw new PasswordFault()
}

/** Reads a file; bytes after its end are left alone. Throws `PasswordFault`, or `FileFault` for what no password would open. */
export function readPkcs12(bytes: Buffer, password: string): Contents {
  let file: Asn1
  try {
    file = asn1.fromDer(forgeBytes(bytes), { parseAllBytes: false })
  } catch {
    throw new FileFault('unreadable')
  }
  if (!Array.isArray(file.value)) throw new FileFault('unreadable')
  return readFile(file, password)
}
