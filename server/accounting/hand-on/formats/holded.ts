/**
 * The journal for Holded: its import template as a worksheet.
 *
 * Source: help.holded.com, "Import and export your accounting entries" (article 6895995) and its questions (10006986):
 * columns, their order, amounts, and no more than some 800 lines for each entry. Holded writes the headings of its
 * template itself; those here say the same.
 */
import { xlsxStream } from '../../../domain/formats/xlsx-stream.ts'
import type { XlsxCell } from '../../../domain/formats/xlsx-stream.ts'
import { neutralizeFormula } from '../../../domain/formats/csv-writer.ts'
import type { Format, HandOnEntry, HandOnFault, HandOnWork } from '../model.ts'
import { entryFault } from './faults.ts'
import { pointAmount, writable } from './text.ts'

const MOST_LINES = 800

const HEADINGS = [
  'Núm. asiento',
  'Fecha dd/mm/yyyy',
  'Nombre de la cuenta',
  'Núm. de la cuenta',
  'Debe',
  'Haber',
  'Descripción',
  'Tags',
  'Notas',
  'Tipo',
]

const safe = (text: string): XlsxCell => neutralizeFormula(writable(text, 'utf-8'))

/** The type stays empty: names of types are those of each account. */
const rowsOf = (entry: HandOnEntry): XlsxCell[][] =>
  entry.lines.map((line) => [
    { number: String(entry.number) },
    { day: entry.date },
    safe(line.name),
    safe(line.account),
    { number: pointAmount(Math.max(line.amountCents, 0)) },
    { number: pointAmount(Math.max(-line.amountCents, 0)) },
    safe(entry.text),
    null,
    safe([entry.label, line.party?.nif ?? ''].filter((each) => each !== '').join(' · ')),
    null,
  ])

async function* pages({ entries }: HandOnWork): AsyncGenerator<XlsxCell[][]> {
  yield [HEADINGS]
  for await (const page of entries()) yield page.flatMap(rowsOf)
}

export const holded: Format = {
  id: 'holded',
  name: 'Holded',
  sureness: 'published',
  source: 'help.holded.com (6895995, 10006986)',
  digits: { min: 5, max: 12, usual: 8 },
  encodings: ['utf-8'],
  recordLengths: [],
  companyCode: null,
  journal: null,
  check(entry) {
    const faults: HandOnFault[] = []
    if (entry.lines.length > MOST_LINES) faults.push(entryFault('hand_on_long_entry', entry))
    if (entry.document) faults.push(entryFault('hand_on_vat_by_hand', entry))
    return faults
  },
  posted: ({ lines }) => lines,
  files: (work) => [{ name: 'Diario.xlsx', parts: xlsxStream('Diario', pages(work), work.writtenAt) }],
}
