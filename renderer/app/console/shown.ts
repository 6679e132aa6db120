/** Whether the console has a place in the menus: with one company there is nothing to look over. */
import { useSessionStore } from '../../stores/session.ts'

/** Name of its route. */
export const CONSOLE = 'console'

/** Returns true if the person has several companies. */
export function hasConsole(): boolean {
  const { session } = useSessionStore()
  return (session?.companies ?? []).filter(({ sample }) => !sample).length > 1
}
