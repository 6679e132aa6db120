/** Prepares a picture of a page for OCR: the sheet is cut out, straightened, evenly lit and freed of rules. Pure. */
import { withDarkAreasTurned } from './dark-areas.ts'
import { withDarkStrip } from './dark-strip.ts'
import { resized } from './grey.ts'
import type { Grey } from './grey.ts'
import { andThen, homographyOf, IDENTITY, rotation, scaling, warped } from './homography.ts'
import type { Matrix, Point, Quad } from './homography.ts'
import { withClearInk, withEvenLight } from './light.ts'
import { paperIn } from './paper.ts'
import { withoutRules } from './rules.ts'
import { skewOf } from './skew.ts'
import { textHeightOf } from './text-height.ts'

interface Prepared {
  grey: Grey
  /** Maps a point of the prepared picture to the source. */
  toSource: Matrix
}

export interface PreparedPage extends Prepared {
  /** Typical height of capitals and digits in pixels; null for a page with few letters. */
  textHeight: number | null
}

/** Pixels of a prepared page: A4 at 300 dpi has 8.7 million. */
export const MAX_DRAWN_PIXELS = 9_000_000
/** A smaller lean does not disturb the reading. */
const LEAST_SKEW_DEGREES = 0.25
/** Lines that lean more are those of a picture around the sheet, whose corners are kept. */
const MOST_SKEW_ON_SHEET = 6.5

const distance = ([x, y]: Point, [u, v]: Point): number => Math.hypot(x - u, y - v)

/** Returns the size of the sheet in pixels: its longer edges, so that nothing of it is lost. */
function sheetSize([topLeft, topRight, bottomRight, bottomLeft]: Quad): [width: number, height: number] {
  const width = Math.max(distance(topLeft, topRight), distance(bottomLeft, bottomRight))
  const height = Math.max(distance(topLeft, bottomLeft), distance(topRight, bottomRight))
  return [Math.round(width), Math.round(height)]
}

function cutOut(picture: Grey, quad: Quad): Prepared | null {
  const [width, height] = sheetSize(quad)
  const corners: Quad = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ]
  const toSource = homographyOf(corners, quad)
  return toSource && { grey: warped(picture, toSource, width, height), toSource }
}

/** Returns the picture with no more pixels than the engine should get. */
function withinLimit({ grey, toSource }: Prepared): Prepared {
  const { width, height } = grey
  const scale = Math.sqrt(MAX_DRAWN_PIXELS / (width * height))
  if (scale >= 1) return { grey, toSource }
  const small = resized(grey, Math.floor(width * scale), Math.floor(height * scale))
  return { grey: small, toSource: andThen(scaling(width / small.width, height / small.height), toSource) }
}

/** Returns the picture with its lines level. After a small turn corners are lost: they hold no text. */
export function deskewed({ grey, toSource }: Prepared): Prepared {
  const degrees = skewOf(grey)
  if (Math.abs(degrees) < LEAST_SKEW_DEGREES) return { grey, toSource }
  const { width, height } = grey
  const back = rotation(degrees, [width / 2, height / 2])
  if (Math.abs(degrees) <= MOST_SKEW_ON_SHEET)
    return { grey: warped(grey, back, width, height), toSource: andThen(back, toSource) }
  const radians = (Math.abs(degrees) * Math.PI) / 180
  const wide = Math.ceil(width * Math.cos(radians) + height * Math.sin(radians))
  const high = Math.ceil(height * Math.cos(radians) + width * Math.sin(radians))
  const moved: Matrix = [1, 0, (width - wide) / 2, 0, 1, (height - high) / 2, 0, 0, 1]
  const grown = andThen(moved, back)
  return withinLimit({ grey: warped(grey, grown, wide, high), toSource: andThen(grown, toSource) })
}

/** Height of text in pixels where none was measured: 10 points at 300 dpi. */
const COMMON_TEXT_PX = 28

/** Prepares a picture that stands upright or turned by a quarter. */
export function prepared(picture: Grey): PreparedPage {
  const whole: Prepared = withinLimit({ grey: picture, toSource: IDENTITY })
  const quad = paperIn(whole.grey)
  const cut = quad && cutOut(whole.grey, withDarkStrip(whole.grey, quad))
  const sheet = cut ? { grey: cut.grey, toSource: andThen(cut.toSource, whole.toSource) } : whole
  const { grey, toSource } = deskewed({
    grey: withClearInk(withEvenLight(withDarkAreasTurned(sheet.grey))),
    toSource: sheet.toSource,
  })
  const textHeight = textHeightOf(grey)
  return { grey: withoutRules(grey, textHeight ?? COMMON_TEXT_PX), toSource, textHeight }
}
