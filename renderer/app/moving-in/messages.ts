/** Texts of the codes of a move, in the language of the page: no code is shown as it is. */
import { faultText } from '../../errors.ts'
import { formatAmount, formatCount, formatDate, formatList, formatPercent } from '../../format.ts'
import { hasText, translate } from '../../i18n.ts'
import { choiceKey } from './wizard.ts'
import type { MovingQuestion, MovingTable } from './wizard.ts'

type Fault = Parameters<typeof faultText>[0] & {
  entry?: string | null
  sheet?: string | null
  row?: number | null
  column?: string | null
}

const bare = (code: string): string => code.replace(/^[a-z]+_/, '')

/** Returns the name of a field of a list, with its number or rate: `Base 2`, `Base al 21 %`. */
export function fieldText(name: string, content: MovingTable['content']): string {
  const [, field = name, rate] = /^(\w+)@(none|\d+)$/.exec(name) ?? []
  if (rate === 'none') return translate('moving.columns.exempt', { field: fieldText(field, content) })
  if (rate !== undefined)
    return translate('moving.columns.atRate', {
      field: fieldText(field, content),
      rate: formatPercent(Number(rate) / 100),
    })
  const isImported = content === 'contacts' || content === 'items'
  if (isImported && hasText(`imports.field.${name}`)) return translate(`imports.field.${name}`)
  if (hasText(`moving.field.${name}`)) return translate(`moving.field.${name}`)
  const [, one = '', number = ''] = /^(\w+?)([2-9])$/.exec(name) ?? []
  return hasText(`moving.field.${one}`)
    ? translate('moving.columns.slot', { field: translate(`moving.field.${one}`), number })
    : translate('moving.columns.noTitle', { number: '' }).trim()
}

/** Amounts and days of the server as the page writes them; texts of a file stay as they are. */
function shownParam(name: string, value: string | number): string | number {
  if (typeof value === 'number') return name === 'rate' ? formatPercent(value).replace(/\s*%$/, '') : value
  if (name === 'text') return value
  if (/^-?\d+\.\d\d$/.test(value)) return formatAmount(Number(value))
  return /^\d{4}-\d\d-\d\d$/.test(value) ? formatDate(value) : value
}

/** Returns a fault in words. */
export function movingFaultText(fault: Fault): string {
  const params = Object.fromEntries(
    Object.entries(fault.params ?? {}).map(([name, value]) => [name, shownParam(name, value)]),
  )
  if (fault.code === 'history_column_missing' && typeof params.name === 'string')
    params.name = fieldText(params.name, 'unknown')
  return faultText({ ...fault, params })
}

/** Returns where a fault is: file of an archive, sheet, row and column; empty for the whole file. */
export function placeText({ entry, sheet, row, column }: Fault): string {
  const parts = [
    ...(entry ? [translate('moving.faults.at.entry', { entry })] : []),
    ...(sheet ? [translate('moving.faults.at.sheet', { sheet })] : []),
    ...(row ? [translate('moving.faults.at.row', { row: formatCount(row) })] : []),
    ...(column ? [translate('moving.faults.at.column', { column })] : []),
  ]
  const text = parts.join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns why a table is taken for what it is. */
export function reasonText({ code, params }: MovingTable['reason']): string {
  const shown = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'number' ? formatCount(value) : value,
    ]),
  )
  return translate(`moving.reason.${bare(code)}`, shown)
}

export const questionTitle = (code: string): string => translate(`moving.ask.${bare(code)}.title`)
export const questionText = (code: string): string => translate(`moving.ask.${bare(code)}.text`)

/** Returns an answer in words. */
export const choiceText = (code: string, choice: string): string =>
  translate(`moving.choice.${bare(code)}.${choiceKey(choice)}`)

/** Returns what depends on a question. */
export function dependsText(depends: MovingQuestion['depends']): string {
  return formatList(
    depends.map((each) => {
      if (each === 'records') return translate('moving.ask.records')
      return each === 'documents'
        ? translate('moving.ask.documentNumbers')
        : translate('moving.ask.form', { model: each })
    }),
  )
}

export const skipText = (reason: string): string => translate(`moving.skip.reason.${bare(reason)}`)

/** Returns what uses a document, so that a move cannot be undone. */
export const useText = ({ number, by }: { number: string; by: string }): string =>
  translate(`moving.undo.use.${by}`, { number })
