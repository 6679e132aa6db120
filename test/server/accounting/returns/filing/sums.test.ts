/** One figure in three places: the VAT books, the boxes as they were filed, and the ledger, to the cent, quarter by quarter. */
import { describe, expect, test } from 'vitest'
import { quarterVat } from '../../../../../server/accounting/ledger/index.ts'
import { ISSUED_COLUMNS, RECEIVED_COLUMNS } from '../../../../../server/domain/formats/vat-book-columns.ts'
import { bookRows } from '../../../../../server/accounting/returns/books/rows.ts'
import { centsOf } from '../../../../../server/accounting/returns/books/rules.ts'
import { decodeFile } from '../../../../../server/accounting/returns/files/file.ts'
import { openBooks } from '../../../../support/books.ts'
import type { DraftInput, TestBooks } from '../../../../support/books.ts'
import { stateSchemes } from '../../../../support/schemes.ts'
import { line, purchase, workedQuarter } from '../worked.ts'

const COLUMNS = { issued: ISSUED_COLUMNS, received: RECEIVED_COLUMNS }

interface Quarter {
  year: number
  quarter: number
}

/** Returns output and input VAT of a quarter as the rows of the books say them, in cents. */
async function inBooks({ test: ctx }: TestBooks, { year, quarter }: Quarter) {
  const span = { from: `${year}-01-01`, to: `${year}-${['03-31', '06-30', '09-30', '12-31'][quarter - 1]}` }
  let output = 0
  let input = 0
  let rows = 0
  for await (const page of bookRows(ctx, span))
    for (const { sheet, cells } of page) {
      if (sheet === 'goods') continue
      const row: Record<string, string> = Object.fromEntries(
        COLUMNS[sheet].map(({ id }, at) => [id, cells[at] ?? '']),
      )
      const cents = (column: string): number => centsOf(row[column] ?? '') ?? 0
      const isOf = (ofYear: string | undefined, period: string | undefined): boolean =>
        ofYear === String(year) && period === `${quarter}T`
      const isOwn = isOf(row['year'], row['period'])
      if (isOwn) rows += 1
      if (sheet === 'issued') {
        if (isOwn) output += cents('tax') + cents('surcharge')
        continue
      }
      // The buyer owes the tax of what was bought in the EU (key 09) or with reverse charge.
      if (isOwn && (row['reverseCharge'] === 'S' || row['regimeKey'] === '09')) output += cents('tax')
      if (row['deductedLater'] === 'S' ? isOf(row['deductionYear'], row['deductionPeriod']) : isOwn)
        input += cents('deductible')
    }
  return { output, input, rows }
}

/** Files the VAT return of a quarter at the simulated agency, and returns the boxes of the file that was sent. */
async function asFiled(world: TestBooks, quarter: Quarter) {
  await stateSchemes(world, quarter.year)
  const preview = await world.run('fiscal.prepareFiling', {
    model: '303',
    ...quarter,
    iban: 'ES9121000418450200051332',
  })
  expect(preview.faults.filter(({ severity }) => severity === 'error')).toEqual([])
  const confirmationToken = preview.confirmationToken ?? ''
  const sending = await world.run('fiscal.fileReturn', { model: '303', ...quarter, confirmationToken })
  expect(sending).toMatchObject({ state: 'accepted', errors: [] })
  const { bytes } = await world.run('fiscal.filedFile', { id: sending.id })
  const { records } = await decodeFile(bytes)
  const values = Object.assign({}, ...records.map((record) => record.values)) as Record<
    string,
    number | string
  >
  return (box: string): number => Number(values[box] ?? 0)
}

async function expectEqual(world: TestBooks, quarter: Quarter) {
  const books = await inBooks(world, quarter)
  const box = await asFiled(world, quarter)
  const ledger = await quarterVat(world.test, { ...quarter, appliedCents: 0 })
  const filed = { output: box('27'), input: box('45') }
  expect({ output: books.output, input: books.input }, `books of ${quarter.quarter}T`).toEqual(filed)
  expect({ output: ledger.outputCents, input: ledger.inputCents }, `ledger of ${quarter.quarter}T`).toEqual(
    filed,
  )
  return { ...filed, rows: books.rows, box }
}

