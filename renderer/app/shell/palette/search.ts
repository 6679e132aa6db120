/** Search for records that match the typed text, after a pause; outdated answers are dropped. */
import { useDebounceFn } from '@vueuse/core'
import { onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { Ref } from 'vue'
import { call } from '../../../call.ts'
import { formatAmount, language } from '../../../format.ts'
import { translate } from '../../../i18n.ts'
import { icons } from '../../../icons.ts'
import type { IconName } from '../../../icons.ts'
import { hasPage } from '../../../router.ts'
import { useSessionStore } from '../../../stores/session.ts'
import { requestedText } from './palette.ts'

const ASK_AFTER_MS = 120
const SHORTEST = 2
const HITS = 5

interface Hit {
  key: string
  label: string
  suffix: string
  icon: IconName
  to: string
  /** The book that is opened, where choosing it is not a page. */
  bookId?: string
}

interface HitGroup {
  /** Message key below `finder.groups`. */
  name: 'companies' | 'invoices' | 'quotes' | 'contacts' | 'items' | 'received'
  hits: Hit[]
}

interface FoundContact {
  id: string
  name: string
}

interface Source {
  name: HitGroup['name']
  page: string
  /** False where there is nothing to search among. */
  wanted?: () => boolean
  ask(text: string, signal: AbortSignal): Promise<Hit[]>
}

/** `drafted` returns the name of a draft, which has no number. */
export function usePaletteSearch(text: Ref<string>, drafted: () => string) {
  const groups = shallowRef<HitGroup[]>([])
  const contacts = shallowRef<FoundContact[]>([])
  const asking = ref(false)
  /** The query that the groups answer: only then may the palette say that nothing was found. */
  const answered = ref('')
  let control: AbortController | undefined

  const join = (...words: (string | null)[]) => words.filter(Boolean).join(' · ')
  const session = useSessionStore()
  const marked = (state: string) => (state === 'history' ? translate('before.tag') : null)
  /** Documents of an earlier program are in no list but their own, and come after those made here. */
  async function withHistory<Row>(
    ask: (filter: { limit: number; state?: 'history' }) => Promise<{ items: Row[] }>,
  ): Promise<Row[]> {
    const [own, before] = await Promise.all([ask({ limit: HITS }), ask({ limit: HITS, state: 'history' })])
    return [...own.items, ...before.items].slice(0, HITS)
  }
  const sources: Source[] = [
    {
      name: 'companies',
      page: 'home',
      wanted: () => session.isSeveral,
      ask: async (wanted, signal) => {
        const { items } = await call('companies.list', { text: wanted, limit: HITS + 1 }, { signal })
        return items
          .filter(({ id }) => id !== session.activeCompany?.id)
          .slice(0, HITS)
          .flatMap((one) => {
            const book = one.books.find(({ mode }) => (mode === 'test') === session.isTest) ?? one.books[0]
            const name = one.tradeName ?? one.legalName
            return book
              ? [{ key: one.id, label: name, suffix: one.nif, icon: icons.company, to: '/', bookId: book.id }]
              : []
          })
      },
    },
    {
      name: 'invoices',
      page: 'invoice',
      ask: async (wanted, signal) =>
        (await withHistory((filter) => call('invoices.list', { text: wanted, ...filter }, { signal }))).map(
          (one) => ({
            key: one.id,
            label: one.number ?? drafted(),
            suffix: join(marked(one.state), one.clientName, formatAmount(one.total)),
            icon: icons.invoices,
            to: one.state === 'draft' ? `/invoices/${one.id}/edit` : `/invoices/${one.id}`,
          }),
        ),
    },
    {
      name: 'contacts',
      page: 'contacts',
      ask: async (wanted, signal) => {
        const { items } = await call('contacts.list', { text: wanted, limit: HITS }, { signal })
        contacts.value = items.map(({ id, name }) => ({ id, name }))
        return items.map((one) => ({
          key: one.id,
          label: one.name,
          suffix: one.nif ?? '',
          icon: icons.contacts,
          to: `/contacts/${one.id}`,
        }))
      },
    },
    {
      name: 'quotes',
      page: 'quote',
      ask: async (wanted, signal) =>
        (await call('quotes.list', { text: wanted, limit: HITS }, { signal })).items.map((one) => ({
          key: one.id,
          label: one.number ?? drafted(),
          suffix: join(one.clientName, formatAmount(one.total)),
          icon: icons.quotes,
          to: `/quotes/${one.id}`,
        })),
    },
    {
      name: 'received',
      page: 'received-one',
      ask: async (wanted, signal) =>
        (await withHistory((filter) => call('received.list', { text: wanted, ...filter }, { signal }))).map(
          (one) => ({
            key: one.id,
            label: one.supplierNumber ?? one.receptionNumber,
            suffix: join(marked(one.state), one.supplierName, formatAmount(one.total)),
            icon: icons.received,
            to: `/received/${one.id}`,
          }),
        ),
    },
    {
      name: 'items',
      page: 'items',
      ask: async (wanted, signal) =>
        (await call('items.list', { text: wanted, limit: HITS }, { signal })).items.map((one) => ({
          key: one.id,
          label: one.name,
          suffix: join(one.sku, formatAmount(one.unitPrice)),
          icon: icons.items,
          to: `/items/${one.id}`,
        })),
    },
  ]

  const ask = useDebounceFn(async () => {
    control?.abort()
    const wanted = requestedText(text.value, language.value === 'es' ? ',' : '.')
    if (wanted.length < SHORTEST) {
      groups.value = []
      contacts.value = []
      answered.value = ''
      asking.value = false
      return
    }
    const mine = (control = new AbortController())
    asking.value = true
    const here = sources.filter(({ page, wanted: applies }) => hasPage(page) && (applies?.() ?? true))
    const answers = await Promise.allSettled(here.map((source) => source.ask(wanted, mine.signal)))
    if (mine.signal.aborted) return
    asking.value = false
    // A failed request for one list leaves the others as they are.
    groups.value = here.flatMap(({ name }, index) => {
      const answer = answers[index]
      const hits = answer?.status === 'fulfilled' ? answer.value : []
      return hits.length > 0 ? [{ name, hits }] : []
    })
    if (!groups.value.some(({ name }) => name === 'contacts')) contacts.value = []
    answered.value = text.value.trim()
  }, ASK_AFTER_MS)
  watch(text, () => void ask())
  onScopeDispose(() => control?.abort())

  return { groups, contacts, asking, answered }
}
