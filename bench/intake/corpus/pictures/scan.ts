/** What a scanner makes of a page: a slight turn, specks, dirt on the glass. */
import { newGrey } from '../../../../server/purchases/intake/pictures/grey.ts'
import type { Grey } from '../../../../server/purchases/intake/pictures/grey.ts'
import { rotation, warped } from '../../../../server/purchases/intake/pictures/homography.ts'
import type { Dice } from '../dice.ts'
import { blur, greyOf, Noise } from './raster.ts'
import type { Raster } from './raster.ts'

/** Lays a page on the glass: turned by up to `most` degrees; a roll lies somewhere on an A4 bed or is cut out. */
function laid(page: Raster, dice: Dice, dpi: number, most: number): Grey {
  const grey = greyOf(page)
  const angle = dice.between(-most, most)
  const isRoll = grey.width < 5 * dpi
  if (!isRoll || dice.chance(0.4))
    return warped(grey, rotation(angle, [grey.width / 2, grey.height / 2]), grey.width, grey.height)
  const width = Math.round(8.27 * dpi)
  const height = Math.max(Math.round(11.69 * dpi), grey.height)
  const bed = warped(grey, rotation(angle * 1.5, [grey.width / 2, grey.height / 2]), grey.width, grey.height)
  const sheet = newGrey(width, height)
  sheet.data.fill(255)
  const left = dice.int(0, width - grey.width)
  const top = dice.int(0, height - grey.height)
  for (let y = 0; y < bed.height; y++)
    sheet.data.set(bed.data.subarray(y * bed.width, (y + 1) * bed.width), (top + y) * width + left)
  return sheet
}

/** Returns the grey levels and the level of white of a scan in black and white at 300 dpi. */
export function bitScan(page: Raster, dice: Dice): { grey: Grey; level: number } {
  const grey = laid(page, dice, 300, 0.9)
  const { width, height, data } = grey
  const noise = new Noise(dice)
  blur(data, width, height, 1, dice.between(0.1, 0.28))
  const rough = dice.between(8, 26)
  for (let at = 0; at < data.length; at++) {
    // Only edges are rough: paper stays white and ink black.
    const pixel = data[at]!
    if (pixel > 20 && pixel < 235) data[at] = Math.max(0, Math.min(255, pixel + noise.next() * rough))
  }
  const specks = dice.int(20, 420)
  for (let speck = 0; speck < specks; speck++) {
    const x = dice.int(0, width - 4)
    const y = dice.int(0, height - 4)
    const size = dice.of([1, 1, 1, 2, 2, 3])
    const ink = dice.chance(0.8) ? 0 : 255
    for (let v = 0; v < size; v++) for (let u = 0; u < size; u++) data[(y + v) * width + x + u] = ink
  }
  // Dirt on the strip of a document feeder draws a line.
  if (dice.chance(0.15)) {
    const x = dice.int(60, width - 60)
    for (let y = 0; y < height; y++) if (noise.next() < 1.2) data[y * width + x] = 0
  }
  return { grey, level: dice.int(135, 200) }
}

/** Returns a grey scan at 200 dpi: not quite white paper, a dark edge, what stands on the back. */
export function greyScan(page: Raster, dice: Dice): Grey {
  const grey = laid(page, dice, 200, 1.1)
  const { width, height, data } = grey
  const noise = new Noise(dice)
  blur(data, width, height, 1, dice.between(0.06, 0.2))
  const paper = dice.int(232, 252)
  const ink = dice.int(8, 60)
  const rough = dice.between(1.5, 5)
  const back = dice.chance(0.4) ? dice.between(0.02, 0.07) : 0
  const edge = dice.chance(0.5) ? dice.int(4, 18) : 0
  const source = Uint8Array.from(data)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      let level = ink + (source[at]! / 255) * (paper - ink)
      if (back > 0) level -= (255 - source[y * width + (width - 1 - x)]!) * back
      if (x < edge) level *= 0.35 + (0.65 * x) / edge
      data[at] = Math.max(0, Math.min(255, level + noise.next() * rough))
    }
  return grey
}
