/** A clock behind our own last record holds issuing back, and the page learns it before anybody tries. */
import { expect, test } from 'vitest'
import { openWorld } from '../../support/world.ts'

test('a clock set back before the last record asks for a person; set right, it does not', async () => {
  const world = await openWorld({ at: '2026-07-01T10:00:00+02:00' })
  await world.issue((await world.createDraft()).id)
  const asked = async () => {
    const { attention, clock } = await world.run('registry.status', {})
    return { asks: attention.some(({ code }) => code === 'clock_wrong'), seconds: clock?.skewSeconds ?? 0 }
  }
  expect((await asked()).asks).toBe(false)
  world.setTime('2026-07-01T08:00:00+02:00')
  expect(await asked()).toEqual({ asks: true, seconds: -7200 })
  expect((await world.createDraft()).state).toBe('draft')
  world.setTime('2026-07-01T10:01:00+02:00')
  expect((await asked()).asks).toBe(false)
})
