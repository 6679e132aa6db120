/** Checks of the keys that name invoices: the record's own, those that it rectifies or substitutes, and its dates. */
import { addYears, businessDateOf } from '../../../../../domain/dates.ts'
import { isAcceptableNif } from '../census.ts'
import { at, dayOf, linesOf, valueAt } from '../messages/values.ts'
import type { RejectionCode } from '../messages/record-messages.ts'
import type { Check } from './check.ts'

const FIRST_ISSUE_DATE = '2024-10-28'

/** Checks the key of a registration and its other identifying fields. */
export const registrationKey: Check = (record, around) =>
  keyRejection(record, '', around) ??
  (valueAt(record, 'NombreRazonEmisor') === '' || valueAt(record, 'DescripcionOperacion') === ''
    ? '1100'
    : null)

export const cancellationKey: Check = (record, around) => keyRejection(record, 'Anulada', around)

function keyRejection(
  record: Parameters<Check>[0],
  suffix: '' | 'Anulada',
  { headerNif, now }: Parameters<Check>[1],
): RejectionCode | null {
  if (valueAt(record, 'IDFactura', `IDEmisorFactura${suffix}`) !== headerNif) return '1108'
  const number = numberRejection(valueAt(record, 'IDFactura', `NumSerieFactura${suffix}`))
  if (number !== null) return number
  const issueDate = dayOf(valueAt(record, 'IDFactura', `FechaExpedicionFactura${suffix}`))
  if (issueDate === null) return '1105'
  const today = businessDateOf(now)
  if (issueDate > today) return '1112'
  if (issueDate < addYears(today, -20)) return '1133'
  if (issueDate < FIRST_ISSUE_DATE) return '1152'
  // An empty reference is present but has nothing to echo.
  return at(record, 'RefExterna') && valueAt(record, 'RefExterna') === '' ? '1253' : null
}

/** Rejects everything except printable ASCII, and five characters of that: the authority is stricter than its schema. */
function numberRejection(number: string): RejectionCode | null {
  if (number === '') return '1104'
  if (/[^\x20-\x7e]/.test(number)) return '1130'
  return /["'<>=]/.test(number) ? '1287' : null
}

/** Checks the invoices that a record rectifies or substitutes. */
export const namedInvoices: Check = (record, { census }) => {
  for (const list of ['FacturasRectificadas', 'FacturasSustituidas']) {
    for (const named of at(record, list)?.children ?? []) {
      const nif = valueAt(named, 'IDEmisorFactura')
      if (!isAcceptableNif(nif) || !census.knows(nif)) return '1154'
      const number = numberRejection(valueAt(named, 'NumSerieFactura'))
      if (number !== null) return number
      if (dayOf(valueAt(named, 'FechaExpedicionFactura')) === null) return '1145'
    }
  }
  return null
}

/** Checks the day of the operation: only VAT that is not due yet (regimes 14 and 15) may have one in the future. */
export const operationDate: Check = (record, { now }) => {
  const written = valueAt(record, 'FechaOperacion')
  if (written === '') return null
  const day = dayOf(written)
  if (day === null) return '1145'
  const today = businessDateOf(now)
  if (day < addYears(today, -20)) return '1134'
  if (day > addYears(today, 1)) return '1125'
  const isPending = linesOf(record).every(
    (line) =>
      ['14', '15'].includes(valueAt(line, 'ClaveRegimen')) &&
      ['', '01', '03'].includes(valueAt(line, 'Impuesto')),
  )
  if (isPending) return null
  if (day > today) return '1173'
  const issueDate = dayOf(valueAt(record, 'IDFactura', 'FechaExpedicionFactura'))
  return issueDate !== null && day > issueDate ? '1146' : null
}
