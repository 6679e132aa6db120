/** The authority's published table of errors against ours. Runs only where SELLO_SHARED names the folder of facts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  faultTreatment,
  isKnownCode,
  isTechnical,
} from '../../server/registry/systems/verifactu/wire/codes.ts'

const shared = process.env['SELLO_SHARED']

test.skipIf(!shared)(
  'every code has a meaning, and those to be sent again as they were are told apart',
  () => {
    const rows = readFileSync(join(shared ?? '', 'registry', 'errors.tsv'), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'))
    expect(rows).toHaveLength(247)
    expect(rows.map(([code = '']) => code).filter((code) => !isKnownCode(code))).toEqual([])
    const same = rows.filter(([, , handling]) => handling === 'retry_same_payload').map(([code = '']) => code)
    expect(same.filter((code) => !isTechnical(code))).toEqual([])
    expect(
      rows.filter(([, , handling]) => handling === 'stop_sending').map(([code = '']) => faultTreatment(code)),
    ).toEqual(['stop'])
  },
)
