/**
 * The limit of T9: hand-written registrations for the one form of invoice in the benchmark. Constant parts are in the
 * template, numbers are formatted from whole numbers, and no value is optional, escaped or checked.
 */
import { hash } from 'node:crypto'
import type { SystemInfo } from '../../server/registry/systems/verifactu/record/fields.ts'

/** An invoice with one customer and a single rate of 21 %, all with the same issuer and day. */
export interface PlainInvoice {
  number: string
  recordId: string
  clientName: string
  clientNif: string
  description: string
  baseCents: number
  taxCents: number
  totalCents: number
}

/** Values shared by all records. */
interface PlainFrame {
  issuer: { name: string; nif: string }
  /** DD-MM-YYYY */
  day: string
  generatedAt: string
  system: SystemInfo
}

const NS =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/'

/** Formats whole cents, here never negative and below 2^31. */
function euros(cents: number): string {
  const rest = cents % 100
  return `${(cents - rest) / 100}.${rest < 10 ? '0' : ''}${rest}`
}

const HASH_END = '</sf:Huella></sf:RegistroAlta>'

function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start) + start.length
  return text.slice(from, text.indexOf(end, from))
}

/** The records of one issuer, in chain order. */
export class LimitRecords {
  private readonly textOpen: string
  private readonly textDay: string
  private readonly textEnd: string
  private readonly open: string
  private readonly afterNumber: string
  private readonly afterReference: string
  private readonly link: string
  private readonly afterLinkNumber: string
  private readonly afterLink: string
  private readonly messageOpen: string
  /** The value in the next record's reference to its predecessor. */
  private number = ''
  private previous = ''

  constructor({ issuer, day, generatedAt, system }: PlainFrame) {
    const yesNo = (value: boolean) => (value ? 'S' : 'N')
    this.textOpen = `IDEmisorFactura=${issuer.nif}&NumSerieFactura=`
    this.textDay = `&FechaExpedicionFactura=${day}&TipoFactura=F1&CuotaTotal=`
    this.textEnd = `&FechaHoraHusoGenRegistro=${generatedAt}`
    this.open = `<sf:RegistroAlta xmlns:sf="${NS}SuministroInformacion.xsd"><sf:IDVersion>1.0</sf:IDVersion><sf:IDFactura><sf:IDEmisorFactura>${issuer.nif}</sf:IDEmisorFactura><sf:NumSerieFactura>`
    this.afterNumber = `</sf:NumSerieFactura><sf:FechaExpedicionFactura>${day}</sf:FechaExpedicionFactura></sf:IDFactura><sf:RefExterna>`
    this.afterReference = `</sf:RefExterna><sf:NombreRazonEmisor>${issuer.name}</sf:NombreRazonEmisor><sf:TipoFactura>F1</sf:TipoFactura><sf:DescripcionOperacion>`
    this.link = `<sf:RegistroAnterior><sf:IDEmisorFactura>${issuer.nif}</sf:IDEmisorFactura><sf:NumSerieFactura>`
    this.afterLinkNumber = `</sf:NumSerieFactura><sf:FechaExpedicionFactura>${day}</sf:FechaExpedicionFactura><sf:Huella>`
    this.afterLink = `</sf:Encadenamiento><sf:SistemaInformatico><sf:NombreRazon>${system.producer.name}</sf:NombreRazon><sf:NIF>${system.producer.nif}</sf:NIF><sf:NombreSistemaInformatico>${system.name}</sf:NombreSistemaInformatico><sf:IdSistemaInformatico>${system.id}</sf:IdSistemaInformatico><sf:Version>${system.version}</sf:Version><sf:NumeroInstalacion>${system.installationNumber}</sf:NumeroInstalacion><sf:TipoUsoPosibleSoloVerifactu>${yesNo(system.onlyVerifactu)}</sf:TipoUsoPosibleSoloVerifactu><sf:TipoUsoPosibleMultiOT>${yesNo(system.multiIssuer)}</sf:TipoUsoPosibleMultiOT><sf:IndicadorMultiplesOT>${yesNo(system.severalIssuers)}</sf:IndicadorMultiplesOT></sf:SistemaInformatico><sf:FechaHoraHusoGenRegistro>${generatedAt}</sf:FechaHoraHusoGenRegistro><sf:TipoHuella>01</sf:TipoHuella><sf:Huella>`
    this.messageOpen = `<?xml version="1.0" encoding="UTF-8"?>\n<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:sfLR="${NS}SuministroLR.xsd" xmlns:sf="${NS}SuministroInformacion.xsd"><soapenv:Header/><soapenv:Body><sfLR:RegFactuSistemaFacturacion><sfLR:Cabecera><sf:ObligadoEmision><sf:NombreRazon>${issuer.name}</sf:NombreRazon><sf:NIF>${issuer.nif}</sf:NIF></sf:ObligadoEmision></sfLR:Cabecera>`
  }

