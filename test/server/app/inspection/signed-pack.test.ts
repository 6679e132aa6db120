/** A pack of a book with signed files: the page follows its links and finds what was changed. */
import { expect, test } from 'vitest'
import { check } from '../../../../renderer/verifier/check.ts'
import type { Message, Verdict } from '../../../../renderer/verifier/model.ts'
import { bytesOf, edit, resealed, unpacked } from '../../../support/files/packs.ts'
import type { PackFiles } from '../../../support/files/packs.ts'
import { basqueCompany } from '../../../support/ticketbai/product.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

async function issue(world: World, unitPrice: number): Promise<string> {
  const { id } = await world.run('invoices.create', {
    clientName: 'Cliente Primero, S.L.',
    clientNif: 'B87654323',
    lines: [{ description: 'Ordua & "lana"', quantity: 1, unitPrice }],
  })
  const { confirmation } = await world.run('invoices.validate', { id })
  await world.run('invoices.issue', { id, confirmationToken: confirmation!.confirmationToken })
  return id
}

/** Returns the verdicts of the page about records. */
async function verdictsOf(files: PackFiles): Promise<Verdict[]> {
  const told: Message[] = []
  const folder = Object.entries(files).map(([path, bytes]) => ({
    path: `pack/${path}`,
    file: new Blob([new Uint8Array(bytes)]),
  }))
  await check({ folder }, (message) => told.push(message))
  return told.flatMap((message) =>
    message.kind === 'verdict' && ['hashes', 'links', 'chain', 'numbers'].includes(message.verdict.check)
      ? [message.verdict]
      : [],
  )
}

test('is whole as it was made, and a changed file is found', async () => {
  const world = await openWorld({ at: '2026-11-30T10:00:00+01:00', company: basqueCompany('20001') })
  for (const price of [100, 12.34, 7]) await issue(world, price)
  const { stream } = await world.run('books.inspectorPack', {})
  const files = unpacked(await bytesOf(stream))
  const whole = await verdictsOf(files)
  expect(whole.map(({ check: name, state, faults }) => [name, state, faults])).toEqual([
    ['hashes', 'ok', []],
    ['links', 'ok', []],
    ['chain', 'ok', []],
    ['numbers', 'ok', []],
  ])
  const path = Object.keys(files).find((name) => name.endsWith('records-0000002.xml')) ?? ''
  const changed = await verdictsOf(resealed(edit(files, path, (text) => text.replace('12.34', '12.35'))))
  expect(changed.flatMap(({ faults }) => faults.map(({ code }) => code))).toEqual([
    'not_in_chain',
    'record_missing',
  ])
})
