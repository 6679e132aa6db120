/**
 * The document design: one for both books, readable, recorded in the history, shown before it is saved, without
 * effect on issued documents.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { listAudit } from '../../../../server/platform/audit/index.ts'
import { createDocumentPool } from '../../../../server/documents/rendering/index.ts'
import { eventsAfter } from '../../../../server/platform/events/index.ts'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { discPng, JPEGS, png } from '../../../support/files/pictures.ts'
import { inLongRun, swept } from '../../../support/sweep.ts'
import { openWorld } from '../../../support/world.ts'
import { readPdf } from '../../documents/pdf/pdf-reader.ts'

const longTest = inLongRun(test)

const PLAIN = { accent: null, footer: null, simplifiedFormat: 'a4', paymentQr: true, logo: null }
const LOGO = discPng().toString('base64')

const pool = createDocumentPool()
afterAll(() => pool.close())

/** Opens books whose documents are really drawn. */
const openDrawing = (): Promise<TestBooks> =>
  openBooks({ environment: { documents: { make: (job) => pool.make(job as never) } } })

const redesigns = async (world: TestBooks): Promise<number[]> =>
  Promise.all(
    [world.test, world.live].map(
      async (ctx) => (await listAudit(ctx, { action: 'company.redesigned' })).items.length,
    ),
  )

const textOf = (pdf: string): string => JSON.stringify(readPdf(Buffer.from(pdf, 'base64')))

describe('the design', () => {
  test('is the default until one is chosen, and omitted fields of a change stay', async () => {
    const world = await openBooks()
    expect(await world.run('company.design', {})).toEqual(PLAIN)
    await world.run('company.setDesign', {
      accent: '#8a1538',
      footer: '  Gracias por tu confianza \r\n Ana ',
    })
    expect(await world.run('company.setDesign', { paymentQr: false })).toEqual({
      ...PLAIN,
      accent: '#8A1538',
      footer: 'Gracias por tu confianza \n Ana',
      paymentQr: false,
    })
    await world.run('company.setDesign', { accent: null, footer: ' ', paymentQr: true })
    expect(await world.run('company.design', {})).toEqual(PLAIN)
  })

  test('is one for both books, and each records the change once', async () => {
    const world = await openBooks()
    const { items } = await listAudit(world.live, {})
    const start = (await eventsAfter(world.env.store.reader, 0, 500)).length
    await world.run('company.setDesign', { simplifiedFormat: 'ticket' })
    expect(await world.run('company.design', {}, world.live)).toEqual({
      ...PLAIN,
      simplifiedFormat: 'ticket',
    })
    expect(await redesigns(world)).toEqual([1, 1])
    expect((await listAudit(world.live, {})).items).toHaveLength(items.length + 1)
    const events = (await eventsAfter(world.env.store.reader, 0, 500)).slice(start)
    expect(events.map(({ type, bookId }) => [type, bookId]).toSorted()).toEqual(
      [
        ['company.changed', world.books.live.publicId],
        ['company.changed', world.books.test.publicId],
      ].toSorted(),
    )
  })

  test('of one company does not affect another', async () => {
    const world = await openBooks()
    const other = await world.company({ nif: '12345678Z', legalName: 'Ana Pérez' })
    await world.run('company.setDesign', { footer: 'De la primera' })
    expect(await world.run('company.design', {}, world.ctx(other.test))).toEqual(PLAIN)
  })

  test('survives a restart, with its logo', async () => {
    const world = await openBooks()
    const set = await world.run('company.setDesign', { logo: LOGO, accent: '#005F73' })
    expect(set.logo).toMatchObject({ width: 240, height: 80 })
    await world.restart()
    expect(await world.run('company.design', {})).toEqual(set)
  })
})

describe('a colour', () => {
  test.each(['#FFFFFF', '#FF8800', '#777778'])(
    '%s, that is not readable on white, is rejected',
    async (accent) => {
      const world = await openBooks()
      await world.run('company.setDesign', { footer: 'Queda' })
      await expect(world.run('company.setDesign', { accent, footer: 'No queda' })).rejects.toMatchObject({
        code: 'validation_failed',
        details: { faults: [{ code: 'accent_unreadable', field: 'accent' }] },
      })
      expect(await world.run('company.design', {})).toEqual({ ...PLAIN, footer: 'Queda' })
      expect(await redesigns(world)).toEqual([1, 1])
    },
  )

  test('that is barely readable is accepted', async () => {
    const world = await openBooks()
    expect(await world.run('company.setDesign', { accent: '#767676' })).toMatchObject({ accent: '#767676' })
  })

  test.each(['red', '#FFF', '#12345G', '#1234567', 'url(x)', ''])('%j is invalid', async (accent) => {
    const world = await openBooks()
    await expect(world.run('company.setDesign', { accent })).rejects.toMatchObject({
      code: 'validation_failed',
      details: { faults: [{ field: 'accent' }] },
    })
  })
})

