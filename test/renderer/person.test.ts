/** What somebody may do in an office decides what the window has; on a desk it has all. */
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hasDestination, hasSection } from '../../renderer/app/settings/sections.ts'
import type * as PersonModule from '../../renderer/stores/person.ts'

const ME = { id: 'per_1', name: 'Ana', email: 'ana@example.com', administers: false, roles: ['sales'] }

beforeEach(() => {
  setActivePinia(createPinia())
  vi.stubGlobal('localStorage', { getItem: () => null })
})
afterEach(() => vi.unstubAllGlobals())

/** Returns the module as a window has it that has just begun. */
async function fresh(): Promise<typeof PersonModule> {
  vi.resetModules()
  return import('../../renderer/stores/person.ts')
}

test('on a desk everything is allowed', async () => {
  const { may, inOffice } = await fresh()
  expect([may('bank.read'), inOffice()]).toEqual([true, false])
  expect(['', 'backups', 'security', 'privacy'].every(hasSection)).toBe(true)
  expect(['team', 'account'].some(hasSection)).toBe(false)
  expect(hasDestination('/settings/security#backups')).toBe(true)
})

test('in an office nothing is allowed before it is known who is there, and then what the company allows', async () => {
  const { may, inOffice, usePersonStore } = await fresh()
  const asked: (string | undefined)[] = []
  vi.stubGlobal('fetch', async (_path: string, { headers }: { headers: Record<string, string> }) => {
    asked.push(headers['sello-book'])
    const capabilities = headers['sello-book'] === 'bok_1' ? ['own', 'sales.read'] : ['own', 'bank.read']
    return Response.json({ ok: true, data: { ...ME, capabilities, operations: [], recoveries: [] } })
  })
  const person = usePersonStore()
  person.beginOffice()
  expect([inOffice(), may('own'), may('sales.read')]).toEqual([true, false, false])
  await person.enter('bok_1')
  expect([may('sales.read'), may('bank.read')]).toEqual([true, false])
  await person.enter('bok_1')
  await person.enter('bok_2')
  expect([may('sales.read'), may('bank.read')]).toEqual([false, true])
  expect(asked).toEqual(['bok_1', 'bok_2'])
  await person.enter(null)
  expect([may('own'), may('bank.read'), person.me]).toEqual([true, false, null])
})
