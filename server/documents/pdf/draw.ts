/** Draws documents for the other slices. Fonts and code for drawing are loaded only by the thread that draws. */
import type { InvoicePaper } from './paper.ts'
import type { RenderedInvoice } from './paint/render.ts'

/** Draws the invoice; `xml` is embedded as its structured form. Throws a RangeError when `createdAt` is not an instant. */
export async function drawInvoice(paper: InvoicePaper, xml: string | null): Promise<RenderedInvoice> {
  const render = await import('./paint/render.ts')
  return render.drawInvoice(paper, xml)
}
