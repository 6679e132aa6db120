/**
 * State of the sidebar: open as a drawer (narrow windows) or collapsed to icons (wide ones), and whether the pages that
 * the menu leaves out are shown.
 */
import { reactive } from 'vue'

const FOLDED_ENTRY = 'sello.sidebar-folded'

const state = reactive({
  open: false,
  folded: localStorage.getItem(FOLDED_ENTRY) === 'yes',
  unfolded: false,
})

/** State of the sidebar, shared by the shell and the page headers. */
export function useDrawer() {
  return state
}

/** Collapses or expands the sidebar; remembered on this computer. */
export function toggleFolded(): void {
  state.folded = !state.folded
  localStorage.setItem(FOLDED_ENTRY, state.folded ? 'yes' : 'no')
}
