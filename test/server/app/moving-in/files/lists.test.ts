/** Lists of invoices of any program: bad input named by row and column, and nothing guessed in silence. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { mapTitles } from '../../../../../server/app/moving-in/files/lists/mapping.ts'
import { taxColumnOf } from '../../../../../server/app/moving-in/files/lists/fields.ts'
import { provenRate } from '../../../../../server/app/moving-in/files/lists/taxes.ts'
import { readHistory, recognizeFile } from '../../../../../server/app/moving-in/files/read.ts'
import type { HistoryDocument } from '../../../../../server/domain/history.ts'
import { percentOf } from '../../../../../server/domain/money.ts'
import { excelOf, readFileOf } from '../../../../support/files/history-files.ts'

/** Reads a table that is not recognized with the columns of a person. */
async function readHistoryWith(bytes: Buffer, mapping: Record<string, number>) {
  const documents: HistoryDocument[] = []
  const job = {
    fileName: 'a.csv',
    entry: null,
    sheet: null,
    content: 'issued',
    preset: null,
    mapping,
    answers: {},
    today: '2026-12-31',
    ownNif: 'B12345674',
  } as const
  await readHistory(bytes, job, async (batch) => void documents.push(...batch.documents))
  return { documents }
}

const HEAD = 'Número;Fecha;Cliente;NIF;Base;% IVA;Cuota IVA;Total'
const csv = (...rows: string[]): Buffer => Buffer.from(`${[HEAD, ...rows].join('\n')}\n`)
const GOOD = 'F-1;15/01/2026;Talleres Beltrán, S.L.;B12345674;100,00;21;21,00;121,00'

/** Returns the faults as `row column: code`. */
const named = ({ faults }: Awaited<ReturnType<typeof readFileOf>>): string[] =>
  faults.map(({ row, column, code }) => `${row} ${column}: ${code}`)

describe('encodings', () => {
  const text = `${HEAD}\nF-1;15/01/2026;Peluquería Muñoz;B12345674;1.234,50;21;259,25;1.493,75\n`
  const wide = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16()
  test.each([
    ['utf-8', Buffer.from(text)],
    ['utf-8', Buffer.from(`\ufeff${text}`)],
    ['windows-1252', Buffer.from(text, 'latin1')],
    ['utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-16le', Buffer.from(text, 'utf16le')],
    ['utf-16be', wide(Buffer.from(`\ufeff${text}`, 'utf16le'))],
    ['utf-16be', wide(Buffer.from(text, 'utf16le'))],
  ])('%s', async (encoding, bytes) => {
    expect((await recognizeFile(bytes, 'a.csv')).encoding).toBe(encoding)
    const { documents, faults } = await readFileOf(bytes)
    expect(faults).toEqual([])
    expect(documents).toMatchObject([{ party: { name: 'Peluquería Muñoz' }, totalCents: 149_375 }])
  })
})

