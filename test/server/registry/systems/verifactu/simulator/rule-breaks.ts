/** One broken record for every code that the simulated authority's own checks can answer, spoiled in its text. */
import { cancellation, invoice, PREVIOUS, taxed, untaxed } from '../../../samples.ts'
import { after, all, element, leaf, ownHash, swap, without } from './spoil.ts'
import type { Spoil } from './spoil.ts'
import type {
  BreakdownLine,
  Recipient,
  RecordKind,
  RegistryCancellation,
  RegistryInvoice,
} from '../../../../../../server/registry/systems/verifactu/record/fields.ts'

export interface Break {
  code: string
  what: string
  record: { invoice: RegistryInvoice } | { cancellation: RegistryCancellation }
  spoil: Spoil
  /** Arrival of the message; on the day of the plain invoice by default. */
  now?: Date
}

const keep: Spoil = (xml) => xml
const described = (...parts: string[]) => after('DescripcionOperacion', parts.join(''))

function broken(code: string, what: string, changes: Partial<RegistryInvoice>, spoil: Spoil = keep): Break {
  return { code, what, record: { invoice: invoice(changes) }, spoil }
}

function brokenCancellation(code: string, what: string, spoil: Spoil): Break {
  return { code, what, record: { cancellation: cancellation({ turn: 'unregistered' }) }, spoil }
}

const US: Recipient = { name: 'C', country: 'US', idType: '04', id: 'X1' }
const FRENCH: Recipient = { name: 'C', country: 'FR', idType: '02', id: 'FR12345678901' }
const TOWN: Recipient = { name: 'AYUNTAMIENTO', nif: 'P2807900B' }
const lines = (...breakdown: BreakdownLine[]) => ({ breakdown })
const plainF2 = { kind: 'F2' as const, recipients: [] }
const rectifying = (kind: RecordKind, method: 'I' | 'S' = 'I'): Partial<RegistryInvoice> => ({
  kind,
  rectification:
    method === 'I' ? { method } : { method, baseCents: 10_000, taxCents: 2_100, surchargeCents: null },
  ...(kind === 'R5' ? { recipients: [] } : {}),
})
const on = (operationDate: string, ...breakdown: BreakdownLine[]) => ({ operationDate, breakdown })
const withSurcharge = (vatRateBp: number, surchargeBp: number) => taxed(10_000, vatRateBp, surchargeBp)
const canary = (changes: Partial<BreakdownLine> = {}): BreakdownLine => ({
  ...taxed(10_000, 700),
  tax: '03',
  ...changes,
})
const ceuta = (changes: Partial<BreakdownLine> = {}): BreakdownLine => ({
  ...taxed(10_000, 400),
  tax: '02',
  ...changes,
})
const atCost = (changes: Partial<BreakdownLine> = {}): BreakdownLine => ({
  ...taxed(10_000),
  regimeKey: '06',
  costBaseCents: 10_000,
  ...changes,
})
const works = { ...taxed(10_000), regimeKey: '14' }
const customer = (party: string) =>
  swap(/<sf:IDDestinatario>.*<\/sf:IDDestinatario>/s, `<sf:IDDestinatario>${party}</sf:IDDestinatario>`)
const spanish = (nif: string, name = 'C') => leaf('NombreRazon', name) + leaf('NIF', nif)
const other = (idType: string, id: string, country = '', name = 'C') =>
  `${leaf('NombreRazon', name)}<sf:IDOtro>${country === '' ? '' : leaf('CodigoPais', country)}${leaf('IDType', idType)}${leaf('ID', id)}</sf:IDOtro>`
const thirdParty = (party: string) =>
  described(leaf('EmitidaPorTerceroODestinatario', 'T'), `<sf:Tercero>${party}</sf:Tercero>`)
const rectified = (nif: string, number: string, date: string) =>
  after(
    'TipoRectificativa',
    `<sf:FacturasRectificadas><sf:IDFacturaRectificada>${leaf('IDEmisorFactura', nif)}${leaf('NumSerieFactura', number)}${leaf('FechaExpedicionFactura', date)}</sf:IDFacturaRectificada></sf:FacturasRectificadas>`,
  )
