/**
 * Agreement checks between our rules and the simulated authority: both accept every valid record, and each rejection
 * of the authority was predicted.
 */
import { expect } from 'vitest'
import {
  checkCancellation,
  checkRecord,
} from '../../../server/registry/systems/verifactu/record/rules/index.ts'
import { buildCancellation } from '../../../server/registry/systems/verifactu/record/xml.ts'
import { buildSubmission } from '../../../server/registry/systems/verifactu/wire/messages.ts'
import { readReply } from '../../../server/registry/systems/verifactu/wire/reply.ts'
import type {
  RegistryCancellation,
  RegistryInvoice,
} from '../../../server/registry/systems/verifactu/record/fields.ts'
import {
  GENERATED_AT,
  ISSUER,
  openSimulator,
  PREVIOUS,
  submitted,
  SYSTEM,
  TODAY,
  verdict,
} from './samples.ts'

/** Fails unless rules and authority agree: accepted, with exactly the errors that our warnings predict. */
export async function expectAdmitted(made: RegistryInvoice): Promise<void> {
  const faults = checkRecord(made, TODAY)
  expect(faults.filter(({ severity }) => severity === 'error')).toEqual([])
  const foretold = faults.map(({ authorityCode }) => authorityCode).filter((code) => /^20/.test(code))
  const answer = verdict(await submitted(made))
  // Of several errors the authority names one.
  if (foretold.length === 0) expect(answer).toBe('Correcto')
  else expect(foretold.map((code) => `AceptadoConErrores ${code}`)).toContain(answer)
}

/** Fails when the authority rejects an invoice that our rules accept. */
export async function expectForetold(made: RegistryInvoice): Promise<void> {
  const refused = checkRecord(made, TODAY).some(({ severity }) => severity === 'error')
  if (!refused) await expectAdmitted(made)
}

/**
 * Fails when the authority rejects a cancellation that our rules accept. It must be of an invoice that the authority
 * does not hold.
 */
export async function expectCancellationForetold(made: RegistryCancellation): Promise<void> {
  if (checkCancellation(made, TODAY).some(({ severity }) => severity === 'error')) return
  const { xml } = buildCancellation(made, PREVIOUS, SYSTEM, GENERATED_AT)
  const answer = await openSimulator().simulator.submit(buildSubmission({ issuer: ISSUER }, [xml]))
  expect(verdict(readReply(answer))).toBe('Correcto')
}
