/** What somebody said with a reply page is found, handed over and emptied; that something was said stays. */
import { strFromU8, unzipSync } from 'fflate'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { answerCode } from '../../../support/examples/replies.ts'
import { openWorld } from '../../../support/world.ts'

test('words and names of an answer', async () => {
  const world = await openWorld({ at: '2026-07-01T10:00:00+02:00' })
  const { id } = await world.issue((await world.createDraft()).id)
  const { page } = await world.run('replies.page', { id })
  await world.run('replies.take', { text: answerCode(page, { kind: 'accepted', at: world.env.now() }) })
  const subject = { nif: '12345678Z', name: 'Ana Ruiz Gil' }
  const { findings, hash } = await world.run('privacy.preview', { subject })
  expect(findings.filter(({ area }) => area === 'answers')).toMatchObject([{ fate: 'erase', count: 1 }])
  const zip = unzipSync(await buffer((await world.run('privacy.export', { subject })).stream))
  expect(JSON.parse(strFromU8(zip['datos/answers.json'] ?? new Uint8Array()))).toMatchObject([
    { kind: 'accepted', words: 'Conforme.', said_by: 'Ana Ruiz Gil' },
  ])
  await world.run('privacy.erase', { subject, hash })
  const { items } = await world.run('replies.list', { invoiceId: id })
  expect(items).toMatchObject([{ kind: 'accepted', words: null, saidBy: null, sender: null }])
  const again = await world.run('privacy.preview', { subject })
  expect(again.findings.filter(({ area }) => area === 'answers')).toEqual([])
})
