/** Menu entries that make a template or a recurring invoice from an invoice. */
import { useRouter } from 'vue-router'
import { call } from '../../call.ts'
import { translate } from '../../i18n.ts'
import { icons } from '../../icons.ts'
import type { Invoice } from '../invoices/editor/draft.ts'
import { useToasts } from '../../stores/toasts.ts'

const NAME_LENGTH = 80

export function useRepeat() {
  const router = useRouter()
  const toasts = useToasts()

  /** Saves the content as a template named after its first line; the name can be changed in the list of templates. */
  async function keepTemplate(invoice: Invoice): Promise<void> {
    const first = invoice.lines[0]?.description.split('\n')[0] ?? invoice.clientName
    try {
      const taken = new Set((await call('templates.list', {})).items.map(({ name }) => name.toLowerCase()))
      let name = first.slice(0, NAME_LENGTH)
      for (let copy = 2; taken.has(name.toLowerCase()); copy += 1)
        name = `${first.slice(0, NAME_LENGTH - 5)} (${copy})`
      const made = await call('templates.create', { name, fromInvoice: invoice.id })
      toasts.done(translate('templates.kept', { name: made.name }), {
        id: 'template',
        actions: [{ label: translate('templates.see'), run: () => void router.push('/templates') }],
      })
    } catch (thrown) {
      toasts.failed(thrown)
    }
  }

  /** Returns the menu entries of an invoice or draft. */
  function repeatEntries(invoice: Invoice) {
    return [
      {
        runs: 'recurring.create',
        label: translate('recurring.action.repeat'),
        icon: icons.recurring,
        onSelect: () => void router.push({ path: '/recurring/new', query: { from: invoice.id } }),
      },
      {
        runs: 'templates.create',
        label: translate('templates.keep'),
        icon: icons.template,
        onSelect: () => void keepTemplate(invoice),
      },
    ]
  }

  return { repeatEntries }
}
