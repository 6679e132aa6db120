/**
 * Every document as a picture, drawn by an independent program (PDFium) and compared with a reviewed picture.
 * Differences are saved as pictures under `differences/`. `SELLO_NEW_PICTURES=1` writes the reference pictures again:
 * review them before committing.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderInvoice } from '../../../../server/documents/pdf/paint/render.ts'
import { samples } from './samples.ts'
import { swept } from '../../../support/sweep.ts'

const SCALE = 0.75
/** Another build's anti-aliasing may move an edge; a moved word differs in thousands of pixels. */
const MAX_DIFFERENT = 60
const PAGES_SHOWN = 2

const folder = join(import.meta.dirname, 'pictures')
const differences = join(import.meta.dirname, 'differences')
const writesAnew = process.env.SELLO_NEW_PICTURES === '1'

let library: PDFiumLibrary
beforeAll(async () => {
  const path = createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm')
  const bytes = readFileSync(path)
  library = await PDFiumLibrary.init({
    wasmBinary: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
  })
  rmSync(differences, { recursive: true, force: true })
})
afterAll(() => library.destroy())

/** Reduces a channel to sixteen levels, which are enough for comparison and keep the files small. */
const coarse = (channel = 0): number => Math.round(channel / 17) * 17

/** Returns the first pages, one below the other. */
async function pictureOf(pdf: Buffer): Promise<PNG> {
  const document = await library.loadDocument(new Uint8Array(pdf))
  const drawn: { data: Uint8Array; width: number; height: number }[] = []
  for (const page of [...document.pages()].slice(0, PAGES_SHOWN))
    drawn.push(await page.render({ scale: SCALE, render: 'bitmap' }))
  document.destroy()
  const width = Math.max(...drawn.map((page) => page.width))
  const picture = new PNG({ width, height: drawn.reduce((sum, page) => sum + page.height, 0) })
  picture.data.fill(255)
  let top = 0
  for (const page of drawn) {
    for (let y = 0; y < page.height; y++)
      for (let x = 0; x < page.width; x++) {
        const from = (y * page.width + x) * 4
        const to = ((top + y) * width + x) * 4
        // PDFium writes blue first.
        picture.data[to] = coarse(page.data[from + 2])
        picture.data[to + 1] = coarse(page.data[from + 1])
        picture.data[to + 2] = coarse(page.data[from])
      }
    top += page.height
  }
  return picture
}

const packed = (picture: PNG): Buffer => PNG.sync.write(picture, { colorType: 2, deflateLevel: 9 })

/** Returns the number of differing pixels, and a picture of them. */
function compare(one: PNG, other: PNG): { count: number; picture: PNG } {
  const { width, height } = one
  const picture = new PNG({ width, height })
  if (other.width !== width || other.height !== height) return { count: width * height, picture: one }
  const count = pixelmatch(one.data, other.data, picture.data, width, height, { threshold: 0.2 })
  return { count, picture }
}

describe('the picture of each document', () => {
  // Each kind of paper, several pages, odd characters and a picture stand for the others.
  const chosen = [
    ...['short', 'lines150', 'unicode', 'design', 'simplified', 'draft', 'rectifying', 'ticket', 'quote'],
    ...['sandbox', 'withholding', 'manyRates', 'galician'],
  ]
  test.each(swept(Object.entries(samples), ([name]) => chosen.includes(name)))(
    'matches the reviewed one: %s',
    async (name, make) => {
      const drawn = await pictureOf(await renderInvoice(make()))
      const path = join(folder, `${name}.png`)
      if (writesAnew) {
        mkdirSync(folder, { recursive: true })
        writeFileSync(path, packed(drawn))
      }
      expect(existsSync(path), `${name}.png was never looked at`).toBe(true)
      const { count, picture } = compare(drawn, PNG.sync.read(readFileSync(path)))
      if (count > MAX_DIFFERENT) {
        mkdirSync(differences, { recursive: true })
        writeFileSync(join(differences, `${name}.png`), packed(picture))
        writeFileSync(join(differences, `${name}-now.png`), packed(drawn))
      }
      expect(count, `see test/server/pdf/differences/${name}.png`).toBeLessThanOrEqual(MAX_DIFFERENT)
    },
  )

  test('differs if one word does', async () => {
    const paper = samples.short!()
    const changed = { ...paper, dueDate: '2026-07-13' }
    const { count } = compare(
      await pictureOf(await renderInvoice(changed)),
      await pictureOf(await renderInvoice(paper)),
    )
    expect(count).toBeGreaterThan(0)
    const moved = { ...paper, client: { ...paper.client!, name: 'Conservas del Atlántico, S.A.' } }
    const shift = compare(
      await pictureOf(await renderInvoice(moved)),
      await pictureOf(await renderInvoice(paper)),
    )
    expect(shift.count).toBeGreaterThan(MAX_DIFFERENT)
  })
})
