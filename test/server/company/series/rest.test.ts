/** Series and rectifying invoices over REST, as other programs use them. */
import { expect, test } from 'vitest'
import { openWorld } from '../../../support/world.ts'

test('series are listed, added and changed', async () => {
  const world = await openWorld()
  const made = await world.post('/api/v1/series', { code: 'WEB{YYYY}', kind: 'ordinary', startNumber: 12 })
  expect([made.status, made.body.data.nextPrintedNumber]).toEqual([201, 'T-WEB2026-0012'])
  const { body } = await world.get('/api/v1/series')
  expect(body.data.items.map(({ code }: { code: string }) => code)).toContain('T-WEB2026')
  const changed = await world.patch(`/api/v1/series/${made.body.data.id}`, {
    startNumber: 20,
    isDefault: true,
  })
  expect(changed.body.data).toMatchObject({ nextNumber: 20, isDefault: true })
  const reader = await world.makeKey({ scopes: ['invoices.read'] })
  const refused = await world.post('/api/v1/series', { code: 'X', kind: 'ordinary' }, { key: reader.key })
  expect([refused.status, refused.body.error.code]).toEqual([403, 'scope_missing'])
})

test('an invoice is rectified by its number', async () => {
  const world = await openWorld()
  const issued = await world.issue((await world.createDraft()).id)
  const options = await world.get(`/api/v1/invoices/${issued.number}/rectify`)
  expect(options.body.data).toMatchObject({ number: issued.number, rectified: 'no' })
  const draft = await world.post(`/api/v1/invoices/${issued.number}/rectify`, {
    cause: 'discount',
    percent: 50,
  })
  expect([draft.status, draft.body.data.kind, draft.body.data.base]).toEqual([201, 'R1', -10])
  const credit = await world.issue(draft.body.data.id as string)
  expect(credit.rectifies).toEqual([expect.objectContaining({ number: issued.number })])
  const whole = await world.post(`/api/v1/invoices/${issued.id}/rectify`, { cause: 'other' })
  await world.issue(whole.body.data.id as string)
  const again = await world.post(`/api/v1/invoices/${issued.id}/rectify`, { cause: 'other' })
  expect([again.status, again.body.error.code]).toEqual([409, 'nothing_left_to_rectify'])
  const unknown = await world.post(`/api/v1/invoices/${issued.id}/rectify`, { cause: 'boredom' })
  expect([unknown.status, unknown.body.error.code]).toEqual([422, 'validation_failed'])
})
