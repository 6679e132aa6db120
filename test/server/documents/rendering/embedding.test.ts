/** A bug in the invoice's XML does not block the PDF. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createDocumentPool } from '../../../../server/documents/rendering/index.ts'
import type { DocumentJob, DocumentPool } from '../../../../server/documents/rendering/index.ts'
import type * as einvoice from '../../../../server/documents/e-invoice/index.ts'
import { openBooks } from '../../../support/books.ts'
import { PdfFile } from '../../../support/files/pdf-objects.ts'

vi.mock('../../../../server/documents/e-invoice/index.ts', async (original) => ({
  ...(await original<typeof einvoice>()),
  ciiXml: () => {
    throw new Error('does not add up')
  },
}))

let pool: DocumentPool
beforeAll(() => {
  pool = createDocumentPool()
})
afterAll(() => pool.close())

test('the PDF is drawn without the XML, and a request for the format reports the error', async () => {
  const world = await openBooks({
    environment: { documents: { make: (job) => pool.make(job as DocumentJob) } },
  })
  const { id } = await world.invoice()
  const { bytes } = await world.run('invoices.pdf', { id })
  expect(new PdfFile(Buffer.from(bytes)).root.has('AF')).toBe(false)
  await expect(world.run('invoices.pdf', { id, format: 'cii' })).rejects.toThrow('does not add up')
})
