/** Evens the light of a photographed sheet: shadows and vignettes go, ink stays. Pure. */
import { newGrey, otsuLevel, resized } from './grey.ts'
import type { Grey } from './grey.ts'

const BLOCK = 16
/** A sheet whose darkest paper is brighter than this is even enough. */
const EVEN = 236
/** The paper becomes nearly white. */
const WHITE = 250

/** Returns the brightest value within `radius` blocks of each, row by row, then column by column. */
function localMaximum({ width, height, data }: Grey, radius: number): Grey {
  const rows = newGrey(width, height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let most = 0
      for (let at = Math.max(0, x - radius); at <= Math.min(width - 1, x + radius); at++)
        most = Math.max(most, data[y * width + at]!)
      rows.data[y * width + x] = most
    }
  const result = newGrey(width, height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let most = 0
      for (let at = Math.max(0, y - radius); at <= Math.min(height - 1, y + radius); at++)
        most = Math.max(most, rows.data[at * width + x]!)
      result.data[y * width + x] = most
    }
  return result
}

/** Returns the mean within `radius` of each pixel. */
function blurred({ width, height, data }: Grey, radius: number): Grey {
  const result = newGrey(width, height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0
      let count = 0
      for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++)
        for (let u = Math.max(0, x - radius); u <= Math.min(width - 1, x + radius); u++) {
          sum += data[v * width + u]!
          count += 1
        }
      result.data[y * width + x] = sum / count + 0.5
    }
  return result
}

/** Returns the picture divided by the brightness of the paper around each place. */
export function withEvenLight(grey: Grey): Grey {
  if (isTooSmall(grey)) return grey
  const paper = paperOf(grey, 3, 2)
  return paper.data.every((level) => level >= EVEN) ? grey : dividedBy(grey, paper)
}

const isTooSmall = ({ width, height }: Grey): boolean => width < BLOCK * 4 || height < BLOCK * 4

/** Returns the brightness of the paper at each block: the brightest near it, so that letters do not count. */
function paperOf(grey: Grey, radius: number, blur: number): Grey {
  const small = resized(grey, Math.ceil(grey.width / BLOCK), Math.ceil(grey.height / BLOCK))
  return blurred(localMaximum(small, radius), blur)
}

/** Where the level that parts dark from bright is higher, it parts shades of the paper, not ink from paper. */
const MOST_INK = 200
/** What is brighter is paper with its grain; as dark as this share of all pixels is ink. */
const GRAIN = 228
const INK_SHARE = 0.002

/**
 * Returns a page whose faded print is darker again. The engine, as other steps here, parts ink from paper by one level
 * for the page; on a page with pale ink that level falls among the rests of shadows and the grain of the paper.
 */
export function withClearInk(grey: Grey): Grey {
  if (isTooSmall(grey) || otsuLevel(grey) <= MOST_INK) return grey
  const even = dividedBy(grey, paperOf(grey, 1, 1))
  const counts = new Float64Array(256)
  for (const level of even.data) counts[level]! += 1
  let ink = 0
  for (let below = counts[0]!; below < even.data.length * INK_SHARE && ink < GRAIN - 1; below += counts[ink]!)
    ink += 1
  const levels = Uint8Array.from({ length: 256 }, (_, level) =>
    Math.min(255, Math.max(0, Math.round(((level - ink) * 255) / (GRAIN - ink)))),
  )
  return { ...even, data: even.data.map((level) => levels[level]!) }
}

/** Returns the picture divided by the brightness of its blocks. */
function dividedBy(grey: Grey, paper: Grey): Grey {
  const { width, height } = grey
  const result = newGrey(width, height)
  const line = new Float32Array(width)
  for (let y = 0; y < height; y++) {
    // The brightness between the centres of the blocks is interpolated.
    const v = Math.min(paper.height - 1, Math.max(0, (y + 0.5) / BLOCK - 0.5))
    const top = Math.floor(v)
    const down = v - top
    const row = top * paper.width
    const next = Math.min(paper.height - 1, top + 1) * paper.width
    for (let x = 0; x < width; x++) {
      const u = Math.min(paper.width - 1, Math.max(0, (x + 0.5) / BLOCK - 0.5))
      const left = Math.floor(u)
      const right = Math.min(paper.width - 1, left + 1)
      const across = u - left
      line[x] =
        (paper.data[row + left]! * (1 - across) + paper.data[row + right]! * across) * (1 - down) +
        (paper.data[next + left]! * (1 - across) + paper.data[next + right]! * across) * down
    }
    for (let x = 0; x < width; x++) {
      const level = (grey.data[y * width + x]! * WHITE) / Math.max(line[x]!, 24)
      result.data[y * width + x] = level > 255 ? 255 : level
    }
  }
  return result
}
