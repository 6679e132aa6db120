/** The program of an office: its application with the table of operations. Only what starts an office loads it. */
import { connectOffice, openOffice, readRowsOf } from '../app/office/index.ts'
import type { ConnectedOffice, OfficeOptions, OpenedOffice } from '../app/office/index.ts'
import type { OpenedSello } from '../app/environment.ts'
import { peopleOf } from '../app/people/index.ts'
import { handBackPort } from '../app/office/hand-back/port.ts'
import { handBackOperations } from '../app/office/hand-back/operations.ts'
import { peopleOperations } from '../app/people/operations.ts'
import {
  loadContracts as loadDeskContracts,
  loadedEntry,
  loadOperation,
  operationTable,
} from './operations.ts'
import type { AnyContract } from '../domain/contract/define-contract.ts'
import type { OperationEntry } from './operations.ts'
import { runOperation } from './run.ts'

const ofOffice = [...peopleOperations, ...handBackOperations]

/** The operations of an office: all but those of a desk, and those that only an office has. */
export const officeOperations: readonly OperationEntry[] = [
  ...operationTable.filter(({ facts }) => !facts.desk),
  ...ofOffice.map(loadedEntry),
]

async function loadContracts(): Promise<readonly AnyContract[]> {
  return [...(await loadDeskContracts()), ...ofOffice.map(({ contract }) => contract)]
}

const byName = new Map(officeOperations.map((entry) => [entry.facts.name, entry]))

/** Lets the people of an office run operations within others, and hand companies back. */
function withOperations<Opened extends OpenedSello>(sello: Opened, options: OfficeOptions): Opened {
  const { url, masterKey, bucket, inRowAtMost } = options
  sello.env.handBack = handBackPort({ url, masterKey, bucket, inRowAtMost, env: sello.env })
  sello.env.readRows = readRowsOf(url)
  sello.env.loadOperation = loadOperation
  peopleOf(sello).perform = async (ctx, name, input) => {
    const entry = byName.get(name)
    if (!entry) throw new Error(`No operation is called ${name}.`)
    return runOperation(await entry.load(), ctx, input)
  }
  return sello
}

/** Connects to the database of an office, with the table of operations. Throws `AppError`s of the store. */
export async function openOfficeSello(options: OfficeOptions): Promise<OpenedOffice> {
  return withOperations(await openOffice(options, loadContracts), options)
}

/** Opens an office with connections of its own, and checks its master key. Throws `office_key_wrong`, or an error of the store. */
export async function connectOfficeSello(options: OfficeOptions): Promise<ConnectedOffice> {
  const office = await connectOffice(options, loadContracts)
  withOperations(office.sello, options)
  return office
}
