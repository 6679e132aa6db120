/** Links between contacts of the accounting system and of Sello, one or many, each with undo. */
import { CallError, call } from '../../../call.ts'
import { formatCount } from '../../../format.ts'
import { translate } from '../../../i18n.ts'
import { useSessionStore } from '../../../stores/session.ts'
import { useToasts } from '../../../stores/toasts.ts'
import type { InputOf, OutputOf } from '../../../../server/api/contracts.ts'
import { fieldsBefore, inChunks } from '../messages.ts'
import type { Comparison, LinkField } from '../messages.ts'

type Item = InputOf<'erp.linkContacts'>['items'][number]
type Output = OutputOf<'erp.linkContacts'>

/** Limit of one call. */
export const LINK_BATCH = 200

export interface ManyLinked {
  linked: number
  failed: number
}

export function useLinks(changed: () => unknown) {
  const toasts = useToasts()
  const session = useSessionStore()

  /** Runs one item; throws the server's error. */
  async function one(item: Item, bookId: string): Promise<Output> {
    const output = await call('erp.linkContacts', { items: [item] }, { bookId })
    const [failure] = output.failed
    if (failure) throw new CallError({ code: failure.code, message: failure.message })
    return output
  }

  async function link(
    row: Comparison,
    { contactId, take }: { contactId: string; take: readonly LinkField[] },
  ): Promise<void> {
    const bookId = session.activeBook?.id ?? ''
    const { id, name } = row.erp
    const wasLinked = row.erp.link !== null
    const before = take.length > 0 ? await call('contacts.get', { id: contactId }) : null
    await one({ id, action: 'link', contactId, take: [...take] }, bookId)
    toasts.done(translate(take.length > 0 ? 'erp.linked.taken' : 'erp.linked.done', { name }), {
      id: 'erp-link',
      undo: async () => {
        if (before)
          await call('contacts.update', { id: contactId, ...fieldsBefore(before, take) }, { bookId })
        if (!wasLinked) await one({ id, action: 'unlink' }, bookId)
        await changed()
      },
    })
    await changed()
  }

  async function create(row: Comparison): Promise<void> {
    const bookId = session.activeBook?.id ?? ''
    const { id, name } = row.erp
    const { done } = await one({ id, action: 'create' }, bookId)
    const made = done[0]?.contactId
    toasts.done(translate('erp.linked.created', { name }), {
      id: 'erp-link',
      undo: async () => {
        await one({ id, action: 'unlink' }, bookId)
        if (made) await call('contacts.delete', { id: made }, { bookId })
        await changed()
      },
    })
    await changed()
  }

  async function unlink(row: Comparison): Promise<void> {
    const bookId = session.activeBook?.id ?? ''
    const { id, name, link: before } = row.erp
    await one({ id, action: 'unlink' }, bookId)
    toasts.done(translate('erp.linked.undone', { name }), {
      id: 'erp-link',
      ...(before
        ? {
            undo: async () => {
              await one({ id, action: 'link', contactId: before.contactId }, bookId)
              await changed()
            },
          }
        : {}),
    })
    await changed()
  }

  /** Links each to the only contact with its number; `progress` receives the number of tried ones. */
  async function linkMany(
    ids: readonly string[],
    progress: (tried: number) => void,
    goesOn: () => boolean,
  ): Promise<ManyLinked> {
    const bookId = session.activeBook?.id ?? ''
    const linked: string[] = []
    let failed = 0
    for (const chunk of inChunks(ids, LINK_BATCH)) {
      if (!goesOn()) break
      const output = await call(
        'erp.linkContacts',
        { items: chunk.map((id) => ({ id, action: 'link' as const })) },
        { bookId },
      )
      linked.push(...output.done.map(({ id }) => id))
      failed += output.failed.length
      progress(linked.length + failed)
    }
    if (linked.length > 0)
      toasts.done(translate('erp.linked.many', { count: formatCount(linked.length) }, linked.length), {
        id: 'erp-link',
        undo: async () => {
          for (const chunk of inChunks(linked, LINK_BATCH))
            await call(
              'erp.linkContacts',
              { items: chunk.map((id) => ({ id, action: 'unlink' as const })) },
              { bookId },
            )
          await changed()
        },
      })
    await changed()
    return { linked: linked.length, failed }
  }

  return { link, create, unlink, linkMany }
}
