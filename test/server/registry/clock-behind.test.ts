/** A clock behind the last record blocks issuing, and the page shows it before anyone tries. */
import { expect, test } from 'vitest'
import { checkBooks } from '../../../server/app/integrity/index.ts'
import { openWorld } from '../../support/world.ts'

test('a clock set back before the last record asks for a person, and a corrected one does not', async () => {
  const world = await openWorld({ at: '2026-07-01T10:00:00+02:00' })
  await world.issue((await world.createDraft()).id)
  const asked = async () => {
    const { attention, clock } = await world.run('registry.status', {})
    return {
      asks: attention.some(({ code }) => code === 'clock_was_ahead'),
      seconds: clock?.skewSeconds ?? 0,
    }
  }
  expect((await asked()).asks).toBe(false)
  world.setTime('2026-07-01T08:00:00+02:00')
  expect(await asked()).toEqual({ asks: true, seconds: -7200 })
  expect((await world.createDraft()).state).toBe('draft')
  world.setTime('2026-07-01T10:01:00+02:00')
  expect((await asked()).asks).toBe(false)
})

test('a clock that was once far ahead leaves a way out, and every refusal names it', async () => {
  const world = await openWorld({ at: '2031-03-01T10:00:00+01:00' })
  await world.issue((await world.createDraft()).id)
  // Corrected: the last record is dated years ahead.
  world.setTime('2026-07-01T10:00:00+02:00')
  const { id } = await world.createDraft()
  const refused = await world.post(`/api/v1/invoices/${id}/validate`, {})
  const issue = (refused.body.data.issues as { code: string; message: string; fix: string }[]).find(
    ({ code }) => code === 'clock_wrong',
  )
  expect(issue?.message).toContain('2031-03-01T09:00')
  expect(issue?.fix).toMatch(/new installation on the registry page/)
  const { attention } = await world.run('registry.status', {})
  expect(attention.find(({ code }) => code === 'clock_was_ahead')).toMatchObject({
    action: 'installation',
    fix: expect.stringContaining('begins a new installation'),
    params: { madeAt: expect.stringMatching(/^2031-03-01/) },
  })
  // The stated remedy works.
  await world.run('registry.newInstallation', { reason: 'clock' })
  expect((await world.issue(id)).number).toBe('T-F2026-0001')
  const { checks } = await checkBooks(world.env, (book) => world.ctx({ book }))
  expect(checks.filter(({ ok }) => !ok)).toEqual([])
})
