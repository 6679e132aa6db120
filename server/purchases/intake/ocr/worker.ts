/** Process that sees pages: decodes pictures of unknown origin, prepares them and reads their words under limits. */
import { constants, setPriority } from 'node:os'
import { collectGarbage } from '../../../platform/processes/memory.ts'
import { answerJobs, isOutOfMemory } from '../../../platform/processes/parsers.ts'
import { codesInGrey } from '../codes.ts'
import { decodePictures } from '../pictures/decode.ts'
import type { Grey } from '../pictures/grey.ts'
import { pictureHash } from '../pictures/hash.ts'
import { andThen, scaling } from '../pictures/homography.ts'
import { prepared } from '../pictures/prepare.ts'
import { UnreadableFile } from '../read-result.ts'
import { startEngine } from './engine.ts'
import type { OcrEngine } from './engine.ts'
import type { OcrJob, OcrPart, OcrReply } from './messages.ts'
import { drawPdfPages } from './pdf-pages.ts'
import { readPage } from './read-page.ts'
import type { ReadingStep } from './read-page.ts'

/** The engine slowly loses memory. */
const MOST_PAGES = 50

let engine: OcrEngine | null = null
let engineLanguages = ''
let pagesRead = 0
let isBroken = false

async function engineFor(languages: OcrJob['languages']): Promise<OcrEngine> {
  const wanted = languages.join('+')
  if (engine === null || engineLanguages !== wanted) {
    engine = await startEngine(languages)
    engineLanguages = wanted
  }
  return engine
}

type Send = (part: OcrPart) => Promise<void>

async function seePage(
  source: { grey: Grey; index: number },
  pages: number,
  position: number,
  { job: { languages }, hasCodes }: { job: OcrJob; hasCodes: boolean },
  send: Send,
): Promise<void> {
  const report = (step: 'preparation' | ReadingStep): void =>
    void send({ progress: { page: position, pages, step } })
  report('preparation')
  const sheet = prepared(source.grey)
  // The decoder's memory would remain in use during the readings.
  collectGarbage(true)
  const page = readPage(sheet, source.index, await engineFor(languages), report)
  const { width, height } = source.grey
  page.toShown = andThen(page.toSource, scaling(1 / width, 1 / height))
  page.pictureHash = pictureHash(sheet.grey)
  if (hasCodes) page.codes = await codesInGrey(source.grey)
  pagesRead += 1
  await send({ seen: page })
  // As would the copies for the engine during the next decoding.
  collectGarbage(true)
}

/** Returns true for a PNG or JPEG, whose codes are read without decoding it here. */
const isReadElsewhere = ([first, second]: Uint8Array): boolean =>
  (first === 0x89 && second === 0x50) || (first === 0xff && second === 0xd8)

async function see(job: OcrJob, send: Send): Promise<void> {
  if (Buffer.from(job.bytes.subarray(0, 1024)).includes('%PDF-')) {
    let pages = 0
    let position = 0
    const drawing = drawPdfPages(job.bytes, job.pages, (count) => (pages = count))
    for await (const page of drawing) await seePage(page, pages, ++position, { job, hasCodes: false }, send)
    return
  }
  let index = 0
  const hasCodes = !isReadElsewhere(job.bytes)
  for await (const grey of decodePictures(job.bytes)) {
    await seePage({ grey, index }, index + 1, index + 1, { job, hasCodes }, send)
    index += 1
  }
}

/** Returns true for an error of an allocation, also of one within WebAssembly. */
const lacksMemory = (error: unknown): boolean =>
  isOutOfMemory(error) || /\bOOM\b|out of memory|memory access out of bounds/i.test(String(error))

async function answer(job: OcrJob, sendPart: (part: unknown) => Promise<void>): Promise<OcrReply> {
  try {
    await see(job, sendPart)
    return { done: true }
  } catch (error) {
    if (error instanceof UnreadableFile) return { unreadable: error.why }
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'MODULE_NOT_FOUND') return { missing: message.split('\n', 1)[0] ?? '' }
    // A module that failed may be left in any state.
    isBroken = true
    return { unreadable: lacksMemory(error) ? 'too_large' : 'broken' }
  }
}

const OWN_PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL

if (process.argv.includes('--parser=ocr')) {
  try {
    setPriority(OWN_PRIORITY)
  } catch {
    // Some systems do not allow it; the process then competes with the program.
  }
  answerJobs<OcrJob, OcrReply>('ocr', answer, () => isBroken || pagesRead >= MOST_PAGES)
}
