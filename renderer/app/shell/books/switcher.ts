/** Whether the switcher of companies is open: its button, a shortcut and the palette open it. */
import { reactive } from 'vue'

/** State of the switcher. */
export const companySwitcher = reactive({ open: false })
