/** The HTML template of all pages: bar, navigation, content, table of contents, and links to the neighbouring pages. */
import { escapeHtml } from './html.ts'
import type { RenderedPage } from './markdown.ts'
import { addressOf, NAVIGATION } from './site.ts'
import type { NavPage, SiteAssets } from './site.ts'

interface Around {
  assets: SiteAssets
  current: NavPage | null
  previous: NavPage | null
  next: NavPage | null
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%233744b8'/%3E%3Cpath fill='%23fafaf8' d='M8 1.5A2.75 2.75 0 0 0 5.25 4.25C5.25 5.9 7 6.2 7 8H4a1 1 0 0 0-1 1v2h10V9a1 1 0 0 0-1-1H9c0-1.8 1.75-2.1 1.75-3.75A2.75 2.75 0 0 0 8 1.5z'/%3E%3Cpath fill='%239caaf0' d='M3 12h10v1.5H3z'/%3E%3C/svg%3E"

/** Icons from Lucide (ISC), 24 by 24. */
const SHAPES = {
  search: '<circle cx="11" cy="11" r="8"/><path d="m21 21-4.3-4.3"/>',
  menu: '<path d="M4 6h16M4 12h16M4 18h16"/>',
  theme: '<circle cx="12" cy="12" r="9"/><path d="M12 3a9 9 0 0 1 0 18z" fill="currentColor"/>',
  left: '<path d="M19 12H5m7 7-7-7 7-7"/>',
  right: '<path d="M5 12h14m-7-7 7 7-7 7"/>',
} as const

const icon = (name: keyof typeof SHAPES): string =>
  `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${SHAPES[name]}</svg>`

const MARK = `<svg class="mark" viewBox="0 0 16 16" aria-hidden="true"><rect width="16" height="16" rx="3" class="mark-ground"/><path class="mark-stamp" d="M8 1.5A2.75 2.75 0 0 0 5.25 4.25C5.25 5.9 7 6.2 7 8H4a1 1 0 0 0-1 1v2h10V9a1 1 0 0 0-1-1H9c0-1.8 1.75-2.1 1.75-3.75A2.75 2.75 0 0 0 8 1.5z"/><path class="mark-line" d="M3 12h10v1.5H3z"/></svg>`

function navigation(current: NavPage | null): string {
  return NAVIGATION.map(
    ({ label, pages }) => `<p class="nav-group">${label}</p>
<ul>
${pages
  .map(
    (page) =>
      `<li><a href="${addressOf(page.path)}"${page.path === current?.path ? ' aria-current="page"' : ''}>${escapeHtml(page.label)}</a></li>`,
  )
  .join('\n')}
</ul>`,
  ).join('\n')
}

function frame(
  { assets, current }: Around,
  title: string,
  summary: string,
  content: string,
  extra = '',
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Sello</title>
<meta name="description" content="${escapeHtml(summary)}">
<link rel="icon" href="${ICON}">
<script src="${assets.theme}"></script>
${assets.styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
<script type="module" src="${assets.script}"></script>
${extra}</head>
<body data-search="${assets.search}"${current?.source === null ? ' class="wide"' : ''}>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<button type="button" class="bar-button menu-button" aria-expanded="false" aria-controls="navigation" aria-label="Menu">${icon('menu')}</button>
<a class="brand" href="/docs">${MARK}<span>Sello</span> <span class="brand-part">for developers</span></a>
<button type="button" class="search-button" aria-haspopup="dialog" aria-keyshortcuts="/">${icon('search')}<span>Search</span><kbd>/</kbd></button>
<button type="button" class="bar-button theme-button" aria-label="Colours: Auto">${icon('theme')}<span class="theme-word" aria-hidden="true">Auto</span></button>
</header>
<div class="layout">
<nav id="navigation" class="navigation" aria-label="Documentation">
${navigation(current)}
</nav>
${content}
</div>
<dialog class="search" aria-label="Search">
<div class="search-field">${icon('search')}<input type="search" placeholder="Search guides, codes and operations" aria-label="Search the documentation" role="combobox" aria-expanded="true" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false"><kbd>Esc</kbd></div>
<ul id="results" role="listbox" aria-label="Results"></ul>
<p class="search-said" role="status"></p>
</dialog>
</body>
</html>
`
}

function contents({ headings }: RenderedPage): string {
  const parts = headings.filter(({ level }) => level === 2 || (level === 3 && headings.length <= 24))
  if (parts.length < 2) return '<div class="contents"></div>'
  return `<nav class="contents" aria-label="On this page">
<p>On this page</p>
<ul>
${parts.map(({ id, level, text }) => `<li class="level-${level}"><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`).join('\n')}
</ul>
</nav>`
}

function wayOn({ previous, next }: Around): string {
  const link = (page: NavPage | null, side: 'left' | 'right', word: string): string =>
    page === null
      ? '<span></span>'
      : `<a class="${side}" href="${addressOf(page.path)}"><span class="way-word">${side === 'left' ? icon('left') : ''}${word}${side === 'right' ? icon('right') : ''}</span><span class="way-page">${escapeHtml(page.label)}</span></a>`
  return `<nav class="way-on" aria-label="Next pages">${link(previous, 'left', 'Previous')}${link(next, 'right', 'Next')}</nav>`
}

/** Returns a page with text. */
export function pageHtml(page: RenderedPage, around: Around): string {
  const group = NAVIGATION.find(({ pages }) => pages.some((one) => one === around.current))
  return frame(
    around,
    page.title,
    page.summary,
    `<main id="content" class="content" tabindex="-1">
<article>
<p class="above">${escapeHtml(group?.label ?? '')}</p>
<h1>${escapeHtml(page.title)}</h1>
${page.html}</article>
${wayOn(around)}
</main>
${contents(page)}`,
  )
}

/** Returns the page of the interactive reference. */
export function referenceHtml(around: Around): string {
  const { assets } = around
  return frame(
    around,
    'API reference',
    'Every operation of the REST interface, with a way to try it.',
    `<main id="content" class="reference" tabindex="-1">
<h1 class="visually-hidden">API reference</h1>
<div id="reference"></div>
<noscript><p class="content">The interactive reference needs JavaScript. The description itself is at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p></noscript>
</main>`,
    `<script defer src="${assets.renderer}"></script>
<script type="module" src="${assets.reference}"></script>
`,
  )
}

/** Returns the page shown for unknown addresses. */
export function notFoundHtml(around: Around): string {
  return frame(
    around,
    'No such page',
    'There is no page at this address.',
    `<main id="content" class="content" tabindex="-1">
<article>
<p class="above">404</p>
<h1>There is no page here</h1>
<p>The address may have been mistyped, or the page has another name now. Press <kbd>/</kbd> to search, or begin at the <a href="/docs">overview</a>.</p>
</article>
</main>
<div class="contents"></div>`,
  )
}
