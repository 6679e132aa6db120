import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { extentOf, layOut, readableAccent } from '../../../../../server/documents/pdf/layout/index.ts'
import type { Mark, Page } from '../../../../../server/documents/pdf/layout/index.ts'
import type { InvoicePaper } from '../../../../../server/documents/pdf/paper.ts'
import { renderInvoice } from '../../../../../server/documents/pdf/paint/render.ts'
import { inLongRun, swept, sweptCount } from '../../../../support/sweep.ts'
import { needs } from '../../../../support/tools.ts'
import { readPdf } from '../pdf-reader.ts'
import type { ReadPdf } from '../pdf-reader.ts'
import { manyLines, QR_URL, samplePaper, samplePayment, samples } from '../samples.ts'

const names = Object.keys(samples)
/** Each kind of paper, several pages, odd characters and a picture stand for the others. */
const DRAWN = [
  'short',
  'lines150',
  'unicode',
  'design',
  'simplified',
  'draft',
  'rectifying',
  'ticket',
  'quote',
]
const chosen = swept(names, (name) => DRAWN.includes(name))

function sampleOf(name: string): InvoicePaper {
  const make = samples[name]
  if (!make) throw new Error(`no sample ${name}`)
  return make()
}

/** Returns the marks of each page. */
function marksOf(paper: InvoicePaper): Mark[][] {
  return layOut(paper).pages.map((page) => page.marks)
}

/** Drawn and read once for all tests, which change neither. */
const drawn = new Map<string, ReturnType<typeof renderInvoice>>()
const understood = new Map<string, Promise<ReadPdf>>()

function drawnSample(name: string): ReturnType<typeof renderInvoice> {
  const bytes = drawn.get(name) ?? renderInvoice(sampleOf(name))
  drawn.set(name, bytes)
  return bytes
}

function readSample(name: string): Promise<ReadPdf> {
  const pdf = understood.get(name) ?? drawnSample(name).then(readPdf)
  understood.set(name, pdf)
  return pdf
}

async function read(paper: InvoicePaper): Promise<ReadPdf> {
  return readPdf(await renderInvoice(paper))
}

function textOf(pdf: ReadPdf): string {
  return pdf.pages.map((page) => page.lines.join('\n')).join('\n')
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('the text of each page', () => {
  test.each(names)('%s', async (name) => {
    const { pages } = await readSample(name)
    // For very long documents the first, the second and the last page are enough.
    const shown = pages.flatMap((page, index) =>
      index < 2 || index === pages.length - 1
        ? [`--- page ${index + 1} of ${pages.length}`, ...page.lines]
        : [],
    )
    await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot(`../golden/${name}.txt`)
  })
})

describe('the file', () => {
  test.each(names)('%s embeds its fonts, has no actions, and has the given date', async (name) => {
    const paper = sampleOf(name)
    const { objects, trailer, pages } = await readSample(name)
    expect(pages.length).toBe(layOut(paper).pages.length)
    const sources = [...objects.values()].map((object) => object.source)
    for (const forbidden of [
      '/JavaScript',
      '/OpenAction',
      '/AA',
      '/URI',
      '/Launch',
      '/SubmitForm',
      '/AcroForm',
      '/Encrypt',
    ]) {
      expect(`${sources.join('\n')}${trailer}`).not.toMatch(new RegExp(`${forbidden}\\b`))
    }
    const descriptors = sources.filter((source) => source.includes('/Type /FontDescriptor'))
    expect(descriptors.length).toBe(3)
    for (const descriptor of descriptors) expect(descriptor).toMatch(/\/FontFile2 \d+ 0 R/)
    expect(sources.filter((source) => source.includes('/Subtype /Type1'))).toEqual([])
    const dates = sources.flatMap((source) => source.match(/\(D:[^)]*\)/g) ?? [])
    expect(dates).toEqual(['(D:20260603082030Z)', '(D:20260603082030Z)'])
  })

  test('equal documents give equal bytes, whatever was drawn before, and a changed one does not', async () => {
    const first = new Map<string, string>()
    for (const name of chosen) first.set(name, sha256(await drawnSample(name)))
    for (const name of chosen.toReversed()) {
      expect(sha256(await renderInvoice(structuredClone(sampleOf(name))))).toBe(first.get(name))
    }
    const other = sha256(await renderInvoice({ ...sampleOf('short'), createdAt: '2026-06-03T08:20:31.000Z' }))
    expect(other).not.toBe(first.get('short'))
  })

  test('names with markup leave the metadata well formed', async () => {
    const paper = samplePaper()
    paper.issuer = { ...paper.issuer, name: 'Peña & Muñoz <"S.L.">\u0000 (Ω)' }
    const { objects } = await read(paper)
    const metadata = [...objects.values()].find((object) => object.source.includes('/Type /Metadata'))
    const xml = metadata?.stream?.toString('utf8') ?? ''
    expect(XMLValidator.validate(xml)).toBe(true)
    expect(JSON.stringify(new XMLParser().parse(xml))).toContain(
      JSON.stringify('Peña & Muñoz <"S.L."> (Ω)').slice(1, -1),
    )
  })

  test('an invalid date is rejected', async () => {
    await expect(renderInvoice(samplePaper({ createdAt: 'yesterday' }))).rejects.toThrow(RangeError)
  })
})

