/**
 * Output of the serializer: golden records, every field written and read back, the order that the schema fixes, and
 * texts.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { madridInstant } from '../../../../../../server/domain/dates.ts'
import { verifyLink } from '../../../../../../server/registry/systems/verifactu/record/chain.ts'
import {
  checkCancellation,
  checkRecord,
} from '../../../../../../server/registry/systems/verifactu/record/rules/index.ts'
import { readSealedRecord } from '../../../../../../server/registry/systems/verifactu/record/sealed.ts'
import {
  buildCancellation,
  buildRegistration,
  escapeText,
} from '../../../../../../server/registry/systems/verifactu/record/xml.ts'
import { NS_RECORD } from '../../../../../../server/registry/systems/verifactu/wire/namespaces.ts'
import { readXml } from '../../../../../../server/registry/systems/verifactu/wire/reader.ts'
import { builtRecord, goldenRecords } from '../../../golden.ts'
import {
  cancellation,
  GENERATED_AT,
  invoice,
  ISSUER,
  PREVIOUS,
  SYSTEM,
  TODAY,
} from '../../../plain-records.ts'
import { admittedInvoice, validCancellation } from '../../../random-records.ts'
import { readCancellation, readRegistration } from '../../../read-back.ts'
import type {
  Recipient,
  RegistryInvoice,
} from '../../../../../../server/registry/systems/verifactu/record/fields.ts'
import type { XmlElement } from '../../../../../../server/registry/systems/verifactu/wire/reader.ts'

describe('golden records', () => {
  test.each(goldenRecords)('are written unchanged: $file: $facts.name', ({ facts, xml: file }) => {
    const faults =
      'invoice' in facts ? checkRecord(facts.invoice, TODAY) : checkCancellation(facts.cancellation, TODAY)
    expect(faults.filter(({ severity }) => severity === 'error')).toEqual([])
    const { xml, link } = builtRecord(facts, facts.previous)
    if (process.env['SELLO_UPDATE_GOLDEN'] === '1') writeFileSync(file, `${xml}\n`)
    expect(`${xml}\n`).toBe(readFileSync(file, 'utf8'))
    const sealed = readSealedRecord(xml)
    expect(sealed).toMatchObject({
      kind: 'invoice' in facts ? 'registration' : 'cancellation',
      link,
      previous: facts.previous,
    })
    expect(verifyLink(sealed, facts.previous)).toBeNull()
  })

  test('cover every kind, state, tax, treatment and way to name a party', () => {
    const invoices = goldenRecords.flatMap(({ facts }) => ('invoice' in facts ? [facts.invoice] : []))
    const cancellations = goldenRecords.flatMap(({ facts }) =>
      'cancellation' in facts ? [facts.cancellation] : [],
    )
    const seen = (values: (string | null)[]) => [...new Set(values)].sort()
    expect(seen(invoices.map(({ kind, rectification }) => kind + (rectification?.method ?? '')))).toEqual([
      'F1',
      'F2',
      'F3',
      'R1I',
      'R1S',
      'R2I',
      'R2S',
      'R3I',
      'R3S',
      'R4I',
      'R4S',
      'R5I',
      'R5S',
    ])
    expect(seen(invoices.map(({ turn }) => turn))).toEqual([
      'correction',
      'correction_after_rejection',
      'first',
      'unregistered',
    ])
    expect(
      seen(cancellations.map(({ turn, madeBy }) => `${turn} ${madeBy === null ? 'own' : 'asked'}`)),
    ).toEqual(
      ['after_rejection', 'first', 'unregistered', 'unregistered_after_rejection'].flatMap((turn) => [
        `${turn} asked`,
        `${turn} own`,
      ]),
    )
    expect(seen(invoices.flatMap(({ breakdown }) => breakdown.map(({ tax }) => tax)))).toEqual([
      '01',
      '02',
      '03',
      '05',
    ])
    expect(seen(invoices.flatMap(({ breakdown }) => breakdown.map((line) => line.taxTreatment)))).toEqual([
      'E1',
      'E2',
      'E3',
      'E4',
      'E5',
      'E6',
      'E7',
      'E8',
      'N1',
      'N2',
      'S1',
      'S2',
    ])
    const ways = invoices.flatMap(({ recipients }) =>
      recipients.map((one) => ('nif' in one ? 'nif' : one.idType)),
    )
    expect(seen(ways)).toEqual(['02', '03', '04', '05', '06', '07', 'nif'])
  })
})

describe('every field', () => {
  const numRuns = 500

  test('of a registration can be read back', () => {
    fc.assert(
      fc.property(admittedInvoice, fc.boolean(), (made, first) => {
        const previous = first ? null : PREVIOUS
        const { xml, hash } = buildRegistration(made, previous, SYSTEM, GENERATED_AT)
        expect(readRegistration(xml)).toEqual({
          invoice: asSent(made),
          macro: Math.abs(made.totalCents) >= 10_000_000_000,
          seal: { previous, system: SYSTEM, generatedAt: GENERATED_AT, hash },
        })
      }),
      { numRuns },
    )
  })

  test('of a cancellation can be read back', () => {
    const system = { ...SYSTEM, onlyVerifactu: false, multiIssuer: false, severalIssuers: true }
    fc.assert(
      fc.property(validCancellation, (made) => {
        const { xml, hash } = buildCancellation(made, PREVIOUS, system, GENERATED_AT)
        expect(readCancellation(xml)).toEqual({
          cancellation: made.madeBy
            ? { ...made, madeBy: { ...made.madeBy, party: named(made.madeBy.party) } }
            : made,
          seal: { previous: PREVIOUS, system, generatedAt: GENERATED_AT, hash },
        })
      }),
      { numRuns },
    )
  })

  /**
   * Returns an invoice as sent: an EU VAT number without its country, an operation on the day of issue without its
   * date.
   */
  function asSent(made: RegistryInvoice): RegistryInvoice {
    const { operationDate, issueDate, madeBy, recipients } = made
    return {
      ...made,
      operationDate: operationDate === issueDate ? null : operationDate,
      madeBy: madeBy?.by === 'third_party' ? { ...madeBy, party: named(madeBy.party) } : madeBy,
      recipients: recipients.map(named),
    }
  }

  function named(party: Recipient): Recipient {
    return 'idType' in party && party.idType === '02' ? { ...party, country: '' } : party
  }
})

