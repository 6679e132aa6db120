/** Reading of suppliers' files: structured invoices, PDFs with one inside, tax codes, plain text, and hostile files. */
import { readFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { encode } from 'uqr'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { factsOfQr } from '../../../../server/purchases/intake/qr-url.ts'
import { readFile } from '../../../../server/purchases/intake/run.ts'
import { inLongRun, swept } from '../../../support/sweep.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const longTest = inLongRun(test)

const CONTEXT = { ownNif: 'B12345674', ownName: 'Talleres Ejemplo, S.L.', today: '2026-07-01' }

let world: World
beforeAll(async () => {
  world = await openWorld({ shared: true })
})
afterAll(() => world.close())

const sample = (name: string): Buffer => readFileSync(new URL(`./samples/${name}`, import.meta.url))

async function read(name: string, bytes: Uint8Array | string) {
  const content = Buffer.from(bytes).toString('base64')
  return world.post('/api/v1/received-invoices/read', { name, content })
}

async function proposalOf(name: string, bytes: Uint8Array | string) {
  const answer = await read(name, bytes)
  expect(answer.status, answer.raw.body).toBe(200)
  return answer.body.data
}

interface PdfOptions {
  lines?: string[]
  qr?: string
  attach?: { name: string; bytes: Buffer }
  pages?: number
}

function pdf({ lines = [], qr, attach, pages = 1 }: PdfOptions): Promise<Buffer> {
  const document = new PDFDocument({ size: 'A4' })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const done = new Promise<Buffer>((resolve) => document.on('end', () => resolve(Buffer.concat(chunks))))
  for (const line of lines) document.text(line)
  if (qr) {
    const { data, size } = encode(qr, { ecc: 'M' })
    const module = 90 / size
    for (let y = 0; y < size; y++)
      for (let x = 0; x < size; x++)
        if (data[y]?.[x]) document.rect(400 + x * module, 50 + y * module, module, module)
    document.fill('black')
  }
  for (let page = 1; page < pages; page++) document.addPage().text(`Página ${page + 1}`)
  if (attach) document.file(attach.bytes, { name: attach.name })
  document.end()
  return done
}

describe('structured invoices', () => {
  test('a Facturae with two rates and withholding is read whole', async () => {
    const { proposal, warnings } = await proposalOf('factura.xml', sample('facturae.xml'))
    expect(proposal).toMatchObject({
      source: 'facturae',
      format: 'Facturae 3.2.2',
      kind: 'invoice',
      supplierName: 'Lucía Peña Oria',
      supplierNif: '12345678Z',
      supplierCountry: 'ES',
      supplierAddress: {
        street: 'Calle del Río, 4',
        postalCode: '41001',
        city: 'Sevilla',
        province: 'Sevilla',
        country: 'ES',
      },
      supplierNumber: 'A-118',
      issueDate: '2026-06-15',
      operationDate: '2026-06-10',
      dueDate: '2026-07-15',
      currency: 'EUR',
      taxLines: [
        { base: 1000, vatRate: 21, tax: 210 },
        { base: 100, vatRate: 5, tax: 5 },
      ],
      withholding: { rate: 15, base: 1000, amount: 150 },
      total: 1315,
      payable: 1165,
      paymentMethod: 'transfer',
      iban: 'ES9121000418450200051332',
      customerNif: 'B12345674',
    })
    expect(new Set(Object.values(proposal.confidence))).toEqual(new Set(['high']))
    expect(warnings).toEqual([])
  })

  test.each([
    [
      'B12345674',
      'ES91 2100 0418 4502 0005 1332',
      'Bizum',
      ['B12345674', 'ES9121000418450200051332', 'bizum'],
    ],
    // A number of the seller's own, an account with wrong control digits, and another service.
    ['C-0017', 'ES92 2100 0418 4502 0005 1332', 'PayPal', [undefined, undefined, 'other']],
  ])(
    'the buyer %s without VAT number, the account %s and the service %s',
    async (buyer, account, service, expected) => {
      const xml = sample('cii.xml')
        .toString('utf8')
        .replace(
          /<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">ESA28015865.*?<\/ram:SpecifiedTaxRegistration>/,
          '',
        )
        .replace('<ram:BuyerTradeParty>', `<ram:BuyerTradeParty><ram:ID>${buyer}</ram:ID>`)
        .replace(
          '<ram:TypeCode>59</ram:TypeCode>',
          `<ram:TypeCode>68</ram:TypeCode><ram:Information>${service}</ram:Information><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>${account}</ram:IBANID></ram:PayeePartyCreditorFinancialAccount>`,
        )
      const { proposal } = await proposalOf('cii.xml', xml)
      expect([proposal.customerNif, proposal.iban, proposal.paymentMethod]).toEqual(expected)
    },
  )

  test('in Latin 1, rectifying, with reverse charge and a negative base', async () => {
    const { proposal } = await proposalOf('chatarra.xsig', sample('facturae-reverse.xml'))
    expect(proposal).toMatchObject({
      kind: 'rectifying',
      supplierName: 'Chatarras Peña, S.A.',
      supplierNif: 'B58818501',
      supplierNumber: 'R-9',
      taxLines: [{ base: -250.5, taxTreatment: 'S2' }],
      rectifies: [{ supplierNumber: '26-31', issueDate: '2026-05-01' }],
      total: -250.5,
    })
  })

  test.each([
    [
      'add up to its base',
      -250.5,
      [
        { base: -50.5, taxTreatment: 'E1' },
        { base: -200, taxTreatment: 'S2' },
      ],
      [],
    ],
    [
      'have a discount on their sum',
      -225.45,
      [{ base: -225.45, taxTreatment: 'S2' }],
      ['treatments_unclear'],
    ],
  ])('lines without VAT for two reasons that %s', async (_name, base, taxLines, doubts) => {
    const lineOf = (amount: string, event: string) =>
      `<InvoiceLine><GrossAmount>${amount}</GrossAmount><TaxesOutputs><Tax><TaxTypeCode>01</TaxTypeCode><TaxRate>0.00</TaxRate></Tax></TaxesOutputs>${event}</InvoiceLine>`
    const exempt =
      '<SpecialTaxableEvent><SpecialTaxableEventCode>01</SpecialTaxableEventCode><SpecialTaxableEventReason>art. 20</SpecialTaxableEventReason></SpecialTaxableEvent>'
    const xml = sample('facturae-reverse.xml')
      .toString('latin1')
      .replaceAll('>-250.50<', `>${base}<`)
      .replace('<LegalLiterals>', `<Items>${lineOf('-50.50', exempt)}${lineOf('-200.00', '')}</Items>$&`)
    const { proposal, warnings } = await proposalOf('chatarra.xsig', Buffer.from(xml, 'latin1'))
    expect(proposal.taxLines).toEqual(taxLines)
    expect(proposal.confidence.taxLines).toBe(doubts.length > 0 ? 'low' : 'high')
    expect(warnings.map((each: { code: string }) => each.code)).toEqual(doubts)
  })

  test('a signature inside is kept, and said to be unchecked', async () => {
    const signed = sample('facturae.xml')
      .toString('utf8')
      .replace('</fe:Facturae>', '<ds:Signature><ds:SignedInfo/></ds:Signature></fe:Facturae>')
    const { proposal, warnings } = await proposalOf('factura.xsig', signed)
    expect(proposal.supplierNumber).toBe('A-118')
    expect(warnings.map((each: { code: string }) => each.code)).toEqual(['signature_not_checked'])
  })

  test('a UBL invoice', async () => {
    const { proposal } = await proposalOf('ubl.xml', sample('ubl-invoice.xml'))
    expect(proposal).toMatchObject({
      source: 'ubl',
      kind: 'invoice',
      supplierName: 'Papelería Sol, S.L.',
      supplierNif: 'B58818501',
      supplierNumber: 'V-2026/77',
      issueDate: '2026-06-12',
      dueDate: '2026-07-12',
      taxLines: [
        { base: 100, vatRate: 21, tax: 21 },
        { base: 100, vatRate: 4, tax: 4 },
      ],
      total: 225,
      paymentMethod: 'transfer',
    })
  })

  test('a UBL credit note of goods from the EU gives back: negative, with the VAT ours to declare', async () => {
    const { proposal } = await proposalOf('ubl.xml', sample('ubl-credit-note.xml'))
    expect(proposal).toMatchObject({
      kind: 'rectifying',
      supplierCountry: 'DE',
      supplierNif: 'DE123456789',
      taxLines: [{ base: -300, taxTreatment: 'S2', nature: 'eu_goods' }],
      total: -300,
      rectifies: [{ supplierNumber: 'RE-1001', issueDate: '2026-05-30' }],
    })
  })

  test('a CII invoice, made out to somebody else', async () => {
    const { proposal, warnings } = await proposalOf('cii.xml', sample('cii.xml'))
    expect(proposal).toMatchObject({
      source: 'cii',
      supplierName: 'Ferretería Luz, S.L.',
      supplierNumber: 'FX-88',
      issueDate: '2026-06-11',
      operationDate: '2026-06-10',
      dueDate: '2026-07-11',
      taxLines: [{ base: 60, vatRate: 21, tax: 12.6 }],
      total: 72.6,
      paymentMethod: 'direct_debit',
    })
    expect(warnings.map((each: { code: string }) => each.code)).toEqual(['other_customer'])
  })
})

describe('PDF files', () => {
  longTest('the invoice inside a Factur-X is what counts', async () => {
    const bytes = await pdf({
      lines: ['Factura FX-88'],
      attach: { name: 'factur-x.xml', bytes: sample('cii.xml') },
    })
    const { proposal } = await proposalOf('fx.pdf', bytes)
    expect(proposal).toMatchObject({ source: 'facturx', supplierNumber: 'FX-88', total: 72.6 })
    expect(proposal.confidence.total).toBe('high')
  })

  test('the tax code of a page is read, and the taxes that add up to its amount', async () => {
    const bytes = await pdf({
      qr: 'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B58818501&numserie=F2026-0007&fecha=02-06-2026&importe=121.00',
      lines: ['Papelería Sol, S.L.', 'Base imponible 100,00', 'IVA 21 % 21,00', 'Total 121,00'],
    })
    const { proposal } = await proposalOf('qr.pdf', bytes)
    expect(proposal).toMatchObject({
      source: 'qr',
      supplierNif: 'B58818501',
      supplierNumber: 'F2026-0007',
      issueDate: '2026-06-02',
      total: 121,
      taxLines: [{ base: 100, vatRate: 21, tax: 21 }],
    })
    expect(proposal.confidence).toMatchObject({
      supplierNif: 'medium',
      supplierName: 'low',
      taxLines: 'medium',
    })
  })

  test('the total of a code is in euros, and not the one of an invoice in dollars', async () => {
    const bytes = await pdf({
      qr: 'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B58818501&numserie=F2026-0007&fecha=02-06-2026&importe=111.65',
      lines: [
        'Base imponible 100,00 USD',
        'IVA 21 % 21,00 USD',
        'Total en euros 111,65 €',
        'Total 121,00 USD',
      ],
    })
    const { proposal } = await proposalOf('usd.pdf', bytes)
    expect(proposal).toMatchObject({ source: 'qr', currency: 'USD', total: 121, payable: 121, closes: true })
  })

  test('a PDF that Sello made comes back through the invoice inside, or else through its own code', async () => {
    const read = async (draft: { id: string }) => {
      const issued = await world.issue(draft.id)
      const answer = await world.get(`/api/v1/invoices/${issued.id}/pdf`)
      expect(answer.status).toBe(200)
      const { proposal } = await proposalOf('sello.pdf', answer.raw.rawPayload)
      expect(proposal).toMatchObject({
        supplierNif: 'B12345674',
        supplierNumber: issued.number,
        issueDate: issued.issueDate,
        total: issued.total,
        taxLines: [{ base: 20, vatRate: 21, tax: 4.2 }],
      })
      return proposal.source
    }
    expect(await read(await world.createDraft())).toBe('facturx')
    // Nobody is named on it, so it has none inside.
    expect(await read(await world.createDraft({ kind: 'F2', clientNif: null }))).toBe('qr')
  })

  longTest(
    'of a PDF that Sello made nothing is lost: withholding and what was paid for the customer',
    async () => {
      const draft = await world.createDraft({
        withholdingPct: 15,
        lines: [
          { description: 'Honorarios', quantity: 1, unitPrice: 3000 },
          { description: 'Tasa del registro', quantity: 1, unitPrice: 45.5, isDisbursement: true },
        ],
      })
      const issued = await world.issue(draft.id)
      const { raw } = await world.get(`/api/v1/invoices/${issued.id}/pdf`)
      const { proposal, warnings } = await proposalOf('sello.pdf', raw.rawPayload)
      expect(proposal).toMatchObject({
        source: 'facturx',
        total: 3675.5,
        payable: 3225.5,
        withholding: { rate: 15, base: 3000, amount: 450 },
        taxLines: [
          { base: 3000, vatRate: 21, tax: 630 },
          { base: 45.5, taxTreatment: 'N1', description: 'Suplidos' },
        ],
      })
      expect(warnings.map((each: { code: string }) => each.code)).toEqual(['other_customer'])
    },
  )

  test('without code or data inside, its text gives guesses, each told as such', async () => {
    const bytes = await pdf({
      lines: [
        'Asesoría Norte, S.L.P.',
        'CIF: B58818501',
        'Cliente: Talleres Ejemplo, S.L. CIF B12345674',
        'Factura nº: 2026/114',
        'Fecha: 09/06/2026   Vencimiento: 09/07/2026',
        'Honorarios 1.250,00',
        'Base imponible 1.250,00 €',
        'IVA 21 % 262,50 €',
        'IRPF 15 % 187,50 €',
        'Total factura 1.512,50 €',
        'Total a pagar 1.325,00 €',
      ],
    })
    const { proposal, warnings } = await proposalOf('texto.pdf', bytes)
    expect(proposal).toMatchObject({
      source: 'text',
      supplierName: 'Asesoría Norte, S.L.P.',
      supplierNif: 'B58818501',
      supplierNumber: '2026/114',
      issueDate: '2026-06-09',
      dueDate: '2026-07-09',
      taxLines: [{ base: 1250, vatRate: 21, tax: 262.5 }],
      total: 1512.5,
      withholding: { rate: 15, base: 1250, amount: 187.5 },
    })
    expect(proposal.confidence).toMatchObject({
      supplierNif: 'medium',
      supplierNumber: 'low',
      total: 'medium',
    })
    // Only arithmetic and control digits prove: a number and a date at their labels are read.
    expect(proposal.levels).toMatchObject({
      supplierNif: 'proven',
      taxLines: 'proven',
      withholding: 'proven',
      total: 'proven',
      supplierNumber: 'read',
      issueDate: 'read',
    })
    expect(proposal.closes).toBe(true)
    expect(warnings.map((each: { code: string }) => each.code)).toContain('read_from_text')
  })
})

/** A code as an 8-bit grey PNG. */
function pngOf(text: string): Buffer {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const scale = 6
  const side = size * scale
  const rows = Buffer.alloc(side * (side + 1))
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      rows[y * (side + 1) + 1 + x] = data[Math.floor(y / scale)]?.[Math.floor(x / scale)] ? 0 : 255
  const chunk = (type: string, content: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(content.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 8
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe('images and texts', () => {
  test('the tax code of a photographed ticket', async () => {
    const image = pngOf(
      'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B58818501&numserie=T-9&fecha=03-06-2026&importe=12.1',
    )
    const { proposal } = await proposalOf('tique.png', image)
    expect(proposal).toMatchObject({
      source: 'qr',
      supplierNif: 'B58818501',
      supplierNumber: 'T-9',
      issueDate: '2026-06-03',
      total: 12.1,
    })
  })

  test('a code that is no tax code says nothing', () => {
    expect(factsOfQr('https://evil.example/ValidarQR?nif=B58818501&numserie=1')).toBeNull()
    expect(factsOfQr('javascript:alert(1)')).toBeNull()
    expect(
      factsOfQr('https://www2.agenciatributaria.gob.es.evil.example/ValidarQR?nif=B58818501&numserie=1'),
    ).toBeNull()
  })

  test('a TicketBAI code', () => {
    expect(
      factsOfQr(
        'https://batuz.eus/QRTBAI/?id=TBAI-B58818501-150626-AbCdEf0123456-123&s=T&nf=27174&i=4.70&cr=007',
      ),
    ).toMatchObject({
      supplierNif: 'B58818501',
      supplierNumber: 'T-27174',
      issueDate: '2026-06-15',
      total: 4.7,
    })
  })

  test('a ticket of two rates: the total is the printed one, and no article is', async () => {
    const ticket = [
      'Supermercado Ejemplo, S.A.',
      'NIF A58818501',
      'Factura simplificada T-77',
      'Fecha 09/06/2026',
      'Aceite 12,10',
      'Jamón 27,80',
      'IVA 10 %  Base 25,27  Cuota 2,53',
      'IVA 21 %  Base 10,00  Cuota 2,10',
      'TOTAL 39,90',
    ]
    const { proposal } = await proposalOf('tique.pdf', await pdf({ lines: ticket }))
    expect(proposal).toMatchObject({
      total: 39.9,
      taxLines: [
        { base: 25.27, vatRate: 10, tax: 2.53 },
        { base: 10, vatRate: 21, tax: 2.1 },
      ],
    })
    // Where nothing closes, only the printed total is told, and as no more than read from text.
    const odd = ticket.map((line) => line.replace('Cuota 2,53', 'Cuota 2,50'))
    const { proposal: open } = await proposalOf('tique.txt', odd.join('\n'))
    expect(open).toMatchObject({ total: 39.9, taxLines: [] })
    expect(open.confidence.total).toBe('low')
    // A heading over the articles names their column, not the total.
    const headings = ['Descripción Total', 'Artículo Uds. Precio Importe total']
    for (const heading of swept(headings, (_, index) => index === 1)) {
      const headed = ticket.toSpliced(4, 0, heading)
      const { proposal: same } = await proposalOf('tique.txt', headed.join('\n'))
      expect(same, heading).toMatchObject({ total: 39.9 })
      expect(same.taxLines, heading).toHaveLength(2)
    }
    const untold = odd.filter((line) => !line.startsWith('TOTAL'))
    const { proposal: none } = await proposalOf('tique.txt', untold.join('\n'))
    expect(none.total).toBeUndefined()
  })

  test('the usual line of withholding is a negative amount', async () => {
    const forms = ['-120,00 €', '\u2013120,00 €', '- 120,00 €', '120,00 €']
    for (const minus of swept(forms, (_, index) => index === 0)) {
      const text = [
        'Asesoría Norte, S.L.P.',
        'Factura nº: 2026/115',
        'Base imponible 800,00 €',
        'IVA 21 % 168,00 €',
        `Retención IRPF 15 % ${minus}`,
        'Total a pagar 848,00 €',
      ].join('\n')
      const { proposal, warnings } = await proposalOf('texto.txt', text)
      expect(proposal, minus).toMatchObject({
        taxLines: [{ base: 800, vatRate: 21, tax: 168 }],
        withholding: { rate: 15, base: 800, amount: 120 },
        total: 968,
        payable: 848,
      })
      expect(warnings.map((each: { code: string }) => each.code)).toEqual(['read_from_text'])
    }
  })

  test('withholding that no sum proves is not passed over: the amount to pay does not close', async () => {
    const text = [
      'Asesoría Norte, S.L.P.',
      'Factura nº: 2026/116',
      'Base imponible 1.200,00 €',
      'IVA 21 % 252,00 €',
      // Of one of the lines alone.
      'Retención IRPF 15 % -150,00 €',
      'Total factura 1.452,00 €',
      'Total a pagar 1.302,00 €',
    ].join('\n')
    const { proposal, warnings } = await proposalOf('texto.txt', text)
    expect(proposal).toMatchObject({ total: 1452, payable: 1302 })
    expect(proposal.withholding).toBeUndefined()
    expect(warnings).toContainEqual(
      expect.objectContaining({
        code: 'payable_differs',
        params: { payable: 1302, expected: 1452, difference: 150 },
      }),
    )
  })
})

test('a sum that does not close is said: an amount paid that nothing explains', async () => {
  const { proposal, warnings } = await proposalOf(
    'cii.xml',
    sample('cii.xml')
      .toString('utf8')
      .replace(
        /<ram:DuePayableAmount>72.60</,
        '<ram:TotalPrepaidAmount>9.00</ram:TotalPrepaidAmount><ram:DuePayableAmount>63.60<',
      ),
  )
  expect(proposal).toMatchObject({ total: 72.6, payable: 63.6 })
  expect(warnings).toContainEqual(
    expect.objectContaining({
      code: 'payable_differs',
      params: { payable: 63.6, expected: 72.6, difference: 9 },
    }),
  )
})

describe('hostile files', () => {
  const bomb = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]><Facturae>&lol2;</Facturae>`

  const files: [string, string, string][] = [
    ['entities', bomb, 'doctype'],
    ['an external entity', '<?xml version="1.0"?><!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'doctype'],
    ['depth', `${'<a>'.repeat(500)}${'</a>'.repeat(500)}`, 'too_deep'],
    ['many nodes', `<a>${'<b/>'.repeat(350_000)}</a>`, 'too_large'],
    ['a cut file', '<?xml version="1.0"?><Invoice><a>', 'broken'],
    ['an unknown encoding', '<?xml version="1.0" encoding="EBCDIC-CP-ES"?><a/>', 'unknown_encoding'],
    ['a broken PDF', `%PDF-1.7\n${'x'.repeat(2000)}`, 'broken'],
  ]
  // platform/processes/hostile-files.test.ts has more of them.
  const some = ['entities', 'many nodes', 'a broken PDF']
  test.each(swept(files, ([name]) => some.includes(name)))('%s', async (_name, bytes, why) => {
    const answer = await read('hostil', bytes)
    expect(answer.status).toBe(422)
    expect(answer.body.error).toMatchObject({ code: 'file_unreadable', details: { why } })
  })

  test('an image of a hundred million pixels is refused by its header', async () => {
    const header = Buffer.alloc(64)
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(header)
    header.writeUInt32BE(20_000, 16)
    header.writeUInt32BE(20_000, 20)
    const answer = await read('bomba.png', header)
    expect(answer.body.error).toMatchObject({ code: 'file_unreadable', details: { why: 'too_large' } })
  })

  test('a file that takes too long is given up, and the process with it', async () => {
    const bytes = await pdf({ pages: 3 })
    await expect(
      readFile({ bytes, mediaType: 'application/pdf' }, CONTEXT, { timeoutMs: 1 }),
    ).rejects.toMatchObject({ code: 'file_unreadable', details: { why: 'too_slow' } })
  })

  test('programs, pages and what is no base64 are refused before they are read', async () => {
    expect((await read('a.exe', Buffer.from('4d5a90000300', 'hex'))).body.error.code).toBe('attachment_type')
    expect((await read('a.html', '<!doctype html><script>1</script>')).body.error.code).toBe(
      'attachment_type',
    )
    const answer = await world.post('/api/v1/received-invoices/read', { name: 'a', content: 'no es base64!' })
    expect(answer.body.error.details.faults[0]).toMatchObject({ code: 'not_base64', field: 'content' })
  })

  test('an XML that is no invoice says that nothing was found', async () => {
    const { proposal, warnings } = await proposalOf('otro.xml', '<nota><texto>hola</texto></nota>')
    expect(proposal.source).toBe('none')
    expect(warnings.map((each: { code: string }) => each.code)).toEqual(['nothing_found'])
  })

  test('the texts of a file cannot smuggle hidden characters or lines into the proposal', async () => {
    const bytes = sample('facturae.xml').toString('utf8').replace('Lucía', 'Lu\u202ecía&#x200b;\n  X')
    const { proposal } = await proposalOf('factura.xml', bytes)
    expect(proposal.supplierName).toBe('Lucía X Peña Oria')
  })
})
