/**
 * Received invoices in Bizkaia's book: chapter 2 of 240 (companies) and 2.1 of 140 (persons). It writes what the schemas need; which
 * regime key and which account an invoice has is decided by whoever books it. Changing one (M00) names it by the same key.
 */
import { child, textAt } from '../../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../../domain/formats/xml-reader.ts'
import type { XmlNode } from '../../../../domain/formats/xml-writer.ts'
import { outcomeOfTransport, Unreadable } from '../wire/outcome.ts'
import type { RecordOutcome, WireExchange } from '../wire/outcome.ts'
import { CHAPTERS } from './chapters.ts'
import type { LroeMessage } from './message.ts'
import { outcomeOfLine, outcomeOfRefusal, readLroeReply } from './reply.ts'

/** Issuer of a received invoice: a Spanish tax number, or another document with its type (02 to 06) and country. */
interface ReceivedIssuer {
  name: string
  id: { nif: string } | { country: string | null; type: string; number: string }
}

/** Key of a received invoice. Dates here and below are DD-MM-YYYY. */
interface ReceivedKey {
  issuer: ReceivedIssuer
  /** Empty when it has none. */
  series: string
  number: string
  issueDate: string
}

/** Amounts are euros and rates percent, both with two decimals, as text. */
interface ReceivedLine {
  reverseCharge: boolean
  base: string
  rate?: string
  tax?: string
  deductible?: string
  /** Compensation of the regime of farmers. */
  compensation?: { rate: string; amount: string }
  /** 240: current goods (C), expenses (G) or investment (I). */
  purchase?: 'C' | 'G' | 'I'
  /** 140: the activity, the account of the expense (600 to 69), and the expense of income tax where it is not the base. */
  activity?: string
  account?: string
  expense?: string
  /** 140: the tax cannot be deducted because of the equivalence surcharge (E) or the simplified regime (S); N for neither. */
  regime?: 'E' | 'S' | 'N'
}

export interface ReceivedInvoice {
  /** Identifier in the books; returned with the outcome. */
  id: string
  key: ReceivedKey
  operationDate?: string
  receptionDate: string
  /** F1 to F6 or LC. */
  type: string
  correction?: {
    code: 'R1' | 'R2' | 'R3' | 'R4' | 'R5'
    by: 'S' | 'I'
    substituted?: { base: string; tax: string }
    corrected: readonly Pick<ReceivedKey, 'series' | 'number' | 'issueDate'>[]
  }
  description: string
  /** 1 to 3 keys of the regime: 01 to 09, 12, 13. */
  regimeKeys: readonly string[]
  total: string
  lines: readonly ReceivedLine[]
}

/** Returns the list of the records of a message. Throws a RangeError for too many, and for a line without what its book needs. */
export function receivedContent(model: '140' | '240', invoices: readonly ReceivedInvoice[]): XmlNode[] {
  const facts = CHAPTERS[model].received
  if (invoices.length === 0 || invoices.length > facts.most)
    throw new RangeError(`A message takes 1 to ${facts.most} records.`)
  return [[facts.list, invoices.map((invoice) => [facts.record, recordContent(model, invoice)])]]
}

function recordContent(model: '140' | '240', invoice: ReceivedInvoice): XmlNode[] {
  const { key, operationDate, receptionDate, type, correction, description, regimeKeys, total, lines } =
    invoice
  return [
    ['EmisorFacturaRecibida', [documentNode(key.issuer), ['ApellidosNombreRazonSocial', key.issuer.name]]],
    [
      'CabeceraFactura',
      [
        seriesNode(key.series),
        ['NumFactura', key.number],
        ['FechaExpedicionFactura', key.issueDate],
        optional('FechaOperacion', operationDate),
        ['FechaRecepcion', receptionDate],
        ['TipoFactura', type],
        ...(correction ? correctionNodes(correction) : []),
      ],
    ],
    [
      'DatosFactura',
      [
        ['DescripcionOperacion', description],
        [
          'Claves',
          regimeKeys.map((each): XmlNode => ['IDClave', [['ClaveRegimenIvaOpTrascendencia', each]]]),
        ],
        ['ImporteTotalFactura', total],
      ],
    ],
    model === '240'
      ? ['IVA', lines.map((line): XmlNode => ['DetalleIVA', companyLine(line)])]
      : ['RentaIVA', lines.map((line): XmlNode => ['DetalleRentaIVA', personLine(line)])],
  ]
}

function correctionNodes({
  code,
  by,
  substituted,
  corrected,
}: NonNullable<ReceivedInvoice['correction']>): (XmlNode | undefined)[] {
  return [
    [
      'FacturaRectificativa',
      [
        ['Codigo', code],
        ['Tipo', by],
        substituted && [
          'ImporteRectificacionSustitutiva',
          [
            ['BaseRectificada', substituted.base],
            ['CuotaRectificada', substituted.tax],
          ],
        ],
      ],
    ],
    corrected.length === 0
      ? undefined
      : [
          'FacturasRectificadasSustituidas',
          corrected.map(({ series, number, issueDate }): XmlNode => [
            'IDFacturaRectificadaSustituida',
            [seriesNode(series), ['NumFactura', number], ['FechaExpedicionFactura', issueDate]],
          ]),
        ],
  ]
}