describe('notation', () => {
  test.each([
    ['decimal commas and semicolons', 'F-1;15/01/2026;Ana;B12345674;1.000,50;21;210,11;1.210,61', ';'],
    ['decimal points and commas', 'F-1,2026-01-15,Ana,B12345674,1000.50,21,210.11,1210.61', ','],
    ['thousands as in English', 'F-1,01/15/2026,Ana,B12345674,"1,000.50",21,210.11,"1,210.61"', ','],
    ['tabs', 'F-1\t15-01-2026\tAna\tB12345674\t1000,50\t21,00\t210,11\t1210,61', '\t'],
  ])('%s', async (_, row, delimiter) => {
    const { documents } = await readFileOf(Buffer.from(`${HEAD.replaceAll(';', delimiter)}\n${row}\n`))
    expect(documents).toMatchObject([{ issueDate: '2026-01-15', totalCents: 121_061 }])
  })

  test('dates and numbers of spreadsheets, titles above the table, repeated titles, subtotals and totals', async () => {
    const day = (text: string) => new Date(`${text}T00:00:00Z`)
    const titles = [
      'Nº Factura',
      'Fecha',
      'Cliente',
      'NIF',
      'Base imponible',
      'Tipo IVA',
      'Cuota',
      'Total factura',
    ]
    const bytes = await excelOf([
      ['Mi Empresa, S.L.', null, null, null, null, null, null, null],
      ['Listado de facturas emitidas de 2026', null, null, null, null, null, null, null],
      [],
      titles,
      ['F-1', day('2026-01-15'), 'Ana Ruiz', '12345678Z', 100, 0.21, 21, 121],
      ['F-2', day('2026-01-20'), 'Ana Ruiz', '12345678Z', 12.1, 0.1, 1.21, 13.31],
      ['Subtotal enero', null, null, null, 112.1, null, 22.21, 134.31],
      titles,
      ['Febrero', null, null, null, null, null, null, null],
      ['F-3', day('2026-02-03'), 'Ana Ruiz', '12345678Z', 10, 0.04, 0.4, 10.4],
      [null, null, null, 'TOTAL', 122.1, null, 22.61, 144.71],
      [null, null, null, null, 122.1, null, 22.61, 144.71],
    ])
    const { documents, faults, skipped } = await readFileOf(bytes, {}, 'listado.xlsx')
    expect(faults).toEqual([])
    expect(documents.map(({ number, issueDate, totalCents }) => [number, issueDate, totalCents])).toEqual([
      ['F-1', '2026-01-15', 12_100],
      ['F-2', '2026-01-20', 1_331],
      ['F-3', '2026-02-03', 1_040],
    ])
    expect(skipped.map(({ row, reason }) => [row, reason])).toEqual([
      [7, 'skipped_total'],
      [8, 'skipped_repeated_header'],
      [9, 'skipped_title'],
      [11, 'skipped_total'],
      [12, 'skipped_total'],
    ])
  })

  test('a customer whose name begins with Total is no sum', async () => {
    const { documents, skipped } = await readFileOf(
      csv('F-1;15/01/2026;Total Energía, S.L.;B12345674;100,00;21;21,00;121,00'),
    )
    expect([documents.length, skipped.length]).toEqual([1, 0])
  })
})

describe('faults', () => {
  const ROWS: [row: string, fault: string][] = [
    ['F-2;30/02/2026;Ana;12345678Z;100,00;21;21,00;121,00', '3 Fecha: history_not_a_day'],
    ['F-2;;Ana;12345678Z;100,00;21;21,00;121,00', '3 Fecha: history_date_missing'],
    ['F-2;15/01/2027;Ana;12345678Z;100,00;21;21,00;121,00', '3 Fecha: history_date_in_future'],
    ['F-2;15/01/2026;Ana;12345678Z;cien;21;21,00;121,00', '3 Base: history_not_a_number'],
    ['F-2;15/01/2026;Ana;12345678Z;100,00;18;18,00;118,00', '3 Base: history_rate_unknown'],
    ['F-2;15/01/2026;Ana;12345678Z;100,00;21;21,00;121,01', '3 Total: history_total_differs'],
    [';15/01/2026;Ana;12345678Z;100,00;21;21,00;121,00', '3 Número: history_number_missing'],
    ['F-1;16/01/2026;Ana;12345678Z;100,00;21;21,00;121,00', '3 Número: history_number_repeated'],
    [`${'9'.repeat(61)};15/01/2026;Ana;12345678Z;100,00;21;21,00;121,00`, '3 Número: history_number_long'],
    ['F-2;15/01/2026;Ana;12345678Z;100,00;;13,00;113,00', '3 Cuota IVA: history_rate_not_proven'],
  ]
  test.each(ROWS)('%s is %s, and the good row is read without it', async (row, fault) => {
    const result = await readFileOf(csv(GOOD, row))
    expect(named(result)).toContain(fault)
    expect(result.documents.map(({ number }) => number)).toEqual(['F-1'])
    expect(result.summary).toMatchObject({ documents: 1, failed: 1 })
    for (const { message, fix } of result.faults) {
      expect(message).toBeTruthy()
      expect(fix).toBeTruthy()
    }
  })

  test.each([
    ['F-2;15/01/2026;Ana;12345678A;100,00;21;21,00;121,00', '3 NIF: history_nif_wrong'],
    ['F-2;15/01/2026;Ana;;4000,00;21;840,00;4840,00', '3 NIF: history_nif_missing'],
    [`F-2;15/01/2026;${'x'.repeat(130)};12345678Z;100,00;21;21,00;121,00`, '3 Cliente: history_text_long'],
    ['F-2;15/01/2026;Ana;12345678Z;100,00;21;21,05;121,05', '3 Cuota IVA: history_tax_differs'],
  ])('%s is only a warning: %s', async (row, fault) => {
    const result = await readFileOf(csv(GOOD, row))
    expect(named(result)).toEqual([fault])
    expect(result.documents).toHaveLength(2)
  })

  test('a total says by how much it differs', async () => {
    const { faults } = await readFileOf(csv('F-2;15/01/2026;Ana;12345678Z;100,00;21;21,00;120,50'))
    expect(faults).toMatchObject([{ params: { total: '120.50', sum: '121.00', difference: '-0.50' } }])
  })

  test('a rate that was in force on the day only is right on that day', async () => {
    const row = (day: string) => `F-2;${day};Ana;12345678Z;100,00;7,5;7,50;107,50`
    expect(named(await readFileOf(csv(row('15/11/2024'))))).toEqual([])
    expect(named(await readFileOf(csv(row('15/01/2025'))))).toEqual(['2 Base: history_rate_unknown'])
  })

  test('two rows of one number with different rates are one invoice, equal ones apart are two with one number', async () => {
    const ten = 'F-1;15/01/2026;Talleres Beltrán, S.L.;B12345674;50,00;10;5,00;55,00'
    const together = await readFileOf(csv(GOOD, ten))
    expect(together.documents).toMatchObject([{ totalCents: 17_600, source: { rows: [2, 3] } }])
    const apart = await readFileOf(csv(GOOD, GOOD.replace('F-1', 'F-2'), ten))
    expect(apart.documents.map(({ number, source }) => [number, source.rows])).toEqual([
      ['F-2', [3]],
      ['F-1', [2, 4]],
    ])
  })
})

