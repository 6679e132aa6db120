/**
 * How everything here is measured: subject and limit take turns in one run, the first round is dropped, and what is
 * judged is the ratio of the two, by wall clock on a quiet machine and by processor time on a busy one.
 */
import { availableParallelism, loadavg } from 'node:os'

/** What one turn of one side cost. */
export interface Turn {
  operations: number
  elapsedMs: number
  /** Processor time of the whole turn; null when it cannot be read here. */
  cpuUs: number | null
  /** Of each operation, when the turn timed them one by one. */
  latenciesMs?: readonly number[]
}

export interface Side {
  /** One turn. `round` counts from 0, which is the warm-up. */
  run(round: number): Promise<Turn>
  /** After the turn, unmeasured: waits until what it set in motion has ended, so that it cannot weigh on the other side. */
  rest?(): Promise<void>
}

export interface Race {
  subject: Turn[]
  limit: Turn[]
  loadBefore: number
  loadAfter: number
}

/** The processor time used by this process, all threads, in microseconds. */
export function processCpuUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** The processor time used by the calling thread alone: what draws PDFs on a thread of its own does not count. */
export function threadCpuUs(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/** Times `operations` runs of `work` one by one. */
export async function timeEach(operations: number, work: (index: number) => unknown): Promise<Turn> {
  const latenciesMs: number[] = []
  const cpu = processCpuUs()
  const start = performance.now()
  let before = start
  for (let index = 0; index < operations; index += 1) {
    await work(index)
    const now = performance.now()
    latenciesMs.push(now - before)
    before = now
  }
  return { operations, elapsedMs: before - start, cpuUs: processCpuUs() - cpu, latenciesMs }
}

/** Rounds of one turn each; who begins changes from round to round. The first round warms up and is dropped. */
export async function race(subject: Side, limit: Side, rounds: number): Promise<Race> {
  const [loadBefore = 0] = loadavg()
  const turns: Record<'subject' | 'limit', Turn[]> = { subject: [], limit: [] }
  const sides = { subject, limit }
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? (['subject', 'limit'] as const) : (['limit', 'subject'] as const)
    for (const name of order) {
      const turn = await sides[name].run(round)
      await sides[name].rest?.()
      if (round > 0) turns[name].push(turn)
    }
  }
  const [loadAfter = 0] = loadavg()
  return { ...turns, loadBefore, loadAfter }
}

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

/** Nearest-rank percentile; the mean of the middle two for an even median. */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) return Number.NaN
  const sorted = values.toSorted((a, b) => a - b)
  const at = (index: number): number => sorted[Math.min(sorted.length - 1, Math.max(0, index))] as number
  if (percent === 50 && sorted.length % 2 === 0)
    return (at(sorted.length / 2 - 1) + at(sorted.length / 2)) / 2
  return at(Math.ceil((percent / 100) * sorted.length) - 1)
}

/** What a turn is worth: operations a second, milliseconds at the median, or microseconds of processor time. */
export type Unit = 'tx/s' | 'req/s' | 'ms' | 'us' | 'MB' | 'B'

export interface Bar {
  /** Whether more is better; with `less` a floor is a ceiling. */
  better: 'more' | 'less'
  floor: number
  goal: number
}

export interface Figures {
  median: number
  best: number
  p50Ms: number | null
  p99Ms: number | null
  cpuUsPerOperation: number | null
}

export interface Result {
  /** Of the table of targets (T1 …); empty for what is only told for context. */
  target: string
  name: string
  size: string
  unit: Unit
  subject: Figures
  /** Null when there is nothing to compare with. */
  limit: Figures | null
  ratio: number | null
  cpuRatio: number | null
  bar: Bar | null
  /** By which ratio the verdict was reached. */
  judgedBy: 'wall' | 'cpu' | null
  verdict: 'PASS' | 'FAIL' | 'INFO'
  goalMet: boolean | null
  rounds: number
  load: number
  noisy: boolean
  note?: string
}

function valueOf(turn: Turn, unit: Unit): number {
  if (unit === 'tx/s' || unit === 'req/s') return (turn.operations * 1000) / turn.elapsedMs
  if (unit === 'us') return (turn.elapsedMs * 1000) / turn.operations
  return turn.latenciesMs ? median(turn.latenciesMs) : turn.elapsedMs / turn.operations
}

