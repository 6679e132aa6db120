/** The built pages of /docs: complete, linked, searchable, and without untested programs. */
import { resolve } from 'node:path'
import MiniSearch from 'minisearch'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { examplesOf, renderPage } from '../../build/docs/markdown.ts'
import { eventsPage } from '../../build/docs/pages/catalogues.ts'
import { addressOf, NAVIGATION, pageSources, searchIndex, siteFiles } from '../../build/docs/site.ts'
import { SEARCH_FIELDS } from '../../renderer/docs/search-fields.ts'
import type { SearchEntry } from '../../renderer/docs/search-fields.ts'
import { loadContracts } from '../../server/api/operations.ts'
import { SCOPES } from '../../server/domain/contract/scopes.ts'
import { ERRORS } from '../../server/domain/errors/catalog.ts'
import { openApiDocument } from '../../server/api/openapi/openapi.ts'

const contracts = await loadContracts()

const root = resolve(import.meta.dirname, '..', '..')
const assets = {
  script: '/assets/docs.js',
  styles: ['/assets/docs.css'],
  theme: '/assets/docs-theme.js',
  search: '/assets/docs-search.json',
  renderer: '/assets/scalar.js',
  reference: '/assets/docs-reference.js',
}
let files: Map<string, string>
let sources: Map<string, string>
beforeAll(() => {
  files = siteFiles(root, assets)
  sources = pageSources(root)
})

const idsOf = (html: string): Set<string> =>
  new Set([...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1] ?? ''))
const hrefsOf = (html: string): string[] =>
  [...html.matchAll(/ href="([^"]+)"/g)].map((match) => match[1] ?? '')
const decoded = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))

/** Returns the anchors of all operations in the interactive reference. */
function referenceAnchors(): Set<string> {
  const document: any = openApiDocument('9.9.9', contracts)
  return new Set(
    Object.entries<any>(document.paths).flatMap(([path, operations]) =>
      Object.entries<any>(operations).map(
        ([method, { tags }]) =>
          `tag/${String(tags[0]).toLowerCase().replaceAll(' ', '-')}/${method.toUpperCase()}${path}`,
      ),
    ),
  )
}

test('every page of the navigation exists, with its title, its position in the navigation and links to its neighbours', () => {
  for (const { pages } of NAVIGATION)
    for (const { path, label } of pages) {
      const html = files.get(`${path || 'index'}.html`) ?? ''
      expect(html, path).toMatch(/<h1[^>]*>[^<]+<\/h1>/)
      expect(html.match(/<h1/g), path).toHaveLength(1)
      expect(html, path).toContain(`href="${addressOf(path)}" aria-current="page">${label}`)
      expect(html, path).toMatch(/<title>[^<]+ · Sello<\/title>/)
    }
  expect(files.get('404.html')).toContain('There is no page here')
})

test('every link resolves: pages, anchors, operations of the reference', () => {
  const operations = referenceAnchors()
  const broken: string[] = []
  for (const [name, html] of files) {
    const here = idsOf(html)
    for (const raw of hrefsOf(html)) {
      const href = decoded(raw)
      if (/^(?:https:|data:|\/assets\/)/.test(href) || href === '/api/v1/openapi.json') continue
      const [page = '', anchor] = href.split('#')
      const target = page === '' ? html : files.get(`${page.replace(/^\/docs\/?/, '') || 'index'}.html`)
      const isThere =
        page === '/docs/reference' && anchor !== undefined
          ? operations.has(anchor)
          : target !== undefined && (anchor === undefined || (page === '' ? here : idsOf(target)).has(anchor))
      if (!isThere) broken.push(`${name}: ${href}`)
    }
  }
  expect(broken).toEqual([])
})

