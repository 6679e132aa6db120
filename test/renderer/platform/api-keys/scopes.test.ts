/** The dialog offers exactly the server's scopes. */
import { expect, test } from 'vitest'
import { ALL_SCOPES, PRESETS, presetOf } from '../../../../renderer/platform/api-keys/scopes.ts'
import { SCOPES } from '../../../../server/domain/contract/scopes.ts'

test('every scope can be chosen, each once, read-only ones first', () => {
  expect(ALL_SCOPES.toSorted()).toEqual(SCOPES.toSorted())
  const changes = ALL_SCOPES.map((scope) => !scope.endsWith('.read'))
  expect(changes).toEqual(changes.toSorted())
})

test('a key is described by its preset, and by its further scopes', () => {
  for (const word of ['read', 'write', 'issue'] as const)
    expect(presetOf(PRESETS[word])).toEqual({ word, more: 0 })
  expect(presetOf(['webhooks.read', 'webhooks.write'])).toEqual({ word: 'read', more: 2 })
  expect(presetOf(ALL_SCOPES)).toEqual({ word: 'issue', more: 6 })
})
