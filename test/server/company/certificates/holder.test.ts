/** The holder of a certificate, from subjects as the Spanish issuers write them (invented holders). */
import { describe, expect, test } from 'vitest'
import { holderOf, issuerName, printedName } from '../../../../server/company/certificates/holder.ts'
import type { NamePart } from '../../../../server/company/certificates/x509.ts'

const NAMES: Record<string, string> = {
  CN: '2.5.4.3',
  SN: '2.5.4.4',
  serialNumber: '2.5.4.5',
  C: '2.5.4.6',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  GN: '2.5.4.42',
  dnQualifier: '2.5.4.46',
  organizationIdentifier: '2.5.4.97',
  camerfirma: '1.3.6.1.4.1.17326.30.3',
}
const SEAL = ['0.4.0.1862.1.6.2']
const SIGNATURE = ['0.4.0.1862.1.6.1']

const subject = (parts: Record<string, string>): NamePart[] =>
  Object.entries(parts).map(([name, text]) => ({ attribute: NAMES[name] ?? name, text }))

describe('the holder of a certificate is read from', () => {
  const cases: [string, Record<string, string>, string[], ReturnType<typeof holderOf>][] = [
    [
      'a person (FNMT)',
      {
        C: 'ES',
        serialNumber: 'IDCES-12345678Z',
        GN: 'ANA',
        SN: 'NÚÑEZ GÜELL',
        CN: 'NÚÑEZ GÜELL ANA - 12345678Z',
      },
      SIGNATURE,
      { kind: 'person', name: 'ANA NÚÑEZ GÜELL', nif: '12345678Z', organizationNif: null },
    ],
    [
      'a person whose surname carries the number',
      {
        C: 'ES',
        serialNumber: 'IDCES-12345678Z',
        GN: 'ANA',
        SN: 'NÚÑEZ GÜELL - 12345678Z',
        CN: 'NÚÑEZ GÜELL ANA - DNI 12345678Z',
      },
      [],
      { kind: 'person', name: 'ANA NÚÑEZ GÜELL', nif: '12345678Z', organizationNif: null },
    ],
    [
      'a foreigner',
      { C: 'ES', serialNumber: 'IDCES-X1234567L', GN: 'Sean', SN: "O'Brien", CN: "O'BRIEN SEAN - X1234567L" },
      SIGNATURE,
      { kind: 'person', name: "Sean O'Brien", nif: 'X1234567L', organizationNif: null },
    ],
    [
      'a person of before the standard, by the common name alone',
      { C: 'ES', CN: 'NOMBRE NÚÑEZ GÜELL ANA - NIF 12345678Z', OU: '500051234' },
      [],
      { kind: 'person', name: 'NÚÑEZ GÜELL ANA', nif: '12345678Z', organizationNif: null },
    ],
    [
      'the identity card',
      { C: 'ES', serialNumber: '12345678Z', SN: 'NÚÑEZ', GN: 'ANA', CN: 'NÚÑEZ GÜELL, ANA (AUTENTICACIÓN)' },
      [],
      { kind: 'person', name: 'ANA NÚÑEZ', nif: '12345678Z', organizationNif: null },
    ],
    [
      'a representative (FNMT)',
      {
        C: 'ES',
        O: 'TALLERES EJEMPLO SL',
        organizationIdentifier: 'VATES-B12345674',
        CN: '12345678Z ANA NÚÑEZ (R: B12345674)',
        SN: 'NÚÑEZ GÜELL',
        GN: 'ANA',
        serialNumber: 'IDCES-12345678Z',
      },
      SIGNATURE,
      { kind: 'representative', name: 'ANA NÚÑEZ GÜELL', nif: '12345678Z', organizationNif: 'B12345674' },
    ],
    [
      'a representative without names apart',
      {
        O: 'X',
        organizationIdentifier: 'VATES-B12345674',
        CN: '12345678Z ANA NÚÑEZ (R: B12345674)',
        serialNumber: 'IDCES-12345678Z',
      },
      [],
      { kind: 'representative', name: 'ANA NÚÑEZ', nif: '12345678Z', organizationNif: 'B12345674' },
    ],
    [
      'a representative of before the standard (Camerfirma)',
      { camerfirma: 'B12345674', serialNumber: '12345678Z', SN: 'NÚÑEZ', GN: 'ANA', CN: 'ANA NÚÑEZ' },
      [],
      { kind: 'representative', name: 'ANA NÚÑEZ', nif: '12345678Z', organizationNif: 'B12345674' },
    ],
    [
      'a representative of before the standard (Izenpe)',
      { dnQualifier: '-dni 12345678Z -cif B12345674', CN: 'ANA NÚÑEZ' },
      [],
      { kind: 'representative', name: 'ANA NÚÑEZ', nif: '12345678Z', organizationNif: 'B12345674' },
    ],
    [
      'a legal person of before 2016 (FNMT)',
      { CN: 'ENTIDAD TALLERES SL - CIF B12345674 - NOMBRE NÚÑEZ ANA - NIF 12345678Z' },
      [],
      {
        kind: 'representative',
        name: 'NÚÑEZ ANA',
        nif: '12345678Z',
        organizationNif: 'B12345674',
      },
    ],
    [
      'a seal (FNMT), with the number twice',
      {
        C: 'ES',
        serialNumber: 'B12345674',
        organizationIdentifier: 'VATES-B12345674',
        O: 'TALLERES EJEMPLO SL',
        CN: 'SELLO FACTURAS',
      },
      SEAL,
      { kind: 'seal', name: 'TALLERES EJEMPLO SL', nif: null, organizationNif: 'B12345674' },
    ],
    [
      'a seal by its parts, without the statement',
      { organizationIdentifier: 'VATES-B12345674', O: 'TALLERES EJEMPLO SL', CN: 'SELLO' },
      [],
      { kind: 'seal', name: 'TALLERES EJEMPLO SL', nif: null, organizationNif: 'B12345674' },
    ],
    [
      'the seal of a professional',
      { organizationIdentifier: 'VATES-12345678Z', O: 'ANA NÚÑEZ', CN: 'SELLO ANA NÚÑEZ' },
      SEAL,
      { kind: 'seal', name: 'ANA NÚÑEZ', nif: null, organizationNif: '12345678Z' },
    ],
    [
      'an entity of another country: its number is no NIF',
      {
        organizationIdentifier: 'VATDE-123456789',
        serialNumber: 'PASDE-C01X00T47',
        GN: 'Hans',
        SN: 'Müller',
        CN: 'Hans Müller',
      },
      [],
      { kind: 'person', name: 'Hans Müller', nif: null, organizationNif: null },
    ],
    [
      'a register of companies instead of a tax number',
      {
        organizationIdentifier: 'NTRES-B12345674',
        serialNumber: 'IDCES-12345678Z',
        GN: 'Ana',
        SN: 'Ruiz',
        CN: 'Ana Ruiz',
      },
      [],
      { kind: 'person', name: 'Ana Ruiz', nif: '12345678Z', organizationNif: null },
    ],
    [
      'a number with a wrong letter is nobody',
      { serialNumber: 'IDCES-12345678A', GN: 'Ana', SN: 'Ruiz', CN: 'RUIZ ANA - 12345678A' },
      [],
      { kind: 'person', name: 'Ana Ruiz', nif: null, organizationNif: null },
    ],
    [
      'nothing but a name',
      { CN: 'factura.example' },
      [],
      { kind: 'person', name: 'factura.example', nif: null, organizationNif: null },
    ],
    ['nothing at all', {}, [], { kind: 'person', name: '', nif: null, organizationNif: null }],
  ]
  test.each(cases)('%s', (_name, parts, types, holder) => {
    expect(holderOf(subject(parts), types)).toEqual(holder)
  })
})

test('names are printed with the most specific part first', () => {
  expect(printedName(subject({ C: 'ES', O: 'FNMT-RCM', OU: 'Ceres', CN: 'AC Usuarios' }))).toBe(
    'CN=AC Usuarios, OU=Ceres, O=FNMT-RCM, C=ES',
  )
  expect(printedName([{ attribute: '1.2.3', text: 'x' }])).toBe('1.2.3=x')
})

test('an issuer has a short name', () => {
  expect(issuerName(subject({ O: 'FNMT-RCM', CN: 'AC Usuarios' }))).toBe('AC Usuarios (FNMT-RCM)')
  expect(issuerName(subject({ O: 'FNMT-RCM', CN: 'AC RAIZ FNMT-RCM' }))).toBe('AC RAIZ FNMT-RCM')
  expect(issuerName(subject({ O: 'FNMT-RCM', OU: 'Ceres' }))).toBe('FNMT-RCM')
  expect(issuerName(subject({ OU: 'Ceres' }))).toBe('OU=Ceres')
})
