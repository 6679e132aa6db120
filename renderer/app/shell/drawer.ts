/** Whether the sidebar is open as a drawer (narrow) or folded to icons (wide). */
import { reactive } from 'vue'

const FOLDED_ENTRY = 'sello.sidebar-folded'

const state = reactive({ open: false, folded: localStorage.getItem(FOLDED_ENTRY) === 'yes' })

/** The sidebar's state, shared by the shell and the page heads. */
export function useDrawer() {
  return state
}

/** Folds the sidebar or unfolds it; remembered on this computer. */
export function toggleFolded(): void {
  state.folded = !state.folded
  localStorage.setItem(FOLDED_ENTRY, state.folded ? 'yes' : 'no')
}
