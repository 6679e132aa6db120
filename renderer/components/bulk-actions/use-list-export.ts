/** Download of a list as a file: progress at the foot, and a notice when it is complete. */
import { callBytes } from '../../call.ts'
import type { BytesOperation } from '../../call.ts'
import { translate } from '../../i18n.ts'
import { useSessionStore } from '../../stores/session.ts'
import { useToasts } from '../../stores/toasts.ts'
import type { InputOf } from '../../../server/api/contracts.ts'
import { startDownload } from './downloads.ts'

type ListFile = Extract<BytesOperation, `${string}.export` | 'received.files'>

export function useListExport() {
  const session = useSessionStore()
  const toasts = useToasts()

  /** `what` is the name of the file shown to the user. */
  async function save<Name extends ListFile>(name: Name, input: InputOf<Name>, what: string): Promise<void> {
    const file = await startDownload(what, session.activeBook?.id ?? '', (options) =>
      callBytes(name, input, options),
    )
    if (file) toasts.done(translate('exports.saved', { file }), { id: 'list-export' })
  }

  return { save }
}
