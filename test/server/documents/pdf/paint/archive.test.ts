/** The files are fit for archives and screen readers: PDF/A-3a and PDF/UA-1, by checks of our own. */
import { describe, expect, test } from 'vitest'
import { renderInvoice } from '../../../../../server/documents/pdf/paint/render.ts'
import { archiveFaults } from '../../../../support/files/pdf-archive.ts'
import { nameOf, PdfFile, PdfRef, textOf } from '../../../../support/files/pdf-objects.ts'
import { samplePaper, samples } from '../samples.ts'

const XML = '<?xml version="1.0" encoding="UTF-8"?><Invoice>áéí &amp; 🙂</Invoice>'

describe('every document', () => {
  test.each(Object.entries(samples))('%s follows both standards', async (_name, make) => {
    const paper = make()
    expect(archiveFaults(await renderInvoice(paper, paper.document === 'invoice' ? XML : null))).toEqual([])
  })

  test('contains the XML byte for byte, as its alternative', async () => {
    const file = new PdfFile(await renderInvoice(samplePaper(), XML))
    const [reference] = file.array(file.root.get('AF'))
    const spec = file.dict(reference)
    expect(textOf(spec.get('UF'))).toBe('factur-x.xml')
    expect(nameOf(spec.get('AFRelationship'))).toBe('Alternative')
    const embedded = file.dict(spec.get('EF')).get('F')
    if (!(embedded instanceof PdfRef)) throw new Error('no file')
    expect(file.object(embedded.id).stream?.toString('utf8')).toBe(XML)
  })
})

describe('the checks', () => {
  /** Replaces a text of the file by one of the same length, so that the offsets stay valid. */
  async function spoiled(from: string | RegExp, to: string): Promise<string[]> {
    const text = (await renderInvoice(samples.design!(), XML)).toString('latin1')
    const found = typeof from === 'string' ? from : (from.exec(text)?.[0] ?? '')
    expect(text).toContain(found)
    expect(to.length).toBe(found.length)
    return archiveFaults(Buffer.from(text.replace(found, to), 'latin1'))
  }

  test.each<[string, string | RegExp, string, string]>([
    ['another part', '<pdfaid:part>3<', '<pdfaid:part>2<', '6.6.4'],
    ['another conformance', '<pdfaid:conformance>A<', '<pdfaid:conformance>B<', '6.6.4'],
    ['not marked', '/Marked true', '/Marxed true', '6.7.2.2'],
    ['no relationship', '/AFRelationship /Alternative', '/AFRelationship /Alternativo', '6.8'],
    ['another intent', '/GTS_PDFA1', '/GTS_PDFX1', '6.2.3'],
    ['an undescribed property', '<pdfaProperty:name>Version<', '<pdfaProperty:name>Versiom<', '6.6.2.3.1'],
    ['a date that differs', '<xmp:ModifyDate>2026', '<xmp:ModifyDate>2027', '6.6.3'],
    ['a title that differs', '<rdf:li xml:lang="x-default">Fac', '<rdf:li xml:lang="x-default">Fax', '6.6.3'],
    ['no title shown', '/DisplayDocTitle true', '/DisplayDocTitle null', '14289-1 7.1'],
    ['a font without its program', /\/FontFile2/, '/FontFileX', '6.2.11.4'],
    ['an unknown type', '/S /Figure', '/S /Figura', '14289-1 7.1'],
    ['a figure without words', '/Alt (', '/Alx (', '14289-1 7.3'],
    ['a heading cell that heads nothing', '/Scope /Column', '/Scopx /Column', '14289-1 7.5'],
    ['no tab order', '/Tabs /S', '/Tabs /R', '7.18.3'],
    ['an action', '/DisplayDocTitle', '/OpenAction     ', 'forbidden'],
  ])('detect %s', async (_what, from, to, clause) => {
    const faults = await spoiled(from, to)
    expect(faults.join('\n')).toContain(clause)
  })
})
