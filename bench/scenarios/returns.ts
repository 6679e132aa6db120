/**
 * T16: the nine returns of a year that Sello writes as files, of one book: computing them, writing their files, and the
 * delay of the server's thread meanwhile.
 */
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { openSello } from '../../server/api/application.ts'
import type { Bench, Group } from '../bench.ts'
import { sizeName } from '../bench.ts'
import { call, proveBooks, testBook } from '../books.ts'
import type { BookFolder } from '../books.ts'
import { openDatabase } from '../limits/database.ts'
import { judge } from '../method.ts'
import type { Turn } from '../method.ts'
import { Server } from './http.ts'
import { putToRest } from './loop.ts'

const QUARTERLY = ['303', '130', '111', '115', '349'] as const
const YEARLY = ['390', '347', '190', '180'] as const
type Model = (typeof QUARTERLY)[number] | (typeof YEARLY)[number]

/** Time for all nine, in milliseconds: a budget, not a program. */
const BUDGET_MS = 2_000
const GOAL = 0.5
/** Maximum additional timer delay in milliseconds. */
const FLOOR_MS = 50
const GOAL_MS = 20
const IDLE_MS = 2_000
const FULL_SIZE = 100_000

/** A purchase with withholding for so many invoices, from one of so many professionals. */
const INVOICES_A_PURCHASE = 50
const MOST_PURCHASES = 1_000
const PROFESSIONALS = 200
const DAY_MS = 86_400_000
const NIF_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'

interface Quarter {
  year: number
  quarter: number
}

interface Periods {
  /** The last complete year, with its fourth quarter. */
  year: number
  /** The last complete quarter, for files: layouts are known by year. */
  last: Quarter
}

function periodsOf(today: string): Periods {
  const year = Number(today.slice(0, 4))
  const quarter = Math.ceil(Number(today.slice(5, 7)) / 3)
  return {
    year: year - 1,
    last: quarter === 1 ? { year: year - 1, quarter: 4 } : { year, quarter: quarter - 1 },
  }
}

const isYearly = (model: Model): boolean => (YEARLY as readonly string[]).includes(model)

/**
 * Adds what only a person knows and the files ask for, and purchases with withholding, which the books of the other
 * scenarios do not have. Returns the periods to measure, counted from the clock of the books.
 */
async function prepare(place: BookFolder): Promise<Periods> {
  const sello = await openSello({ dataDir: place.folder, keyFile: place.keyFile, keychain: null })
  try {
    const book = await testBook(sello)
    const today = sello.ctx(book).today()
    const periods = periodsOf(today)
    await call(sello, book, 'fiscal.setFilingSettings', {
      surnames: null,
      firstName: null,
      contactName: null,
      contactPhone: '910000000',
      iban: null,
      live: false,
    })
    for (const year of new Set([periods.year, periods.last.year]))
      await call(sello, book, 'fiscal.setFilingSchemes', {
        year,
        refundRegister: false,
        largeCompany: false,
        voluntarySii: false,
        jointReturn: false,
        insolvency: false,
        prorata: 'none',
        excused390: false,
        monthly349: false,
        fuelDepositary: false,
      })
    for (const year of new Set([periods.year, periods.last.year]))
      for (const quarter of [1, 2, 3, 4])
        await call(sello, book, 'fiscal.setInput', { model: '111', year, quarter, box: '01', amount: 0 })
    const purchases = Math.min(MOST_PURCHASES, Math.ceil(place.invoices / INVOICES_A_PURCHASE))
    const from = Date.parse(`${periods.year}-01-01`)
    const days = Math.floor((Date.parse(today) - from) / DAY_MS)
    for (let at = 0; at < Math.min(PROFESSIONALS, purchases); at += 1)
      await call(sello, book, 'contacts.create', professional(at))
    for (let at = 0; at < purchases; at += 1) {
      const { name, nif } = professional(at % PROFESSIONALS)
      const day = new Date(from + Math.floor((at * days) / purchases) * DAY_MS).toISOString().slice(0, 10)
      await call(sello, book, 'received.create', {
        supplierName: name,
        supplierNif: nif,
        supplierNumber: `P-${at}`,
        issueDate: day,
        receptionDate: day,
        taxLines: [{ base: 400 + (at % 7), vatRate: 21 }],
        withholding: { rate: 15, base: 400 + (at % 7), reason: 'professional' },
      })
    }
    return periods
  } finally {
    await sello.close()
  }
}

function professional(at: number) {
  const number = 30_000_000 + at * 17
  return {
    name: `Asesora ${at}`,
    nif: `${number}${NIF_LETTERS.charAt(number % 23)}`,
    address: {
      street: 'Calle Mayor 1',
      postalCode: '28013',
      city: 'Madrid',
      province: 'Madrid',
      country: 'ES',
    },
  }
}

/** Returns the VAT charged in a quarter from the tax lines of the invoices, in cents. */
function chargedCents(place: BookFolder, { year, quarter }: Quarter): number {
  const handle = openDatabase(place)
  try {
    const month = (at: number): string => `${year}-${String(quarter * 3 - 2 + at).padStart(2, '0')}`
    return handle
      .prepare(
        `select coalesce(sum(t.tax_cents + t.surcharge_cents), 0) from invoices i join invoice_taxes t on t.invoice_id = i.id
         where i.state = 'issued' and i.cancelled_at is null
           and substr(coalesce(i.operation_date, i.issue_date), 1, 7) between ? and ?`,
      )
      .pluck()
      .get(month(0), month(2)) as number
  } finally {
    handle.close()
  }
}

interface Answer {
  status: number
  bytes: Buffer
}

class Returns {
  private readonly server: Server
  private readonly apiKey: string
  readonly periods: Periods

