/**
 * Words with boxes of a page of a text PDF. Text that a person cannot see (rendered without ink, in the colour of its
 * background, outside the page) is left out: a document must not say one thing to the eye and another to the reader.
 */
import type { Grey } from '../pictures/grey.ts'
import { PAGE_WORD_LIMIT } from './page.ts'
import type { Box, Page, Word } from './page.ts'
import { handleOf } from './pdfium.ts'
import type { Pdfium, PdfiumPage } from './pdfium.ts'

interface PdfPage {
  page: Page
  /** Reason why the words of the page are not enough; null when they are. */
  needsOcr: 'few_letters' | 'unmapped_text' | 'invisible_layer' | null
}

const MAX_CHARS = 60_000
/** Words of each direction across the page. */
const SIDE_WORD_LIMIT = 400
/** A page with fewer letters is a picture. */
const MIN_LETTERS = 20
const MAX_UNMAPPED_SHARE = 0.05
/** `PageToDevice` answers in whole units. */
const DEVICE_SCALE = 64
const INVISIBLE_MODE = 3
/** Difference of brightness, of 255, below which a word does not stand out from its background. */
const MIN_CONTRAST = 24
/** Shares of the height of a line: a wider gap ends a word, a narrower one where PDFium supposes a blank. */
const WORD_GAP = 0.22
const SUPPOSED_GAP = 0.1
/** A character box this many times higher than its ink belongs to a font with wrong metrics. */
const MAX_LOOSE_RATIO = 4

interface Char {
  text: string
  box: Box
  isUnmapped: boolean
  isInvisible: boolean
  /** Supposed by PDFium from the positions; it is often wrong about new lines. */
  isGenerated: boolean
  quarter: 0 | 1 | 2 | 3
}

/** Maps page coordinates, whose origin is at the bottom left, to the shown page in points. */
interface ToShown {
  (x: number, y: number): [number, number]
}

function shownBy(pdfium: Pdfium, handle: number, width: number, height: number): ToShown {
  const pointer = pdfium.wasmExports.malloc(8)
  const at = (x: number, y: number): [number, number] => {
    pdfium._FPDF_PageToDevice(
      handle,
      0,
      0,
      Math.round(width * DEVICE_SCALE),
      Math.round(height * DEVICE_SCALE),
      0,
      x,
      y,
      pointer,
      pointer + 4,
    )
    const view = new DataView(pdfium.HEAPU8.buffer)
    return [view.getInt32(pointer, true) / DEVICE_SCALE, view.getInt32(pointer + 4, true) / DEVICE_SCALE]
  }
  // The mapping is affine: three points give it.
  const [ox, oy] = at(0, 0)
  const [ax, ay] = at(1000, 0)
  const [bx, by] = at(0, 1000)
  pdfium.wasmExports.free(pointer)
  return (x, y) => [ox + ((ax - ox) * x + (bx - ox) * y) / 1000, oy + ((ay - oy) * x + (by - oy) * y) / 1000]
}

function boxBetween(shown: ToShown, left: number, bottom: number, right: number, top: number): Box {
  const [ax, ay] = shown(left, bottom)
  const [bx, by] = shown(right, top)
  return [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)]
}

function charsOf(pdfium: Pdfium, textPage: number, shown: ToShown): Char[] {
  const pointer = pdfium.wasmExports.malloc(32)
  const chars: Char[] = []
  const count = Math.min(pdfium._FPDFText_CountChars(textPage), MAX_CHARS)
  const [originX, originY] = shown(0, 0)
  for (let index = 0; index < count; index++) {
    const code = pdfium._FPDFText_GetUnicode(textPage, index)
    const text = code === 0 || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code)
    const isOpen = pdfium._FPDFText_GetLooseCharBox(textPage, index, pointer) !== 0
    let view = new DataView(pdfium.HEAPU8.buffer)
    const float = (at: number): number => view.getFloat32(pointer + at * 4, true)
    const loose = isOpen ? boxBetween(shown, float(0), float(3), float(2), float(1)) : null
    pdfium._FPDFText_GetCharBox(textPage, index, pointer, pointer + 8, pointer + 16, pointer + 24)
    view = new DataView(pdfium.HEAPU8.buffer)
    const double = (at: number): number => view.getFloat64(pointer + at * 8, true)
    const tight = boxBetween(shown, double(0), double(2), double(1), double(3))
    const height = (box: Box): number => box[3] - box[1]
    const limit =
      Math.max(height(tight), pdfium._FPDFText_GetFontSize(textPage, index) / 4, 1) * MAX_LOOSE_RATIO
    const isSound = loose !== null && height(loose) > 0 && height(loose) <= limit * 2
    const angle = pdfium._FPDFText_GetCharAngle(textPage, index)
    // PDFium measures the angle clockwise, in a page whose y axis goes up.
    const [dirX, dirY] = shown(Math.cos(angle), -Math.sin(angle))
    const turn = Math.round(Math.atan2(dirY - originY, dirX - originX) / (Math.PI / 2))
    const object = pdfium._FPDFText_GetTextObject(textPage, index)
    chars.push({
      text,
      box: isSound ? loose : tight,
      isUnmapped: code === 0 || code === 0xfffd || pdfium._FPDFText_HasUnicodeMapError(textPage, index) === 1,
      isGenerated: pdfium._FPDFText_IsGenerated(textPage, index) === 1,
      isInvisible: object !== 0 && pdfium._FPDFTextObj_GetTextRenderMode(object) === INVISIBLE_MODE,
      quarter: (((turn % 4) + 4) % 4) as Char['quarter'],
    })
  }
  pdfium.wasmExports.free(pointer)
  return chars
}

