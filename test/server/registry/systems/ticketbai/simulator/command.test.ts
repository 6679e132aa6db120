/** The simulated service as a program: its printed line is all that a client needs. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createXmlClient } from '../../../../../support/ticketbai/client.ts'
import { createTransport } from '../../../../../../server/registry/systems/ticketbai/client/transport.ts'
import { runService } from '../../../../../../server/registry/systems/ticketbai/simulator/command.ts'
import { simulatedService } from '../../../../../../server/registry/systems/ticketbai/wire/services.ts'
import { COMPANY, invoiceFile, signerOf, verifyTestFile } from '../../../../../support/ticketbai/files.ts'

test('prints its addresses and a certificate with which an invoice is sent', async () => {
  let printed = (_line: string): void => {}
  let stop = (): void => {}
  const line = new Promise<string>((resolve) => (printed = resolve))
  const stopped = new Promise<void>((resolve) => (stop = resolve))
  const running = runService(
    { province: 'araba', port: 0, certificate: COMPANY, perMinute: 1 },
    { verify: verifyTestFile },
    { answer: printed, untilStopped: () => stopped },
  )
  const facts = JSON.parse(await line) as Record<string, string>
  expect(facts['invoice']).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/TicketBAI\/v1\/facturas\/$/)
  expect(facts['query']).toBeNull()
  const read = (name: string): string => readFileSync(facts[name] ?? '', 'utf8')
  const client = createXmlClient({
    service: simulatedService('araba', new URL('/', facts['invoice']).href),
    transport: createTransport({
      reach: { kind: 'simulator', caPem: read('ca') },
      credential: {
        keyPem: read('keyPem'),
        chainPem: read('certificatePem'),
        validFrom: 0,
        validTo: Infinity,
      },
      now: () => new Date(),
      version: '1.2.3',
      limits: { verdictMs: 200 },
    }),
  })
  const signer = await signerOf(COMPANY)
  const file = invoiceFile(signer, { issueDate: '01-10-2026' })
  expect((await client.send([file]))[0]?.outcome).toMatchObject({ kind: 'accepted', warnings: [] })
  expect((await client.send([file]))[0]?.outcome).toMatchObject({ kind: 'not_taken', reason: 'throttled' })
  stop()
  await running
})
