/**
 * Declarations from the page's build: Vue files, the desktop bridge and the components of the UI library in
 * templates.
 */
/// <reference types="vite/client" />

declare module 'vue' {
  interface GlobalComponents {
    UAlert: (typeof import('@nuxt/ui/components/Alert.vue'))['default']
    UApp: (typeof import('@nuxt/ui/components/App.vue'))['default']
    UBadge: (typeof import('@nuxt/ui/components/Badge.vue'))['default']
    UButton: (typeof import('@nuxt/ui/components/Button.vue'))['default']
    UCalendar: (typeof import('@nuxt/ui/components/Calendar.vue'))['default']
    UCheckbox: (typeof import('@nuxt/ui/components/Checkbox.vue'))['default']
    UCommandPalette: (typeof import('@nuxt/ui/components/CommandPalette.vue'))['default']
    UDropdownMenu: (typeof import('@nuxt/ui/components/DropdownMenu.vue'))['default']
    UFormField: (typeof import('@nuxt/ui/components/FormField.vue'))['default']
    UIcon: (typeof import('@nuxt/ui/runtime/vue/components/Icon.vue'))['default']
    UInput: (typeof import('@nuxt/ui/components/Input.vue'))['default']
    UInputMenu: (typeof import('@nuxt/ui/components/InputMenu.vue'))['default']
    UModal: (typeof import('@nuxt/ui/components/Modal.vue'))['default']
    UPopover: (typeof import('@nuxt/ui/components/Popover.vue'))['default']
    URadioGroup: (typeof import('@nuxt/ui/components/RadioGroup.vue'))['default']
    USelect: (typeof import('@nuxt/ui/components/Select.vue'))['default']
    USlideover: (typeof import('@nuxt/ui/components/Slideover.vue'))['default']
    USwitch: (typeof import('@nuxt/ui/components/Switch.vue'))['default']
    UTextarea: (typeof import('@nuxt/ui/components/Textarea.vue'))['default']
    UTooltip: (typeof import('@nuxt/ui/components/Tooltip.vue'))['default']
    RouterLink: (typeof import('vue-router'))['RouterLink']
    RouterView: (typeof import('vue-router'))['RouterView']
  }
  interface GlobalDirectives {
    vRuns: (typeof import('./runs.ts'))['vRuns']
  }
}

export {}
