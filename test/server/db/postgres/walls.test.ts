/** Companies apart: every operation is called with the identifiers of another company of the same database. */
import { describe, expect, test } from 'vitest'
import { officeOperations } from '../../../../server/api/office.ts'
import { ENGINE } from '../../../support/postgres/databases.ts'
import { TwoCompanies } from '../../../support/stages/two-companies.ts'
import type { Figures } from '../../../support/stages/two-companies.ts'
import { swept, sweptCount } from '../../../support/sweep.ts'

/**
 * Operations without a book, which are not called: they are of the installation. Each is for the person only, who has
 * all its companies. Those of a person and of many companies are limited by memberships instead, which
 * `test/server/app/people/attacks.test.ts` and `test/server/app/office/console.test.ts` show.
 */
const OF_INSTALLATION: readonly string[] = [
  'assistants.check',
  'books.verification',
  'books.verify',
  'company.create',
  'limits.get',
  'registry.declaration',
  'session.get',
  'session.savePreferences',
  'store.check',
]

/**
 * Operations of a company that read for the whole installation: those of its people, whom an office has once for all its
 * companies. They are limited by memberships (`test/server/app/people/attacks.test.ts`).
 */
const UNLIMITED = /^people\./
/** What a server reads by the clock, whatever is called meanwhile: its own settings. */
const BY_THE_CLOCK = 'select "value" from "settings" where "name" = $1'

const isLong = sweptCount(1, 0) === 1

const tell = (walls: string, figures: Figures): void => {
  const { operations, calls, answered, statements, rows, seenBy, leaks } = figures
  console.log(
    `${walls}: ${operations} operations, ${calls} calls (${answered} answered), ${statements} statements, ${rows} rows of the other company seen by ${seenBy.size} of their texts, something of it in the answers of ${leaks.size} operations`,
  )
}

test('operations without a book are for the person only', () => {
  const bookless = officeOperations.filter(({ facts }) => facts.bookless)
  const isOfPerson = (name: string): boolean => /^(?:companies|console|inbox|people)\./.test(name)
  const others = bookless.map(({ facts }) => facts.name).filter((name) => !isOfPerson(name))
  expect(others.toSorted()).toEqual(OF_INSTALLATION)
  expect(bookless.filter(({ facts }) => facts.rest || facts.tool).map(({ facts }) => facts.name)).toEqual([])
})

describe.runIf(ENGINE === 'pg')('two companies in one database', () => {
  test('no operation sees a row of the other, and none without the conditions of its queries either', async () => {
    const called = swept(officeOperations, (_, index) => index % 16 === 0).map(({ facts }) => facts.name)
    const two = await TwoCompanies.open((name) => called.includes(name))
    const both = await two.run({ firstWall: true })
    tell('both walls', both)
    expect([...both.seenBy]).toEqual([])
    expect([...both.leaks]).toEqual([])
    expect([...both.broken]).toEqual([])
    // What is asked for the whole installation is not held by the second wall.
    expect(
      [...both.unlimited].filter(([name, text]) => !UNLIMITED.test(name) && text !== BY_THE_CLOCK),
    ).toEqual([])
    expect(both.answered).toBeGreaterThan(called.length / 4)

    const second = await two.run({ firstWall: false })
    tell('the second wall alone', second)
    expect([...second.seenBy]).toEqual([])
    expect([...second.leaks]).toEqual([])

    // Without it the same calls show that they would have seen something.
    await two.dropPolicies()
    if (isLong) tell('the first wall alone', await two.run({ firstWall: true }))
    const none = await two.run({ firstWall: false })
    tell('no wall', none)
    // Which operations are called changes with their number: some write more than they read.
    expect(none.seenBy.size).toBeGreaterThan(called.length / 2)
    expect(none.leaks.size).toBeGreaterThan(0)
  }, 900_000)
})
