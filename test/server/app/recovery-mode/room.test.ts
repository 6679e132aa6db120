/** Low disk space: first a warning, then no new documents, then no issuing; existing data stays available. */
import { describe, expect, test, vi } from 'vitest'
import { loadContracts } from '../../../../server/api/operations.ts'
import {
  createDiskSpaceWatch,
  freeBytesAt,
  refuseOnFullDisk,
  diskSpaceLevelOf,
} from '../../../../server/db/disk-space.ts'
import { newFolder } from '../../../support/stages/unopenable-books.ts'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const MB = 1_000_000
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })

function leave(world: World, freeMb: number | null): void {
  vi.spyOn(world.env.store, 'freeBytes').mockReturnValue(freeMb === null ? null : freeMb * MB)
}

test.each([
  [null, null],
  [500 * MB, null],
  [500 * MB - 1, 'told'],
  [100 * MB, 'told'],
  [100 * MB - 1, 'no_new'],
  [50 * MB, 'no_new'],
  [50 * MB - 1, 'no_issue'],
  [0, 'no_issue'],
])('%s bytes free are %s', (free, scarcity) => {
  expect(diskSpaceLevelOf(free)).toBe(scarcity)
})

test('a folder to be created has the disk space of its parent', () => {
  const folder = newFolder()
  const free = freeBytesAt(folder)
  expect(free).toBeGreaterThan(0)
  expect(freeBytesAt(`${folder}/not/yet/there`)).toBeGreaterThan(free! / 2)
})

test('disk space is checked for operations that need it, and for nothing else', async () => {
  const look = vi.fn(() => 0)
  const asked = (await loadContracts()).filter((contract) => {
    look.mockClear()
    try {
      refuseOnFullDisk(contract, look)
    } catch {
      return look.mock.calls.length === 1
    }
    expect(look).not.toHaveBeenCalled()
    return false
  })
  const names = asked.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['invoices.create', 'invoices.issue', 'attachments.upload']))
  expect(names).not.toContain('payments.create')
  expect(asked.every(({ effect }) => effect !== 'read')).toBe(true)
})

describe('over REST', () => {
  test('nothing new is accepted below 100 MB: existing documents are changed, issued and repeated', async () => {
    const world = await openWorld()
    const made = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, withKey('before'))
    const { id } = made.body.data
    leave(world, 99)
    const answer = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, withKey('during'))
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '60'])
    expect(answer.body.error).toMatchObject({
      code: 'disk_low',
      retry: 'after',
      details: { freeMb: 99, neededMb: 100 },
    })
    const again = await world.post('/api/v1/invoices', EXAMPLE_DRAFT, withKey('before'))
    expect(again.headers['idempotency-replayed']).toBe('true')
    await world.run('invoices.update', { id, notes: 'cambiada' })
    const { confirmation } = (await world.post(`/api/v1/invoices/${id}/validate`)).body.data
    const issued = await world.post(`/api/v1/invoices/${id}/issue`, {
      confirmationToken: confirmation.confirmationToken,
    })
    expect(issued.status, issued.raw.body).toBe(200)
    leave(world, 100)
    expect((await world.post('/api/v1/invoices', EXAMPLE_DRAFT, withKey('during'))).status).toBe(201)
  })

  test('nothing is issued below 50 MB: the token is not spent', async () => {
    const world = await openWorld()
    const { id } = await world.createDraft()
    const { confirmationToken } = (await world.post(`/api/v1/invoices/${id}/validate`)).body.data.confirmation
    leave(world, 49)
    const answer = await world.post(`/api/v1/invoices/${id}/issue`, { confirmationToken }, withKey('one'))
    expect([answer.status, answer.body.error.code]).toEqual([503, 'disk_low'])
    expect((await world.get(`/api/v1/invoices/${id}`)).body.data.number).toBeNull()
    leave(world, null)
    const issued = await world.post(`/api/v1/invoices/${id}/issue`, { confirmationToken }, withKey('one'))
    expect(issued.status, issued.raw.body).toBe(200)
  })
})

test('the window is notified', async () => {
  const world = await openWorld()
  expect((await world.run('session.get', {})).store.lowDisk).toBeNull()
  leave(world, 300)
  expect((await world.run('session.get', {})).store.lowDisk).toBe('told')
  leave(world, 70)
  expect((await world.run('session.get', {})).store.lowDisk).toBe('no_new')
  leave(world, 1)
  expect((await world.run('session.get', {})).store.lowDisk).toBe('no_issue')
})

test('the monitor reports changes only', async () => {
  vi.useFakeTimers()
  try {
    let free: number | null = 900 * MB
    const tell = vi.fn()
    const watch = createDiskSpaceWatch(
      () => free,
      tell,
      () => {},
    )
    const afterAMinute = async (): Promise<number> => {
      await vi.advanceTimersByTimeAsync(60_000)
      return tell.mock.calls.length
    }
    watch.wake()
    expect(await afterAMinute()).toBe(0)
    free = 400 * MB
    expect(await afterAMinute()).toBe(1)
    free = 300 * MB
    expect(await afterAMinute()).toBe(1)
    free = 20 * MB
    expect(await afterAMinute()).toBe(2)
    free = 600 * MB
    expect(await afterAMinute()).toBe(3)
    await watch.stop()
  } finally {
    vi.useRealTimers()
  }
})