/** What a customer gives back, or is charged more, of an earlier invoice. */
function difference(id: string, issueDate: string, lines: DraftInput['lines']): Partial<DraftInput> {
  return {
    kind: 'R1',
    issueDate,
    rectifies: [{ id }],
    rectification: { method: 'I', cause: 'returned_goods', reason: 'Devolución' },
    lines,
  } as Partial<DraftInput>
}

describe('output and input VAT', () => {
  test('of a quarter with every kind of operation are the same in the books, the return and the ledger', async () => {
    const world = await workedQuarter()
    world.setTime('2027-01-12T10:00:00+01:00')
    const { output, input, rows } = await expectEqual(world, { year: 2026, quarter: 4 })
    expect(rows).toBe(20)
    // 210 + 20 + 2 + 63 + 15.60 + 105 - 21 of sales; 210 + 105 owed as the buyer.
    expect(output).toBe(70_960)
    // 21 + 5 + 840 + 42 + 63 + 210 + 105, and half of 12.60.
    expect(input).toBe(129_230)
  })

  test('stay the same where invoices of one quarter are corrected in the next', async () => {
    const world = await openBooks({ at: '2026-07-10T10:00:00+02:00' })
    const day = (date: string) => world.setTime(`${date}T10:00:00+02:00`)
    const buy = (changes: Parameters<typeof purchase>[0]) => world.run('received.create', purchase(changes))

    // Third quarter: amounts whose tax is rounded line by line.
    const sale = await world.invoice({
      issueDate: '2026-07-10',
      lines: [line(33.33), line(0.05), line(12.34, { vatRate: 10 }), line(7.77, { vatRate: 4 })],
    })
    day('2026-08-20')
    const withSurcharge = await world.invoice({
      issueDate: '2026-08-20',
      lines: [line(123.45, { surcharge: 5.2 }), line(6.66, { vatRate: 10, surcharge: 1.4 })],
    })
    day('2026-09-25')
    const wrong = await world.invoice({ issueDate: '2026-09-25', lines: [line(1_000.01)] })
    await world.invoice({ issueDate: '2026-09-25', lines: [line(500, { taxTreatment: 'S2' })] })
    const summer = { issueDate: '2026-09-01', receptionDate: '2026-09-02' }
    await buy({ ...summer, supplierNumber: 'P-1', taxLines: [{ base: 99.99, vatRate: 21 }] })
    await buy({
      ...summer,
      supplierNumber: 'P-2',
      taxLines: [{ base: 10.11, vatRate: 10, deductiblePct: 50 }],
    })
    const german = {
      supplierName: 'Lieferant GmbH',
      supplierNif: 'DE136695976',
      supplier: { country: 'DE', idType: '02' as const },
    }
    await buy({
      ...summer,
      ...german,
      supplierNumber: 'EU-1',
      taxLines: [{ base: 345.67, vatRate: 21, taxTreatment: 'S2', nature: 'eu_goods' }],
    })
    await buy({
      ...summer,
      supplierNumber: 'RC-1',
      taxLines: [{ base: 222.22, vatRate: 21, taxTreatment: 'S2', nature: 'reverse_charge' }],
    })

    day('2026-10-12')
    const third = await expectEqual(world, { year: 2026, quarter: 3 })
    expect(third.output).toBeGreaterThan(0)
    expect(third.box('15')).toBe(0)

    // Fourth quarter: all kinds of corrections of the third.
    await world.invoice(difference(sale.id, '2026-10-12', [line(-33.33), line(-1.11, { vatRate: 10 })]))
    await world.invoice(difference(withSurcharge.id, '2026-10-12', [line(-23.45, { surcharge: 5.2 })]))
    await world.invoice({
      kind: 'R4',
      issueDate: '2026-10-12',
      rectifies: [{ id: wrong.id }],
      rectification: { method: 'S', cause: 'wrong_text', reason: 'Importe' },
      lines: [line(800.07)],
    } as Partial<DraftInput>)
    const own = await world.invoice({ issueDate: '2026-10-12', lines: [line(61.53)] })
    const winter = { issueDate: '2026-10-15', receptionDate: '2026-10-16' }
    day('2026-10-16')
    const credit = { kind: 'rectifying' as const, ...winter }
    await buy({
      ...credit,
      supplierNumber: 'P-1R',
      taxLines: [{ base: -19.99, vatRate: 21 }],
      rectifies: [{ supplierNumber: 'P-1', issueDate: '2026-09-01' }],
    })
    await buy({
      ...credit,
      supplierNumber: 'P-2R',
      taxLines: [{ base: -1.01, vatRate: 10, deductiblePct: 50 }],
      rectifies: [{ supplierNumber: 'P-2', issueDate: '2026-09-01' }],
    })
    await buy({
      ...credit,
      ...german,
      supplierNumber: 'EU-1R',
      taxLines: [{ base: -45.67, vatRate: 21, taxTreatment: 'S2', nature: 'eu_goods' }],
      rectifies: [{ supplierNumber: 'EU-1', issueDate: '2026-09-01' }],
    })
    await buy({
      ...credit,
      supplierNumber: 'RC-1R',
      taxLines: [{ base: -22.22, vatRate: 21, taxTreatment: 'S2', nature: 'reverse_charge' }],
      rectifies: [{ supplierNumber: 'RC-1', issueDate: '2026-09-01' }],
    })
    await buy({ ...winter, supplierNumber: 'P-3', taxLines: [{ base: 8.88, vatRate: 4 }] })

    world.setTime('2027-01-12T10:00:00+01:00')
    // Corrections of the quarter before, and of the one before that, after the year has ended.
    await world.invoice(difference(own.id, '2027-01-12', [line(-61.53)]))
    await world.invoice(difference(sale.id, '2027-01-12', [line(-0.05)]))
    await world.invoice({ issueDate: '2027-01-12', lines: [line(1.01), line(99.95, { vatRate: 10 })] })
    await world.run(
      'received.create',
      purchase({
        kind: 'rectifying',
        issueDate: '2027-01-11',
        receptionDate: '2027-01-12',
        supplierNumber: 'P-3R',
        taxLines: [{ base: -8.88, vatRate: 4 }],
        rectifies: [{ supplierNumber: 'P-3', issueDate: '2026-10-15' }],
      }),
    )

    const fourth = await expectEqual(world, { year: 2026, quarter: 4 })
    // What was corrected is declared apart, and lowers the sums.
    expect(fourth.box('15')).toBeLessThan(0)
    expect(fourth.box('26')).toBe(-122)
    expect(fourth.box('41')).toBeLessThan(0)
    // What was filed of the third quarter has not moved.
    const before = await world.run('fiscal.model', { model: '303', year: 2026, quarter: 3 })
    expect(before.filing?.differences).toEqual([])
    const again = await inBooks(world, { year: 2026, quarter: 3 })
    expect([again.output, again.input]).toEqual([third.output, third.input])

    world.setTime('2027-04-12T10:00:00+02:00')
    const first = await expectEqual(world, { year: 2027, quarter: 1 })
    expect(first.box('15')).toBe(-1_293)
    expect(first.box('41')).toBe(-36)
    // 21 cents of the first line and 10.00 of the second one; 12.92 and 1 cent were given back.
    expect(first.output).toBe(-272)
  })

  test('of a purchase that is deducted later are the same over both quarters; the ledger has it when it came', async () => {
    const world = await openBooks({ at: '2026-09-02T10:00:00+02:00' })
    await world.run(
      'received.create',
      purchase({
        issueDate: '2026-09-01',
        receptionDate: '2026-09-02',
        supplierNumber: 'L-1',
        taxLines: [{ base: 400.4, vatRate: 21 }],
        deductionPeriod: { year: 2026, quarter: 4 },
      }),
    )
    world.setTime('2027-01-12T10:00:00+01:00')
    const places = []
    for (const quarter of [3, 4]) {
      const of = { year: 2026, quarter }
      const books = await inBooks(world, of)
      const box = await asFiled(world, of)
      const ledger = await quarterVat(world.test, { ...of, appliedCents: 0 })
      places.push([books.input, box('45'), ledger.inputCents])
    }
    expect(places).toEqual([
      [0, 0, 8_408],
      [8_408, 8_408, 0],
    ])
  })
})
