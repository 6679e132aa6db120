/** Signed SOAP messages: their form, their verification by xmlsec, and what a verifier must notice. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { facturaeXml } from '../../../../server/documents/e-invoice/index.ts'
import { canonicalize } from '../../../../server/platform/signing/canonicalize.ts'
import {
  BrokenXmlSignature,
  signFacturae,
  signSoap,
  verifyFacturae,
  verifySoap,
} from '../../../../server/documents/signing/index.ts'
import { readTree, within } from '../../../../server/platform/signing/xml-tree.ts'
import { swept } from '../../../support/sweep.ts'
import { needs, tool } from '../../../support/tools.ts'
import { SAMPLES } from '../e-invoice/samples.ts'
import { KEY_TYPES, SIGNED_AT, signer } from './samples.ts'

const CONTENT =
  '<web:anularFactura xmlns:web="https://webservice.face.gob.es"><numeroRegistro>202600012345</numeroRegistro>' +
  '<motivo>Peña &amp; Muñoz &lt;S.L.&gt; 🧾</motivo></web:anularFactura>'
const CHOSEN = swept(KEY_TYPES, (keyType) => keyType === 'rsa' || keyType === 'ec521')
const { key } = signer('rsa', true)
const signed = signSoap(CONTENT, key, { createdAt: SIGNED_AT })

/** Returns why a message is refused; null if it is accepted. */
function faultOf(xml: string, now = SIGNED_AT): string | null {
  try {
    verifySoap(xml, { now, timeRequired: true })
    return null
  } catch (error) {
    if (error instanceof BrokenXmlSignature) return error.fault
    throw error
  }
}

/** Returns the first element that a pattern finds. */
function cut(xml: string, name: string): string {
  const found = new RegExp(`<${name}[ >][\\s\\S]*?</${name}>`).exec(xml)
  if (!found) throw new Error(`no ${name}`)
  return found[0]
}

describe('a signed message', () => {
  for (const keyType of CHOSEN)
    test(`is proven with ${keyType}`, () => {
      const by = signer(keyType, true)
      const xml = signSoap(CONTENT, by.key, { createdAt: SIGNED_AT })
      const read = verifySoap(xml, { now: SIGNED_AT, timeRequired: true })
      expect(read.content.local).toBe('anularFactura')
      expect(read.certificate.raw.equals(by.key.certificate.der)).toBe(true)
    })

  test('is the same each time with an RSA key, and names its time', () => {
    expect(signSoap(CONTENT, key, { createdAt: SIGNED_AT })).toBe(signed)
    expect(signed).toContain('<wsu:Created>2026-07-01T08:00:00Z</wsu:Created>')
    expect(signed).toContain('<wsu:Expires>2026-07-01T08:05:00Z</wsu:Expires>')
    expect(signed).toContain('xmldsig-more#rsa-sha512')
  })

  const body = cut(signed, 'soapenv:Body')
  const attacks: [string, string, string][] = [
    ['a changed body', signed.replace('202600012345', '202600012346'), 'changed'],
    ['a changed time', signed.replace('T08:05:00Z', 'T09:05:00Z'), 'changed'],
    [
      'a second body',
      signed.replace(body, `${body}${body.replace(/wsu:Id="[^"]+"/, 'wsu:Id="x"')}`),
      'unreadable',
    ],
    [
      'its body moved away and another put in its place',
      signed
        .replace(body, `<soapenv:Body>${CONTENT.replace('2345', '9999')}</soapenv:Body>`)
        .replace('</soapenv:Header>', `<moved>${body}</moved></soapenv:Header>`),
      'not_covered',
    ],
    [
      'two elements with one identifier',
      signed.replace('</soapenv:Header>', `<copy>${body}</copy></soapenv:Header>`),
      'unreadable',
    ],
    ['no signature', signed.replace(cut(signed, 'ds:Signature'), ''), 'unsigned'],
    ['no time', signed.replace(cut(signed, 'wsu:Timestamp'), ''), 'unreadable'],
    [
      'the certificate of somebody else',
      signed.replace(
        /(<wsse:BinarySecurityToken[^>]*>)[^<]+/,
        `$1${signer('rsa4096', false).key.certificate.der.toString('base64')}`,
      ),
      'forged',
    ],
    [
      'entities',
      signed.replace('<soapenv:Envelope', '<!DOCTYPE x [<!ENTITY a "b">]><soapenv:Envelope'),
      'unreadable',
    ],
    ['half of it', signed.slice(0, signed.length >> 1), 'unreadable'],
    ['another format', '{"ok":true}', 'unreadable'],
  ]
  test.each(attacks)('is refused with %s', (_, xml, fault) => {
    expect(xml).not.toBe(signed)
    expect(faultOf(xml)).toBe(fault)
  })

  test('is refused an hour later, and an hour too early', () => {
    expect(faultOf(signed, new Date(SIGNED_AT.getTime() + 3_600_000))).toBe('expired')
    expect(faultOf(signed, new Date(SIGNED_AT.getTime() - 3_600_000))).toBe('expired')
  })
})

