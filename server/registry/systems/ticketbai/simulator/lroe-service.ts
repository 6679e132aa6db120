/** The simulated entry service of Bizkaia: messages of LROE with their headers, and the query of the book. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { child, children, readXml, textAt, XmlRefused } from '../../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../../domain/formats/xml-reader.ts'
import { xmlDocumentCompact } from '../../../../domain/formats/xml-writer.ts'
import type { XmlNode } from '../../../../domain/formats/xml-writer.ts'
import { CHAPTERS, sectionOf } from '../lroe/chapters.ts'
import type { ChapterFacts, LroeChapter, LroeModel, LroeOperation } from '../lroe/chapters.ts'
import { receivedKeyOf } from '../lroe/received.ts'
import { KINDS } from '../lroe/reply.ts'
import { BOOK_CODES, ENTRY_CODES } from '../wire/codes.ts'
import { SERVICES } from '../wire/services.ts'
import { madridStamp, plainNode, queryContent } from './lroe-query.ts'
import type { ServiceFault } from './faults.ts'
import { Intake } from './register.ts'
import type { FileVerdict } from './register.ts'
import { LROE_SCHEMA } from './schema/lroe-table.ts'
import { QUERY_SCHEMA } from './schema/query-table.ts'
import { schemaFault } from './schema/check.ts'
import { createService } from './service.ts'
import type { Protocol, ServiceAnswer, ServiceOptions, SimulatedService } from './service.ts'
import type { HeldReceived } from './state.ts'

export interface LroeServiceOptions extends ServiceOptions {
  /** Returns the identifier of an entry. */
  newEntry: () => string
  /** Names of the census by tax number; with any other number every name is accepted. */
  names?: Readonly<Record<string, string>>
  /** Invoices on a page of a query; 1,000 by default. */
  pageSize?: number
}

const LIMITS = { depth: 30, nodes: 1_000_000, elementChars: 3_000_000, totalChars: 96_000_000 }
const MOST_BYTES = 96 * 1024 * 1024
const PAGE_SIZE = 1_000

/** Refusal of a whole message. */
class EntryRefused extends Error {
  readonly code: string
  constructor(code: string, detail = '') {
    super([ENTRY_CODES[code]?.meaning ?? BOOK_CODES[code]?.meaning ?? 'Refused.', detail].join(' ').trim())
    this.code = code
  }
}

interface Entry {
  facts: ChapterFacts
  name: LroeChapter
  operation: LroeOperation
  year: string
  taxpayer: { nif: string; name: string }
  root: XmlElement
}

/** Codes of the book for what the files' rules say: those that are published, and Sello's own (SIM). */
const BOOK_CODE: Readonly<Record<string, string>> = { '005': 'B4_2000003', '019': 'B4_2000006' }
const bookCode = (code: string): string =>
  BOOK_CODE[code] ?? (/^\d{3}$/.test(code) ? `SIM_0000${code}` : code)

type RecordState = 'Correcto' | 'AceptadoConErrores' | 'Incorrecto'

interface AnsweredRecord {
  identity: XmlNode
  state: RecordState
  code: string | null
  text: string
  basque: string
}

