/**
 * Named commands for callers other than keys, such as the native menu. A page or the shell registers its handlers;
 * the one registered last runs.
 */
import { computed, getCurrentScope, onScopeDispose, shallowReactive } from 'vue'
import type { MenuCommand } from '../preload/contract.ts'

interface Registered {
  command: MenuCommand
  run: () => void
}

const registered = shallowReactive<Registered[]>([])

/** Commands that have a handler now. */
export const offeredCommands = computed(() => [...new Set(registered.map(({ command }) => command))])

/** Handles a command while the component is mounted; the returned function ends it earlier. */
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

/** Runs a command; returns false if it has no handler. */
export function runCommand(command: MenuCommand): boolean {
  const last = registered.findLast((each) => each.command === command)
  last?.run()
  return last !== undefined
}
