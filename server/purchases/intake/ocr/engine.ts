/** The OCR engine: Tesseract as WebAssembly, with weights from the program's own files. Runs only in the OCR process. */
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { wasmOf } from '../codes.ts'
import { dataFile } from '../data-file.ts'
import type { Word } from '../pages/page.ts'
import type { Grey } from '../pictures/grey.ts'
import type { OcrLanguage } from './languages.ts'

/** Page segmentation of Tesseract: one column of text of different sizes, or as many words as possible in no order. */
export type Segmentation = 'column' | 'sparse'
const MODES: Readonly<Record<Segmentation, string>> = { column: '4', sparse: '11' }

/** Words of one page that are kept. */
const MAX_WORDS = 5_000
/** Only the neural network, not the older recognition by shapes. */
const NETWORK_ONLY = 1

/** The smallest module that uses a vector instruction. */
const VECTORS = Uint8Array.from([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98,
  11,
])

async function startTesseract(): Promise<Tesseract> {
  const silent = { print: () => {}, printErr: () => {} }
  if (WebAssembly.validate(VECTORS)) {
    const { default: start } = await import('tesseract.js-core/tesseract-core-simd-lstm.js')
    const file = 'tesseract-core-simd-lstm.wasm'
    return start({
      ...silent,
      wasmBinary: await wasmOf(file, `tesseract.js-core/${file}`),
    })
  }
  const { default: start } = await import('tesseract.js-core/tesseract-core-lstm.js')
  const file = 'tesseract-core-lstm.wasm'
  return start({ ...silent, wasmBinary: await wasmOf(file, `tesseract.js-core/${file}`) })
}

/** Returns the words of Tesseract's table: level, page, block, paragraph, line, word, box, confidence, text. */
function wordsOf(table: string): Word[] {
  const words: Word[] = []
  for (const row of table.split('\n')) {
    const [level, , , , , , left, top, width, height, confidence, text = ''] = row.split('\t')
    if (level !== '5') continue
    // Control and direction characters would change how the text is shown.
    const t = text.replaceAll(/\p{C}/gu, '').trim()
    if (t === '') continue
    const x = Number(left)
    const y = Number(top)
    words.push({
      t,
      box: [x, y, x + Number(width), y + Number(height)],
      conf: Math.round(Number(confidence) * 10) / 10,
    })
    if (words.length === MAX_WORDS) break
  }
  return words
}

const INPUT = '/input'

export interface OcrEngine {
  /** Returns the words of a picture with boxes in its pixels. Blocks the process for seconds. */
  read(grey: Grey, segmentation: Segmentation): Word[]
}

/** Starts the engine with the weights of the languages, the main one first. Throws if a data file is missing. */
export async function startEngine(languages: readonly OcrLanguage[]): Promise<OcrEngine> {
  const tesseract = await startTesseract()
  for (const language of languages) {
    const file = `${language}.traineddata`
    const packed = dataFile(`${file}.gz`, `@tesseract.js-data/${language}/4.0.0_best_int/${file}.gz`)
    tesseract.FS.writeFile(file, gunzipSync(await readFile(packed)))
  }
  const api = new tesseract.TessBaseAPI()
  if (api.Init(null, languages.join('+'), NETWORK_ONLY) !== 0)
    throw new Error('The OCR engine did not start.')
  for (const language of languages) tesseract.FS.unlink(`${language}.traineddata`)
  api.SetVariable('user_defined_dpi', '300')
  return {
    read({ width, height, data }, segmentation) {
      // A portable grey map: its header, then the pixels.
      tesseract.FS.writeFile(INPUT, Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data]))
      try {
        api.SetVariable('tessedit_pageseg_mode', MODES[segmentation])
        if (api.SetImageFile(1, 0) !== 0) throw new Error('The OCR engine refused the picture.')
        tesseract.FS.unlink(INPUT)
        if (api.Recognize(null) !== 0) throw new Error('The OCR engine failed.')
        return wordsOf(api.GetTSVText(0))
      } finally {
        api.Clear()
      }
    },
  }
}
