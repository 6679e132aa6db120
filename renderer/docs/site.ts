/** Scripts of the documentation's pages: colours, menu, search, copying code, tabs, and the position on the page. */
import './site.css'
import './parts.css'
import { openSearch } from './search.ts'

const THEMES = ['auto', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]
const THEME_KEY = 'sello-docs-theme'
const THEME_WORDS: Readonly<Record<Theme, string>> = { auto: 'Auto', light: 'Light', dark: 'Dark' }

const root = document.documentElement

function find<Kind extends HTMLElement>(selector: string): Kind {
  const found = document.querySelector<Kind>(selector)
  if (!found) throw new Error(`The page has no ${selector}.`)
  return found
}

/** If the storage is forbidden or full, only the choice is not remembered. */
function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Private windows may refuse.
  }
}
function recall(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function setUpTheme(): void {
  const button = find<HTMLButtonElement>('.theme-button')
  const show = (theme: Theme): void => {
    if (theme === 'auto') delete root.dataset.theme
    else root.dataset.theme = theme
    find('.theme-word').textContent = THEME_WORDS[theme]
    button.setAttribute('aria-label', `Colours: ${THEME_WORDS[theme]}`)
    dispatchEvent(new CustomEvent('sello:theme'))
  }
  let theme = THEMES.find((one) => one === recall(THEME_KEY)) ?? 'auto'
  show(theme)
  button.addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto'
    remember(THEME_KEY, theme)
    show(theme)
  })
}

function setUpMenu(): void {
  const button = find<HTMLButtonElement>('.menu-button')
  const setOpen = (isOpen: boolean): void => {
    document.body.classList.toggle('menu-open', isOpen)
    button.setAttribute('aria-expanded', String(isOpen))
  }
  button.addEventListener('click', () => setOpen(!document.body.classList.contains('menu-open')))
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !document.body.classList.contains('menu-open')) return
    setOpen(false)
    button.focus()
  })
  document.querySelector('.navigation [aria-current]')?.scrollIntoView({ block: 'nearest' })
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  )
}

function setUpSearch(): void {
  find('.search-button').addEventListener('click', openSearch)
  addEventListener('keydown', (event) => {
    const target = event.composedPath()[0] ?? event.target
    const isSlash =
      event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(target)
    const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    if (!isSlash && !isPalette) return
    event.preventDefault()
    openSearch()
  })
}

function setUpCopying(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      const text = block.querySelector('code')?.textContent ?? ''
      const isCopied = await navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      )
      button.textContent = isCopied ? 'Copied' : 'Not allowed'
      setTimeout(() => (button.textContent = 'Copy'), 1500)
    })
    block.querySelector('.code-head')?.append(button)
  }
}

const TAB_KEY = 'sello-docs-tab'

/** Groups the blocks of one example in several languages into tabs; a chosen language applies everywhere. */
function setUpTabs(): void {
  const boxes = [...document.querySelectorAll<HTMLElement>('.tabs')]
  const choosers: ((name: string) => void)[] = []
  for (const [number, box] of boxes.entries()) {
    const panels = [...box.querySelectorAll<HTMLElement>(':scope > .code')]
    const list = document.createElement('div')
    list.className = 'tab-list'
    list.setAttribute('role', 'tablist')
    list.setAttribute('aria-label', 'Language')
    const tabs = panels.map((panel, at) => {
      const tab = document.createElement('button')
      tab.type = 'button'
      tab.textContent = panel.dataset.tab ?? ''
      tab.id = `tab-${number}-${at}`
      panel.id = `panel-${number}-${at}`
      tab.setAttribute('role', 'tab')
      tab.setAttribute('aria-controls', panel.id)
      panel.setAttribute('role', 'tabpanel')
      panel.setAttribute('aria-labelledby', tab.id)
      list.append(tab)
      return tab
    })
    const choose = (name: string): void => {
      if (!panels.some((panel) => panel.dataset.tab === name)) return
      for (const [at, panel] of panels.entries()) {
        const isChosen = panel.dataset.tab === name
        panel.classList.toggle('behind', !isChosen)
        tabs[at]?.setAttribute('aria-selected', String(isChosen))
        if (tabs[at]) tabs[at].tabIndex = isChosen ? 0 : -1
      }
    }
    choosers.push(choose)
    const chooseAll = (tab: HTMLElement): void => {
      const top = tab.getBoundingClientRect().top
      for (const each of choosers) each(tab.textContent ?? '')
      remember(TAB_KEY, tab.textContent ?? '')
      // Boxes above may have changed their height: the clicked tab stays where it is.
      scrollBy(0, tab.getBoundingClientRect().top - top)
    }
    list.addEventListener('click', ({ target }) => {
      if (target instanceof HTMLElement && target.role === 'tab') chooseAll(target)
    })
    list.addEventListener('keydown', (event) => {
      const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
      const at = tabs.findIndex((tab) => tab === event.target)
      const next = tabs[(at + step + tabs.length) % tabs.length]
      if (step === 0 || at < 0 || !next) return
      event.preventDefault()
      chooseAll(next)
      next.focus()
    })
    box.prepend(list)
    box.classList.add('ready')
    choose(panels[0]?.dataset.tab ?? '')
  }
  const remembered = recall(TAB_KEY)
  if (remembered) for (const choose of choosers) choose(remembered)
}

/** Marks the section being read in the page's table of contents. */
function setUpContents(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.contents a')].map((link) => [
      decodeURIComponent(link.hash.slice(1)),
      link,
    ]),
  )
  const headings = [...links.keys()].flatMap((id) => document.getElementById(id) ?? [])
  if (headings.length === 0) return
  let waiting = false
  const mark = (): void => {
    waiting = false
    const atEnd = innerHeight + scrollY >= root.scrollHeight - 2
    const read = headings.findLast((heading) => heading.getBoundingClientRect().top < 140)
    const current = atEnd && scrollY > 0 ? headings.at(-1) : (read ?? headings[0])
    for (const [id, link] of links) {
      if (id === current?.id) link.setAttribute('aria-current', 'location')
      else link.removeAttribute('aria-current')
    }
  }
  addEventListener(
    'scroll',
    () => {
      if (!waiting) requestAnimationFrame(mark)
      waiting = true
    },
    { passive: true },
  )
  mark()
}

setUpTheme()
setUpMenu()
setUpSearch()
setUpCopying()
setUpTabs()
setUpContents()
