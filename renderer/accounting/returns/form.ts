/** Layout of a return on the page: lines of base and tax side by side, as on the form. Pure. */
import type { OutputOf } from '../../../server/api/contracts.ts'

export type Model = OutputOf<'fiscal.model'>
export type Box = Model['boxes'][number]

/**
 * Returns the result of a return; null if it has none, or if 0 would claim that nothing is payable although the
 * amount is unknown.
 */
export function shownResult({ applies, result }: Pick<Model, 'applies' | 'result'>): number | null {
  return applies === null ? null : result
}

/** Returns true for a return whose boxes a person types: Sello computes none of them. */
export function isTypedReturn({ computed, boxes }: Pick<Model, 'computed' | 'boxes'>): boolean {
  return !computed && boxes.length > 0
}

export interface FormLine {
  label: string
  /** One box, or base and tax on one line, with the rate between them where the form has a box for it. */
  boxes: readonly Box[]
}

const BASE: Record<'es' | 'en', RegExp> = { es: /: base$/, en: /: base$/ }
const TAX: Record<'es' | 'en', RegExp> = { es: /: cuota$/, en: /: tax$/ }
const RATE: Record<'es' | 'en', RegExp> = { es: /: tipo$/, en: /: rate$/ }

/** Returns the tax of the base at a place, with its rate before it; empty if neither follows. */
function besideBase(boxes: readonly Box[], at: number, language: 'es' | 'en'): Box[] {
  const [next, after] = boxes.slice(at + 1, at + 3)
  if (next && TAX[language].test(next.label[language])) return [next]
  const isRate = next !== undefined && RATE[language].test(next.label[language])
  return isRate && after && TAX[language].test(after.label[language]) ? [next, after] : []
}

/**
 * Returns the lines of one section; unless `all` is set, lines whose boxes are all zero and need no input are
 * omitted.
 */
export function formLines(
  boxes: readonly Box[],
  section: string,
  language: 'es' | 'en',
  all: boolean,
): FormLine[] {
  const own = boxes.filter((box) => box.section === section)
  const lines: FormLine[] = []
  for (let index = 0; index < own.length; index++) {
    const box = own[index]!
    const label = box.label[language]
    const together = BASE[language].test(label) ? besideBase(own, index, language) : []
    index += together.length
    lines.push({
      label: together.length > 0 ? label.replace(BASE[language], '') : label,
      boxes: [box, ...together],
    })
  }
  return all ? lines : lines.filter((line) => line.boxes.some((box) => box.amount !== 0 || isAlways(box)))
}

/** Returns whether a box is always shown: totals, and boxes that the user can type. */
function isAlways(box: Box): boolean {
  return (box.formula !== null && !box.input) || (box.input && box.section === 'work')
}

/** Formats an amount for the agency's form: comma, two decimals, no thousands separator. */
export function pastable(box: Pick<Box, 'amount' | 'kind'>): string {
  return box.kind === 'count' || box.kind === 'code'
    ? String(box.amount)
    : box.amount.toFixed(2).replace('.', ',')
}

/** Returns the boxes that the form numbers, in its order; the others are steps of a computation. */
export function formNumbers(boxes: readonly Box[]): readonly Box[] {
  return boxes.filter(({ box }) => /^\d/.test(box))
}

/** Formats all boxes of the form, one `box<TAB>amount` line each, in the order of the form. */
export function pastableForm(boxes: readonly Box[]): string {
  return formNumbers(boxes)
    .map((box) => `${box.box}\t${pastable(box)}`)
    .join('\n')
}
