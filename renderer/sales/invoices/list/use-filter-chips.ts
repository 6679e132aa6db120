/** Chips of the filters of the list of invoices, with the client by name. */
import { computed, ref, watch } from 'vue'
import { useI18n } from 'vue-i18n'
import { call } from '../../../call.ts'
import type { FilterChip } from '../../../components/grid/FilterChips.vue'
import { formatDate } from '../../../format.ts'
import { CHIP_KEYS } from './filters.ts'
import type { ChipKey, InvoiceFilter } from './filters.ts'

export function useFilterChips(filter: () => InvoiceFilter) {
  const { t } = useI18n()
  const clientName = ref('')
  watch(
    () => filter().client,
    async (client) => {
      clientName.value = ''
      if (!client) return
      try {
        clientName.value = (await call('contacts.get', { id: client })).name
      } catch {
        clientName.value = t('invoiceList.filter.unknownClient')
      }
    },
    { immediate: true },
  )
  const textOf: Record<ChipKey, (filter: InvoiceFilter) => string | undefined> = {
    state: ({ state }) => state && t(`invoiceList.state.${state}`),
    kind: ({ kind }) => kind && t(`invoice.kind.${kind}`),
    registry: ({ registryStatus }) => registryStatus && t(`registryStatus.${registryStatus}`),
    payment: ({ paymentStatus }) => paymentStatus && t(`paymentStatus.${paymentStatus}`),
    from: ({ from }) => from && formatDate(from),
    to: ({ to }) => to && formatDate(to),
    series: ({ series }) => series,
    client: ({ client }) => client && (clientName.value || '…'),
  }
  return computed<FilterChip[]>(() =>
    CHIP_KEYS.flatMap((key) => {
      const value = textOf[key](filter())
      return value ? [{ key, label: t(`invoiceList.filter.${key}`), value }] : []
    }),
  )
}