/** Returns the box after the page is turned so that text of that quarter turn stands upright. */
function uprightBox([x0, y0, x1, y1]: Box, quarter: Char['quarter'], width: number, height: number): Box {
  if (quarter === 1) return [y0, width - x1, y1, width - x0]
  if (quarter === 2) return [width - x1, height - y1, width - x0, height - y0]
  if (quarter === 3) return [height - y1, x0, height - y0, x1]
  return [x0, y0, x1, y1]
}

function mainQuarter(chars: readonly Char[]): Char['quarter'] {
  const counts = [0, 0, 0, 0]
  for (const { quarter, text } of chars) if (/\S/.test(text)) counts[quarter] = (counts[quarter] ?? 0) + 1
  return counts.indexOf(Math.max(...counts)) as Char['quarter']
}

/** True when the region of the drawing has one brightness: nothing is to be seen there. */
function isBlank([x0, y0, x1, y1]: Box, drawing: Grey, scale: number): boolean {
  const left = Math.max(0, Math.floor(x0 * scale))
  const right = Math.min(drawing.width, Math.ceil(x1 * scale))
  const top = Math.max(0, Math.floor(y0 * scale))
  const bottom = Math.min(drawing.height, Math.ceil(y1 * scale))
  let least = 255
  let most = 0
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const grey = drawing.data[y * drawing.width + x] ?? 0
      if (grey < least) least = grey
      if (grey > most) most = grey
      if (most - least >= MIN_CONTRAST) return false
    }
  return true
}

/** Groups characters into words: a blank, a gap, a step back or another line ends one. */
function wordsOf(chars: readonly Char[]): Word[] {
  const words: Word[] = []
  let text = ''
  let box: Box | null = null
  let lastEnd = 0
  let isSupposed = false
  const finish = (): void => {
    if (text !== '' && box !== null) words.push({ t: text, box, conf: 100 })
    text = ''
    box = null
  }
  for (const char of chars) {
    if (char.isGenerated) {
      isSupposed = true
      continue
    }
    // Control characters, soft hyphens and direction marks are no text.
    if (/[\s\u00a0]/.test(char.text)) {
      finish()
      continue
    }
    if (/[\p{Cc}\p{Cf}]/u.test(char.text)) continue
    const [x0, y0, x1, y1] = char.box
    if (box !== null) {
      const height = Math.max(box[3] - box[1], y1 - y0)
      const isSameLine = Math.abs((box[1] + box[3]) / 2 - (y0 + y1) / 2) < height * 0.5
      const gap = height * (isSupposed ? SUPPOSED_GAP : WORD_GAP)
      // "Invoice:F26" is a label and its value.
      const isValue = /\p{L}:$/u.test(text) && /[\p{Lu}\d]/u.test(char.text)
      if (!isSameLine || isValue || x0 - lastEnd > gap || x0 < lastEnd - height) finish()
    }
    isSupposed = false
    text += char.text
    box =
      box === null
        ? char.box
        : [Math.min(box[0], x0), Math.min(box[1], y0), Math.max(box[2], x1), Math.max(box[3], y1)]
    lastEnd = x1
  }
  finish()
  return words
}

