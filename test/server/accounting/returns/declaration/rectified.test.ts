/** A VAT return that is rectified again and again at the simulated agency, which checks each file by rules of its own. */
import { expect, test } from 'vitest'
import { decodeFile } from '../../../../../server/accounting/returns/files/file.ts'
import { openBooks } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { stateSchemes } from '../../../../support/schemes.ts'
import { line, purchase } from '../worked.ts'
import { IBAN } from './samples.ts'

const Q3 = { model: '303', year: 2026, quarter: 3 } as const

/** Files the return as it is now, and returns what its file says. */
async function file(world: TestBooks, changes: object = {}) {
  const preview = await world.run('fiscal.prepareFiling', { ...Q3, ...changes })
  const errors = preview.faults.filter(({ severity }) => severity === 'error')
  expect(errors).toEqual([])
  const confirmationToken = preview.confirmationToken ?? ''
  const sending = await world.run('fiscal.fileReturn', { ...Q3, confirmationToken })
  expect(sending).toMatchObject({ state: 'accepted', errors: [] })
  const { records } = await decodeFile((await world.run('fiscal.filedFile', { id: sending.id })).bytes)
  const page = (name: string) => records.find(({ record }) => record === name)?.values
  const last = page('03000') ?? {}
  return {
    receipt: sending.receipt ?? '',
    kind: sending.kind,
    kinds: preview.kinds,
    result: sending.result,
    boxes: ['69', '70', '109', '71', '111'].map((box) => Number(last[box] ?? 0) / 100),
    account: page('DID00'),
    warnings: preview.faults.map(({ code }) => code),
  }
}

test('what was paid before is taken off, and what was paid in excess goes back to an account', async () => {
  const world = await openBooks({ at: '2026-09-10T10:00:00+02:00' })
  await stateSchemes(world, 2026)
  const dates = { issueDate: '2026-09-10', receptionDate: '2026-09-10' }
  const buy = (supplierNumber: string, base: number) =>
    world.run('received.create', purchase({ ...dates, supplierNumber, taxLines: [{ base, vatRate: 21 }] }))
  await world.invoice({ issueDate: '2026-09-10', lines: [line(1_000)] })
  world.setTime('2026-10-06T10:00:00+02:00')

  const first = await file(world, { kind: 'G' })
  expect(first).toMatchObject({ kind: 'G', result: 210, boxes: [210, 0, 0, 210, 0], account: undefined })

  // Less is due: the rest of what was paid comes back, which needs an account although nothing is settled.
  await buy('P-1', 500)
  const second = { nature: 'rectifying', previousReceipt: first.receipt }
  const without = await world.run('fiscal.prepareFiling', { ...Q3, ...second } as never)
  expect(without.faults).toContainEqual(expect.objectContaining({ code: 'iban_missing', field: 'iban' }))
  expect(without.confirmationToken).toBeNull()
  const lowered = await file(world, { ...second, iban: IBAN })
  expect(lowered).toMatchObject({
    kind: 'N',
    kinds: ['N'],
    result: -105,
    boxes: [105, 210, 0, -105, 105],
    account: { iban: IBAN, sepa: 1 },
  })

  // Less than nothing is due: what is left of the payment comes back, and the rest is carried forward.
  await buy('P-2', 700)
  const below = await file(world, { nature: 'rectifying', previousReceipt: lowered.receipt, iban: IBAN })
  expect(below).toMatchObject({
    kind: 'C',
    kinds: ['C'],
    result: -147,
    boxes: [-42, 210, 105, -147, 105],
    account: { iban: IBAN, sepa: 1 },
    warnings: expect.arrayContaining(['refund_assumed']),
  })

  // More is due again: all that was paid has come back.
  world.setTime('2026-09-20T10:00:00+02:00')
  await world.invoice({ issueDate: '2026-09-20', lines: [line(300)] })
  world.setTime('2026-10-07T10:00:00+02:00')
  const raised = await file(world, { nature: 'rectifying', previousReceipt: below.receipt, kind: 'G' })
  expect(raised).toMatchObject({
    kind: 'G',
    result: 21,
    boxes: [21, 210, 210, 21, 0],
    account: undefined,
  })
  // The money that went to and fro is what is due in the end.
  expect(210 - 105 - 105 + 21).toBe(21)
  expect((await world.run('fiscal.filings', { year: 2026 })).items.map(({ nature }) => nature)).toEqual([
    'rectifying',
    'rectifying',
    'rectifying',
    'first',
  ])
})
