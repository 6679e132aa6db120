/**
 * Finds a filed return in the words of its PDF: the form, the year, the period, and numbers of boxes followed by amounts.
 * The forms print the number of a box at the left of its field; what is read is believed only where the sums of the form
 * prove it. Pure.
 */
import type { BoxValue } from '../../../accounting/returns/index.ts'
import { centsFromEuros } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import { searchText } from '../../../domain/text.ts'
import { readNumber } from '../../../platform/spreadsheets/values.ts'

interface PdfWord {
  t: string
  box: readonly [x0: number, y0: number, x1: number, y1: number]
}

interface PdfReturn {
  model: string | null
  year: number | null
  period: string | null
  /** The text without blanks, to look for a tax number. */
  text: string
  /** The first amount after each number of a box, in cents. */
  boxes: Record<string, Cents>
}

const BOX = /^\[?(\d{2,3})\]?$/
const AMOUNT = /^-?\d{1,3}(?:\.\d{3})*,\d{2}-?$|^-?\d+,\d{2}-?$/

/** Joins words into lines, from top to bottom, each from left to right. */
function linesOf(words: readonly PdfWord[]): PdfWord[][] {
  const middle = ({ box: [, top, , bottom] }: PdfWord): number => (top + bottom) / 2
  const lines: { at: number; height: number; words: PdfWord[] }[] = []
  for (const word of words.toSorted((a, b) => middle(a) - middle(b))) {
    const height = Math.max(word.box[3] - word.box[1], 1)
    const last = lines.at(-1)
    if (last && Math.abs(middle(word) - last.at) < Math.min(height, last.height) * 0.6) last.words.push(word)
    else lines.push({ at: middle(word), height, words: [word] })
  }
  return lines.map((line) => line.words.toSorted((a, b) => a.box[0] - b.box[0]))
}

/** Reads the pages of a document. */
export function readReturnPages(pages: readonly (readonly PdfWord[])[]): PdfReturn {
  const boxes: Record<string, Cents> = {}
  const texts: string[] = []
  for (const words of pages)
    for (const line of linesOf(words)) {
      texts.push(line.map(({ t }) => t).join(' '))
      for (const [index, { t }] of line.entries()) {
        const number = BOX.exec(t)?.[1]
        const next = line[index + 1]?.t ?? ''
        if (number === undefined || !AMOUNT.test(next)) continue
        const value = readNumber(next, ',')
        const cents = value === null ? null : centsFromEuros(Math.round(value * 100) / 100)
        if (cents !== null) boxes[number] ??= cents
      }
    }
  const text = searchText(texts.join('\n'))
  const receipt = /(?:justificante|num(?:ero)?\.? de justificante)\D{0,30}(\d{3})\d{10}\b/.exec(text)
  return {
    model: /\bmodelo\W{0,10}(\d{3})\b/.exec(text)?.[1] ?? receipt?.[1] ?? null,
    year: Number(/\bejercicio\W{0,10}(20\d\d)\b/.exec(text)?.[1] ?? 0) || null,
    period: (/\bperiodo\W{0,10}([1-4]t|0a|0[1-9]|1[0-2])\b/.exec(text)?.[1] ?? '').toUpperCase() || null,
    text: texts
      .join('')
      .toUpperCase()
      .replace(/[^0-9A-Z]/g, ''),
    boxes,
  }
}

/**
 * Divides what was read: certain is a sum of the form that its read parts give, to the cent, with those parts. A part that
 * was not read counts as empty.
 */
export function provenBoxes(
  read: Readonly<Record<string, Cents>>,
  values: readonly BoxValue[],
): { certain: Record<string, Cents>; guesses: Record<string, Cents> } {
  const certain: Record<string, Cents> = {}
  for (const { box } of values) {
    const sum = read[box.box]
    if (!box.sum || sum === undefined || sum === 0) continue
    const parts = box.sum.filter(([part]) => (read[part] ?? 0) !== 0)
    // A single part proves nothing: both may be the same wrong number.
    if (parts.length < 2) continue
    if (parts.reduce((total, [part, sign]) => total + sign * (read[part] ?? 0), 0) !== sum) continue
    for (const number of [box.box, ...parts.map(([part]) => part)]) certain[number] = read[number] ?? 0
  }
  const known = new Set(
    values.filter(({ box }) => (box.kind ?? 'amount') === 'amount').map(({ box }) => box.box),
  )
  return {
    certain,
    guesses: Object.fromEntries(
      Object.entries(read).filter(([number]) => certain[number] === undefined && known.has(number)),
    ) as Record<string, Cents>,
  }
}
