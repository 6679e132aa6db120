/** Grey pictures, one byte a pixel, and the operations on them. Pure. */

export interface Grey {
  width: number
  height: number
  /** Rows from the top, 0 is black. */
  data: Uint8Array
}

/** Clockwise turn in degrees. */
export type Turn = 0 | 90 | 180 | 270

/** Returns an empty (black) picture. */
export function newGrey(width: number, height: number): Grey {
  return { width, height, data: new Uint8Array(width * height) }
}

/** Returns the luminance of RGBA pixels on white paper. */
export function greyOfRgba(rgba: Uint8Array | Uint8ClampedArray, width: number, height: number): Grey {
  const grey = newGrey(width, height)
  const { data } = grey
  for (let at = 0, from = 0; at < data.length; at++, from += 4) {
    // Weights of ITU-R BT.601, in 256ths.
    const luminance = (77 * rgba[from]! + 150 * rgba[from + 1]! + 29 * rgba[from + 2]!) >> 8
    const alpha = rgba[from + 3]!
    data[at] = alpha === 255 ? luminance : 255 + ((((luminance - 255) * alpha) / 255) | 0)
  }
  return grey
}

/** Returns the picture turned clockwise. */
export function turned(grey: Grey, turn: Turn): Grey {
  if (turn === 0) return grey
  const { width, height, data } = grey
  const result = turn === 180 ? newGrey(width, height) : newGrey(height, width)
  const out = result.data
  let from = 0
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const pixel = data[from++]!
      if (turn === 180) out[out.length - from] = pixel
      else if (turn === 90) out[x * height + (height - 1 - y)] = pixel
      else out[(width - 1 - x) * height + y] = pixel
    }
  return result
}

/** Returns the picture mirrored left to right. */
function mirrored(grey: Grey): Grey {
  const { width, height, data } = grey
  const result = newGrey(width, height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) result.data[y * width + x] = data[y * width + width - 1 - x]!
  return result
}

/** Returns the picture as its camera held it, from the orientation of EXIF (1 to 8, TIFF 6.0 section 8). */
export function uprightOf(grey: Grey, orientation: number): Grey {
  const turns: Readonly<Record<number, Turn>> = { 3: 180, 4: 180, 5: 90, 6: 90, 7: 270, 8: 270 }
  const upright = turned(grey, turns[orientation] ?? 0)
  return [2, 4, 5, 7].includes(orientation) ? mirrored(upright) : upright
}

/** Returns the picture in another size: means when it shrinks, linear interpolation when it grows. */
export function resized(grey: Grey, width: number, height: number): Grey {
  if (width === grey.width && height === grey.height) return grey
  return width < grey.width ? shrunk(grey, width, height) : grown(grey, width, height)
}

function shrunk(grey: Grey, width: number, height: number): Grey {
  const result = newGrey(width, height)
  // Columns and rows are weighted by the part that falls into the target pixel, in two passes.
  const columns = weightsOf(grey.width, width)
  const rows = weightsOf(grey.height, height)
  const line = new Float32Array(width)
  for (let y = 0; y < height; y++) {
    line.fill(0)
    for (let r = rows.first[y]!; r <= rows.last[y]!; r++) {
      const share = shareOf(rows, y, r)
      const start = r * grey.width
      for (let x = 0; x < width; x++) {
        const first = columns.first[x]!
        const last = columns.last[x]!
        let sum = grey.data[start + first]! * shareOf(columns, x, first)
        for (let c = first + 1; c < last; c++) sum += grey.data[start + c]!
        if (last > first) sum += grey.data[start + last]! * shareOf(columns, x, last)
        line[x]! += sum * share
      }
    }
    const area = columns.ratio * rows.ratio
    for (let x = 0; x < width; x++) result.data[y * width + x] = line[x]! / area + 0.5
  }
  return result
}

interface Weights {
  ratio: number
  first: Int32Array
  last: Int32Array
}

function weightsOf(from: number, to: number): Weights {
  const ratio = from / to
  const first = new Int32Array(to)
  const last = new Int32Array(to)
  for (let at = 0; at < to; at++) {
    first[at] = Math.floor(at * ratio)
    last[at] = Math.min(from - 1, Math.ceil((at + 1) * ratio) - 1)
  }
  return { ratio, first, last }
}

/** Returns the part of a source pixel that lies within a target pixel. */
const shareOf = ({ ratio }: Weights, target: number, source: number): number =>
  Math.min((target + 1) * ratio, source + 1) - Math.max(target * ratio, source)

function grown(grey: Grey, width: number, height: number): Grey {
  const result = newGrey(width, height)
  const { data } = grey
  for (let y = 0; y < height; y++) {
    const v = Math.min(grey.height - 1, Math.max(0, ((y + 0.5) * grey.height) / height - 0.5))
    const top = Math.floor(v)
    const down = v - top
    const row = top * grey.width
    const next = Math.min(grey.height - 1, top + 1) * grey.width
    for (let x = 0; x < width; x++) {
      const u = Math.min(grey.width - 1, Math.max(0, ((x + 0.5) * grey.width) / width - 0.5))
      const left = Math.floor(u)
      const right = Math.min(grey.width - 1, left + 1)
      const across = u - left
      const upper = data[row + left]! * (1 - across) + data[row + right]! * across
      const lower = data[next + left]! * (1 - across) + data[next + right]! * across
      result.data[y * width + x] = upper * (1 - down) + lower * down + 0.5
    }
  }
  return result
}

/** Returns the picture with no more than `most` pixels on its longer side. */
export function shrunkTo(grey: Grey, most: number): Grey {
  const scale = Math.min(1, most / Math.max(grey.width, grey.height))
  return resized(
    grey,
    Math.max(1, Math.round(grey.width * scale)),
    Math.max(1, Math.round(grey.height * scale)),
  )
}

/** Returns the level that separates dark from bright pixels best (Otsu 1979). */
export function otsuLevel({ data }: Grey): number {
  const counts = new Float64Array(256)
  for (const pixel of data) counts[pixel]! += 1
  let sum = 0
  for (let level = 0; level < 256; level++) sum += level * counts[level]!
  let below = 0
  let sumBelow = 0
  let best = 127
  let bestSpread = -1
  for (let level = 0; level < 255; level++) {
    below += counts[level]!
    sumBelow += level * counts[level]!
    const above = data.length - below
    if (below === 0 || above === 0) continue
    const spread = below * above * (sumBelow / below - (sum - sumBelow) / above) ** 2
    if (spread > bestSpread) {
      bestSpread = spread
      best = level
    }
  }
  return best
}
