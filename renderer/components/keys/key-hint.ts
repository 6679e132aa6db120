/** The control that contains the mark of a shortcut, and the attributes by which its tooltip shows the keys. */
import { onBeforeUnmount, onMounted, onUpdated, watch } from 'vue'
import type { ShallowRef } from 'vue'
import { keyHint } from '../shortcut-names.ts'

/** Returns the button, link or menu entry around a mark; a label stands for its field. */
export function controlOf(mark: HTMLElement | null): HTMLElement | null {
  const found = mark?.closest<HTMLElement>('button, a, label, [role="menuitem"]')
  return (found instanceof HTMLLabelElement ? found.control : found) ?? null
}

/** Sets the attributes of `keyHint` on the control around the mark while the calling component is mounted. */
export function useKeyHint(mark: Readonly<ShallowRef<HTMLElement | null>>, keys: () => string): void {
  let control: HTMLElement | null = null
  function announce(): void {
    control = controlOf(mark.value)
    for (const [name, value] of Object.entries(keyHint(keys())))
      if (value === undefined) control?.removeAttribute(name)
      else control?.setAttribute(name, value)
  }
  onMounted(announce)
  onUpdated(announce)
  watch(() => keyHint(keys()), announce)
  onBeforeUnmount(() => {
    control?.removeAttribute('data-keys')
    control?.removeAttribute('aria-keyshortcuts')
  })
}
