/** The largest message that the rules allow: a thousand records of twelve lines each. */
import { expect, test } from 'vitest'
import { buildRegistration } from '../../../../../../server/registry/systems/verifactu/record/xml.ts'
import { buildSubmission } from '../../../../../../server/registry/systems/verifactu/wire/messages.ts'
import { readReply } from '../../../../../../server/registry/systems/verifactu/wire/reply.ts'
import { GENERATED_AT, invoice, ISSUER, openSimulator, SYSTEM, taxed } from '../../../samples.ts'

test('a thousand records of twelve lines are accepted in one message', async () => {
  const breakdown = Array.from({ length: 12 }, (_, index) => taxed(10_000 + index))
  const records = Array.from(
    { length: 1000 },
    (_, index) =>
      buildRegistration(
        invoice({ breakdown, number: `F-${index}`, recordId: `rec-${index}`, description: 'x'.repeat(500) }),
        null,
        SYSTEM,
        GENERATED_AT,
      ).xml,
  )
  const message = buildSubmission({ issuer: ISSUER }, records)
  expect(message.length).toBeGreaterThan(5 * 1024 * 1024)
  const reply = readReply(await openSimulator().simulator.submit(message))
  expect(reply.kind).toBe('answer')
  expect(reply.kind === 'answer' && reply.lines.length).toBe(1000)
})
