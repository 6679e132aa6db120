/** A list as a file on the computer: fetched with how far it is at the foot, and said once it is here. */
import { callBytes } from '../../call.ts'
import type { BytesOperation } from '../../call.ts'
import { say } from '../../i18n.ts'
import { useSessionStore } from '../../stores/session.ts'
import { useToasts } from '../../stores/toasts.ts'
import type { InputOf } from '../../../server/api/contracts.ts'
import { startDownload } from './downloads.ts'

type ListFile = Extract<BytesOperation, `${string}.export` | 'received.files'>

export function useListExport() {
  const session = useSessionStore()
  const toasts = useToasts()

  /** `what` is the file as the person knows it. */
  async function save<Name extends ListFile>(name: Name, input: InputOf<Name>, what: string): Promise<void> {
    const file = await startDownload(what, session.activeBook?.id ?? '', (options) =>
      callBytes(name, input, options),
    )
    if (file) toasts.done(say('exports.saved', { file }), { id: 'list-export' })
  }

  return { save }
}
