/**
 * Finds the dark strip at the head or along a side of a photographed sheet, such as that of a coloured letterhead: the sheet
 * was found without it, as the strip is as dark as the table. Unlike a table it holds small bright letters. Pure.
 */
import { otsuLevel, shrunkTo } from './grey.ts'
import type { Grey } from './grey.ts'
import { homographyOf, warped } from './homography.ts'
import type { Point, Quad } from './homography.ts'

/** Shapes of what is left of an A4 sheet without a strip at its head, and without one at its side. */
const HEADLESS = [1.08, 1.37] as const
const SIDELESS = [1.52, 2.4] as const
const A4 = Math.SQRT2
/** Pixels of the strip that is looked at, for each of the photograph. */
const SCALE = 0.5
/** Part of the strip beside the sheet, where the sheet's own rim may show. */
const RIM = 0.06
/** Share of the strip that letters cover, and of its lines in which there are some. */
const LEAST_BRIGHT = 0.002
const MOST_BRIGHT = 0.12
const LEAST_LINES = 0.02
/** In parts of the strip: letters have no longer strokes, other things on a table have. */
const LONGEST_ACROSS = 0.45
const LONGEST_ALONG = 0.06
/** The ground is so much darker than the paper. */
const GROUND = 0.6

const distance = ([x, y]: Point, [u, v]: Point): number => Math.hypot(x - u, y - v)
/** The point beyond `to`, seen from `from`, by a part of their distance. */
const beyond = ([x, y]: Point, [u, v]: Point, part: number): Point => [u + (u - x) * part, v + (v - y) * part]

/** Level of bright paper within the sheet. */
function paperLevel(picture: Grey): number {
  const { data, ...size } = shrunkTo(picture, 300)
  const level = otsuLevel({ data, ...size })
  const bright = data.filter((pixel) => pixel > level).toSorted()
  return bright[bright.length >> 1] ?? 255
}

/** Longest run of bright pixels along the rows of a picture, or along its columns. */
function longestRun({ width, height, data }: Grey, level: number, isDown: boolean): number {
  let longest = 0
  const [lines, length] = isDown ? [width, height] : [height, width]
  for (let line = 0; line < lines; line++)
    for (let at = 0, run = 0; at < length; at++) {
      run = data[isDown ? at * width + line : line * width + at]! > level ? run + 1 : 0
      if (run > longest) longest = run
    }
  return longest
}

/** True for a dark picture with small bright letters; `paper` is the level of paper in the same light. */
function holdsLetters(strip: Grey, paper: number): boolean {
  const { width, height, data } = strip
  const ground = data.toSorted()[data.length >> 1] ?? 255
  if (ground > paper * GROUND) return false
  const level = (ground + paper) / 2
  let bright = 0
  let lines = 0
  for (let row = 0; row < data.length; row += width) {
    let inLine = 0
    for (let x = 0; x < width; x++) if (data[row + x]! > level) inLine += 1
    bright += inLine
    if (inLine > 1) lines += 1
  }
  const share = bright / data.length
  return (
    share >= LEAST_BRIGHT &&
    share <= MOST_BRIGHT &&
    lines >= height * LEAST_LINES &&
    longestRun(strip, level, false) <= width * LONGEST_ACROSS &&
    longestRun(strip, level, true) <= height * LONGEST_ALONG
  )
}

/** How far a corner can be moved beyond a point, within the picture, in parts of their distance. */
function roomBeyond([u, v]: Point, [x, y]: Point, { width, height }: Grey): number {
  const along = (from: number, to: number, size: number): number =>
    to === from ? Infinity : to > from ? (size - to) / (to - from) : to / (from - to)
  return Math.max(0, Math.min(along(u, x, width), along(v, y, height)))
}

/** In parts of the sheet: less room beside it holds no strip. */
const LEAST_ROOM = 0.04

/** Returns the corners of the sheet with the strip beside one of its sides, if there is one. */
export function withDarkStrip(picture: Grey, quad: Quad): Quad {
  const [topLeft, topRight, bottomRight, bottomLeft] = quad
  const across = (distance(topLeft, topRight) + distance(bottomLeft, bottomRight)) / 2
  const down = (distance(topLeft, bottomLeft) + distance(topRight, bottomRight)) / 2
  const ratio = Math.max(down / across, across / down)
  const lies = ([least, most]: readonly [number, number]): boolean => ratio >= least && ratio <= most
  if (!lies(HEADLESS) && !lies(SIDELESS)) return quad
  const part = lies(HEADLESS) ? A4 / ratio - 1 : ratio / A4 - 1
  const isBeside = lies(SIDELESS) === down > across
  const paper = paperLevel(picture)
  const [depth, length] = isBeside ? [across, down] : [down, across]
  // The sides, each by its two corners, with the corner of the opposite side beside each.
  const sides = isBeside
    ? ([[0, 1, 3, 2], [1, 0, 2, 3]] as const) // prettier-ignore
    : ([[0, 3, 1, 2], [3, 0, 2, 1]] as const) // prettier-ignore
  for (const [first, beforeFirst, last, beforeLast] of sides) {
    const room = Math.min(
      part,
      roomBeyond(quad[beforeFirst], quad[first], picture),
      roomBeyond(quad[beforeLast], quad[last], picture),
    )
    if (room < LEAST_ROOM) continue
    const corner = (of: number, before: number, share: number): Point =>
      beyond(quad[before]!, quad[of]!, share)
    const size: [width: number, height: number] = [
      Math.round(depth * room * SCALE),
      Math.round(length * SCALE),
    ]
    const toPicture = homographyOf(
      [[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], // prettier-ignore
      [
        corner(first, beforeFirst, room * RIM),
        corner(first, beforeFirst, room),
        corner(last, beforeLast, room),
        corner(last, beforeLast, room * RIM),
      ],
    )
    if (toPicture === null || !holdsLetters(warped(picture, toPicture, ...size), paper)) continue
    const grown = [...quad] as Quad
    grown[first] = corner(first, beforeFirst, room)
    grown[last] = corner(last, beforeLast, room)
    return grown
  }
  return quad
}
