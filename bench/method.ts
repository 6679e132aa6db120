/**
 * The measuring method: subject and limit alternate in one run, the first round is dropped, and the ratio of the two
 * is judged, by wall clock on a quiet machine and by processor time on a busy one.
 */
import { availableParallelism, loadavg } from 'node:os'

/** The cost of one turn of one side. */
export interface Turn {
  operations: number
  elapsedMs: number
  /** Processor time of the whole turn; null if not available. */
  cpuUs: number | null
  /** Latency of each operation, if the turn measured them. */
  latenciesMs?: readonly number[]
}

export interface Side {
  /** Runs one turn. `round` counts from 0, which is the warm-up. */
  run(round: number): Promise<Turn>
  /**
   * Runs after the turn, unmeasured: waits until its background work has ended, so that it does not slow the other
   * side.
   */
  rest?(): Promise<void>
}

export interface Race {
  subject: Turn[]
  limit: Turn[]
  loadBefore: number
  loadAfter: number
}

/** Returns the processor time of this process, all threads, in microseconds. */
export function processCpuUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Returns the processor time of the calling thread only: PDF rendering in its own thread does not count. */
export function threadCpuUs(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/** Measures `operations` runs of `work` individually. */
export function timeEach(operations: number, work: (index: number) => unknown): Promise<Turn> {
  return timeFor(0, operations, work)
}

/** Measures runs of `work` individually, for at least `milliseconds` and at least `operations` of them. */
export async function timeFor(
  milliseconds: number,
  operations: number,
  work: (index: number) => unknown,
): Promise<Turn> {
  const latenciesMs: number[] = []
  const cpu = processCpuUs()
  const start = performance.now()
  let before = start
  while (latenciesMs.length < operations || before - start < milliseconds) {
    await work(latenciesMs.length)
    const now = performance.now()
    latenciesMs.push(now - before)
    before = now
  }
  return {
    operations: latenciesMs.length,
    elapsedMs: before - start,
    cpuUs: processCpuUs() - cpu,
    latenciesMs,
  }
}

/** Runs rounds of one turn each; the first side alternates. The first round warms up and is dropped. */
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

/** Returns the nearest-rank percentile; the mean of the middle two for an even median. */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) return Number.NaN
  const sorted = values.toSorted((a, b) => a - b)
  const at = (index: number): number => sorted[Math.min(sorted.length - 1, Math.max(0, index))] as number
  if (percent === 50 && sorted.length % 2 === 0)
    return (at(sorted.length / 2 - 1) + at(sorted.length / 2)) / 2
  return at(Math.ceil((percent / 100) * sorted.length) - 1)
}

/** Unit of a measurement: operations per second, milliseconds at the median, or microseconds of processor time. */
export type Unit = 'tx/s' | 'req/s' | 'ms' | 'us' | 'MB' | 'B'

export interface Bar {
  /** Direction of improvement; with `less` the floor is an upper bound. */
  better: 'more' | 'less'
  floor: number
  goal: number
}

interface Figures {
  median: number
  best: number
  p50Ms: number | null
  p99Ms: number | null
  cpuUsPerOperation: number | null
}

export interface Result {
  /** Row in the table of targets (T1 …); empty for context only. */
  target: string
  name: string
  size: string
  unit: Unit
  subject: Figures
  /** Null if there is no comparison. */
  limit: Figures | null
  ratio: number | null
  cpuRatio: number | null
  bar: Bar | null
  /** The ratio on which the verdict is based. */
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

/** Returns the median of the ratios of neighbouring turns: effects on both sides cancel out. */
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
  // Oriented like the ratio: where more is better, twice the processor time is 0.5.
  return bar.better === 'more' ? pairedRatio(limit, subject) : pairedRatio(subject, limit)
}

function meets(value: number, bar: Bar, level: 'floor' | 'goal'): boolean {
  return bar.better === 'more' ? value >= bar[level] : value <= bar[level]
}

interface Judging {
  target: string
  name: string
  size: string
  unit: Unit
  bar: Bar | null
  note?: string
}

/** Returns the result of a race. A busy machine (load above its cores) is judged by processor time if available. */
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

/** Returns a result for context: measured without a comparison. */
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
