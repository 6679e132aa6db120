/** Rows of a file as received invoices, with up to three VAT rates each. What is here already is never changed by a file. */
import {
  createReceived,
  findReceivedByRow,
  previewReceived,
  resolveReceived,
  supplierNumberKey,
  voidReceived,
} from '../received/index.ts'
import { createReceivedContract } from '../received/contract.ts'
import type { ReceivedInput } from '../received/contract.ts'
import { AppError } from '../core/errors.ts'
import type { Fault } from '../core/errors.ts'
import { normalizeNif } from '../core/nif.ts'
import type { Known } from './seen.ts'
import { contractFaults, present } from './taker.ts'
import type { RowReader, Taker } from './taker.ts'

const SUFFIXES = ['', '2', '3'] as const
/** Programs round per line or per document. */
const TOLERANCE_CENTS = 2

function inputOf(row: RowReader): ReceivedInput {
  const taxLines = SUFFIXES.flatMap((suffix) => {
    const base = row.amount(`base${suffix}`)
    if (base === undefined) return []
    const rate = row.number(`vatRate${suffix}`)
    return [
      present({
        base,
        vatRate: rate !== undefined && rate > 0 && rate < 0.3 ? Math.round(rate * 10_000) / 100 : rate,
        tax: row.amount(`tax${suffix}`),
      }),
    ]
  })
  const withholding = row.number('withholdingPct')
  const issueDate = row.day('issueDate')
  return present({
    supplierName: row.text('supplierName') ?? '',
    supplierNif: row.text('supplierNif'),
    supplierNumber: row.text('supplierNumber'),
    issueDate: issueDate ?? '',
    // A file tells of the past: its own day, not that of the import, decides the period.
    receptionDate: row.day('receptionDate') ?? issueDate,
    dueDate: row.day('dueDate'),
    taxLines,
    withholding: withholding ? { rate: withholding } : undefined,
    concept: row.text('concept')?.toUpperCase(),
    account: row.text('account'),
    notes: row.text('notes'),
  }) as ReceivedInput
}

function fieldOf(path: string): string {
  const line = /^taxLines\[(\d)\]\.(\w+)/.exec(path)
  if (line) return `${line[2]}${SUFFIXES[Number(line[1])] ?? ''}`
  if (path.startsWith('taxLines')) return 'base'
  return path.startsWith('withholding') ? 'withholdingPct' : path
}

export const receivedTaker: Taker = {
  async judge(ctx, row) {
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
          ...(thrown.details?.faults as Fault[]).map((fault) => ({ ...fault, field: fieldOf(fault.field) })),
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

  async takeBack(tx, target) {
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
