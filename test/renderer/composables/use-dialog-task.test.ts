/** Action of a dialog after its confirmation: one at a time, and an error stays until the next one. */
import { expect, test } from 'vitest'
import { useDialogTask } from '../../../renderer/composables/use-dialog-task.ts'

test('a second confirmation during the first does nothing', async () => {
  const { busy, run } = useDialogTask()
  const { promise, resolve } = Promise.withResolvers<void>()
  let times = 0
  const first = run(async () => {
    times++
    await promise
  })
  expect(busy.value).toBe(true)
  await run(async () => void times++)
  resolve()
  await first
  expect(times).toBe(1)
  expect(busy.value).toBe(false)
  await run(async () => void times++)
  expect(times).toBe(2)
})

test('an error is kept for display, and removed by the next attempt', async () => {
  const { busy, refusal, run } = useDialogTask()
  await run(() => Promise.reject(new Error('The connection broke.')))
  expect(busy.value).toBe(false)
  expect(refusal.value?.code).toBe('internal')
  await run(() => Promise.resolve())
  expect(refusal.value).toBeNull()
})

test('a form is loaded once its data has come, and not after a failed read', async () => {
  const { loaded, refusal, run, load } = useDialogTask()
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = load(() => promise)
  expect(loaded.value).toBe(false)
  resolve()
  await first
  expect(loaded.value).toBe(true)
  await run(() => Promise.reject(new Error('The connection broke.')))
  expect(loaded.value).toBe(true)

  const failed = useDialogTask()
  await failed.load(() => Promise.reject(new Error('The connection broke.')))
  expect(failed.loaded.value).toBe(false)
  expect(failed.refusal.value?.code).toBe('internal')
  expect(refusal.value?.code).toBe('internal')
})
