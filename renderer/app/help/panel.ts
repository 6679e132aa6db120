/** The help beside the page: whether it is open, on which topic, and how one got there. */
import { reactive } from 'vue'
import type { TopicId } from './topics.ts'

const state = reactive({
  open: false,
  /** Null: the list of topics. */
  topic: null as TopicId | null,
  /** The topics before this one, last at the end. */
  trail: [] as (TopicId | null)[],
})

/** Where the focus was, to give it back. */
let opener: HTMLElement | null = null

/** The panel's state, shared by the shell and whatever links into the help. */
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

/** To the topic before; true when there was one. */
export function helpBack(): boolean {
  if (state.trail.length === 0) return false
  state.topic = state.trail.at(-1) ?? null
  state.trail = state.trail.slice(0, -1)
  return true
}

/** Closes it; the focus goes back to where it was, if that is still there. */
export function closeHelp(): void {
  state.open = false
  if (opener?.isConnected) opener.focus()
  opener = null
}
