/** Texts of an assistant's call: action, input and answer. Pure. */
import { formatCount, formatEuros } from '../../format.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'

export type ToolCall = OutputOf<'assistants.calls'>['items'][number]

/** A text of the locales by its key; null when there is none. */
type Say = (key: string, params?: Record<string, string>) => string | null

/** Fields that describe an answer best, each with its format. */
const BEST: Readonly<Record<string, (value: string) => string>> = {
  number: (value) => value,
  'totals.count': (value) => formatCount(Number(value)),
  total: (value) => formatEuros(Number(value)),
  'totals.total': (value) => formatEuros(Number(value)),
  legalName: (value) => value,
}

/** Returns the action of the assistant; a tool without a text is shown by its name. */
export function toolMessages({ tool }: Pick<ToolCall, 'tool'>, say: Say): string {
  return say(`connect.calls.tool.${tool.replaceAll('/', '_')}`) ?? tool
}

/** Returns one line about the outcome. */
export function outcomeMessages(call: Pick<ToolCall, 'outcome' | 'code' | 'answer'>, say: Say): string {
  if (call.outcome !== 'ok')
    return (
      (call.code && say(`errors.${call.code}.title`)) ?? call.code ?? say(`outcome.${call.outcome}`) ?? ''
    )
  const facts = new Map(call.answer.map(({ name, value }) => [name, value]))
  return Object.entries(BEST)
    .flatMap(([name, write]) => {
      const value = facts.get(name)
      return value === undefined
        ? []
        : [`${say(`connect.calls.fact.${name.replaceAll('.', '_')}`) ?? name}: ${write(value)}`]
    })
    .join(' · ')
}
