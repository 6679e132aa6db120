/** Numbers of list returns: 13 digits of our own, another one for each return of a year. */
import { expect, test } from 'vitest'
import { decodeFile } from '../../../../../server/accounting/returns/files/file.ts'
import { workedQuarter } from '../worked.ts'

test('a list return is numbered by model, year, quarter and sequence, and what replaces it goes on from there', async () => {
  const world = await workedQuarter()
  await world.tamper("update companies set phone = '912345678'")
  world.setTime('2027-01-12T10:00:00+01:00')
  const numberOf = async (model: '347' | '349', quarter: number | undefined, changes: object = {}) => {
    const { bytes } = await world.run('fiscal.returnFile', {
      model,
      year: 2026,
      quarter,
      ...changes,
    } as never)
    return (await decodeFile(bytes)).records[0]?.values
  }
  const replaces = (previousReceipt: string) => ({ nature: 'substitutive', previousReceipt })
  const numbers = [1, 2, 3, 4].map(async (quarter) => (await numberOf('349', quarter))?.['number'])
  expect(await Promise.all(numbers)).toEqual([
    3_492_026_010_001, 3_492_026_020_001, 3_492_026_030_001, 3_492_026_040_001,
  ])
  expect(await numberOf('349', 4, replaces('3492026040001'))).toMatchObject({
    number: 3_492_026_040_002,
    previousNumber: 3_492_026_040_001,
    substitutive: 'S',
  })
  expect(await numberOf('349', 4, replaces('3492026040002'))).toMatchObject({ number: 3_492_026_040_003 })
  // One that another program numbered.
  expect(await numberOf('349', 4, replaces('3499999999999'))).toMatchObject({ number: 3_492_026_040_002 })
})
