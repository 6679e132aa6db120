/**
 * Files as the program makes and signs them, through the wires to the simulated services: random invoices of each province are kept
 * without a remark, in one chain, then cancelled and corrected.
 */
import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { holderNifs } from '../../../../../../server/platform/simulated-authority/start.ts'
import { createLroeClient, createXmlClient, sendInTurn } from '../../../../../support/ticketbai/client.ts'
import type { TicketBaiClient } from '../../../../../support/ticketbai/client.ts'
import type { LroeFile } from '../../../../../../server/registry/systems/ticketbai/lroe/message.ts'
import { sealedFileOf } from '../../../../../../server/registry/systems/ticketbai/client/sealed-file.ts'
import {
  amendedIssue,
  cancellationContent,
  linkOfInvoice,
  PROFILES,
  sealCancellation,
  writeTicketBai,
} from '../../../../../../server/registry/systems/ticketbai/index.ts'
import type { TicketBaiLink } from '../../../../../../server/registry/systems/ticketbai/index.ts'
import { transportTo } from '../../../../../../server/registry/systems/ticketbai/simulator/in-process.ts'
import { createProvinceService } from '../../../../../../server/registry/systems/ticketbai/simulator/provinces.ts'
import { memoryServiceState } from '../../../../../../server/registry/systems/ticketbai/simulator/state.ts'
import {
  fileIdentifier,
  verifyFile,
} from '../../../../../../server/registry/systems/ticketbai/simulator/verifier.ts'
import { SERVICES } from '../../../../../../server/registry/systems/ticketbai/wire/services.ts'
import { dice } from '../../../../../support/seeded-random.ts'
import { sweptCount } from '../../../../../support/sweep.ts'
import { context, invoice, KEY, NOW, PROVINCES, randomInvoice, sealed } from '../samples.ts'
import type { Province } from '../../../../../../server/registry/systems/ticketbai/index.ts'

const COUNT = sweptCount(500, 60)
const ISSUER = invoice().issuer

/** A service that knows who signs: the certificate of the samples is of another holder, with a power. */
function opened(province: Province) {
  const state = memoryServiceState()
  const service = createProvinceService(province, {
    state,
    now: () => NOW,
    verify: verifyFile,
    identifierOf: fileIdentifier,
    powers: holderNifs(new X509Certificate(KEY.certificate.der)).map((nif) => ({ nif, for: ISSUER.nif })),
    licences: [context(province).software.licence],
  })
  const using = { service: SERVICES[province].test, transport: transportTo(service, [ISSUER.nif]) }
  const client: TicketBaiClient =
    province === 'bizkaia'
      ? createLroeClient({ ...using, taxpayer: { model: '240', ...ISSUER, person: null } })
      : createXmlClient(using)
  return { client, state }
}

test.each(PROVINCES)(
  `${COUNT} random invoices of %s are kept without a remark, in one chain`,
  { timeout: 600_000 },
  async (province) => {
    const { client, state } = opened(province)
    const random = dice(2_026_1130)
    const files: LroeFile[] = []
    let previous: TicketBaiLink | null = null
    for (let number = 1; number <= COUNT; number += 1) {
      const made: ReturnType<typeof sealed> = sealed(randomInvoice(random, number), province, previous)
      previous = linkOfInvoice(made.content, made.signatureValue)
      files.push(sealedFileOf(`record-${number}`, made.xml))
    }
    const outcomes = await sendInTurn(client, files)
    expect(outcomes).toHaveLength(COUNT)
    expect(
      outcomes.flatMap(({ outcome }): unknown[] =>
        outcome.kind === 'accepted' ? outcome.warnings : [outcome],
      ),
    ).toEqual([])
    expect(state.files().map(({ xml }) => xml)).toEqual(
      files.map((file) => Buffer.from(file.xml).toString('utf8')),
    )
  },
)

test.each(PROVINCES)(
  'an invoice of %s is cancelled, and a file that was changed is remarked',
  async (province) => {
    const { client, state } = opened(province)
    const { profile, software } = context(province)
    const { content, xml: text } = sealed(invoice(), province)
    const cancellation = sealCancellation(cancellationContent(content, { software, device: null }), {
      profile,
      key: KEY,
      signedAt: NOW,
    })
    const send = async (xml: string) => (await client.send([sealedFileOf('one', xml)]))[0]?.outcome
    expect(await send(text)).toMatchObject({ kind: 'accepted', warnings: [] })
    expect(await send(cancellation.xml)).toMatchObject({ kind: 'accepted', warnings: [] })
    expect((await send(text))?.kind).toBe('held')
    expect(state.files()).toMatchObject([{ status: 'cancelled' }])
    const other = sealed(invoice({ changes: { number: 'F2026-0002' } }), province)
    const file = sealedFileOf('two', other.xml)
    const changed = { ...file, xml: Buffer.from(other.xml.replace('Ametz', 'Amets'), 'utf8') }
    const outcome = (await client.send([changed]))[0]?.outcome
    expect(
      outcome?.kind === 'accepted' && outcome.warnings.map(({ code }) => code.slice(-3)).includes('008'),
    ).toBe(true)
    expect(() => sealedFileOf('two', other.xml.replace('Ametz', 'Amets'))).toThrow()
  },
)

test.each(['araba', 'gipuzkoa'] as const)('a kept invoice of %s is corrected', async (province) => {
  expect(PROFILES[province].isAmendable).toBe(true)
  const { client, state } = opened(province)
  const { content, xml: text, signatureValue } = sealed(invoice(), province)
  await client.send([sealedFileOf('one', text)])
  const corrected = invoice({ changes: { description: 'Zuzenduta' } })
  const amended = amendedIssue('MODIFICAR', corrected, { invoice: content, signatureValue })
  const [sent] = await client.send([sealedFileOf('two', writeTicketBai(amended))])
  expect(sent?.outcome).toMatchObject({ kind: 'accepted', warnings: [] })
  expect(state.files()).toMatchObject([{ corrections: 1 }])
  expect(state.files()[0]?.xml).toContain('Zuzenduta')
})

test('a damaged file is at fault, and breaks no verifier', () => {
  const die = dice(99)
  const { xml } = sealed(invoice(), 'gipuzkoa')
  const whole = Buffer.from(xml, 'utf8')
  expect(verifyFile(xml)).toMatchObject({ fault: null })
  let faults = 0
  for (let round = 0; round < sweptCount(5_000, 500); round += 1) {
    const bytes = Buffer.from(whole)
    const at = die.below(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << die.below(7))
    const verdict = verifyFile(bytes.toString('utf8'))
    if ('fault' in verdict && verdict.fault !== null) faults += 1
  }
  expect(faults).toBeGreaterThan(sweptCount(5_000, 500) * 0.9)
})
