/** Options of the UI library: colour scales, the icon bundle, and the fixes that contrast and focus need. */
import type { NuxtUIOptions } from '@nuxt/ui/unplugin'

/** Features of vue-i18n that the page uses, so that the others are left out of the bundle. */
export const rendererDefine = {
  __VUE_I18N_FULL_INSTALL__: 'false',
  __VUE_I18N_LEGACY_API__: 'false',
  __INTLIFY_PROD_DEVTOOLS__: 'false',
}

const scales = {
  primary: 'tinta',
  secondary: 'papel',
  success: 'green',
  info: 'sky',
  warning: 'amber',
  error: 'red',
  // The library types `neutral` as one of Tailwind's own names; any scale declared in the theme works.
  neutral: 'papel',
} as unknown as NonNullable<NonNullable<NuxtUIOptions['ui']>['colors']>

export const uiOptions: NuxtUIOptions = {
  // The theme is a preference stored with the books, not by origin: session.ts sets the class on <html>.
  colorMode: false,
  dts: false,
  autoImport: false,
  components: { dts: false, dirs: [] },
  // Literal names only: a name composed at run time would be requested from a web service.
  icon: {
    clientBundle: { scan: { globInclude: ['renderer/**/*.{vue,ts}'], globExclude: [] }, sizeLimitKb: 96 },
  },
  ui: {
    colors: scales,
    alert: { slots: { description: 'text-sm opacity-100', icon: 'size-5' } },
    badge: { variants: { size: { md: { base: 'text-xs px-1.5 py-px gap-1 rounded-[5px]' } } } },
    button: {
      slots: { base: 'rounded-md font-medium disabled:opacity-60' },
      variants: {
        size: {
          sm: { base: 'text-xs', leadingIcon: 'size-4', trailingIcon: 'size-4' },
          md: { base: 'text-[0.8125rem] leading-5 px-3', leadingIcon: 'size-4', trailingIcon: 'size-4' },
        },
      },
      // The library fades a filled button under the pointer, which reduces the contrast of its text.
      compoundVariants: [
        {
          color: 'primary',
          variant: 'solid',
          class: 'hover:bg-(--primary-hover) active:bg-(--primary-hover)',
        },
        { color: 'error', variant: 'solid', class: 'hover:bg-(--error-hover) active:bg-(--error-hover)' },
      ],
    },
    checkbox: { slots: { label: 'text-[0.8125rem]', description: 'text-xs text-muted' } },
    dropdownMenu: {
      variants: {
        size: {
          md: {
            label: 'text-xs',
            item: 'text-[0.8125rem]',
            itemLeadingIcon: 'size-4',
            itemTrailingIcon: 'size-4',
          },
        },
      },
    },
    formField: {
      slots: {
        label: 'text-xs font-medium text-default',
        help: 'text-xs text-muted mt-1',
        error: 'text-xs mt-1',
        hint: 'text-xs text-muted',
      },
    },
    input: { slots: { root: 'w-full', base: 'rounded-md placeholder:text-muted' } },
    modal: {
      slots: {
        header: 'shrink-0',
        content: 'rounded-[10px]',
        title: 'text-[1.0625rem] leading-6 font-semibold',
        description: 'text-[0.8125rem] text-muted',
      },
      variants: { overlay: { true: { overlay: 'bg-[#171715]/45 dark:bg-black/60' } } },
    },
    select: { slots: { base: 'rounded-md w-full', placeholder: 'text-muted' } },
    slideover: {
      slots: {
        overlay: 'bg-[#171715]/45 dark:bg-black/60',
        title: 'text-[1.0625rem] leading-6 font-semibold',
        description: 'text-[0.8125rem] text-muted',
      },
    },
    switch: {
      slots: { label: 'text-[0.8125rem]', description: 'text-xs text-muted' },
      variants: { size: { md: { wrapper: 'text-[0.8125rem]' } } },
    },
    textarea: { slots: { root: 'w-full', base: 'rounded-md placeholder:text-muted' } },
    toast: {
      slots: { description: 'text-[0.8125rem] text-default', title: 'text-[0.8125rem] font-semibold' },
    },
  } as NuxtUIOptions['ui'],
}