describe('the content that law and trade require', () => {
  test('the text around the QR is Spanish in every language', async () => {
    for (const name of ['short', 'english']) {
      const text = textOf(await readSample(name))
      expect(text).toContain('QR tributario:')
      expect(text).toContain('VERI*FACTU')
    }
  })

  test('the QR has sides of 34 mm, is on the first page only, and has 6 mm of free space around it', () => {
    const { pages } = layOut(sampleOf('lines150'))
    const quiet = (6 / 25.4) * 72
    expect(
      pages
        .slice(1)
        .flatMap((page) => page.marks)
        .filter((mark) => mark.kind === 'qr'),
    ).toEqual([])
    const [first] = pages
    if (!first) throw new Error('no page')
    const qr = first.marks.find((mark) => mark.kind === 'qr')
    if (qr?.kind !== 'qr') throw new Error('no QR')
    expect((qr.side / 72) * 25.4).toBeCloseTo(34, 1)
    for (const mark of first.marks) {
      if (mark === qr) continue
      const [left, top, right, bottom] = extentOf(mark, first)
      const apart =
        left >= qr.x + qr.side + quiet ||
        right <= qr.x - quiet ||
        top >= qr.y + qr.side + quiet ||
        bottom <= qr.y - quiet
      expect(apart, JSON.stringify(mark)).toBe(true)
    }
  })

  test('on a ticket the QR also has 6 mm of free space around it', () => {
    const [page] = layOut(sampleOf('ticket')).pages
    const qr = page?.marks.find((mark) => mark.kind === 'qr')
    if (!page || qr?.kind !== 'qr') throw new Error('no QR')
    const quiet = (6 / 25.4) * 72
    for (const mark of page.marks) {
      if (mark === qr) continue
      const [, top, , bottom] = extentOf(mark, page)
      expect(top >= qr.y + qr.side + quiet || bottom <= qr.y - quiet, JSON.stringify(mark)).toBe(true)
    }
  })

  test('a refund is not shown as a negative amount due', async () => {
    const text = textOf(await readSample('creditWithholding'))
    expect(text).toContain('Total factura | \u2212220,22 €')
    expect(text).toContain('Total a devolver')
    expect(text).toContain('192,92 €')
    expect(text).not.toContain('Total a pagar')
    const plain = textOf(await readSample('rectifying'))
    expect(plain).toContain('Total factura | \u2212750,20 €')
    expect(plain).toContain('Total a devolver')
  })

  test('an uncollectible debt is reduced, and nothing is returned to a customer who has not paid', async () => {
    const text = textOf(
      await read(
        samplePaper({
          kind: 'R3',
          references: [{ role: 'rectifies', number: 'F2026-0042', issueDate: '2026-06-03' }],
          rectification: { method: 'I', reason: 'Crédito incobrable' },
          lines: [{ description: 'Honorarios', unitPriceMicro: -500_000_000 }],
          replacedCents: -50_000,
          amountDueCents: -10_500,
          payment: samplePayment({ method: null, account: null }),
        }),
      ),
    )
    expect(text).toContain('Base que se sigue debiendo')
    expect(text).toContain('A descontar de la deuda')
    expect(text).toContain('105,00 €')
    expect(text).not.toContain('devolver')
  })

  test('the rectified invoices are in the head, and in full below the sums', () => {
    const [page] = marksOf(sampleOf('rectifying'))
    const shown = (page ?? []).filter((mark) => mark.kind === 'text' && mark.text.includes('F2026-0042'))
    const baselines = shown.map((mark) => (mark.kind === 'text' ? mark.baseline : 0))
    expect(Math.min(...baselines)).toBeLessThan(200)
    expect(baselines).toHaveLength(2)
  })

  test("a customer in the Union sees the seller's VAT number, one inside Spain its NIF", async () => {
    expect(textOf(await readSample('intraUnion'))).toContain('NIF ESB83456781')
    expect(textOf(await readSample('english'))).toContain('ESB83456781')
    for (const name of ['short', 'dollars']) {
      const text = textOf(await readSample(name))
      expect(text).toContain('B83456781')
      expect(text).not.toContain('ESB83456781')
    }
  })

  test('the foot does not mention records or hashes', async () => {
    expect(textOf(await readSample('short'))).not.toMatch(/Huella|Registro de facturación/)
  })

  test('seventeen lines with withholding fit on one page', () => {
    expect(layOut(sampleOf('seventeen')).pages).toHaveLength(1)
  })

  test('no heading is the last element of a page, however long the content above it', () => {
    for (let count = 1; count <= 40; count++)
      for (const mentions of swept([0, 3, 9], (many) => many === 3)) {
        const pages = marksOf(
          samplePaper({
            lines: manyLines(count),
            notes: 'Condiciones de la venta, que el cliente conoce y acepta. '.repeat(12),
            legalMentions: Array.from({ length: mentions }, () => 'Régimen especial del criterio de caja.'),
          }),
        )
        const page = pages.find((marks) =>
          marks.some((mark) => mark.kind === 'text' && mark.text === 'OBSERVACIONES'),
        )
        const heading = page?.find((mark) => mark.kind === 'text' && mark.text === 'OBSERVACIONES')
        if (heading?.kind !== 'text') throw new Error('no heading')
        const below = (page ?? []).filter(
          (mark) =>
            mark.kind === 'text' && mark.text.startsWith('Condiciones') && mark.baseline > heading.baseline,
        )
        expect(below.length, `${count} lines, ${mentions} mentions`).toBeGreaterThan(0)
      }
  })

  test('a draft has neither number nor QR and states that it is a draft', async () => {
    const paper = sampleOf('draft')
    const text = textOf(await read(paper))
    expect(text).toContain('BORRADOR')
    expect(text).not.toContain('QR tributario:')
    const marks = marksOf({ ...paper, registry: sampleOf('short').registry }).flat()
    expect(marks.some((mark) => mark.kind === 'qr')).toBe(false)
    expect(marks.some((mark) => mark.kind === 'watermark' && mark.text === 'BORRADOR')).toBe(true)
  })

  test('every page states when the real registry does not hold the invoice, and where it was sent', () => {
    const isBand = (words: string) => (mark: Mark) => mark.kind === 'text' && mark.text === words
    const isStamp = (mark: Mark): boolean => mark.kind === 'watermark' && mark.text === 'PRUEBA'
    const book = marksOf(samplePaper({ environment: 'simulated', lines: manyLines(60) }))
    expect(book.length).toBeGreaterThan(2)
    for (const page of book) {
      expect(page.some(isBand('PRUEBA - SIN VALIDEZ FISCAL'))).toBe(true)
      expect(page.some(isStamp)).toBe(true)
    }
    for (const page of marksOf(sampleOf('sandbox'))) {
      expect(page.some(isBand('SANDBOX · PRUEBA - SIN VALIDEZ FISCAL'))).toBe(true)
    }
    const trial = marksOf(sampleOf('preproduction')).flat()
    expect(trial.some(isBand('PREPRODUCCIÓN · PRUEBA - SIN VALIDEZ FISCAL'))).toBe(true)
    expect(trial.some(isStamp)).toBe(true)
    expect(marksOf(sampleOf('short')).flat().some(isStamp)).toBe(false)
  })

  test('sums are carried from page to page, and each page has its number', async () => {
    const { pages } = await readSample('lines500')
    pages.forEach((page, index) => {
      const text = page.lines.join('\n')
      expect(text).toContain(`Página ${index + 1} de ${pages.length}`)
      expect(text.includes('Suma anterior')).toBe(index > 0)
      expect(text.includes('Suma y sigue')).toBe(index < pages.length - 1)
      const carried = /Suma y sigue \| (\S+)/.exec(text)?.[1]
      if (carried) expect(pages[index + 1]?.lines.join('\n')).toContain(`Suma anterior | ${carried}`)
    })
  })

  test('the totals are never alone: the last row is on their page, for every number of rows', () => {
    for (let count = 1; count <= 45; count++) {
      const pages = marksOf(samplePaper({ lines: manyLines(count) }))
      const withTotal = pages.filter((page) =>
        page.some((mark) => mark.kind === 'text' && mark.text === 'Total factura'),
      )
      expect(withTotal).toHaveLength(1)
      const lastRow = withTotal[0]?.some((mark) => mark.kind === 'text' && mark.text.startsWith(`${count}. `))
      expect(lastRow, `${count} rows`).toBe(true)
    }
  })

  test('every line is printed exactly once', async () => {
    const text = textOf(await readSample('lines500'))
    for (let number = 1; number <= 500; number++) {
      expect(text.split(new RegExp(`^${number}\\. `, 'm')).length, `line ${number}`).toBe(2)
    }
  })

  test('the total of the invoice is the amount in the QR: it includes neither withholding nor disbursements', async () => {
    const paper = sampleOf('disbursements')
    const text = textOf(await read(paper)) // a no-break space shares its glyph with the ordinary one
    expect(paper.totalCents - paper.disbursementsCents).toBe(544_50)
    expect(text).toContain('Total factura | 544,50 €')
    expect(text).toContain('Suplidos | 179,92 €')
    expect(text).toContain('Retención IRPF 15 % sobre 450,00 € | \u221267,50 €')
    expect(text).toContain('Total a pagar')
    expect(text).toContain('656,92 €')
  })

  test('an accent that is not readable on white is replaced', () => {
    expect(readableAccent('#FFEE00')).toBe('#0F5C5C')
    expect(readableAccent('red')).toBe('#0F5C5C')
    expect(readableAccent('#1D4ED8')).toBe('#1D4ED8')
  })
})

