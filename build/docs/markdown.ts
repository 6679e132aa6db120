/**
 * Converts the Markdown of a page to HTML with anchors, highlighted code, tabs and notes, and to entries of the
 * search index.
 */
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import http from 'highlight.js/lib/languages/http'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import MarkdownIt from 'markdown-it'
import { escapeHtml, slug } from './html.ts'

for (const [name, language] of Object.entries({ bash, http, javascript, json, python }))
  hljs.registerLanguage(name, language)

/** Labels of languages shown with the code, and their highlighting grammars. */
const LANGUAGES: Readonly<Record<string, { label: string; grammar: string | null }>> = {
  sh: { label: 'Shell', grammar: 'bash' },
  js: { label: 'JavaScript', grammar: 'javascript' },
  py: { label: 'Python', grammar: 'python' },
  json: { label: 'JSON', grammar: 'json' },
  http: { label: 'HTTP', grammar: 'http' },
  text: { label: 'Text', grammar: null },
}

/** The info string after three backticks: `sh run tab=curl title=server.mjs`. */
interface FenceInfo {
  language: string
  /** `run`: executed by tests; `output`: output of the preceding block; `file`: a complete program. */
  flags: ReadonlySet<string>
  tab: string | null
  title: string | null
}

/** Parses a fence's info string; values cannot contain blanks, `_` stands for one. */
function fenceInfo(info: string): FenceInfo {
  const [language = 'text', ...words] = info.trim().split(/\s+/)
  const value = (name: string): string | null =>
    words
      .find((word) => word.startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .replaceAll('_', ' ') ?? null
  return {
    language: language || 'text',
    flags: new Set(words.filter((word) => !word.includes('='))),
    tab: value('tab'),
    title: value('title'),
  }
}

/** A code block of a page. */
export interface Example extends FenceInfo {
  code: string
  /** First line in the file, from 1. */
  line: number
}

/** Returns all code blocks of a page, in order. */
export function examplesOf(markdown: string): Example[] {
  return new MarkdownIt({ html: true })
    .parse(markdown, {})
    .filter(({ type }) => type === 'fence')
    .map(({ info, content, map }) => ({ ...fenceInfo(info), code: content, line: (map?.[0] ?? 0) + 1 }))
}

interface Heading {
  id: string
  level: number
  text: string
}

/** The part of a page below one heading, as indexed for search. */
interface Section {
  id: string
  title: string
  text: string
}

export interface RenderedPage {
  /** The first-level heading, which is not part of `html`. */
  title: string
  /** The first paragraph as plain text, for descriptions and search results. */
  summary: string
  html: string
  headings: Heading[]
  sections: Section[]
}

type Tokens = ReturnType<InstanceType<typeof MarkdownIt>['parse']>
type Token = Tokens[number]

const plainText = (inline: Token | undefined): string =>
  (inline?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .filter((text) => !text.startsWith('<'))
    .join('')

function codeBlock({ info, content }: Token): string {
  const { language, tab, title, flags } = fenceInfo(info)
  const known = LANGUAGES[language]
  if (!known) throw new Error(`No language is called ${language}.`)
  const coloured = known.grammar
    ? hljs.highlight(content, { language: known.grammar }).value
    : escapeHtml(content)
  const label = title ?? tab ?? (flags.has('output') ? 'Answer' : known.label)
  const name = escapeHtml(label)
  return `<div class="code${flags.has('output') ? ' output' : ''}"${tab ? ` data-tab="${escapeHtml(tab)}"` : ''}>
<div class="code-head"><span>${name}</span></div>
<pre tabindex="0" role="group" aria-label="${name}"><code>${coloured}</code></pre>
</div>
`
}

/** Groups consecutive blocks with a tab into one box. */
function groupTabs(tokens: Tokens, html: (content: string) => Token): Tokens {
  const hasTab = (token: Token | undefined): boolean =>
    token?.type === 'fence' && fenceInfo(token.info).tab !== null
  return tokens.flatMap((token, at) => {
    if (!hasTab(token)) return [token]
    const before = hasTab(tokens[at - 1]) ? [] : [html('<div class="tabs">\n')]
    const after = hasTab(tokens[at + 1]) ? [] : [html('</div>\n')]
    return [...before, token, ...after]
  })
}

const NOTES: Readonly<Record<string, string>> = { NOTE: 'Note', TIP: 'Tip', WARNING: 'Careful' }

/** Converts quotes that begin with `[!NOTE]` to boxes, as repository hosts do. */
function markNotes(tokens: Tokens): void {
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'blockquote_open') continue
    const inline = tokens[at + 2]
    const first = inline?.children?.[0]
    const kind = /^\[!(\w+)\]$/.exec(first?.content ?? '')?.[1]
    const label = kind ? NOTES[kind] : undefined
    if (!kind || !label || !inline?.children || !first) continue
    token.attrSet('class', `note ${kind.toLowerCase()}`)
    first.content = ''
    const lead = inline.children[1]
    if (lead?.type === 'softbreak') lead.hidden = true
    token.meta = { label }
  }
}

