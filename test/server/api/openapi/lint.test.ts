/** The OpenAPI document checked by an independent linter: Redocly's, with its strictest set of rules. */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { loadContracts } from '../../../../server/api/operations.ts'
import { EVENTS } from '../../../../server/platform/events/contract.ts'
import { openApiDocument } from '../../../../server/api/openapi/openapi.ts'
import { swept } from '../../../support/sweep.ts'

/** Disabled: the distributor of Sello chooses the licence, so that the document must not name one. */
const OFF = { 'info-license': 'off' } as const

test('the linter reports nothing', { timeout: 120_000 }, async () => {
  const config = await createConfig({ extends: ['recommended-strict'], rules: OFF })
  // A contract alone is linted like all together.
  const contracts = swept(await loadContracts(), (_, index) => index % 4 === 0)
  const problems = await lintFromString({
    source: JSON.stringify(openApiDocument('9.9.9', contracts, EVENTS)),
    absoluteRef: '/openapi.json',
    config,
  })
  const lines = problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? ''}`,
  )
  expect(lines.slice(0, 40), `${lines.length} findings`).toEqual([])
})
