/** Records of informative returns, written by their places, and the steps that send them. */
import { expect } from 'vitest'
import { NAME, NIF } from './samples.ts'
import type { opened, Read } from './samples.ts'

type Field = [at: number, text: string]

/** Writes a record of 500 characters: blanks but for the fields, each at its place from 1. */
function record(...fields: Field[]): string {
  let text = ' '.repeat(500)
  for (const [at, part] of fields) text = text.slice(0, at - 1) + part + text.slice(at - 1 + part.length)
  return text
}

const zeros = (value: number, length: number): string => String(Math.abs(value)).padStart(length, '0')
const signedAt = (sign: number, value: number, length: number): Field[] => [
  [sign, value < 0 ? 'N' : ' '],
  [sign + 1, zeros(value, length)],
]

const YEARS: Record<string, number> = { '347': 2025, '349': 2026, '190': 2025, '180': 2025 }

interface HeadWish {
  model?: string
  nif?: string
  name?: string
  number?: string
  /** `C` or `S`, or both. */
  later?: string
  previous?: string
  /** Counts and sums. */
  totals?: number[]
  period?: string
}

/** Record 1 with its totals. */
export function head(wish: HeadWish = {}): string {
  const { model = '347', nif = NIF, name = NAME, later = '', previous = '0', totals = [0, 0, 0, 0] } = wish
  const [count = 0, sum = 0, others = 0, othersSum = 0] = totals
  const year = YEARS[model]!
  const start: Field[] = [
    [1, `1${model}${year}${nif.padStart(9, '0')}`],
    [18, name],
    [59, '912345678'],
    [68, 'NUÑEZ INIGO'],
    [108, wish.number ?? `${model}${year}000001`],
    [121, later.includes('C') ? 'C' : ' '],
    [122, later.includes('S') ? 'S' : ' '],
    [123, previous.padStart(13, '0')],
  ]
  if (model === '349')
    return record(
      ...start,
      [136, (wish.period ?? '1T') + zeros(count, 9)],
      [147, zeros(sum, 15)],
      [162, zeros(others, 9)],
      [171, zeros(othersSum, 15)],
    )
  if (model === '347')
    return record(
      ...start,
      [58, 'T'],
      [136, zeros(count, 9)],
      ...signedAt(145, sum, 15),
      [161, zeros(others, 9)],
      ...signedAt(170, othersSum, 15),
    )
  return record(...start, [58, 'T'], [136, zeros(count, 9)], ...signedAt(145, sum, 15), [
    161,
    zeros(others, 15),
  ])
}

interface PersonWish {
  nif?: string
  name?: string
  eu?: string
  province?: string
  amount?: number
  quarters?: number[]
  filer?: string
  call?: string
}

/** A person of the 347. */
export function person(wish: PersonWish = {}): string {
  const { nif = 'A28000982', name = 'SUMINISTROS IBANEZ SA', eu = '', amount = 500_000 } = wish
  const quarters = wish.quarters ?? [amount, 0, 0, 0]
  return record(
    [1, `23472025${wish.filer ?? NIF}`],
    [18, nif],
    [36, name],
    [76, `D${wish.province ?? '28'}`],
    [82, 'A'],
    ...signedAt(83, amount, 15),
    [101, zeros(0, 15)],
    [117, zeros(0, 15)],
    [132, '0000'],
    ...[136, 168, 200, 232].flatMap((sign, at) => [
      ...signedAt(sign, quarters[at] ?? 0, 15),
      ...signedAt(sign + 16, 0, 15),
    ]),
    [264, eu],
    [285, zeros(0, 15)],
    [300, wish.call ?? '000000'],
  )
}

/** Premises of the 347. */
export function premises(amount = 700_000): string {
  return record(
    [1, `23472025${NIF}`],
    [18, 'A28000982'],
    [36, 'SUMINISTROS IBANEZ SA'],
    [76, 'I'],
    ...signedAt(99, amount, 15),
    [115, '1'],
    [199, '00001'],
    [322, '28079'],
    [327, '28'],
    [329, '28001'],
  )
}

