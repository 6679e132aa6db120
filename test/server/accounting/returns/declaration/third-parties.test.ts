/** Quarters of model 347: they add up to the year, whatever others write while the file is made. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { decodeFile } from '../../../../../server/accounting/returns/files/file.ts'
import { workedQuarter } from '../worked.ts'

async function yearEnded() {
  const world = await workedQuarter()
  await world.tamper("update companies set phone = '912345678'")
  await world.run('contacts.create', {
    name: 'Proveedor, S.A.',
    nif: 'A58818501',
    address: {
      street: 'Calle Mayor 1',
      postalCode: '28013',
      city: 'Madrid',
      province: 'Madrid',
      country: 'ES',
    },
  } as never)
  world.setTime('2027-02-12T10:00:00+01:00')
  return { world, file: () => world.run('fiscal.returnFile', { model: '347', year: 2026 } as never) }
}

test('a party whose quarters do not add up to its year is not written', async () => {
  const { world, file } = await yearEnded()
  await expect(file()).resolves.toMatchObject({ fileName: '347-2026-0A.txt' })
  await world.tamper(
    'update party_figures set third_cents = third_cents + 1 where period between 202621 and 202624',
  )
  await expect(file()).rejects.toMatchObject({
    code: 'validation_failed',
    details: { faults: expect.arrayContaining([expect.objectContaining({ code: 'quarters_do_not_close' })]) },
  })
})

test('a purchase written meanwhile is in the quarter and in the year, or in neither', async () => {
  const { world, file } = await yearEnded()
  const listed = async () => {
    const { bytes } = await file()
    const { records } = await decodeFile(bytes)
    return records.filter(({ record }) => record === '2D').map(({ values }) => values)
  }
  const purchases = async () => (await listed()).filter(({ operation }) => operation === 'A')
  const [party] = await purchases()
  expect(party).toBeDefined()
  let cents = Number(party?.amount)
  // The totals as a purchase leaves them, written at each moment at which others have their turn.
  const buy = async () => {
    await world.tamper(
      "update party_figures set third_cents = third_cents + 100 where side = 1 and period in (202600, 202624) and party_id = (select id from figure_parties where nif = 'A58818501' limit 1)",
    )
    cents += 100
  }
  for (let turns = 0; turns < 12; turns += 1) {
    const made = purchases()
    for (let turn = 0; turn < turns; turn += 1) await nextTurn()
    await buy()
    const [found] = await made
    const quarters = [1, 2, 3, 4].map((at) => Number(found?.[`quarter${at}`] ?? 0))
    expect(quarters.reduce((sum, quarter) => sum + quarter, 0)).toBe(found?.amount)
  }
  expect(await purchases()).toMatchObject([{ amount: cents }])
})
