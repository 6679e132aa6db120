/**
 * Small signed files of TicketBAI for tests of the sending: written canonically, so that their signature is verified by cutting it
 * out of the text. The real writer and signer have tests of their own.
 */
import { createHash, createPrivateKey, sign, verify, X509Certificate } from 'node:crypto'
import {
  issueClientCertificate,
  makeAuthorityCa,
} from '../../../server/platform/simulated-authority/certificates/certificates.ts'
import type { LroeFile } from '../../../server/registry/systems/ticketbai/lroe/message.ts'
import type { RecordKey } from '../../../server/registry/systems/ticketbai/wire/outcome.ts'
import type { VerifySignature } from '../../../server/registry/systems/ticketbai/simulator/rules.ts'

export const COMPANY = { nif: 'B87654323', name: 'Ibaizabal Arotzak, S.L.' }
export const PERSON = { nif: '12345678Z', name: 'LEJARDI ARRIOLA ANE' }
export const STRANGER = { nif: 'B12345674', name: 'Otra, S.L.' }
const LICENCE = 'TBAIGIPRE00000000501'
export const YEARS = { from: new Date('2020-01-01T00:00:00Z'), to: new Date('2040-01-01T00:00:00Z') }

const authority = makeAuthorityCa({ ...YEARS, name: 'AC DE CLIENTES' })
const identities = new Map<string, Promise<Signer>>()

interface Signer {
  nif: string
  name: string
  keyPem: string
  certPem: string
}

/** Returns the key and certificate of a taxpayer, made once. */
export function signerOf({ nif, name }: { nif: string; name: string }): Promise<Signer> {
  const known = identities.get(nif)
  if (known) return known
  const kind = /^\d/.test(nif) ? 'person' : 'seal'
  const made = authority
    .then((ca) => issueClientCertificate({ ca, ...YEARS, kind, nif, name }))
    .then(({ keyPem, certPem }) => ({ nif, name, keyPem, certPem }))
  identities.set(nif, made)
  return made
}

const DS = 'http://www.w3.org/2000/09/xmldsig#'
const digest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('base64')

/** Puts a signature at the end of a document. */
function signed(xml: string, { keyPem, certPem }: Signer): { xml: string; signature: string } {
  const info = `<ds:SignedInfo xmlns:ds="${DS}"><ds:Reference URI=""><ds:DigestValue>${digest(xml)}</ds:DigestValue></ds:Reference></ds:SignedInfo>`
  const value = sign('sha256', Buffer.from(info), createPrivateKey(keyPem)).toString('base64')
  const certificate = new X509Certificate(certPem).raw.toString('base64')
  const element = `<ds:Signature xmlns:ds="${DS}">${info.replace(` xmlns:ds="${DS}"`, '')}<ds:SignatureValue>${value}</ds:SignatureValue><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></ds:Signature>`
  const end = xml.lastIndexOf('</')
  return { xml: xml.slice(0, end) + element + xml.slice(end), signature: value.slice(0, 100) }
}

/** Verifies the signature of a file of `signed`. */
export const verifyTestFile: VerifySignature = (xml) => {
  const [element = ''] = /<ds:Signature [\s\S]*<\/ds:Signature>/.exec(xml) ?? []
  const part = (name: string): string => new RegExp(`<ds:${name}>([^<]*)<`).exec(element)?.[1] ?? ''
  const [info = ''] = /<ds:SignedInfo>[\s\S]*<\/ds:SignedInfo>/.exec(element) ?? []
  let certificate: X509Certificate | null = null
  try {
    certificate = new X509Certificate(Buffer.from(part('X509Certificate'), 'base64'))
    const isSigned = verify(
      'sha256',
      Buffer.from(info.replace('<ds:SignedInfo>', `<ds:SignedInfo xmlns:ds="${DS}">`)),
      certificate.publicKey,
      Buffer.from(part('SignatureValue'), 'base64'),
    )
    const isWhole = part('DigestValue') === digest(xml.replace(element, ''))
    return { fault: !isSigned ? 'forged' : isWhole ? null : 'changed', certificate }
  } catch (error) {
    return { fault: String(error), certificate }
  }
}

const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

interface InvoiceWish {
  series?: string
  number?: string
  /** DD-MM-YYYY. */
  issueDate?: string
  previous?: { key: RecordKey; signature: string } | null
  total?: string
  licence?: string
  device?: string
  withoutLines?: boolean
  /** Changes the text before it is signed. */
  before?: (xml: string) => string
  /** Changes the text after it was signed. */
  after?: (xml: string) => string
}

const seriesXml = (series: string, name = 'SerieFactura'): string =>
  series === '' ? '' : `<${name}>${escaped(series)}</${name}>`

const softwareXml = (licence: string): string =>
  `<Software><LicenciaTBAI>${licence}</LicenciaTBAI><EntidadDesarrolladora><NIF>P2000000F</NIF></EntidadDesarrolladora><Nombre>PRUEBA</Nombre><Version>1.0</Version></Software>`

function headOf(signer: Signer): string {
  return `<Emisor><NIF>${signer.nif}</NIF><ApellidosNombreRazonSocial>${escaped(signer.name)}</ApellidosNombreRazonSocial></Emisor>`
}

