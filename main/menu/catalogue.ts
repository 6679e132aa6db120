/** Every entry of the native menus, as data: its label, the process that runs it, the keys it shows. */
import type { MenuItemConstructorOptions } from 'electron'
import type { MenuCommand } from '../../preload/contract.ts'
import type { MenuWord } from './labels.ts'

type Role = NonNullable<MenuItemConstructorOptions['role']>

/** Commands run by the main process itself. */
export const OWN_COMMANDS = ['open-document', 'about', 'check-updates', 'licences'] as const
export type OwnCommand = (typeof OWN_COMMANDS)[number]

interface Placed {
  /** Platforms on which the entry appears. */
  only?: 'mac' | 'others' | 'development'
}

export type MenuNode =
  | '-'
  | (Placed &
      (
        | {
            command: MenuCommand
            word: MenuWord
            keys?: string
            /** The menu itself handles these keys, not the page. */
            heardHere?: true
            choice?: true
            /** Hidden, not disabled, if nothing handles it. */
            optional?: true
          }
        | { own: OwnCommand; word: MenuWord; keys?: string }
        | { role: Role; word: MenuWord }
        /** Entries supplied by the page. */
        | { from: 'places' | 'actions' | 'books' }
        | { submenu: readonly MenuNode[]; word: MenuWord }
      ))

interface MenuBranch {
  word: MenuWord | 'app'
  only?: 'mac'
  role?: 'help' | 'windowMenu'
  /** The whole menu is hidden while the page has no entries for it. */
  needs?: 'books'
  entries: readonly MenuNode[]
}

export const MENUS: readonly MenuBranch[] = [
  {
    word: 'app',
    only: 'mac',
    entries: [
      { own: 'about', word: 'about' },
      { own: 'check-updates', word: 'checkUpdates' },
      '-',
      { command: 'settings', word: 'settings', keys: 'meta_,' },
      { command: 'lock', word: 'lock', optional: true },
      '-',
      { role: 'services', word: 'services' },
      '-',
      { role: 'hide', word: 'hide' },
      { role: 'hideOthers', word: 'hideOthers' },
      { role: 'unhide', word: 'unhide' },
      '-',
      { role: 'quit', word: 'quitApp' },
    ],
  },
  {
    word: 'file',
    entries: [
      {
        word: 'new',
        submenu: [
          { command: 'new-invoice', word: 'new-invoice', keys: 'meta_n', heardHere: true },
          { command: 'new-quote', word: 'new-quote' },
          { command: 'new-recurring', word: 'new-recurring' },
          { command: 'new-received', word: 'new-received' },
          '-',
          { command: 'new-contact', word: 'new-contact' },
          { command: 'new-item', word: 'new-item' },
        ],
      },
      { own: 'open-document', word: 'open-document', keys: 'meta_o' },
      '-',
      { command: 'import', word: 'import' },
      { command: 'export', word: 'export' },
      '-',
      { command: 'print', word: 'print', keys: 'meta_p' },
      '-',
      { command: 'settings', word: 'settings', keys: 'meta_,', only: 'others' },
      { command: 'lock', word: 'lock', optional: true, only: 'others' },
      '-',
      { role: 'quit', word: 'quit', only: 'others' },
      { role: 'close', word: 'close', only: 'mac' },
    ],
  },
  {
    word: 'edit',
    entries: [
      { role: 'undo', word: 'undo' },
      { role: 'redo', word: 'redo' },
      '-',
      { role: 'cut', word: 'cut' },
      { role: 'copy', word: 'copy' },
      { role: 'paste', word: 'paste' },
      { role: 'selectAll', word: 'selectAll' },
      '-',
      { command: 'search', word: 'search', keys: 'meta_k' },
    ],
  },
  {
    word: 'view',
    entries: [
      {
        word: 'theme',
        submenu: [
          { command: 'theme-light', word: 'theme-light', choice: true },
          { command: 'theme-dark', word: 'theme-dark', choice: true },
          { command: 'theme-system', word: 'theme-system', choice: true },
        ],
      },
      {
        word: 'density',
        submenu: [
          { command: 'density-normal', word: 'density-normal', choice: true },
          { command: 'density-roomy', word: 'density-roomy', choice: true },
        ],
      },
      '-',
      { command: 'sidebar', word: 'sidebar', keys: 'b' },
      { command: 'preview', word: 'preview', keys: 'meta_.' },
      '-',
      { role: 'resetZoom', word: 'actualSize' },
      { role: 'zoomIn', word: 'zoomIn' },
      { role: 'zoomOut', word: 'zoomOut' },
      '-',
      { role: 'togglefullscreen', word: 'fullScreen' },
      '-',
      { role: 'reload', word: 'reload', only: 'development' },
      { role: 'toggleDevTools', word: 'devTools', only: 'development' },
    ],
  },
  {
    word: 'go',
    entries: [
      { command: 'back', word: 'back', keys: 'alt_arrowleft', heardHere: true },
      { command: 'forward', word: 'forward', keys: 'alt_arrowright', heardHere: true },
      '-',
      { from: 'places' },
    ],
  },
  { word: 'actions', entries: [{ from: 'actions' }] },
  {
    word: 'book',
    needs: 'books',
    entries: [{ from: 'books' }, '-', { command: 'add-company', word: 'add-company' }],
  },
  {
    word: 'window',
    role: 'windowMenu',
    entries: [
      { role: 'minimize', word: 'minimize' },
      { role: 'zoom', word: 'zoom', only: 'mac' },
      { role: 'front', word: 'front', only: 'mac' },
      { role: 'close', word: 'close', only: 'others' },
    ],
  },
  {
    word: 'help',
    role: 'help',
    entries: [
      { command: 'help', word: 'guides' },
      { command: 'shortcuts', word: 'shortcuts', keys: 'f1' },
      '-',
      { command: 'declaration', word: 'declaration' },
      { own: 'licences', word: 'licences' },
      { own: 'check-updates', word: 'checkUpdates', only: 'others' },
      { own: 'about', word: 'about', only: 'others' },
    ],
  },
]