/** Creates the service. */
export function createLroeService(options: LroeServiceOptions): SimulatedService {
  const { invoice, query } = SERVICES.bizkaia.production
  const changes = new URL(invoice).pathname
  const reads = new URL(query ?? '').pathname

  function refused(code: string, message: string): ServiceAnswer {
    return {
      kind: 'answered',
      status: 200,
      headers: {
        'eus-bizkaia-n3-tipo-respuesta': KINDS.incorrect,
        'eus-bizkaia-n3-codigo-respuesta': code,
        'eus-bizkaia-n3-mensaje-respuesta': asHeader(message).slice(0, 255),
        'content-type': 'application/xml',
      },
      body: Buffer.alloc(0),
    }
  }

  function answered(
    shape: { root: string; namespace: string },
    entry: Entry,
    content: readonly (XmlNode | undefined)[],
    kind: keyof typeof KINDS,
    code: string | null = null,
  ): ServiceAnswer {
    const xml = xmlDocumentCompact([
      `r:${shape.root}`,
      [headerNode(entry), ...content],
      `xmlns:r="${shape.namespace}"`,
    ])
    return {
      kind: 'answered',
      status: 200,
      headers: {
        'eus-bizkaia-n3-tipo-respuesta': KINDS[kind],
        ...(kind === 'incorrect'
          ? {
              'eus-bizkaia-n3-codigo-respuesta': code ?? 'SIM_0000000',
              'eus-bizkaia-n3-mensaje-respuesta': 'Todos los registros son incorrectos.',
            }
          : { 'eus-bizkaia-n3-identificativo': options.newEntry() }),
        'content-encoding': 'gzip',
        'content-type': 'application/xml',
      },
      body: gzipSync(Buffer.from(xml, 'utf8')),
    }
  }

  async function change(
    entry: Entry,
    callers: readonly string[],
    fault: ServiceFault | null,
  ): Promise<{ answer: ServiceAnswer; outcome: string }> {
    const records = children(child(entry.root, entry.facts.list), entry.facts.record)
    const taken =
      entry.name === 'issued'
        ? await takeFiles(entry, records, callers, fault)
        : await takeReceived(entry, records, fault)
    const shown = fault?.kind === 'short_answer' ? taken.slice(0, -1) : taken
    const wrong = taken.filter(({ state }) => state === 'Incorrecto').length
    const kind = wrong === 0 ? 'correct' : wrong === taken.length ? 'incorrect' : 'partly'
    const shape = entry.facts.operations[entry.operation]!.answer
    const content: (XmlNode | undefined)[] = [
      [
        'DatosPresentacion',
        [
          ['FechaPresentacion', madridStamp(options.now())],
          ['NIFPresentador', callers[0] ?? ''],
        ],
      ],
      shown.length === 0 ? undefined : ['Registros', shown.map(recordNode)],
    ]
    const from = fault?.kind === 'stray_answer' ? { ...entry, year: '1999' } : entry
    const answer = answered(shape, from, content, kind, taken[0]?.code ?? null)
    return { answer, outcome: `${KINDS[kind]}: ${taken.length - wrong} of ${taken.length}` }
  }

  async function takeFiles(
    entry: Entry,
    records: readonly XmlElement[],
    callers: readonly string[],
    fault: ServiceFault | null,
  ): Promise<AnsweredRecord[]> {
    const intake = new Intake(options, callers)
    const isCancellation = entry.operation === 'AN0'
    const wanted = isCancellation ? 'cancellation' : 'invoice'
    const answers: AnsweredRecord[] = []
    for (const [index, record] of records.entries()) {
      const base64 = textAt(record, isCancellation ? 'AnulacionTicketBai' : 'TicketBai') ?? ''
      const income = child(record, 'Renta')
      const verdict = await intake.take(Buffer.from(base64, 'base64'), {
        income: income ? JSON.stringify(plainNode(income)) : '',
        extra: (file) => {
          const forced = forcedCode(fault, index)
          if (forced !== null) return remark(forced)
          if (file.kind !== wanted) return remark('SIM_0000101', 'El fichero es de otra operación.')
          if (file.key.issuerNif !== entry.taxpayer.nif)
            return remark('SIM_0000102', 'El emisor no es el obligado tributario.')
          if (file.key.issueDate.slice(6) !== entry.year)
            return remark('SIM_0000103', 'La factura es de otro ejercicio.')
          return null
        },
      })
      answers.push(answerOf(verdict, isCancellation ? 'AnulacionTicketBai' : 'TicketBai', base64))
    }
    await intake.commit()
    return answers
  }

  async function takeReceived(
    entry: Entry,
    records: readonly XmlElement[],
    fault: ServiceFault | null,
  ): Promise<AnsweredRecord[]> {
    const changed = new Map<string, HeldReceived>()
    const answers: AnsweredRecord[] = []
    for (const [index, record] of records.entries()) {
      const header = child(record, 'CabeceraFactura')
      const issuer = child(record, 'EmisorFacturaRecibida')
      const named: XmlElement = {
        ...record,
        children: [
          ...(header?.children ?? []),
          ...(issuer
            ? [
                {
                  ...issuer,
                  children: issuer.children.filter(({ name }) => name !== 'ApellidosNombreRazonSocial'),
                },
              ]
            : []),
        ],
      }
      const key = receivedKeyOf(named)
      const held = changed.get(key) ?? (await options.state.findReceived(entry.taxpayer.nif, key))
      const code =
        forcedCode(fault, index) ??
        (entry.operation === 'A00' && held ? 'B4_2000003' : null) ??
        (entry.operation === 'M00' && !held ? 'SIM_0000201' : null)
      if (code === null)
        changed.set(key, {
          taxpayerNif: entry.taxpayer.nif,
          key,
          year: entry.year,
          xml: xmlDocumentCompact(plainNode(record)),
          changes: held ? held.changes + 1 : 0,
        })
      const identityNames = ['SerieFactura', 'NumFactura', 'FechaExpedicionFactura', 'EmisorFacturaRecibida']
      answers.push({
        identity: [
          entry.facts.model === '140' ? 'IDGasto' : 'IDRecibida',
          named.children.filter(({ name }) => identityNames.includes(name)).map(plainNode),
        ],
        state: code === null ? 'Correcto' : 'Incorrecto',
        code,
        text: code === null ? '' : remark(code).text,
        basque: '',
      })
    }
    if (changed.size > 0) await options.state.write([], [...changed.values()])
    return answers
  }

  const protocol: Protocol = {
    effectOf: (path) => (path === changes ? 'change' : path === reads ? 'read' : null),
    process: async ({ path, headers, body, callers }, fault) => {
      try {
        if (fault?.kind === 'certificate') throw new EntryRefused('N3_0000001')
        if (fault?.kind === 'unavailable') throw new EntryRefused('B4_1000004')
        const entry = readEntry(headers, body, path === reads)
        const { taxpayer } = entry
        const { powers = [], unknown = [] } = options
        if (unknown.includes(taxpayer.nif)) throw new EntryRefused('N3_0000002')
        const mayAct = callers.some(
          (nif) =>
            nif === taxpayer.nif || powers.some((power) => power.nif === nif && power.for === taxpayer.nif),
        )
        if (!mayAct) throw new EntryRefused('N3_0000007')
        const name = options.names?.[taxpayer.nif]
        if (name !== undefined && name !== taxpayer.name) throw new EntryRefused('N3_0000002')
        if (path !== reads) return await change(entry, callers, fault)
        const shape = entry.facts.operations.C00!.answer
        const { content, found } = await queryContent(entry, options.state, {
          now: options.now(),
          pageSize: options.pageSize ?? PAGE_SIZE,
          shift: fault?.kind === 'stray_answer' ? 1 : 0,
        })
        return { answer: answered(shape, entry, content, 'correct'), outcome: `${found} found` }
      } catch (error) {
        if (!(error instanceof EntryRefused)) throw error
        return { answer: refused(error.code, error.message), outcome: error.code }
      }
    },
  }
  return createService(options, protocol)
}

