/** Certificates that can serve the company, and the warnings or errors about others. */
import { describe, expect, test } from 'vitest'
import { assessCertificate } from '../../../../server/company/certificates/assess.ts'
import type { CertificateVerdict } from '../../../../server/company/certificates/assess.ts'
import { AppError } from '../../../../server/domain/errors/app-error.ts'

const NOW = new Date('2026-07-01T10:00:00+02:00')
const ENTITY = 'B12345674'
const OTHER_ENTITY = 'A58818501'
const PERSON = '12345678Z'
const OTHER_PERSON = '00000000T'

type Kind = CertificateVerdict['holder']['kind']

function certificate(
  holder: { kind?: Kind; nif?: string | null; organizationNif?: string | null } = {},
  changes: Partial<Omit<CertificateVerdict, 'details'>> & {
    details?: Partial<CertificateVerdict['details']>
  } = {},
): CertificateVerdict {
  return {
    holder: { kind: 'seal', name: 'X', nif: null, organizationNif: ENTITY, ...holder },
    validFrom: Date.parse('2025-01-01T00:00:00Z'),
    validTo: Date.parse('2028-01-01T00:00:00Z'),
    daysLeft: 500,
    ...changes,
    details: {
      issuer: [{ attribute: '2.5.4.10', text: 'FNMT-RCM' }],
      signsDigitally: true,
      purposes: null,
      ...changes.details,
    },
  }
}

/** Returns the codes of the warnings, or the error's. */
function verdict(judged: CertificateVerdict, nif = ENTITY, sandbox = false): string[] {
  try {
    return assessCertificate(judged, { company: { nif }, now: NOW, sandbox }).map((warning) => {
      expect(warning.severity).toBe('warning')
      return warning.code
    })
  } catch (error) {
    if (error instanceof AppError) return [`refused: ${error.code}`]
    throw error
  }
}

describe('the holder', () => {
  const cases: [string, Kind, string | null, string | null, string, string[]][] = [
    ["a company's seal", 'seal', null, ENTITY, ENTITY, []],
    ["a company's representative", 'representative', PERSON, ENTITY, ENTITY, []],
    ['a self-employed person', 'person', PERSON, null, PERSON, []],
    ['the seal of a professional', 'seal', null, PERSON, PERSON, []],
    ["another company's seal", 'seal', null, OTHER_ENTITY, ENTITY, ['certificate_third_party']],
    [
      "another company's representative",
      'representative',
      PERSON,
      OTHER_ENTITY,
      ENTITY,
      ['certificate_third_party'],
    ],
    [
      "a company's representative, for somebody else",
      'representative',
      PERSON,
      ENTITY,
      OTHER_PERSON,
      ['certificate_third_party'],
    ],
    ['a person for a company', 'person', PERSON, null, ENTITY, ['certificate_third_party']],
    ['another person for a person', 'person', OTHER_PERSON, null, PERSON, ['certificate_third_party']],
    [
      'what a person holds for a company, for the person',
      'representative',
      PERSON,
      ENTITY,
      PERSON,
      ['certificate_third_party'],
    ],
    ['nobody in particular', 'person', null, null, ENTITY, ['certificate_no_tax_number']],
    ['a seal of nobody', 'seal', null, null, ENTITY, ['certificate_no_tax_number']],
  ]
  test.each(cases)('%s', (_name, kind, nif, organizationNif, company, codes) => {
    expect(verdict(certificate({ kind, nif, organizationNif }), company)).toEqual(codes)
    // A sandbox checks holders just as strictly.
    expect(verdict(certificate({ kind, nif, organizationNif }), company, true)).toEqual(codes)
  })
})

describe('dates', () => {
  test('outside the validity of a certificate cause an error, to the second', () => {
    const at = NOW.getTime()
    expect(verdict(certificate({}, { validTo: at - 1 }))).toEqual(['refused: certificate_expired'])
    expect(verdict(certificate({}, { validTo: at }))).toEqual([])
    expect(verdict(certificate({}, { validFrom: at + 1 }))).toEqual(['refused: certificate_expired'])
    expect(verdict(certificate({}, { validFrom: at }))).toEqual([])
  })

  test('within 30 days of expiry cause a warning', () => {
    expect(verdict(certificate({}, { daysLeft: 31 }))).toEqual([])
    expect(verdict(certificate({}, { daysLeft: 30 }))).toEqual(['certificate_expiring'])
    expect(verdict(certificate({}, { daysLeft: 0 }))).toEqual(['certificate_expiring'])
  })
})

test('a key that is not meant for signing or for connections causes a warning', () => {
  expect(verdict(certificate({}, { details: { signsDigitally: false } }))).toEqual([
    'certificate_no_signature',
  ])
  expect(verdict(certificate({}, { details: { signsDigitally: null } }))).toEqual([])
  const client = '1.3.6.1.5.5.7.3.2'
  expect(verdict(certificate({}, { details: { purposes: [client] } }))).toEqual([])
  expect(verdict(certificate({}, { details: { purposes: ['2.5.29.37.0'] } }))).toEqual([])
  expect(verdict(certificate({}, { details: { purposes: ['1.3.6.1.5.5.7.3.4'] } }))).toEqual([
    'certificate_not_for_connections',
  ])
})

describe('the issuer', () => {
  const judgedBy = (text: string): CertificateVerdict =>
    certificate({}, { details: { issuer: [{ attribute: '2.5.4.3', text }] } })

  test.each([
    'AC FNMT Usuarios',
    'ACCVCA-120',
    'Camerfirma Corporate Server II - 2015',
    'AC CAMERFIRMA FOR NATURAL PERSONS - 2016',
    'Ciudadanos y Entidades (IZENPE S.A.)',
    'AC Firmaprofesional - CUALIFICADOS',
    'ANF Assured ID CA1',
    'EADTrust ECC 256 SubCA For Qualified Certificates 2019',
    'UANATACA CA1 2016',
    'AC DNIE 004',
    'EC-Ciutadania',
    'ACA CA1 Consejo General de la Abogacía',
  ])('%s is known', (name) => {
    expect(verdict(judgedBy(name))).toEqual([])
  })

  test('causes a warning when unknown, except in a sandbox', () => {
    for (const name of ['Let’s Encrypt R3', 'AC Casera', 'Confianf', 'desian'])
      expect(verdict(judgedBy(name)), name).toEqual(['certificate_unknown_issuer'])
    expect(verdict(judgedBy('AC Casera'), ENTITY, true)).toEqual([])
  })
})
