/** Reads one prepared picture twice: independent readings show where one of them may be wrong. */
import type { Page, Word } from '../pages/page.ts'
import { resized, shrunkTo, turned } from '../pictures/grey.ts'
import type { Grey, Turn } from '../pictures/grey.ts'
import { deskewed, MAX_DRAWN_PIXELS } from '../pictures/prepare.ts'
import type { PreparedPage } from '../pictures/prepare.ts'
import { andThen } from '../pictures/homography.ts'
import type { Matrix } from '../pictures/homography.ts'
import { textHeightOf } from '../pictures/text-height.ts'
import type { OcrEngine, Segmentation } from './engine.ts'

/** A page as the OCR saw it. */
export interface SeenPage extends Page {
  /**
   * Maps a point of the page to the picture in its file, in pixels after the orientation of EXIF, or for a PDF in
   * pixels of 1/300 inch: a matrix of 3 by 3, row by row.
   */
  toSource: Matrix
}

export type ReadingStep = 'first reading' | 'orientation' | 'second reading'

/** Words of a page that stands upright: at least so many certain ones of four letters or more. */
const FEWEST_LEGIBLE = 10
const LEGIBLE = 70
const ORIENTATION_PX = 1_300
/** Height of capitals and digits that the engine reads best, and heights that it still reads well. */
const BEST_PX = 30
const LEAST_PX = 20
const MOST_PX = 38
const MOST_SCALE = 2
const LEAST_SCALE = 0.3
/** A change smaller than this makes no difference. */
const SAME_SCALE = 0.06

const legibleCount = (words: readonly Word[]): number =>
  words.filter(({ t, conf }) => conf > LEGIBLE && (t.match(/\p{L}/gu)?.length ?? 0) >= 4).length

const TURNS: readonly Turn[] = [0, 90, 180, 270]

/** Returns the turn by which a picture stands upright: the one in which most words are read. */
function uprightTurn(grey: Grey, engine: OcrEngine, before: () => void): Turn {
  const small = shrunkTo(grey, ORIENTATION_PX)
  let best: Turn = 0
  let most = -1
  for (const turn of TURNS) {
    before()
    const found = legibleCount(engine.read(turned(small, turn), 'column'))
    if (found > most) {
      most = found
      best = turn
    }
  }
  return best
}

/** Returns the transformation of a picture turned by `turn` to the picture of this size before. */
function turnedBack({ width, height }: Grey, turn: Turn): Matrix {
  switch (turn) {
    case 0:
      return [1, 0, 0, 0, 1, 0, 0, 0, 1]
    case 90:
      return [0, 1, 0, -1, 0, height, 0, 0, 1]
    case 180:
      return [-1, 0, width, 0, -1, height, 0, 0, 1]
    case 270:
      return [0, -1, width, 1, 0, 0, 0, 0, 1]
  }
}

/** Returns the scale at which text is as high as the engine reads best, within the limit of pixels. */
function scaleFor({ grey: { width, height }, textHeight }: PreparedPage): number {
  if (textHeight === null) return 1
  const wanted = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, BEST_PX / textHeight))
  const scale = Math.min(wanted, Math.sqrt(MAX_DRAWN_PIXELS / (width * height)))
  return Math.abs(scale - 1) < SAME_SCALE ? 1 : scale
}

const scaledBack = (words: readonly Word[], scale: number): Word[] => {
  const back = (value: number): number => Math.round(value / scale)
  return words.map((word) => {
    const [x0, y0, x1, y1] = word.box
    return { ...word, box: [back(x0), back(y0), back(x1), back(y1)] }
  })
}

/** Reads a page at a scale; the boxes are those of the page. */
function readAt(
  scale: number,
  { grey }: PreparedPage,
  engine: OcrEngine,
  segmentation: Segmentation,
): Word[] {
  if (scale === 1) return engine.read(grey, segmentation)
  const [width, height] = [Math.round(grey.width * scale), Math.round(grey.height * scale)]
  return scaledBack(engine.read(resized(grey, width, height), segmentation), scale)
}

/** Returns the words of the first reading: of the picture as it is, unless its text is much too small or large. */
function firstReading(page: PreparedPage, engine: OcrEngine): Word[] {
  const { textHeight } = page
  const isReadable = textHeight === null || (textHeight >= LEAST_PX && textHeight <= MOST_PX)
  return readAt(isReadable ? 1 : scaleFor(page), page, engine, 'column')
}

/** Reads a picture twice; `before` is called before each step, which takes up to several seconds. */
export function readPage(
  prepared: PreparedPage,
  index: number,
  engine: OcrEngine,
  before: (step: ReadingStep) => void,
): SeenPage {
  before('first reading')
  let upright = prepared
  let turn: Turn = 0
  let first = firstReading(upright, engine)
  if (legibleCount(first) < FEWEST_LEGIBLE) {
    turn = uprightTurn(prepared.grey, engine, () => before('orientation'))
    if (turn !== 0) {
      const toSource = andThen(turnedBack(prepared.grey, turn), prepared.toSource)
      const { grey, toSource: straight } = deskewed({ grey: turned(prepared.grey, turn), toSource })
      upright = { grey, toSource: straight, textHeight: textHeightOf(grey) }
      before('first reading')
      first = firstReading(upright, engine)
    }
  }
  before('second reading')
  const second = readAt(scaleFor(upright), upright, engine, 'sparse')
  return {
    index,
    size: [upright.grey.width, upright.grey.height],
    source: 'ocr',
    turn,
    readings: [first, second],
    toSource: upright.toSource,
  }
}
