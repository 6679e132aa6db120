/** Search over all pages: a dialog with a field and results; the index is loaded when it is first opened. */
import MiniSearch from 'minisearch'
import type { SearchResult } from 'minisearch'
import { SEARCH_FIELDS, searchWords } from './search-fields.ts'
import type { SearchEntry } from './search-fields.ts'

const MOST = 12
const EXCERPT = 110

const dialog = document.querySelector<HTMLDialogElement>('dialog.search')
const input = dialog?.querySelector('input')
const list = dialog?.querySelector('ul')
const said = dialog?.querySelector<HTMLElement>('.search-said')

let index: Promise<MiniSearch<SearchEntry>> | undefined
let chosen = 0

function loadIndex(): Promise<MiniSearch<SearchEntry>> {
  index ??= fetch(document.body.dataset.search ?? '')
    .then((answer) => {
      if (!answer.ok) throw new Error(`The index answered ${answer.status}.`)
      return answer.text()
    })
    .then((text) => MiniSearch.loadJSON<SearchEntry>(text, SEARCH_FIELDS))
  // Retried at the next key.
  index.catch(() => (index = undefined))
  return index
}

/** Returns the part of a text around the first search term. */
function excerpt(text: string, words: readonly string[]): string {
  const at = Math.max(
    0,
    ...words
      .map((word) => text.toLowerCase().indexOf(word))
      .filter((one) => one > 0)
      .slice(0, 1),
  )
  const from = at < 50 ? 0 : text.indexOf(' ', at - 40) + 1
  const part = text.slice(from, from + EXCERPT)
  return `${from > 0 ? '…' : ''}${part}${text.length > from + EXCERPT ? '…' : ''}`
}

/** Returns the text with the search terms marked; never as markup. */
function marked(text: string, words: readonly string[]): DocumentFragment {
  const fragment = document.createDocumentFragment()
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  for (const part of pattern ? text.split(new RegExp(`(${pattern})`, 'iu')) : [text]) {
    if (words.includes(part.toLowerCase())) {
      const mark = document.createElement('mark')
      mark.textContent = part
      fragment.append(mark)
    } else fragment.append(part)
  }
  return fragment
}

function choose(at: number): void {
  const items = [...(list?.querySelectorAll<HTMLElement>('[role="option"]') ?? [])]
  if (items.length === 0) return
  chosen = (at + items.length) % items.length
  for (const [number, item] of items.entries()) item.setAttribute('aria-selected', String(number === chosen))
  const item = items[chosen]
  item?.scrollIntoView({ block: 'nearest' })
  if (item) input?.setAttribute('aria-activedescendant', item.id)
}

function resultItem(result: SearchResult, at: number, words: readonly string[]): HTMLElement {
  const { url, page, title, text } = result as SearchResult & SearchEntry
  const item = document.createElement('li')
  item.setAttribute('role', 'none')
  const link = document.createElement('a')
  link.id = `result-${at}`
  link.setAttribute('role', 'option')
  link.href = url
  link.tabIndex = -1
  const part = (name: string, content: DocumentFragment | string): void => {
    const element = document.createElement('span')
    element.className = name
    element.append(content)
    link.append(element)
  }
  part('result-title', marked(title, words))
  if (page !== title) part('result-page', page)
  part('result-text', marked(excerpt(text, words), words))
  link.addEventListener('click', () => dialog?.close())
  item.append(link)
  item.addEventListener('pointermove', () => {
    if (chosen !== at) choose(at)
  })
  return item
}

async function search(): Promise<void> {
  if (!input || !list || !said) return
  const wanted = input.value.trim()
  input.removeAttribute('aria-activedescendant')
  if (wanted === '') {
    list.replaceChildren()
    said.textContent = ''
    return
  }
  try {
    const found = (await loadIndex()).search(wanted)
    if (input.value.trim() !== wanted) return
    const words = searchWords(wanted)
    list.replaceChildren(...found.slice(0, MOST).map((result, at) => resultItem(result, at, words)))
    said.textContent =
      found.length === 0
        ? `Nothing found for “${wanted}”.`
        : found.length === 1
          ? '1 result'
          : `${found.length} results`
    choose(0)
  } catch {
    said.textContent = 'The index could not be loaded. Is Sello still running?'
  }
}

/** Opens the dialog, or focuses the field if it is open. */
export function openSearch(): void {
  if (!dialog || !input) return
  if (!dialog.open) dialog.showModal()
  input.select()
  input.focus()
  loadIndex().catch(() => undefined)
}

input?.addEventListener('input', () => void search())
input?.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    choose(chosen + (event.key === 'ArrowDown' ? 1 : -1))
  } else if (event.key === 'Enter') {
    event.preventDefault()
    list?.children[chosen]?.querySelector('a')?.click()
  } else if (event.key === 'Escape') {
    // A search field would only be cleared by the first Escape.
    event.preventDefault()
    dialog?.close()
  }
})
dialog?.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close()
})