/** Parts words of one direction into their lines. */
function linesOf(words: readonly Word[]): Word[][] {
  const lines: Word[][] = []
  for (const word of words) {
    const last = lines.at(-1)?.at(-1)
    const isNext =
      last !== undefined &&
      Math.abs(last.box[1] + last.box[3] - word.box[1] - word.box[3]) < word.box[3] - word.box[1] &&
      word.box[0] >= last.box[0]
    if (isNext) lines.at(-1)?.push(word)
    else lines.push([word])
  }
  return lines
}

function isOnPage([x0, y0, x1, y1]: Box, width: number, height: number): boolean {
  const x = (x0 + x1) / 2
  const y = (y0 + y1) / 2
  return x >= 0 && y >= 0 && x <= width && y <= height
}

function shortage(chars: readonly Char[], words: readonly Word[]): PdfPage['needsOcr'] {
  const printed = chars.filter(({ text }) => /\S/.test(text))
  const letters = words.reduce((sum, { t }) => sum + (t.match(/\p{L}/gu)?.length ?? 0), 0)
  if (letters < MIN_LETTERS && printed.filter(({ isInvisible }) => isInvisible).length >= MIN_LETTERS)
    return 'invisible_layer'
  const unmapped = printed.filter(({ isUnmapped }) => isUnmapped).length
  if (unmapped > printed.length * MAX_UNMAPPED_SHARE && unmapped > 0) return 'unmapped_text'
  return letters < MIN_LETTERS ? 'few_letters' : null
}

/**
 * Returns the words of a page in points of the upright page. `drawing` is the page as shown, in any scale; without it
 * words in the colour of their background are not recognized.
 */
export function readPdfPage(pdfPage: PdfiumPage, index: number, drawing: Grey | null): PdfPage {
  const { pdfium, handle } = handleOf(pdfPage)
  const { originalWidth: width, originalHeight: height } = pdfPage.getOriginalSize()
  const textPage = pdfium._FPDFText_LoadPage(handle)
  const empty: Page = { index, size: [width, height], source: 'text', turn: 0, readings: [[]] }
  if (textPage === 0) return { page: empty, needsOcr: 'few_letters' }
  const chars = charsOf(pdfium, textPage, shownBy(pdfium, handle, width, height))
  pdfium._FPDFText_ClosePage(textPage)
  const quarter = mainQuarter(chars)
  const isSeen = (char: Char): boolean => !char.isInvisible && char.quarter === quarter
  const scale = drawing === null ? 0 : drawing.width / Math.max(width, 1)
  const isShown = (box: Box): boolean => drawing === null || !isBlank(box, drawing, scale)
  const upright = (of: readonly Char[]): Word[] =>
    wordsOf(of.map((char) => ({ ...char, box: uprightBox(char.box, quarter, width, height) })))
  const isTurned = quarter % 2 === 1
  const size: Page['size'] = isTurned ? [height, width] : [width, height]
  const back = ((4 - quarter) % 4) as Char['quarter']
  const words = upright(chars.filter(isSeen)).filter(
    ({ box }) => isOnPage(box, ...size) && isShown(uprightBox(box, back, ...size)),
  )
  const sides = ([1, 3] as const).flatMap((step) => {
    const side = ((quarter + step) % 4) as Char['quarter']
    const sideSize: Page['size'] = side % 2 === 1 ? [height, width] : [width, height]
    const shownBox = (box: Box): Box => uprightBox(box, ((4 - side) % 4) as Char['quarter'], ...sideSize)
    const written = wordsOf(
      chars
        .filter((char) => !char.isInvisible && char.quarter === side)
        .map((char) => ({ ...char, box: uprightBox(char.box, side, width, height) })),
    ).filter(({ box }) => isOnPage(box, ...sideSize) && isShown(shownBox(box)))
    return linesOf(written.slice(0, SIDE_WORD_LIMIT)).map((line) =>
      line.map((word) => ({ ...word, box: uprightBox(shownBox(word.box), quarter, width, height) })),
    )
  })
  const needsOcr = shortage(chars, words)
  // An invisible layer is the reading of another program: never exact text.
  const layer =
    needsOcr === 'invisible_layer' ? upright(chars.filter((char) => char.quarter === quarter)) : null
  const readings = [(layer ?? words).slice(0, PAGE_WORD_LIMIT)]
  const turn = ((4 - quarter) % 4) * 90
  return {
    page: {
      index,
      size,
      source: layer ? 'ocr' : 'text',
      turn: turn as Page['turn'],
      readings,
      ...(sides.length > 0 ? { sides } : {}),
    },
    needsOcr,
  }
}
