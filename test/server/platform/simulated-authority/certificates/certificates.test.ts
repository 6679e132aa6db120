import { X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  issueClientCertificate,
  issueServerCertificate,
  makeAuthorityCa,
} from '../../../../../server/platform/simulated-authority/certificates/certificates.ts'
import {
  certificateFault,
  holderNifs,
} from '../../../../../server/platform/simulated-authority/certificates/client-certificate.ts'
import type { ClientCertificateOptions } from '../../../../../server/platform/simulated-authority/certificates/certificates.ts'

const NOW = new Date('2026-11-16T10:00:00Z')
const PERIOD = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2028-01-01T00:00:00Z') }

const person = { kind: 'person', nif: '12345678Z', name: 'ANA GARCÍA LÓPEZ' } as const
const representative = {
  ...person,
  kind: 'representative',
  organization: 'TALLERES ÑORTE SL',
  organizationNif: 'B12345674',
} as const
const seal = { kind: 'seal', nif: 'B12345674', name: 'TALLERES ÑORTE SL' } as const

describe('the simulator issues', () => {
  test.each<[string, Omit<ClientCertificateOptions, 'ca'>, string[], string[]]>([
    [
      'a person',
      { ...person, keyType: 'rsa' },
      [
        'C=ES',
        'serialNumber=IDCES-12345678Z',
        'GN=ANA',
        'SN=GARCÍA LÓPEZ',
        'CN=GARCÍA LÓPEZ ANA - 12345678Z',
      ],
      ['12345678Z'],
    ],
    [
      'a representative',
      { ...representative, keyType: 'ec' },
      [
        'C=ES',
        'serialNumber=IDCES-12345678Z',
        'GN=ANA',
        'SN=GARCÍA LÓPEZ',
        'O=TALLERES ÑORTE SL',
        'organizationIdentifier=VATES-B12345674',
        'CN=12345678Z ANA GARCÍA LÓPEZ (R: B12345674)',
      ],
      ['B12345674'],
    ],
    [
      'a seal',
      { ...seal, keyType: 'ec' },
      ['C=ES', 'O=TALLERES ÑORTE SL', 'organizationIdentifier=VATES-B12345674', 'CN=TALLERES ÑORTE SL'],
      ['B12345674'],
    ],
  ])('%s, with the fields of a Spanish certificate', async (_what, options, subject, nifs) => {
    const ca = await makeAuthorityCa(PERIOD)
    const issued = await issueClientCertificate({ ca, ...PERIOD, ...options })
    const certificate = new X509Certificate(issued.certPem)
    expect(certificate.subject.split('\n')).toEqual(subject)
    expect(holderNifs(certificate)).toEqual(nifs)
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
    expect(certificate.checkPrivateKey((await import('node:crypto')).createPrivateKey(issued.keyPem))).toBe(
      true,
    )
    expect(certificate.publicKey.asymmetricKeyType).toBe(options.keyType)
    expect(certificate.verify(new X509Certificate(issued.caPem).publicKey)).toBe(true)
    expect(certificate.validFromDate).toEqual(PERIOD.from)
    expect(certificate.validToDate).toEqual(PERIOD.to)
    // Qualified for signatures or for seals (0.4.0.1862.1.6.1 or .2), as the statements are in DER.
    const type = options.kind === 'seal' ? '02' : '01'
    expect(certificate.raw.toString('hex')).toContain(
      `301f3008060604008e4601013013060604008e4601063009060704008e460106${type}`,
    )
  })

  test('a server certificate, for names and addresses', async () => {
    const ca = await makeAuthorityCa({ keyType: 'rsa' })
    const { certPem } = await issueServerCertificate({ ca, names: ['127.0.0.1', 'localhost'] })
    const certificate = new X509Certificate(certPem)
    expect(certificate.subjectAltName).toBe('IP Address:127.0.0.1, DNS:localhost')
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1')
    expect(certificate.ca).toBe(false)
    expect(new X509Certificate(ca.certPem).ca).toBe(true)
  })

  test('a certificate that is valid beyond 2049, to the second', async () => {
    const ca = await makeAuthorityCa(PERIOD)
    const to = new Date('2050-01-01T00:00:00.700Z')
    const { certPem } = await issueClientCertificate({ ca, ...PERIOD, ...person, to })
    const certificate = new X509Certificate(certPem)
    expect(certificate.validToDate).toEqual(new Date('2050-01-01T00:00:00Z'))
    // Four digits of the year from then on (RFC 5280, section 4.1.2.5).
    expect(certificate.raw.includes('20500101000000Z')).toBe(true)
  })
})

describe('the holder is read from a certificate with', () => {
  const named = (subject: string) => holderNifs({ subject } as X509Certificate)
  test.each([
    ['a bare serial number', 'C=ES\nserialNumber=12345678Z\nCN=ANA', ['12345678Z']],
    ['only a common name of a person', 'CN=GARCÍA LÓPEZ ANA - 12345678Z', ['12345678Z']],
    ['only a common name of a representative', 'CN=12345678Z ANA GARCÍA (R: B12345674)', ['12345678Z']],
    ['nothing to go by', 'C=FR\nCN=Jean Dupont', []],
    ['the number of another country', 'CN=X\norganizationIdentifier=VATFR-12345678901', []],
  ])('%s', (_what, subject, nifs) => {
    expect(named(subject)).toEqual(nifs)
  })
})

describe('a client certificate is accepted or rejected', () => {
  test('by its dates, on the simulated clock', async () => {
    const ca = await makeAuthorityCa(PERIOD)
    const leaf = new X509Certificate((await issueClientCertificate({ ca, ...PERIOD, ...seal })).certPem)
    const at = (day: string) => certificateFault(leaf, [], [], new Date(day))
    expect(certificateFault(undefined, [], [], NOW)).toBe('missing')
    expect(at('2026-11-16')).toBeNull()
    expect(at('2028-01-02')).toBe('expired')
    expect(at('2025-12-31')).toBe('not_yet_valid')
  })

  test('by its issuer, where one is required; directly or through another', async () => {
    const root = await makeAuthorityCa(PERIOD)
    const below = await makeAuthorityCa({ ...PERIOD, parent: root })
    const other = await makeAuthorityCa(PERIOD)
    const roots = [new X509Certificate(root.certPem)]
    const intermediate = new X509Certificate(below.certPem)
    const issuedBy = async (ca: typeof root) =>
      new X509Certificate((await issueClientCertificate({ ca, ...PERIOD, ...person })).certPem)
    expect(certificateFault(await issuedBy(root), [], roots, NOW)).toBeNull()
    expect(certificateFault(await issuedBy(below), [intermediate], roots, NOW)).toBeNull()
    expect(certificateFault(await issuedBy(below), [], roots, NOW)).toBe('not_trusted')
    // The same name, another key.
    expect(certificateFault(await issuedBy(other), [], roots, NOW)).toBe('not_trusted')
    const holder = await issuedBy(other)
    expect(certificateFault(holder, [], [holder], NOW)).toBeNull()
  })
})
