/** The signature of a Facturae invoice: its content, its coverage, and its verification by xmlsec. */
import { spawnSync } from 'node:child_process'
import { createHash, verify, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { facturaeXml } from '../../../../server/documents/e-invoice/index.ts'
import { NotCanonicalXml, signFacturae } from '../../../../server/documents/signing/index.ts'
import { makeCertificate } from '../../../support/files/certificates.ts'
import { swept } from '../../../support/sweep.ts'
import { needs, tool } from '../../../support/tools.ts'
import { SAMPLES } from '../e-invoice/samples.ts'
import { KEY_TYPES, SIGNED_AT, signer } from './samples.ts'

const DS = 'http://www.w3.org/2000/09/xmldsig#'
const XADES = 'http://uri.etsi.org/01903/v1.3.2#'
const FE = 'http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml'
const BODY =
  '<FileHeader><SchemaVersion>3.2.2</SchemaVersion></FileHeader>\n<Invoices><Name lang="es">Peña &amp; Muñoz &lt;S.L.&gt; 🧾</Name></Invoices>'
const INVOICE = `<?xml version="1.0" encoding="UTF-8"?>\n<fe:Facturae xmlns:ds="${DS}" xmlns:fe="${FE}">${BODY}</fe:Facturae>\n`
/** Without the declaration of `ds`, with another of `xades`, and with a default one. */
const SHAPES = {
  'with ds': INVOICE,
  'without ds': INVOICE.replace(` xmlns:ds="${DS}"`, ''),
  'with ds for something else': INVOICE.replace(DS, 'urn:x'),
  'with a default address': INVOICE.replace('<fe:Facturae', '<fe:Facturae xmlns="urn:y"'),
  'without a prefix': INVOICE.replaceAll('fe:Facturae', 'Facturae').replace(
    `xmlns:ds="${DS}" xmlns:fe=`,
    'xmlns=',
  ),
}

const between = (text: string, start: string, end: string): string => {
  const from = text.indexOf(start)
  const to = text.indexOf(end, from)
  if (from < 0 || to < 0) throw new Error(`no ${start}`)
  return text.slice(from, to + end.length)
}
const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')

/** Returns true if digests and signature are valid, for an invoice that declares `ds` and `fe` on its root. */
function holds(signed: string): boolean {
  const cut = (name: string): string =>
    between(signed, `<${name}`, `</${name}>`).replace(
      `<${name}`,
      `<${name} xmlns:ds="${DS}" xmlns:fe="${FE}" xmlns:xades="${XADES}"`,
    )
  const root = between(signed, '<fe:Facturae', '</fe:Facturae>')
  const document = root.replace(between(root, '<ds:Signature ', '</ds:Signature>'), '')
  const digests = [...cut('ds:SignedInfo').matchAll(/<ds:DigestValue>([^<]+)</g)].map(([, digest]) => digest)
  const expected = [document, cut('xades:SignedProperties'), cut('ds:KeyInfo')].map(sha256)
  const value = /<ds:SignatureValue[^>]*>([^<]+)</.exec(signed)?.[1] ?? ''
  const certificate = /<ds:X509Certificate>([^<]+)</.exec(signed)?.[1] ?? ''
  const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'))
  const method = /(?:rsa|ecdsa)-(sha\d+)"/.exec(signed)?.[1]
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  return (
    JSON.stringify(digests) === JSON.stringify(expected) &&
    verify(method, Buffer.from(cut('ds:SignedInfo')), key, Buffer.from(value, 'base64'))
  )
}

/** Of each algorithm one. */
const CHOSEN = swept(KEY_TYPES, (keyType) => keyType === 'rsa' || keyType === 'ec521')

describe('the signature of an invoice', () => {
  for (const keyType of CHOSEN) {
    test(`is valid with ${keyType}, and invalid after a change`, () => {
      const { key } = signer(keyType, true)
      const signed = signFacturae(INVOICE, key, { signedAt: SIGNED_AT })
      expect(holds(signed)).toBe(true)
      for (const [from, to] of [
        ['Muñoz', 'Munoz'],
        ['3.2.2<', '3.2.1<'],
        ['</FileHeader>\n', '</FileHeader>'],
        ['emisor', 'tercero'],
        ['T08:00:00Z', 'T09:00:00Z'],
        ['Ohixl6', 'Ohixl7'],
        ['CN=AC', 'CN=AD'],
      ] as const) {
        const changed = signed.replace(from, to)
        expect(changed).not.toBe(signed)
        expect(holds(changed), from).toBe(false)
      }
    })
  }

  test('leaves the invoice unchanged and is the last element in it', () => {
    for (const [shape, invoice] of Object.entries({ ...SHAPES, 'without a line break': INVOICE.trimEnd() })) {
      const signed = signFacturae(invoice, signer('ec').key, { signedAt: SIGNED_AT })
      const signature = between(signed, '<ds:Signature ', '</ds:Signature>')
      expect(signed.replace(signature, ''), shape).toBe(invoice)
      expect(signed, shape).toMatch(/<\/ds:Signature><\/(?:fe:)?Facturae>\n?$/)
    }
  })

  test('contains what the policy requires', () => {
    const { key, chainPem } = signer('rsa', true)
    const signed = signFacturae(INVOICE, key, { signedAt: SIGNED_AT })
    expect(signed).toContain('<xades:SigningTime>2026-07-01T08:00:00Z</xades:SigningTime>')
    expect(signed).toContain(
      '<xades:Identifier>http://www.facturae.es/politica_de_firma_formato_facturae/politica_de_firma_formato_facturae_v3_1.pdf</xades:Identifier>',
    )
    expect(signed).toContain(
      `<xades:SigPolicyHash><ds:DigestMethod Algorithm="${DS}sha1"></ds:DigestMethod><ds:DigestValue>Ohixl6upD6av8N7pEvDABhEL6hM=</ds:DigestValue>`,
    )
    expect(signed).toContain('<xades:ClaimedRole>emisor</xades:ClaimedRole>')
    expect(signed).toContain('<xades:MimeType>text/xml</xades:MimeType>')
    expect(signed).toContain('<ds:X509IssuerName>CN=AC FNMT-RCM Usuarios,O=FNMT-RCM,C=ES</ds:X509IssuerName>')
    const leaf = new X509Certificate(chainPem)
    const serial = BigInt(`0x${leaf.serialNumber}`)
    expect(signed).toContain(`<ds:X509SerialNumber>${serial}</ds:X509SerialNumber>`)
    const digest = createHash('sha256').update(leaf.raw).digest('base64')
    expect(between(signed, '<xades:CertDigest>', '</xades:CertDigest>')).toContain(`>${digest}<`)
    // The holder's, the authority's and the root's.
    expect(signed.match(/<ds:X509Certificate>/g)).toHaveLength(3)
  })

  test('is the same each time with RSA, and has other identifiers for another invoice', () => {
    const { key } = signer('rsa')
    const sign = (invoice: string): string => signFacturae(invoice, key, { signedAt: SIGNED_AT })
    expect(sign(INVOICE)).toBe(sign(INVOICE))
    const ids = [INVOICE, INVOICE.replace('Peña', 'Pena')].map(
      (invoice) => /Id="([^"]+)"/.exec(sign(invoice))?.[1],
    )
    expect(new Set(ids).size).toBe(2)
  })

  test('rejects an already signed invoice, and an invalid time', () => {
    const { key } = signer('ec')
    const signed = signFacturae(INVOICE, key, { signedAt: SIGNED_AT })
    expect(() => signFacturae(signed, key, { signedAt: SIGNED_AT })).toThrow(NotCanonicalXml)
    expect(() => signFacturae(INVOICE, key, { signedAt: new Date(Number.NaN) })).toThrow(RangeError)
  })
})

