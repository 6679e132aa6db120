/**
 * Commands with a name, for whoever asks for them: the native menu, and anything else that is not a key. A page or the
 * shell says what it carries out; the one that said so last is asked.
 */
import { computed, getCurrentScope, onScopeDispose, shallowReactive } from 'vue'
import type { MenuCommand } from '../preload/contract.ts'

interface Registered {
  command: MenuCommand
  run: () => void
}

const registered = shallowReactive<Registered[]>([])

/** The commands that something answers now. */
export const offeredCommands = computed(() => [...new Set(registered.map(({ command }) => command))])

/** Carries out a command for as long as the component lives; the returned function ends it earlier. */
export function onCommand(command: MenuCommand, run: () => void): () => void {
  const mine: Registered = { command, run }
  registered.push(mine)
  const stop = (): void => {
    const index = registered.indexOf(mine)
    if (index !== -1) registered.splice(index, 1)
  }
  if (getCurrentScope()) onScopeDispose(stop)
  return stop
}

/** False when nothing answers it. */
export function runCommand(command: MenuCommand): boolean {
  const last = registered.findLast((each) => each.command === command)
  last?.run()
  return last !== undefined
}
