/** The thread that draws invoices: 500 lines take longer than the main thread may ever be busy. */
import { createHash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import type { InvoicePaper } from './paper.ts'
import { drawInvoice } from './render.ts'

export interface RenderJob {
  id: number
  paper: InvoicePaper
}

export interface RenderedPdf {
  bytes: Uint8Array<ArrayBuffer>
  /** Of the bytes, lower-case hex. */
  sha256: string
  pages: number
}

export type RenderReply = { id: number; pdf: RenderedPdf } | { id: number; failure: string }

/** What a pool gives its threads, so that this file does nothing when it is loaded by any other thread. */
export const PDF_THREAD = 'pdf'

export default async function renderPdf(paper: InvoicePaper): Promise<RenderedPdf> {
  const { bytes, pages } = await drawInvoice(paper)
  return { bytes: new Uint8Array(bytes), sha256: createHash('sha256').update(bytes).digest('hex'), pages }
}

if (parentPort !== null && workerData === PDF_THREAD) {
  const port = parentPort
  const answer = (reply: RenderReply): void => {
    port.postMessage(reply, 'pdf' in reply ? [reply.pdf.bytes.buffer] : [])
  }
  port.on('message', ({ id, paper }: RenderJob) => {
    renderPdf(paper).then(
      (pdf) => answer({ id, pdf }),
      (error: unknown) => answer({ id, failure: error instanceof Error ? error.message : String(error) }),
    )
  })
}
