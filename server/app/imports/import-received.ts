/** Imports rows as received invoices, with up to three VAT rates each. An import never changes existing ones. */
import {
  createReceived,
  findReceivedByRow,
  previewReceived,
  resolveReceived,
  supplierNumberKey,
  voidReceived,
} from '../../purchases/invoices/index.ts'
import { createReceivedContract } from '../../purchases/invoices/contract.ts'
import type { ReceivedInput, TaxLineInput } from '../../purchases/invoices/contract.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import { searchText } from '../../domain/text.ts'
import type { Known } from './seen-rows.ts'
import { contractFaults, omitUndefined } from './importer.ts'
import type { RowReader, Importer } from './importer.ts'
import { readCountry } from '../../platform/spreadsheets/values.ts'

const SUFFIXES = ['', '2', '3'] as const
/** Programs round per line or per document. */
const TOLERANCE_CENTS = 2

/** Patterns of operation names, the most specific first. */
const NATURES: readonly (readonly [NonNullable<TaxLineInput['nature']>, RegExp])[] = [
  [
    'eu_services',
    /^eu_services$|(servicio|service).*(intracom|\bue\b|\beu\b)|(intracom|\bue\b|\beu\b).*(servicio|service)/,
  ],
  ['eu_goods', /^eu_goods$|intracom|\bbienes.*\b(ue|eu)\b|\bgoods.*\beu\b|\beu\b.*goods/],
  [
    'foreign_services',
    /^foreign_services$|importacion de servicio|(servicio|service).*(extranjer|terceros|foreign|non-eu|fuera)/,
  ],
  ['import', /^import$|importacion|customs|\bdua\b|imported goods/],
  ['reverse_charge', /^reverse_charge$|inversion|\bisp\b|reverse charge/],
  ['reagyp', /^reagyp$|agricultur|ganader|\breagyp\b|compensacion|farmer/],
  ['domestic', /^domestic$|interior|nacional|general|espan|spain/],
]

/** Document kind of each operation. */
const KIND_OF: Partial<Record<string, ReceivedInput['kind']>> = { import: 'customs', reagyp: 'reagyp' }

function countryOf(row: RowReader): string | undefined {
  const text = row.text('country')
  if (text === undefined) return undefined
  const country = readCountry(text)
  if (country === null) row.fault('import_country_unknown', 'country', 'There is no such country.')
  return country ?? undefined
}

const SELF_ASSESSED: readonly string[] = ['eu_goods', 'eu_services', 'foreign_services', 'reverse_charge']

function inputOf(row: RowReader): ReceivedInput {
  const country = countryOf(row)
  const nature = row.choice('nature', NATURES, searchText)
  const deductiblePct = row.number('deductiblePct')
  const taxLines = SUFFIXES.flatMap((suffix) => {
    const base = row.amount(`base${suffix}`)
    if (base === undefined) return []
    const rate = row.number(`vatRate${suffix}`)
    const percent = rate !== undefined && rate > 0 && rate < 0.3 ? Math.round(rate * 10_000) / 100 : rate
    const tax = row.amount(`tax${suffix}`)
    // The document of a self-assessed purchase shows no VAT: a 0 there is not the rate of the assessment.
    const isBlank = nature !== undefined && SELF_ASSESSED.includes(nature) && !percent && !tax
    return [
      omitUndefined({
        base,
        vatRate: isBlank ? undefined : percent,
        tax: isBlank ? undefined : tax,
        nature,
        deductiblePct,
      }),
    ]
  })
  const withholding = row.number('withholdingPct')
  const issueDate = row.day('issueDate')
  return omitUndefined({
    supplierName: row.text('supplierName') ?? '',
    kind: nature === undefined ? undefined : KIND_OF[nature],
    supplierNif: row.text('supplierNif'),
    supplier: country === undefined ? undefined : { country },
    supplierNumber: row.text('supplierNumber'),
    issueDate: issueDate ?? '',
    // The period follows from the document's own date, not from that of the import.
    receptionDate: row.day('receptionDate') ?? issueDate,
    dueDate: row.day('dueDate'),
    taxLines,
    withholding: withholding ? { rate: withholding } : undefined,
    concept: row.text('concept')?.toUpperCase(),
    account: row.text('account'),
    notes: row.text('notes'),
  }) as ReceivedInput
}

