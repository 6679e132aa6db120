/** Files of the exchange that a person keeps. */
import { callBytes } from '../../call.ts'
import { translate } from '../../i18n.ts'
import { saveFile } from '../../sales/invoices/read/save-pdf.ts'
import { useToasts } from '../../stores/toasts.ts'
import type { InputOf } from '../../../server/api/contracts.ts'
import { asCallError } from '../../call.ts'

export function useExchangeFiles() {
  const toasts = useToasts()

  async function save(fetching: () => Promise<File>): Promise<void> {
    try {
      saveFile(await fetching())
    } catch (thrown) {
      toasts.failed(thrown)
    }
  }
  return {
    /** Saves an invoice as it was sent or received. */
    saveDocument: (id: string) => save(() => callBytes('exchange.file', { id })),
    /** Saves a message, or what the platform answered to it. */
    saveMessage: (input: InputOf<'exchange.message'>) => save(() => callBytes('exchange.message', input)),
    /** Saves the reports that wait as a message file; without any it says so. */
    async saveStatuses(input: InputOf<'exchange.exportStatus'>): Promise<void> {
      try {
        saveFile(await callBytes('exchange.exportStatus', input))
      } catch (thrown) {
        if (asCallError(thrown).code === 'not_found')
          toasts.done(translate('exchange.files.exportNone'), { id: 'exchange' })
        else toasts.failed(thrown)
      }
    },
  }
}