/** Reads a message with its headers. Throws `EntryRefused`. */
function readEntry(
  headers: Readonly<Record<string, string | undefined>>,
  body: Uint8Array,
  isQuery: boolean,
): Entry {
  const fixed: Readonly<Record<string, string>> = {
    'accept-encoding': 'gzip',
    'content-encoding': 'gzip',
    'eus-bizkaia-n3-version': '1.0',
    'eus-bizkaia-n3-content-type': 'application/xml',
  }
  for (const [name, value] of Object.entries(fixed))
    if ((headers[name] ?? '').toLowerCase() !== value) throw new EntryRefused('N3_0000012', name)
  if (!/octet-stream$/.test(headers['content-type'] ?? ''))
    throw new EntryRefused('N3_0000012', 'content-type')
  const data = dataOf(headers['eus-bizkaia-n3-data'] ?? '')
  let root: XmlElement
  try {
    const bytes = gunzipSync(body, { maxOutputLength: MOST_BYTES })
    root = readXml(new TextDecoder('utf-8', { fatal: true }).decode(bytes), LIMITS)
  } catch (error) {
    throw new EntryRefused('B4_1000001', error instanceof XmlRefused ? error.fault : 'gzip')
  }
  const header = child(root, 'Cabecera')
  if (child(header, 'Subcapitulo')?.text.trim() === '') throw new EntryRefused('B4_1000001', 'Subcapitulo')
  const fault = schemaFault(root, isQuery ? QUERY_SCHEMA : LROE_SCHEMA)
  if (fault) throw new EntryRefused('B4_1000001', `${fault.path} ${fault.detail}`)
  const model = textAt(header, 'Modelo') as LroeModel
  const operation = textAt(header, 'Operacion') as LroeOperation
  const named = (['issued', 'received'] as const).find((each) => {
    const { chapter, subchapter, operations } = CHAPTERS[model][each]
    return (
      chapter === textAt(header, 'Capitulo') &&
      subchapter === textAt(header, 'Subcapitulo') &&
      operations[operation]?.root === root.name
    )
  })
  if (!named || (operation === 'C00') !== isQuery) throw new EntryRefused('B4_1000001', 'Capitulo')
  const facts = CHAPTERS[model][named]
  const taxpayer = {
    nif: textAt(header, 'ObligadoTributario', 'NIF') ?? '',
    name: textAt(header, 'ObligadoTributario', 'ApellidosNombreRazonSocial') ?? '',
  }
  const year = textAt(header, 'Ejercicio') ?? ''
  if (data.model !== model) throw new EntryRefused('N3_0000005')
  if (data.section !== sectionOf(facts) || data.year !== year || data.nif !== taxpayer.nif)
    throw new EntryRefused('N3_0000009')
  return { facts, name: named, operation, year, taxpayer, root }
}