describe('what arithmetic proves is derived, and nothing else', () => {
  const read = (titles: string, row: string) =>
    readFileOf(Buffer.from(`Número;Fecha;Cliente;NIF;${titles}\nF-1;15/01/2026;Ana;12345678Z;${row}\n`))
  test.each([
    ['Base;% IVA', '100,00;21', [10_000, 2_100, 2100]],
    ['Base;Total', '100,00;110,00', [10_000, 1_000, 1000]],
    ['Base;Cuota IVA', '33,33;1,33', [3_333, 133, 400]],
    ['Total;% IVA', '121,00;21', [10_000, 2_100, 2100]],
    ['Total;Cuota IVA', '121,00;21,00', [10_000, 2_100, 2100]],
    ['Base;IRPF;Total', '100,00;15,00;106,00', [10_000, 2_100, 2100]],
  ])('%s: %s', async (titles, row, [base, tax, rate]) => {
    const { documents, faults } = await read(titles, row)
    expect(faults).toEqual([])
    expect(documents[0]?.taxes).toMatchObject([{ baseCents: base, taxCents: tax, vatRateBp: rate }])
  })

  test('a base that several rates share is not divided', async () => {
    const { documents, faults } = await read('Base;Cuota IVA;Total', '200,00;31,00;231,00')
    expect(documents).toEqual([])
    expect(faults).toMatchObject([
      { code: 'history_rate_not_proven', params: { base: '200.00', tax: '31.00' } },
    ])
  })

  test('the proven rate of any base gives its VAT to the cent', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2_000, max: 90_000_000 }),
        fc.constantFrom(2100, 1000, 400),
        (base, rate) => {
          expect(provenRate(base, percentOf(base, rate), '2026-03-01')).toBe(rate)
        },
      ),
    )
  })

  test('an amount without VAT is a question with a guess by the party, and the answer counts', async () => {
    const bytes = Buffer.from(
      'Número;Fecha;Cliente;NIF;País;Base;Cuota IVA;Total\nF-1;15/01/2026;Client SARL;FR40303265045;Francia;700;0;700\nF-2;16/01/2026;Dra. Gil;12345678Z;España;50;0;50\n',
    )
    const guessed = await readFileOf(bytes)
    expect(guessed.summary.questions.map(({ id, guess }) => [id, guess])).toEqual([
      ['question_untaxed_issued:FR40303265045', 'E5'],
      ['question_untaxed_issued:12345678Z', 'E1'],
    ])
    const answered = await readFileOf(bytes, { answers: { 'question_untaxed_issued:FR40303265045': 'N2' } })
    expect(answered.documents.map(({ taxes }) => taxes[0]?.taxTreatment)).toEqual(['N2', 'E1'])
  })

  test('a purchase without VAT is declared by the buyer only where the question says so', async () => {
    const bytes = Buffer.from(
      'Número;Fecha;Proveedor;NIF;País;Base;Cuota IVA;Total\n9;15/01/2026;Lieferant GmbH;DE136695976;Alemania;1000;0;1000\n',
    )
    const { documents, summary } = await readFileOf(bytes)
    expect(summary.questions).toMatchObject([{ code: 'question_untaxed_received', guess: 'eu_services' }])
    expect(documents[0]).toMatchObject({
      side: 'received',
      totalCents: 100_000,
      taxes: [{ nature: 'eu_services', selfAssessed: true, taxCents: 21_000, deductibleCents: 21_000 }],
    })
    const exempt = await readFileOf(bytes, { answers: { 'question_untaxed_received:DE136695976': 'exempt' } })
    expect(exempt.documents[0]?.taxes).toMatchObject([
      { selfAssessed: false, taxCents: 0, taxTreatment: 'E1' },
    ])
  })
})

