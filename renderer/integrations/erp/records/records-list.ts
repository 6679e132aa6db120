/** Shared parts of the lists of records read from the accounting system: filter, search field and empty states. */
import type { EmptyList, ListSearch } from '../../../components/list/types.ts'
import type { ViewQuery } from '../../../components/views/own-views.ts'
import { translate } from '../../../i18n.ts'
import { icons } from '../../../icons.ts'
import type { IconName } from '../../../icons.ts'

interface RecordsFilter {
  text?: string
  connectionId?: string
}

export const recordsFilter = ({ q, connection }: ViewQuery): RecordsFilter => ({
  ...(q ? { text: q } : {}),
  ...(connection ? { connectionId: connection } : {}),
})

export const recordSearch = (hint: string): ListSearch => ({
  label: 'erp.search',
  hint,
  class: 'w-full sm:w-64',
})

/** Empty state: no match, or nothing read yet. */
export const emptyRecords = (icon: IconName, isFiltered: boolean, clear: () => void): EmptyList =>
  isFiltered
    ? {
        icon: icons.search,
        title: translate('erp.none.found'),
        description: translate('erp.none.foundText'),
        actions: [{ label: translate('erp.none.clear'), run: clear }],
      }
    : {
        icon,
        title: translate('erp.none.read'),
        description: translate('erp.none.readText'),
        actions: [{ label: translate('erp.runs.emptyAction'), primary: true, to: '/connect/erp' }],
      }
