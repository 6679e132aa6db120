/**
 * Writes the messages of LROE: the XML of one model, chapter, operation, year and taxpayer, compressed, with the headers that
 * repeat these facts. Source: Batuz, technical description of the call (1.0.3) and of mass sending (1.0.7).
 */
import { gzipSync } from 'node:zlib'
import { xmlDocumentCompact } from '../../../../domain/formats/xml-writer.ts'
import type { XmlNode } from '../../../../domain/formats/xml-writer.ts'
import type { RecordKey, SealedFile, WireRequest } from '../wire/outcome.ts'
import type { ServiceAddresses } from '../wire/services.ts'
import { CHAPTERS, sectionOf } from './chapters.ts'
import type { ChapterFacts, LroeChapter, LroeModel, LroeOperation } from './chapters.ts'

/** The taxpayer of a book, with the name of the census: the service compares it letter by letter. */
export interface LroeTaxpayer {
  model: LroeModel
  nif: string
  /** Legal name, or the whole name of a person as the census has it. */
  name: string
  /** Parts of a person's name; null for a company. */
  person: { firstName: string; surname1: string; surname2: string | null } | null
}

/** Income of an invoice by activity, for the book of a person (140). */
export interface LroeIncome {
  /** Code of the activity (IAE) without signs: 1 to 7 digits. */
  activity: string
  /** Euros with two decimals as text, where the income is not the base of the tax. */
  income?: string
  /** The activity is under the criterion of collections and payments. */
  onCollection?: boolean
}

/** A file with what its chapter wants beside it. */
export interface LroeFile extends SealedFile {
  /** 1 to 10 activities; only in the book of a person, where it is needed. */
  income?: readonly LroeIncome[]
}

const ANSWER_BYTES = 16 * 1024 * 1024
const MOST_ACTIVITIES = 10
const HEADER = {
  'accept-encoding': 'gzip',
  'content-encoding': 'gzip',
  'content-type': 'application/octet-stream',
  'eus-bizkaia-n3-version': '1.0',
  'eus-bizkaia-n3-content-type': 'application/xml',
} as const

export interface LroeMessage {
  taxpayer: LroeTaxpayer
  chapter: LroeChapter
  operation: LroeOperation
  /** Year of the records, four digits. */
  year: string
}

/**
 * Returns the JSON that the headers carry. HTTP headers hold ASCII, so that other characters are written as JSON escapes, which
 * every reader of JSON turns back; whether the service does was not tried.
 */
