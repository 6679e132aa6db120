/** Reading of UBL 2.5 in the profile of the public platform: what is new in it, and what must not be taken for a purchase. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ubl25Xml, writeAnswer, writeStatusMessage } from '../../../../server/documents/e-invoice/index.ts'
import type { EInvoice } from '../../../../server/documents/e-invoice/index.ts'
import { readStructured } from '../../../../server/purchases/intake/structured.ts'
import { readFile } from '../../../../server/purchases/intake/run.ts'
import { COMPANY, invoiceOf, ISSUER, line, SAMPLES } from '../../documents/e-invoice/samples.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const sample = (name: string): EInvoice => (SAMPLES[name] as () => EInvoice)()
const write = (invoice: EInvoice, copy = false): string => ubl25Xml(invoice, { copy })
const read = (xml: string) => {
  const found = readStructured(Buffer.from(xml))
  if (!found) throw new Error('Nothing was read.')
  return { ...found.proposal, codes: found.warnings.map(({ code }) => code) }
}
const QR =
  'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674&numserie=F2026-0042&fecha=03-06-2026&importe=121.00'

describe('the edition', () => {
  test('is told by the specification, since the namespaces are the same', () => {
    const xml = write(invoiceOf({}))
    expect(read(xml).format).toBe('UBL 2.5 Invoice')
    expect(read(xml.replace('en16931:2026#conformant', 'en16931:2017#conformant')).format).toBe(
      'UBL 2.1 Invoice',
    )
  })

  test('of 2026 states copy, payment day and code', () => {
    const facts = { qrUrl: QR, paidOn: '2026-06-03' }
    expect(read(write(invoiceOf({}, facts), true))).toMatchObject({
      isCopy: true,
      paidOn: '2026-06-03',
      qrUrl: QR,
      codes: [],
    })
    const plain = read(write(invoiceOf({})))
    for (const name of ['isCopy', 'paidOn', 'qrUrl', 'isSelfBilled', 'rectificationMethod'] as const)
      expect(plain[name], name).toBeUndefined()
  })

  test('with the code of another invoice is doubted', () => {
    const xml = write(invoiceOf({}, { qrUrl: QR.replace('F2026-0042', 'F2026-0043') }))
    expect(read(xml).codes).toEqual(['qr_differs'])
  })
})

describe('a message about invoices', () => {
  test('is said to be none', () => {
    const invoice = { issuerTaxId: 'B12345674', number: 'F-1', issueDate: '2026-06-03' }
    const message = writeStatusMessage({
      id: 'm-1',
      role: 'issuer',
      senderTaxId: 'B12345674',
      issuedAt: '2026-07-01T08:30:00Z',
      reports: [{ kind: 'settled', invoice, date: '2026-06-30' }],
    })
    const answer = writeAnswer({ csv: 'C', batch: 200, items: [] }, '2026-07-01')
    for (const [xml, name] of [
      [message, 'ApplicationResponse'],
      [answer, 'DocumentStatus'],
    ] as const)
      expect(read(xml)).toMatchObject({
        source: 'none',
        format: `UBL 2.5 ${name}`,
        codes: ['not_an_invoice'],
        taxLines: [],
      })
  })
})

describe('a rectification', () => {
  test('says whether it states differences or replaces', () => {
    expect(read(write(sample('16-rectifying-by-differences')))).toMatchObject({
      kind: 'rectifying',
      rectificationMethod: 'differences',
      rectifies: [{ supplierNumber: 'F2026-0012', issueDate: '2026-03-15' }],
    })
    expect(read(write(sample('17-rectifying-by-substitution'))).rectificationMethod).toBe('substitution')
  })
})

describe('what is collected for others', () => {
  test('is a line of its own, in the total and in the amount due', () => {
    const proposal = read(write(sample('10-exempt-suplidos-and-taxed')))
    expect(proposal.taxLines.filter(({ description }) => description === 'Suplidos')).toEqual([
      { base: 45.5, taxTreatment: 'N1', description: 'Suplidos' },
    ])
    expect(proposal).toMatchObject({ total: 667.5, payable: 667.5 })
  })

  test('and withheld is the withholding, not a disbursement', () => {
    expect(read(write(sample('21-instalments')))).toMatchObject({
      withholding: { rate: 15, base: 1000, amount: 150 },
      total: 1210,
      payable: 1060,
      taxLines: [{ base: 1000, vatRate: 21, tax: 210 }],
    })
  })

  test('at several rates is doubted', () => {
    const xml = write(invoiceOf({ withholdingBp: 1500, lines: [line('Uno', 100)] }))
    const [part = ''] = /<cac:TaxSubtotal>(?:(?!<\/cac:TaxSubtotal>).)*WTH.*?<\/cac:TaxSubtotal>/.exec(
      xml.slice(xml.indexOf('<cac:WithholdingTaxTotal>')),
    ) ?? ['']
    const two = xml.replace(part, part + part.replace('<cbc:Percent>15<', '<cbc:Percent>7<'))
    expect(read(two)).toMatchObject({
      codes: ['several_withholdings'],
      withholding: { rate: 15, base: 200, amount: 30 },
    })
  })
})

describe('categories', () => {
  test.each(['D', 'F', 'N'])('%s has no tax that could be deducted', (category) => {
    const margin = write(sample('12-travel-agency')).replaceAll('<cbc:ID>D<', `<cbc:ID>${category}<`)
    expect(read(margin).taxLines).toEqual([{ base: 1200, taxTreatment: 'E1' }])
    const taxed = margin.replace(/(<cac:TaxSubtotal>.*?<cbc:TaxAmount currencyID="EUR">)0\.00/, '$151.65')
    expect(read(taxed)).toMatchObject({
      codes: ['not_vat'],
      taxLines: [{ base: 1251.65, taxTreatment: 'N1' }],
    })
  })

  test('a surcharge as other programs write it belongs to its rate', () => {
    const xml = write(sample('04-surcharge')).replace(
      /Recargo de equivalencia 5,2 % \(.*?\)/,
      'Recargo de equivalencia 5,2 %',
    )
    expect(read(xml).total).toBe(read(write(sample('04-surcharge'))).total)
  })
})

describe('a book', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ shared: true })
  })
  afterAll(() => world.close())
  const ask = async (xml: string) => {
    const content = Buffer.from(xml).toString('base64')
    const answer = await world.post('/api/v1/received-invoices/read', { name: 'factura.xml', content })
    expect(answer.status, answer.raw.body).toBe(200)
    const { proposal, warnings } = answer.body.data as {
      proposal: Record<string, unknown>
      warnings: { code: string; params?: Record<string, unknown> }[]
    }
    return { proposal, warnings }
  }

  test('takes what its customer issued in its name for a sale, and nothing else', async () => {
    const own = { ...ISSUER, nif: 'B12345674' }
    const sale = write(invoiceOf({ ...selfBilled, client: COMPANY }, { issuer: own }))
    const { proposal, warnings } = await ask(sale)
    expect(proposal['isSelfBilled']).toBe(true)
    expect(warnings.map(({ code }) => code)).toEqual(['own_sale'])
    expect(warnings[0]?.params).toEqual({ nif: 'A39000013' })
    // The same from a supplier: we issued it for them, and it is a purchase of ours.
    const purchase = write(
      invoiceOf(
        { ...selfBilled, client: { ...COMPANY, nif: 'B12345674' } },
        { issuer: { ...own, nif: 'A39000013' } },
      ),
    )
    expect((await ask(purchase)).warnings.map(({ code }) => code)).not.toContain('own_sale')
  })

  test('is told that a substitution replaces the first entry', async () => {
    const xml = write(
      invoiceOf(
        {
          kind: 'R1',
          client: { ...COMPANY, nif: 'B12345674' },
          references: [{ role: 'rectifies', targetId: 1, number: 'F2026-0012', issueDate: '2026-03-15' }],
          rectification: {
            method: 'S',
            cause: 'wrong_amount',
            reason: 'x',
            rectified: { baseCents: 1, taxCents: 0, surchargeCents: null },
          },
        },
        { issuer: { ...ISSUER, nif: 'A39000013' } },
      ),
    )
    const { warnings } = await ask(xml)
    expect(warnings.map(({ code, params }) => [code, params?.['number']])).toEqual([
      ['replaces_invoice', 'F2026-0012'],
    ])
  })
})

const selfBilled = {
  issuedBy: {
    kind: 'recipient' as const, name: null, nif: null, idType: null, country: null, street: null, postalCode: null, city: null, province: null,
  },
} // prettier-ignore

describe('hostile files', () => {
  const context = { ownNif: 'B12345674', ownName: '', today: '2026-07-01' }
  const open = (bytes: Buffer) => readFile({ bytes, mediaType: 'application/xml' }, context)
  const plain = write(invoiceOf({}))
  const bomb = `<!DOCTYPE Invoice [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}">]>`

  test.each([
    ['a DOCTYPE', plain.replace('\n', '\n<!DOCTYPE Invoice>'), 'doctype'],
    ['entities of its own', plain.replace('\n', `\n${bomb}`).replace('>F2026-0042<', '>&b;<'), 'doctype'],
    [
      'a file of the system',
      plain.replace('\n', '\n<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]>'),
      'doctype',
    ],
    [
      'groups inside each other',
      plain.replace('<cac:TaxTotal>', `${'<cac:Party>'.repeat(100)}<cac:TaxTotal>`),
      'too_deep',
    ],
  ])('with %s are refused', async (_name, xml, why) => {
    await expect(open(Buffer.from(xml))).rejects.toMatchObject({ code: 'file_unreadable', details: { why } })
  })

  test('of 50 MB are refused, and the next one is read', async () => {
    const huge = plain.replace('</Invoice>', `<!--${'x'.repeat(50 * 1024 * 1024)}--></Invoice>`)
    const note = plain.replace('<cbc:ID>F2026', `<cbc:ID>${'x'.repeat(50 * 1024 * 1024)}`)
    for (const xml of [huge, note])
      await expect(open(Buffer.from(xml))).rejects.toMatchObject({
        code: 'file_unreadable',
        details: { why: 'too_large' },
      })
    expect((await open(Buffer.from(plain))).proposal.total).toBe(121)
  })

  test('of 10,000 lines are read', async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => line(`Artículo ${index}`, 1))
    expect((await open(Buffer.from(write(invoiceOf({ lines }))))).proposal).toMatchObject({ total: 12_100 })
  })
})
