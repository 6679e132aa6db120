/** The PDF of a quote says what it is, what it costs and until when, and bears nothing of the registry; before it is kept, too. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { InputOf } from '../../../../server/api/contracts.ts'
import { needs } from '../../../support/tools.ts'
import { openWorld } from '../../../support/world.ts'

needs('pdftotext')('a quote is drawn as a quote, without QR or record', async () => {
  const world = await openWorld()
  const { id } = await world.run('quotes.create', {
    clientName: 'Talleres Ebro SL',
    clientNif: 'B12345674',
    validUntil: '2026-07-31',
    lines: [{ description: 'Ventana de pino', quantity: 2, unitPrice: 250 }],
  })
  await world.run('quotes.setState', { id, state: 'sent' })
  const answer = await world.get(`/api/v1/quotes/${id}/pdf`)
  expect(answer.status).toBe(200)
  expect(answer.headers['content-type']).toBe('application/pdf')
  expect(answer.headers['content-disposition']).toContain('T-P2026-0001.pdf')
  const file = join(world.folder, 'quote.pdf')
  writeFileSync(file, answer.raw.rawPayload)
  const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
  expect(text).toMatch(/presupuesto/i)
  for (const part of ['T-P2026-0001', 'Ventana de pino', '605,00', '31/07/2026']) expect(text).toContain(part)
  expect(text).not.toMatch(/QR tributario|VERI\*FACTU/)
})

needs('pdftotext')(
  'what is only being written is drawn as it would be kept, and nothing is kept',
  async () => {
    const world = await openWorld()
    const lines = [{ description: 'Ventana de pino', quantity: 2, unitPrice: 250 }]
    const drawn = async (input: InputOf<'quotes.preview'>): Promise<string> => {
      const { bytes } = await world.run('quotes.preview', input)
      const file = join(world.folder, 'preview.pdf')
      writeFileSync(file, bytes)
      return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
    }
    const unkept = await drawn({ kind: 'proforma', clientName: 'Talleres Ebro SL', lines })
    for (const part of [/proforma/i, /Ventana de pino/, /605,00/, /Talleres Ebro SL/])
      expect(unkept).toMatch(part)
    expect((await world.run('quotes.list', {})).items).toEqual([])

    // One that was sent keeps its number; what is written now is not yet in the books.
    const { id } = await world.run('quotes.create', { clientName: 'Talleres Ebro SL', lines })
    await world.run('quotes.setState', { id, state: 'sent' })
    const changed = await drawn({
      id,
      clientName: 'Talleres Ebro SL',
      lines: [{ description: 'Ventana de roble', quantity: 2, unitPrice: 300 }],
    })
    for (const part of ['T-P2026-0001', 'Ventana de roble', '726,00']) expect(changed).toContain(part)
    expect(await world.run('quotes.get', { id })).toMatchObject({ state: 'sent', total: 605, revision: 1 })

    await expect(
      world.run('quotes.preview', { clientId: 'con_0000000000000000', clientName: 'Nadie', lines }),
    ).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(
      world.run('quotes.preview', { id: 'quo_0000000000000000', clientName: 'Nadie', lines }),
    ).rejects.toMatchObject({ code: 'not_found' })
  },
)