/** Returns pairs of overlapping texts on the page. */
function overlaps(page: Page): string[] {
  const texts = page.marks.filter((mark) => mark.kind === 'text')
  const found: string[] = []
  texts.forEach((one, index) => {
    const [left, top, right, bottom] = extentOf(one, page)
    for (const other of texts.slice(index + 1)) {
      const [otherLeft, otherTop, otherRight, otherBottom] = extentOf(other, page)
      if (left < otherRight && otherLeft < right && top < otherBottom && otherTop < bottom) {
        found.push(`${one.text} / ${other.text}`)
      }
    }
  })
  return found
}

describe('the layout', () => {
  test.each(names)('%s: nothing overlaps and nothing leaves the margins', (name) => {
    const paper = sampleOf(name)
    const margin = paper.format === 'ticket' ? 11.3 : 47.9
    for (const page of layOut(paper).pages) {
      expect(overlaps(page)).toEqual([])
      for (const mark of page.marks) {
        if (mark.kind === 'watermark') continue
        const [left, top, right, bottom] = extentOf(mark, page)
        expect(left, JSON.stringify(mark)).toBeGreaterThanOrEqual(margin)
        expect(right, JSON.stringify(mark)).toBeLessThanOrEqual(page.width - margin + 0.1)
        expect(top).toBeGreaterThanOrEqual(13.9)
        expect(bottom).toBeLessThanOrEqual(page.height - (paper.format === 'ticket' ? 10 : 17))
      }
    }
  })

  test('any invoice can be drawn: no text, number of rates or length prevents it', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.constantFrom(
        '',
        'W'.repeat(3000),
        'a b '.repeat(900),
        '\n\n\n',
        '\u202e',
        '__proto__',
        'constructor',
        '(\\',
      ),
    )
    const line = fc.record({
      description: text,
      unit: fc.option(text),
      quantityMicro: fc.integer({ min: -(10 ** 12), max: 10 ** 12 }),
      unitPriceMicro: fc.integer({ min: -(10 ** 11), max: 10 ** 11 }),
      vatRateBp: fc.integer({ min: 0, max: 2100 }),
      surchargeRateBp: fc.option(fc.integer({ min: 0, max: 520 })),
      isDisbursement: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 60 }),
        fc.record({ name: text, note: text, number: text, mention: text, street: text }),
        fc.boolean(),
        async (lines, { name, note, number, mention, street }, draft) => {
          const paper = samplePaper({
            lines,
            number: draft ? null : number,
            state: draft ? 'draft' : 'issued',
            client: { name, nif: number, street, country: 'FR' },
            notes: note,
            payment: samplePayment({ method: note, reference: number }),
            legalMentions: [mention, name],
          })
          const { pages } = readPdf(await renderInvoice(paper))
          expect(pages.length).toBe(layOut(paper).pages.length)
        },
      ),
      { numRuns: sweptCount(60, 8) },
    )
  }, 60_000)
})

