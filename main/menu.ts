/** The native menu, in Spanish or English. Its entries only tell the page what was chosen. */
import type { MenuItemConstructorOptions } from 'electron'
import type { DesktopLanguage, MenuCommand } from '../preload/contract.ts'

const WORDS = {
  es: {
    file: 'Archivo',
    newInvoice: 'Nueva factura',
    settings: 'Ajustes…',
    quit: 'Salir',
    close: 'Cerrar ventana',
    edit: 'Edición',
    undo: 'Deshacer',
    redo: 'Rehacer',
    cut: 'Cortar',
    copy: 'Copiar',
    paste: 'Pegar',
    selectAll: 'Seleccionar todo',
    search: 'Buscar…',
    view: 'Ver',
    actualSize: 'Tamaño real',
    zoomIn: 'Acercar',
    zoomOut: 'Alejar',
    fullScreen: 'Pantalla completa',
    reload: 'Recargar',
    devTools: 'Herramientas de desarrollo',
    window: 'Ventana',
    minimize: 'Minimizar',
    help: 'Ayuda',
    guides: 'Guías',
    shortcuts: 'Atajos de teclado',
  },
  en: {
    file: 'File',
    newInvoice: 'New invoice',
    settings: 'Settings…',
    quit: 'Quit',
    close: 'Close window',
    edit: 'Edit',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select all',
    search: 'Search…',
    view: 'View',
    actualSize: 'Actual size',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fullScreen: 'Full screen',
    reload: 'Reload',
    devTools: 'Developer tools',
    window: 'Window',
    minimize: 'Minimize',
    help: 'Help',
    guides: 'Guides',
    shortcuts: 'Keyboard shortcuts',
  },
} as const satisfies Record<DesktopLanguage, Record<string, string>>

export interface MenuOptions {
  language: DesktopLanguage
  platform: NodeJS.Platform
  /** Reloading and developer tools are for those who work on the app. */
  packaged: boolean
  choose: (command: MenuCommand) => void
}

/** The menu's entries, for `Menu.buildFromTemplate`. */
export function menuTemplate({
  language,
  platform,
  packaged,
  choose,
}: MenuOptions): MenuItemConstructorOptions[] {
  const words = WORDS[language]
  const mac = platform === 'darwin'
  // The page listens to these keys itself, with its own rules inside fields: the menu only shows them.
  const entry = (label: string, command: MenuCommand, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    click: () => choose(command),
    ...(accelerator ? { accelerator, registerAccelerator: false } : {}),
  })
  const separator: MenuItemConstructorOptions = { type: 'separator' }

  return [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    {
      label: words.file,
      submenu: [
        { ...entry(words.newInvoice, 'new-invoice'), accelerator: 'CmdOrCtrl+N' },
        separator,
        entry(words.settings, 'settings', 'CmdOrCtrl+,'),
        separator,
        mac ? { role: 'close', label: words.close } : { role: 'quit', label: words.quit },
      ],
    },
    {
      label: words.edit,
      submenu: [
        { role: 'undo', label: words.undo },
        { role: 'redo', label: words.redo },
        separator,
        { role: 'cut', label: words.cut },
        { role: 'copy', label: words.copy },
        { role: 'paste', label: words.paste },
        { role: 'selectAll', label: words.selectAll },
        separator,
        entry(words.search, 'search', 'CmdOrCtrl+K'),
      ],
    },
    {
      label: words.view,
      submenu: [
        { role: 'resetZoom', label: words.actualSize },
        { role: 'zoomIn', label: words.zoomIn },
        { role: 'zoomOut', label: words.zoomOut },
        separator,
        { role: 'togglefullscreen', label: words.fullScreen },
        ...(packaged
          ? []
          : [
              separator,
              { role: 'reload', label: words.reload } as const,
              { role: 'toggleDevTools', label: words.devTools } as const,
            ]),
      ],
    },
    {
      label: words.window,
      submenu: [
        { role: 'minimize', label: words.minimize },
        { role: 'close', label: words.close },
      ],
    },
    {
      label: words.help,
      role: 'help',
      submenu: [entry(words.guides, 'help', 'F1'), entry(words.shortcuts, 'shortcuts')],
    },
  ]
}
