/** The PDF of a quote says what it is, what it costs and until when, and bears nothing of the registry. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { needs } from '../../support/tools.ts'
import { openWorld } from '../../support/world.ts'

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
