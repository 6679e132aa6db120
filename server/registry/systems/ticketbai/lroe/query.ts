/**
 * Queries what Bizkaia's book holds of the taxpayer's own invoices (C00). An answer names the first 100 characters of the signature
 * of each, so that it proves which file is held. Source: the schemas of the queries of subchapter 1.1 of Batuz.
 */
import { at, child, children, textAt } from '../../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../../domain/formats/xml-reader.ts'
import type { XmlNode } from '../../../../domain/formats/xml-writer.ts'
import type { HeldRecord } from '../wire/held.ts'
import { outcomeOfTransport, sameKey, Unreadable } from '../wire/outcome.ts'
import type { RecordKey, RecordOutcome, WireExchange, WireRequest } from '../wire/outcome.ts'
import type { ServiceAddresses } from '../wire/services.ts'
import { CHAPTERS } from './chapters.ts'
import { lroeRequest, yearOf } from './message.ts'
import type { LroeMessage, LroeTaxpayer } from './message.ts'
import { assertHeaderOf, keyOf, outcomeOfRefusal, readLroeBody, readLroeHeaders } from './reply.ts'

const STATES: Readonly<Record<string, HeldRecord['state']>> = {
  Correcto: 'correct',
  AceptadoConErrores: 'with_errors',
  Anulado: 'cancelled',
}

/** What a query asks for: one invoice, or those issued in some days of a year. Days are DD-MM-YYYY, both included. */
export type LroeFilter = { key: RecordKey } | { from: string; to: string }

const query = (taxpayer: LroeTaxpayer, filter: LroeFilter): LroeMessage => ({
  taxpayer,
  chapter: 'issued',
  operation: 'C00',
  year: 'key' in filter ? yearOf(filter.key) : filter.from.slice(6),
})

/** Returns the message of a query; pages are counted from 1. Throws a RangeError for days of two years. */
export function queryRequest(
  service: ServiceAddresses,
  taxpayer: LroeTaxpayer,
  filter: LroeFilter,
  page = 1,
): WireRequest {
  if ('from' in filter && filter.from.slice(6) !== filter.to.slice(6))
    throw new RangeError('A query is about one year.')
  const facts = CHAPTERS[taxpayer.model].issued
  const [from, to] = 'key' in filter ? [filter.key.issueDate, filter.key.issueDate] : [filter.from, filter.to]
  const content: XmlNode = [
    facts.filter ?? '',
    [
      [
        'CabeceraFactura',
        [
          'key' in filter && filter.key.series !== '' ? ['SerieFactura', filter.key.series] : undefined,
          'key' in filter ? ['NumFactura', filter.key.number] : undefined,
          [
            'FechaExpedicionFactura',
            [
              ['Desde', from],
              ['Hasta', to],
            ],
          ],
        ],
      ],
      ['NumPaginaConsulta', String(page)],
    ],
  ]
  return lroeRequest(service, query(taxpayer, filter), [content])
}

export interface QueriedRecord extends HeldRecord {
  key: RecordKey
}

type QueryResult =
  | { kind: 'page'; records: QueriedRecord[]; more: boolean }
  /** Nothing is known: the query can be asked again. */
  | { kind: 'failed'; outcome: Extract<RecordOutcome, { kind: 'not_taken' | 'unknown' }> }

/** Reads an answer to a query. Never throws. An answer about other invoices fails: read as "nothing held" it would cause a second sending. */
export function readQuery(
  taxpayer: LroeTaxpayer,
  filter: LroeFilter,
  page: number,
  exchange: WireExchange,
): QueryResult {
  const failed = (outcome: RecordOutcome): QueryResult => ({
    kind: 'failed',
    outcome: outcome.kind === 'not_taken' ? outcome : { kind: 'unknown', detail: detailOf(outcome) },
  })
  if (exchange.kind !== 'answered') return failed(outcomeOfTransport(exchange))
  const facts = CHAPTERS[taxpayer.model].issued
  try {
    const head = readLroeHeaders(exchange.headers)
    if (head.kind === 'incorrect') return failed(outcomeOfRefusal(head))
    const root = readLroeBody(exchange, facts.operations.C00!.answer)
    assertHeaderOf(child(root, 'Cabecera'), query(taxpayer, filter), facts)
    const result = child(root, 'ResultadoConsulta')
    if (textAt(result, 'NumPaginaConsulta') !== String(page))
      throw new Unreadable('The answer is another page.')
    const records = children(child(root, facts.list), facts.record).map((record) =>
      queriedOf(record, taxpayer),
    )
    const exist = yesNo(textAt(result, 'ExistenRegistros'))
    if (exist !== records.length > 0) throw new Unreadable('The answer contradicts its records.')
    const within = records.filter(({ key }) => isWithin(key, filter))
    const more = textAt(result, 'Paginacion', 'ExistenMasRegistros')
    return { kind: 'page', records: within, more: more !== null && yesNo(more) }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return failed(
      outcomeOfTransport(exchange) ?? {
        kind: 'unknown',
        detail: `Status ${exchange.status}. ${error.message}`,
      },
    )
  }
}

const detailOf = (outcome: RecordOutcome): string => ('detail' in outcome ? outcome.detail : outcome.kind)

function yesNo(text: string | null): boolean {
  if (text !== 'S' && text !== 'N') throw new Unreadable('An answer is neither S nor N.')
  return text === 'S'
}

function queriedOf(record: XmlElement, { nif }: LroeTaxpayer): QueriedRecord {
  const file = child(record, 'TicketBai')
  const key = keyOf(at(file, 'Factura', 'CabeceraFactura'), textAt(file, 'Sujetos', 'Emisor', 'NIF') ?? '')
  if (key.issuerNif !== nif) throw new Unreadable('The answer holds an invoice of another issuer.')
  const signature = textAt(file, 'Signature')
  const state = STATES[textAt(record, 'SituacionRegistro', 'EstadoRegistro') ?? '']
  if (signature === null || !state) throw new Unreadable('An invoice has no signature or no state.')
  return { key, signature, state, code: textAt(record, 'SituacionRegistro', 'CodigoErrorRegistro') }
}

const dayOf = (written: string): string => written.split('-').reverse().join('-')

/**
 * Returns false for an invoice of another series where none was asked for: a query cannot ask for "no series". Throws `Unreadable`
 * for any other invoice that does not match.
 */
function isWithin(key: RecordKey, filter: LroeFilter): boolean {
  if ('key' in filter) {
    if (sameKey(key, filter.key)) return true
    if (filter.key.series === '' && sameKey({ ...key, series: '' }, filter.key)) return false
  } else if (dayOf(key.issueDate) >= dayOf(filter.from) && dayOf(key.issueDate) <= dayOf(filter.to))
    return true
  throw new Unreadable('The answer holds an invoice that was not asked for.')
}
