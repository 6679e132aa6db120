/** Differences planted in the record, its QR, the totals, the VAT book and the paper. */
import {
  given,
  made,
  onPaper,
  WITHHELD,
  SURCHARGED,
  REVERSED,
  EARLIER,
  BY_OTHERS,
  IN_DOLLARS,
  SPREAD,
} from './plants.ts'
import type { Case } from './plants.ts'

export const BOOK_PLANTS: Record<string, Case> = {
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
}
