/** Concurrent changes of the app lock: no change undoes another, and replacing a code requires the last one. */
import { expect, test, vi } from 'vitest'
import { openWorld } from '../../../support/world.ts'
import type { Answer, World } from '../../../support/world.ts'

const CODE = 'tres gatos pardos'
// A code is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const ask = (world: World, name: string, input: unknown = {}): Promise<Answer> =>
  world.call(name, input, { book: null })
const codesOf = (answers: Answer[]) => answers.map(({ body }) => body.error?.code ?? 'ok').toSorted()

async function withRecovery(): Promise<World> {
  const world = await openWorld()
  const { data } = (await ask(world, 'recovery.reveal')).body
  await ask(world, 'recovery.confirm', {
    groups: [0, 1].map((index) => ({ index, text: data.groups[index] })),
  })
  return world
}

async function guarded(): Promise<World> {
  const world = await withRecovery()
  expect((await ask(world, 'lock.set', { code: CODE })).body.data).toMatchObject({ set: true })
  return world
}

/** Returns which of the codes unlock now. */
async function opening(world: World, codes: string[]): Promise<string[]> {
  const opened: string[] = []
  for (const code of codes) {
    await ask(world, 'session.lock', { reason: 'person' })
    if ((await ask(world, 'session.unlock', { code })).status === 200) opened.push(code)
  }
  await ask(world, 'session.unlock', { code: codes[0] })
  return opened
}

test('a new code and other options set concurrently are both stored', async () => {
  const world = await guarded()
  const answers = await Promise.all([
    ask(world, 'lock.set', { code: 'cuatro perros', current: CODE }),
    ask(world, 'lock.options', { idleMinutes: 60 }),
    ask(world, 'lock.options', { showName: false }),
  ])
  expect(codesOf(answers)).toEqual(['ok', 'ok', 'ok'])
  expect((await ask(world, 'lock.get')).body.data).toMatchObject({ idleMinutes: 60, showName: false })
  expect(await opening(world, ['cuatro perros', CODE])).toEqual(['cuatro perros'])
})

test('of two concurrent first codes, one becomes the code', async () => {
  const world = await withRecovery()
  const answers = await Promise.all([
    ask(world, 'lock.set', { code: 'cuatro perros' }),
    ask(world, 'lock.set', { code: 'cinco caballos' }),
  ])
  expect(codesOf(answers)).toEqual(['lock_code_wrong', 'ok'])
  const first = answers[0]?.status === 200 ? 'cuatro perros' : 'cinco caballos'
  const second = first === 'cuatro perros' ? 'cinco caballos' : 'cuatro perros'
  expect(await opening(world, [first, second])).toEqual([first])
})

test('a code is replaced once, by a caller who entered it', async () => {
  const world = await guarded()
  const answers = await Promise.all([
    ask(world, 'lock.set', { code: 'cuatro perros', current: CODE }),
    ask(world, 'lock.set', { code: 'cinco caballos', current: CODE }),
  ])
  expect(codesOf(answers)).toEqual(['lock_code_wrong', 'ok'])
})