describe('the footer', () => {
  test('has 400 characters at most', async () => {
    const world = await openBooks()
    expect((await world.run('company.setDesign', { footer: 'ñ'.repeat(400) })).footer).toHaveLength(400)
    await expect(world.run('company.setDesign', { footer: 'ñ'.repeat(401) })).rejects.toMatchObject({
      code: 'validation_failed',
      details: { faults: [{ field: 'footer' }] },
    })
  })

  test('has four lines at most, because documents print no more', async () => {
    const world = await openBooks()
    const lines = (count: number): string => Array.from({ length: count }, (_, at) => at).join('\n')
    const four = `\n${lines(4)}\n\n`
    expect((await world.run('company.setDesign', { footer: four })).footer).toBe(lines(4))
    await expect(world.run('company.setDesign', { footer: lines(5) })).rejects.toMatchObject({
      code: 'validation_failed',
      details: { faults: [{ code: 'too_many_lines', field: 'footer', params: { max: 4 } }] },
    })
  })

  test('contains nothing that hides or reorders text', async () => {
    const world = await openBooks()
    for (const footer of ['a\u0000b', 'a\u202eb', '\ud800'])
      await expect(world.run('company.setDesign', { footer })).rejects.toMatchObject({
        code: 'validation_failed',
      })
  })
})