describe('elements', () => {
  // Source: AEAT, SuministroInformacion.xsd, RegistroFacturacionAltaType and RegistroFacturacionAnulacionType.
  const REGISTRATION =
    'IDVersion IDFactura RefExterna NombreRazonEmisor Subsanacion RechazoPrevio TipoFactura TipoRectificativa FacturasRectificadas FacturasSustituidas ImporteRectificacion FechaOperacion DescripcionOperacion FacturaSimplificadaArt7273 FacturaSinIdentifDestinatarioArt61d Macrodato EmitidaPorTerceroODestinatario Tercero Destinatarios Cupon Desglose CuotaTotal ImporteTotal Encadenamiento SistemaInformatico FechaHoraHusoGenRegistro NumRegistroAcuerdoFacturacion TipoHuella Huella'
  const CANCELLATION =
    'IDVersion IDFactura RefExterna SinRegistroPrevio RechazoPrevio GeneradoPor Generador Encadenamiento SistemaInformatico FechaHoraHusoGenRegistro TipoHuella Huella'
  const LINE =
    'Impuesto ClaveRegimen CalificacionOperacion OperacionExenta TipoImpositivo BaseImponibleOimporteNoSujeto BaseImponibleACoste CuotaRepercutida TipoRecargoEquivalencia CuotaRecargoEquivalencia'
  const ORDERS: Readonly<Record<string, string>> = {
    RegistroAlta: REGISTRATION,
    RegistroAnulacion: CANCELLATION,
    DetalleDesglose: LINE,
  }

  function outOfOrder(element: XmlElement): string[] {
    const order = ORDERS[element.name]?.split(' ')
    const places = order ? element.children.map(({ name }) => order.indexOf(name)) : []
    const wrong = places.some((place, index) => place <= (places[index - 1] ?? -1))
    return [...(wrong ? [element.name] : []), ...element.children.flatMap(outOfOrder)]
  }

  function empty(element: XmlElement): string[] {
    if (element.children.length > 0) return element.children.flatMap(empty)
    return element.text === '' ? [element.name] : []
  }

  test('are in the order of the schema, and none is empty', () => {
    const records = [
      ...goldenRecords.map(({ facts }) => builtRecord(facts, facts.previous)),
      ...fc.sample(admittedInvoice, 200).map((made) => builtRecord({ invoice: made }, PREVIOUS)),
      ...fc.sample(validCancellation, 50).map((made) => builtRecord({ cancellation: made }, null)),
    ]
    for (const { xml } of records) {
      const record = readXml(xml)
      expect([...outOfOrder(record), ...empty(record)], xml).toEqual([])
    }
  })

  test('are all in the namespace of records, declared once', () => {
    for (const { xml } of [
      buildRegistration(invoice(), PREVIOUS, SYSTEM, GENERATED_AT),
      buildCancellation(cancellation(), PREVIOUS, SYSTEM, GENERATED_AT),
    ]) {
      expect(xml.match(/xmlns/g)).toHaveLength(1)
      const spaces = (element: XmlElement): string[] => [element.ns, ...element.children.flatMap(spaces)]
      expect(new Set(spaces(readXml(xml)))).toEqual(new Set([NS_RECORD]))
    }
  })
})

