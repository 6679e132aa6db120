/** Writes a PDF of one page by hand: the documents of the simulator need no more than lines of text. */

const LINE_HEIGHT = 16
const TOP = 780

/** Escapes text for a PDF string; in the font's encoding (WinAnsi), Latin-1 characters are single bytes. */
function stringOf(text: string): string {
  return `(${text.replace(/[^\x20-\x7E\u00A1-\u00FF]/g, '?').replace(/[\\()]/g, String.raw`\$&`)})`
}

/** Returns a PDF with the lines, the first one larger. Characters outside ISO-8859-1 become question marks. */
export function pdfOf(lines: readonly string[]): Uint8Array {
  const drawn = lines.map(
    (line, at) => `BT /F1 ${at === 0 ? 14 : 10} Tf 50 ${TOP - at * LINE_HEIGHT} Td ${stringOf(line)} Tj ET`,
  )
  const content = drawn.join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text + table + end, 'latin1')
}
