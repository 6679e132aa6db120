/**
 * Makes external text drawable: replaces characters that the fonts lack, drops invisible ones, breaks lines to a
 * width.
 */
import { canDraw, isEstimated, textWidth } from './measure.ts'
import type { Weight } from './measure.ts'

/** Longer texts are cut: no field of an invoice is longer, and a document must end. */
const MAX_LENGTH = 10_000

const REPLACEMENT = '?'

// Controls except tab and newline, soft hyphen, zero-width and bidirectional marks, variation selectors, tags, byte
// order mark: none has a shape, and some reorder the text.
const SHAPELESS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\u{1f3fb}-\u{1f3ff}\u{e0000}-\u{e0fff}]/gu
// An emoji joined from several (a family) is one picture, so it becomes one question mark, not four.
const JOINED = /[\ufe0f\u{1f3fb}-\u{1f3ff}]?\u200d\p{Extended_Pictographic}/gu
const PLAIN = /^[\n\x20-\x7e\u00a1-\u00ac\u00ae-\u017f]*$/

const substitutes = new Map<string, string>()

/** Returns the drawn form of a character: itself, the letters it is composed of, or a question mark. */
function substitute(character: string): string {
  const known = substitutes.get(character)
  if (known !== undefined) return known
  const drawn = findSubstitute(character)
  if (substitutes.size > 10_000) substitutes.clear()
  substitutes.set(character, drawn)
  return drawn
}

function findSubstitute(character: string): string {
  if (canDraw(character.codePointAt(0) ?? 0)) return character
  // A combining mark left after composition is dropped: its letter stays readable.
  if (/^\p{M}$/u.test(character)) return ''
  if (/^\p{Z}$/u.test(character)) return ' '
  const letters = Array.from(character.normalize('NFKD').replace(/\p{M}/gu, ''))
  const drawable = letters.length > 0 && letters.every((letter) => canDraw(letter.codePointAt(0) ?? 0))
  return drawable ? letters.join('') : REPLACEMENT
}

/**
 * Returns the text with only characters that the fonts have; line ends as `\n`. Reads at most 10,000 characters of
 * input.
 */
export function drawable(text: string): string {
  const lines = text
    .slice(0, MAX_LENGTH)
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
  if (isEstimated() || PLAIN.test(lines)) return lines
  let drawn = ''
  for (const character of lines.normalize('NFC').replace(JOINED, '').replace(SHAPELESS, '')) {
    drawn += character === '\n' ? character : substitute(character)
  }
  return drawn
}

/** Returns the text on one line. */
export function oneLine(text: string): string {
  return drawable(text)
    .replace(/\s*\n\s*/g, ' ')
    .trim()
}

/**
 * Mark at the end of a line: the word continues in the next one. The drawing code removes it; it has no width and no
 * glyph.
 */
export const WORD_GOES_ON = '\u200b'

// A long word (a web address, a part number) may continue in the next line after these.
const BREAKABLE = '-/_.,;:@&=?)\\'
/** Shaping a whole page of letters without a blank is slow and useless: longer words are measured letter by letter. */
const LONGEST_SHAPED_WORD = 80

/**
 * Returns the longest beginning of a word that fits: at least one character, ending after a breakable sign if there
 * is one.
 */
function splitWord(weight: Weight, word: string, size: number, width: number): [string, string] {
  const characters = Array.from(word)
  let end = 0
  let total = 0
  while (end < characters.length) {
    total += textWidth(weight, characters[end] ?? '', size)
    if (total > width && end > 0) break
    end += 1
  }
  // Kerning may widen a pair: shorten until the shaped piece also fits.
  while (end > 1 && textWidth(weight, characters.slice(0, end).join(''), size) > width) end -= 1
  if (end < characters.length) {
    for (let at = end; at > end / 2; at--) {
      if (BREAKABLE.includes(characters[at - 1] ?? '')) {
        end = at
        break
      }
    }
  }
  return [characters.slice(0, end).join(''), characters.slice(end).join('')]
}

function fits(weight: Weight, text: string, size: number, width: number): boolean {
  return text.length <= LONGEST_SHAPED_WORD && textWidth(weight, text, size) <= width
}

/** Breaks one paragraph into lines. A word wider than a line is split; the work is linear in the text. */
function wrapParagraph(weight: Weight, paragraph: string, size: number, width: number): string[] {
  const lines: string[] = []
  const blank = textWidth(weight, ' ', size)
  let line = ''
  let used = 0
  for (let word of paragraph.split(' ')) {
    if (word === '') continue
    if (!fits(weight, word, size, width)) {
      if (line !== '') lines.push(line)
      while (!fits(weight, word, size, width)) {
        const [head, rest] = splitWord(weight, word, size, width)
        if (rest === '') break
        lines.push(head + WORD_GOES_ON)
        word = rest
      }
      line = word
      used = textWidth(weight, word, size)
      continue
    }
    const wordWidth = textWidth(weight, word, size)
    if (line !== '' && used + blank + wordWidth > width) {
      lines.push(line)
      line = ''
      used = 0
    }
    used += line === '' ? wordWidth : blank + wordWidth
    line = line === '' ? word : `${line} ${word}`
  }
  lines.push(line)
  return lines
}

/**
 * Breaks text into lines not wider than `width` points. Keeps blank lines, but never two in a row; returns at least
 * one line.
 */
export function wrap(weight: Weight, text: string, size: number, width: number): string[] {
  const lines: string[] = []
  for (const paragraph of drawable(text).trim().split('\n')) {
    for (const line of wrapParagraph(weight, paragraph, size, width)) {
      if (line === '' && lines.at(-1) === '') continue
      lines.push(line)
    }
  }
  return lines
}

/** Returns a line as it is drawn. */
export function withoutMark(line: string): string {
  return line.endsWith(WORD_GOES_ON) ? line.slice(0, -WORD_GOES_ON.length) : line
}

/** Returns the first `max` lines of a text; the last one ends with an ellipsis when something was omitted. */
export function wrapAtMost(weight: Weight, text: string, size: number, width: number, max: number): string[] {
  const lines = wrap(weight, text, size, width)
  if (lines.length <= max) return lines
  const kept = lines.slice(0, max)
  const last = Array.from(withoutMark(kept[max - 1] ?? ''))
  while (last.length > 0 && textWidth(weight, `${last.join('')}…`, size) > width) last.pop()
  kept[max - 1] = `${last.join('').trimEnd()}…`
  return kept
}