describe('columns', () => {
  test('for each rate', async () => {
    const { documents, faults } = await readFileOf(
      Buffer.from(
        'Factura;Fecha;Cliente;NIF;Base 21%;Cuota 21%;Base 10%;Cuota 10%;Base 4%;Cuota 4%;Base exenta;Total\nF-1;15/01/2026;Ana;12345678Z;100;21;50;5;0;0;7;183\n',
      ),
    )
    expect(faults).toEqual([])
    expect(
      documents[0]?.taxes.map(({ vatRateBp, baseCents, taxCents }) => [vatRateBp, baseCents, taxCents]),
    ).toEqual([
      [2100, 10_000, 2_100],
      [1000, 5_000, 500],
      [null, 700, 0],
    ])
  })

  test('are named by rate or by position', () => {
    expect(
      ['Base 21%', 'IVA 10', 'Base imponible 2', '% IVA 2', 'Cuota IVA 4%', 'Base exenta', 'Total 2'].map(
        taxColumnOf,
      ),
    ).toEqual([
      { field: 'base', rateBp: 2100 },
      { field: 'tax', rateBp: 1000 },
      { field: 'base', slot: 2 },
      { field: 'rate', slot: 2 },
      { field: 'tax', rateBp: 400 },
      { field: 'base', rateBp: null },
      null,
    ])
  })

  test('chosen before for the same titles are chosen again', () => {
    const titles = ['Cosa', 'Cuándo', 'Quién', 'Cuánto', 'Impto', 'Suma']
    expect(mapTitles('issued', titles)).toEqual({})
    expect(
      mapTitles('issued', titles, {
        cosa: 'number',
        cuando: 'date',
        quien: 'name',
        cuanto: 'base',
        impto: 'tax',
        suma: 'total',
      }),
    ).toEqual({ number: 0, date: 1, name: 2, base: 3, tax: 4, total: 5 })
  })

  test('of states say what is open', async () => {
    const { documents, skipped } = await readFileOf(
      Buffer.from(
        `Número;Fecha;Vencimiento;Cliente;NIF;Base;% IVA;Total;Estado;Cobrado
F-1;15/01/2026;14/02/2026;Ana;12345678Z;100;21;121;Cobrada;
F-2;15/01/2026;14/02/2026;Ana;12345678Z;100;21;121;Pendiente;
F-3;15/01/2026;14/02/2026;Ana;12345678Z;100;21;121;Parcial;50
F-4;15/01/2026;14/02/2026;Ana;12345678Z;100;21;121;Anulada;
F-5;15/01/2026;14/02/2026;Ana;12345678Z;100;21;121;;
`,
      ),
    )
    expect(documents.map(({ openCents, dueDate }) => [openCents, dueDate])).toEqual([
      [0, '2026-02-14'],
      [12_100, '2026-02-14'],
      [7_100, '2026-02-14'],
      [null, '2026-02-14'],
    ])
    expect(skipped).toMatchObject([{ row: 5, reason: 'skipped_cancelled' }])
  })
})