function invoiceXml(signer: Signer, wish: InvoiceWish): { xml: string; key: RecordKey } {
  const { series = 'A', number = '1', issueDate = '30-11-2026', previous = null, total = '121.00' } = wish
  const lines = wish.withoutLines
    ? ''
    : `<DetallesFactura><IDDetalleFactura><DescripcionDetalle>Ordua</DescripcionDetalle><Cantidad>1</Cantidad><ImporteUnitario>100.00</ImporteUnitario><ImporteTotal>121.00</ImporteTotal></IDDetalleFactura></DetallesFactura>`
  const before = previous
    ? `<EncadenamientoFacturaAnterior>${seriesXml(previous.key.series, 'SerieFacturaAnterior')}<NumFacturaAnterior>${previous.key.number}</NumFacturaAnterior><FechaExpedicionFacturaAnterior>${previous.key.issueDate}</FechaExpedicionFacturaAnterior><SignatureValueFirmaFacturaAnterior>${previous.signature}</SignatureValueFirmaFacturaAnterior></EncadenamientoFacturaAnterior>`
    : ''
  const device = wish.device ? `<NumSerieDispositivo>${wish.device}</NumSerieDispositivo>` : ''
  const xml = `<T:TicketBai xmlns:T="urn:ticketbai:emision"><Cabecera><IDVersionTBAI>1.2</IDVersionTBAI></Cabecera><Sujetos>${headOf(signer)}</Sujetos><Factura><CabeceraFactura>${seriesXml(series)}<NumFactura>${number}</NumFactura><FechaExpedicionFactura>${issueDate}</FechaExpedicionFactura><HoraExpedicionFactura>10:00:00</HoraExpedicionFactura></CabeceraFactura><DatosFactura><DescripcionFactura>Lana &#38; lanak</DescripcionFactura>${lines}<ImporteTotalFactura>${total}</ImporteTotalFactura><Claves><IDClave><ClaveRegimenIvaOpTrascendencia>01</ClaveRegimenIvaOpTrascendencia></IDClave></Claves></DatosFactura><TipoDesglose><DesgloseFactura><Sujeta><NoExenta><DetalleNoExenta><TipoNoExenta>S1</TipoNoExenta><DesgloseIVA><DetalleIVA><BaseImponible>100.00</BaseImponible><TipoImpositivo>21.00</TipoImpositivo><CuotaImpuesto>21.00</CuotaImpuesto></DetalleIVA></DesgloseIVA></DetalleNoExenta></NoExenta></Sujeta></DesgloseFactura></TipoDesglose></Factura><HuellaTBAI>${before}${softwareXml(wish.licence ?? LICENCE)}${device}</HuellaTBAI></T:TicketBai>`
  return { xml: wish.before?.(xml) ?? xml, key: { issuerNif: signer.nif, series, number, issueDate } }
}

let ids = 0

/** Returns an invoice's file. Its identifier ends in a code that no control checks here. */
export function invoiceFile(signer: Signer, wish: InvoiceWish = {}): LroeFile {
  const { xml, key } = invoiceXml(signer, wish)
  const sealed = signed(xml, signer)
  return {
    id: `record-${++ids}`,
    kind: 'invoice',
    key,
    identifier: testIdentifier({ nif: key.issuerNif, issueDate: key.issueDate, signature: sealed.signature }),
    signature: sealed.signature,
    xml: Buffer.from(wish.after?.(sealed.xml) ?? sealed.xml, 'utf8'),
    income: [{ activity: '501100' }],
  }
}

/** Identifier of a test file: 39 characters, without the control of the real one. */
export function testIdentifier(file: { nif: string; issueDate: string; signature: string }): string {
  const [day, month, year = ''] = file.issueDate.split('-')
  return `TBAI-${file.nif}-${day}${month}${year.slice(2)}-${file.signature.slice(0, 13)}-000`
}

/** Returns the file that cancels an invoice. */
export function cancellationFile(signer: Signer, { key }: { key: RecordKey }): LroeFile {
  const xml = `<T:AnulaTicketBai xmlns:T="urn:ticketbai:anulacion"><Cabecera><IDVersionTBAI>1.2</IDVersionTBAI></Cabecera><IDFactura>${headOf(signer)}<CabeceraFactura>${seriesXml(key.series)}<NumFactura>${key.number}</NumFactura><FechaExpedicionFactura>${key.issueDate}</FechaExpedicionFactura></CabeceraFactura></IDFactura><HuellaTBAI>${softwareXml(LICENCE)}</HuellaTBAI></T:AnulaTicketBai>`
  const sealed = signed(xml, signer)
  return {
    id: `record-${++ids}`,
    kind: 'cancellation',
    key,
    identifier: null,
    signature: sealed.signature,
    xml: Buffer.from(sealed.xml, 'utf8'),
  }
}

/** Returns the unsigned file that corrects an invoice's file (Zuzendu). */
export function correctionFile(
  signer: Signer,
  corrected: { key: RecordKey; signature: string },
  action: 'SUBSANAR' | 'MODIFICAR',
  wish: InvoiceWish = {},
): LroeFile {
  const { xml } = invoiceXml(signer, { ...corrected.key, ...wish })
  const body = xml
    .replace(/T:TicketBai\b/g, 'Z:SubsanacionModificacionTicketBAI')
    .replace('xmlns:T="urn:ticketbai:emision"', 'xmlns:Z="urn:ticketbai:zuzendu-alta"')
    .replace(
      '<Cabecera><IDVersionTBAI>1.2</IDVersionTBAI></Cabecera>',
      `<Cabecera><IDVersion>1.0</IDVersion><Accion>${action}</Accion></Cabecera>`,
    )
    .replace(
      '</HuellaTBAI>',
      `</HuellaTBAI><SignatureValueFirmaFactura>${corrected.signature}</SignatureValueFirmaFactura>`,
    )
  return {
    id: `record-${++ids}`,
    kind: 'correction',
    key: corrected.key,
    identifier: null,
    signature: corrected.signature,
    xml: Buffer.from(body, 'utf8'),
  }
}
