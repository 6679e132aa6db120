/** Returns that the simulated filing services take, and ways to send and to spoil them. */
import { encodeFile } from '../../../../../server/accounting/returns/files/file.ts'
import type { FileModel } from '../../../../../server/accounting/returns/files/layout.ts'
import {
  createReturnsFaultControl,
  createReturnsSimulator,
  memoryReturnsState,
} from '../../../../../server/accounting/returns/simulator/index.ts'
import type { SimulatedAnswer } from '../../../../../server/accounting/returns/simulator/index.ts'

export const NIF = 'B12345674'
export const NAME = 'FERRETERIA NUÑEZ Y PEÑA SL'
export const NOW = new Date('2026-11-14T09:32:00Z')
export const IBAN = 'ES9121000418450200051332'
export const NRC = '3031234567890123456789'
export const PATHS = {
  file: '/wlpl/PFTW-PICW/PresBasicaDos',
  validate: '/wlpl/PFTW-PICW/ServValiDos',
  query: '/wlpl/SCEJ-MANT/ConsultaExt',
  document: '/wlpl/inwinvoc/es.aeat.dit.adu.eeca.catalogo.vis.VisualizaSc',
} as const

type Values = Record<string, number | string | undefined>

/** What a test changes of a page return: values of its pages by their keys, one of them undefined to leave it out. */
export interface Change {
  period?: string
  year?: number
  software?: string
  first?: Values
  last?: Values
  /** The page with bank data, or another page. */
  more?: { record: string; values: Values }[]
}

const MARKS_303: Values = {
  foralOnly: 2,
  monthlyRefunds: 2,
  simplified: 3,
  jointReturn: 2,
  cashAccounting: 2,
  cashAccountingReceived: 2,
  optsForProrata: 2,
  revokesProrata: 2,
  insolvency: 2,
  voluntarySii: 2,
}

/** What makes a return of each model complete: 100 to pay, but for the 390. */
const RIGHT: Record<string, { first: Values; last?: Values }> = {
  '303': {
    first: {
      kind: 'I',
      name: NAME,
      ...MARKS_303,
      '07': 100_000,
      '09': 21_000,
      '27': 21_000,
      '28': 52_381,
      '29': 11_000,
      '45': 11_000,
      '46': 10_000,
    },
    last: { '64': 10_000, '65': 10_000, '66': 10_000, '69': 10_000, '71': 10_000 },
  },
  '130': {
    first: {
      kind: 'I',
      surnames: 'GARCIA LOPEZ',
      firstName: 'ANA',
      '01': 60_000,
      '02': 10_000,
      '03': 50_000,
      '04': 10_000,
      '07': 10_000,
      '12': 10_000,
      '14': 10_000,
      '17': 10_000,
      '19': 10_000,
    },
  },
  '111': {
    first: { kind: 'I', surnames: NAME, '01': 1, '02': 50_000, '03': 10_000, '28': 10_000, '30': 10_000 },
  },
  '115': { first: { kind: 'I', surnames: NAME, '01': 1, '02': 52_632, '03': 10_000, '05': 10_000 } },
  '123': { first: { kind: 'I', name: NAME, '07': 10_000, '09': 10_000, '12': 10_000, '14': 10_000 } },
  '131': {
    first: {
      kind: 'I',
      surnames: 'GARCIA LOPEZ',
      '03': 500_000,
      '04': 10_000,
      '07': 10_000,
      '10': 10_000,
      '13': 10_000,
      '15': 10_000,
    },
  },
  '390': { first: { surnames: NAME, period: undefined, monthlyRefunds: '0', dueFor347: '0' } },
}

function present(values: Values): Record<string, number | string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, number | string] => entry[1] !== undefined),
  )
}

/** Writes the file of a page return, with changes. */
export async function pageFile(model: string, change: Change = {}): Promise<string> {
  const { year = model === '390' ? 2025 : 2026, period = model === '390' ? '0A' : '1T' } = change
  const { first, last } = RIGHT[model]!
  const records = [
    { record: '01000', values: present({ nif: NIF, year, period, ...first, ...change.first }) },
    ...(change.more ?? []).filter(({ record }) => record < '03000').map(page),
    ...(last ? [{ record: '03000', values: present({ ...last, ...change.last }) }] : []),
    ...(change.more ?? []).filter(({ record }) => record > '03000').map(page),
  ]
  const bytes = await encodeFile({
    model: model as FileModel,
    year,
    period,
    software: { version: '0100', nif: change.software ?? 'B87654323' },
    records,
  })
  return Buffer.from(bytes).toString('latin1')
}

const page = ({ record, values }: { record: string; values: Values }) => ({ record, values: present(values) })

