/**
 * Worked cases: an invoice in; totals, registry record, legal mention, ledger entry and boxes out, as files that a
 * tax adviser can read. `SELLO_UPDATE_GOLDEN=1` writes them again; review every change before committing it.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { WORKED_CASES } from './cases.ts'
import { play } from './play.ts'
import { swept } from '../../support/sweep.ts'

const FOLDER = join(import.meta.dirname, '../../golden/worked')

/** Cases that differ from another one in a rate, a place or a discount. */
const VARIANTS = /^(02|06|07|10|11|13|15|18|19|21|24|25|28|30|34|35|40|43|44|47|48|50|52|55|59|61)-/
const CASES = swept(WORKED_CASES, ({ name }) => !VARIANTS.test(name))

describe('worked cases', () => {
  test.each(CASES.map((worked) => [worked.name, worked] as const))('%s', async (name, worked) => {
    const file = join(FOLDER, `${name}.md`)
    const report = await play(worked)
    if (process.env.SELLO_UPDATE_GOLDEN === '1') writeFileSync(file, report)
    expect(existsSync(file), `${name}.md is there`).toBe(true)
    expect(report).toBe(readFileSync(file, 'utf8'))
  })

  test('number at least sixty, each with its file and no file without its case', () => {
    expect(WORKED_CASES.length).toBeGreaterThanOrEqual(60)
    expect(readdirSync(FOLDER).toSorted()).toEqual(WORKED_CASES.map(({ name }) => `${name}.md`).toSorted())
  })
})
