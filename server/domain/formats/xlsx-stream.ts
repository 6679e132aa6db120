/**
 * A workbook of one worksheet that is written while its rows are read. `write-excel-file` keeps the cells of all rows,
 * which takes a gigabyte for a journal of 50,000 entries. Text is stored as text, so that no cell is a formula.
 */
import { zipOf } from './zip-stream.ts'
import type { ZipEntry } from './zip-stream.ts'
import { xmlText } from './xml-writer.ts'

/** Text, a number, a day, or nothing. */
export type XlsxCell = string | { number: string } | { day: string } | null

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const OOXML = 'http://schemas.openxmlformats.org'
const MAIN = `${OOXML}/spreadsheetml/2006/main`
const RELATIONS = `${OOXML}/officeDocument/2006/relationships`
const MS_A_DAY = 86_400_000
/** Day 0 of a worksheet. */
const EPOCH = Date.UTC(1899, 11, 30)
/** Style 1 is a day. */
const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`

function columnName(index: number): string {
  let name = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCodePoint(65 + ((rest - 1) % 26)) + name
  return name
}

function cellXml(cell: XlsxCell, place: string): string {
  if (cell === null || cell === '') return ''
  if (typeof cell === 'string')
    return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${xmlText(cell)}</t></is></c>`
  if ('number' in cell) return `<c r="${place}"><v>${cell.number}</v></c>`
  const days = (Date.parse(`${cell.day}T00:00:00Z`) - EPOCH) / MS_A_DAY
  return `<c r="${place}" s="1"><v>${days}</v></c>`
}

async function* sheetXml(pages: AsyncIterable<readonly (readonly XlsxCell[])[]>): AsyncGenerator<string> {
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetData>`
  let row = 0
  for await (const rows of pages) {
    let xml = ''
    for (const cells of rows) {
      row += 1
      xml += `<row r="${row}">${cells.map((cell, index) => cellXml(cell, `${columnName(index)}${row}`)).join('')}</row>`
    }
    if (xml !== '') yield xml
  }
  yield '</sheetData></worksheet>'
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

/** Returns the workbook in pieces. Nobody else's text is in `sheet`, the name of the worksheet. */
export function xlsxStream(
  sheet: string,
  pages: AsyncIterable<readonly (readonly XlsxCell[])[]>,
  writtenAt: Date,
): AsyncGenerator<Uint8Array, void, undefined> {
  const entries: ZipEntry[] = [
    {
      name: '[Content_Types].xml',
      parts: once(
        `${XML}<Types xmlns="${OOXML}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
      ),
    },
    {
      name: '_rels/.rels',
      parts: once(
        `${XML}<Relationships xmlns="${OOXML}/package/2006/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      ),
    },
    {
      name: 'xl/workbook.xml',
      parts: once(
        `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${xmlText(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ),
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      parts: once(
        `${XML}<Relationships xmlns="${OOXML}/package/2006/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
      ),
    },
    { name: 'xl/styles.xml', parts: once(STYLES) },
    { name: 'xl/worksheets/sheet1.xml', parts: sheetXml(pages) },
  ]
  return zipOf(ordered(entries), writtenAt)
}

async function* ordered(entries: readonly ZipEntry[]): AsyncGenerator<ZipEntry> {
  yield* entries
}