const maker = (by: string, party: string) =>
  after('SinRegistroPrevio', `${leaf('GeneradoPor', by)}<sf:Generador>${party}</sf:Generador>`)
const producer = (party: string) =>
  swap(
    /<sf:SistemaInformatico><sf:NombreRazon>[^<]*<\/sf:NombreRazon><sf:NIF>[^<]*<\/sf:NIF>/,
    `<sf:SistemaInformatico>${party}`,
  )
const previous = (name: string, value: string) => (xml: string) =>
  xml.replace(new RegExp(`(<sf:RegistroAnterior>.*?)<sf:${name}>[^<]*<`, 's'), `$1<sf:${name}>${value}<`)

export const BREAKS: Break[] = [
  broken('1100', 'no name', {}, element('NombreRazonEmisor', ' ')),
  broken('1100', 'a nameless company', {}, customer(spanish('B12345674', ' '))),
  broken('1103', 'an EU number of no form', { recipients: [FRENCH] }, element('ID', 'FR1')),
  broken('1103', 'an empty identification', { recipients: [US] }, element('ID', ' ')),
  broken('1104', 'a number of blanks', {}, element('NumSerieFactura', '  ')),
  broken('1108', "another issuer than the header's", {}, element('IDEmisorFactura', '89890002E')),
  broken('1109', 'a third party the census does not know', {}, thirdParty(spanish('99999999R'))),
  broken('1110', 'a customer the census does not know', {}, customer(spanish('99999999R'))),
  broken('1111', 'no country', { recipients: [US] }, without('CodigoPais')),
  broken('1112', 'issued tomorrow', {}, element('FechaExpedicionFactura', '17-11-2026')),
  broken('1114', 'rectifying without saying how', {}, element('TipoFactura', 'R1')),
  broken('1115', 'a method on F1', {}, after('TipoFactura', leaf('TipoRectificativa', 'I'))),
  broken(
    '1116',
    'simplified invoices on F1',
    {},
    after(
      'TipoFactura',
      `<sf:FacturasSustituidas><sf:IDFacturaSustituida>${leaf('IDEmisorFactura', '89890001K')}${leaf('NumSerieFactura', 'S-1')}${leaf('FechaExpedicionFactura', '01-11-2026')}</sf:IDFacturaSustituida></sf:FacturasSustituidas>`,
    ),
  ),
  broken(
    '1117',
    'rectified invoices on F1',
    {},
    after(
      'TipoFactura',
      `<sf:FacturasRectificadas><sf:IDFacturaRectificada>${leaf('IDEmisorFactura', '89890001K')}${leaf('NumSerieFactura', 'F-1')}${leaf('FechaExpedicionFactura', '01-11-2026')}</sf:IDFacturaRectificada></sf:FacturasRectificadas>`,
    ),
  ),
  broken('1118', 'substitution without amounts', rectifying('R1', 'S'), without('ImporteRectificacion')),
  broken('1119', 'amounts on a difference', rectifying('R1', 'S'), element('TipoRectificativa', 'I')),
  broken(
    '1122',
    'an EU number of another country',
    { recipients: [FRENCH] },
    swap('<sf:IDType>02', '<sf:CodigoPais>DE</sf:CodigoPais><sf:IDType>02'),
  ),
  broken('1123', 'a customer with a bad letter', {}, customer(spanish('89890002A'))),
  broken('1124', '20 %', {}, element('TipoImpositivo', '20')),
  broken('1124', '21 % before it was', on('2012-08-31', taxed(10_000))),
  broken(
    '1125',
    'operation in more than a year',
    { operationDate: '2026-11-01' },
    element('FechaOperacion', '17-11-2027'),
  ),
  broken('1126', 'Spain with type 04', { recipients: [US] }, element('CodigoPais', 'ES')),
  broken('1126', 'type 07 of another country', {}, customer(other('07', '89890002E', 'FR'))),
  broken(
    '1127',
    'a surcharge there never was',
    lines(withSurcharge(2100, 520)),
    element('TipoRecargoEquivalencia', '3'),
  ),
  broken('1130', 'ñ in the number', {}, element('NumSerieFactura', 'AÑO-1')),
  broken('1131', 'type 07 for a company', {}, customer(other('07', 'B12345674', 'ES'))),
  broken('1132', '18 % after 2012', {}, element('TipoImpositivo', '18')),
  broken('1133', 'issued more than twenty years ago', {}, element('FechaExpedicionFactura', '15-11-2006')),
  broken(
    '1134',
    'operation more than twenty years ago',
    { operationDate: '2026-11-01' },
    element('FechaOperacion', '15-11-2006'),
  ),
  broken(
    '1135',
    'a surcharge of 4 % after 2012',
    lines(withSurcharge(2100, 520)),
    element('TipoRecargoEquivalencia', '4'),
  ),
  broken('1138', 'the mark of a large amount', {}, described(leaf('Macrodato', 'S'))),
  broken('1139', 'a large amount without its mark', {}, element('ImporteTotal', '-100000000.00')),
  broken(
    '1140',
    'tax of the other sign than the cost',
    lines(atCost()),
    element('CuotaRepercutida', '-0.01'),
  ),
  broken('1142', 'tax 10.01 off', {}, element('CuotaRepercutida', '31.01')),
  broken(
    '1142',
    'tax of the Canary Islands 10.01 off',
    lines(canary()),
    element('CuotaRepercutida', '17.01'),
  ),
  broken('1143', 'tax of the other sign', {}, element('CuotaRepercutida', '-0.01')),
  broken(
    '1144',
    'tax that fits the base, not the cost',
    lines(atCost()),
    element('BaseImponibleACoste', '200'),
  ),
  broken(
    '1145',
    'operation on 30 February',
    { operationDate: '2026-11-01' },
    element('FechaOperacion', '30-02-2026'),
  ),
  broken(
    '1145',
    'a rectified invoice of no day',
    rectifying('R1'),
    rectified('89890001K', 'F-1', '31-11-2026'),
  ),
  broken('1146', 'operation after the issue', { issueDate: '2026-11-10', operationDate: '2026-11-12' }),
  broken('1147', 'public works without a day ahead', { recipients: [TOWN], breakdown: [works] }),
  broken('1148', 'public works on F3', {
    kind: 'F3',
    recipients: [TOWN],
    operationDate: '2026-12-01',
    breakdown: [works],
  }),
  broken('1149', 'public works for a company', { operationDate: '2026-12-01', breakdown: [works] }),
  broken('1150', 'F2 over 3,000', { ...plainF2, breakdown: [taxed(250_200)] }),
  broken('1152', 'issued before the registry', {}, element('FechaExpedicionFactura', '27-10-2024')),
  broken('1153', 'X without correction', {}, after('NombreRazonEmisor', leaf('RechazoPrevio', 'X'))),
  broken(
    '1154',
    'a rectified invoice of nobody',
    rectifying('R1'),
    rectified('99999999R', 'F-1', '01-11-2026'),
  ),
  broken(
    '1155',
    'a third party without saying so',
    {},
    described(`<sf:Tercero>${spanish('B12345674')}</sf:Tercero>`),
  ),
  broken('1157', 'a coupon on R4', rectifying('R4'), after('Destinatarios', leaf('Cupon', 'S'))),
  broken(
    '1158',
    'made by a customer who is not there',
    plainF2,
    described(leaf('EmitidaPorTerceroODestinatario', 'D')),
  ),
  broken(
    '1159',
    'made by the customer, with a third party',
    {},
    described(
      leaf('EmitidaPorTerceroODestinatario', 'D'),
      `<sf:Tercero>${spanish('B12345674')}</sf:Tercero>`,
    ),
  ),
  broken(
    '1160',
    '5 % with 0.26',
    on('2023-01-01', withSurcharge(500, 62)),
    element('TipoRecargoEquivalencia', '0.26'),
  ),
  broken('1161', 'S without correction', {}, after('NombreRazonEmisor', leaf('RechazoPrevio', 'S'))),
  broken('1162', '21 % with 1.4', lines(withSurcharge(2100, 520)), element('TipoRecargoEquivalencia', '1.4')),
  broken('1163', '10 % with 0.5', lines(withSurcharge(1000, 140)), element('TipoRecargoEquivalencia', '0.5')),
  broken('1164', '4 % with 1.4', lines(withSurcharge(400, 50)), element('TipoRecargoEquivalencia', '1.4')),
  broken('1165', '0 % with 0.5 in 2023', on('2023-06-01', withSurcharge(0, 50))),
  broken('1166', '2 % with 0.5', on('2024-10-01', withSurcharge(200, 50))),
  broken('1167', '5 % with 0.5 in 2023', on('2023-01-01', withSurcharge(500, 50))),
  broken('1168', '5 % with 0.62 in 2022', on('2022-12-31', withSurcharge(500, 62))),
  broken('1169', '7.5 % with 1.4', on('2024-12-31', withSurcharge(750, 140))),
  broken('1170', '0 % with 0 today', lines(withSurcharge(0, 0))),
  broken('1173', 'operation tomorrow', { operationDate: '2026-11-17' }),
  broken('1174', 'a previous day that is none', {}, previous('FechaExpedicionFactura', '31-11-2026')),
  broken('1175', 'a previous number that is none', {}, previous('NumSerieFactura', 'ñ')),
  broken('1176', 'a producer with a bad number', {}, producer(spanish('89890001A'))),
  broken('1177', 'a system code in lower case', {}, element('IdSistemaInformatico', 's1')),
  broken('1179', 'a nameless producer', {}, producer(spanish('89890001K', ' '))),
  broken('1179', 'no version', {}, element('Version', '')),
  broken('1180', 'a previous issuer that is none', {}, previous('IDEmisorFactura', '89890001A')),
  broken('1182', 'E8 with VAT', lines(untaxed('E1', 100)), element('OperacionExenta', 'E8')),
  broken('1183', 'art. 7.2-7.3 on F2', plainF2, described(leaf('FacturaSimplificadaArt7273', 'S'))),
  broken('1185', 'art. 6.1.d on F1', {}, described(leaf('FacturaSinIdentifDestinatarioArt61d', 'S'))),
  broken(
    '1186',
    'a third party that is not named',
    {},
    described(leaf('EmitidaPorTerceroODestinatario', 'T')),
  ),
  broken('1188', 'the issuer as third party', {}, thirdParty(spanish('89890001K'))),
  broken('1189', 'no customer', {}, without('Destinatarios')),
  broken(
    '1190',
    'a customer on F2',
    plainF2,
    described(
      `<sf:Destinatarios><sf:IDDestinatario>${spanish('89890002E')}</sf:IDDestinatario></sf:Destinatarios>`,
    ),
  ),
  broken('1191', 'bad debt abroad', { ...rectifying('R3'), recipients: [FRENCH] }),
  broken('1192', 'insolvency outside the Union', { ...rectifying('R2'), recipients: [US] }),
  broken('1194', '5 % today', {}, element('TipoImpositivo', '5')),
  broken('1197', 'reverse charge on F2', { ...plainF2, breakdown: [untaxed('S2', 100)] }),
  broken('1198', 'reverse charge without a rate', lines(untaxed('S2', 100)), without('TipoImpositivo')),
  broken('1198', 'reverse charge with tax', lines(untaxed('S2', 100)), element('CuotaRepercutida', '1')),
  broken('1199', 'an export under 01', lines(untaxed('E1', 100)), element('OperacionExenta', 'E2')),
  broken(
    '1199',
    'the same in the Canary Islands',
    lines({ ...untaxed('E1', 100), tax: '03' }),
    element('OperacionExenta', 'E3'),
  ),
  broken('1200', '03 with N1', lines(untaxed('N1', 100, '03'))),
  broken('1201', '04 with S1', lines({ ...taxed(100), regimeKey: '04' })),
  broken('1202', '06 without base at cost', lines(atCost({ costBaseCents: null }))),
  broken('1202', '06 on F3', { kind: 'F3', breakdown: [atCost()] }),
  broken('1203', '07 with S2', lines(untaxed('S2', 100, '07'))),
  broken('1203', '07 with E4', lines(untaxed('E4', 100, '07'))),
  broken('1205', '10 with S1', lines({ ...taxed(100), regimeKey: '10' })),
  broken('1205', '10 for a foreigner', { recipients: [US], breakdown: [untaxed('N1', 100, '10')] }),
  broken('1206', '11 at 10 %', lines({ ...taxed(100, 1000), regimeKey: '11' })),
  broken(
    '1207',
    'tax of the Canary Islands on what is not subject',
    lines({ ...untaxed('N1', 100), tax: '03' }),
    after('BaseImponibleOimporteNoSujeto', leaf('CuotaRepercutida', '1')),
  ),
  broken('1208', 'no rate', {}, without('TipoImpositivo')),
  broken('1208', 'no tax', {}, without('CuotaRepercutida')),
  broken('1209', '06 without tax', lines(atCost()), without('CuotaRepercutida')),
  broken('1211', 'a third party with type 07', {}, thirdParty(other('07', '89890002E', 'ES'))),
  broken('1220', 'no system name', {}, element('NombreSistemaInformatico', '')),
  broken('1221', 'a producer with type 07', {}, producer(other('07', '89890002E', 'ES'))),
  broken('1222', 'a producer with an EU number of no form', {}, producer(other('02', 'FR1'))),
  broken('1232', 'a Spanish third party with type 04', {}, thirdParty(other('04', 'X1', 'ES'))),
  broken('1235', '2 % today', {}, element('TipoImpositivo', '2.00')),
  broken('1236', '7.5 % today', {}, element('TipoImpositivo', '7.5')),
  broken(
    '1237',
    'not subject, with a surcharge',
    lines(untaxed('N1', 1)),
    after('BaseImponibleOimporteNoSujeto', leaf('CuotaRecargoEquivalencia', '0')),
  ),
  broken(
    '1238',
    'exempt, with tax',
    lines(untaxed('E1', 100)),
    after('BaseImponibleOimporteNoSujeto', leaf('CuotaRepercutida', '0.00')),
  ),
  broken('1244', 'a time without offset', {}, element('FechaHoraHusoGenRegistro', '2026-11-16T10:00:00')),
  broken(
    '1244',
    'a time with fractions',
    {},
    element('FechaHoraHusoGenRegistro', '2026-11-16T10:00:00.5+01:00'),
  ),
  broken(
    '1244',
    'an offset without colon',
    {},
    element('FechaHoraHusoGenRegistro', '2026-11-16T10:00:00+0100'),
  ),
  broken(
    '1244',
    'an offset with seconds',
    {},
    element('FechaHoraHusoGenRegistro', '2026-11-16T10:00:00+01:00:00'),
  ),
  broken('1244', 'a quarter past 25', {}, element('FechaHoraHusoGenRegistro', '2026-11-16T25:15:00+01:00')),
  broken('1245', 'no regime', {}, without('ClaveRegimen')),
  broken('1245', 'no regime in the Canary Islands', lines(canary()), without('ClaveRegimen')),
  {
    ...broken('1245', 'no regime in Ceuta, from 2027', lines(ceuta({ regimeKey: null }))),
    now: new Date('2027-01-01T00:00:00+01:00'),
  },
  {
    ...broken('1246', 'a strange regime in Ceuta, from 2027', lines(ceuta({ regimeKey: '02' }))),
    now: new Date('2027-01-01T00:00:00+01:00'),
  },
  broken('1246', '21 with VAT', {}, element('ClaveRegimen', '21')),
  broken('1252', '08 with S1', {}, element('ClaveRegimen', '08')),
  broken('1253', 'an empty reference', {}, element('RefExterna', '')),
  broken('1254', 'Northern Ireland before it had numbers', {
    operationDate: '2020-12-31',
    recipients: [{ name: 'C', country: 'GB', idType: '02', id: 'XI123456789' }],
  }),
  broken('1255', 'Great Britain after it left', {
    recipients: [{ name: 'C', country: 'GB', idType: '02', id: 'GB123456789' }],
  }),
  broken(
    '1257',
    'base at cost',
    {},
    after('BaseImponibleOimporteNoSujeto', leaf('BaseImponibleACoste', '100')),
  ),
  broken('1260', 'a regime of another tax', lines({ ...taxed(100), tax: '05' })),
  broken('1262', 'a short hash', {}, ownHash('AB')),
  broken('1269', 'no previous hash', {}, previous('Huella', '')),
  broken('1269', 'no previous number', {}, previous('NumSerieFactura', ' ')),
  broken('1277', '0 % with 0.5 in 2022', on('2022-06-01', withSurcharge(0, 50))),
  broken(
    '1281',
    'reverse charge with a surcharge',
    lines(untaxed('S2', 1)),
    after('CuotaRepercutida', leaf('TipoRecargoEquivalencia', '0') + leaf('CuotaRecargoEquivalencia', '0')),
  ),
  broken('1283', 'a nameless person', {}, customer(spanish('89890002E', ''))),
  broken(
    '1284',
    'a surcharge without amount',
    lines(withSurcharge(2100, 520)),
    without('CuotaRecargoEquivalencia'),
  ),
  broken(
    '1284',
    'an amount without surcharge',
    lines(withSurcharge(2100, 520)),
    without('TipoRecargoEquivalencia'),
  ),
  broken('1286', '02 with S1', {}, element('ClaveRegimen', '02')),
  broken('1287', 'apostrophe in the number', {}, element('NumSerieFactura', "A'1")),
  broken('1289', 'an intra-Community supply at home', lines(untaxed('E5', 100))),
  broken('1290', 'type 07 without a tax number', {}, customer(other('07', '89890002A', 'ES'))),
  broken('1291', 'a previous hash with signs', {}, swap(PREVIOUS.hash, '-'.repeat(64))),
  broken('1292', 'a hash with signs', {}, ownHash(`----${'A'.repeat(60)}`)),
  broken('1293', 'the simplified regime of the Canary Islands with S1', lines(canary({ regimeKey: '20' }))),

  brokenCancellation('1104', 'a number of blanks, cancelled', element('NumSerieFacturaAnulada', ' ')),
  brokenCancellation(
    '1105',
    'cancelled on 30 February',
    element('FechaExpedicionFacturaAnulada', '30-02-2026'),
  ),
  brokenCancellation('1108', 'the invoice of another', element('IDEmisorFacturaAnulada', '89890002E')),
  brokenCancellation(
    '1112',
    'an invoice of tomorrow',
    element('FechaExpedicionFacturaAnulada', '17-11-2026'),
  ),
  brokenCancellation('1224', 'who asks, unnamed', after('SinRegistroPrevio', leaf('GeneradoPor', 'D'))),
  brokenCancellation(
    '1224',
    'named, but not why',
    after('SinRegistroPrevio', `<sf:Generador>${spanish('B12345674')}</sf:Generador>`),
  ),
  brokenCancellation('1227', 'the issuer without a number', maker('E', other('03', 'AB1', 'ES'))),
  brokenCancellation('1229', 'a third party with type 07', maker('T', other('07', '89890002E', 'ES'))),
  brokenCancellation('1230', 'a Spanish recipient with type 05', maker('D', other('05', 'X1', 'ES'))),
  brokenCancellation('1232', 'a Spanish third party with type 06', maker('T', other('06', 'X1', 'ES'))),
  brokenCancellation('1258', 'a number with a bad letter', maker('T', spanish('89890002A'))),
  brokenCancellation('1259', 'a third party the census does not know', maker('T', spanish('99999999R'))),
  brokenCancellation('1259', 'the issuer itself', maker('E', spanish('89890001K', 'EMISOR DE EJEMPLO'))),
  brokenCancellation(
    '1244',
    'a time without offset, cancelled',
    element('FechaHoraHusoGenRegistro', '2026-11-16T10:00:00'),
  ),
  brokenCancellation('1177', 'a system code in lower case, cancelled', element('IdSistemaInformatico', 's1')),
]

