/** A live book over mutual TLS: a sandbox that signs with the company's certificate and sends to a server on this computer. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { sendBook } from '../../../../../../server/registry/index.ts'
import { verifyTicketBai } from '../../../../../../server/registry/systems/ticketbai/index.ts'
import { startServiceServer } from '../../../../../../server/registry/systems/ticketbai/simulator/server.ts'
import {
  fileIdentifier,
  verifyFile,
} from '../../../../../../server/registry/systems/ticketbai/simulator/verifier.ts'
import { setRegistryStatus } from '../../../../../../server/sales/invoices/index.ts'
import { openBooks } from '../../../../../support/books.ts'
import { makeP12 } from '../../../../../support/files/certificates.ts'
import type { CertificateWish } from '../../../../../support/files/certificates.ts'
import { basqueCompany, PLACES } from '../../../../../support/ticketbai/product.ts'
import type { Place } from '../../../../../support/ticketbai/product.ts'

const AT = '2026-11-30T10:00:00Z'
const PASSWORD = 'contraseña ñ€'

async function opened({ province, postalCode }: Place, wish: Partial<CertificateWish> = {}) {
  let now = new Date(AT)
  const server = await startServiceServer({
    province,
    now: () => now,
    verify: verifyFile,
    identifierOf: fileIdentifier,
  })
  onTestFinished(() => server.close())
  const world = await openBooks({
    company: basqueCompany(postalCode),
    at: AT,
    environment: { sandbox: true, mockEndpoint: { url: server.url, caPem: server.caPem } },
  })
  const { p12 } = makeP12({ kind: 'seal', keyType: 'rsa', ...wish })
  await world.run('certificates.import', { file: p12.toString('base64'), password: PASSWORD }, world.live)
  const later = (minutes: number): void => {
    now = new Date(now.getTime() + minutes * 60_000)
    world.setTime(now.toISOString())
  }
  const send = () => sendBook(world.env, world.books.live, setRegistryStatus)
  return { world, server, later, send }
}

describe.each(PLACES)('a live book of $province', (place) => {
  test('signs with the certificate of the company, and an answer that was lost is found again', async () => {
    const { world, server, later, send } = await opened(place)
    const first = await world.invoice({}, world.live)
    server.control.next({ kind: 'drop_reply' })
    await send()
    expect((await world.run('invoices.get', { id: first.id }, world.live)).registry.status).toBe('unknown')
    const second = await world.invoice({}, world.live)
    later(10)
    await send()
    const held = server.state.files()
    expect(held.map(({ remarks }) => remarks)).toEqual([[], []])
    expect(held.map(({ key }) => key.number)).toEqual(['0001', '0002'])
    for (const { xml } of held) expect(verifyTicketBai(xml).certificate.subject).toContain('VATES-B12345674')
    for (const { id } of [first, second])
      expect((await world.run('invoices.get', { id }, world.live)).registry.status).toBe('accepted')
    const { confirmation } = await world.run(
      'invoices.validate',
      { id: first.id, action: 'cancel' },
      world.live,
    )
    await world.run(
      'invoices.cancel',
      { id: first.id, confirmationToken: confirmation!.confirmationToken },
      world.live,
    )
    later(10)
    await send()
    expect(server.state.files().map(({ status }) => status)).toEqual(['cancelled', 'active'])
  })
})

test('a certificate on an elliptic curve signs nothing, and the draft stays', async () => {
  const { world } = await opened(PLACES[0]!, { keyType: 'ec' })
  const { id } = await world.draft({}, world.live)
  const { confirmation, issues } = await world.run('invoices.validate', { id }, world.live)
  expect(confirmation).toBeUndefined()
  expect(issues.map(({ code }) => code)).toContain('certificate_not_rsa')
  expect((await world.run('invoices.get', { id }, world.live)).state).toBe('draft')
})
