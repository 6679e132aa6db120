/** Records for the registry's tests, plain and random ones, and a simulated authority to send them to. */
import { createSimulator, memoryState } from '../../../server/registry/systems/verifactu/simulator/index.ts'
import { buildRegistration } from '../../../server/registry/systems/verifactu/record/xml.ts'
import { buildSubmission } from '../../../server/registry/systems/verifactu/wire/messages.ts'
import { readReply } from '../../../server/registry/systems/verifactu/wire/reply.ts'
import { GENERATED_AT, ISSUER, NOW, PREVIOUS, SYSTEM } from './plain-records.ts'
import type { ChainLink, RegistryInvoice } from '../../../server/registry/systems/verifactu/record/fields.ts'
import type { SimulatorOptions } from '../../../server/registry/systems/verifactu/simulator/index.ts'
import type { Reply } from '../../../server/registry/systems/verifactu/wire/reply.ts'

export * from './plain-records.ts'
export { admittedInvoice, validCancellation, validInvoice, validQuery } from './random-records.ts'

/** Creates a simulated authority with its clock at the records' time. */
export function openSimulator(changes: Partial<SimulatorOptions> = {}) {
  const state = memoryState()
  let csvs = 0
  const newCsv = () => `A-${String(++csvs).padStart(14, '0')}`
  const simulator = createSimulator({ state, now: () => NOW, newCsv, ...changes })
  return { simulator, state }
}

/** Builds a record and its message, lets `spoil` change the text, and returns the simulated authority's answer. */
export async function submitted(
  made: RegistryInvoice,
  spoil: (xml: string) => string = (xml) => xml,
  { previous = PREVIOUS, ...changes }: Partial<SimulatorOptions> & { previous?: ChainLink | null } = {},
): Promise<Reply> {
  const { xml } = buildRegistration(made, previous, SYSTEM, GENERATED_AT)
  const message = spoil(buildSubmission({ issuer: ISSUER }, [xml]))
  return readReply(await openSimulator(changes).simulator.submit(message))
}

/** Returns state and code of the only record of an answer, or the fault's code. */
export function verdict(reply: Reply): string {
  if (reply.kind === 'fault') return `fault ${reply.code ?? reply.message}`
  if (reply.kind === 'unreadable') return `unreadable ${reply.why}`
  const [first, ...others] = reply.lines
  if (!first || others.length > 0) throw new Error('One record was expected.')
  return first.code === undefined ? first.state : `${first.state} ${first.code}`
}
