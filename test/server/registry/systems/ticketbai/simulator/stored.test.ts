/** The simulated service of a test book: what it holds is in the store, with chains, pages and received invoices. */
import { expect, test } from 'vitest'
import { createLroeClient, createXmlClient } from '../../../../../support/ticketbai/client.ts'
import type { LroeFile } from '../../../../../../server/registry/systems/ticketbai/lroe/message.ts'
import {
  simulatedTransport,
  storedServiceState,
} from '../../../../../../server/registry/systems/ticketbai/simulator/stored.ts'
import { SERVICES } from '../../../../../../server/registry/systems/ticketbai/wire/services.ts'
import { openBooks } from '../../../../../support/books.ts'
import {
  cancellationFile,
  COMPANY,
  invoiceFile,
  signerOf,
  verifyTestFile,
} from '../../../../../support/ticketbai/files.ts'
import { receivedInvoice } from '../../../../../support/ticketbai/received.ts'

const AT = '2026-11-30T12:00:00+01:00'

async function opened(pageSize = 3) {
  const world = await openBooks()
  world.setTime(AT)
  const options = { verify: verifyTestFile, callers: [COMPANY.nif], pageSize }
  // Everything is made anew for each message: nothing lives outside the store.
  const lroe = () =>
    createLroeClient({
      service: SERVICES.bizkaia.production,
      transport: simulatedTransport(world.test, 'bizkaia', options),
      taxpayer: { model: '240', nif: COMPANY.nif, name: COMPANY.name, person: null },
    })
  const xml = () =>
    createXmlClient({
      service: SERVICES.gipuzkoa.production,
      transport: simulatedTransport(world.test, 'gipuzkoa', options),
    })
  return { world, lroe, xml, signer: await signerOf(COMPANY) }
}

test('a chain goes on over restarts, and duplicates are known', async () => {
  const { xml, signer, world } = await opened()
  const files: LroeFile[] = []
  for (let number = 1; number <= 4; number += 1)
    files.push(invoiceFile(signer, { number: String(number), previous: files.at(-1) ?? null }))
  for (const file of files)
    expect((await xml().send([file]))[0]?.outcome).toMatchObject({ kind: 'accepted', warnings: [] })
  expect((await xml().send([files[1]!]))[0]?.outcome.kind).toBe('held')
  expect((await xml().send([cancellationFile(signer, files[0]!)]))[0]?.outcome.kind).toBe('accepted')
  // The cancellation of an early file does not move the end of the chain.
  const next = invoiceFile(signer, { number: '5', previous: files[3]! })
  expect((await xml().send([next]))[0]?.outcome).toMatchObject({ kind: 'accepted', warnings: [] })
  expect(await storedServiceState(world.test).lastSequence()).toBe(5)
})

test('the book of Bizkaia is queried in pages, by key and by year', async () => {
  const { lroe, signer } = await opened()
  const files: LroeFile[] = []
  for (let number = 1; number <= 8; number += 1)
    files.push(invoiceFile(signer, { number: String(number), previous: files.at(-1) ?? null }))
  const old = invoiceFile(signer, { number: '9', issueDate: '31-12-2025', previous: files.at(-1) ?? null })
  await lroe().send(files)
  await lroe().send([old])
  await lroe().send([cancellationFile(signer, files[2]!)])
  const found = await lroe().find({ from: '01-01-2026', to: '31-12-2026' })
  expect(found.kind === 'found' && found.records.map(({ key, state }) => `${key.number} ${state}`)).toEqual(
    files.map(({ key }) => `${key.number} ${key.number === '3' ? 'cancelled' : 'correct'}`),
  )
  expect(await lroe().find({ key: old.key })).toMatchObject({ records: [{ signature: old.signature }] })
})

test('received invoices are kept beside the issued ones', async () => {
  const { lroe } = await opened()
  const invoices = [receivedInvoice('240'), receivedInvoice('240', { foreign: true })]
  const kinds = async (operation: 'A00' | 'M00') =>
    (await lroe().sendReceived(operation, '2026', invoices)).map(({ outcome }) => outcome.kind)
  expect(await kinds('A00')).toEqual(['accepted', 'accepted'])
  expect(await kinds('A00')).toEqual(['held', 'held'])
  expect(await kinds('M00')).toEqual(['accepted', 'accepted'])
  expect(await lroe().find({ from: '01-01-2026', to: '31-12-2026' })).toEqual({ kind: 'found', records: [] })
})
