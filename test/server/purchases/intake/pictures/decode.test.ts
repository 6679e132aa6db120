/**
 * Decoding of pictures. The samples show a grey bar at the top, black at the left and light grey at the right; other
 * programs wrote them: cjpeg and exiftool (held on its side), cwebp, heif-enc, and libtiff (a page in CCITT Group 4, one
 * in LZW, one in JPEG).
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decodePictures } from '../../../../../server/purchases/intake/pictures/decode.ts'
import { drawnJpeg } from '../../../../../server/purchases/intake/pictures/draw-jpeg.ts'
import type { Grey } from '../../../../../server/purchases/intake/pictures/grey.ts'
import {
  jpegFrame,
  pictureFormatOf,
  statedOrientation,
  statedSize,
} from '../../../../../server/purchases/intake/pictures/header.ts'
import * as hostile from '../../../../support/files/hostile-files.ts'
import { greyPng } from '../../../../support/files/page-pictures.ts'
import { JPEGS } from '../../../../support/files/pictures.ts'

const sample = (name: string): Buffer => readFileSync(new URL(`../samples/${name}`, import.meta.url))

async function pagesOf(bytes: Uint8Array): Promise<Grey[]> {
  const pages: Grey[] = []
  for await (const page of decodePictures(bytes)) pages.push(page)
  return pages
}

const at = ({ width, data }: Grey, x: number, y: number): number => data[y * width + x] ?? -1
/** Returns the levels of the three areas of a sample that stands upright. */
const levels = (page: Grey): number[] => [at(page, 48, 6), at(page, 10, 40), at(page, 80, 40)]
const why = (bytes: Uint8Array): Promise<unknown> =>
  pagesOf(bytes).then(
    () => 'decoded',
    (error: { why?: string }) => error.why ?? 'error',
  )

describe('a picture', () => {
  test.each(['picture.webp', 'picture.heic'])('%s is decoded to grey', async (name) => {
    const [page, ...more] = await pagesOf(sample(name))
    expect(more).toEqual([])
    expect(page).toMatchObject({ width: 96, height: 64 })
    levels(page!).forEach((level, index) => expect(level).toBeCloseTo([128, 16, 240][index]!, -0.7))
  })

  test('in JPEG is turned as its camera was held', async () => {
    const [page] = await pagesOf(sample('picture.jpg'))
    expect(page).toMatchObject({ width: 64, height: 96 })
    // The top is at the right.
    expect([at(page!, 58, 48), at(page!, 24, 10), at(page!, 24, 80)]).toEqual([128, 16, 240])
  })

  test('in TIFF has pages of different compression', async () => {
    const pages = await pagesOf(sample('pages.tif'))
    expect(pages.map(levels)).toEqual([
      [255, 0, 255],
      [128, 16, 240],
      [128, 16, 240],
    ])
  })

  test('in PNG and JPEG by other programs is decoded', async () => {
    const grey = { width: 3, height: 2, data: Uint8Array.of(0, 50, 100, 150, 200, 250) }
    expect(await pagesOf(greyPng(grey))).toEqual([grey])
    for (const jpeg of [JPEGS.baseline, JPEGS.progressive, JPEGS.grey])
      expect(await pagesOf(jpeg)).toMatchObject([{ width: 32, height: 20 }])
  })
})