function dataOf(text: string): { section: string; model: string; year: string; nif: string } {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    throw new EntryRefused('N3_0000012', 'eus-bizkaia-n3-data')
  }
  const part = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
  const word = (value: unknown): string => (typeof value === 'string' ? value : '')
  const interested = part(data, 'inte')
  if (part(data, 'con') !== 'LROE') throw new EntryRefused('N3_0000013')
  if (interested === undefined) throw new EntryRefused('N3_0000017')
  if (word(part(interested, 'nif')) === '') throw new EntryRefused('N3_0000014')
  if (word(part(interested, 'nrs')) === '') throw new EntryRefused('N3_0000015')
  const relevant = part(data, 'drs')
  return {
    section: word(part(data, 'apa')),
    model: word(part(relevant, 'mode')),
    year: word(part(relevant, 'ejer')),
    nif: word(part(interested, 'nif')),
  }
}

function headerNode({ facts, operation, year, taxpayer }: Entry): XmlNode {
  return [
    'Cabecera',
    [
      ['Modelo', facts.model],
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
  ]
}

const forcedCode = (fault: ServiceFault | null, index: number): string | null =>
  fault?.kind === 'record_code' && (fault.record ?? 0) === index ? fault.code : null

const remark = (code: string, text = BOOK_CODES[code]?.meaning ?? 'El registro es incorrecto.') => ({
  code,
  text,
  basque: text,
})

function answerOf({ file, kept, codes }: FileVerdict, element: string, base64: string): AnsweredRecord {
  const [first] = codes
  const identity: XmlNode = file
    ? [
        'Identificador',
        [
          [
            'IDFactura',
            [
              file.key.series === '' ? undefined : ['SerieFactura', file.key.series],
              ['NumFactura', file.key.number],
              ['FechaExpedicionFactura', file.key.issueDate],
            ],
          ],
        ],
      ]
    : ['Identificador', [[element, base64]]]
  return {
    identity,
    state: kept ? (first ? 'AceptadoConErrores' : 'Correcto') : 'Incorrecto',
    code: first ? bookCode(first.code) : null,
    text: first?.text ?? '',
    basque: first?.basque ?? '',
  }
}

function recordNode({ identity, state, code, text, basque }: AnsweredRecord): XmlNode {
  return [
    'Registro',
    [
      identity,
      [
        'SituacionRegistro',
        [
          ['EstadoRegistro', state],
          code === null ? undefined : ['CodigoErrorRegistro', code],
          code === null ? undefined : ['DescripcionErrorRegistroES', text.slice(0, 250)],
          code === null || basque === '' ? undefined : ['DescripcionErrorRegistroEU', basque.slice(0, 250)],
        ],
      ],
    ],
  ]
}

/** Node writes headers as one byte for each character. */
const asHeader = (text: string): string =>
  Buffer.from(text.replace(/[\r\n]+/g, ' '), 'utf8').toString('latin1')
