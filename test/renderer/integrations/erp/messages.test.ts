/** Derived values of the accounting pages: names, sums, the rest of the month, and undo of taken fields. */
import { expect, test } from 'vitest'
import {
  connectionName,
  fieldsBefore,
  inChunks,
  offeredCompanies,
  permissionList,
  quotaParts,
  refusedPermissions,
  runPercent,
  runSums,
  shownConnection,
  systemsOf,
} from '../../../../renderer/integrations/erp/messages.ts'
import type { Integration, Run } from '../../../../renderer/integrations/erp/messages.ts'

const integration = (changes: Partial<Integration>): Integration =>
  ({
    provider: 'holded',
    label: 'Holded',
    state: 'disconnected',
    connectionId: null,
    ownLabel: null,
    erpAccountName: null,
    erpAccountHint: null,
    ...changes,
  }) as Integration

const resource = (changes: Partial<Run['resources'][number]>): Run['resources'][number] =>
  ({ fetched: 0, created: 0, updated: 0, unchanged: 0, missing: 0, rejected: 0, ...changes }) as never

test('a connection is named by its owner, else by its account, else by its masked key', () => {
  expect(connectionName(integration({ ownLabel: 'La tienda', erpAccountName: 'Obrador SL' }))).toBe(
    'La tienda',
  )
  expect(connectionName(integration({ erpAccountName: 'Obrador SL' }))).toBe('Obrador SL')
  expect(connectionName(integration({ erpAccountHint: 'pat_…9f3a' }))).toBe('pat_…9f3a')
  expect(connectionName(integration({}))).toBe('Holded')
})

test('lists show the connection of their address, else the open one, else the previous one', () => {
  const open = integration({ state: 'connected', connectionId: 'erp_open' })
  const before = integration({ connectionId: 'erp_before' })
  const never = integration({ provider: 'odoo', label: 'Odoo' })
  expect(shownConnection([never, before, open], 'erp_before')).toBe(before)
  expect(shownConnection([never, before, open], '')).toBe(open)
  expect(shownConnection([never, before], 'erp_gone')).toBe(before)
  expect(shownConnection([never], '')).toBeNull()
})

test('each system is offered once, however many connections it has had', () => {
  const odoo = integration({ provider: 'odoo', label: 'Odoo' })
  expect(systemsOf([odoo, integration({ connectionId: 'a' }), integration({ connectionId: 'b' })])).toEqual([
    { id: 'holded', label: 'Holded' },
    { id: 'odoo', label: 'Odoo' },
  ])
})

test('a reading is summed over its lists', () => {
  const resources = [resource({ fetched: 3, created: 2, rejected: 1 }), resource({ fetched: 4, updated: 4 })]
  expect(runSums({ resources })).toEqual({
    fetched: 7,
    created: 2,
    updated: 4,
    unchanged: 0,
    missing: 0,
    rejected: 1,
  })
})

test('a reading that takes more calls than estimated shows no progress', () => {
  expect(runPercent({ state: 'running', calls: 2, estimate: 8 })).toBe(25)
  expect(runPercent({ state: 'running', calls: 8, estimate: 8 })).toBeNull()
  expect(runPercent({ state: 'running', calls: 0, estimate: 0 })).toBeNull()
  expect(runPercent({ state: 'completed', calls: 1, estimate: 8 })).toBe(100)
})

test('the rest of the month excludes the reserve, and the bar never overflows', () => {
  const quota = {
    month: '2026-11',
    used: 30,
    budget: 500,
    reserve: 100,
    limit: null,
    source: 'local',
  } as const
  expect(quotaParts(quota)).toEqual({ usedPct: 6, reservePct: 20, left: 370, budget: 500 })
  expect(quotaParts({ ...quota, used: 480 })).toEqual({ usedPct: 96, reservePct: 4, left: 0, budget: 500 })
  expect(quotaParts({ ...quota, used: 900 })).toMatchObject({ usedPct: 100, reservePct: 0, left: 0 })
  expect(quotaParts({ ...quota, budget: null })).toBeNull()
})

test('an error lists its permissions and its companies, and an unknown one none', () => {
  expect(refusedPermissions({ permissions: { granted: ['a'], missing: ['b', 7] } })).toEqual({
    granted: ['a'],
    missing: ['b'],
  })
  expect(refusedPermissions({})).toEqual({ granted: [], missing: [] })
  expect(offeredCompanies({ accounts: [{ id: 3, name: 'Uno' }, { name: 'sin id' }] })).toEqual([
    { id: '3', name: 'Uno', taxId: null },
  ])
  expect(offeredCompanies({ accounts: 'no' })).toEqual([])
  expect(permissionList('account.move:read')).toBe('invoices')
  expect(permissionList('something:new')).toBeNull()
})

test('undo of a contact restores the fields that were taken, including empty ones', () => {
  const contact = {
    name: 'Ana',
    email: null,
    phone: '600',
    nif: null,
    tradeName: null,
    iban: null,
    address: null,
  }
  expect(fieldsBefore(contact as never, ['email', 'name'])).toEqual({ email: null, name: 'Ana' })
})

test('many links are made in batches of one call', () => {
  expect(inChunks([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(inChunks([], 200)).toEqual([])
})