describe('a JPEG drawn by PDFium', () => {
  test('is the same picture as decoded, in the size that is needed', async () => {
    const jpeg = sample('picture.jpg')
    const frame = jpegFrame(jpeg)
    expect(frame).toEqual({ width: 96, height: 64, components: 3 })
    const whole = await drawnJpeg(jpeg, frame!, 1_000_000)
    expect(whole).toMatchObject({ width: 96, height: 64 })
    levels(whole).forEach((level, index) => expect(Math.abs(level - [128, 16, 240][index]!)).toBeLessThan(4))
    expect(await drawnJpeg(jpeg, frame!, 1_536)).toMatchObject({ width: 48, height: 32 })
    const grey = await drawnJpeg(JPEGS.grey, jpegFrame(JPEGS.grey)!, 1_000)
    expect(Math.abs(at(grey, 4, 10) - at((await pagesOf(JPEGS.grey))[0]!, 4, 10))).toBeLessThan(4)
  })

  test('may be one for printing', async () => {
    const [cmyk] = await pagesOf(JPEGS.cmyk)
    const [rgb] = await pagesOf(JPEGS.baseline)
    expect(cmyk).toMatchObject({ width: 32, height: 20 })
    // Blue on the left is darker than orange on the right.
    expect(at(cmyk!, 4, 10)).toBeLessThan(at(cmyk!, 28, 10))
    expect(at(rgb!, 4, 10)).toBeLessThan(at(rgb!, 28, 10))
  })

  test('that is damaged gives no picture', async () => {
    const broken = { width: 96, height: 64, components: 2 }
    await expect(drawnJpeg(sample('picture.jpg'), broken, 1_000)).rejects.toMatchObject({ why: 'broken' })
  })
})

describe('the header', () => {
  test('states format, size and orientation', () => {
    const cases = [
      ['picture.jpg', 'jpeg', 6],
      ['picture.webp', 'webp', 1],
      ['picture.heic', 'heic', 1],
    ] as const
    for (const [name, format, orientation] of cases) {
      expect(pictureFormatOf(sample(name))).toBe(format)
      expect(statedSize(sample(name), format)).toEqual({ width: 96, height: 64 })
      expect(statedOrientation(sample(name), format)).toBe(orientation)
    }
    expect(pictureFormatOf(sample('pages.tif'))).toBe('tiff')
    expect(pictureFormatOf(Buffer.from('%PDF-1.7 and more text'))).toBeNull()
  })

  test('cut at any place never leads outside of the file', () => {
    for (const name of ['picture.jpg', 'picture.webp', 'picture.heic'] as const) {
      const whole = sample(name)
      const format = pictureFormatOf(whole)
      if (format === null || format === 'tiff') throw new Error('wrong sample')
      for (let length = 16; length < Math.min(whole.length, 700); length++) {
        const cut = whole.subarray(0, length)
        expect(() => [statedSize(cut, format), statedOrientation(cut, format)]).not.toThrow()
      }
    }
  })
})

describe('a hostile picture', () => {
  test.each(Object.entries(hostile.pictures).filter(([title]) => title.includes('hundred million')))(
    '%s is refused by its header',
    async (_title, make) => {
      expect(await why(make())).toBe('too_large')
    },
  )

  test('of a size beyond the limit in any format is refused before it is decoded', async () => {
    const jpeg = Buffer.from(JPEGS.baseline)
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
    jpeg.writeUInt16BE(30_000, frame + 5)
    jpeg.writeUInt16BE(30_000, frame + 7)
    const heic = sample('picture.heic')
    heic.writeUInt32BE(30_000, heic.indexOf('ispe') + 8)
    heic.writeUInt32BE(30_000, heic.indexOf('ispe') + 12)
    const tiff = sample('pages.tif')
    const directory = tiff.readUInt32LE(4)
    for (let entry = directory + 2; entry < directory + 2 + 12 * tiff.readUInt16LE(directory); entry += 12)
      if (tiff.readUInt16LE(entry) === 256 || tiff.readUInt16LE(entry) === 257) {
        tiff.writeUInt16LE(4, entry + 2)
        tiff.writeUInt32LE(30_000, entry + 8)
      }
    for (const bytes of [jpeg, heic, tiff]) expect(await why(bytes)).toBe('too_large')
  })

  test('that is cut, or is something else, is broken', async () => {
    expect(await why(Buffer.from('a letter, not a picture of one'))).toBe('broken')
    expect(await why(Buffer.alloc(0))).toBe('broken')
    expect(await why(sample('picture.heic').subarray(0, 40))).toBe('broken')
    expect(await why(sample('picture.jpg').subarray(0, 120))).toBe('broken')
    for (const name of ['picture.webp', 'pages.tif'])
      expect(await why(sample(name).subarray(0, 45)), name).not.toBe('decoded')
  })
})
