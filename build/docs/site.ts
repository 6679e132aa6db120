/**
 * The whole site under `/docs`: its pages in order, each as an HTML file, and the search index. Pure except for
 * reading files.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import MiniSearch from 'minisearch'
import { loadContracts } from '../../server/api/operations.ts'
import { EVENTS } from '../../server/platform/events/contract.ts'
import { SEARCH_FIELDS } from '../../renderer/docs/search-fields.ts'
import type { SearchEntry } from '../../renderer/docs/search-fields.ts'
import { renderPage } from './markdown.ts'
import type { RenderedPage } from './markdown.ts'
import { errorsPage, eventsPage, limitsPage, scopesPage, toolsPage } from './pages/catalogues.ts'
import { referenceLink } from './reference.ts'
import { notFoundHtml, pageHtml, referenceHtml } from './template.ts'

const contracts = await loadContracts()

/** Addresses of the scripts and styles that the pages load. */
export interface SiteAssets {
  script: string
  styles: readonly string[]
  theme: string
  search: string
  /** Only for the reference: the renderer, and the script that starts it. */
  renderer: string
  reference: string
}

export interface NavPage {
  /** Path below `/docs/`; empty for the first page. */
  path: string
  /** Label in the navigation. */
  label: string
  /** Markdown of the page, or null for the reference, which renders itself. */
  source: ((root: string) => string) | null
}

interface NavGroup {
  label: string
  pages: readonly NavPage[]
}

const guide =
  (name: string) =>
  (root: string): string =>
    readFileSync(join(root, 'docs/guides', `${name}.md`), 'utf8')

/** Reads the changelog of the project; links in it lead to files next to it, which are not part of the site. */
const changelog = (root: string): string =>
  readFileSync(join(root, 'docs/CHANGELOG.md'), 'utf8')
    .replace(/^# .*$/m, '# Changelog')
    .replace(/ ?\(\[[^\]]*\]\([^)]*\)(?:, \[[^\]]*\]\([^)]*\))*\)/g, '')
    .replace(/\[([^\]]*)\]\((?!\/docs)[^)]*\)/g, '$1')

export const NAVIGATION: readonly NavGroup[] = [
  {
    label: 'Start',
    pages: [
      { path: '', label: 'Overview', source: guide('overview') },
      { path: 'first-invoice', label: 'Your first invoice', source: guide('first-invoice') },
      { path: 'going-live', label: 'Going live', source: guide('going-live') },
    ],
  },
  {
    label: 'Guides',
    pages: [
      { path: 'authentication', label: 'Keys and scopes', source: guide('authentication') },
      { path: 'idempotency', label: 'Idempotency and versions', source: guide('idempotency') },
      { path: 'errors-and-retries', label: 'Errors and retries', source: guide('errors-and-retries') },
      { path: 'pagination', label: 'Lists and pages', source: guide('pagination') },
      { path: 'webhooks', label: 'Events and webhooks', source: guide('webhooks') },
      { path: 'assistants', label: 'Assistants (MCP)', source: guide('assistants') },
      { path: 'accounting-systems', label: 'Accounting systems', source: guide('accounting-systems') },
      { path: 'e-invoice-twin', label: 'E-invoice platform', source: guide('e-invoice-twin') },
    ],
  },
  {
    label: 'Reference',
    pages: [
      { path: 'reference', label: 'API reference', source: null },
      { path: 'errors', label: 'Error codes', source: errorsPage },
      { path: 'events', label: 'Events', source: () => eventsPage(EVENTS) },
      { path: 'limits', label: 'Limits', source: limitsPage },
      { path: 'scopes', label: 'Scopes', source: scopesPage },
      { path: 'tools', label: 'Tools', source: toolsPage },
    ],
  },
  {
    label: 'Policies',
    pages: [
      { path: 'versioning', label: 'Versions and deprecation', source: guide('versioning') },
      { path: 'changelog', label: 'Changelog', source: changelog },
    ],
  },
]

export const addressOf = (path: string): string => (path === '' ? '/docs' : `/docs/${path}`)

const pages = NAVIGATION.flatMap((group) => group.pages)

/** Returns the Markdown of every page that has one, by its path. */
export function pageSources(root: string): Map<string, string> {
  return new Map(pages.flatMap(({ path, source }) => (source ? [[path, source(root)] as const] : [])))
}

function searchEntries(rendered: ReadonlyMap<string, RenderedPage>): SearchEntry[] {
  const entries: SearchEntry[] = []
  for (const { path } of pages)
    for (const { id, title, text } of rendered.get(path)?.sections ?? [])
      entries.push({
        id: entries.length,
        url: id === '' ? addressOf(path) : `${addressOf(path)}#${id}`,
        page: rendered.get(path)?.title ?? '',
        title,
        text,
      })
  for (const contract of contracts) {
    const { rest, summary, name } = contract
    if (rest)
      entries.push({
        id: entries.length,
        url: referenceLink(contract),
        page: 'API reference',
        title: `${rest.method} ${rest.path}`,
        text: `${summary} ${name}`,
      })
  }
  return entries
}

/** Returns the search index in the form loaded by its script. */
export function searchIndex(root: string): string {
  const rendered = new Map([...pageSources(root)].map(([path, source]) => [path, renderPage(source)]))
  const index = new MiniSearch<SearchEntry>(SEARCH_FIELDS)
  index.addAll(searchEntries(rendered))
  return JSON.stringify(index)
}

/** Returns every file of the site by its name below `docs/`. */
export function siteFiles(root: string, assets: SiteAssets): Map<string, string> {
  const files = new Map<string, string>()
  const sources = pageSources(root)
  for (const [at, page] of pages.entries()) {
    const around = { assets, current: page, previous: pages[at - 1] ?? null, next: pages[at + 1] ?? null }
    const source = sources.get(page.path)
    files.set(
      `${page.path || 'index'}.html`,
      source === undefined ? referenceHtml(around) : pageHtml(renderPage(source), around),
    )
  }
  files.set('404.html', notFoundHtml({ assets, current: null, previous: null, next: null }))
  return files
}
