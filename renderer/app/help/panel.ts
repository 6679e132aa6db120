/** State of the help panel: whether it is open, its topic, and its history. */
import { reactive } from 'vue'
import type { TopicId } from './topics.ts'

const state = reactive({
  open: false,
  /** Null: the list of topics. */
  topic: null as TopicId | null,
  /** The previous topics, the latest at the end. */
  trail: [] as (TopicId | null)[],
})

/** Element that had the focus, to which it returns. */
let opener: HTMLElement | null = null

/** State of the panel, shared by the shell and every link into the help. */
export function useHelpPanel() {
  return state
}

/** Opens the panel on a topic, or on the list. */
export function openHelp(topic: TopicId | null): void {
  if (!state.open) opener = document.activeElement instanceof HTMLElement ? document.activeElement : null
  state.trail = state.open ? [...state.trail, state.topic] : []
  state.topic = topic
  state.open = true
}

/** Goes back to the previous topic; returns true if there was one. */
export function helpBack(): boolean {
  if (state.trail.length === 0) return false
  state.topic = state.trail.at(-1) ?? null
  state.trail = state.trail.slice(0, -1)
  return true
}

/** Closes the panel; the focus returns to its previous element if that still exists. */
export function closeHelp(): void {
  state.open = false
  if (opener?.isConnected) opener.focus()
  opener = null
}
