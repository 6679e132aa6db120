/** Hands documents in from the window: dropped, pasted or chosen files, one after the other. */
import { call } from '../../call.ts'
import { errorText } from '../../errors.ts'
import { asCallError } from '../../call.ts'
import { formatCount } from '../../format.ts'
import { translate } from '../../i18n.ts'
import { router } from '../../router.ts'
import { useToasts } from '../../stores/toasts.ts'
import { base64Of } from '../incoming.ts'

/** Files of a folder that are not documents: what systems leave there. */
const isHidden = (name: string): boolean =>
  name.startsWith('.') || name.startsWith('~$') || name === 'Thumbs.db'

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** Returns the files directly in a folder. A browser answers about a hundred at once. */
async function filesIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader()
  const files: File[] = []
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (entries.length === 0) return files
    for (const entry of entries)
      if (entry.isFile && !isHidden(entry.name)) files.push(await fileOf(entry as FileSystemFileEntry))
  }
}

/** Returns whether a folder is among what is dropped. Only during the event. */
export function hasFolder({ items }: DataTransfer): boolean {
  return [...items].some((item) => item.webkitGetAsEntry?.()?.isDirectory)
}

/** Returns dropped files, and those directly in dropped folders. Called during the event, before anything is awaited. */
export async function filesOfDrop({ items, files }: DataTransfer): Promise<File[]> {
  const dropped = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry?.() ?? null, file: item.getAsFile() }))
  if (dropped.length === 0) return [...files]
  const found: File[] = []
  for (const { entry, file } of dropped)
    if (entry?.isDirectory) found.push(...(await filesIn(entry as FileSystemDirectoryEntry)))
    else if (file) found.push(file)
  return found
}

/** Longest name of the contract. */
const NAME_CHARS = 160

const PAGE = '/received/incoming'

export function useHandIn() {
  const toasts = useToasts()

  /** Hands files in and tells of it; one that is refused keeps no other back. Returns the identifiers of the documents. */
  async function handIn(files: readonly File[]): Promise<string[]> {
    const ids: string[] = []
    const refused: { name: string; error: unknown }[] = []
    for (const [index, file] of files.entries()) {
      if (files.length > 1)
        toasts.done(
          translate('incoming.add.running', {
            number: formatCount(index + 1),
            count: formatCount(files.length),
          }),
          { id: 'incoming-add' },
        )
      try {
        const name = file.name.slice(-NAME_CHARS) || 'documento'
        const { id } = await call('incoming.add', { name, content: await base64Of(file) })
        ids.push(id)
      } catch (error) {
        refused.push({ name: file.name, error })
      }
    }
    if (ids.length > 0)
      toasts.done(translate('incoming.add.done', { count: formatCount(ids.length) }, ids.length), {
        id: 'incoming-add',
        ...(router.currentRoute.value.name === 'incoming'
          ? {}
          : { actions: [{ label: translate('incoming.add.see'), run: () => void router.push(PAGE) }] }),
      })
    const [first] = refused
    if (first && refused.length === 1) toasts.failed(first.error)
    else if (first)
      toasts.refused(
        translate('incoming.add.refused', {
          count: formatCount(refused.length),
          name: first.name,
          why: errorText(asCallError(first.error)).title,
        }),
      )
    return ids
  }

  return { handIn }
}
