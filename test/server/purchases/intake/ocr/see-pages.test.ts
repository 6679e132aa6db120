/** OCR in its own process: small pages as scanners and phones show them, hostile files, cancel, and a killed engine. */
import { readdirSync, readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endIdleParsers, idleParsers } from '../../../../../server/platform/processes/parsers.ts'
import { seePages } from '../../../../../server/purchases/intake/ocr/see-pages.ts'
import type { SeenPage } from '../../../../../server/purchases/intake/ocr/read-page.ts'
import type { OcrProgress } from '../../../../../server/purchases/intake/ocr/messages.ts'
import { turned } from '../../../../../server/purchases/intake/pictures/grey.ts'
import type { Grey } from '../../../../../server/purchases/intake/pictures/grey.ts'
import { mapped, rotation, warped } from '../../../../../server/purchases/intake/pictures/homography.ts'
import type { Point } from '../../../../../server/purchases/intake/pictures/homography.ts'
import {
  greyPng,
  INVOICE_LINES,
  INVOICE_NUMBERS,
  inShadow,
  onTable,
  pageOf,
  pdfOf,
} from '../../../../support/files/page-pictures.ts'
import { PNG_SIGNATURE, pngChunk, pngHeader } from '../../../../support/files/pictures.ts'
import { inLongRun, swept } from '../../../../support/sweep.ts'

/** A busy machine must not end a reading. */
const PATIENT = { readingMs: 120_000, documentMs: 240_000 }
const SLOW = { timeout: 240_000 }

let page: Grey
beforeAll(async () => {
  page = await pageOf(INVOICE_LINES)
})
afterAll(endIdleParsers)

const see = (bytes: Uint8Array, options: Parameters<typeof seePages>[1] = {}): Promise<SeenPage[]> =>
  seePages(bytes, options, PATIENT)

const wordsOf = (seen: SeenPage | undefined): string[] =>
  (seen?.readings.flat() ?? []).map(({ t }) => t.replace(/[.,;:]+$/, ''))

const whyOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'seen',
    (error: { details?: { why?: string }; message: string }) => error.details?.why ?? error.message,
  )

/** Returns the process ids of the OCR processes of this one. */
function ocrProcesses(): number[] {
  return readdirSync('/proc/self/task')
    .flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' '))
    .filter(Boolean)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--parser=ocr'))
    .map(Number)
}

const lean = (grey: Grey, degrees: number): Grey =>
  warped(grey, rotation(-degrees, [grey.width / 2, grey.height / 2]), grey.width, grey.height)

describe('a page', SLOW, () => {
  const SHEETS: [title: string, turn: number, make: () => Grey][] = [
    ['as scanned', 0, () => page],
    ['on its side', 270, () => turned(page, 90)],
    ['upside down', 180, () => turned(page, 180)],
    ['on its other side', 90, () => turned(page, 270)],
    ['leaning by 3 degrees', 0, () => lean(page, 3)],
    [
      'on a table, seen from a corner, half in shadow',
      0,
      () =>
        inShadow(
          onTable(
            page,
            [
              [160, 120],
              [1330, 90],
              [1400, 930],
              [80, 960],
            ],
            1480,
            1040,
          ),
          1,
          0.5,
        ),
    ],
  ]
  test.each(swept(SHEETS, ([title]) => title !== 'on its other side' && title !== 'on its side'))(
    '%s is read twice, each word in its place',
    async (_title, turn, make) => {
      const progress: OcrProgress[] = []
      const pages = await see(greyPng(make()), { onProgress: (each) => progress.push(each) })
      expect(pages).toHaveLength(1)
      const [seen] = pages
      expect(seen).toMatchObject({ index: 0, source: 'ocr', turn })
      expect(seen?.readings).toHaveLength(2)
      for (const number of INVOICE_NUMBERS) expect(wordsOf(seen)).toContain(number)
      expect(progress.map(({ step }) => step)).toEqual(
        expect.arrayContaining(['preparation', 'first reading', 'second reading']),
      )
      // The total is below the base, and right of its label.
      const boxOf = (text: string): readonly number[] =>
        seen?.readings[0]?.find(({ t }) => t.includes(text))?.box ?? [NaN, NaN, NaN, NaN]
      expect(boxOf('984,37')[1]).toBeGreaterThan(boxOf('813,53')[3]!)
      expect(boxOf('984,37')[0]).toBeGreaterThan(boxOf('FACTURA')[2]!)
    },
  )

  test('knows where in the picture each word was', async () => {
    const upsideDown = turned(page, 180)
    const [seen] = await see(greyPng(upsideDown))
    const [plain] = await see(greyPng(page))
    const centre = (of: SeenPage | undefined): Point => {
      const box = of?.readings[0]?.find(({ t }) => t === '984,37')?.box ?? [0, 0, 0, 0]
      return mapped(of?.toSource ?? [1, 0, 0, 0, 1, 0, 0, 0, 1], [
        (box[0] + box[2]) / 2,
        (box[1] + box[3]) / 2,
      ])
    }
    const [x, y] = centre(seen)
    const [u, v] = centre(plain)
    expect(Math.hypot(upsideDown.width - x - u, upsideDown.height - y - v)).toBeLessThan(8)
  })
})

