/** The dialog offers exactly the server's scopes. */
import { expect, test } from 'vitest'
import { ALL_SCOPES, PRESETS, reachOf } from '../../../../renderer/platform/api-keys/scopes.ts'
import { SCOPES } from '../../../../server/domain/contract/scopes.ts'

test('every permission can be chosen, each once, what reads before what changes', () => {
  expect(ALL_SCOPES.toSorted()).toEqual(SCOPES.toSorted())
  const changes = ALL_SCOPES.map((scope) => !scope.endsWith('.read'))
  expect(changes).toEqual(changes.toSorted())
})

test('each choice can what the one before it can', () => {
  expect(PRESETS.write).toEqual(expect.arrayContaining([...PRESETS.read]))
  expect(PRESETS.issue).toEqual(expect.arrayContaining([...PRESETS.write]))
})

test('a key is told by the choice it was made from, and by what it may beyond that', () => {
  for (const word of ['read', 'write', 'issue'] as const)
    expect(reachOf(PRESETS[word])).toEqual({ word, more: 0 })
  expect(reachOf(['webhooks.read', 'webhooks.write'])).toEqual({ word: 'read', more: 2 })
  expect(reachOf(ALL_SCOPES)).toEqual({ word: 'issue', more: 6 })
})
