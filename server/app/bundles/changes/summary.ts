/** What a change does, for the person who takes it: computed here from its input and its result, never sent. */
import type { ChangeSummary } from '../contract.ts'

type Fields = Record<string, unknown>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

const MOST_LINES = 100

function linesOf(value: unknown): ChangeSummary['lines'] {
  if (!Array.isArray(value)) return []
  return value.slice(0, MOST_LINES).flatMap((line) => {
    const { account, name, debit, credit } = fieldsOf(line)
    return typeof account === 'string'
      ? [{ account, name: textOf(name), debit: numberOf(debit) ?? 0, credit: numberOf(credit) ?? 0 }]
      : []
  })
}

function periodOf({ year, quarter, period, month }: Fields): string | null {
  if (typeof year !== 'number') return null
  if (typeof period === 'string') return `${period} ${year}`
  if (typeof quarter === 'number') return `${quarter}T ${year}`
  return typeof month === 'number' ? `${String(month).padStart(2, '0')}/${year}` : String(year)
}

/** Returns the summary of a change; `before` is what it changes or removes, `result` is null if it cannot be made. */
export function summaryOf(asked: unknown, result: unknown, before: unknown): ChangeSummary {
  const input = fieldsOf(asked)
  const made = { ...fieldsOf(before), ...fieldsOf(result) }
  const supplier = fieldsOf(input.supplier)
  const model = textOf(input.model)
  const party = textOf(made.supplierName) ?? textOf(input.supplierName) ?? textOf(supplier.name)
  const number = textOf(made.supplierNumber) ?? textOf(input.supplierNumber)
  const title =
    [party, number].filter((text) => text !== null).join(' · ') ||
    textOf(made.text) ||
    textOf(made.name) ||
    textOf(input.text) ||
    textOf(input.name) ||
    model
  const returned = fieldsOf(made.model)
  return {
    title: title || null,
    date:
      textOf(made.issueDate) ??
      textOf(made.date) ??
      textOf(input.until) ??
      textOf(input.issueDate) ??
      textOf(input.date),
    period: periodOf(input),
    base: numberOf(made.base),
    tax: numberOf(made.tax),
    amount:
      numberOf(made.total) ??
      (model === null
        ? numberOf(made.result)
        : numberOf(fieldsOf(returned.result).amount ?? returned.result)),
    concept: textOf(made.concept),
    notes: textOf(input.notes),
    file: textOf(input.content) === null ? null : textOf(input.name),
    lines: linesOf(made.lines ?? input.lines),
  }
}