describe('the signature of an invoice, read apart from its writer', () => {
  test('holds for every kind of invoice, and not after a change', () => {
    for (const [name, make] of swept(Object.entries(SAMPLES), (_, index) => index % 3 === 1)) {
      const xml = signFacturae(facturaeXml(make()), key, { signedAt: SIGNED_AT })
      expect(verifyFacturae(xml).signedAt, name).toEqual(SIGNED_AT)
      expect(() => verifyFacturae(xml.replace('<IssueDate>2', '<IssueDate>3')), name).toThrow(
        BrokenXmlSignature,
      )
      expect(() => verifyFacturae(xml.replace('v3_1.pdf', 'v3_0.pdf')), name).toThrow(BrokenXmlSignature)
    }
  })
})

describe('xmlsec', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sello-soap-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function xmlsec(xml: string, certificate: Buffer): { status: number | null; text: string } {
    const [file, pem] = [join(folder, 'message.xml'), join(folder, 'certificate.pem')]
    writeFileSync(file, xml)
    const base64 = certificate.toString('base64').replace(/.{64}/g, '$&\n')
    writeFileSync(pem, `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`)
    const ids = ['Body', 'Timestamp'].flatMap((name) => ['--id-attr:Id', name])
    // The certificate is given: the program does not know tokens of messages.
    const { status, stdout, stderr } = spawnSync(
      tool('xmlsec1')!,
      ['--verify', '--pubkey-cert-pem', pem, ...ids, file],
      { encoding: 'utf8' },
    )
    return { status, text: stdout + stderr }
  }

  for (const keyType of CHOSEN)
    needs('xmlsec1')(`verifies body and time with ${keyType}, and notices a change`, () => {
      const by = signer(keyType, true)
      const xml = signSoap(CONTENT, by.key, { createdAt: SIGNED_AT })
      const { status, text } = xmlsec(xml, by.key.certificate.der)
      expect(status, text).toBe(0)
      expect(text).toContain('References (ok/all): 2/2')
      expect(xmlsec(xml.replace('Peña', 'Pena'), by.key.certificate.der).status).not.toBe(0)
      expect(xmlsec(xml.replace('T08:05', 'T08:06'), by.key.certificate.der).status).not.toBe(0)
    })
})

describe('the canonical forms', () => {
  const documents = {
    'a message': signed,
    'an invoice': signFacturae(facturaeXml(Object.values(SAMPLES)[0]!()), key, { signedAt: SIGNED_AT }),
    'declarations at every place': `<?xml version="1.0"?><!-- left out --><a:r xmlns:a="urn:a" xmlns="urn:d" xml:lang="es">
      <b xmlns="" z="1" a:y="2" y='"&#9;&#10;&lt;' xmlns:c="urn:c"><c:d xmlns:c="urn:c2"/><e xmlns="urn:d">&#13;x&gt;y<![CDATA[<&]]></e></b>
      <b xmlns="urn:d" xmlns:a="urn:a"><a:x a:b="1" b="2" xml:space="preserve"/></b></a:r>`,
  }
  needs('xmllint')('are those of libxml2', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sello-c14n-'))
    try {
      for (const [name, xml] of Object.entries(documents)) {
        const file = join(folder, 'document.xml')
        writeFileSync(file, xml)
        for (const [flag, exclusive] of [
          ['--c14n', false],
          ['--exc-c14n', true],
        ] as const) {
          const { stdout } = spawnSync(tool('xmllint')!, [flag, file], { encoding: 'utf8' })
          // libxml2 writes comments.
          const expected = stdout.replace(/<!--[\s\S]*?-->\n?/g, '').trim()
          expect(canonicalize(readTree(xml), { exclusive }), `${name} ${flag}`).toBe(expected)
        }
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('of a part declare what is in force around it', () => {
    const root = readTree(documents['declarations at every place'])
    const inner = [...within(root)].find(({ local }) => local === 'x')!
    expect(canonicalize(inner, { exclusive: true })).toBe(
      '<a:x xmlns:a="urn:a" b="2" xml:space="preserve" a:b="1"></a:x>',
    )
    expect(canonicalize(inner, { exclusive: false })).toBe(
      '<a:x xmlns="urn:d" xmlns:a="urn:a" b="2" xml:lang="es" xml:space="preserve" a:b="1"></a:x>',
    )
  })
})