describe('xmlsec', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sello-facturae-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function xmlsec(signed: string, caPem: string): { status: number | null; text: string } {
    const [file, ca] = [join(folder, 'invoice.xsig'), join(folder, 'ca.pem')]
    writeFileSync(file, signed)
    writeFileSync(ca, caPem)
    const ids = ['SignedProperties', 'KeyInfo'].flatMap((name) => ['--id-attr:Id', name])
    const { status, stdout, stderr } = spawnSync(
      tool('xmlsec1')!,
      ['--verify', '--trusted-pem', ca, '--verification-time', '2026-07-01 10:00:00', ...ids, file],
      { encoding: 'utf8' },
    )
    return { status, text: stdout + stderr }
  }

  for (const keyType of CHOSEN) {
    needs('xmlsec1')(`verifies all three references with ${keyType}`, () => {
      for (const intermediate of swept([false, true], (between) => between)) {
        const by = signer(keyType, intermediate)
        for (const [shape, invoice] of Object.entries(SHAPES)) {
          const { status, text } = xmlsec(signFacturae(invoice, by.key, { signedAt: SIGNED_AT }), by.caPem)
          expect(status, `${shape}: ${text}`).toBe(0)
          expect(text, shape).toContain('References (ok/all): 3/3')
        }
      }
    })
  }

  needs('xmlsec1')('verifies every kind of invoice we write', () => {
    const by = signer('rsa', true)
    for (const [name, make] of swept(Object.entries(SAMPLES), (_, index) => index % 4 === 1)) {
      const { text } = xmlsec(signFacturae(facturaeXml(make()), by.key, { signedAt: SIGNED_AT }), by.caPem)
      expect(text, name).toContain('References (ok/all): 3/3')
    }
  })

  needs('xmlsec1')('notices changes of the invoice, of the properties and of the key', () => {
    const by = signer('ec', true)
    const signed = signFacturae(INVOICE, by.key, { signedAt: SIGNED_AT })
    for (const [from, to] of [
      ['Muñoz', 'Munoz'],
      ['T08:00:00Z', 'T09:00:00Z'],
      [/<ds:X509Certificate>[^<]+<\/ds:X509Certificate>(?=<\/ds:X509Data>)/, ''],
    ] as const) {
      const changed = signed.replace(from, to)
      expect(changed).not.toBe(signed)
      expect(xmlsec(changed, by.caPem).status, String(from)).not.toBe(0)
    }
  })

  needs('xmlsec1')('trusts no stranger', () => {
    const by = signer('ec', true)
    const signed = signFacturae(INVOICE, by.key, { signedAt: SIGNED_AT })
    expect(xmlsec(signed, makeCertificate({ issuer: 'Otra autoridad' }).caPem).status).not.toBe(0)
  })
})
