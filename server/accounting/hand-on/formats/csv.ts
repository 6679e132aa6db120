/** Plain tables for any other program: journal, accounts and the VAT of invoices. The columns are documented in docs/handing-on.md. */
import { spanishDate, textCell } from '../../../domain/formats/csv-writer.ts'
import type { Format, HandOnEntry, HandOnSettings, HandOnWork, VatDocument } from '../model.ts'
import { commaAmount, encoded, plainNif, writable } from './text.ts'

const BOM = '\ufeff'

const JOURNAL = [
  'Asiento',
  'Fecha',
  'Cuenta',
  'Nombre de la cuenta',
  'NIF',
  'Concepto',
  'Documento',
  'Debe',
  'Haber',
]
const ACCOUNTS = [
  'Cuenta',
  'Cuenta en Sello',
  'Nombre',
  'NIF',
  'País',
  'Dirección',
  'Código postal',
  'Población',
  'Provincia',
]
const VAT = [
  'Asiento',
  'Libro',
  'Fecha de expedición',
  'Fecha de operación',
  'Número',
  'Recepción',
  'Tipo',
  'NIF',
  'Nombre',
  'País',
  'Calificación',
  'Clase',
  'Base',
  'Tipo IVA',
  'Cuota',
  'Cuota deducible',
  'Tipo recargo',
  'Recargo',
  'Inversión del sujeto pasivo',
  'Tipo retención',
  'Retención',
  'Total',
  'Rectifica a',
]

/** Amounts may begin with a minus, which is no formula. */
const isNumber = (text: string): boolean => /^-?\d+(,\d+)?$/.test(text)

class Table {
  private isFirst = true
  private readonly settings: HandOnSettings

  constructor(settings: HandOnSettings) {
    this.settings = settings
  }

  rows(rows: readonly (readonly string[])[]): Uint8Array {
    const { encoding } = this.settings
    const text = rows
      .map(
        (row) =>
          `${row.map((each) => (isNumber(each) ? each : textCell(writable(each, encoding)))).join(';')}\r\n`,
      )
      .join('')
    const mark = this.isFirst && encoding === 'utf-8' ? BOM : ''
    this.isFirst = false
    return encoded(mark + text, encoding)
  }
}

async function* journal({ entries, settings }: HandOnWork): AsyncGenerator<Uint8Array> {
  const table = new Table(settings)
  yield table.rows([JOURNAL])
  for await (const page of entries())
    yield table.rows(
      page.flatMap((entry) =>
        entry.lines.map((line) => [
          String(entry.number),
          spanishDate(entry.date),
          line.account,
          line.name,
          plainNif(line.party?.nif ?? ''),
          entry.text,
          entry.label,
          commaAmount(Math.max(line.amountCents, 0)),
          commaAmount(Math.max(-line.amountCents, 0)),
        ]),
      ),
    )
}

async function* accountRows({ accounts, settings }: HandOnWork): AsyncGenerator<Uint8Array> {
  const table = new Table(settings)
  yield table.rows([ACCOUNTS])
  yield table.rows(
    accounts.map(({ account, code, name, party }) => [
      account,
      code,
      name,
      plainNif(party?.nif ?? ''),
      party?.country ?? '',
      party?.street ?? '',
      party?.postalCode ?? '',
      party?.city ?? '',
      party?.province ?? '',
    ]),
  )
}

/** Withholding and total stand in the first row of an invoice only. */
const vatRows = (entry: HandOnEntry, document: VatDocument): string[][] =>
  document.parts.map((part, index) => [
    String(entry.number),
    document.side === 'issued' ? 'Expedidas' : 'Recibidas',
    spanishDate(document.issueDate),
    spanishDate(document.operationDate),
    document.number,
    document.receptionNumber,
    document.kind,
    plainNif(document.party.nif),
    document.party.name,
    document.party.country,
    part.treatment,
    part.nature,
    commaAmount(part.baseCents),
    part.rateBp === null ? '' : commaAmount(part.rateBp),
    commaAmount(part.taxCents),
    document.side === 'issued' ? '' : commaAmount(part.deductibleCents),
    part.surchargeBp === null ? '' : commaAmount(part.surchargeBp),
    part.surchargeBp === null ? '' : commaAmount(part.surchargeCents),
    part.isSelfAssessed ? 'S' : '',
    index === 0 && document.withholdingBp !== null ? commaAmount(document.withholdingBp) : '',
    index === 0 ? commaAmount(document.withholdingCents) : '',
    index === 0 ? commaAmount(document.totalCents) : '',
    document.rectifies?.number ?? '',
  ])

async function* vat({ entries, settings }: HandOnWork): AsyncGenerator<Uint8Array> {
  const table = new Table(settings)
  yield table.rows([VAT])
  for await (const page of entries())
    yield table.rows(page.flatMap((entry) => (entry.document ? vatRows(entry, entry.document) : [])))
}

export const csv: Format = {
  id: 'csv',
  name: 'CSV',
  sureness: 'published',
  source: 'docs/handing-on.md',
  digits: { min: 5, max: 12, usual: 8 },
  encodings: ['utf-8', 'windows-1252'],
  recordLengths: [],
  companyCode: null,
  journal: null,
  check: () => [],
  posted: ({ lines }) => lines,
  files: (work) => [
    { name: 'cuentas.csv', parts: accountRows(work) },
    { name: 'diario.csv', parts: journal(work) },
    { name: 'iva.csv', parts: vat(work) },
  ],
}