describe('text in records', () => {
  test('is escaped only where XML requires it, and outer blanks are removed', () => {
    expect(escapeText('  a & b < c > d "e" \'f\' ]]> ')).toBe('a &amp; b &lt; c > d "e" \'f\' ]]&gt;')
    expect(escapeText('&amp;')).toBe('&amp;amp;')
  })

  test('with outer blanks changes neither the record nor its hash', () => {
    const built = (number: string, name: string) =>
      buildRegistration(invoice({ number, issuer: { ...ISSUER, name } }), PREVIOUS, SYSTEM, GENERATED_AT)
    expect(built(' F-1\n', '\tNOMBRE ')).toEqual(built('F-1', 'NOMBRE'))
  })

  test('keeps surrogate pairs whole', () => {
    expect(escapeText('😀')).toBe('😀')
    expect(escapeText('Café 😀 & <𝛑>')).toBe('Café 😀 &amp; &lt;𝛑>')
  })

  test('that XML cannot carry is rejected', () => {
    for (const bad of ['a\u0000b', 'a\u001bb', 'a\rb', 'a\uffffb'])
      expect(() => escapeText(bad)).toThrow(RangeError)
    const half = invoice({ description: 'x\ud800y' })
    expect(() => buildRegistration(half, PREVIOUS, SYSTEM, GENERATED_AT)).toThrow(RangeError)
    const halfNumber = cancellation({ key: { issuerNif: ISSUER.nif, number: '\udc00', issueDate: TODAY } })
    expect(() => buildCancellation(halfNumber, PREVIOUS, SYSTEM, GENERATED_AT)).toThrow(RangeError)
  })
})

test('each record names the program as it is when the record is made', () => {
  const system = { ...SYSTEM, producer: { ...SYSTEM.producer } }
  const written = () => buildRegistration(invoice(), PREVIOUS, system, GENERATED_AT).xml
  const seen = new Set([written()])
  const changes = [
    () => (system.producer.name = 'OTRA PRODUCTORA SL'),
    () => (system.producer.nif = 'B12345674'),
    () => (system.name = 'Otro'),
    () => (system.id = '77'),
    () => (system.version = '9.9.9'),
    () => (system.installationNumber = '20260101000000-0002'),
    () => (system.onlyVerifactu = !system.onlyVerifactu),
    () => (system.multiIssuer = !system.multiIssuer),
    () => (system.severalIssuers = !system.severalIssuers),
  ]
  for (const change of changes) {
    change()
    seen.add(written())
    const { seal } = readRegistration(written())
    expect(seal.system).toEqual(system)
  }
  expect(seen.size).toBe(changes.length + 1)
})

describe('the time of a record', () => {
  test.each([
    ['2026-07-01T08:00:00.900Z', '2026-07-01T10:00:00+02:00'],
    ['2026-12-31T23:30:00Z', '2027-01-01T00:30:00+01:00'],
    ['2026-10-25T00:59:59Z', '2026-10-25T02:59:59+02:00'],
    ['2026-10-25T01:00:00Z', '2026-10-25T02:00:00+01:00'],
  ])('%s is written %s', (instant, written) => {
    expect(madridInstant(new Date(instant))).toBe(written)
    for (const { xml } of [
      buildRegistration(invoice(), null, SYSTEM, written),
      buildCancellation(cancellation(), null, SYSTEM, written),
    ])
      expect(xml).toContain(`<sf:FechaHoraHusoGenRegistro>${written}<`)
  })

  test.each(['2026-07-01T08:00:00Z', '2026-07-01T10:00:00.000+02:00', '2026-07-01T10:00:00+0200', ''])(
    '%j is rejected',
    (time) => {
      expect(() => buildRegistration(invoice(), null, SYSTEM, time)).toThrow(RangeError)
      expect(() => buildCancellation(cancellation(), null, SYSTEM, time)).toThrow(RangeError)
    },
  )
})