  /** Restarts the chain. */
  restart(): void {
    this.number = ''
    this.previous = ''
  }

  /** Returns the hash of the chain's next record, with `total` and `taxTotal` as text. */
  private seal(number: string, taxTotal: string, total: string): string {
    const text = `${this.textOpen}${number}${this.textDay}${taxTotal}&ImporteTotal=${total}&Huella=${this.previous}${this.textEnd}`
    return hash('sha256', text, 'hex').toUpperCase()
  }

  /** Returns the hash of the chain's next record. */
  nextHash(invoice: PlainInvoice): string {
    this.previous = this.seal(invoice.number, euros(invoice.taxCents), euros(invoice.totalCents))
    return this.previous
  }

  /** Returns the chain's next record. */
  nextRecord(invoice: PlainInvoice): string {
    const { number } = invoice
    const tax = euros(invoice.taxCents)
    const total = euros(invoice.totalCents)
    const hex = this.seal(number, tax, total)
    const link =
      this.number === ''
        ? '<sf:PrimerRegistro>S</sf:PrimerRegistro>'
        : `${this.link}${this.number}${this.afterLinkNumber}${this.previous}</sf:Huella></sf:RegistroAnterior>`
    this.number = number
    this.previous = hex
    return `${this.open}${number}${this.afterNumber}${invoice.recordId}${this.afterReference}${invoice.description}</sf:DescripcionOperacion><sf:Destinatarios><sf:IDDestinatario><sf:NombreRazon>${invoice.clientName}</sf:NombreRazon><sf:NIF>${invoice.clientNif}</sf:NIF></sf:IDDestinatario></sf:Destinatarios><sf:Desglose><sf:DetalleDesglose><sf:Impuesto>01</sf:Impuesto><sf:ClaveRegimen>01</sf:ClaveRegimen><sf:CalificacionOperacion>S1</sf:CalificacionOperacion><sf:TipoImpositivo>21</sf:TipoImpositivo><sf:BaseImponibleOimporteNoSujeto>${euros(invoice.baseCents)}</sf:BaseImponibleOimporteNoSujeto><sf:CuotaRepercutida>${tax}</sf:CuotaRepercutida></sf:DetalleDesglose></sf:Desglose><sf:CuotaTotal>${tax}</sf:CuotaTotal><sf:ImporteTotal>${total}</sf:ImporteTotal><sf:Encadenamiento>${link}${this.afterLink}${hex}</sf:Huella></sf:RegistroAlta>`
  }

  /** Returns a record's own hash if it is valid and follows `previous`, the previous hash (empty: none), else null. */
  proof(xml: string, previous: string): string | null {
    const named = xml.indexOf('<sf:PrimerRegistro>') === -1 ? between(xml, '<sf:Huella>', '</sf:Huella>') : ''
    const own = xml.slice(-HASH_END.length - 64, -HASH_END.length)
    const text = `IDEmisorFactura=${between(xml, '<sf:IDEmisorFactura>', '</sf:')}&NumSerieFactura=${between(xml, '<sf:NumSerieFactura>', '</sf:')}&FechaExpedicionFactura=${between(xml, '<sf:FechaExpedicionFactura>', '</sf:')}&TipoFactura=${between(xml, '<sf:TipoFactura>', '</sf:')}&CuotaTotal=${between(xml, '<sf:CuotaTotal>', '</sf:')}&ImporteTotal=${between(xml, '<sf:ImporteTotal>', '</sf:')}&Huella=${named}&FechaHoraHusoGenRegistro=${between(xml, '<sf:FechaHoraHusoGenRegistro>', '</sf:')}`
    return named === previous && hash('sha256', text, 'hex').toUpperCase() === own ? own : null
  }

  /** Returns the message that submits records. */
  message(records: readonly string[]): string {
    let xml = this.messageOpen
    for (const record of records) xml += `<sfLR:RegistroFactura>${record}</sfLR:RegistroFactura>`
    return `${xml}</sfLR:RegFactuSistemaFacturacion></soapenv:Body></soapenv:Envelope>`
  }
}
