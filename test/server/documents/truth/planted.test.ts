/**
 * Planted differences: each makes one writer or derivation wrong in one field, and must stop the issue with that field and
 * the two sources, and lose nothing. The plants wrap the modules of the product, which know nothing of them.
 */
import { describe, expect, test, vi } from 'vitest'
import type { InvoicePaper } from '../../../../server/documents/pdf/index.ts'
import type { AppError } from '../../../../server/domain/errors/app-error.ts'
import { CLIENT_ADDRESS, openBooks, refused } from '../../../support/books.ts'
import type { DraftInput, TestBooks } from '../../../support/books.ts'

type Maker = (...args: any[]) => any
type Plant = (make: Maker, args: any[]) => unknown

const planted = vi.hoisted(() => ({
  at: '',
  plant: null as null | ((make: any, args: any[]) => unknown),
  used: 0,
}))

/** Returns the module with some of its functions wrapped. */
const wrapped = vi.hoisted(() => (module: Record<string, any>, ...names: string[]) => ({
  ...module,
  ...Object.fromEntries(
    names.map((name) => [
      name,
      (...args: any[]) => {
        if (planted.at !== name || planted.plant === null) return module[name](...args)
        planted.used += 1
        return planted.plant(module[name], args)
      },
    ]),
  ),
}))

vi.mock('../../../../server/registry/record/xml.ts', async (original) =>
  wrapped(await original(), 'buildRegistration'),
)
vi.mock('../../../../server/registry/record/qr.ts', async (original) => wrapped(await original(), 'qrUrl'))
vi.mock('../../../../server/tax/totals/parts.ts', async (original) => wrapped(await original(), 'partsOf'))
vi.mock('../../../../server/accounting/returns/books/issued-rows.ts', async (original) =>
  wrapped(await original(), 'issuedRows', 'taxCellsOf'),
)
vi.mock('../../../../server/documents/rendering/paper-of.ts', async (original) =>
  wrapped(await original(), 'invoiceOnPaper'),
)
vi.mock('../../../../server/documents/pdf/layout/sums.ts', async (original) =>
  wrapped(await original(), 'sumLines'),
)
vi.mock('../../../../server/documents/pdf/layout/text-blocks.ts', async (original) =>
  wrapped(await original(), 'headRows', 'partyLines', 'lineAmount'),
)
vi.mock('../../../../server/documents/e-invoice/invoice.ts', async (original) =>
  wrapped(await original(), 'eInvoiceOf'),
)
vi.mock('../../../../server/documents/e-invoice/ubl.ts', async (original) =>
  wrapped(await original(), 'ublXml'),
)
vi.mock('../../../../server/documents/e-invoice/cii.ts', async (original) =>
  wrapped(await original(), 'ciiXml'),
)
vi.mock('../../../../server/documents/e-invoice/facturae.ts', async (original) =>
  wrapped(await original(), 'facturaeXml'),
)
vi.mock('../../../../server/documents/e-invoice/exchange/write.ts', async (original) =>
  wrapped(await original(), 'ubl25Xml'),
)
vi.mock('../../../../server/documents/e-invoice/peppol/write.ts', async (original) =>
  wrapped(await original(), 'peppolXml'),
)

/** Changes the facts that a maker is given. */
const given =
  (change: (facts: any) => object): Plant =>
  (make, [facts, ...rest]) =>
    make({ ...facts, ...change(facts) }, ...rest)

/** Changes the text that a writer makes; fails if there is nothing to change. */
const written =
  (from: string | RegExp, to: string): Plant =>
  (make, args) => {
    const text = make(...args) as string
    const changed = text.replace(from, to)
    if (changed === text) throw new Error(`There is no ${String(from)} to change.`)
    return changed
  }

/** Changes what a maker returns. */
const made =
  (change: (made: any) => unknown): Plant =>
  (make, args) =>
    change(make(...args))

const onPaper = (change: (paper: InvoicePaper) => Partial<InvoicePaper>): Plant =>
  made((paper: InvoicePaper) => ({ ...paper, ...change(paper) }))

