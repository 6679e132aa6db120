/** Drawing as the other slices call it: what it takes, fonts and all, is loaded by the thread that draws and by no other. */
import type { InvoicePaper } from './paper.ts'
import type { RenderedInvoice } from './paint/render.ts'

/** Draws the invoice; `xml` is embedded as its structured form. Throws a RangeError when `createdAt` is not an instant. */
export async function drawInvoice(paper: InvoicePaper, xml: string | null): Promise<RenderedInvoice> {
  const render = await import('./paint/render.ts')
  return render.drawInvoice(paper, xml)
}