test('titles that nobody knows are mapped by a person, below titles that are no columns', async () => {
  const bytes = Buffer.from(
    'Mi empresa;;;;;\nCosa;Cuándo;Quién;Cuánto;Impto;Suma\nF-1;15/01/2026;Ana;100,00;21,00;121,00\n',
  )
  const { tables } = await recognizeFile(bytes, 'a.csv')
  expect(tables).toMatchObject([{ content: 'unknown', headerRow: 2 }])
  expect(tables[0]?.columns.map(({ title, samples }) => [title, samples[0]])).toContainEqual([
    'Cuánto',
    '100,00',
  ])
  const { documents } = await readHistoryWith(bytes, {
    number: 0,
    date: 1,
    name: 2,
    base: 3,
    tax: 4,
    total: 5,
  })
  expect(documents).toMatchObject([{ number: 'F-1', party: { name: 'Ana' }, taxes: [{ vatRateBp: 2100 }] }])
})

test('orders that a person says are no invoices are skipped', async () => {
  const bytes = readFileSync(join(import.meta.dirname, '../../../../golden/history/shopify-orders.csv'))
  const { documents, skipped, summary } = await readFileOf(bytes, { answers: { question_orders: 'no' } })
  expect([documents.length, summary.failed]).toEqual([0, 0])
  expect(skipped.map(({ reason, text }) => [reason, text])).toEqual([
    ['skipped_not_invoice', '#1001'],
    ['skipped_not_invoice', '#1002'],
  ])
})

describe('recognition', () => {
  const what = async (text: string, fileName = 'a.csv') => {
    const { tables } = await recognizeFile(Buffer.from(text), fileName)
    return tables.map(({ content, sure, reason }) => [content, sure, reason.code])
  }
  test.each([
    ['trial_balance', 'Cuenta;Descripción;Debe;Haber;Saldo\n430;Clientes;10;0;10\n'],
    ['journal', 'Asiento;Fecha;Cuenta;Concepto;Debe;Haber\n1;01/01/2026;572;Saldo;10;\n'],
    ['journal', 'ASIEN,FECHA,SUBCTA,CONTRA,PTADEBE,CONCEPTO,PTAHABER\n1,20260101,57200000,,10,x,0\n'],
    ['accounts', 'Cuenta;Título\n430;Clientes\n'],
    ['contacts', 'Nombre;NIF;Dirección;Teléfono\nAna;12345678Z;Calle 1;600\n'],
    ['items', 'Referencia;Nombre;Precio;IVA\nA1;Silla;10;21\n'],
    ['receivable', 'Factura;Cliente;Vencimiento;Pendiente\nF1;Ana;01/02/2026;10\n'],
    ['payable', 'Factura;Proveedor;Vencimiento;Importe pendiente\nF1;Luz;01/02/2026;10\n'],
    ['bank_balances', 'Banco;IBAN;Saldo\nBanco Uno;ES9121000418450200051332;10\n'],
    [
      'assets',
      'Elemento;Fecha adquisición;Valor de adquisición;Amortización acumulada\nMesa;01/01/2024;100;20\n',
    ],
    ['unknown', 'uno;dos\ntres;cuatro\n'],
    ['empty', 'uno;dos\n'],
  ])('%s', async (content, text) => {
    expect((await what(text)).map(([each]) => each)).toEqual([content])
  })

  test('of a list whose titles name no party goes by the name of the file', async () => {
    const text = 'Número;Fecha;Nombre;NIF;Base;% IVA;Cuota;Total\n1;15/01/2026;Ana;12345678Z;100;21;21;121\n'
    expect(await what(text, 'Facturas recibidas 2026.csv')).toEqual([
      ['received', 'likely', 'recognized_titles'],
    ])
    expect(await what(text, 'Ventas.csv')).toEqual([['issued', 'likely', 'recognized_titles']])
    expect(await what(text, 'listado.csv')).toEqual([['issued', 'guess', 'recognized_titles']])
  })

  test('of files that are no tables', async () => {
    expect(await what('%PDF-1.7\n', 'modelo303.pdf')).toEqual([['pdf', 'certain', 'recognized_pdf']])
    expect(await what('<T303020262T0000><AUX>')).toEqual([
      ['return_file', 'certain', 'recognized_return_file'],
    ])
    const why = (bytes: Buffer) =>
      recognizeFile(bytes, 'a.xlsx').then(
        () => 'read',
        (error: { details?: { faults: { code: string; fix?: string }[] } }) => error.details?.faults[0]?.code,
      )
    const compound = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
    expect(await why(Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le')]))).toBe(
      'import_file_protected',
    )
    expect(await why(Buffer.concat([compound, Buffer.from('Workbook', 'utf16le')]))).toBe('import_old_excel')
    const encrypted = Buffer.from(zipSync({ 'a.csv': strToU8(HEAD) }))
    encrypted[encrypted.indexOf('PK\x01\x02', 0, 'latin1') + 8]! |= 1
    expect(await why(encrypted)).toBe('import_file_protected')
    expect(await why(Buffer.from([1, 2, 0, 3]))).toBe('import_file_unknown')
  })

  test('of an archive: its tables, its documents, and what cannot be read', async () => {
    const archive = Buffer.from(
      zipSync({
        'facturas/F-1.pdf': strToU8('%PDF-1.7'),
        'facturas/F-2.pdf': strToU8('%PDF-1.7'),
        'ventas.csv': csv(GOOD),
        'viejo.xls': Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(20)]),
        '__MACOSX/._ventas.csv': strToU8('x'),
      }),
    )
    const found = await recognizeFile(archive, 'todo.zip')
    expect(found.format).toBe('zip')
    expect(found.documents).toEqual({ count: 2, names: ['facturas/F-1.pdf', 'facturas/F-2.pdf'] })
    expect(found.tables.map(({ entry, content }) => [entry, content])).toEqual([
      [null, 'documents'],
      ['ventas.csv', 'issued'],
    ])
    expect(found.faults).toMatchObject([{ entry: 'viejo.xls', code: 'import_old_excel' }])
    const { documents } = await readFileOf(archive, { entry: 'ventas.csv' }, 'todo.zip')
    expect(documents[0]?.source).toEqual({ file: 'todo.zip/ventas.csv', sheet: null, rows: [2] })
  })

  test('of every sheet of a workbook', async () => {
    const { default: write } = await import('write-excel-file/node')
    const sheet = (rows: string[][], name: string) => ({
      sheet: name,
      data: rows.map((row) => row.map((value) => ({ value, type: String }))),
    })
    const bytes = await write([
      sheet([['Nota'], ['Esto no es nada']], 'Portada'),
      sheet([HEAD.split(';'), GOOD.split(';')], 'Emitidas'),
      sheet([HEAD.replace('Cliente', 'Proveedor').split(';'), GOOD.split(';')], 'Recibidas'),
    ]).toBuffer()
    const { tables } = await recognizeFile(bytes, 'todo.xlsx')
    expect(tables.map(({ sheet: name, content }) => [name, content])).toEqual([
      ['Portada', 'unknown'],
      ['Emitidas', 'issued'],
      ['Recibidas', 'received'],
    ])
    expect((await readFileOf(bytes, { content: 'received' }, 'todo.xlsx')).documents).toMatchObject([
      { side: 'received', number: 'F-1' },
    ])
  })
})

