/**
 * Our table of rules against the authority's list of errors: no code of records is forgotten, none is made up. Runs only
 * where SELLO_SHARED names the folder of facts.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { COVERAGE } from '../server/registry/rule-cases.ts'

const shared = process.env['SELLO_SHARED'] ?? ''

describe.skipIf(shared === '')('published errors of the registry', () => {
  test('every code of records has a case or a reason', () => {
    const [, ...rows] = readFileSync(join(shared, 'registry/errors.tsv'), 'utf8').trim().split('\n')
    const codes = rows
      .map((row) => row.split('\t'))
      .filter(([, effect]) => effect === 'reject_record' || effect === 'accepted_with_errors')
      .map(([code = '']) => code)
    expect(codes.length).toBeGreaterThan(200)
    expect(Object.keys(COVERAGE).sort()).toEqual(codes.sort())
  })
})
