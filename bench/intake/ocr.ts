/**
 * Measures the OCR on documents whose words are known: `node bench/intake/ocr.ts CORPUS [--only TEXT] [--every N] [--words]`. A corpus
 * is a folder of `NAME.pdf` with exact text, beside `NAME.s300.png`, `NAME.s200.jpg` and `NAME.photo.jpg` of the same page,
 * or of `NAME-p1`, `NAME-p2`, … for several.
 *
 * A truth word is one of two or more characters, with a digit, in the text of the PDF, without punctuation around it. It
 * is found if a reading holds the same word; each word of a reading counts once. For figures of one core, run it with `taskset -c 0`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { endIdleParsers } from '../../server/platform/processes/parsers.ts'
import { seePages } from '../../server/purchases/intake/ocr/see-pages.ts'
import type { Word } from '../../server/purchases/intake/pages/page.ts'

const VARIANTS: Readonly<Record<string, string>> = {
  s300: '.s300.png',
  s200: '.s200.jpg',
  photo: '.photo.jpg',
}
const MEGABYTE = 1024
/** A busy machine must not end the measurement. */
const PATIENT = { readingMs: 600_000, documentMs: 3_600_000 }

const bare = (word: string): string =>
  word
    .normalize('NFC')
    .replaceAll(/[‐‑‒–—−]/g, '-')
    .replaceAll(/^[^\p{L}\p{N}-]+|[^\p{L}\p{N}%]+$/gu, '')

/** Returns the words with a digit and how often each is there. */
function counted(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words.map(bare).filter((each) => each.length > 1 && /\d/.test(each)))
    counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Returns the truth words that no reading holds. */
function missing(truth: ReadonlyMap<string, number>, readings: readonly Word[][]): string[] {
  const found = readings.map((words) => counted(words.map(({ t }) => t)))
  return [...truth].flatMap(([word, times]) => {
    const most = Math.max(0, ...found.map((counts) => counts.get(word) ?? 0))
    return Array.from({ length: Math.max(0, times - most) }, () => word)
  })
}

async function truthOf(library: PDFiumLibrary, file: string, page: number): Promise<Map<string, number>> {
  const document = await library.loadDocument(readFileSync(file))
  const words = document.getPage(page).getText().split(/\s+/)
  document.destroy()
  return counted(words)
}

/** Returns the resident peak in MiB and the processor time in seconds of the OCR process; null without `/proc`. */
function ocrProcess(): { pid: number; peakMb: number; cpuSeconds: number } | null {
  try {
    for (const task of readdirSync('/proc/self/task'))
      for (const pid of readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean)) {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--parser=ocr')) continue
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        const times = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
        return {
          pid: Number(pid),
          peakMb: Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / MEGABYTE,
          // In hundredths of a second.
          cpuSeconds: (Number(times[11]) + Number(times[12])) / 100,
        }
      }
  } catch {
    // Not Linux.
  }
  return null
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`

interface MeasureOptions {
  only: string
  /** Measures only each n-th picture. */
  every: number
  showWords: boolean
}

async function measure(corpus: string, { only, every, showWords }: MeasureOptions): Promise<void> {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm'))
  const library = await PDFiumLibrary.init({ wasmBinary: new Uint8Array(wasm).buffer })
  console.log('variant pages words one two either s/page(median) p95 cpu/page rss')
  for (const [variant, ending] of Object.entries(VARIANTS)) {
    const sum = { pages: 0, words: 0, missed: [0, 0, 0] }
    const seconds: number[] = []
    const processor: number[] = []
    let peakMb = 0
    const files = readdirSync(corpus).filter((file) => file.endsWith(ending) && file.includes(only))
    for (const file of files.filter((_, position) => position % every === 0)) {
      const [, name = '', number = '1'] = /^(.*?)(?:-p(\d+))?$/.exec(file.slice(0, -ending.length)) ?? []
      const truth = await truthOf(library, join(corpus, `${name}.pdf`), Number(number) - 1)
      const before = ocrProcess()
      const start = performance.now()
      const [page] = await seePages(readFileSync(join(corpus, file)), {}, PATIENT)
      seconds.push((performance.now() - start) / 1000)
      const after = ocrProcess()
      if (after !== null) {
        peakMb = Math.max(peakMb, after.peakMb)
        processor.push(after.cpuSeconds - (before?.pid === after.pid ? before.cpuSeconds : 0))
      }
      const [one = [], two = []] = page?.readings ?? []
      sum.pages += 1
      for (const times of truth.values()) sum.words += times
      const missed = [missing(truth, [one]), missing(truth, [two]), missing(truth, [one, two])]
      missed.forEach((words, at) => (sum.missed[at]! += words.length))
      if (showWords) console.log(`${file}: ${missed[2]?.join(' ')}`)
    }
    const shares = sum.missed.map((missed) => percent(sum.words - missed, sum.words))
    const p95 = seconds.toSorted((a, b) => a - b)[Math.ceil(seconds.length * 0.95) - 1] ?? 0
    console.log(
      `${variant} ${sum.pages} ${sum.words} ${shares.join(' ')} ${median(seconds).toFixed(2)} ${p95.toFixed(2)} ${median(processor).toFixed(2)} ${Math.round(peakMb)} MB`,
    )
  }
  endIdleParsers()
  library.destroy()
}

const [corpus, ...options] = process.argv.slice(2)
if (corpus === undefined) throw new Error('Name the folder of the corpus.')
const valueOf = (name: string): string | undefined =>
  options.includes(name) ? options[options.indexOf(name) + 1] : undefined
await measure(corpus, {
  only: valueOf('--only') ?? '',
  every: Number(valueOf('--every') ?? 1),
  showWords: options.includes('--words'),
})