/** An operator of the 349. */
export function operator(number = 'DE123456789', amount = 100_000): string {
  return record([1, `23492026${NIF}`], [76, number], [93, 'KUNDE GMBH'], [133, 'E'], [134, zeros(amount, 13)])
}

/** A rectification of the 349. */
export function rectification(amount = 50_000): string {
  return record(
    [1, `23492026${NIF}`],
    [76, 'FR12345678901'],
    [93, 'CLIENT SARL'],
    [133, 'E'],
    [147, '20254T'],
    [153, zeros(amount, 13)],
    [166, zeros(60_000, 13)],
  )
}

/** A recipient of the 190: a professional, or with key A an employee. */
export function recipient(key = 'G', deductible = 0): string {
  const numbers: Field[] = [
    ...signedAt(81, 100_000, 13),
    [95, zeros(15_000, 13)],
    ...signedAt(108, 0, 13),
    [122, zeros(0, 26)],
    [148, zeros(0, 10)],
    [167, zeros(0, 17)],
    [184, zeros(deductible, 13)],
    [197, zeros(0, 58)],
    ...signedAt(255, 0, 13),
    [269, zeros(0, 13)],
    ...signedAt(282, 0, 13),
    [296, zeros(0, 99)],
  ]
  return record([1, `21902025${NIF}`], [18, '12345678Z'], [36, 'GOMEZ ANA'], [76, `28${key}01`], ...numbers)
}

/** A landlord of the 180. */
export function landlord(nif = '12345678Z'): string {
  return record(
    [1, `21802025${NIF}`],
    [18, nif],
    [36, 'GOMEZ ANA'],
    [76, '281'],
    ...signedAt(79, 100_000, 13),
    [93, '1900'],
    [97, zeros(19_000, 13)],
    [110, '0000'],
    [114, '4'],
    [193, '00001'],
    [316, '28079'],
    [321, '28'],
    [323, '28001'],
  )
}

/** The headers that name a return. */
export function named(model = '347', period = model === '349' ? '1T' : '0A'): Record<string, string> {
  return { MODELO: model, EJERCICIO: String(YEARS[model]), PERIODO: period, NDC: NIF }
}

export const SIGNED = { FIRNIF: NIF, FIRNOMBRE: NAME, FIR: 'FirmaBasica' }
const ENCODED = { CODIFICACION: 'ISO-8859-1' }

type World = ReturnType<typeof opened>

/** Starts a sending; returns its answer and the headers of its later steps. */
export async function initialised(
  world: World,
  first: string,
  blocks = 1,
  changes: Record<string, string> = {},
) {
  const model = first.slice(1, 4)
  const headers = { ...named(model), IDIOMA: 'ES', NUMBLOQUES: String(blocks), ...ENCODED, ...changes }
  const answer = await world.step('InicializarEnvio', headers, first)
  return { answer, next: nextHeaders(answer) }
}

/** The headers that carry a sending on. */
export function nextHeaders({ headers }: Read): Record<string, string> {
  return { IDENVIO: headers['idenvio'] ?? '', cookie: (headers['set-cookie'] ?? '').split(';')[0] ?? '' }
}

export function block(
  world: World,
  next: Record<string, string>,
  records: string[],
  number = 1,
): Promise<Read> {
  return world.step('EnviarDatos', { ...next, NUMBLOQUE: String(number), ...ENCODED }, records.join(''))
}

/** Sends and presents a return; returns the answers. */
export async function presented(world: World, first: string, records: string[]) {
  const { answer, next } = await initialised(world, first, records.length > 0 ? 1 : 0)
  expect(answer.headers).toMatchObject({ codigo: '0', estado: 'CREADO' })
  const sent = records.length > 0 ? await block(world, next, records) : null
  const done = await world.step('PresentarEnvio', { ...next, ...SIGNED })
  return { next, sent, done }
}

/** Record 1 of the 347 with two persons and one premises, and those records. */
export const WORKED_347 = {
  head: head({ totals: [2, 420_000, 1, 700_000] }),
  records: [
    person(),
    person({ nif: '12345678Z', amount: -80_000, quarters: [0, -80_000, 0, 0] }),
    premises(),
  ],
}
