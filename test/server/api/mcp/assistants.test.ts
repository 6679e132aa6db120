/** Conversations of well-behaved and hostile assistants, each with the resulting state of the books. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONVERSATIONS } from '../../../../bench/assistants/conversations/index.ts'
import { Stage } from '../../../../bench/assistants/player.ts'
import { swept } from '../../../support/sweep.ts'

let stage: Stage
beforeAll(async () => {
  stage = await Stage.open()
})
afterAll(() => stage.close())

const NAMES = CONVERSATIONS.map(({ name }) => name)

/** Hundreds of the same call; `proposals without end` stands for them. */
const REPEATED = ['the same question five hundred times', 'the same draft two hundred times with one key']
const PLAYED = swept(
  CONVERSATIONS.map((conversation, at) => [conversation.name, conversation, at] as const),
  ([name]) => !REPEATED.includes(name),
)

test.each(PLAYED)('%s', async (_, conversation, at) => {
  const played = await stage.play(conversation, at % 2 === 0 ? '2025' : '2026')
  expect(played.calls).toBeGreaterThan(0)
})

test('the number of conversations is sufficient, and the integrity check of their books passes', async () => {
  expect(new Set(NAMES).size).toBe(NAMES.length)
  expect(NAMES.length).toBeGreaterThanOrEqual(40)
  expect(NAMES).toEqual(expect.arrayContaining(REPEATED))
  await stage.prove('test')
  await stage.prove('live')
})
