/** Answers a query of Bizkaia's book: a page of the taxpayer's invoices, with what the schemas of the answer keep of each file. */
import { madridTime } from '../../../../domain/dates.ts'
import { at, child, readXml, textAt } from '../../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../../domain/formats/xml-reader.ts'
import type { XmlNode } from '../../../../domain/formats/xml-writer.ts'
import type { ChapterFacts } from '../lroe/chapters.ts'
import type { HeldFile, ServiceState } from './state.ts'

const LIMITS = { depth: 40, nodes: 60_000, elementChars: 200_000, totalChars: 2_000_000 }
const PAGE_OF_STATE = 1_000
const STATES = { correct: 'Correcto', with_errors: 'AceptadoConErrores', cancelled: 'Anulado' } as const

interface QueryEntry {
  facts: ChapterFacts
  year: string
  taxpayer: { nif: string }
  root: XmlElement
}

/** Returns an element as it can be written again. */
export function plainNode({ name, children: inner, text }: XmlElement): XmlNode {
  return [name, inner.length > 0 ? inner.map(plainNode) : text]
}

/** Returns an instant as the book writes it: DD-MM-YYYY hh:mm:ss, in Spain. */
export function madridStamp(instant: Date): string {
  const { date, time } = madridTime(instant)
  return `${date.split('-').reverse().join('-')} ${time}`
}

const sortable = (day: string): string => day.split('-').reverse().join('-')

function stateOf({ status, remarks }: HeldFile): (typeof STATES)[keyof typeof STATES] {
  if (status === 'cancelled') return STATES.cancelled
  return remarks.length > 0 ? STATES.with_errors : STATES.correct
}

async function allOf(state: ServiceState, issuerNif: string, year: string): Promise<HeldFile[]> {
  const all: HeldFile[] = []
  for (let after = 0; ;) {
    const files = await state.page({ issuerNif, year, after, limit: PAGE_OF_STATE })
    all.push(...files)
    if (files.length < PAGE_OF_STATE) return all
    after = files.at(-1)?.sequence ?? after
  }
}

/** Returns the content of an answer, and how many invoices match. `shift` answers another page than the one asked for. */
export async function queryContent(
  { facts, year, taxpayer, root }: QueryEntry,
  state: ServiceState,
  { now, pageSize, shift }: { now: Date; pageSize: number; shift: number },
): Promise<{ content: (XmlNode | undefined)[]; found: number }> {
  const filter = child(root, facts.filter ?? '')
  const header = child(filter, 'CabeceraFactura')
  const [series, number] = [textAt(header, 'SerieFactura'), textAt(header, 'NumFactura')]
  const days = child(header, 'FechaExpedicionFactura')
  const [from, to] = [textAt(days, 'Desde'), textAt(days, 'Hasta')]
  const wantedState = textAt(filter, 'Estado')
  const page = Number(textAt(filter, 'NumPaginaConsulta')) + shift
  const found = (await allOf(state, taxpayer.nif, year)).filter(
    (held) =>
      (series === null || held.key.series === series) &&
      (number === null || held.key.number === number) &&
      (from === null || sortable(held.key.issueDate) >= sortable(from)) &&
      (to === null || sortable(held.key.issueDate) <= sortable(to)) &&
      (wantedState === null || stateOf(held) === wantedState),
  )
  const shown = found.slice((page - 1) * pageSize, page * pageSize)
  const pages = Math.ceil(found.length / pageSize)
  return {
    found: found.length,
    content: [
      [
        'ResultadoConsulta',
        [
          ['FechaConsulta', madridStamp(now)],
          ['NumPaginaConsulta', String(page)],
          ['ExistenRegistros', shown.length > 0 ? 'S' : 'N'],
          found.length === 0
            ? undefined
            : [
                'Paginacion',
                [
                  ['NumPaginasTotales', String(pages)],
                  ['ExistenMasRegistros', page < pages ? 'S' : 'N'],
                  ['NumRegistrosTotales', String(found.length)],
                ],
              ],
        ],
      ],
      shown.length === 0
        ? undefined
        : [facts.list, shown.map((held): XmlNode => [facts.record, heldNodes(facts, held)])],
    ],
  }
}

function heldNodes(facts: ChapterFacts, held: HeldFile): (XmlNode | undefined)[] {
  const [remark] = held.remarks
  return [
    ['TicketBai', fileNodes(held)],
    facts.model === '140' ? (JSON.parse(held.income) as XmlNode) : undefined,
    [
      'DatosPresentacion',
      [
        ['FechaPresentacionAlta', madridStamp(new Date(held.presentedAt))],
        ['NIFPresentadorUltModificacion', held.presenterNif],
        ['FechaPresentacionUltModificacion', madridStamp(new Date(held.modifiedAt))],
        ['ModoPresentacionUltModificacion', 'Servicio'],
      ],
    ],
    [
      'SituacionRegistro',
      [
        ['EstadoRegistro', stateOf(held)],
        remark ? ['CodigoErrorRegistro', `SIM_000${remark.code}`.slice(0, 10)] : undefined,
        remark ? ['DescripcionErrorRegistroES', remark.text] : undefined,
      ],
    ],
  ]
}

/** Elements of a file that the answer leaves out, and those that it names otherwise. */
const LEFT_OUT: readonly string[] = ['DetallesFactura', 'Direccion', 'LicenciaTBAI', 'NumSerieDispositivo']

function summaryNode(element: XmlElement): XmlNode {
  const name = element.name === 'Causa' ? 'CausaNoSujecion' : element.name
  const kept = element.children.filter((each) => !LEFT_OUT.includes(each.name))
  return [name, element.children.length > 0 ? kept.map(summaryNode) : element.text]
}

function fileNodes({ xml, signature }: HeldFile): XmlNode[] {
  const root = readXml(xml, LIMITS)
  const parts = ['Cabecera', 'Sujetos', 'Factura', 'HuellaTBAI'].map((name) => at(root, name))
  return [...parts.filter((part) => part !== null).map(summaryNode), ['Signature', signature]]
}
