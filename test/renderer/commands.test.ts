/** Named commands: the handler registered last runs, and none after its removal. */
import { effectScope } from 'vue'
import { expect, test, vi } from 'vitest'
import { offeredCommands, onCommand, runCommand } from '../../renderer/commands.ts'

test('the last handler of a command runs; after its removal, the one before', () => {
  const [shell, page] = [vi.fn(), vi.fn()]
  const stop = onCommand('print', shell)
  const scope = effectScope()
  scope.run(() => onCommand('print', page))
  expect(offeredCommands.value).toEqual(['print'])
  expect(runCommand('print')).toBe(true)
  scope.stop()
  runCommand('print')
  stop()
  expect(runCommand('print')).toBe(false)
  expect([shell.mock.calls.length, page.mock.calls.length]).toEqual([1, 1])
  expect(offeredCommands.value).toEqual([])
})
