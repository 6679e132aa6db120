/** Accountant's pack: contains everything of the quarter, and its index page opens without Sello. */
import { createHash } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { saveDocument } from '../../../../server/sales/invoices/index.ts'
import { escapeHtml, eurosText } from '../../../../server/app/accountant-pack/page.ts'
import { madeOf } from '../../../support/documents.ts'
import { line, workedQuarter } from './worked.ts'

const PDF = new TextEncoder().encode('%PDF-1.7 a drawn invoice')

test('the archive contains documents, books, records, returns and journal, all listed in the index with their hashes', async () => {
  const world = await workedQuarter()
  const evil = await world.invoice({
    issueDate: '2026-12-02',
    clientName: '<script>alert(1)</script>',
    lines: [line(10)],
  })
  const rowId = 1
  await world.test.transaction((tx) =>
    saveDocument(tx, {
      invoiceId: rowId,
      format: 'a4',
      language: 'es',
      content: { cell: PDF, sha256: createHash('sha256').update(PDF).digest() },
      signature: null,
      renderer: 'test',
    }),
  )
  const [received] = (await world.run('received.list', {})).items
  const file = await world.run('attachments.upload', {
    name: 'Factura ñ.pdf',
    content: Buffer.from('%PDF-1.4\n%%EOF').toString('base64'),
  })
  await world.run('received.attach', { id: received!.id, attachmentId: file.id })
  const { bytes, fileName, sha256 } = await world.run('fiscal.accountantPack', { year: 2026, quarter: 4 })
  expect(fileName).toBe('2026-4T-B12345674-test.zip')
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
  const files = unzipSync(new Uint8Array(bytes))
  const paths = Object.keys(files)
  for (const path of [
    'index.html',
    'facturas-emitidas/T-F2026-0001.pdf',
    'libros/EXPEDIDAS_INGRESOS.csv',
    'modelos/303-4T.json',
    'modelos/303-4T.csv',
    'modelos/390-0A.json',
    'modelos/347-0A.csv',
    'contabilidad/diario.csv',
    'registro/records.csv',
  ])
    expect(paths).toContain(path)
  expect(paths.some((path) => path.startsWith('facturas-recibidas/2026-'))).toBe(true)
  expect(paths.some((path) => /^registro\/2026-12\/records-.*\.xml$/.test(path))).toBe(true)
  expect(paths.some((path) => path.endsWith('.xlsx'))).toBe(true)
  expect(files['facturas-emitidas/T-F2026-0001.pdf']).toEqual(PDF)

  const page = strFromU8(files['index.html']!)
  expect(page).not.toMatch(/<script/)
  expect(page).not.toMatch(/(src|href)="(https?:|\/)/)
  expect(page).toContain(escapeHtml('<script>alert(1)</script>'))
  expect(page).toContain('Datos de prueba')
  for (const path of paths.filter((each) => each !== 'index.html')) {
    expect(page).toContain(`href="${path.split('/').map(encodeURIComponent).join('/')}"`)
    expect(page).toContain(createHash('sha256').update(files[path]!).digest('hex'))
  }
  const links = [...page.matchAll(/href="([^"]+)"/g)].map((match) => decodeURIComponent(match[1]!))
  expect(links.filter((link) => !paths.includes(link))).toEqual([])

  const model = JSON.parse(strFromU8(files['modelos/303-4T.json']!)) as { result: number }
  expect(model.result).toBe(
    (await world.run('fiscal.model', { model: '303', year: 2026, quarter: 4 })).result,
  )
  expect(evil.number).toBe('T-F2026-0010')
})

test('amounts on the index page use the Spanish format', () => {
  expect([eurosText(1234.5), eurosText(-0.07), eurosText(1_234_567.89)]).toEqual([
    '1.234,50 €',
    '−0,07 €',
    '1.234.567,89 €',
  ])
})

test('a missing PDF is rendered for the archive, and one that cannot be rendered is listed as missing', async () => {
  let isBroken = false
  const documents = {
    make: async (job: object) => {
      if (isBroken) throw new Error('no ink')
      const { number } = (job as { paper: { number: string } }).paper
      return madeOf(Buffer.from(`%PDF ${number}`))
    },
  }
  const world = await workedQuarter('legal', { environment: { documents } })
  const pack = async () =>
    unzipSync(new Uint8Array((await world.run('fiscal.accountantPack', { year: 2026, quarter: 4 })).bytes))
  const { items } = await world.run('invoices.list', { state: 'issued', limit: 100 })
  const numbers = items.map(({ number }) => number).toSorted()
  expect(numbers.length).toBeGreaterThan(8)
  const papers = (files: Record<string, Uint8Array>) =>
    Object.keys(files).filter((path) => path.startsWith('facturas-emitidas/'))
  const whole = await pack()
  expect(papers(whole).toSorted()).toEqual(numbers.map((number) => `facturas-emitidas/${number}.pdf`))
  expect(strFromU8(whole[`facturas-emitidas/${numbers[0]}.pdf`]!)).toBe(`%PDF ${numbers[0]}`)
  const [, issued = ''] =
    /Facturas emitidas(.*)<h2>Facturas recibidas/s.exec(strFromU8(whole['index.html']!)) ?? []
  expect(issued).toContain('T-F2026-0001')
  expect(issued).not.toContain('sin archivo')
  isBroken = true
  const late = await world.invoice({ issueDate: '2026-12-03', lines: [line(10)] })
  const partial = await pack()
  expect(papers(partial)).toHaveLength(numbers.length)
  expect(strFromU8(partial['index.html']!)).toContain(`${late.number} <small>(sin archivo)</small>`)
})