describe('other programs read it', () => {
  let folder = ''
  const path = (name: string, extension = 'pdf'): string => join(folder, `${name}.${extension}`)

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sello-paper-'))
    const other = ['english', 'withholding', 'longWords']
    for (const name of new Set([...chosen, ...other])) writeFileSync(path(name), await drawnSample(name))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const run = (program: string, ...args: string[]): string =>
    execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

  for (const name of chosen) {
    needs('qpdf')(`qpdf finds no fault in ${name}`, () => {
      expect(run('qpdf', '--check', path(name))).toContain('No syntax or stream encoding errors found')
    })
  }

  for (const name of swept(['short', 'english', 'unicode', 'draft'], (each) => each === 'unicode')) {
    needs('pdftotext')(`pdftotext reads the words of ${name}`, async () => {
      const theirs = run('pdftotext', '-layout', path(name), '-')
      const words = (text: string): string[] =>
        text
          .split(/[\s|]+/)
          .filter(Boolean)
          .toSorted()
      expect(words(theirs)).toEqual(words(textOf(await readSample(name))))
    })
  }

  needs('pdfinfo')('who reads element by element finds the words parted', () => {
    const text = run('pdfinfo', '-struct-text', path('withholding'))
    expect(text).toContain('"Número F2026-0042"')
    expect(text).toContain('"Sesión fotográfica de producto Estudio, luces y ayudante incluidos"')
  })

  inLongRun(needs('pdfinfo'))('who reads element by element finds a word over several lines whole', () => {
    expect(run('pdfinfo', '-struct-text', path('longWords'))).toContain(
      '/version-definitiva-aprobada.pdf?firma=9f86d081884c7d659a2feaa0c55ad015',
    )
  })

  for (const dpi of swept([72, 150], (dots) => dots === 72)) {
    needs('pdftoppm', 'zbarimg')(`the QR is read at ${dpi} dots per inch`, () => {
      run('pdftoppm', '-r', String(dpi), '-png', '-singlefile', path('withholding'), join(folder, `qr${dpi}`))
      expect(run('zbarimg', '-q', '--raw', path(`qr${dpi}`, 'png')).trim()).toBe(QR_URL)
    })
  }

  needs('pdftoppm', 'zbarimg')('the code for the bank is read too, and is not the first', () => {
    run('pdftoppm', '-r', '150', '-png', '-singlefile', path('design'), join(folder, 'bank'))
    const codes = run('zbarimg', '-q', '--raw', path('bank', 'png'))
    expect(codes).toContain(QR_URL)
    expect(codes).toContain(
      'BCD\n002\n1\nSCT\n\nEstudio Pena + Munoz, S.L.\nES9121000418450200051332\nEUR121.00\n\n\nF2026-0042',
    )
    const [first] = marksOf(sampleOf('design'))
      .flat()
      .filter((mark) => mark.kind === 'qr')
    expect(first).toMatchObject({ text: QR_URL })
  })
})
