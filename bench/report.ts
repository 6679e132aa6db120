/** Output of the results for people: one line after each scenario, a table at the end. */
import type { Result, Unit } from './method.ts'

const DIGITS: Record<Unit, number> = { 'tx/s': 0, 'req/s': 0, ms: 3, us: 2, MB: 1, B: 0 }

function figure(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined || Number.isNaN(value) ? '-' : value.toFixed(digits)
}

function floorText({ bar }: Result): string {
  return bar === null ? '-' : `${bar.better === 'more' ? '>=' : '<='}${bar.floor}`
}

const COLUMNS = [
  'name',
  'size',
  'subject',
  'unit',
  'limit',
  'ratio',
  'floor',
  'verdict',
  'cpu_ratio',
  'rounds',
  'load',
] as const

function cells(result: Result): string[] {
  const digits = DIGITS[result.unit]
  return [
    result.name,
    result.size,
    figure(result.subject.median, digits),
    result.unit,
    figure(result.limit?.median, digits),
    figure(result.ratio, 2),
    floorText(result),
    result.verdict,
    figure(result.cpuRatio, 2),
    String(result.rounds),
    result.load.toFixed(1),
  ]
}

/**
 * Returns `name size subject unit limit ratio floor PASS|FAIL cpu_ratio rounds load`, and `NOISY` if the machine was
 * busy.
 */
export function lineOf(result: Result): string {
  return [
    ...cells(result),
    ...(result.noisy ? ['NOISY'] : []),
    ...(result.note ? [`(${result.note})`] : []),
  ].join(' ')
}

/** Returns a table of all results, with the values that the line omits. */
export function tableOf(results: readonly Result[]): string {
  const rows = results.map((result) => {
    const times = (side: Result['subject'] | null): string =>
      side === null ? '-' : `${figure(side.p50Ms, 2)}/${figure(side.p99Ms, 2)}`
    return [
      result.target || '-',
      ...cells(result),
      figure(result.subject.best, DIGITS[result.unit]),
      figure(result.limit?.best, DIGITS[result.unit]),
      times(result.subject),
      times(result.limit),
      `${figure(result.subject.cpuUsPerOperation, 0)}/${figure(result.limit?.cpuUsPerOperation, 0)}`,
      result.judgedBy ?? '-',
      result.goalMet === null ? '-' : `${result.bar?.goal}${result.goalMet ? ' met' : ' not met'}`,
      result.note ?? '',
    ]
  })
  const head = [
    'target',
    ...COLUMNS,
    'best',
    'limit best',
    'p50/p99 ms',
    'limit p50/p99',
    'cpu us/op',
    'judged by',
    'goal',
    '',
  ]
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