/** Fields of a tax line with one column for the whole row. */
const WHOLE_ROW: readonly string[] = ['nature', 'taxTreatment', 'deductiblePct']

function fieldOf(path: string): string {
  const line = /^taxLines\[(\d)\]\.(\w+)/.exec(path)
  if (line && WHOLE_ROW.includes(line[2] ?? '')) return line[2] === 'taxTreatment' ? 'nature' : line[2]!
  if (line) return `${line[2]}${SUFFIXES[Number(line[1])] ?? ''}`
  if (path.startsWith('taxLines')) return 'base'
  if (path.startsWith('supplier.country')) return 'country'
  return path.startsWith('withholding') ? 'withholdingPct' : path
}

export const receivedImporter: Importer = {
  async check(ctx, row) {
    const input = inputOf(row)
    const unread = new Set(row.faults.map((fault) => fault.field))
    const faults: Fault[] = [
      ...row.faults,
      ...contractFaults(createReceivedContract.input, input, fieldOf).filter(
        (fault) => !unread.has(fault.field),
      ),
    ]
    const label = [input.supplierName, input.supplierNumber].filter(Boolean).join(' ')
    const numberKey = supplierNumberKey(input.supplierNumber ?? null)
    const identity = {
      group: numberKey === '' ? null : `${numberKey} ${input.issueDate}`,
      number: input.supplierNif ? normalizeNif(input.supplierNif) : null,
      name: input.supplierName,
    }
    const known: Known[] = []
    if (!faults.some((fault) => fault.severity === 'error')) {
      try {
        const preview = await previewReceived(ctx, createReceivedContract.input.parse(input))
        faults.push(...preview.warnings.map((fault) => ({ ...fault, field: fieldOf(fault.field) })))
        if (preview.duplicate)
          known.push({
            ...identity,
            rowId: (await resolveReceived(ctx, preview.duplicate.id)).id,
            hasSameNumber: true,
          })
        const total = row.amount('total')
        if (
          total !== undefined &&
          ![preview.total, preview.payable].some(
            (sum) => Math.abs(Math.round(sum * 100) - Math.round(total * 100)) <= TOLERANCE_CENTS,
          )
        )
          faults.push({
            code: 'import_total_differs',
            field: 'total',
            severity: 'error',
            message: `Base and VAT add up to ${preview.total}, not to ${total}.`,
            fix: 'Correct the row, or do not read the column of the total.',
            params: { sum: preview.total, total },
          })
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.code !== 'validation_failed') throw thrown
        faults.push(
          ...(thrown.details as { faults: Fault[] }).faults.map((fault) => ({
            ...fault,
            field: fieldOf(fault.field),
          })),
        )
      }
    }
    return { label, identity, known, faults, input }
  },

  async create(tx, input) {
    const { id } = await createReceived(tx, createReceivedContract.input.parse(input))
    const row = await resolveReceived(tx, id)
    return { id: row.id, version: row.version }
  },

  update: null,

  async undo(tx, target) {
    const row = await findReceivedByRow(tx, target.id)
    if (!row || row.state === 'void') return true
    if (row.version !== target.version || row.paid_cents !== 0) return false
    try {
      await voidReceived(tx, { id: row.public_id })
    } catch (thrown) {
      // Its quarter has been closed since.
      if (thrown instanceof AppError) return false
      throw thrown
    }
    return true
  },

  async putBack() {
    throw new Error('A received invoice is not changed by a file.')
  },
}