function companyLine(line: ReceivedLine): (XmlNode | undefined)[] {
  if (line.purchase === undefined) throw new RangeError('A line of 240 says what was bought.')
  return [
    ['CompraBienesCorrientesGastosBienesInversion', line.purchase],
    ['InversionSujetoPasivo', line.reverseCharge ? 'S' : 'N'],
    ['BaseImponible', line.base],
    optional('TipoImpositivo', line.rate),
    optional('CuotaIVASoportada', line.tax),
    optional('CuotaIVADeducible', line.deductible),
    optional('PorcentajeCompensacionREAGYP', line.compensation?.rate),
    optional('ImporteCompensacionREAGYP', line.compensation?.amount),
  ]
}

function personLine(line: ReceivedLine): (XmlNode | undefined)[] {
  if (line.activity === undefined) throw new RangeError('A line of 140 names the activity.')
  return [
    ['Epigrafe', line.activity],
    optional('Concepto', line.account),
    ['InversionSujetoPasivo', line.reverseCharge ? 'S' : 'N'],
    optional('OperacionEnRecargoDeEquivalenciaORegimenSimplificado', line.regime),
    ['BaseImponible', line.base],
    optional('TipoImpositivo', line.rate),
    optional('CuotaIVASoportada', line.tax),
    optional('CuotaIVADeducible', line.deductible),
    optional('PorcentajeCompensacionREAGYP', line.compensation?.rate),
    optional('ImporteCompensacionREAGYP', line.compensation?.amount),
    optional('ImporteGastoIRPF', line.expense),
  ]
}

const optional = (name: string, text: string | undefined): XmlNode | undefined =>
  text === undefined ? undefined : [name, text]

const seriesNode = (series: string): XmlNode | undefined =>
  series === '' ? undefined : ['SerieFactura', series]

function documentNode({ id }: ReceivedIssuer): XmlNode {
  if ('nif' in id) return ['NIF', id.nif]
  return [
    'IDOtro',
    [id.country === null ? undefined : ['CodigoPais', id.country], ['IDType', id.type], ['ID', id.number]],
  ]
}

/** Returns the key of a received invoice as text: an issuer is known by its document. */
function receivedKeyText({ issuer: { id }, series, number, issueDate }: ReceivedKey): string {
  return JSON.stringify([
    ...('nif' in id ? ['', id.nif] : [`${id.type} ${id.country ?? ''}`, id.number]),
    series,
    number,
    issueDate,
  ])
}

/** Returns the key that an element of a message or of an answer names, as text. Throws `Unreadable`. */
export function receivedKeyOf(identity: XmlElement): string {
  const issuer = child(identity, 'EmisorFacturaRecibida')
  const other = child(issuer, 'IDOtro')
  const nif = textAt(issuer, 'NIF')
  const number = textAt(identity, 'NumFactura')
  const issueDate = textAt(identity, 'FechaExpedicionFactura')
  if (number === null || issueDate === null || (nif === null && other === null))
    throw new Unreadable('A record has no key.')
  const id =
    nif === null
      ? {
          country: textAt(other, 'CodigoPais'),
          type: textAt(other, 'IDType') ?? '',
          number: textAt(other, 'ID') ?? '',
        }
      : { nif }
  return receivedKeyText({
    issuer: { name: '', id },
    series: textAt(identity, 'SerieFactura') ?? '',
    number,
    issueDate,
  })
}

/**
 * Returns what an exchange proves about each received invoice of a message. Never throws. `held` of an addition says that the book has
 * one of the same key; whether its data are the same is not said, so that a change (M00) settles it.
 */
export function readReceivedExchange(
  message: LroeMessage,
  invoices: readonly ReceivedInvoice[],
  exchange: WireExchange,
): { id: string; outcome: RecordOutcome }[] {
  const all = (outcome: RecordOutcome) => invoices.map(({ id }) => ({ id, outcome }))
  if (exchange.kind !== 'answered') return all(outcomeOfTransport(exchange))
  try {
    const reply = readLroeReply(exchange, message)
    if (reply.lines.length === 0) return all(outcomeOfRefusal(reply))
    const byKey = new Map(reply.lines.map((line) => [receivedKeyOf(line.identity), line]))
    const own = new Set(invoices.map(({ key }) => receivedKeyText(key)))
    if (byKey.size !== reply.lines.length || [...byKey.keys()].some((key) => !own.has(key)))
      throw new Unreadable('The answer names a record of another message.')
    return invoices.map(({ id, key }) => {
      const line = byKey.get(receivedKeyText(key))
      return {
        id,
        outcome: line
          ? outcomeOfLine(line, reply)
          : { kind: 'unknown', detail: 'The answer does not name the record.' },
      }
    })
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return all(
      outcomeOfTransport(exchange) ?? {
        kind: 'unknown',
        detail: `Status ${exchange.status}. ${error.message}`,
      },
    )
  }
}