const WORK: DraftInput['lines'][number] = { description: 'Consultoría', quantity: 2, unitPrice: 100.5 }
const CUSTOMER = {
  clientName: 'Cliente Primero, S.L.',
  clientNif: 'B87654323',
  client: { address: CLIENT_ADDRESS },
}
const PLAIN: Partial<DraftInput> = { ...CUSTOMER, lines: [WORK, { ...WORK, vatRate: 10, unitPrice: 33.33 }] }
const WITHHELD: Partial<DraftInput> = { ...PLAIN, withholdingPct: 15 }
const SURCHARGED: Partial<DraftInput> = { ...CUSTOMER, lines: [{ ...WORK, surcharge: 5.2 }] }
const REVERSED: Partial<DraftInput> = {
  ...CUSTOMER,
  lines: [{ ...WORK, taxTreatment: 'S2', cause: 'reverse_works' }, WORK],
}
const EARLIER: Partial<DraftInput> = { ...PLAIN, operationDate: '2026-06-15' }
const BY_OTHERS: Partial<DraftInput> = {
  ...PLAIN,
  series: 'GEST',
  issuedBy: { kind: 'third_party', name: 'Gestoría Ebro, S.L.P.', nif: 'A58818501' },
}
const IN_DOLLARS: Partial<DraftInput> = {
  ...PLAIN,
  currency: 'USD',
  fxRate: 1.0837,
}
const SPREAD: Partial<DraftInput> = {
  ...PLAIN,
  instalments: [
    { dueDate: '2026-12-01', percent: 50 },
    { dueDate: '2027-01-01', percent: 50 },
  ],
} as Partial<DraftInput>

/** With the reference that the network asks for. */
const ORDERED: Partial<DraftInput> = { ...PLAIN, customerReferences: { order: 'PED-77' } }
const COLLECTED: Partial<DraftInput> = {
  ...PLAIN,
  lines: [WORK, { description: 'Tasa del registro', quantity: 1, unitPrice: 40, isDisbursement: true }],
}

interface Case {
  at: string
  plant: Plant
  field: string | RegExp
  /** One of the two. */
  source: string
  draft?: Partial<DraftInput>
}

