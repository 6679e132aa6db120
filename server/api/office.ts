/** The program of an office: its application with the table of operations. Only what starts an office loads it. */
import { openOffice } from '../app/office/index.ts'
import type { OfficeOptions, OpenedOffice } from '../app/office/index.ts'
import { loadContracts, operationTable } from './operations.ts'
import type { OperationEntry } from './operations.ts'

/** The operations of an office: all but those of a desk. */
export const officeOperations: readonly OperationEntry[] = operationTable.filter(({ facts }) => !facts.desk)

/** Connects to the database of an office, with the table of operations. Throws `AppError`s of the store. */
export function openOfficeSello(options: OfficeOptions): Promise<OpenedOffice> {
  return openOffice(options, loadContracts)
}
