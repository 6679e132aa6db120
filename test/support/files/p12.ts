/**
 * Packs keys and certificates into .p12 files as programs write them: current ciphers, those before 2022, and unusual
 * ones. node-forge derives keys and encrypts; its own writer of complete files supports RSA keys, one cipher and one
 * MAC only.
 */
import { createHmac, createPrivateKey, pbkdf2Sync, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import forge from 'node-forge'
import { context, integer, octets, oid, sequence, tagged } from './der.ts'

/** AES-256 as in current programs; 3DES and RC2-40 as before 2022. */
type FileFormat = 'modern' | '3des' | 'rc2'

/** Options of a file. */
export interface P12Wish {
  password: string | null
  format: FileFormat
  /** Iterations of the key derivation, and of the MAC. */
  iterations: number
  macIterations: number
  /** Writes the key unencrypted (the file still has a MAC under the password). */
  plainKey: boolean
  /** Omits the MAC. */
  withoutMac: boolean
  /** Encoding of the password for AES; UTF-8 in current programs. */
  passwordForm: 'utf8' | 'latin' | 'bmp'
  macDigest: 'sha1' | 'sha256' | 'sha384' | 'sha512'
  /** The MAC of RFC 9579 instead of that of PKCS#12. */
  pbmac1: boolean
}

/** AES-256 and SHA-256 under the password `contraseña ñ€`. */
export const DEFAULT_P12: P12Wish = {
  password: 'contraseña ñ€',
  format: 'modern',
  iterations: 2048,
  macIterations: 2048,
  plainKey: false,
  withoutMac: false,
  passwordForm: 'utf8',
  macDigest: 'sha256',
  pbmac1: false,
}

/** Returns a private key in PKCS#8. */
function pkcs8(key: KeyObject): Buffer {
  return key.export({ type: 'pkcs8', format: 'der' })
}

const DATA = forge.pki.oids.data!
const ENCRYPTED_DATA = forge.pki.oids.encryptedData!
const PBKDF2 = forge.pki.oids.pkcs5PBKDF2!
const RC2_40 = forge.pki.oids['pbewithSHAAnd40BitRC2-CBC']!
const HMAC_SHA256 = sequence(oid(forge.pki.oids.hmacWithSHA256!), tagged(0x05))

const binary = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
const derOf = (value: forge.asn1.Asn1): Buffer => Buffer.from(forge.asn1.toDer(value).getBytes(), 'latin1')

/** Encrypted content: the algorithm with its parameters, and the bytes. */
interface Sealed {
  algorithm: Buffer
  bytes: Buffer
}

/** Returns the password as node-forge needs it: for PBKDF2 its bytes, one per character. */
function narrowOf({ password, passwordForm }: P12Wish): string {
  const text = password ?? ''
  if (passwordForm === 'latin') return text
  return binary(
    passwordForm === 'bmp' ? Buffer.from(`${text}\0`, 'utf16le').swap16() : Buffer.from(text, 'utf8'),
  )
}

/** More iterations than these are only declared: writing a bomb must not need them. */
const MAX_WALKED = 100_000

/** Encrypts with AES-256 and PBKDF2 with SHA-256, or with 3DES. */
function sealWithForge(plain: Uint8Array, wish: P12Wish, algorithm: 'aes256' | '3des'): Sealed {
  const isBomb = wish.iterations > MAX_WALKED
  const options = {
    algorithm,
    prfAlgorithm: 'sha256',
    saltSize: 16,
    count: isBomb ? 1 : wish.iterations,
  } as const
  const password = algorithm === 'aes256' ? narrowOf(wish) : wish.password
  const value = forge.asn1.fromDer(binary(plain))
  // Its type does not allow a missing password.
  const sealed = forge.pki.encryptPrivateKeyInfo(value, password as string, options)
  const [identifier, bytes] = sealed.value as [forge.asn1.Asn1, forge.asn1.Asn1]
  const parameters = itemAt(identifier, 1)
  const rounds = itemAt(algorithm === 'aes256' ? itemAt(itemAt(parameters, 0), 1) : parameters, 1)
  if (isBomb) rounds.value = forge.asn1.integerToDer(wish.iterations).getBytes()
  return { algorithm: derOf(identifier), bytes: Buffer.from(bytes.value as string, 'latin1') }
}

function itemAt(value: forge.asn1.Asn1, index: number): forge.asn1.Asn1 {
  return (value.value as forge.asn1.Asn1[])[index]!
}

/** Encrypts with RC2 of 40 bits, which node-forge reads but does not write. */
function sealRc2(plain: Uint8Array, { password, iterations }: P12Wish): Sealed {
  const salt = randomBytes(8)
  const derive = (purpose: number, bytes: number): forge.util.ByteBuffer => {
    const source = forge.util.createBuffer(binary(salt))
    return forge.pkcs12.generateKey(password, source, purpose, iterations, bytes, forge.md.sha1.create())
  }
  const cipher = forge.rc2.createEncryptionCipher(derive(1, 5).getBytes(), 40)
  cipher.start(derive(2, 8).getBytes())
  cipher.update(forge.util.createBuffer(binary(plain)))
  cipher.finish()
  return {
    algorithm: sequence(oid(RC2_40), sequence(octets(salt), integer(iterations))),
    bytes: Buffer.from(cipher.output.getBytes(), 'latin1'),
  }
}

function sealFor(wish: P12Wish, plain: Uint8Array, what: 'key' | 'certificates'): Sealed {
  if (wish.format === 'modern') return sealWithForge(plain, wish, 'aes256')
  // As in Windows and OpenSSL: the key always with 3DES, the certificates with RC2-40.
  return what === 'key' || wish.format === '3des' ? sealWithForge(plain, wish, '3des') : sealRc2(plain, wish)
}

const KEY_BAG = '1.2.840.113549.1.12.10.1.1'
const SHROUDED_KEY_BAG = '1.2.840.113549.1.12.10.1.2'
const CERTIFICATE_BAG = '1.2.840.113549.1.12.10.1.3'

/** Returns a bag of a PKCS#12 file. */
export function bag(type: string, value: Uint8Array): Buffer {
  return sequence(oid(type), context(0, value))
}

export function certificateBag(der: Uint8Array): Buffer {
  return bag(CERTIFICATE_BAG, sequence(oid('1.2.840.113549.1.9.22.1'), context(0, octets(der))))
}

/** Returns a bag with a key under the given password. */
export function keyBag(key: KeyObject | string, wish: Partial<P12Wish> = {}): Buffer {
  const whole = { ...DEFAULT_P12, ...wish }
  const object = typeof key === 'string' ? createPrivateKey(key) : key
  if (whole.plainKey) return bag(KEY_BAG, pkcs8(object))
  const { algorithm, bytes } = sealFor(whole, pkcs8(object), 'key')
  return bag(SHROUDED_KEY_BAG, sequence(algorithm, octets(bytes)))
}

function plainSafe(bags: readonly Uint8Array[]): Buffer {
  return sequence(oid(DATA), context(0, octets(sequence(...bags))))
}

function sealedSafe(bags: readonly Uint8Array[], wish: P12Wish): Buffer {
  const { algorithm, bytes } = sealFor(wish, sequence(...bags), 'certificates')
  const content = sequence(oid(DATA), algorithm, context(0, bytes, false))
  return sequence(oid(ENCRYPTED_DATA), context(0, sequence(integer(0), content)))
}

function macOf(content: Uint8Array, wish: P12Wish): Buffer {
  const { password, macIterations, format } = wish
  const salt = randomBytes(16)
  if (wish.pbmac1) {
    const key = pbkdf2Sync(Buffer.from(password ?? '', 'utf8'), salt, macIterations, 32, 'sha256')
    const derivation = sequence(
      oid(PBKDF2),
      sequence(octets(salt), integer(macIterations), integer(32), HMAC_SHA256),
    )
    const algorithm = sequence(oid('1.2.840.113549.1.5.14'), sequence(derivation, HMAC_SHA256))
    const mac = createHmac('sha256', key).update(content).digest()
    return sequence(sequence(algorithm, octets(mac)), octets(Buffer.from('NOT USED')), integer(1))
  }
  const name = format === 'modern' ? wish.macDigest : 'sha1'
  const digest = forge.md[name].create()
  const rounds = macIterations > MAX_WALKED ? 1 : macIterations
  const source = forge.util.createBuffer(binary(salt))
  const key = forge.pkcs12.generateKey(password, source, 3, rounds, digest.digestLength, digest)
  const mac = createHmac(name, Buffer.from(key.getBytes(), 'latin1')).update(content).digest()
  return sequence(
    sequence(sequence(oid(forge.pki.oids[name]!), tagged(0x05)), octets(mac)),
    octets(salt),
    integer(macIterations),
  )
}

/**
 * Returns a PKCS#12 file over bags: those in `sealed` are encrypted as a whole, those in `open` have their own
 * protection.
 */
export function packP12(
  bags: { sealed: readonly Uint8Array[]; open: readonly Uint8Array[] },
  wish: Partial<P12Wish> = {},
): Buffer {
  const whole = { ...DEFAULT_P12, ...wish }
  const content = sequence(
    ...(bags.sealed.length > 0 ? [sealedSafe(bags.sealed, whole)] : []),
    ...(bags.open.length > 0 ? [plainSafe(bags.open)] : []),
  )
  const info = sequence(oid(DATA), context(0, octets(content)))
  return sequence(integer(3), info, ...(whole.withoutMac ? [] : [macOf(content, whole)]))
}