const cases: Record<string, Case> = {
  'record: number': {
    at: 'buildRegistration',
    plant: given(({ number }) => ({ number: `${number}0` })),
    field: 'number',
    source: 'registry record',
  },
  'record: day of issue': {
    at: 'buildRegistration',
    plant: given(() => ({ issueDate: '2026-06-30' })),
    field: 'issueDate',
    source: 'registry record',
  },
  'record: day of the operation': {
    at: 'buildRegistration',
    plant: given(() => ({ operationDate: null })),
    field: 'operationDate',
    source: 'registry record',
    draft: EARLIER,
  },
  'record: kind': {
    at: 'buildRegistration',
    plant: given(() => ({ kind: 'F3' })),
    field: 'kind',
    source: 'registry record',
  },
  'record: name of the issuer': {
    at: 'buildRegistration',
    plant: given(({ issuer }) => ({ issuer: { ...issuer, name: 'Talleres Otros, S.L.' } })),
    field: 'sellerName',
    source: 'registry record',
  },
  'record: number of the issuer': {
    at: 'buildRegistration',
    plant: given(({ issuer }) => ({ issuer: { ...issuer, nif: 'A39000013' } })),
    field: 'sellerTaxId',
    source: 'registry record',
  },
  'record: number of the customer': {
    at: 'buildRegistration',
    plant: given(({ recipients: [one] }) => ({ recipients: [{ ...one, nif: 'A39000013' }] })),
    field: 'buyerTaxId',
    source: 'registry record',
  },
  'record: name of the customer': {
    at: 'buildRegistration',
    plant: given(({ recipients: [one] }) => ({ recipients: [{ ...one, name: 'Otro' }] })),
    field: 'buyerName',
    source: 'registry record',
  },
  'record: customer missing': {
    at: 'buildRegistration',
    plant: given(() => ({ recipients: [] })),
    field: 'buyerTaxId',
    source: 'registry record',
  },
  'record: base': {
    at: 'buildRegistration',
    plant: given(({ breakdown: [one, ...more] }) => ({
      breakdown: [{ ...one, baseCents: one.baseCents + 1 }, ...more],
    })),
    field: /^taxes\[.*\]\.base$/,
    source: 'registry record',
  },
  'record: quota': {
    at: 'buildRegistration',
    plant: given(({ breakdown: [one, ...more] }) => ({
      breakdown: [{ ...one, taxCents: one.taxCents - 1 }, ...more],
    })),
    field: /^taxes\[.*\]\.tax$/,
    source: 'registry record',
  },
  'record: treatment': {
    at: 'buildRegistration',
    plant: given(({ breakdown: [one, ...more] }) => ({ breakdown: [{ ...one, regimeKey: '08' }, ...more] })),
    field: /^taxes\[/,
    source: 'registry record',
  },
  'record: surcharge': {
    at: 'buildRegistration',
    plant: given(({ breakdown: [one] }) => ({
      breakdown: [{ ...one, surchargeCents: one.surchargeCents + 1 }],
    })),
    field: /^taxes\[.*\]\.surcharge$/,
    source: 'registry record',
    draft: SURCHARGED,
  },
  'record: total tax': {
    at: 'buildRegistration',
    plant: given(({ taxTotalCents }) => ({ taxTotalCents: taxTotalCents + 1 })),
    field: 'registeredTax',
    source: 'registry record',
  },
  'record: total': {
    at: 'buildRegistration',
    plant: given(({ totalCents }) => ({ totalCents: totalCents + 100 })),
    field: 'registeredTotal',
    source: 'registry record',
  },
  'record: what was sold': {
    at: 'buildRegistration',
    plant: given(() => ({ description: 'Otra cosa' })),
    field: 'operation',
    source: 'registry record',
  },
  'record: who issued it': {
    at: 'buildRegistration',
    plant: given(() => ({ madeBy: null })),
    field: 'issuedBy',
    source: 'registry record',
    draft: BY_OTHERS,
  },
  'record: hash': {
    at: 'buildRegistration',
    plant: made(({ xml, hash }) => ({
      xml,
      hash: hash.replace(/^./, (digit: string) => (digit === '0' ? '1' : '0')),
    })),
    field: 'hash',
    source: 'chain',
  },
  'QR: total': {
    at: 'qrUrl',
    plant: (make, [environment, invoice]) =>
      make(environment, { ...invoice, totalCents: invoice.totalCents + 1 }),
    field: 'registeredTotal',
    source: 'QR',
  },
  'QR: number': {
    at: 'qrUrl',
    plant: (make, [environment, invoice]) => make(environment, { ...invoice, number: 'F2026-9999' }),
    field: 'number',
    source: 'QR',
  },
  'QR: issuer': {
    at: 'qrUrl',
    plant: (make, [environment, invoice]) => make(environment, { ...invoice, issuerNif: 'A39000013' }),
    field: 'sellerTaxId',
    source: 'QR',
  },
  'QR: day': {
    at: 'qrUrl',
    plant: (make, [environment, invoice]) => make(environment, { ...invoice, issueDate: '2026-01-31' }),
    field: 'issueDate',
    source: 'QR',
  },
  'tax totals: base': {
    at: 'partsOf',
    plant: made(([one, ...more]) => [{ ...one, baseCents: one.baseCents + 1 }, ...more]),
    field: /^taxes\[.*\]\.base$/,
    source: 'tax totals',
  },
  'tax totals: quota': {
    at: 'partsOf',
    plant: made(([one, ...more]) => [{ ...one, taxCents: one.taxCents + 1 }, ...more]),
    field: /^taxes\[.*\]\.tax$/,
    source: 'tax totals',
  },
  'tax totals: month': {
    at: 'partsOf',
    plant: made((parts) => parts.map((part: object) => ({ ...part, month: 202605 }))),
    field: 'month',
    source: 'tax totals',
  },
  'tax totals: a tax is missing': {
    at: 'partsOf',
    plant: made((parts) => parts.slice(1)),
    field: /^taxes\[/,
    source: 'tax totals',
  },
  'VAT book: quota': {
    at: 'taxCellsOf',
    plant: made((cells) => ({ ...cells, taxCents: cells.taxCents + 1 })),
    field: /^taxes\[.*\]\.tax$/,
    source: 'VAT book',
  },
  'VAT book: customer': {
    at: 'issuedRows',
    plant: given(() => ({ nif: 'A39000013' })),
    field: 'buyerTaxId',
    source: 'VAT book',
  },
  'VAT book: quarter': {
    at: 'issuedRows',
    plant: given(() => ({ operation_date: '2026-03-31' })),
    field: 'operationDate',
    source: 'VAT book',
  },
  'VAT book: kind': {
    at: 'issuedRows',
    plant: given(() => ({ kind: 'F2' })),
    field: 'kind',
    source: 'VAT book',
  },
  'paper: number': {
    at: 'invoiceOnPaper',
    plant: onPaper(() => ({ number: 'F2026-0099' })),
    field: 'number',
    source: 'paper',
  },
  'paper: day of issue': {
    at: 'headRows',
    plant: made(([one, day, ...more]) => [one, [day[0], '02/01/2026', day[2]], ...more]),
    field: 'issueDate',
    source: 'paper',
  },
  'paper: number of the customer': {
    at: 'partyLines',
    plant: made((lines) => lines.map((line: string) => line.replace('B87654323', 'B87654322'))),
    field: 'buyerTaxId',
    source: 'paper',
  },
  'paper: name of the customer': {
    at: 'invoiceOnPaper',
    plant: onPaper(({ client }) => ({ client: client && { ...client, name: 'Cliente Segundo, S.L.' } })),
    field: 'buyerName',
    source: 'paper',
  },
  'paper: text of a line': {
    at: 'invoiceOnPaper',
    plant: onPaper(({ lines: [one, ...more] }) => ({ lines: [{ ...one!, description: 'Otra' }, ...more] })),
    field: 'lines[0].description',
    source: 'paper',
  },
  'paper: quantity of a line': {
    at: 'invoiceOnPaper',
    plant: onPaper(({ lines: [one, ...more] }) => ({
      lines: [{ ...one!, quantityMicro: 3_000_000 }, ...more],
    })),
    field: 'lines[0].quantityMicro',
    source: 'paper',
  },
  'paper: amount of a line': {
    at: 'lineAmount',
    plant: made((cents) => cents + 1),
    field: /lineSum|lines\[0\]\.netCents/,
    source: 'paper',
  },
  'paper: quota': {
    at: 'invoiceOnPaper',
    plant: onPaper(({ taxes: [one, ...more] }) => ({
      taxes: [{ ...one!, taxCents: one!.taxCents + 1 }, ...more],
    })),
    field: /total|taxes\[vat 2100\]\.tax|breakdown/,
    source: 'paper',
  },
  'paper: total': {
    at: 'sumLines',
    plant: made((lines) =>
      lines.map((line: any) =>
        line.kind === 'box'
          ? {
              ...line,
              amount: line.amount.replace(/\d,/, (text: string) => `${(Number(text[0]) + 1) % 10},`),
            }
          : line,
      ),
    ),
    field: /total|due/,
    source: 'paper',
  },
  'paper: withholding': {
    at: 'invoiceOnPaper',
    plant: onPaper(({ withholding }) => ({
      withholding: withholding && { ...withholding, amountCents: withholding.amountCents + 1 },
    })),
    field: 'withheld',
    source: 'paper',
    draft: WITHHELD,
  },
  'paper: QR of another invoice': {
    at: 'invoiceOnPaper',
    plant: onPaper(({ registry }) => ({
      registry: registry && { qrUrl: registry.qrUrl.replace(/importe=[^&]*/, 'importe=1.00') },
    })),
    field: 'registeredTotal',
    source: 'QR of the paper',
  },
  'paper: mention missing': {
    at: 'invoiceOnPaper',
    plant: onPaper(() => ({ legalMentions: [] })),
    field: 'mentions',
    source: 'paper',
    draft: REVERSED,
  },
  'paper: instalment': {
    at: 'invoiceOnPaper',
    plant: onPaper(({ instalments: [one, ...more] }) => ({
      instalments: [{ ...one!, cents: one!.cents - 1 }, ...more],
    })),
    field: /instalment/,
    source: 'paper',
    draft: SPREAD,
  },
  'paper: total in euros': {
    at: 'invoiceOnPaper',
    plant: onPaper(({ inEuros }) => ({
      inEuros: inEuros && { ...inEuros, totalCents: inEuros.totalCents + 1 },
    })),
    field: 'eurosTotal',
    source: 'paper',
    draft: IN_DOLLARS,
  },
  'UBL: number': {
    at: 'ublXml',
    plant: written(/<cbc:ID>T-F/, '<cbc:ID>T-G'),
    field: 'number',
    source: 'ubl',
  },
  'UBL: day of issue': {
    at: 'ublXml',
    plant: written(/<cbc:IssueDate>\d{4}/, '<cbc:IssueDate>2025'),
    field: 'issueDate',
    source: 'ubl',
  },
  'UBL: number of the customer': {
    at: 'ublXml',
    plant: written('ESB87654323', 'ESB87654322'),
    field: 'buyerTaxId',
    source: 'ubl',
  },
  'UBL: type': { at: 'ublXml', plant: written('>380<', '>389<'), field: 'issuedByRecipient', source: 'ubl' },
  'UBL: amount due': {
    at: 'ublXml',
    plant: written(/(<cbc:PayableAmount[^>]*>)\d/, '$19'),
    field: 'due',
    source: 'ubl',
  },
  'UBL: quota': {
    at: 'ublXml',
    plant: written(/(<cac:TaxSubtotal>[^]*?<cbc:TaxAmount[^>]*>)\d/, '$19'),
    field: /vatAmount|taxes\[/,
    source: 'ubl',
  },
  'UBL: amount of a line': {
    at: 'ublXml',
    plant: written(/(<cac:InvoiceLine>[^]*?<cbc:LineExtensionAmount[^>]*>)\d/, '$19'),
    field: /lineSum|lines\[0\]/,
    source: 'ubl',
  },
  'UBL: rate of a line': {
    at: 'ublXml',
    plant: written(/(<cac:ClassifiedTaxCategory>[^]*?<cbc:Percent>)21/, '$110'),
    field: 'lines[0].rateBp',
    source: 'ubl',
  },
  'UBL: withholding in the note': {
    at: 'ublXml',
    plant: written(/: (\d+)\.(\d\d) EUR, /, ': $1.99 EUR, '),
    field: 'withheld',
    source: 'ubl',
    draft: WITHHELD,
  },
  'CII: amount due': {
    at: 'ciiXml',
    plant: written(/(<ram:DuePayableAmount>)\d/, '$19'),
    field: 'due',
    source: 'cii',
  },
  'CII: price': {
    at: 'ciiXml',
    plant: written(/(<ram:ChargeAmount>)100\.5/, '$1100.6'),
    field: /lines\[0\]\.(priceMicro|netCents)/,
    source: 'cii',
  },
  'CII: due date': {
    at: 'ciiXml',
    plant: written(/(<ram:IssueDateTime>\s*<udt:DateTimeString format="102">)\d{4}/, '$12020'),
    field: 'issueDate',
    source: 'cii',
  },
  'CII: base': {
    at: 'ciiXml',
    plant: written(/(<ram:BasisAmount>)\d/, '$19'),
    field: /taxes\[vat|cii\.base/,
    source: 'cii',
  },
  'CII: surcharge': {
    at: 'ciiXml',
    plant: written(/(<ram:ActualAmount>)\d/, '$19'),
    field: /surcharge|allowances|charges|total|taxes/,
    source: 'cii',
    draft: SURCHARGED,
  },
  'Facturae: day of issue': {
    at: 'facturaeXml',
    plant: written(/<IssueDate>\d{4}/, '<IssueDate>2020'),
    field: 'issueDate',
    source: 'facturae',
  },
  'Facturae: total': {
    at: 'facturaeXml',
    plant: written(/(<InvoiceTotal>)\d/, '$19'),
    field: /total|due|outstanding/,
    source: 'facturae',
  },
  'Facturae: rate': {
    at: 'facturaeXml',
    plant: written('<TaxRate>21.00', '<TaxRate>10.00'),
    field: /taxes\[vat|rateBp/,
    source: 'facturae',
  },
  'Facturae: number of the issuer': {
    at: 'facturaeXml',
    plant: written('<TaxIdentificationNumber>B12345674', '<TaxIdentificationNumber>A39000013'),
    field: 'sellerTaxId',
    source: 'facturae',
  },
  'Facturae: amount of a line': {
    at: 'facturaeXml',
    plant: written(/(<GrossAmount>)\d/, '$19'),
    field: /ownLines|lines\[0\]\.netCents/,
    source: 'facturae',
  },
  'Facturae: withheld': {
    at: 'facturaeXml',
    plant: written(/(<TotalTaxesWithheld>\d+\.)\d\d/, '$199'),
    field: /withheld|total/,
    source: 'facturae',
    draft: WITHHELD,
  },
  'Facturae: third party': {
    at: 'facturaeXml',
    plant: written('<InvoiceIssuerType>EM', '<InvoiceIssuerType>RE'),
    field: 'issuedBy',
    source: 'facturae',
  },
  'UBL 2.5: number': {
    at: 'ubl25Xml',
    plant: written(/<cbc:ID>T-F/, '<cbc:ID>T-G'),
    field: 'number',
    source: 'ubl25',
  },
  'UBL 2.5: number of the customer': {
    at: 'ubl25Xml',
    plant: written('>B87654323<', '>B87654322<'),
    field: 'buyerTaxId',
    source: 'ubl25',
  },
  'UBL 2.5: number of the seller without its prefix': {
    at: 'ubl25Xml',
    plant: written('>B12345674<', '>A39000013<'),
    field: 'sellerTaxId',
    source: 'local number of ubl25',
  },
  'UBL 2.5: day of the operation': {
    at: 'ubl25Xml',
    plant: written(/<cbc:TaxPointDate>[^<]*/, '<cbc:TaxPointDate>2026-06-16'),
    field: 'operationDate',
    source: 'ubl25',
    draft: EARLIER,
  },
  'UBL 2.5: regime of a line': {
    at: 'ubl25Xml',
    plant: written(/(<cbc:Name>REGI<\/cbc:Name><cbc:Value>)01/, '$107'),
    field: 'lines[0].regime',
    source: 'ubl25',
  },
  'UBL 2.5: national tax of a line': {
    at: 'ubl25Xml',
    plant: written('>IVA<', '>IGIC<'),
    field: 'nationalTax',
    source: 'ubl25',
  },
  'UBL 2.5: quota': {
    at: 'ubl25Xml',
    plant: written(/(<cac:TaxSubtotal>[^]*?<cbc:TaxAmount[^>]*>)\d/, '$19'),
    field: /vatAmount|taxes\[/,
    source: 'ubl25',
  },
  'UBL 2.5: amount of a line': {
    at: 'ubl25Xml',
    plant: written(/(<cac:InvoiceLine>[^]*?<cbc:LineExtensionAmount[^>]*>)\d/, '$19'),
    field: /ubl25\.lines|lines\[0\]/,
    source: 'ubl25',
  },
  'UBL 2.5: withheld': {
    at: 'ubl25Xml',
    plant: written(/(<cac:WithholdingTaxTotal><cbc:TaxAmount[^>]*>\d+\.)\d\d/, '$199'),
    field: /withheld|due/,
    source: 'ubl25',
    draft: WITHHELD,
  },
  'UBL 2.5: base of what is withheld': {
    at: 'ubl25Xml',
    plant: written(/(<cac:WithholdingTaxTotal>[^]*?<cbc:TaxableAmount[^>]*>)\d/, '$19'),
    field: 'withholdingBase',
    source: 'ubl25',
    draft: WITHHELD,
  },
  'UBL 2.5: what is collected for others': {
    at: 'ubl25Xml',
    plant: written(/(<cbc:TaxInclusiveLineExtensionAmount[^>]*>)40/, '$141'),
    field: /disbursements|total|due|untaxedAll/,
    source: 'ubl25',
    draft: COLLECTED,
  },
  'UBL 2.5: amount due': {
    at: 'ubl25Xml',
    plant: written(/(<cbc:PayableAmount[^>]*>)\d/, '$19'),
    field: 'due',
    source: 'ubl25',
  },
  'UBL 2.5: QR of another invoice': {
    at: 'ubl25Xml',
    plant: written(/importe=[^<&]*/, 'importe=1.00'),
    field: 'registeredTotal',
    source: 'QR of ubl25',
  },
  'UBL 2.5: rate of exchange': {
    at: 'ubl25Xml',
    plant: written(/(<cbc:CalculationRate>)1/, '$12'),
    field: 'fx',
    source: 'ubl25',
    draft: IN_DOLLARS,
  },
  'UBL 2.5: a line is missing': {
    at: 'ubl25Xml',
    plant: written(/<cac:InvoiceLine>[^]*?<\/cac:InvoiceLine>/, ''),
    field: /ubl25\.lines|lineCount|lines/,
    source: 'ubl25',
  },
  'UBL 2.5: mention missing': {
    at: 'ubl25Xml',
    plant: written(/<cac:Annotation>[^]*?<\/cac:Annotation>/, ''),
    field: 'mentions',
    source: 'ubl25',
    draft: REVERSED,
  },
  'Peppol: number': {
    at: 'peppolXml',
    plant: written(/<cbc:ID>T-F/, '<cbc:ID>T-G'),
    field: 'number',
    source: 'peppol',
    draft: ORDERED,
  },
  'Peppol: address of the customer': {
    at: 'peppolXml',
    plant: written(/(<cbc:EndpointID[^>]*>)ESB87654323/, '$1ESB87654322'),
    field: 'buyerTaxId',
    source: 'addresses of peppol',
    draft: ORDERED,
  },
  'Peppol: currency': {
    at: 'peppolXml',
    plant: written('<cbc:DocumentCurrencyCode>EUR', '<cbc:DocumentCurrencyCode>USD'),
    field: 'currency',
    source: 'peppol',
    draft: ORDERED,
  },
  'Peppol: amount due': {
    at: 'peppolXml',
    plant: written(/(<cbc:PayableAmount[^>]*>)\d/, '$19'),
    field: 'due',
    source: 'peppol',
    draft: ORDERED,
  },
  'Peppol: quota': {
    at: 'peppolXml',
    plant: written(/(<cac:TaxSubtotal>[^]*?<cbc:TaxAmount[^>]*>)\d/, '$19'),
    field: /vatAmount|taxes\[/,
    source: 'peppol',
    draft: ORDERED,
  },
  'Peppol: rate of a line': {
    at: 'peppolXml',
    plant: written(/(<cac:ClassifiedTaxCategory>[^]*?<cbc:Percent>)21/, '$110'),
    field: 'lines[0].rateBp',
    source: 'peppol',
    draft: ORDERED,
  },
  'Peppol: who issued it': {
    at: 'peppolXml',
    plant: written('>380<', '>389<'),
    field: 'issuedByRecipient',
    source: 'peppol',
    draft: ORDERED,
  },
  'all formats: a line is missing': {
    at: 'eInvoiceOf',
    plant: made((invoice) => ({ ...invoice, lines: invoice.lines.slice(1) })),
    field: 'unwritable',
    source: 'ubl',
  },
  'all formats: customer of another invoice': {
    at: 'eInvoiceOf',
    plant: made((invoice) => ({ ...invoice, buyer: { ...invoice.buyer, name: 'Otra, S.A.' } })),
    field: 'buyerName',
    source: 'ubl',
  },
}

const countsOf = async (world: TestBooks): Promise<number[]> => {
  const { db } = world.test
  const tables = [
    'registry_records',
    'figure_entries',
    'journal_entries',
    'document_queue',
    'events',
  ] as const
  const all = []
  for (const table of tables)
    all.push(
      (
        await db
          .selectFrom(table)
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    )
  return all
}

function expectNamed(error: AppError, { field, source }: Pick<Case, 'field' | 'source'>): void {
  expect(error.code).toBe('invoice_contradicts')
  const details = error.details as { field: string; sources: string[]; values: unknown[] }
  if (typeof field === 'string') expect(details.field).toBe(field)
  else expect(details.field).toMatch(field)
  expect(
    details.sources.some((one) => one.includes(source)),
    details.sources.join(' / '),
  ).toBe(true)
  expect(details.values).toHaveLength(2)
  expect(details.values[0]).not.toEqual(details.values[1])
}

describe('a planted difference stops the issue and loses nothing', () => {
  test.each(Object.entries(cases))('%s', async (_name, one) => {
    const world = await openBooks()
    await world.run('series.create', { code: 'GEST', kind: 'ordinary', purpose: 'third_party' })
    const draft = await world.draft(one.draft ?? PLAIN)
    const confirmationToken = await world.token(draft.id)
    const before = await countsOf(world)
    Object.assign(planted, { at: one.at, plant: one.plant, used: 0 })
    const error = await refused(world.run('invoices.issue', { id: draft.id, confirmationToken })).finally(
      () => Object.assign(planted, { at: '', plant: null }),
    )
    expect(planted.used).toBeGreaterThan(0)
    expectNamed(error, one)
    expect(await countsOf(world)).toEqual(before)
    const still = await world.run('invoices.get', { id: draft.id })
    expect([still.state, still.number]).toEqual(['draft', null])
    // The same token issues it once nothing is wrong any more, and no number is missing.
    const invoice = await world.run('invoices.issue', { id: draft.id, confirmationToken })
    expect([invoice.state, /-0*1$/.test(invoice.number ?? '')]).toEqual(['issued', true])
  })
})

describe('a row that was changed behind the program stops the issue', () => {
  test.each([
    // The base and the total are compared earlier, by what answers the issue.
    ['what is withheld', 'invoices', ['withholding_cents'], /withheld|due|deducted/i],
    ['the quota of a tax', 'invoice_taxes', ['tax_cents'], /tax/i],
    ['the amount of a line', 'invoice_lines', ['net_cents'], /lineSum|lines\[0\]/],
  ] as const)('%s', async (_name, table, columns, field) => {
    const world = await openBooks()
    const draft = await world.draft(WITHHELD)
    const confirmationToken = await world.token(draft.id)
    await world.test.transaction(async (tx) => {
      const { id } = await tx.db
        .selectFrom('invoices')
        .select('id')
        .where('public_id', '=', draft.id)
        .executeTakeFirstOrThrow()
      await tx.db
        .updateTable(table as 'invoice_lines')
        .set((eb) => Object.fromEntries(columns.map((column) => [column, eb(column as 'net_cents', '+', 1)])))
        .where((table === 'invoices' ? 'id' : 'invoice_id') as 'invoice_id', '=', id)
        .execute()
    })
    const error = await refused(world.run('invoices.issue', { id: draft.id, confirmationToken }))
    expectNamed(error, { field, source: 'invoice' })
    const still = await world.test.db
      .selectFrom('invoices')
      .select(['state', 'number'])
      .where('public_id', '=', draft.id)
      .executeTakeFirst()
    expect(still).toEqual({ state: 'draft', number: null })
  })
})
