/** Certificate files in every form that programs write, built here byte by byte; and invalid files. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openFile } from '../../../../server/company/certificates/opened.ts'
import type { OpenedCertificate } from '../../../../server/company/certificates/opened.ts'
import { keyOf, makeCertificate, makeP12 } from '../../../support/files/certificates.ts'
import type { CertificateWish } from '../../../support/files/certificates.ts'
import { mutate, refusal as refusalOf } from './damage.ts'
import { context, integer, octets, oid, sequence, tagged } from '../../../support/files/der.ts'
import { bag, certificateBag, keyBag, packP12 } from '../../../support/files/p12.ts'
import { swept, sweptCount } from '../../../support/sweep.ts'

const NOW = new Date('2026-07-01T10:00:00+02:00')
const PASSWORD = 'contraseña ñ€'

const open = (file: Uint8Array, password = PASSWORD): OpenedCertificate =>
  openFile(Buffer.from(file), password, NOW)

const refusal = (file: Uint8Array, password = PASSWORD): string => refusalOf(file, password, NOW)

function derOf(pem: string): Buffer {
  return new X509Certificate(pem).raw
}

describe('a certificate file', () => {
  const forms: Record<string, Partial<CertificateWish>> = {
    'of today, with AES and SHA-256': {},
    'with SHA-512 for its proof': { macDigest: 'sha512' },
    'with SHA-384 for its proof': { macDigest: 'sha384' },
    'with SHA-1 for its proof': { macDigest: 'sha1' },
    'with the proof of RFC 9579': { pbmac1: true },
    'without a proof': { withoutMac: true },
    'with 3DES': { format: '3des' },
    'with RC2-40 and 3DES': { format: 'rc2' },
    'with RC2-40 and no proof': { format: 'rc2', withoutMac: true },
    'with an RSA key': { keyType: 'rsa' },
    'with an RSA key under 3DES': { keyType: 'rsa', format: '3des' },
    'with a key on P-384': { keyType: 'ec384' },
    'with a key on P-521': { keyType: 'ec521' },
    'with a key that only the whole protects': { plainKey: true },
    'with an intermediate authority': { intermediate: true },
    'without the authorities': { withChain: false },
    'whose password became Latin-1': { password: 'contraseña ñ', passwordForm: 'latin' },
    'whose password became UTF-16': { passwordForm: 'bmp' },
    'with an ASCII password': { password: 'secret 123' },
    'with an emoji in its password': { password: '🔑 clave' },
    'with an empty password': { password: '' },
    'with an empty password, under 3DES': { password: '', format: '3des' },
    'without a password': { password: null },
    'without a password, under RC2-40': { password: null, format: 'rc2' },
    'with names in UTF-16': { nameForm: 'bmpString' },
    'with names in Latin-1': { nameForm: 'teletexString' },
    'whose derivation has 20,000 rounds': { iterations: 20_000, macIterations: 20_000 },
  }
  const chosen = [
    'of today, with AES and SHA-256',
    'with the proof of RFC 9579',
    'with 3DES',
    'with RC2-40 and 3DES',
    'with an RSA key',
    'with a key on P-521',
    'with an intermediate authority',
    'whose password became UTF-16',
    'without a password',
  ]
  test.each(swept(Object.entries(forms), ([name]) => chosen.includes(name)))(
    '%s opens only with its password',
    (_name, wish) => {
      const made = makeP12(wish)
      const password = wish.password === undefined ? PASSWORD : (wish.password ?? '')
      const opened = open(made.p12, password)
      expect(
        createPrivateKey(made.keyPem).equals(
          createPrivateKey({
            key: Buffer.from(opened.key),
            format: 'der',
            type: 'pkcs8',
          }),
        ),
      ).toBe(true)
      expect(opened.chainPem).toBe(wish.withChain === false ? made.certPem : made.chainPem)
      const texts = opened.details.subject.map((part) => part.text)
      expect(texts).toContain('Talleres Ejemplo, S.L.')
      expect(texts).toContain('12345678Z ANA MARÍA NÚÑEZ GÜELL (R: B12345674)')
      expect(new Date(opened.validFrom).toISOString()).toBe('2025-01-01T00:00:00.000Z')
      expect(new Date(opened.validTo).toISOString()).toBe('2028-12-31T23:59:59.000Z')
      expect(refusal(made.p12, `${password}x`)).toBe('password')
      if (password !== '') expect(refusal(made.p12, '')).toBe('password')
    },
  )

  test('opens when the password is entered in another Unicode form', () => {
    const { p12 } = makeP12({ password: 'contraseña'.normalize('NFC') })
    expect(open(p12, 'contraseña'.normalize('NFD')).keyType).toBe('ec')
    const decomposed = makeP12({ password: 'contraseña'.normalize('NFD') })
    expect(open(decomposed.p12, 'contraseña'.normalize('NFC')).keyType).toBe('ec')
  })

  test('of OpenSSL before 1.1, which widened the bytes of UTF-8 separately, opens', () => {
    const bytewise = Buffer.from('clave ñ€', 'utf8').toString('latin1')
    for (const format of ['3des', 'rc2'] as const) {
      const { p12 } = makeP12({ format, password: bytewise })
      expect(open(p12, 'clave ñ€').keyType).toBe('ec')
    }
  })

  test('gives the certificate of its key, whatever the order, and the authorities in their order', () => {
    const made = makeP12({ intermediate: true })
    const other = makeCertificate({ freshKey: true, name: 'Otra Persona', nif: '00000000T' })
    const [leaf, between, root] = made.chainPem.match(/-----BEGIN[\s\S]+?-----END[^-]+-----\n/g) ?? []
    const p12 = packP12({
      sealed: [root, other.certPem, between, leaf].map((pem) => certificateBag(derOf(pem ?? ''))),
      open: [keyBag(made.keyPem)],
    })
    const opened = open(p12)
    expect(opened.chainPem).toBe(made.chainPem)
    expect(opened.serial).toBe(new X509Certificate(made.certPem).serialNumber)
  })

  test('with two keys gives the certificate that is valid and signs', () => {
    const old = makeCertificate({ freshKey: true, from: '2020-01-01', to: '2024-01-01' })
    const encipherOnly = makeCertificate({ freshKey: true, keyUsage: [2], to: '2030-01-01' })
    const good = makeCertificate({ freshKey: true })
    const all = [old, encipherOnly, good]
    const p12 = packP12({
      sealed: all.map((one) => certificateBag(derOf(one.certPem))),
      open: all.map((one) => keyBag(one.keyPem)),
    })
    expect(open(p12).chainPem.startsWith(good.certPem)).toBe(true)
  })

  test('in BER, with indefinite lengths and split strings, opens like any other', () => {
    const made = makeP12()
    const openEnded = (tag: number, ...items: Uint8Array[]): Buffer =>
      Buffer.concat([Buffer.from([tag, 0x80]), ...items, Buffer.from([0, 0])])
    const pieces = (tag: number, bytes: Uint8Array): Buffer =>
      openEnded(
        tag,
        ...Array.from({ length: Math.ceil(bytes.length / 100) }, (_, at) =>
          octets(bytes.subarray(at * 100, at * 100 + 100)),
        ),
      )
    const data = oid('1.2.840.113549.1.7.1')
    const safe = openEnded(
      0x30,
      openEnded(
        0x30,
        data,
        openEnded(
          0xa0,
          pieces(0x24, openEnded(0x30, certificateBag(derOf(made.certPem)), keyBag(made.keyPem))),
        ),
      ),
    )
    const file = openEnded(0x30, integer(3), openEnded(0x30, data, openEnded(0xa0, pieces(0x24, safe))))
    expect(open(file).chainPem).toBe(made.certPem)
  })
})

describe('a file is rejected', () => {
  test('when it is something else, empty or cut', () => {
    const { p12, certPem, keyPem } = makeP12()
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('no certificate'),
      Buffer.from(certPem),
      Buffer.from(keyPem),
      derOf(certPem),
      p12.subarray(0, p12.length - 1),
      p12.subarray(0, 40),
      Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]),
      Buffer.from([0x30, 0x80]),
    ])
      expect(refusal(bytes)).toBe('unreadable')
  })

  test('when it is PKCS#12 in a form that no issuer uses', () => {
    const { certPem, keyPem } = makeCertificate()
    const data = sequence(oid('1.2.840.113549.1.7.1'), context(0, octets(sequence())))
    // Another version; encrypted with a public key instead of a password.
    const signed = sequence(oid('1.2.840.113549.1.7.2'), context(0, sequence(integer(1))))
    expect(refusal(sequence(integer(4), data))).toBe('unsupported_format')
    expect(refusal(sequence(integer(3), signed))).toBe('unsupported_format')
    // Nested bags, and lists of revoked certificates.
    const certificate = certificateBag(derOf(certPem))
    const nested = bag('1.2.840.113549.1.12.10.1.6', sequence(certificate))
    const revoked = bag('1.2.840.113549.1.12.10.1.4', sequence(oid('1.2.3')))
    for (const odd of [nested, revoked]) {
      const file = packP12({ sealed: [certificate, odd], open: [keyBag(keyPem)] })
      expect(refusal(file)).toBe('unsupported_format')
      expect(refusal(file, 'wrong')).toBe('password')
    }
  })

  test('when it has more nesting, or more values, than any real one', () => {
    let deep: Buffer = sequence()
    for (let level = 0; level < 40; level += 1) deep = sequence(deep)
    expect(refusal(deep)).toBe('unreadable')
    expect(refusal(Buffer.concat(Array.from({ length: 30_000 }, () => tagged(0x30))))).toBe('unreadable')
    expect(refusal(sequence(Buffer.alloc(60_000, 0x30).fill(Buffer.from([0x30, 0x00]))))).toBe('unreadable')
  })

  test('when key or certificate is missing, or they do not match', () => {
    const made = makeCertificate()
    const other = makeCertificate({ freshKey: true })
    const certificate = certificateBag(derOf(made.certPem))
    expect(refusal(packP12({ sealed: [certificate], open: [] }))).toBe('no_key')
    expect(refusal(packP12({ sealed: [], open: [keyBag(made.keyPem)] }))).toBe('no_certificate')
    expect(refusal(packP12({ sealed: [certificate], open: [keyBag(other.keyPem)] }))).toBe(
      'key_of_another_certificate',
    )
    const broken = bag(
      '1.2.840.113549.1.12.10.1.1',
      sequence(integer(0), sequence(oid('1.2.3')), octets(Buffer.alloc(3))),
    )
    expect(refusal(packP12({ sealed: [certificate], open: [broken] }))).toBe('unknown_key_type')
  })

  test('when its key is too short, on another curve or of another kind', () => {
    expect(refusal(makeP12({ keyType: 'rsa1024' }).p12)).toBe('key_too_short')
    expect(refusal(makeP12({ keyType: 'secp256k1' }).p12)).toBe('unknown_curve')
    expect(refusal(makeP12({ keyType: 'ed25519' }).p12)).toBe('unknown_key_type')
  })

  test('when the halves of its key do not match', () => {
    const made = makeCertificate()
    // The private number of another key beside this key's public point.
    const right = createPrivateKey(made.keyPem).export({ format: 'jwk' })
    const wrong = keyOf('ec', 'another').export({ format: 'jwk' })
    const number = (value: string | undefined): Buffer => Buffer.from(value ?? '', 'base64url')
    const point = Buffer.concat([Buffer.from([0, 4]), number(right.x), number(right.y)])
    const mixed = bag(
      '1.2.840.113549.1.12.10.1.1',
      sequence(
        integer(0),
        sequence(oid('1.2.840.10045.2.1'), oid('1.2.840.10045.3.1.7')),
        octets(sequence(integer(1), octets(number(wrong.d)), context(1, tagged(0x03, point)))),
      ),
    )
    const file = packP12({ sealed: [certificateBag(derOf(made.certPem))], open: [mixed] })
    expect(['key_does_not_work', 'unknown_key_type']).toContain(refusal(file))
  })

  test('when its integrity check passes and its content is damaged', () => {
    const made = makeP12({ withoutMac: true })
    const damaged = Buffer.from(made.p12)
    damaged[damaged.length - 20]! ^= 0xff
    expect(refusal(damaged)).toBe('password')
    // The same damage before the integrity value was computed: the password is right, and the check cannot detect it.
    const bags = keyBag(made.keyPem)
    bags[bags.length - 20]! ^= 0xff
    const file = packP12({ sealed: [certificateBag(derOf(made.certPem))], open: [bags] })
    expect(refusal(file)).toBe('unreadable')
  })

  test('when it requires so many rounds that it would never open', () => {
    const many = 2 ** 31 - 1
    expect(refusal(makeP12({ iterations: many }).p12)).toBe('too_slow')
    expect(refusal(makeP12({ macIterations: many }).p12)).toBe('too_slow')
    expect(refusal(makeP12({ format: '3des', iterations: 1, macIterations: many }).p12)).toBe('too_slow')
  })

  test('when its cipher is unknown', () => {
    const algorithm = sequence(oid('1.2.840.113549.1.12.1.1'), sequence(octets(Buffer.alloc(8)), integer(1)))
    const shrouded = bag('1.2.840.113549.1.12.10.1.2', sequence(algorithm, octets(Buffer.alloc(32))))
    expect(refusal(packP12({ sealed: [], open: [shrouded] }))).toBe('unsupported_cipher')
  })

  test('when it contains more keys or certificates than any real one', () => {
    const made = makeCertificate()
    const key = keyBag(made.keyPem, { plainKey: true })
    const certificate = certificateBag(derOf(made.certPem))
    const file = packP12({ sealed: [certificate], open: Array.from({ length: 21 }, () => key) })
    expect(refusal(file)).toBe('too_large')
  })
})

const DAMAGED = sweptCount(300, 75)
test('damaged files are rejected or opened, without any other effect', () => {
  const seen = mutate(DAMAGED, 20_261_121, NOW)
  expect(Object.values(seen).reduce((sum, count) => sum + count, 0)).toBe(DAMAGED)
  expect(seen.unreadable).toBeGreaterThan(0)
  expect(seen.password).toBeGreaterThan(0)
})