/**
 * Renders one page. The Markdown is the project's own, so that HTML in it is kept. Throws if it does not begin with a
 * single first-level heading, names an unknown language or has two headings with the same anchor.
 */
export function renderPage(markdown: string): RenderedPage {
  const md = new MarkdownIt({ html: true })
  const tokens = md.parse(markdown, {})
  const Kind = (tokens[0] as Token).constructor as new (type: string, tag: string, nesting: 0) => Token
  const html = (content: string): Token => Object.assign(new Kind('html_block', '', 0), { content })
  if (tokens[0]?.type !== 'heading_open' || tokens[0].tag !== 'h1')
    throw new Error('A page begins with its title.')
  const title = plainText(tokens[1])
  const body = tokens.slice(3)
  markNotes(body)

  const headings: Heading[] = []
  const sections: Section[] = [{ id: '', title, text: '' }]
  for (const [at, token] of body.entries()) {
    if (token.type === 'heading_open') {
      const text = plainText(body[at + 1])
      const id = slug(text)
      if (headings.some((one) => one.id === id)) throw new Error(`Two headings are called ${text}.`)
      token.attrSet('id', id)
      headings.push({ id, level: Number(token.tag.slice(1)), text })
      sections.push({ id, title: text, text: '' })
    } else if (token.type === 'inline' && body[at - 1]?.type !== 'heading_open') {
      const section = sections.at(-1)
      if (section) section.text += `${plainText(token)} `
    }
  }
  const summary = body[0]?.type === 'paragraph_open' ? plainText(body[1]) : ''

  md.renderer.rules.fence = (list, index) => codeBlock(list[index] as Token)
  md.renderer.rules.heading_open = (list, index, options, _env, self) => {
    const token = list[index] as Token
    return `${self.renderToken(list, index, options)}<a class="anchor" href="#${escapeHtml(String(token.attrGet('id')))}">`
  }
  md.renderer.rules.heading_close = (list, index, options, _env, self) =>
    `</a>${self.renderToken(list, index, options)}`
  let latest = title
  md.renderer.rules.table_open = (_list, index) => {
    latest =
      body
        .slice(0, index)
        .findLast(({ type }, at) => type === 'inline' && body[at - 1]?.type === 'heading_open')?.content ??
      latest
    return `<div class="table" tabindex="0" role="group" aria-label="Table: ${escapeHtml(latest.replaceAll('`', ''))}"><table>`
  }
  md.renderer.rules.table_close = () => '</table></div>\n'
  md.renderer.rules.blockquote_open = (list, index, options, _env, self) => {
    const { meta } = list[index] as Token
    const label = (meta as { label?: string } | null)?.label
    return label
      ? `<aside class="${escapeHtml(String((list[index] as Token).attrGet('class')))}" aria-label="${label}">\n`
      : self.renderToken(list, index, options)
  }
  const opened: boolean[] = []
  for (const token of body) {
    // Alignment by class: the pages' policy forbids inline styles.
    if (
      (token.type === 'td_open' || token.type === 'th_open') &&
      String(token.attrGet('style')).includes('right')
    )
      token.attrs = [['class', 'number']]
    if (token.type === 'blockquote_open') opened.push(token.meta !== null)
    if (token.type === 'blockquote_close') token.meta = { isNote: opened.pop() ?? false }
  }
  md.renderer.rules.blockquote_close = (list, index) =>
    ((list[index] as Token).meta as { isNote: boolean }).isNote ? '</aside>\n' : '</blockquote>\n'

  return {
    title,
    summary,
    html: md.renderer.render(groupTabs(body, html), md.options, {}),
    headings,
    sections: sections.map((one) => ({ ...one, text: one.text.replace(/\s+/g, ' ').trim() })),
  }
}