function figuresOf(turns: readonly Turn[], unit: Unit): Figures {
  const values = turns.map((turn) => valueOf(turn, unit))
  const latencies = turns.flatMap((turn) => turn.latenciesMs ?? [])
  const cpu = turns.flatMap((turn) => (turn.cpuUs === null ? [] : [turn.cpuUs / turn.operations]))
  return {
    median: median(values),
    best: unit.endsWith('/s') ? Math.max(...values) : Math.min(...values),
    p50Ms: latencies.length > 0 ? percentile(latencies, 50) : null,
    p99Ms: latencies.length > 0 ? percentile(latencies, 99) : null,
    cpuUsPerOperation: cpu.length > 0 ? median(cpu) : null,
  }
}

/** Ratio of each pair of neighbouring turns, then their median: what slows both for a while falls out. */
function pairedRatio(subject: readonly number[], limit: readonly number[]): number | null {
  const ratios = subject.flatMap((value, index) => {
    const other = limit[index]
    return other === undefined || other === 0 ? [] : [value / other]
  })
  return ratios.length > 0 ? median(ratios) : null
}

function cpuRatioOf(race: Race, bar: Pick<Bar, 'better'>): number | null {
  const perOperation = (turns: readonly Turn[]): number[] =>
    turns.flatMap((turn) => (turn.cpuUs === null ? [] : [turn.cpuUs / turn.operations]))
  const subject = perOperation(race.subject)
  const limit = perOperation(race.limit)
  if (subject.length !== race.subject.length || limit.length !== race.limit.length) return null
  // Written the same way round as the ratio: where more is better, twice the processor time is 0.5.
  return bar.better === 'more' ? pairedRatio(limit, subject) : pairedRatio(subject, limit)
}

function meets(value: number, bar: Bar, level: 'floor' | 'goal'): boolean {
  return bar.better === 'more' ? value >= bar[level] : value <= bar[level]
}

export interface Judging {
  target: string
  name: string
  size: string
  unit: Unit
  bar: Bar | null
  note?: string
}

/** The result of a race. A busy machine (load above its cores) is judged by processor time where that is known. */
export function judge(race: Race, { target, name, size, unit, bar, note }: Judging): Result {
  const subject = figuresOf(race.subject, unit)
  const limit = figuresOf(race.limit, unit)
  const values = (turns: readonly Turn[]): number[] => turns.map((turn) => valueOf(turn, unit))
  const ratio = pairedRatio(values(race.subject), values(race.limit))
  const cpuRatio = cpuRatioOf(race, bar ?? { better: unit.endsWith('/s') ? 'more' : 'less' })
  const load = Math.max(race.loadBefore, race.loadAfter)
  const noisy = load > availableParallelism()
  const judgedBy = noisy && cpuRatio !== null ? 'cpu' : 'wall'
  const judged = judgedBy === 'cpu' ? cpuRatio : ratio
  const passed = bar !== null && judged !== null && meets(judged, bar, 'floor')
  return {
    target,
    name,
    size,
    unit,
    subject,
    limit,
    ratio,
    cpuRatio,
    bar,
    judgedBy: bar === null ? null : judgedBy,
    verdict: bar === null ? 'INFO' : passed ? 'PASS' : 'FAIL',
    goalMet: bar !== null && judged !== null ? meets(judged, bar, 'goal') : null,
    rounds: race.subject.length,
    load,
    noisy,
    ...(note === undefined ? {} : { note }),
  }
}

/** A line for context: measured, compared with nothing. */
export function context(
  turns: readonly Turn[],
  { name, size, unit, note }: Omit<Judging, 'bar' | 'target'>,
): Result {
  const [load = 0] = loadavg()
  return {
    target: '',
    name,
    size,
    unit,
    subject: figuresOf(turns, unit),
    limit: null,
    ratio: null,
    cpuRatio: null,
    bar: null,
    judgedBy: null,
    verdict: 'INFO',
    goalMet: null,
    rounds: turns.length,
    load,
    noisy: load > availableParallelism(),
    ...(note === undefined ? {} : { note }),
  }
}
