/** Pictures of three colours, one byte each, and the operations that the distortions share. */
import { withPdf } from '../../../../server/purchases/intake/pages/pdfium.ts'
import type { Grey } from '../../../../server/purchases/intake/pictures/grey.ts'
import { greyOfRgba } from '../../../../server/purchases/intake/pictures/grey.ts'
import type { Dice } from '../dice.ts'

export interface Raster {
  width: number
  height: number
  /** Red, green and blue of each pixel, rows from the top. */
  data: Uint8Array
}

/** Draws the pages of a PDF at that resolution with the library that the product uses. */
export function drawPages(pdf: Uint8Array, dpi: number): Promise<Raster[]> {
  return withPdf(pdf, async (document) => {
    const pages: Raster[] = []
    for (let index = 0; index < document.getPageCount(); index++) {
      const { data, width, height } = await document
        .getPage(index)
        .render({ scale: dpi / 72, render: 'bitmap' })
      const rgb = new Uint8Array(width * height * 3)
      for (let at = 0, from = 0; at < rgb.length; at += 3, from += 4) {
        rgb[at] = data[from]!
        rgb[at + 1] = data[from + 1]!
        rgb[at + 2] = data[from + 2]!
      }
      pages.push({ width, height, data: rgb })
    }
    return pages
  })
}

export function greyOf({ width, height, data }: Raster): Grey {
  const rgba = new Uint8Array(width * height * 4)
  for (let at = 0, to = 0; at < data.length; at += 3, to += 4) {
    rgba[to] = data[at]!
    rgba[to + 1] = data[at + 1]!
    rgba[to + 2] = data[at + 2]!
    rgba[to + 3] = 255
  }
  return greyOfRgba(rgba, width, height)
}

/** Noise of a camera: normal deviates from a table, which is faster than drawing each. */
export class Noise {
  private readonly table = new Float32Array(65_536)
  private state: number
  constructor(dice: Dice) {
    for (let at = 0; at < this.table.length; at += 2) {
      // Box and Muller 1958.
      const radius = Math.sqrt(-2 * Math.log(1 - dice.next()))
      const angle = 2 * Math.PI * dice.next()
      this.table[at] = radius * Math.cos(angle)
      this.table[at + 1] = radius * Math.sin(angle)
    }
    this.state = dice.int(1, 2_000_000_000)
  }
  /** Returns 32 random bits (xorshift). */
  bits(): number {
    let x = this.state
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.state = x
    return x >>> 0
  }
  /** Returns a normal deviate. */
  next(): number {
    return this.table[this.bits() & 0xffff]!
  }
}

/** Smooth random values over the plane, about 0 to 1: interpolated between the points of a grid. */
export class Texture {
  private readonly grid = new Float32Array(64 * 64)
  constructor(dice: Dice) {
    for (let at = 0; at < this.grid.length; at++) this.grid[at] = dice.next()
  }
  at(x: number, y: number): number {
    const left = Math.floor(x)
    const top = Math.floor(y)
    const u = x - left
    const v = y - top
    const across = u * u * (3 - 2 * u)
    const down = v * v * (3 - 2 * v)
    const row = (top & 63) << 6
    const next = ((top + 1) & 63) << 6
    const a = this.grid[row + (left & 63)]!
    const b = this.grid[row + ((left + 1) & 63)]!
    const c = this.grid[next + (left & 63)]!
    const d = this.grid[next + ((left + 1) & 63)]!
    return (a * (1 - across) + b * across) * (1 - down) + (c * (1 - across) + d * across) * down
  }
  /** Adds three sizes of the texture. */
  rough(x: number, y: number): number {
    return this.at(x, y) * 0.55 + this.at(x * 2.7, y * 2.7) * 0.3 + this.at(x * 7.1, y * 7.1) * 0.15
  }
}

/** Blurs in place by a kernel [side, middle, side] in both directions. */
export function blur(data: Uint8Array, width: number, height: number, channels: number, side: number): void {
  const middle = 1 - 2 * side
  const stride = width * channels
  for (let y = 0; y < height; y++) {
    const start = y * stride
    const line = data.slice(start, start + stride)
    for (let at = channels; at < stride - channels; at++)
      data[start + at] = line[at - channels]! * side + line[at]! * middle + line[at + channels]! * side + 0.5
  }
  let above = data.slice(0, stride)
  for (let y = 1; y < height - 1; y++) {
    const start = y * stride
    const line = data.slice(start, start + stride)
    for (let at = 0; at < stride; at++)
      data[start + at] = above[at]! * side + line[at]! * middle + data[start + stride + at]! * side + 0.5
    above = line
  }
}