describe('a PDF', SLOW, () => {
  test('is seen only where it has no text', async () => {
    const scan = greyPng(page)
    const size: [number, number] = [420, 300]
    const mixed = await pdfOf(INVOICE_LINES, { size, pictures: [scan] })
    const pages = await see(mixed)
    expect(pages.map(({ index }) => index)).toEqual([1])
    for (const number of INVOICE_NUMBERS) expect(wordsOf(pages[0])).toContain(number)
    expect(pages[0]?.size).toEqual([1750, 1250])
    expect(await see(await pdfOf(INVOICE_LINES))).toEqual([])
    expect((await see(mixed, { pages: [0] })).map(({ index }) => index)).toEqual([0])
  })

  test('with a password or of nonsense is refused', async () => {
    expect(await whyOf(see(Buffer.from('%PDF-1.7\nnothing that a reader knows')))).toBe('broken')
  })
})

test('other languages are loaded when they are asked for', SLOW, async () => {
  const galician = await pageOf([
    'Data de emisión da factura',
    'Base impoñible 813,53',
    'Total a pagar 984,37',
  ])
  const [seen] = await see(greyPng(galician), { languages: ['glg', 'spa'] })
  expect(wordsOf(seen)).toEqual(expect.arrayContaining(['impoñible', '813,53', '984,37']))
})

describe('a hostile file', SLOW, () => {
  /** Returns a PNG of this size that packs to a few kilobytes. */
  const bomb = (width: number, height: number): Buffer =>
    Buffer.concat([
      PNG_SIGNATURE,
      pngHeader({ width, height, type: 'grey', depth: 1 }),
      pngChunk('IDAT', deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 })),
      pngChunk('IEND', Buffer.alloc(0)),
    ])
  const FILES: [title: string, why: RegExp, make: () => Buffer | Promise<Buffer>][] = [
    ['of four hundred million pixels', /^too_large$/, () => bomb(20_000, 20_000)],
    ['that is cut', /^broken$/, () => greyPng(page).subarray(0, 5_000)],
    ['that is no picture', /^broken$/, () => Buffer.from('PK\x03\x04 and then nothing that is a picture')],
    ['that is empty', /^broken$/, () => Buffer.alloc(0)],
    ['that is too large', /^too_large$/, () => Buffer.alloc(26 * 1024 * 1024)],
  ]
  test.each(FILES)('%s is refused', async (_title, why, make) => {
    expect(await whyOf(see(await make()))).toMatch(why)
  })

  inLongRun(test)(
    'of sixty million pixels is seen or refused, within the memory of the process',
    async () => {
      expect(await whyOf(see(bomb(7_700, 7_700)))).toMatch(/^(?:seen|too_large)$/)
    },
  )

  test('of noise is read as a page with hardly any words', async () => {
    const noise = page.data.map((_, at) => ((at * 2_654_435_761) >>> 11) & 0xff)
    const small = { width: 400, height: 300, data: noise.subarray(0, 120_000) }
    const [seen] = await see(greyPng(small))
    expect(seen?.readings[0]?.length).toBeLessThan(200)
  })
})

// Processes are found in /proc.
describe.skipIf(process.platform !== 'linux')('the engine', SLOW, () => {
  test('that is killed gives a fault, and the next document is read', async () => {
    const killed = whyOf(
      see(greyPng(page), {
        onProgress: ({ step }) => {
          if (step === 'first reading') ocrProcesses().forEach((pid) => process.kill(pid, 'SIGKILL'))
        },
      }),
    )
    expect(await killed).toBe('too_large')
    expect(wordsOf((await see(greyPng(page)))[0])).toContain('984,37')
  })

  test('is cancelled in the middle of a reading, and is gone', async () => {
    const cancel = new AbortController()
    const start = performance.now()
    let cancelledAt = Infinity
    const cancelled = whyOf(
      see(greyPng(page), {
        signal: cancel.signal,
        onProgress: ({ step }) => {
          if (step !== 'first reading') return
          cancelledAt = performance.now()
          cancel.abort(new Error('the person closed the window'))
        },
      }),
    )
    expect(await cancelled).toBe('the person closed the window')
    expect(performance.now() - cancelledAt).toBeLessThan(5_000)
    expect(start).toBeLessThan(cancelledAt)
    expect(ocrProcesses()).toEqual([])
  })

  test('that takes too long is ended', async () => {
    expect(await whyOf(seePages(greyPng(page), {}, { readingMs: 30, documentMs: 60_000 }))).toBe('too_slow')
    expect(await whyOf(seePages(greyPng(page), {}, { readingMs: 60_000, documentMs: 30 }))).toBe('too_slow')
    expect(ocrProcesses()).toEqual([])
  })

  test('stays warm between documents, and the program goes on meanwhile', async () => {
    await see(greyPng(page))
    const [before] = ocrProcesses()
    let longestMs = 0
    let last = performance.now()
    const timer = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last)
      last = performance.now()
    }, 5)
    await see(greyPng(page))
    clearInterval(timer)
    expect(ocrProcesses()).toEqual([before])
    expect(idleParsers()).toBe(1)
    // The limit is 250 ms; a busy machine delays the timers too.
    expect(longestMs).toBeLessThan(1_000)
  })
})