test('a table of dBASE is read by the names of its fields', async () => {
  const fields = [
    ['NUMERO', 'C', 8],
    ['FECHA', 'D', 8],
    ['CLIENTE', 'C', 12],
    ['NIF', 'C', 9],
    ['BASE', 'N', 10],
    ['TOTAL', 'N', 10],
  ] as const
  const length = 1 + fields.reduce((sum, [, , width]) => sum + width, 0)
  const head = Buffer.alloc(32 + fields.length * 32 + 1)
  head.set([0x03, 126, 1, 31])
  head.writeUInt32LE(2, 4)
  head.writeUInt16LE(head.length, 8)
  head.writeUInt16LE(length, 10)
  for (const [index, [name, type, width]] of fields.entries()) {
    head.write(name, 32 + index * 32, 'latin1')
    head.write(type, 43 + index * 32, 'latin1')
    head[48 + index * 32] = width
  }
  head[head.length - 1] = 0x0d
  const record = (flag: string, number: string) =>
    Buffer.from(
      `${flag}${number.padEnd(8)}20260115${'Muñoz'.padEnd(12)}12345678Z${'100.00'.padStart(10)}${'121.00'.padStart(10)}`,
      'latin1',
    )
  const { documents } = await readFileOf(
    Buffer.concat([head, record(' ', 'F-1'), record('*', 'F-2')]),
    {},
    'ventas.dbf',
  )
  expect(documents).toMatchObject([{ number: 'F-1', party: { name: 'Muñoz' }, totalCents: 12_100 }])
})