/** Records accepted with errors: facts spoiled before the record is sealed, or the seal itself. */
export const WARNINGS: Break[] = [
  broken('2000', 'another hash', {}, ownHash('A'.repeat(64))),
  broken('2000', 'a total that no longer fits its hash', {}, element('ImporteTotal', '121.0')),
  brokenCancellation(
    '2000',
    'another hash of a cancellation',
    swap(
      /<sf:Huella>[0-9A-F]{64}<\/sf:Huella><\/sf:RegistroAnulacion>/,
      `<sf:Huella>${'A'.repeat(64)}</sf:Huella></sf:RegistroAnulacion>`,
    ),
  ),
  broken('2001', 'a customer declared as not in the census', {
    recipients: [{ name: 'C', country: 'ES', idType: '07', id: '89890002E' }],
  }),
  broken('2005', 'a total 10.01 off', { totalCents: 13_101 }),
  broken('2006', 'a tax total 10.01 off', { taxTotalCents: 3_101 }),
  broken('2009', 'no regime in Ceuta', lines(ceuta({ regimeKey: null }))),
  broken('2009', 'a strange regime in Ceuta', lines(ceuta({ regimeKey: '02' }))),
]

/** Records that look wrong and are valid. */
export const ADMITTED: Break[] = [
  broken('', 'a number with an ampersand and signs', { number: 'A&B/1-2_3 #%+()' }),
  broken('', 'a self-supply', {}, customer(spanish('89890001K'))),
  broken('', 'several pending lines, operation ahead', {
    operationDate: '2027-11-16',
    recipients: [TOWN],
    breakdown: [works, { ...taxed(100, 1000), regimeKey: '15' }],
  }),
  broken(
    '',
    '18 % of 2012',
    { operationDate: '2012-08-31' },
    all(
      element('TipoImpositivo', '18'),
      element('CuotaRepercutida', '18'),
      element('CuotaRepercutida', '18.00'),
    ),
  ),
  broken('', '0 % with 0.26 today', lines(withSurcharge(0, 26))),
  broken('', 'a difference whose tax does not fit', {
    ...rectifying('R1'),
    breakdown: [{ ...taxed(0), taxCents: 50_000 }],
  }),
  broken('', 'insolvency of a customer in the Union', { ...rectifying('R2'), recipients: [FRENCH] }),
  broken('', 'a coupon on R5', { ...rectifying('R5'), coupon: true }),
  broken('', 'F2 over 3,000 under an agreement', {
    ...plainF2,
    agreementNumber: '123',
    breakdown: [taxed(300_000)],
  }),
  broken('', 'F2 over 3,000 under art. 6.1.d', {
    ...plainF2,
    withoutRecipientArt61d: true,
    breakdown: [taxed(300_000)],
  }),
  broken('', 'F2 of 3,010.00', {
    ...plainF2,
    breakdown: [{ ...taxed(248_760), taxCents: 52_240 }],
  }),
  broken('', 'base at cost in Ceuta', lines(ceuta({ costBaseCents: 10_000 }))),
  broken('', 'a third party abroad', { madeBy: { by: 'third_party', party: US } }),
  broken('', 'made by its customer', { madeBy: { by: 'recipient' } }),
  broken('', 'E8 in the Canary Islands', lines({ ...untaxed('E8', 100), tax: '03' })),
  broken('', 'retail trade of the Canary Islands', lines(canary({ regimeKey: '17' }))),
  broken('', 'a producer abroad', {}, producer(other('02', 'FR12345678901'))),
  broken('', 'GB in January 2021', {
    operationDate: '2021-01-31',
    recipients: [{ name: 'C', country: 'GB', idType: '02', id: 'GB123456789' }],
  }),
  broken('', 'regime 03 whose totals do not follow', {
    breakdown: [{ ...taxed(10_000), regimeKey: '03' }],
    totalCents: 99_999,
  }),
  broken('', 'a previous record of another company', {}, previous('IDEmisorFactura', 'B12345674')),
  {
    ...broken('', 'a regime of Ceuta, from 2027', lines(ceuta({ regimeKey: '19' }))),
    now: new Date('2027-01-01T00:00:00+01:00'),
  },
]
