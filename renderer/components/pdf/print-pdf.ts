/** Printing of a PDF's own pages, as whole sheets without the window around them. */
import { openPdf, paintPage } from './pdf.ts'

/** Beyond this laser printers show no difference. */
const DOTS_PER_INCH = 300
const POINTS_PER_INCH = 72

function pictureOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('The page has no picture.'))), 'image/png'),
  )
}

/** Opens the print dialog with all pages. Throws `PdfFault`. */
export async function printPdf(bytes: Uint8Array): Promise<void> {
  const file = await openPdf(bytes)
  const sheet = document.createElement('div')
  sheet.className = 'print-sheet print-pages'
  const urls: string[] = []
  try {
    // One page after the other: each takes some thirty megabytes while it is rendered.
    for (let index = 0; index < file.pageCount; index++) {
      const canvas = await paintPage(await file.page(index), DOTS_PER_INCH / POINTS_PER_INCH, {
        intent: 'print',
      })
      const url = URL.createObjectURL(await pictureOf(canvas))
      urls.push(url)
      const image = new Image()
      image.src = url
      await image.decode()
      sheet.append(image)
    }
    document.body.append(sheet)
    window.print()
  } finally {
    sheet.remove()
    for (const url of urls) URL.revokeObjectURL(url)
    file.close()
  }
}
