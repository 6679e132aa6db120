/** Whether the console has a place in the menus: with one company there is nothing to look over. */
import { useSessionStore } from '../../stores/session.ts'

/** Returns the name of its route where the person has a single company: it has no place in the menu then. */
export function hiddenConsole(): string[] {
  const { session } = useSessionStore()
  return (session?.companies ?? []).filter(({ sample }) => !sample).length > 1 ? [] : ['console']
}
