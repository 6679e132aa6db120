/** Numbers, amounts and books that must agree because they describe the same invoices. */
import type { Manifest, PackedInvoice } from '../../server/app/inspection/format.ts'
import type { Archive } from './archive.ts'
import { Findings, membersOf } from './findings.ts'
import type { Report } from './findings.ts'
import type { ReadRecord } from './records.ts'

const utf8 = new TextDecoder('utf-8')
const VAT_BOOK = /^books\/(\d{4})\/EXPEDIDAS_INGRESOS\.csv$/
/** A number of this length may have been truncated by its column. */
const COLUMN = 20

/** Returns whole cents of `-12.3` or `-1234,56`; NaN for anything else. */
function centsOf(text: string): number {
  const match = /^(-?)(\d+)(?:[.,](\d{1,2}))?$/.exec(text.trim())
  if (!match) return Number.NaN
  const cents = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'))
  return match[1] === '-' && cents !== 0 ? -cents : cents
}

export async function readInvoices(archive: Archive): Promise<PackedInvoice[] | null> {
  try {
    const members = membersOf<PackedInvoice>(utf8.decode(await archive.read('invoices/invoices.json')))
    return members.some((member) => member === null) ? null : (members as PackedInvoice[])
  } catch {
    return null
  }
}

/** Returns the last registration of each number, the one in force. */
function registeredByNumber(read: readonly ReadRecord[]) {
  const texts = new Map<string, { taxTotal: string; total: string; issueDate: string }>()
  for (const { record } of read)
    if (record.kind === 'registration') texts.set(record.text.number, record.text)
  return texts
}

export async function checkNumbers(
  invoices: readonly PackedInvoice[],
  read: readonly ReadRecord[],
  manifest: Manifest,
  tell: Report,
): Promise<void> {
  const findings = new Findings('numbers', tell)
  const bySeries = Map.groupBy(invoices, ({ series }) => series)
  for (const code of bySeries.keys())
    if (!manifest.series.some((series) => series.code === code)) findings.add('series_unknown', code)
  for (const { code, first, last, skipped } of manifest.series) {
    const seen = new Map<number, string>()
    for (const { sequence, number } of bySeries.get(code) ?? []) {
      const twin = seen.get(sequence)
      if (twin !== undefined) findings.add('number_twice', number, twin)
      if (sequence < first || sequence > last) findings.add('number_outside', number, `${first}–${last}`)
      seen.set(sequence, number)
    }
    for (let sequence = first; sequence <= last; sequence++) {
      findings.looked += 1
      const isElsewhere = skipped.some((gap) => sequence >= gap.first && sequence <= gap.last)
      if (!isElsewhere && !seen.has(sequence)) findings.add('number_missing', `${code} ${sequence}`)
      await findings.step(sequence - first, last - first)
    }
  }
  const listed = new Set(invoices.map(({ number }) => number))
  for (const [number, { issueDate }] of registeredByNumber(read)) {
    const year = Number(issueDate.slice(-4))
    const isInside = !manifest.years || (year >= manifest.years.from && year <= manifest.years.to)
    if (isInside && !listed.has(number)) findings.add('number_unlisted', number)
  }
  findings.end(invoices.length > 0)
}

export async function checkInvoices(
  archive: Archive,
  invoices: readonly PackedInvoice[] | null,
  read: readonly ReadRecord[],
  manifest: Manifest,
  tell: Report,
): Promise<void> {
  const findings = new Findings('invoices', tell)
  if (invoices === null) findings.add('list_unreadable', 'invoices/invoices.json')
  const registered = registeredByNumber(read)
  for (const [index, invoice] of (invoices ?? []).entries()) {
    findings.looked += 1
    const { number, pdf, xml, records } = invoice
    const text = registered.get(number)
    if (!text) {
      // The record of an invoice may belong to another year than the pack.
      if (records.length > 0 || manifest.years === null) findings.add('without_record', number)
    } else {
      if (centsOf(text.taxTotal) !== centsOf(invoice.tax))
        findings.add('tax_differs', number, `${text.taxTotal} ≠ ${invoice.tax}`)
      if (invoice.registered !== null && centsOf(text.total) !== centsOf(invoice.registered))
        findings.add('total_differs', number, `${text.total} ≠ ${invoice.registered}`)
    }
    for (const path of [...(pdf === null ? [] : [pdf]), ...xml])
      if (!archive.paths.has(path)) findings.add('document_missing', number, path)
    if (pdf === null && !manifest.invoices.missing.includes(number))
      findings.add('document_missing', number, 'PDF')
    await findings.step(index, invoices?.length ?? 0)
  }
  if ((invoices?.length ?? 0) !== manifest.invoices.count)
    findings.add('invoice_count', 'invoices/', `${invoices?.length ?? 0} / ${manifest.invoices.count}`)
  findings.end((invoices?.length ?? 0) > 0)
}

/** Splits a line at its semicolons. */
function cellsOf(line: string): string[] {
  const cells: string[] = []
  for (const [, quoted, plain] of line.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g))
    cells.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
  return cells
}

/** Returns the tax of each number in a year's book of issued invoices, in cents. */
function taxesOf(csv: string): Map<string, number> {
  const lines = csv.split(/\r?\n/)
  const top = cellsOf(lines[1] ?? '')
  const sub = cellsOf(lines[2] ?? '')
  const columns = {
    series: sub.indexOf('Serie'),
    number: sub.indexOf('Número'),
    last: sub.indexOf('Número-Final'),
    tax: top.indexOf('Cuota IVA Repercutida'),
    surcharge: top.indexOf('Cuota Recargo Eq.'),
  }
  const taxes = new Map<string, number>()
  if (Object.values(columns).some((index) => index < 0)) return taxes
  for (const line of lines.slice(3)) {
    const cells = cellsOf(line)
    const cell = (name: keyof typeof columns): string => cells[columns[name]] ?? ''
    const isCut = cell('series').length >= COLUMN || cell('number').length >= COLUMN
    if (cell('number') === '' || cell('last') !== '' || isCut) continue
    const number = `${cell('series')}-${cell('number')}`
    const cents = [cell('tax'), cell('surcharge')]
      .filter((text) => text !== '')
      .reduce((sum, text) => sum + centsOf(text), 0)
    taxes.set(number, (taxes.get(number) ?? 0) + cents)
  }
  return taxes
}

/** Compares the VAT of each invoice in the books with that in its record. */
export async function checkBooks(archive: Archive, read: readonly ReadRecord[], tell: Report): Promise<void> {
  const findings = new Findings('books', tell)
  const registered = registeredByNumber(read)
  for (const path of [...archive.paths].filter((name) => VAT_BOOK.test(name)).toSorted()) {
    let csv = ''
    try {
      csv = utf8.decode(await archive.read(path))
    } catch {
      findings.add('file_unreadable', path)
    }
    const taxes = taxesOf(csv)
    for (const [number, cents] of taxes) {
      const text = registered.get(number)
      if (!text) continue
      findings.looked += 1
      if (centsOf(text.taxTotal) !== cents)
        findings.add('book_differs', number, `${text.taxTotal} ≠ ${(cents / 100).toFixed(2)} (${path})`)
      await findings.step(findings.looked, taxes.size)
    }
  }
  findings.end(findings.looked > 0)
}
