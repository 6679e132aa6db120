/** Documents of invoices: drawn once, with the same bytes ever after; a draft's preview shows the current state. */
import { inEmbedded } from '../../../support/engines.ts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { sha256Hex } from '../../../../server/domain/sha256.ts'
import type { DocumentPort } from '../../../../server/context.ts'
import { eventsAfter } from '../../../../server/platform/events/index.ts'
import {
  createDocumentJobs,
  createDocumentPool,
  DocumentPending,
} from '../../../../server/documents/rendering/index.ts'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { madeOf } from '../../../support/documents.ts'
import { readPdf } from '../pdf/pdf-reader.ts'

afterEach(() => void vi.useRealTimers())

/** Returns a renderer whose output always differs, so that a second drawing would show. */
function printer(
  options: { same?: boolean } = {},
): DocumentPort & { drawn: { number: string | null; state: string }[]; broken: boolean } {
  const port = {
    drawn: [] as { number: string | null; state: string }[],
    broken: false,
    make: async (job: object) => {
      const { number, state } = (job as { paper: { number: string | null; state: string } }).paper
      port.drawn.push({ number, state })
      const bytes = Buffer.from(`%PDF ${number} ${options.same ? '' : port.drawn.length}`)
      await new Promise((resolve) => setImmediate(resolve))
      if (port.broken) throw new Error('no ink')
      return madeOf(bytes)
    },
  }
  return port
}

const pdf = (world: TestBooks, id: string) => world.run('invoices.pdf', { id })
const waiting = async (world: TestBooks) =>
  (await world.test.db.selectFrom('document_queue').select(['attempts', 'next_attempt_at']).execute()).map(
    (row) => [row.attempts, row.next_attempt_at],
  )
const readyEvents = async (world: TestBooks) =>
  (await eventsAfter(world.env.store.reader, 0, 500)).filter((event) => event.type === 'document.ready')
    .length

/** Runs the background jobs until nothing is left. */
async function drawAll(world: TestBooks): Promise<string[]> {
  const lines: string[] = []
  const jobs = createDocumentJobs({ env: world.env, log: (text) => lines.push(text) })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  jobs.wake()
  await vi.advanceTimersByTimeAsync(500)
  vi.useRealTimers()
  await jobs.stop()
  return lines
}

describe('an issued invoice', () => {
  test('is drawn once, and every request gets the same bytes, also after a restart', async () => {
    const documents = printer()
    const world = await openBooks({ environment: { documents } })
    const { id } = await world.invoice()
    const first = await pdf(world, id)
    expect(first).toMatchObject({
      fileName: 'T-F2026-0001.pdf',
      signature: 'none',
      sha256: sha256Hex(first.bytes),
    })
    expect(await pdf(world, id)).toEqual(first)
    expect(await pdf(world, 'T-F2026-0001')).toEqual(first)
    await world.restart()
    expect(Buffer.from((await pdf(world, id)).bytes).equals(first.bytes)).toBe(true)
    expect(documents.drawn).toEqual([{ number: 'T-F2026-0001', state: 'issued' }])
    expect(await world.run('invoices.get', { id })).toMatchObject({
      pdf: { status: 'ready', signature: { level: 'none' } },
    })
    expect(await waiting(world)).toEqual([])
    expect(await readyEvents(world)).toBe(1)
  })

  test.each([true, false])(
    'has one document and one event after concurrent requests (equal drawings: %s)',
    async (same) => {
      const documents = printer({ same })
      const world = await openBooks({ environment: { documents } })
      const { id } = await world.invoice()
      const answers = await Promise.all(Array.from({ length: 6 }, () => pdf(world, id)))
      expect(new Set(answers.map((answer) => answer.sha256)).size).toBe(1)
      expect((await pdf(world, id)).sha256).toBe(answers[0]?.sha256)
      expect(await readyEvents(world)).toBe(1)
      expect(
        await world.ctx(world.books.test).db.selectFrom('documents').select('language').execute(),
      ).toHaveLength(1)
    },
  )

  test('keeps its document whatever changes in its customer and company', async () => {
    const world = await openBooks({ environment: { documents: printer() } })
    const { id } = await world.invoice()
    const before = await pdf(world, id)
    await world.run('company.update', { legalName: 'Otra, S.L.' } as never)
    expect(await pdf(world, id)).toEqual(before)
  })
})

describe('a draft', () => {
  test('has a preview of its current state, and nothing is stored', async () => {
    const documents = printer()
    const world = await openBooks({ environment: { documents } })
    const { id } = await world.draft()
    const first = await pdf(world, id)
    expect(first).toMatchObject({ fileName: `borrador-${id}.pdf`, signature: 'none' })
    const second = await pdf(world, id)
    expect(second.sha256).not.toBe(first.sha256)
    expect(documents.drawn).toEqual([
      { number: null, state: 'draft' },
      { number: null, state: 'draft' },
    ])
    expect(await world.ctx(world.books.test).db.selectFrom('documents').selectAll().execute()).toEqual([])
    expect(await readyEvents(world)).toBe(0)
    expect((await world.run('invoices.get', { id })).pdf.status).toBe('none')
    const issued = await world.issue(id)
    expect((await pdf(world, issued.id)).sha256).not.toBe(second.sha256)
  })
})

