/** Spellings of references to invoices, and random ones of them put to the product. */
import { AppError } from '../../../../../server/domain/errors/app-error.ts'
import { composeReferences } from '../../../../../server/sales/invoices/draft/compose-references.ts'
import { openBooks } from '../../../../support/books.ts'
import type { DraftInput, Invoice } from '../../../../support/books.ts'
import { dice } from '../../../sums/sums.ts'

type Reference = NonNullable<DraftInput['rectifies']>[number]

/** Every way in which this program itself names an invoice, and the ways people shorten it. */
export function spellings({ id, number, series, issueDate }: Invoice): Reference[] {
  const printed = number ?? ''
  const code = series ?? ''
  const digits = printed.slice(code.length + 1)
  const date = { issueDate: issueDate ?? '' }
  const plain: Reference[] = [
    { id },
    { id: printed },
    { number: printed },
    { number: printed.toLowerCase() },
    { number: ` ${printed} ` },
    { series: code, number: printed },
    { series: code.toLowerCase(), number: printed },
    { series: code, number: digits },
    { series: code, number: String(Number(digits)) },
    { series: `${code}-`, number: digits },
    { series: code, number: `-${digits}` },
    { series: `${code}-`, number: printed },
    { series: code.replace(/^T-/, ''), number: digits },
    { series: code.replace(/^T-/, ''), number: printed },
    { series: code.replace(/^T-/, ''), number: printed.replace(/^T-/, '') },
    { number: printed.replace(/^T-/, '') },
    { number: printed.replace(/-(\d+)$/, '/$1') },
    { number: printed.replaceAll('-', ' ') },
    { number: code.replace(/^T-/, '') + digits },
    { series: code, number: `${code}/${digits}` },
    { id, series: code, number: printed },
  ]
  return [...plain, ...plain.map((one) => ({ ...one, ...date }))]
}

/**
 * Puts random references to the product: of invoices of a book in every spelling, and of other programs with their series
 * said twice. Answers those that were understood as another invoice than the one meant.
 */
export async function resolveRandomly(
  seed: number,
  runs: number,
): Promise<{ runs: number; differences: unknown[] }> {
  const world = await openBooks()
  const random = dice(seed)
  await world.run('series.create', { code: 'OBRA', kind: 'ordinary' })
  const own: Invoice[] = []
  for (const series of [null, null, 'OBRA', 'T-OBRA']) own.push(await world.invoice({ series }))
  own.push(await world.invoice({ kind: 'F2', clientName: 'Venta', clientNif: null }))
  const rows = new Map<string, number>()
  for (const { id } of own) {
    const row = await world.test.db
      .selectFrom('invoices')
      .select('id')
      .where('public_id', '=', id)
      .executeTakeFirst()
    rows.set(id, row?.id ?? 0)
  }
  const word = (letters: string, most: number): string =>
    Array.from({ length: 1 + random.below(most) }, () => random.of([...letters])).join('')
  const differences: unknown[] = []
  for (let run = 0; run < runs; run++) {
    const role = random.of(['rectifies', 'substitutes'] as const)
    if (random.below(2) === 0) {
      const invoice = random.of(own)
      const reference = random.of(spellings(invoice))
      const [found] = await composeReferences(world.test, { [role]: [reference] })
      if (found?.facts.targetId !== rows.get(invoice.id) || found?.facts.number !== invoice.number)
        differences.push({ reference, meant: invoice.number, found: found?.facts })
      continue
    }
    const series = random.of([word('AFZ019', 5), 'T-F2026', 'F2026', 'OBRA'])
    const separator = random.of(['', '-', '/', '.'])
    const whole = `${series}${separator}${7000 + random.below(2000)}`
    const reference = { series, number: whole, issueDate: '2025-03-01' }
    try {
      const [found] = await composeReferences(world.test, { [role]: [reference] })
      if (found?.facts.targetId !== null || found.facts.number !== whole)
        differences.push({ reference, meant: whole, found: found?.facts })
    } catch (error) {
      // Digits that go on with digits can be read in two ways: that is asked.
      const isAmbiguous = separator === '' && /^\d+$/.test(series)
      if (!(error instanceof AppError) || !isAmbiguous) throw error
    }
  }
  return { runs, differences }
}
