/** Names of issuers and numbers of certificates, as XML signatures write them. */
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readSigningCertificate } from '../../../../server/platform/signing/key.ts'
import { decimalOf, nameText } from '../../../../server/platform/signing/name.ts'
import { makeCertificate } from '../../../support/files/certificates.ts'
import { oid, sequence, tagged } from '../../../support/files/der.ts'
import { needs, tool } from '../../../support/tools.ts'

const attribute = (type: string, value: Uint8Array): Buffer => tagged(0x31, sequence(oid(type), value))
const nameWith = (type: string, tag: number, text: Uint8Array | string): string =>
  nameText(
    sequence(
      attribute('2.5.4.6', tagged(0x13, Buffer.from('ES'))),
      attribute(type, tagged(tag, Buffer.from(text))),
    ),
  )

describe('the name of an issuer', () => {
  test('is written with its last part first, in any string type', () => {
    expect(nameWith('2.5.4.3', 0x0c, 'AC Raíz')).toBe('CN=AC Raíz,C=ES')
    expect(nameWith('2.5.4.3', 0x14, Buffer.from('AC Raíz', 'latin1'))).toBe('CN=AC Raíz,C=ES')
    // The writer makes two bytes of each.
    expect(nameWith('2.5.4.3', 0x1e, Buffer.from('AC Raíz', 'latin1'))).toBe('CN=AC Raíz,C=ES')
  })

  test('has numbers for attributes without a name in RFC 2253', () => {
    expect(nameWith('2.5.4.5', 0x13, 'Q2826004J')).toBe('2.5.4.5=#130951323832363030344a,C=ES')
    expect(nameWith('2.5.4.97', 0x0c, 'V')).toBe('2.5.4.97=#0c0156,C=ES')
    expect(nameWith('1.2.840.113549.1.9.1', 0x16, 'a')).toBe('1.2.840.113549.1.9.1=#160161,C=ES')
  })

  test('escapes special characters and controls', () => {
    expect(nameWith('2.5.4.10', 0x0c, ' a,b+c"d\\e<f>g;h ')).toBe(
      'O=\\ a\\,b\\+c\\"d\\\\e\\<f\\>g\\;h\\ ,C=ES',
    )
    expect(nameWith('2.5.4.10', 0x0c, '#a\u0001\n')).toBe('O=\\#a\\01\\0a,C=ES')
    expect(nameWith('2.5.4.10', 0x0c, 'a#b=c')).toBe('O=a#b=c,C=ES')
  })

  needs('openssl')('is what OpenSSL writes', () => {
    for (const issuer of ['FNMT-RCM', 'Ñandú, "S.L." <x>+y;z', '#1', ' a ']) {
      const { certPem } = makeCertificate({ issuer, intermediate: true })
      const args = ['x509', '-noout', '-issuer', '-nameopt', 'RFC2253,-esc_msb,utf8']
      const said = execFileSync(tool('openssl')!, args, { input: certPem, encoding: 'utf8' })
      expect(`issuer=${nameText(readSigningCertificate(new X509Certificate(certPem).raw).issuer)}`).toBe(
        said.replace(/\n$/, ''),
      )
    }
  })
})

test('the number of a certificate is written in decimal, with its sign', () => {
  const number = (hex: string): string => decimalOf(tagged(0x02, Buffer.from(hex, 'hex')))
  expect(number('00')).toBe('0')
  expect(number('7f')).toBe('127')
  expect(number('0080')).toBe('128')
  expect(number('ff')).toBe('-1')
  expect(number('0123456789abcdef0123456789abcdef')).toBe('1512366075204170929049582354406559215')
})