describe('the queue', () => {
  test('is written with the issue, survives a restart, and is processed in order', async () => {
    const documents = printer()
    const world = await openBooks({ environment: { documents } })
    for (let index = 0; index < 3; index++)
      await world.invoice({ lines: [{ description: 'x', quantity: 1, unitPrice: index + 1 }] })
    expect(await waiting(world)).toHaveLength(3)
    await world.restart()
    expect(await drawAll(world)).toEqual([])
    expect(documents.drawn.map((paper) => paper.number)).toEqual([
      'T-F2026-0001',
      'T-F2026-0002',
      'T-F2026-0003',
    ])
    expect(await waiting(world)).toEqual([])
    expect(await readyEvents(world)).toBe(3)
    await drawAll(world)
    expect(documents.drawn).toHaveLength(3)
  })

  test('does not draw again a document that was requested before its turn', async () => {
    const documents = printer()
    const world = await openBooks({ environment: { documents } })
    const { id } = await world.invoice()
    await pdf(world, id)
    await drawAll(world)
    expect(documents.drawn).toHaveLength(1)
  })

  test('delays a failed document longer each time, reports it, and continues with the others', async () => {
    const documents = printer()
    documents.broken = true
    const world = await openBooks({ environment: { documents } })
    const { id } = await world.invoice()
    await world.invoice({ lines: [{ description: 'x', quantity: 1, unitPrice: 1 }] })
    const lines = await drawAll(world)
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('no ink')
    const start = world.env.now().getTime()
    expect(await waiting(world)).toEqual([
      [1, start + 60_000],
      [1, start + 60_000],
    ])
    expect(documents.drawn).toHaveLength(2)
    await drawAll(world)
    expect(documents.drawn).toHaveLength(2)
    world.setTime(new Date(start + 60_000).toISOString())
    await drawAll(world)
    expect(await waiting(world)).toEqual([
      [2, start + 180_000],
      [2, start + 180_000],
    ])
    // The invoice itself is valid, and a request tries to draw it again.
    expect((await world.run('invoices.get', { id })).pdf.status).toBe('pending')
    await expect(pdf(world, id)).rejects.toThrow('no ink')
    documents.broken = false
    expect((await pdf(world, id)).bytes.length).toBeGreaterThan(0)
    expect(await waiting(world)).toEqual([[2, start + 180_000]])
  })
})

inEmbedded(test)(
  'a caller that waits more than ten seconds is asked to retry, and the drawing is stored',
  async () => {
    let finish: () => void = () => {}
    const held = new Promise<void>((resolve) => (finish = resolve))
    const bytes = Buffer.from('%PDF late')
    const world = await openBooks({
      environment: {
        documents: {
          make: async () => {
            await held
            return madeOf(bytes)
          },
        },
      },
    })
    const { id } = await world.invoice()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const asked = pdf(world, id).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(9_990)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(20)
    expect(await asked).toBeInstanceOf(DocumentPending)
    vi.useRealTimers()
    finish()
    await expect.poll(async () => (await world.run('invoices.get', { id })).pdf.status).toBe('ready')
    expect(Buffer.from((await pdf(world, id)).bytes).equals(bytes)).toBe(true)
  },
)

test('the real renderer shows the facts of the books', { timeout: 60_000 }, async () => {
  const pool = createDocumentPool()
  const world = await openBooks({
    environment: { documents: { make: (job) => pool.make(job as never) } },
  })
  try {
    const issued = await world.invoice({
      clientName: 'Peña Ávila, S.L.',
      withholdingPct: 15,
      paymentMethod: 'direct_debit',
      lines: [
        { description: 'Reparación', quantity: 2, unitPrice: 100 },
        { description: 'Recambio', quantity: 1, unitPrice: 10, vatRate: 10 },
      ],
    })
    const draft = await world.draft({ language: 'en', paymentMethod: 'cash' })
    const secondHand = await world.draft({
      priceMode: 'gross',
      lines: [{ description: 'Reloj', quantity: 1, unitPrice: 350, cost: 220, regimeKey: '03' }],
    })
    const text = async (id: string) => JSON.stringify(readPdf(Buffer.from((await pdf(world, id)).bytes)))
    const [paper, preview, margin] = [await text(issued.id), await text(draft.id), await text(secondHand.id)]
    for (const shown of [
      'T-F2026-0001',
      'Talleres Ejemplo',
      'Peña Ávila',
      'Reparación',
      '210,00',
      '253,00',
      '221,50',
      'Domiciliación bancaria',
    ])
      expect(paper, shown).toContain(shown)
    expect(paper).not.toContain('BORRADOR')
    expect(preview).not.toContain('T-F2026')
    expect(preview).toContain('Cash')
    expect(margin).toContain('Importe')
    expect(margin).not.toContain('Importe sin IVA')
    expect(
      Buffer.from((await pdf(world, issued.id)).bytes)
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  } finally {
    await pool.close()
  }
})
