/**
 * Extracts keys and certificates from a PKCS#12 file (.p12, .pfx) with node-forge, whichever program wrote it: AES or
 * the ciphers before 2022, DER or BER. Reads only files encrypted with a password, not with a public key.
 */
import { FileFault, PasswordFault } from './fault.ts'
import { asn1, derOf, forgeBytes, itemsOf, pkcs12, pki } from './forge.ts'
import type { Asn1 } from './forge.ts'
import { formsOf, withPassword } from './password.ts'

/** Content of a file: keys as PKCS#8, certificates as X.509, both DER, in the order of the file. */
interface Contents {
  keys: Buffer[]
  certificates: Buffer[]
}

type Pfx = ReturnType<typeof pkcs12.pkcs12FromAsn1>
type Bag = Pfx['safeContents'][number]['safeBags'][number]

/** A genuine file has one or two keys and a handful of certificates. */
const MAX_KEYS = 20
const MAX_CERTIFICATES = 100

/** Returns a key in DER: node-forge converts RSA keys to objects and leaves others unchanged. */
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
 * Result for one form of the password: the integrity check fails for it, or is of a kind that node-forge does not
 * know; or something did not decrypt to the expected content.
 */
type Outcome = Contents | 'wrong_proof' | 'unknown_proof' | 'wrong_content'

/** Throws `FileFault` for a file that no password opens. */
function attempt(file: Asn1, wide: string | null, narrow: Buffer): Outcome {
  let hasDecrypted = false
  const noteKey = (): void => {
    hasDecrypted = true
  }
  try {
    return withPassword(narrow, noteKey, () =>
      // Lenient inside, because some programs leave a list empty.
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
      // Like that of RFC 9579: the file is read as one without an integrity check.
      if (found === 'unknown_proof') return readFile({ ...file, value: itemsOf(file).slice(0, 2) }, password)
      if (found === 'wrong_proof') break
      // The integrity check passed: this is damage, not a wrong password.
      if (hasProof && form === narrow.at(-1)) throw new FileFault('unreadable')
    }
  }
  throw new PasswordFault()
}

/**
 * Reads a file and ignores bytes after its end. Throws `PasswordFault`, or `FileFault` for a file that no password
 * opens.
 */
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