export function dataHeader({ taxpayer, chapter, year }: LroeMessage): string {
  const { model, nif, name, person } = taxpayer
  const interested = person
    ? {
        nif,
        nrs: person.firstName,
        ap1: person.surname1,
        ...(person.surname2 === null ? {} : { ap2: person.surname2 }),
      }
    : { nif, nrs: name }
  return JSON.stringify({
    con: 'LROE',
    apa: sectionOf(CHAPTERS[model][chapter]),
    inte: interested,
    drs: { mode: model, ejer: year },
  }).replace(/[\u007f-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Returns the request of a message, whose content stands below its header. */
export function lroeRequest(
  service: ServiceAddresses,
  message: LroeMessage,
  content: readonly XmlNode[],
): WireRequest {
  const { operation } = message
  const url =
    operation === 'C00' ? service.query : operation === 'AN0' ? service.cancellation : service.invoice
  if (url === null) throw new RangeError('The service has no query.')
  const xml = lroeXml(message, content)
  return {
    url,
    headers: { ...HEADER, 'eus-bizkaia-n3-data': dataHeader(message) },
    // The same message has the same bytes: node writes no time into them.
    body: gzipSync(Buffer.from(xml, 'utf8')),
    answerBytes: ANSWER_BYTES,
  }
}

/** Returns the XML of a message. Throws a RangeError for an operation that the chapter does not have. */
function lroeXml({ taxpayer, chapter, operation, year }: LroeMessage, content: readonly XmlNode[]): string {
  const facts = CHAPTERS[taxpayer.model][chapter]
  const shape = facts.operations[operation]
  if (!shape) throw new RangeError(`Chapter ${sectionOf(facts)} of ${taxpayer.model} has no ${operation}.`)
  if (!/^\d{4}$/.test(year)) throw new RangeError('A year has four digits.')
  const root: XmlNode = [
    `${shape.prefix}:${shape.root}`,
    [
      [
        'Cabecera',
        [
          ['Modelo', taxpayer.model],
          ['Capitulo', facts.chapter],
          facts.subchapter === null ? undefined : ['Subcapitulo', facts.subchapter],
          ['Operacion', operation],
          ['Version', '1.0'],
          ['Ejercicio', year],
          [
            'ObligadoTributario',
            [
              ['NIF', taxpayer.nif],
              ['ApellidosNombreRazonSocial', taxpayer.name],
            ],
          ],
        ],
      ],
      ...content,
    ],
    `xmlns:${shape.prefix}="${shape.namespace}"`,
  ]
  return xmlDocumentCompact(root)
}

/** Year that a file is booked in: that of its issue date. */
export function yearOf({ issueDate }: RecordKey): string {
  return issueDate.slice(6)
}

/** Returns the list of the records of a message. Throws a RangeError for too many, or for income that is missing. */
export function issuedContent(
  facts: ChapterFacts,
  operation: 'A00' | 'AN0',
  files: readonly LroeFile[],
): XmlNode[] {
  if (files.length === 0 || files.length > facts.most)
    throw new RangeError(`A message takes 1 to ${facts.most} records.`)
  return [[facts.list, files.map((file): XmlNode => [facts.record, recordContent(facts, operation, file)])]]
}

function recordContent(facts: ChapterFacts, operation: 'A00' | 'AN0', { xml, income }: LroeFile): XmlNode[] {
  const bytes = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength).toString('base64')
  if (operation === 'AN0') return [['AnulacionTicketBai', bytes]]
  if (facts.model === '240') return [['TicketBai', bytes]]
  if (!income || income.length === 0 || income.length > MOST_ACTIVITIES)
    throw new RangeError('A record of the book of a person names 1 to 10 activities.')
  return [
    ['TicketBai', bytes],
    [
      'Renta',
      income.map(({ activity, income: amount, onCollection }): XmlNode => {
        if (!/^\d{1,7}$/.test(activity)) throw new RangeError('An activity has 1 to 7 digits.')
        return [
          'DetalleRenta',
          [
            ['Epigrafe', activity],
            amount === undefined ? undefined : ['IngresoAComputarIRPFDiferenteBaseImpoIVA', 'S'],
            amount === undefined ? undefined : ['ImporteIngresoIRPF', amount],
            onCollection === undefined ? undefined : ['CriterioCobrosYPagos', onCollection ? 'S' : 'N'],
          ],
        ]
      }),
    ],
  ]
}

/** Files that one message can carry. */
interface LroeBatch<File extends SealedFile = LroeFile> {
  operation: 'A00' | 'AN0'
  year: string
  files: File[]
}

/**
 * Splits files into messages without changing their order: each has one operation and one year, and at most as many files as the
 * service takes. Throws a RangeError for a file that the book does not take, or of another issuer.
 */
export function inBatches<File extends SealedFile>(
  taxpayer: Pick<LroeTaxpayer, 'nif'>,
  files: readonly File[],
  most = ISSUED_MOST,
): LroeBatch<File>[] {
  const batches: LroeBatch<File>[] = []
  for (const file of files) {
    if (file.kind !== 'invoice' && file.kind !== 'cancellation')
      throw new RangeError(`The book takes no ${file.kind}.`)
    if (file.key.issuerNif !== taxpayer.nif) throw new RangeError('A file is of another issuer.')
    const operation = file.kind === 'invoice' ? 'A00' : 'AN0'
    const year = yearOf(file.key)
    const last = batches.at(-1)
    if (last && last.operation === operation && last.year === year && last.files.length < most)
      last.files.push(file)
    else batches.push({ operation, year, files: [file] })
  }
  return batches
}

const ISSUED_MOST = CHAPTERS['240'].issued.most
