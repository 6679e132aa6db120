/** Files of TicketBAI: written, signed, chained, read and verified; marks on paper; cancellations and corrections. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BrokenXmlSignature } from '../../../../../server/platform/signing/index.ts'
import { crc8, ticketBaiQr } from '../../../../../server/registry/systems/ticketbai/identifier.ts'
import {
  amendedCancellation,
  amendedIssue,
  cancellationContent,
  chainFaultOf,
  detailLines,
  differingFields,
  isTicketBaiIdentifier,
  linkOfInvoice,
  PROFILES,
  printedNumber,
  readTicketBai,
  sealCancellation,
  splitNumber,
  ticketBaiIdentifier,
  ticketBaiMarks,
  UnreadableTicketBai,
  verifyTicketBai,
  writeTicketBai,
} from '../../../../../server/registry/systems/ticketbai/index.ts'
import type { TicketBaiLink } from '../../../../../server/registry/systems/ticketbai/index.ts'
import { fineText } from '../../../../../server/registry/systems/ticketbai/write.ts'
import { dice } from '../../../../support/seeded-random.ts'
import { sweptCount } from '../../../../support/sweep.ts'
import { needs } from '../../../../support/tools.ts'
import { xmlsecVerdict } from './xmlsec.ts'
import { context, invoice, KEY, line, NOW, PROVINCES, randomInvoice, sealed } from './samples.ts'

const SEED = 20261130

function readTicketBaiInvoice(xml: string) {
  const content = readTicketBai(xml)
  if (content.kind !== 'issue') throw new Error('An invoice was expected.')
  return content.invoice
}

describe('the CRC-8 and the marks on paper', () => {
  test.each([
    ['123456789', 244],
    ['', 0],
    ['A', 192],
    ['ñ', 204],
    ['TBAI-00000006Y-251019-btFpwP8dcLGAF-', 237],
  ])('%j has the CRC-8 of the specification', (text, crc) => {
    expect(crc8(text)).toBe(crc)
  })

  test('the identifier has 39 characters, the last three its CRC-8', () => {
    const identifier = ticketBaiIdentifier('00000006Y', '2019-10-25', 'btFpwP8dcLGAF and the rest')
    expect(identifier).toBe('TBAI-00000006Y-251019-btFpwP8dcLGAF-237')
    expect(identifier).toHaveLength(39)
    expect(isTicketBaiIdentifier(identifier)).toBe(true)
    for (let at = 0; at < identifier.length; at++) {
      const spoilt = `${identifier.slice(0, at)}${identifier[at] === '7' ? '8' : '7'}${identifier.slice(at + 1)}`
      expect(isTicketBaiIdentifier(spoilt), spoilt).toBe(false)
    }
  })

  test('the address of the QR code escapes its values and ends with its CRC-8', () => {
    const base = PROFILES.bizkaia.qr.production
    const values = {
      identifier: 'TBAI-00000006Y-251019-btFpwP8dcLGAF-237',
      series: 'T',
      number: '27174',
      total: '4.70',
    }
    expect(ticketBaiQr(base, values)).toBe(
      'https://batuz.eus/QRTBAI/?id=TBAI-00000006Y-251019-btFpwP8dcLGAF-237&s=T&nf=27174&i=4.70&cr=007',
    )
    expect(ticketBaiQr(base, { ...values, series: 'a&b', identifier: 'A+/B' })).toMatch(
      /\?id=A%2B%2FB&s=a%26b&nf=27174&i=4\.70&cr=\d{3}$/,
    )
  })

  test('a sealed invoice gets both, with its own total', () => {
    const { content, signatureValue } = sealed(invoice(), 'gipuzkoa')
    const { identifier, qr } = ticketBaiMarks(PROFILES.gipuzkoa.qr.test, content, signatureValue)
    expect(identifier).toMatch(/^TBAI-B12345674-301126-/)
    expect(identifier).toContain(signatureValue.slice(0, 13))
    expect(isTicketBaiIdentifier(identifier)).toBe(true)
    const address = new URL(qr)
    expect(Object.fromEntries(address.searchParams)).toEqual({
      id: identifier,
      s: 'F2026',
      nf: '0001',
      i: '121.00',
      cr: qr.slice(-3),
    })
    expect(crc8(qr.slice(0, -'&cr=000'.length))).toBe(Number(qr.slice(-3)))
  })
})

describe('numbers and lines', () => {
  test.each([
    ['F2026-0001', 'F2026', '0001'],
    ['T-F2026-12345', 'T-F2026', '12345'],
    ['2019/17', null, '2019/17'],
    ['A-17', null, 'A-17'],
  ])('%s is split into series and number, and joined again', (printed, series, number) => {
    expect(splitNumber(printed)).toEqual({ series, number })
    expect(printedNumber({ series, number })).toBe(printed)
  })

  const written = (options: Parameters<typeof detailLines>[1], ...lines: Parameters<typeof detailLines>[0]) =>
    detailLines(lines, options).map(({ quantity, unitPrice, discount, total }) =>
      [quantity, unitPrice, discount, total].map((value) => (value === null ? null : fineText(value))),
    )

  test('a discount is an amount, and the total of a line includes its tax', () => {
    const lines = [
      line({ unitPriceMicro: 200_000_000, discountBp: 1000 }),
      line({ quantityMicro: 2_000_000, unitPriceMicro: 350_000_000 }),
    ]
    expect(written({ priceMode: 'net' }, ...lines)).toEqual([
      ['1.00', '200.00', '20.00', '217.80'],
      ['2.00', '350.00', null, '847.00'],
    ])
  })

  test('prices with tax are stated without it, and their total is the price', () => {
    expect(
      written({ priceMode: 'gross' }, line({ quantityMicro: 3_000_000, unitPriceMicro: 10_000_000 })),
    ).toEqual([['3.00', '8.26446281', null, '30.00']])
  })

  test('disbursements are left out, and discounts of the document are shared', () => {
    const lines = [line(), line({ isDisbursement: true }), line({ unitPriceMicro: 300_000_000 })]
    expect(written({ priceMode: 'net', discountCents: 4_000 }, ...lines)).toEqual([
      ['1.00', '100.00', '10.00', '108.90'],
      ['1.00', '300.00', '30.00', '326.70'],
    ])
    expect(written({ priceMode: 'net', discountBp: 5_000 }, line({ discountBp: 5_000 }))).toEqual([
      ['1.00', '100.00', '75.00', '30.25'],
    ])
  })

  test('prices of another currency are stated in euros', () => {
    const lines = [line({ unitPriceMicro: 110_000_000, discountBp: 1_000 })]
    expect(written({ priceMode: 'net', fxMicro: 1_100_000 }, ...lines)).toEqual([
      ['1.00', '100.00', '10.00', '108.90'],
    ])
    expect(
      written({ priceMode: 'gross', fxMicro: 1_100_000 }, line({ unitPriceMicro: 133_100_000 })),
    ).toEqual([['1.00', '100.00', null, '121.00']])
  })

  test('the tax of another country is in no total', () => {
    const sold = line({ taxTreatment: 'N2', regimeKey: '17', vatRateBp: 1900 })
    expect(written({ priceMode: 'net' }, sold)).toEqual([['1.00', '100.00', null, '100.00']])
    expect(written({ priceMode: 'gross' }, { ...sold, unitPriceMicro: 119_000_000 })).toEqual([
      ['1.00', '100.00', null, '100.00'],
    ])
  })

  test('a margin scheme states the price', () => {
    const sold = line({ regimeKey: '03', costCents: 8_000 })
    expect(written({ priceMode: 'gross' }, sold)).toEqual([['1.00', '100.00', null, '100.00']])
  })
})

describe('the file of an invoice', () => {
  test('is written once and for all', () => {
    const { xml } = sealed(invoice(), 'gipuzkoa')
    expect(xml.slice(0, xml.indexOf('<ds:Signature'))).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<T:TicketBai xmlns:T="urn:ticketbai:emision"><Cabecera><IDVersionTBAI>1.2</IDVersionTBAI></Cabecera>' +
        '<Sujetos><Emisor><NIF>B12345674</NIF><ApellidosNombreRazonSocial>Carpintería Ametz, S.L.</ApellidosNombreRazonSocial></Emisor>' +
        '<Destinatarios><IDDestinatario><NIF>12345678Z</NIF><ApellidosNombreRazonSocial>Miren Etxeberria</ApellidosNombreRazonSocial><CodigoPostal>48001</CodigoPostal><Direccion>Kale Nagusia, 1</Direccion></IDDestinatario></Destinatarios>' +
        '<VariosDestinatarios>N</VariosDestinatarios><EmitidaPorTercerosODestinatario>N</EmitidaPorTercerosODestinatario></Sujetos>' +
        '<Factura><CabeceraFactura><SerieFactura>F2026</SerieFactura><NumFactura>0001</NumFactura><FechaExpedicionFactura>30-11-2026</FechaExpedicionFactura><HoraExpedicionFactura>11:05:07</HoraExpedicionFactura>' +
        '<FacturaSimplificada>N</FacturaSimplificada><FacturaEmitidaSustitucionSimplificada>N</FacturaEmitidaSustitucionSimplificada></CabeceraFactura>' +
        '<DatosFactura><DescripcionFactura>Revisión de la caldera</DescripcionFactura><DetallesFactura><IDDetalleFactura><DescripcionDetalle>Revisión de la caldera</DescripcionDetalle><Cantidad>1.00</Cantidad><ImporteUnitario>100.00</ImporteUnitario><ImporteTotal>121.00</ImporteTotal></IDDetalleFactura></DetallesFactura>' +
        '<ImporteTotalFactura>121.00</ImporteTotalFactura><Claves><IDClave><ClaveRegimenIvaOpTrascendencia>01</ClaveRegimenIvaOpTrascendencia></IDClave></Claves></DatosFactura>' +
        '<TipoDesglose><DesgloseFactura><Sujeta><NoExenta><DetalleNoExenta><TipoNoExenta>S1</TipoNoExenta><DesgloseIVA><DetalleIVA><BaseImponible>100.00</BaseImponible><TipoImpositivo>21</TipoImpositivo><CuotaImpuesto>21.00</CuotaImpuesto><OperacionEnRecargoDeEquivalenciaORegimenSimplificado>N</OperacionEnRecargoDeEquivalenciaORegimenSimplificado></DetalleIVA></DesgloseIVA></DetalleNoExenta></NoExenta></Sujeta></DesgloseFactura></TipoDesglose></Factura>' +
        '<HuellaTBAI><Software><LicenciaTBAI>TBAIGIPRE00000000501</LicenciaTBAI><EntidadDesarrolladora><NIF>P2000000F</NIF></EntidadDesarrolladora><Nombre>FAKTURABAI</Nombre><Version>1.0</Version></Software><NumSerieDispositivo>789-ABCDEFGHIJKLMNOPQRSTUVWXYZ</NumSerieDispositivo></HuellaTBAI>',
    )
  })

  test('is the same each time, and its signature too', () => {
    expect(sealed(invoice(), 'araba').xml).toBe(sealed(invoice(), 'araba').xml)
  })

  test.each(PROVINCES)('names the policy of %s', (province) => {
    const verified = verifyTicketBai(sealed(invoice(), province).xml)
    const [policy] = PROFILES[province].policies
    expect(verified.policy).toEqual({ address: policy?.address, sha256: policy?.sha256 })
    expect(verified.signedAt).toEqual(NOW)
    expect(verified.certificate.raw).toEqual(KEY.certificate.der)
  })

  test('goods and services stand apart for a customer abroad only', () => {
    const lines = [
      line({ taxTreatment: 'E5', vatRateBp: null }),
      line({ taxTreatment: 'N2', vatRateBp: null }),
    ]
    const supplies = ['services', 'goods'] as const
    const abroad = invoice({
      lines,
      supplies: [...supplies],
      changes: { recipients: [{ name: 'Müller', country: 'DE', idType: '02', id: 'DE123456789' }] },
    })
    const { breakdown, recipients } = sealed(abroad, 'bizkaia').content
    expect(breakdown).toEqual({
      by: 'supply',
      services: { exempt: [], taxed: [], notSubject: [{ cause: 'RL', amountCents: 10_000 }] },
      goods: { exempt: [{ cause: 'E5', baseCents: 10_000 }], taxed: [], notSubject: [] },
    })
    expect(recipients[0]?.identity).toEqual({ country: null, idType: '02', id: 'DE123456789' })
    expect(sealed(invoice({ lines }), 'bizkaia').content.breakdown.by).toBe('invoice')
  })

  test('another tax on the invoice is a cause of its own, and keys have the numbers of this registry', () => {
    const oss = invoice({ lines: [line({ taxTreatment: 'N2', regimeKey: '17', vatRateBp: 1900 })] })
    const { breakdown, regimeKeys } = sealed(oss, 'araba').content
    expect(breakdown).toMatchObject({ whole: { notSubject: [{ cause: 'IE', amountCents: 10_000 }] } })
    expect(regimeKeys).toEqual(['17'])
    const retail = sealed(
      invoice({ lines: [line({ regimeKey: '18' }), line({ regimeKey: '20' })] }),
      'araba',
    ).content
    expect(retail.regimeKeys).toEqual(['51', '52'])
    expect(retail.breakdown).toMatchObject({
      whole: { taxed: [{ type: 'S1', details: [{ baseCents: 20_000, taxCents: 4_200, isRetail: true }] }] },
    })
  })

  test('long texts are shortened, without half of a character', () => {
    const long = `${'a'.repeat(248)}🧾🧾🧾`
    const { content } = sealed(invoice({ lines: [line({ description: long })] }), 'araba')
    expect(content.lines[0]?.description).toBe(`${'a'.repeat(248)}…`)
    expect(content.description.isWellFormed()).toBe(true)
  })
})

const randomFiles = sweptCount(500, 60)

describe('random invoices', () => {
  test.each(PROVINCES)('of %s are read back as they were, verify and follow each other', (province) => {
    const random = dice(SEED + province.length)
    let previous: TicketBaiLink | null = null
    for (let number = 1; number <= randomFiles; number++) {
      const { content, xml, signatureValue } = sealed(randomInvoice(random, number), province, previous)
      const verified = verifyTicketBai(xml)
      if (verified.kind !== 'issue') throw new Error('An invoice was expected.')
      expect(verified.invoice, `invoice ${number}`).toEqual(content)
      expect(verified.signatureValue).toBe(signatureValue)
      expect(chainFaultOf(verified.invoice, previous)).toBeNull()
      previous = linkOfInvoice(content, signatureValue)
      expect(previous.signature).toHaveLength(100)
    }
  })
})

describe('the verifier', () => {
  const { xml } = sealed(invoice(), 'gipuzkoa')
  const fault = (spoilt: string): string => {
    try {
      verifyTicketBai(spoilt)
      return 'none'
    } catch (error) {
      if (error instanceof BrokenXmlSignature) return error.fault
      if (error instanceof UnreadableTicketBai) return 'content'
      throw error
    }
  }

  test('takes the file, also with another way to write the same', () => {
    expect(fault(xml)).toBe('none')
    expect(fault(xml.replace('<?xml version="1.0" encoding="UTF-8"?>\n', ''))).toBe('none')
    expect(fault(xml.replaceAll('></ds:CanonicalizationMethod>', '/>'))).toBe('none')
  })

  test.each([
    [
      'an amount',
      (text: string) => text.replace('<ImporteTotalFactura>121.00', '<ImporteTotalFactura>122.00'),
      'changed',
    ],
    ['a blank', (text: string) => text.replace('</Cabecera>', '</Cabecera> '), 'changed'],
    [
      'the time',
      (text: string) => text.replace(/<xades:SigningTime>2026/, '<xades:SigningTime>2025'),
      'changed',
    ],
    ['the certificate', (text: string) => text.replace(/<ds:Exponent>AQAB/, '<ds:Exponent>AQAC'), 'changed'],
    ['a digest', (text: string) => text.replace(/(<ds:DigestValue>)./, '$1/'), 'forged'],
    [
      'the value',
      (text: string) =>
        text.replace(
          /(-value">)(.)/,
          (_, tag: string, first: string) => `${tag}${first === 'A' ? 'B' : 'A'}`,
        ),
      'forged',
    ],
    [
      'the signature itself',
      (text: string) => text.replace(/<ds:Signature .*<\/ds:Signature>/, ''),
      'unsigned',
    ],
    [
      'a second signature',
      (text: string) => text.replace('</ds:Object>', '<ds:Signature></ds:Signature></ds:Object>'),
      'unreadable',
    ],
    [
      'SHA-1',
      (text: string) =>
        text.replace(
          'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
          'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
        ),
      'not_covered',
    ],
    ['a DOCTYPE', (text: string) => text.replace('<T:', '<!DOCTYPE a><T:'), 'unreadable'],
  ])('finds a change of %s', (_, spoil, expected) => {
    expect(spoil(xml)).not.toBe(xml)
    expect(fault(spoil(xml))).toBe(expected)
  })

  test('finds every changed character of the content', () => {
    const start = xml.indexOf('<Cabecera>')
    const end = xml.indexOf('<ds:Signature ')
    const step = sweptCount(1, 7)
    for (let at = start; at < end; at += step) {
      const other = xml[at] === 'x' ? 'y' : 'x'
      expect(fault(`${xml.slice(0, at)}${other}${xml.slice(at + 1)}`), `character ${at}`).not.toBe('none')
    }
  })

  test('answers damage anywhere with a fault of its own, and takes nothing that says something else', () => {
    const random = dice(SEED)
    const { signatureValue } = sealed(invoice(), 'gipuzkoa')
    const start = xml.indexOf('<ds:X509Certificate>') + '<ds:X509Certificate>'.length
    const end = xml.indexOf('</ds:X509Certificate>')
    const certificate = Buffer.from(xml.slice(start, end), 'base64')
    for (let round = 0; round < sweptCount(5_000, 500); round++) {
      const at = random.below(xml.length)
      const length = random.below(80)
      const bytes = Buffer.from(certificate)
      bytes[random.below(bytes.length)] = random.below(256)
      const spoilt = random.pick([
        `${xml.slice(0, at)}${String.fromCodePoint(32 + random.below(95))}${xml.slice(at + 1)}`,
        `${xml.slice(0, at)}${xml.slice(at + length)}`,
        `${xml.slice(0, at)}${xml.slice(at - length, at)}${xml.slice(at)}`,
        `${xml.slice(0, start)}${bytes.toString('base64')}${xml.slice(end)}`,
      ])
      // Neither another error, nor another content: what is not signed (blanks, identifiers) says nothing.
      if (fault(spoilt) === 'none')
        expect(verifyTicketBai(spoilt), `round ${round}`).toMatchObject({
          invoice: readTicketBaiInvoice(xml),
          signatureValue,
        })
    }
  })

  test('rejects another way to write the value of the signature', () => {
    expect(fault(xml.replace(/(-value">.{5})/, '$1*'))).toBe('unreadable')
  })

  test('rejects a policy that no treasury has published', () => {
    const { profile, software } = context('gipuzkoa')
    const [policy] = profile.policies
    const made = sealed(invoice(), 'gipuzkoa').content
    const wrong = { ...profile, policies: [{ ...policy!, sha256: createHash('sha256').digest('base64') }] }
    const cancellation = cancellationContent(made, { software, device: null })
    const signed = sealCancellation(cancellation, { profile: wrong, key: KEY, signedAt: NOW })
    expect(fault(signed.xml)).toBe('not_covered')
  })

  test('reports in what a file differs from the facts of its invoice', () => {
    const { footprint, ...found } = sealed(invoice(), 'araba').content
    expect(differingFields({ ...found, footprint }, { ...found, footprint })).toEqual([])
    const now = invoice({ lines: [line({ unitPriceMicro: 100_010_000 })] })
    expect(differingFields({ ...sealed(now, 'araba').content, maker: 'T' }, { ...found, footprint })).toEqual(
      ['maker', 'lines', 'totalCents', 'breakdown'],
    )
  })

  test('reports how an invoice fails to follow another', () => {
    const first = sealed(invoice(), 'araba')
    const link = linkOfInvoice(first.content, first.signatureValue)
    const second = sealed(invoice({ changes: { number: 'F2026-0002' } }), 'araba', link).content
    expect(chainFaultOf(second, link)).toBeNull()
    expect(chainFaultOf(second, null)).toBe('first_expected')
    expect(chainFaultOf(first.content, link)).toBe('unexpected_first')
    expect(chainFaultOf(second, { ...link, signature: `${link.signature.slice(1)}A` })).toBe(
      'previous_mismatch',
    )
    expect(chainFaultOf(second, { ...link, number: '0009' })).toBe('previous_mismatch')
  })

  needs('xmlsec1')(
    'agrees with xmlsec: it takes what we sign, with its certificate, and nothing changed',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'sello-ticketbai-'))
      try {
        const random = dice(SEED)
        for (const [index, province] of PROVINCES.entries()) {
          const signed = sealed(randomInvoice(random, index + 1), province).xml
          const { isValid, text } = xmlsecVerdict(folder, signed)
          expect(isValid, text).toBe(true)
          expect(text).toContain('References (ok/all): 3/3')
          expect(xmlsecVerdict(folder, signed.replace('<NIF>B1', '<NIF>B2')).isValid).toBe(false)
        }
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  )
})

describe('cancellations and corrections', () => {
  const { software, profile } = context('araba')
  const first = sealed(invoice(), 'araba')
  const second = sealed(
    invoice({ changes: { number: 'F2026-0002' } }),
    'araba',
    linkOfInvoice(first.content, first.signatureValue),
  )

  test('a cancellation is signed and names no previous invoice', () => {
    const cancellation = cancellationContent(second.content, { software, device: null })
    const signed = sealCancellation(cancellation, { profile, key: KEY, signedAt: NOW })
    expect(signed.xml).not.toContain('EncadenamientoFacturaAnterior')
    const verified = verifyTicketBai(signed.xml)
    expect(verified).toMatchObject({ kind: 'cancellation', cancellation })
    const corrected = amendedCancellation(
      { ...cancellation, issuer: { ...cancellation.issuer, name: 'Otro nombre' } },
      { cancellation, signatureValue: signed.signatureValue },
    )
    const written = writeTicketBai(corrected)
    expect(readTicketBai(written)).toEqual(corrected)
    expect(written).toContain(
      `<SignatureValueFirmaAnulacion>${signed.signatureValue.slice(0, 100)}</SignatureValueFirmaAnulacion>`,
    )
  })

  test.each(['SUBSANAR', 'MODIFICAR'] as const)(
    '%s repeats the invoice with the footprint of the original',
    (action) => {
      const changed = invoice({
        changes: {
          number: 'F2026-0002',
          recipients: [{ name: 'Miren Etxeberria Agirre', nif: '12345678Z' }],
        },
      })
      const original = { invoice: second.content, signatureValue: second.signatureValue }
      const amended = amendedIssue(action, changed, original)
      const written = writeTicketBai(amended)
      expect(readTicketBai(written)).toEqual(amended)
      expect(amended).toMatchObject({
        action,
        signature: second.signatureValue.slice(0, 100),
        invoice: { footprint: second.content.footprint, recipients: [{ name: 'Miren Etxeberria Agirre' }] },
      })
      expect(written).not.toContain('ds:Signature')
      expect(() => verifyTicketBai(written)).toThrow(BrokenXmlSignature)
    },
  )

  test('number, date and issuer cannot be corrected', () => {
    const original = { invoice: second.content, signatureValue: second.signatureValue }
    for (const changes of [
      { number: 'F2026-0003' },
      { number: 'F2026-0002', issueDate: '2026-11-29' },
      { number: 'F2026-0002', issuer: { nif: 'A12345674', name: 'Carpintería Ametz, S.L.' } },
    ])
      expect(() => amendedIssue('MODIFICAR', invoice({ changes }), original)).toThrow(RangeError)
  })
})

describe('the reader', () => {
  const written = writeTicketBai({ kind: 'issue', invoice: sealed(invoice(), 'araba').content }).replace(
    '</T:TicketBai>',
    '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"></ds:Signature></T:TicketBai>',
  )

  test('takes amounts in every form of the schema', () => {
    const spoilt = written.replace('<ImporteTotalFactura>121.00', '<ImporteTotalFactura>+121.')
    expect(readTicketBai(spoilt)).toEqual(readTicketBai(written))
  })

  test.each([
    ['an element out of place', '<VariosDestinatarios>', '<Extra></Extra><VariosDestinatarios>'],
    ['text beside elements', '<Sujetos>', '<Sujetos>x'],
    ['an attribute', '<NumFactura>', '<NumFactura a="1">'],
    ['a namespace', '<NumFactura>', '<NumFactura xmlns="urn:x">'],
    ['another version', '<IDVersionTBAI>1.2', '<IDVersionTBAI>1.1'],
    ['another root', /T:TicketBai/g, 'T:Ticket'],
    ['a number that is too long', '<NumFactura>0001', `<NumFactura>${'1'.repeat(21)}`],
    ['a day that does not exist', '30-11-2026', '31-11-2026'],
    ['three decimals', '<BaseImponible>100.00', '<BaseImponible>100.001'],
    ['an unknown key', '<ClaveRegimenIvaOpTrascendencia>01', '<ClaveRegimenIvaOpTrascendencia>16'],
    ['an empty name', '<Nombre>FAKTURABAI', '<Nombre> '],
    ['a missing signature', /<ds:Signature .*<\/ds:Signature>/, ''],
    ['a comma', '<CuotaImpuesto>21.00', '<CuotaImpuesto>21,00'],
  ])('refuses %s', (_, from, to) => {
    const spoilt = written.replace(from, to)
    expect(spoilt).not.toBe(written)
    expect(() => readTicketBai(spoilt)).toThrow(UnreadableTicketBai)
  })
})
