/** The context menu: cut, copy and paste in fields, copy on selected text and on links. No lookups. */
import type * as Electron from 'electron'
import type { DesktopLanguage } from '../../preload/contract.ts'
import { linkOfPath } from './links.ts'
import { MENU_LABELS } from '../menu/labels.ts'
import { isAppUrl } from './security.ts'

/**
 * Returns the address copied from a link: the app's own pages as `sello://`, so that they work in a mail; web
 * addresses unchanged.
 */
function linkToCopy(address: string): string | null {
  if (isAppUrl(address)) return linkOfPath(new URL(address).pathname)
  return /^(?:https|mailto):/i.test(address) && address.length <= 2048 ? address : null
}

export function contextEntries(
  params: Pick<Electron.ContextMenuParams, 'isEditable' | 'editFlags' | 'selectionText' | 'linkURL'>,
  language: DesktopLanguage,
  copyLink: (link: string) => void,
): Electron.MenuItemConstructorOptions[] {
  const words = MENU_LABELS[language]
  const { editFlags } = params
  if (params.isEditable)
    return [
      { role: 'undo', label: words.undo, enabled: editFlags.canUndo },
      { role: 'redo', label: words.redo, enabled: editFlags.canRedo },
      { type: 'separator' },
      { role: 'cut', label: words.cut, enabled: editFlags.canCut },
      { role: 'copy', label: words.copy, enabled: editFlags.canCopy },
      { role: 'paste', label: words.paste, enabled: editFlags.canPaste },
      { role: 'selectAll', label: words.selectAll, enabled: editFlags.canSelectAll },
    ]
  const link = params.linkURL === '' ? null : linkToCopy(params.linkURL)
  return [
    ...(params.selectionText.trim() === '' ? [] : [{ role: 'copy', label: words.copy } as const]),
    ...(link === null ? [] : [{ label: words.copyLink, click: () => copyLink(link) }]),
  ]
}

export function offerContextMenu(
  { Menu, clipboard }: Pick<typeof Electron, 'Menu' | 'clipboard'>,
  window: Electron.BrowserWindow,
  language: () => DesktopLanguage,
): void {
  window.webContents.on('context-menu', (_event, params) => {
    const entries = contextEntries(params, language(), (link) => {
      void clipboard.writeText(link)
    })
    if (entries.length > 0) Menu.buildFromTemplate(entries).popup({ window })
  })
}