/** Writes other characters into a page, at a place of it from 1. */
export function spoiled(text: string, record: string, at: number, characters: string): string {
  const start = text.search(new RegExp(`<T\\d{3}${record}>`)) + at - 1
  return text.slice(0, start) + characters + text.slice(start + characters.length)
}

/** The keys of a filing message for a file. */
export function filing(text: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    MODELO: text.slice(2, 5),
    EJERCICIO: text.slice(6, 10),
    PERIODO: text.slice(10, 12),
    NRC: kindIn(text) === 'I' ? NRC : '',
    IDI: 'ES',
    F01: text,
    FIR: 'FirmaBasica',
    FIRNIF: NIF,
    FIRNOMBRE: NAME,
    ...changes,
  }
}

/** The kind of return stands at 13 of the first page, after the envelope's 328 characters; the 390 has none. */
const kindIn = (text: string): string => (text.startsWith('<T390') ? '' : text.charAt(328 + 12))

/** The keys of a validation message for a file. */
export function validation(text: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  const { MODELO, EJERCICIO, PERIODO, IDI, F01 } = filing(text)
  return { MODELO, EJERCICIO, PERIODO, IDI, F01, ...changes }
}

/** An answer with its body as text. */
export interface Read {
  status: number
  headers: Record<string, string>
  text: string
  json: any
}

export function read(answer: SimulatedAnswer): Read {
  if (answer.kind === 'dropped') throw new Error('The connection was dropped.')
  const isLatin = answer.headers['content-type']?.endsWith('ISO-8859-1') === true
  const text = Buffer.from(answer.body).toString(isLatin ? 'latin1' : 'utf8')
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    json: answer.headers['content-type']?.startsWith('application/json') ? JSON.parse(text) : null,
  }
}

/** Codes of the errors of an answer, of whichever service. */
export function codesOf({ json, headers, text }: Read): string[] {
  if (json) return (json.respuesta?.errores ?? []).map((each: string) => each.split(' - ', 1)[0])
  if (headers['codigo'] !== undefined) return headers['codigo'] === '0' ? [] : [headers['codigo']]
  return [...text.matchAll(/<descripcionError>(\w+) - /g)].map(([, code = '']) => code)
}

type SimulatorOptions = Partial<Parameters<typeof createReturnsSimulator>[0]>

/** Opens a simulator over an empty state, with its clock at `NOW`, which a test may move. */
export function opened(options: SimulatorOptions = {}) {
  const state = memoryReturnsState()
  const faults = createReturnsFaultControl()
  const clock = { now: NOW }
  const simulator = createReturnsSimulator({ state, faults, now: () => clock.now, ...options })
  type Circumstances = {
    callers?: readonly string[] | null
    headers?: Record<string, string>
    method?: string
  }
  const send = (path: string, body: string | Uint8Array, more: Circumstances = {}) =>
    simulator.handle({
      method: more.method ?? 'POST',
      path,
      headers: { host: 'www1.example.test', ...more.headers },
      body: typeof body === 'string' ? Buffer.from(body, 'utf8') : body,
      callers: more.callers === undefined ? [NIF] : more.callers,
    })
  const postJson = async (path: string, message: unknown, more: Circumstances = {}) =>
    read(
      await send(path, JSON.stringify(message), {
        ...more,
        headers: { 'content-type': 'application/json;charset=UTF-8', ...more.headers },
      }),
    )
  return {
    state,
    faults,
    clock,
    simulator,
    send,
    /** Files a text, with other keys of the message. */
    file: (text: string, changes: Record<string, unknown> = {}, more: Circumstances = {}) =>
      postJson(PATHS.file, filing(text, changes), more),
    validate: (text: string, changes: Record<string, unknown> = {}, more: Circumstances = {}) =>
      postJson(PATHS.validate, validation(text, changes), { callers: null, ...more }),
    query: async (params: Record<string, string> | string = {}, more: Circumstances = {}) =>
      read(
        await send(
          PATHS.query,
          typeof params === 'string' ? params : new URLSearchParams({ ...QUERY, ...params }).toString(),
          { ...more, headers: { 'content-type': 'application/x-www-form-urlencoded', ...more.headers } },
        ),
      ),
    /** Sends a step of an informative return. */
    step: async (name: string, headers: Record<string, string>, body = '', more: Circumstances = {}) =>
      read(
        await send(`/wlpl/OVPT-NTGV/${name}`, Buffer.from(body, 'latin1'), {
          ...more,
          headers: Object.fromEntries(
            Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]),
          ),
        }),
      ),
  }
}

export const QUERY = {
  NIF,
  ANR: NAME,
  MOD: '303',
  EJF: '2026',
  PER: '1T',
  FED: '',
  FEH: '',
  HOD: '',
  HOH: '',
}
