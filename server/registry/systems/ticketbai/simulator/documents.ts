/** Reads what the simulator needs from the files that it receives, apart from the code that wrote them. */
import { at, child, children, readXml, textAt, XmlRefused } from '../../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../../domain/formats/xml-reader.ts'
import type { RecordKey, RecordKind } from '../wire/outcome.ts'
import { schemaFault } from './schema/check.ts'
import { TICKETBAI_SCHEMA } from './schema/ticketbai-table.ts'

const LIMITS = { depth: 40, nodes: 60_000, elementChars: 200_000, totalChars: 2_000_000 }
const SIGNATURE_CHARS = 100

const KINDS: Readonly<Record<string, RecordKind>> = {
  TicketBai: 'invoice',
  AnulaTicketBai: 'cancellation',
  SubsanacionModificacionTicketBAI: 'correction',
  SubsanacionAnulacionTicketBAI: 'cancellation_correction',
}

export interface ReceivedFile {
  kind: RecordKind
  key: RecordKey
  issuerName: string
  /** First 100 characters of the signature, or of the one that an unsigned correction names. */
  signature: string
  /** Of a correction: the file was refused (SUBSANAR), or is kept with wrong data (MODIFICAR). */
  action: string | null
  licence: string
  developerNif: string | null
  device: string
  previous: { key: RecordKey; signature: string } | null
  root: XmlElement
  xml: string
}

/** A file that no fact can be read from. */
export class UnfitFile extends Error {}

/** Reads a file and checks it against its schema. Throws `UnfitFile`. */
export function readFile(bytes: Uint8Array): ReceivedFile {
  let xml: string
  let root: XmlElement
  try {
    xml = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    root = readXml(xml, LIMITS)
  } catch (error) {
    throw new UnfitFile(error instanceof XmlRefused ? `Line ${error.line}: ${error.fault}` : 'No UTF-8')
  }
  const kind = KINDS[root.name]
  if (!kind) throw new UnfitFile(`${root.name} is no file of TicketBAI`)
  const fault = schemaFault(root, TICKETBAI_SCHEMA)
  if (fault) throw new UnfitFile(`${fault.path} ${fault.detail}`)
  const isCancellation = kind === 'cancellation' || kind === 'cancellation_correction'
  const issuer = isCancellation ? at(root, 'IDFactura', 'Emisor') : at(root, 'Sujetos', 'Emisor')
  const header = isCancellation
    ? at(root, 'IDFactura', 'CabeceraFactura')
    : at(root, 'Factura', 'CabeceraFactura')
  const issuerNif = textAt(issuer, 'NIF') ?? ''
  const mark = child(root, 'HuellaTBAI')
  const before = child(mark, 'EncadenamientoFacturaAnterior')
  const named = textAt(root, 'SignatureValueFirmaFactura') ?? textAt(root, 'SignatureValueFirmaAnulacion')
  return {
    kind,
    key: {
      issuerNif,
      series: textAt(header, 'SerieFactura') ?? '',
      number: textAt(header, 'NumFactura') ?? '',
      issueDate: textAt(header, 'FechaExpedicionFactura') ?? '',
    },
    issuerName: textAt(issuer, 'ApellidosNombreRazonSocial') ?? '',
    signature:
      named ??
      (textAt(root, 'Signature', 'SignatureValue') ?? '').replace(/\s+/g, '').slice(0, SIGNATURE_CHARS),
    action: textAt(root, 'Cabecera', 'Accion'),
    licence: textAt(mark, 'Software', 'LicenciaTBAI') ?? '',
    developerNif: textAt(mark, 'Software', 'EntidadDesarrolladora', 'NIF'),
    device: textAt(mark, 'NumSerieDispositivo') ?? '',
    previous: before && {
      key: {
        issuerNif,
        series: textAt(before, 'SerieFacturaAnterior') ?? '',
        number: textAt(before, 'NumFacturaAnterior') ?? '',
        issueDate: textAt(before, 'FechaExpedicionFacturaAnterior') ?? '',
      },
      signature: textAt(before, 'SignatureValueFirmaFacturaAnterior') ?? '',
    },
    root,
    xml,
  }
}

/** Name of the chain of a file: each program and device of an issuer has its own. */
export function chainOf({ key, licence, device }: Pick<ReceivedFile, 'key' | 'licence' | 'device'>): string {
  return JSON.stringify([key.issuerNif, licence, device])
}

/** Hundredths of an amount as written; 0 for none. */
function hundredths(text: string | null): number {
  const [, sign = '', whole = '0', decimals = ''] = /^([+-])?(\d+)(?:\.(\d*))?$/.exec(text ?? '0') ?? []
  const value = Number(whole) * 100 + Number(decimals.padEnd(2, '0').slice(0, 2))
  return sign === '-' ? -value : value
}

/** Returns the total of an invoice as written and that of its breakdown, in hundredths. */
export function totalsOf(root: XmlElement): { written: number; computed: number } {
  let computed = 0
  const add = (element: XmlElement): void => {
    for (const part of element.children) {
      if (['BaseImponible', 'CuotaImpuesto', 'CuotaRecargoEquivalencia', 'Importe'].includes(part.name))
        computed += hundredths(part.text.trim())
      add(part)
    }
  }
  const breakdown = at(root, 'Factura', 'TipoDesglose')
  if (breakdown) add(breakdown)
  return { written: hundredths(textAt(root, 'Factura', 'DatosFactura', 'ImporteTotalFactura')), computed }
}

/** Keys of the regime of an invoice. */
export function regimeKeysOf(root: XmlElement): string[] {
  return children(at(root, 'Factura', 'DatosFactura', 'Claves'), 'IDClave').map(
    (each) => textAt(each, 'ClaveRegimenIvaOpTrascendencia') ?? '',
  )
}