  constructor(server: Server, apiKey: string, periods: Periods) {
    this.server = server
    this.apiKey = apiKey
    this.periods = periods
  }

  private async get(path: string): Promise<Answer> {
    const response = await fetch(`http://127.0.0.1:${this.server.port}/api/v1${path}`, {
      headers: { authorization: `Bearer ${this.apiKey}` },
    })
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  /** Computes the nine returns of the year; each with all its boxes and lists. Returns the VAT charged in box 27 in cents. */
  async compute(): Promise<number> {
    const { year } = this.periods
    let chargedCents = 0
    for (const model of [...QUARTERLY, ...YEARLY]) {
      const path = `/fiscal/models/${model}?year=${year}${isYearly(model) ? '' : '&quarter=4'}`
      const { status, bytes } = await this.get(path)
      const { data } = JSON.parse(bytes.toString('utf8')) as {
        data?: { computed: boolean; boxes: { box: string; amount: number }[] }
      }
      if (status !== 200 || data?.computed !== true)
        throw new Error(`${path} is answered with ${status}: ${bytes.toString('utf8', 0, 300)}`)
      if (model === '303')
        chargedCents = Math.round((data.boxes.find(({ box }) => box === '27')?.amount ?? 0) * 100)
    }
    return chargedCents
  }

  /** Writes the file of each return for its last complete period. Returns those written, and those without a layout. */
  async files(): Promise<{ written: Model[]; without: Model[]; bytes: number }> {
    const { year, last } = this.periods
    const made = { written: [] as Model[], without: [] as Model[], bytes: 0 }
    for (const model of [...QUARTERLY, ...YEARLY]) {
      const period = isYearly(model) ? `year=${year}` : `year=${last.year}&quarter=${last.quarter}`
      const path = `/fiscal/models/${model}/file?${period}`
      const { status, bytes } = await this.get(path)
      if (status === 200) {
        made.written.push(model)
        made.bytes += bytes.length
      } else if (bytes.includes('"no_file_layout"')) made.without.push(model)
      else throw new Error(`${path} is answered with ${status}: ${bytes.toString('utf8', 0, 600)}`)
    }
    return made
  }
}

const turn = (elapsedMs: number): Turn => ({
  operations: 1,
  elapsedMs,
  cpuUs: null,
  latenciesMs: [elapsedMs],
})

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const start = performance.now()
  const result = await work()
  return { ms: performance.now() - start, result }
}

async function measure(bench: Bench, size: number, wanted: ReadonlySet<string>): Promise<void> {
  const { workplace, rounds, report, say } = bench
  const place = workplace.copy(await workplace.master(size, 'marked'))
  const periods = await prepare(place)
  putToRest(place)
  const expected = chargedCents(place, { year: periods.year, quarter: 4 })
  const server = await Server.start('product', place)
  const [loadBefore = 0] = loadavg()
  const turns = { year: [] as Turn[], files: [] as Turn[], first: [] as Turn[] }
  const delays = { subject: [] as Turn[], limit: [] as Turn[] }
  let alone = 0
  let made = { written: [] as Model[], without: [] as Model[], bytes: 0 }
  try {
    const returns = new Returns(server, place.apiKey, periods)
    for (let round = 0; round <= rounds; round += 1) {
      await server.watchLoop()
      await pause(IDLE_MS)
      const idleMs = await server.loopDelayMs()
      await server.watchLoop()
      const year = await timed(() => returns.compute())
      const files = await timed(() => returns.files())
      const delayMs = await server.loopDelayMs()
      if (year.result !== expected || expected === 0)
        throw new Error(`Box 27 is ${year.result} cents, the tax lines of the invoices are ${expected}.`)
      made = files.result
      if (round === 0) {
        turns.first.push(turn(year.ms))
        continue
      }
      turns.year.push(turn(year.ms))
      turns.files.push(turn(files.ms))
      delays.subject.push(turn(delayMs))
      delays.limit.push(turn(idleMs + FLOOR_MS))
      alone = Math.max(alone, idleMs)
    }
  } finally {
    await server.close()
  }
  const [loadAfter = 0] = loadavg()
  const load = { loadBefore, loadAfter }
  const budget = turns.year.map(() => turn(BUDGET_MS))
  const common = { target: 'T16', size: sizeName(size), unit: 'ms' } as const
  const bar = { better: 'less', floor: 1, goal: GOAL } as const
  if (wanted.has('returns.year'))
    report(
      judge(
        { subject: turns.year, limit: budget, ...load },
        {
          ...common,
          name: 'returns.year',
          bar,
          note: `nine returns of ${periods.year}, over HTTP; the limit is a budget of ${BUDGET_MS} ms; the first time after a start ${turns.first[0]?.elapsedMs.toFixed(0)} ms`,
        },
      ),
    )
  if (wanted.has('returns.files'))
    report(
      judge(
        { subject: turns.files, limit: budget, ...load },
        {
          ...common,
          name: 'returns.files',
          bar,
          note: `computed again and written: ${made.written.join(' ')}, ${made.bytes} B; no layout: ${made.without.join(' ') || 'none'}; the limit is the same budget`,
        },
      ),
    )
  if (wanted.has('returns.loop'))
    report(
      judge(
        { ...delays, ...load },
        {
          ...common,
          name: 'returns.loop',
          bar: { better: 'less', floor: 1, goal: (alone + GOAL_MS) / (alone + FLOOR_MS) },
          note: `longest delay of the server's timers during both; limit: without them, and ${FLOOR_MS} ms`,
        },
      ),
    )
  await proveBooks(place, say)
}

export const returnsGroup: Group = {
  names: ['returns.year', 'returns.files', 'returns.loop'],
  run: (bench, wanted) => measure(bench, bench.full ? FULL_SIZE : bench.size, wanted),
}
