/** Every start-up fault has its texts and a working way out, and promises nothing untrue. */
import { expect, test } from 'vitest'
import es from '../../../../renderer/locales/es/index.ts'
import { shownOf } from '../../../../renderer/app/recovery-mode/messages.ts'
import { START_FAULT_KINDS } from '../../../../server/app/recovery-mode/contract.ts'
import type { StartFault } from '../../../../server/app/recovery-mode/contract.ts'

const trouble = (changes: Partial<StartFault>): StartFault => ({
  kind: 'start_failed',
  code: 'x',
  folder: '/x',
  file: null,
  keep: [],
  other: null,
  versions: null,
  sharedBy: null,
  port: null,
  freeBytes: null,
  canQuit: false,
  ...changes,
})

test.each(START_FAULT_KINDS)('%s', (kind) => {
  expect(Object.keys(es.trouble.kind[kind])).toEqual(['title', 'text', 'safe'])
  const bare = shownOf(trouble({ kind }))
  expect([bare.primary, bare.other]).not.toContain('code')
  expect([bare.primary, bare.other]).not.toContain('other')
  expect([bare.primary, bare.other]).not.toContain('quit')
  expect(bare.primary).not.toBe(bare.other)
  expect(es.trouble.kind[kind].safe.startsWith('Tus datos están bien') && !bare.safe).toBe(false)
})

test('a stored code is offered, first where nothing else helps', () => {
  const ways = (kind: StartFault['kind']) => {
    const { primary, other } = shownOf(trouble({ kind, keep: ['once'] }))
    return [primary, other]
  }
  expect(ways('keychain_locked')).toEqual(['retry', 'code'])
  for (const kind of ['key_elsewhere', 'key_missing', 'key_wrong'] as const)
    expect(ways(kind)).toEqual(['code', 'retry'])
})

test('a running Sello is opened only if its page can be reached', () => {
  const at = (uiUrl: string | null) =>
    shownOf(trouble({ kind: 'store_in_use', other: { pid: 7, uiUrl } })).primary
  expect([at('http://127.0.0.1:1/'), at(null)]).toEqual(['other', 'retry'])
})