describe('the logo', () => {
  test('is returned as documents show it, with its own media type', async () => {
    const world = await openWorld()
    expect((await world.call('company.logo')).status).toBe(404)
    const transparent = png({ width: 32, height: 16, type: 'rgba', depth: 8, pixel: () => [1, 2, 3, 0] })
    for (const [file, type, name] of [
      [transparent, 'image/png', 'logo.png'],
      [JPEGS.baseline, 'image/jpeg', 'logo.jpg'],
    ] as const) {
      const set = await world.call('company.setDesign', { logo: file.toString('base64') })
      const got = await world.call('company.logo')
      expect(got.headers['content-type']).toBe(type)
      expect(got.headers['content-disposition']).toContain(name)
      expect(set.body.data.logo.sha256).toMatch(/^[0-9a-f]{64}$/)
    }
    expect((await world.call('company.logo')).raw.rawPayload.equals(JPEGS.baseline)).toBe(true)
    await world.call('company.setDesign', { logo: null })
    expect((await world.call('company.logo')).status).toBe(404)
  })

  const unusable = [
    ['type', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['cmyk', JPEGS.cmyk],
    ['broken', discPng().subarray(0, 200)],
  ] as const
  test.each(swept(unusable, ([why]) => why === 'broken'))(
    'is rejected with the reason: %s',
    async (why, file) => {
      const world = await openWorld()
      const answer = await world.call('company.setDesign', { logo: file.toString('base64') })
      expect(answer.status).toBe(422)
      expect(answer.body.error).toMatchObject({ code: 'logo_unusable', field: 'logo', details: { why } })
      expect((await world.call('company.design')).body.data).toEqual(PLAIN)
    },
  )

  test('has 1,024 KiB at most, and is base64', async () => {
    const world = await openWorld()
    const code = async (logo: string): Promise<unknown> =>
      (await world.call('company.setDesign', { logo })).body.error.code
    expect(await code(Buffer.alloc(1024 * 1024).toString('base64'))).toBe('logo_unusable')
    expect(await code(Buffer.alloc(1024 * 1024 + 3).toString('base64'))).toBe('validation_failed')
    expect(await code('not base64!')).toBe('validation_failed')
    expect(await code('')).toBe('logo_unusable')
  })
})

describe('the sample', { timeout: 60_000 }, () => {
  test('shows the unsaved changes, and stores nothing', async () => {
    const world = await openDrawing()
    await world.run('company.update', { iban: 'ES9121000418450200051332' } as never)
    const plain = await world.run('company.designSample', {})
    expect(await world.run('company.designSample', {})).toEqual(plain)
    expect(textOf(plain.pdf)).toContain('Talleres Ejemplo')
    const changes = [
      { accent: '#8A1538' },
      { footer: 'Horario: de lunes a viernes' },
      { logo: LOGO },
      { paymentQr: false },
      { simplifiedFormat: 'ticket' },
      { language: 'en' },
    ] as const
    const samples = await Promise.all(changes.map((change) => world.run('company.designSample', change)))
    expect(new Set([plain, ...samples].map(({ sha256 }) => sha256)).size).toBe(changes.length + 1)
    expect(textOf(samples[1]?.pdf ?? '')).toContain('de lunes a viernes')
    expect(textOf(samples[5]?.pdf ?? '')).toContain('Invoice')
    expect(await world.run('company.design', {})).toEqual(PLAIN)
    expect(await redesigns(world)).toEqual([0, 0])
    expect(await world.ctx(world.books.test).db.selectFrom('documents').selectAll().execute()).toEqual([])
    expect((await world.run('invoices.list', {})).items).toEqual([])
  })

  test('is the document as the customer receives it: no draft, no test book, its codes in their place', async () => {
    const world = await openDrawing()
    await world.run('company.update', { iban: 'ES9121000418450200051332' } as never)
    for (const simplifiedFormat of ['a4', 'ticket'] as const) {
      const words = textOf((await world.run('company.designSample', { simplifiedFormat })).pdf)
      expect(words).not.toMatch(/BORRADOR|PRUEBA|aparece/)
      expect(words).toContain('QR tributario:')
      expect(words).toContain('VERI*FACTU')
      expect(words).toContain('MUESTRA-0001')
      expect(words.includes('Vencimiento')).toBe(simplifiedFormat === 'a4')
      expect(words.includes('IBAN')).toBe(simplifiedFormat === 'a4')
    }
  })

  test('shows the saved design where nothing is changed', async () => {
    const world = await openDrawing()
    const changes = { accent: '#8A1538', footer: 'Hasta pronto', logo: LOGO }
    const before = await world.run('company.designSample', changes)
    await world.run('company.setDesign', changes)
    expect((await world.run('company.designSample', {})).sha256).toBe(before.sha256)
  })

  longTest('rejects what saving would reject', async () => {
    const world = await openDrawing()
    await expect(world.run('company.designSample', { accent: '#FFEE00' })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    await expect(
      world.run('company.designSample', { logo: JPEGS.cmyk.toString('base64') }),
    ).rejects.toMatchObject({ code: 'logo_unusable', details: { why: 'cmyk' } })
  })

  test('draws every accepted logo', async () => {
    const world = await openDrawing()
    const files = [JPEGS.baseline, JPEGS.progressive, JPEGS.grey, discPng(16, 2000), discPng(2000, 16)]
    for (const file of swept(files, (_, index) => index === 1 || index === 3)) {
      const { pages } = await world.run('company.designSample', { logo: file.toString('base64') })
      expect(pages).toBe(1)
    }
  })

  test('shows every line that a footer may have, on both formats', async () => {
    const world = await openDrawing()
    const words = ['Primera', 'Segunda', 'Tercera', 'Cuarta']
    for (const simplifiedFormat of ['a4', 'ticket'] as const) {
      const { pdf, pages } = await world.run('company.designSample', {
        footer: words.join('\n'),
        simplifiedFormat,
      })
      expect(pages).toBe(1)
      for (const word of words) expect(textOf(pdf)).toContain(word)
    }
  })
})

test(
  'an issued invoice keeps its document when the design changes; a draft follows the change',
  { timeout: 60_000 },
  async () => {
    const world = await openDrawing()
    const { id } = await world.invoice()
    const draft = await world.draft()
    const [issued, preview] = await Promise.all([
      world.run('invoices.pdf', { id }),
      world.run('invoices.pdf', { id: draft.id }),
    ])
    await world.run('company.setDesign', { accent: '#8A1538', logo: LOGO, footer: 'Nuevo pie' })
    expect((await world.run('invoices.pdf', { id })).sha256).toBe(issued.sha256)
    const after = await world.run('invoices.pdf', { id: draft.id })
    expect(after.sha256).not.toBe(preview.sha256)
    expect(JSON.stringify(readPdf(Buffer.from(after.bytes)))).toContain('Nuevo pie')
  },
)
