/** The PDF as it is really drawn says what the stored invoice says: read back by a program of others. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect } from 'vitest'
import { contradictionIn } from '../../../../server/documents/truth/check.ts'
import type { Evidence } from '../../../../server/documents/truth/check.ts'
import { renderInvoice } from '../../../../server/documents/pdf/paint/render.ts'
import { invoiceOnPaper } from '../../../../server/documents/rendering/port.ts'
import { needs } from '../../../support/tools.ts'
import { evidenceOf, randomInvoice } from './evidence.ts'

const INVOICES = 60

/** Amounts as a person reads them: Spanish and English differ in their signs. */
function printed(cents: number, language: string): string {
  const [whole = '', decimals = ''] = (Math.abs(cents) / 100).toFixed(2).split('.')
  const [point, thousands] = language === 'en' ? ['.', ','] : [',', '.']
  return `${cents < 0 ? '\u2212' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, thousands)}${point}${decimals}`
}

function printedDay(day: string, language: string): string {
  const [year, month, date] = day.split('-')
  if (language !== 'en') return `${date}/${month}/${year}`
  const name = new Date(`${day}T12:00:00Z`).toLocaleString('en-US', { month: 'short', timeZone: 'UTC' })
  return `${Number(date)} ${name} ${year}`
}

const compact = (text: string): string => text.replace(/\s+/g, '')

/** Returns what the drawn text lacks of the stored invoice. */
function missingIn(text: string, { row, lines, taxes, content, totals }: Evidence): string[] {
  const { language, currency } = content
  const amount = (cents: number): string => printed(cents, language)
  const due = totals.amountDueCents - content.replacedCents
  const expected = [
    row.number ?? '',
    printedDay(row.issue_date ?? '', language),
    'B12345674',
    ...(row.kind === 'F2' || row.kind === 'R5' ? [] : [row.client_name]),
    ...(row.client_nif === null ? [] : [row.client_nif]),
    // In another currency the rows have euros, which stand once below.
    ...(currency === null
      ? [
          amount(Math.abs(due)),
          ...lines.filter(() => row.price_mode === 'net').map((line) => amount(line.net_cents)),
        ]
      : [amount(row.total_cents)]),
    ...(currency === null
      ? taxes
          .filter((tax) => tax.tax_treatment === 'S1' && !['03', '05'].includes(tax.regime_key))
          .flatMap((tax) => [amount(tax.base_cents), amount(tax.tax_cents)])
      : []),
  ]
  const whole = compact(text)
  return expected.filter((one) => !whole.includes(compact(one)))
}

needs('pdftotext')(
  `${INVOICES} drawn invoices hold number, day, parties, lines, bases, quotas and total`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sello-drawn-'))
    try {
      const contents = fc.sample(randomInvoice(['es', 'en']), { numRuns: INVOICES, seed: 60 })
      const faults: unknown[] = []
      for (const [index, content] of contents.entries()) {
        const evidence = evidenceOf(content)
        expect(contradictionIn(evidence)).toBeNull()
        const { row, totals, issuer, record } = evidence
        const pdf = await renderInvoice(
          invoiceOnPaper(row, {
            content,
            totals,
            issuer,
            company: { environment: 'production', accent: null, logo: null, footer: null },
            format: row.kind === 'F2' || row.kind === 'R5' ? 'ticket' : 'a4',
            withQr: true,
            registry: record,
            today: evidence.today,
          }),
        )
        const file = join(folder, `${index}.pdf`)
        writeFileSync(file, pdf)
        const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
        const missing = missingIn(text, evidence)
        if (missing.length > 0) faults.push({ index, kind: row.kind, language: content.language, missing })
      }
      expect(faults).toEqual([])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  180_000,
)
