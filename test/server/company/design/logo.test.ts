/** Real-world logos: the stored picture is opaque, small and contains only pixels; unusable files are rejected. */
import { deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import { readLogo } from '../../../../server/company/design/logo.ts'
import { AppError } from '../../../../server/domain/errors/app-error.ts'
import { dice } from '../../../support/seeded-random.ts'
import {
  discPng,
  JPEGS,
  jpegSegment,
  png,
  PNG_SIGNATURE,
  pngChunk,
  pngHeader,
} from '../../../support/files/pictures.ts'
import type { PngSpec } from '../../../support/files/pictures.ts'
import { swept, sweptCount } from '../../../support/sweep.ts'

type Rgb = readonly [number, number, number]

/** Returns why a file is rejected; any other error fails the test. */
function refusal(bytes: Buffer): unknown {
  try {
    readLogo(bytes)
  } catch (error) {
    if (error instanceof AppError && error.code === 'logo_unusable') return error.details?.why
    throw error
  }
  return null
}

function pixelsOf(bytes: Uint8Array): (x: number, y: number) => Rgb {
  const { width, data } = PNG.sync.read(Buffer.from(bytes))
  return (x, y) => {
    const [red = -1, green = -1, blue = -1] = data.subarray(4 * (y * width + x))
    return [red, green, blue]
  }
}

function chunkNames(bytes: Uint8Array): string[] {
  const file = Buffer.from(bytes)
  const names: string[] = []
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    names.push(file.toString('latin1', at + 4, at + 8))
  return names
}

const SIZE = { width: 21, height: 19 }
const onWhite = (colour: Rgb, alpha: number): Rgb => {
  const mix = (sample: number): number => Math.round(sample * alpha + 255 * (1 - alpha))
  return [mix(colour[0]), mix(colour[1]), mix(colour[2])]
}
const grey = (value: number): Rgb => [value, value, value]

/** Each kind of file, and the colour of a pixel on the document. */
const kinds: Record<string, Omit<PngSpec, 'width' | 'height'> & { shown: (x: number, y: number) => Rgb }> = {
  RGB: {
    type: 'rgb',
    depth: 8,
    pixel: (x, y) => [x * 12, y * 13, 77],
    shown: (x, y) => [x * 12, y * 13, 77],
  },
  'RGB with alpha': {
    type: 'rgba',
    depth: 8,
    pixel: (x, y) => [200, y * 10, 30, x * 12],
    shown: (x, y) => onWhite([200, y * 10, 30], (x * 12) / 255),
  },
  'RGB with a transparent colour': {
    type: 'rgb',
    depth: 8,
    transparency: [0, 9, 0, 8, 0, 7],
    pixel: (x) => (x % 2 === 0 ? [9, 8, 7] : [90, 80, 70]),
    shown: (x) => (x % 2 === 0 ? [255, 255, 255] : [90, 80, 70]),
  },
  'RGB of 16 bits with alpha': {
    type: 'rgba',
    depth: 16,
    pixel: (x, y) => [x * 257, y * 257, 100 * 257, (x % 2) * 65_535],
    shown: (x, y) => (x % 2 === 1 ? [x, y, 100] : [255, 255, 255]),
  },
  'grey of 1 bit': {
    type: 'grey',
    depth: 1,
    pixel: (x, y) => [(x + y) % 2],
    shown: (x, y) => grey(255 * ((x + y) % 2)),
  },
  'grey of 2 bits': {
    type: 'grey',
    depth: 2,
    pixel: (x) => [x % 4],
    shown: (x) => grey(85 * (x % 4)),
  },
  'grey of 4 bits with a transparent one': {
    type: 'grey',
    depth: 4,
    transparency: [0, 3],
    pixel: (x) => [x % 16],
    shown: (x) => grey(x % 16 === 3 ? 255 : 17 * (x % 16)),
  },
  'grey of 8 bits': { type: 'grey', depth: 8, pixel: (x) => [x * 12], shown: (x) => grey(x * 12) },
  'grey of 16 bits': {
    type: 'grey',
    depth: 16,
    pixel: (x) => [x * 12 * 257],
    shown: (x) => grey(x * 12),
  },
  'grey with alpha': {
    type: 'greyAlpha',
    depth: 8,
    pixel: (x, y) => [y * 13, x * 12],
    shown: (x, y) => onWhite(grey(y * 13), (x * 12) / 255),
  },
  'a palette of 4 bits, one of its colours half transparent': {
    type: 'palette',
    depth: 4,
    palette: [255, 0, 0, 0, 128, 0, 10, 20, 30],
    transparency: [255, 128],
    pixel: (x) => [x % 3],
    shown: (x) =>
      [[255, 0, 0] as const, onWhite([0, 128, 0], 128 / 255), [10, 20, 30] as const][x % 3] ?? grey(0),
  },
  'a palette of 8 bits': {
    type: 'palette',
    depth: 8,
    palette: Array.from({ length: 768 }, (_, at) => at % 256),
    pixel: (x, y) => [(x * y) % 256],
    shown: (x, y) => {
      const first = (3 * ((x * y) % 256)) % 256
      return [first, (first + 1) % 256, (first + 2) % 256]
    },
  },
}

describe('a PNG', () => {
  const cases = Object.entries(kinds).flatMap(([name, kind]) =>
    [false, true].map(
      (interlaced) => [`${name}${interlaced ? ', interlaced' : ''}`, { ...kind, interlaced }] as const,
    ),
  )
  test.each(cases)('is flattened on white: %s', (_name, { shown, ...spec }) => {
    const logo = readLogo(png({ ...SIZE, ...spec }))
    expect(logo).toMatchObject({ mediaType: 'image/png', ...SIZE })
    const at = pixelsOf(logo.bytes)
    for (let y = 0; y < SIZE.height; y++)
      for (let x = 0; x < SIZE.width; x++) expect(at(x, y), `${x},${y}`).toEqual(shown(x, y))
  })

  test('is stored in RGB of 8 bits, with nothing but its pixels', () => {
    const said = [
      pngChunk('tEXt', Buffer.from('Author\0Ana Ruiz')),
      pngChunk('gAMA', Buffer.from([0, 0, 177, 143])),
      pngChunk('eXIf', Buffer.from('MM\0*')),
    ]
    const file = png({ ...SIZE, type: 'rgba', depth: 8, pixel: () => [1, 2, 3, 200], extra: said })
    const { bytes, sha256 } = readLogo(Buffer.concat([file, Buffer.from('what hangs behind')]))
    expect(new Set(chunkNames(bytes))).toEqual(new Set(['IHDR', 'IDAT', 'IEND']))
    expect([...Buffer.from(bytes).subarray(24, 29)]).toEqual([8, 2, 0, 0, 0])
    expect(sha256.equals(readLogo(file).sha256)).toBe(true)
  })

  test('is compressed well, because every document contains it', () => {
    const pixel = (x: number, y: number): number[] => [x % 256, y % 256, (x * y) % 256]
    const file = png({ width: 600, height: 200, type: 'rgb', depth: 8, pixel })
    expect(readLogo(file).bytes.length).toBeLessThan(file.length / 2)
  })

  test('may have from 16 to 2,000 pixels a side', () => {
    const plain = { type: 'grey', depth: 1, pixel: () => [1] } as const
    expect(refusal(png({ width: 16, height: 2000, ...plain }))).toBeNull()
    expect(refusal(png({ width: 15, height: 40, ...plain }))).toBe('too_small')
    expect(refusal(png({ width: 40, height: 0, ...plain }))).toBe('too_small')
    expect(refusal(png({ width: 2001, height: 16, ...plain }))).toBe('too_large')
  })

  test('that would exceed the limit once its palette is expanded is rejected', () => {
    const drawn = dice(7)
    const noise = png({
      width: 1000,
      height: 1000,
      type: 'palette',
      depth: 8,
      palette: Array.from({ length: 768 }, () => drawn.below(256)),
      pixel: () => [drawn.below(256)],
    })
    expect(noise.length).toBeLessThan(1024 * 1024)
    expect(refusal(noise)).toBe('too_large')
  })
})

/** Returns a file whose pixels decompress to `bytes` zeros, whatever its header states. */
function bomb(spec: Omit<PngSpec, 'pixel'>, bytes: number, before: Buffer[] = []): Buffer {
  return Buffer.concat([
    PNG_SIGNATURE,
    ...before,
    pngHeader(spec),
    pngChunk('IDAT', deflateSync(Buffer.alloc(bytes))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns by how much `work` raises the peak memory of this process, in MiB. */
function memoryOf(work: () => void): number {
  const before = process.resourceUsage().maxRSS
  work()
  return (process.resourceUsage().maxRSS - before) / 1024
}

describe('a decompression bomb', () => {
  const huge = { width: 30_000, height: 30_000, type: 'rgba', depth: 8 } as const
  const small = { width: 64, height: 64, type: 'rgba', depth: 8 } as const

  test('is detected by its header, before decompression', () => {
    const file = bomb(huge, 1000)
    expect(memoryOf(() => expect(refusal(file)).toBe('too_large'))).toBeLessThan(50)
  })

  test('with a small header before the huge one is rejected', () => {
    const file = bomb(huge, 1000, [pngHeader(small)])
    expect(memoryOf(() => expect(refusal(file)).toBe('broken'))).toBeLessThan(50)
  })

  test.each(swept([false, true], (interlaced) => !interlaced))(
    'behind a small header is not decompressed (interlaced: %s)',
    (interlaced) => {
      const file = bomb({ ...small, interlaced }, 400 * 2 ** 20)
      expect(memoryOf(() => expect(refusal(file)).toBe('broken'))).toBeLessThan(50)
    },
  )
})

describe('a JPEG', () => {
  test.each(['baseline', 'progressive', 'grey'] as const)('%s is stored unchanged', (kind) => {
    const logo = readLogo(JPEGS[kind])
    expect(logo).toMatchObject({ mediaType: 'image/jpeg', width: 32, height: 20 })
    expect(Buffer.from(logo.bytes).equals(JPEGS[kind])).toBe(true)
  })

  test('loses everything in and after it except the picture', () => {
    const plain = JPEGS.progressive
    const secondScan = plain.indexOf(Buffer.from([0xff, 0xda]), plain.indexOf(Buffer.from([0xff, 0xda])) + 2)
    const laden = Buffer.concat([
      plain.subarray(0, 2),
      jpegSegment(0xe1, Buffer.from('Exif\0\0GPS 40.4168 N')),
      jpegSegment(0xe2, Buffer.from('ICC_PROFILE')),
      jpegSegment(0xed, Buffer.from('Photoshop 3.0')),
      Buffer.from([0xff, 0xff]),
      plain.subarray(2, secondScan),
      jpegSegment(0xfe, Buffer.from('a comment between two scans')),
      plain.subarray(secondScan),
      Buffer.from('PK a file behind the picture \xff\xd9', 'latin1'),
    ])
    expect(Buffer.from(readLogo(laden).bytes).equals(plain)).toBe(true)
  })

  test('in CMYK is rejected', () => {
    expect(refusal(JPEGS.cmyk)).toBe('cmyk')
  })

  test('of a kind that no PDF can show is rejected', () => {
    const start = JPEGS.baseline.indexOf(Buffer.from([0xff, 0xc0]))
    const changed = (at: number, value: number): Buffer => {
      const copy = Buffer.from(JPEGS.baseline)
      copy[start + at] = value
      return copy
    }
    expect(refusal(changed(1, 0xc3)), 'lossless').toBe('type')
    expect(refusal(changed(1, 0xc9)), 'arithmetic').toBe('type')
    expect(refusal(changed(4, 12)), '12 bits').toBe('type')
    expect(refusal(changed(5, 8)), '2,068 high').toBe('too_large')
    expect(refusal(changed(6, 15)), '15 high').toBe('too_small')
    expect(refusal(changed(9, 2)), 'two components').toBe('broken')
  })

  test('with two frames, or without pixels, is rejected', () => {
    const { baseline } = JPEGS
    const frame = baseline.indexOf(Buffer.from([0xff, 0xc0]))
    const scan = baseline.indexOf(Buffer.from([0xff, 0xda]))
    const twice = [baseline.subarray(0, scan), baseline.subarray(frame, frame + 19), baseline.subarray(scan)]
    expect(refusal(Buffer.concat(twice))).toBe('broken')
    expect(refusal(Buffer.concat([baseline.subarray(0, scan), Buffer.from([0xff, 0xd9])]))).toBe('broken')
  })
})

describe('a file of another kind', () => {
  test.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['GIF', 'GIF89a\x10\0\x10\0'],
    ['WebP', 'RIFF\x24\0\0\0WEBPVP8 '],
    ['BMP', 'BM'],
    ['PDF', '%PDF-1.7'],
    ['nothing', ''],
    ['half a signature', '\x89PNG\r\n'],
    ['half of the other', '\xff\xd8'],
  ])('is rejected by its first bytes: %s', (_name, text) => {
    expect(refusal(Buffer.from(text, 'latin1'))).toBe('type')
  })
})

describe('a damaged file', () => {
  const ROUNDS = sweptCount(1500, 250)
  const spec = { width: 40, height: 24, type: 'rgba', depth: 8 } as const
  const pixel = (x: number, y: number): number[] => [x * 6, y * 10, (x * y) % 256, 255 - x]
  const files: Record<string, Buffer> = {
    'a PNG': png({ ...spec, pixel }),
    'an interlaced PNG': png({ ...spec, pixel, interlaced: true }),
    'a PNG with a palette': png({
      ...SIZE,
      ...kinds['a palette of 4 bits, one of its colours half transparent']!,
    }),
    'a JPEG': JPEGS.baseline,
    'a progressive JPEG': JPEGS.progressive,
  }

  test.each(Object.entries(files))('cut anywhere is rejected: %s', (_name, file) => {
    for (let length = 0; length < file.length; length++)
      expect(refusal(file.subarray(0, length)), `at ${length}`).toMatch(/^(broken|type)$/)
  })

  test.each(Object.entries(files))('is rejected or read, without any other effect: %s', (_name, file) => {
    const drawn = dice(file.length)
    const start = performance.now()
    for (let round = 0; round < ROUNDS; round++) {
      const copy = Buffer.from(file)
      // The signature stays, so that the damage gets as far as possible.
      for (let flips = 1 + drawn.below(4); flips > 0; flips--)
        copy[3 + drawn.below(copy.length - 3)] = drawn.below(256)
      refusal(copy)
    }
    expect(performance.now() - start).toBeLessThan(20_000)
  })

  test('with valid checksums is rejected or read, without any other effect', () => {
    const drawn = dice(11)
    for (let round = 0; round < ROUNDS; round++) {
      const header = Buffer.from(pngHeader({ ...spec, interlaced: drawn.chance(0.5) }).subarray(8, 21))
      header[drawn.chance(0.7) ? 8 + drawn.below(5) : drawn.below(13)] = drawn.below(256)
      const packed = deflateSync(Buffer.alloc(drawn.below(6000), drawn.below(256)))
      if (drawn.chance(0.5)) packed[drawn.below(packed.length)] = drawn.below(256)
      const palette = Buffer.alloc(drawn.below(800), 1)
      refusal(
        Buffer.concat([
          PNG_SIGNATURE,
          pngChunk('IHDR', header),
          ...(drawn.chance(0.5) ? [pngChunk('PLTE', palette)] : []),
          ...(drawn.chance(0.5) ? [pngChunk('tRNS', Buffer.alloc(drawn.below(9)))] : []),
          pngChunk('IDAT', packed),
          pngChunk('IEND', Buffer.alloc(0)),
        ]),
      )
    }
  })

  test('is readable before it is damaged', () => {
    for (const [name, file] of Object.entries(files)) expect(refusal(file), name).toBeNull()
    expect(refusal(discPng())).toBeNull()
  })
})
