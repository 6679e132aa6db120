/** The desktop's side of the bridge, simulated in a plain browser. */

/**
 * A simulated desktop for the init scripts of a test's page: `asked` contains the requests of the page, `system` lets
 * the test act as the menu, the system and the updater.
 */
export const DESKTOP = `(() => {
  const asked = { theme: [], language: [], menu: [], notices: [], badge: [], external: [], updates: [], ready: 0, stays: 0 }
  const hear = () => {
    const listeners = new Set()
    return { listeners, on: (listener) => (listeners.add(listener), () => listeners.delete(listener)) }
  }
  const menu = hear(), visits = hear(), files = hear(), locks = hear(), updates = hear()
  const idle = { phase: 'idle', version: '0.1.0', next: null, percent: null, fault: null, checkedAt: null }
  const tell = (kind) => (news) => { for (const listener of [...kind.listeners]) listener(news) }
  window.asked = asked
  window.system = {
    menu: tell(menu), visit: tell(visits), file: tell(files), lock: tell(locks),
    update: (state) => tell(updates)({ ...idle, ...state }),
  }
  window.desktop = {
    platform: 'linux',
    openExternal: async (url) => (asked.external.push(url), true),
    chooseFolder: async () => '/home/ana/Escaneos',
    setTheme: async (theme) => (asked.theme.push(theme), true),
    setLanguage: async (language) => (asked.language.push(language), true),
    setMenu: async (state) => (asked.menu.push(JSON.parse(JSON.stringify(state))), true),
    onMenu: menu.on,
    notify: async (notice) => (asked.notices.push(notice), true),
    setBadge: async (count) => (asked.badge.push(count), true),
    onVisit: visits.on,
    onFile: files.on,
    onSystemLock: locks.on,
    askUpdates: async (request) => {
      asked.updates.push(request)
      if (request === 'state') window.system.update({})
      return true
    },
    stay: async () => (asked.stays++, true),
    onUpdates: updates.on,
    ready: async () => (asked.ready++, true),
  }
  window.print = () => { asked.printed = document.querySelectorAll('.print-table tbody tr').length; window.dispatchEvent(new Event('printed')) }
})()`