test('no page contains inline scripts or styles, or loads a file from elsewhere', () => {
  for (const [name, html] of files) {
    expect(html, name).not.toMatch(/<style|<script(?![^>]* src="\/assets\/)| style="| on\w+="/)
    for (const [, address = ''] of html.matchAll(/<(?:script|link|img|iframe)[^>]* (?:src|href)="([^"]+)"/g))
      expect(address, name).toMatch(/^(?:\/assets\/|data:image\/svg)/)
  }
})

test('each code is on the errors page, each scope and tool on its own page', () => {
  const errors = idsOf(files.get('errors.html') ?? '')
  for (const code of Object.keys(ERRORS)) expect(errors, code).toContain(code)
  const scopes = files.get('scopes.html') ?? ''
  for (const scope of SCOPES) expect(idsOf(scopes), scope).toContain(scope)
  for (const { rest, access } of contracts)
    if (rest && access !== 'person') expect(scopes).toContain(`<code>${rest.method} ${rest.path}</code>`)
  for (const { tool } of contracts)
    if (tool) expect(idsOf(files.get('tools.html') ?? ''), tool).toContain(tool)
})

test('events are printed from their catalogue with every member of their payload', () => {
  const { html, headings } = renderPage(
    eventsPage({
      'invoice.issued': {
        summary: 'An invoice was issued.',
        data: z.strictObject({
          id: z.string().meta({ description: 'Of the invoice.' }),
          number: z.string().nullable(),
          note: z.string().optional(),
        }),
        example: { id: 'inv_1', number: 'T-F2026-0001' },
      },
    }),
  )
  expect(headings.map(({ id }) => id)).toEqual(['invoice.issued'])
  expect(html).toContain('<td>Of the invoice.</td>')
  expect(html).toContain('string or null')
  expect(html).toContain('string, optional')
  expect(html).toContain('T-F2026-0001')
})

test('the search finds guides by their words, codes completely and in part, and operations', () => {
  const index = MiniSearch.loadJSON<SearchEntry>(searchIndex(root), SEARCH_FIELDS)
  const first = (words: string): string => String(index.search(words)[0]?.url)
  expect(first('webhook signature')).toMatch(/^\/docs\/webhooks/)
  expect(first('invoice_not_draft')).toBe('/docs/errors#invoice_not_draft')
  expect(first('idempotency')).toMatch(/^\/docs\/idempotency/)
  expect(first('sunset')).toMatch(/^\/docs\/versioning/)
  expect(index.search('POST invoices issue').map(({ url }) => String(url))).toContain(
    '/docs/reference#tag/invoices/POST/api/v1/invoices/{id}/issue',
  )
})

test('text that looks like markup is escaped, and a malformed page is rejected', () => {
  expect(renderPage('# Title\n\n```json\n{"a": "<b>"}\n```\n').html).not.toContain('<b>')
  expect(() => renderPage('No title')).toThrow('begins with its title')
  expect(() => renderPage('# T\n\n```cobol\n```\n')).toThrow('cobol')
  expect(() => renderPage('# T\n\n## Same\n\n## Same\n')).toThrow('Two headings')
})

/** Programs that tests cannot run, each with its reason. */
const SHOWN_ONLY: Readonly<Record<string, string>> = {
  'npm run sello -- key create': 'the books are open in the server that the examples use',
  'export SELLO_URL': 'sets what the tests set',
  'npm run sello -- webhook create': 'the books are open in the server that the examples use',
  'npm run sello -- platform':
    'runs until it is stopped; run in test/server/integrations/exchange/simulator/command.test.ts',
  '-d \'{"fault": "drop_reply"}\'':
    'needs the platform of the guide; run by test/support/exchange/platform-client.sh',
  'claude mcp add': 'configures a program of others',
  'npx @modelcontextprotocol/inspector':
    'fetches a program; the installed one is run in test/server/api/mcp/inspector.test.ts',
  '/integrations/erp/api-key" -H':
    'needs an account elsewhere; run against a stand-in in test/e2e/integrations/erp.test.ts',
  '/integrations/erp/sync':
    'needs an account elsewhere; run against a stand-in in test/e2e/integrations/erp.test.ts',
}

test('every program in the guides is run by a test, or is in a short list with the reason', () => {
  for (const [path, source] of sources)
    for (const { language, flags, code, line } of examplesOf(source)) {
      const where = `${path || 'overview'}.md:${line}`
      if (['sh', 'js', 'py'].includes(language)) {
        const shown = Object.keys(SHOWN_ONLY).some((text) => code.includes(text))
        expect(
          flags.has('run') ||
            (flags.has('show') && shown) ||
            code.includes('createServer') ||
            code.includes('ThreadingHTTPServer'),
          where,
        ).toBe(true)
      } else if (language === 'json') expect(() => JSON.parse(code) as unknown, where).not.toThrow()
    }
})
