/**
 * The page: takes the pack, shows the progress of its checks and their findings. Text from a pack is only ever shown
 * as text.
 */
import { check } from './check.ts'
import type { FolderFile } from './archive.ts'
import { CHECKS } from './model.ts'
import type { CheckId, Facts, Fault, Message, Request, Verdict } from './model.ts'
import { filled, MESSAGES } from './messages.ts'
import type { Language } from './messages.ts'

let language: Language = navigator.language.startsWith('es') ? 'es' : 'en'
let facts: Facts | null = null
let unreadable: Fault | null = null
let progress: { check: CheckId; done: number; total: number } | null = null
let isDone = false
const verdicts = new Map<CheckId, Verdict>()
let worker: Worker | null = null

const at = (id: string): HTMLElement => document.getElementById(id)!
const words = () => MESSAGES[language]
const count = (value: number): string => new Intl.NumberFormat(language).format(value)

function element(tag: string, text = '', className = ''): HTMLElement {
  const made = document.createElement(tag)
  if (text !== '') made.textContent = text
  if (className !== '') made.className = className
  return made
}

const faultText = ({ code, place, detail }: Fault): string =>
  filled(words().fault[code] ?? `${code}: {place} {detail}`, { place, detail })

function showVerdict(id: CheckId): HTMLElement {
  const w = words()
  const verdict = verdicts.get(id)
  const state = verdict?.state ?? 'waiting'
  const item = element('li', '', `check ${state}`)
  item.dataset.check = id
  item.dataset.state = state
  const mark = element('span', { ok: '✓', wrong: '✗', absent: '–', waiting: '·' }[state], 'mark')
  mark.setAttribute('aria-hidden', 'true')
  const says = { ok: w.ok, wrong: w.bad, absent: w.absent, waiting: w.waiting }[state]
  const head = element('div', '', 'head')
  const running = progress?.check === id && !verdict
  const told = verdict
    ? filled(w.looked, { count: count(verdict.looked) })
    : running && progress && progress.total > 0
      ? `${count(progress.done)} / ${count(progress.total)}`
      : ''
  head.append(
    mark,
    element('span', w.check[id], 'name'),
    element('span', running ? w.checking : says, 'state'),
    element('span', told, 'count'),
  )
  item.append(head)
  if (verdict && verdict.faults.length > 0) {
    const list = element('ul', '', 'faults')
    for (const fault of verdict.faults) list.append(element('li', faultText(fault)))
    if (verdict.more > 0) list.append(element('li', filled(w.more, { count: count(verdict.more) })))
    item.append(list)
  }
  return item
}

function showFacts(): void {
  const list = at('facts')
  list.replaceChildren()
  if (!facts) return
  const w = words()
  const { years, selfCheck, missing } = facts
  const span =
    years === null ? w.allYears : years.from === years.to ? String(years.from) : `${years.from}–${years.to}`
  const rows: [string, string][] = [
    [w.company, `${facts.company} · NIF ${facts.nif}`],
    [w.span, span],
    [w.madeAt, `${facts.madeAt} · Sello ${facts.version}`],
    [w.build, facts.build ?? w.noBuild],
    [
      w.holds,
      filled(w.counts, {
        records: count(facts.records),
        invoices: count(facts.invoices),
        events: count(facts.events),
      }),
    ],
    [w.head, facts.head ?? '—'],
    [w.installations, facts.installations.join(', ')],
    [
      w.selfCheck,
      `${filled(selfCheck.ok ? w.selfCheckOk : w.selfCheckWrong, { count: selfCheck.checks })} ${selfCheck.wrong.join(' ')}`,
    ],
  ]
  if (missing.length > 0) rows.push([w.missing, missing.slice(0, 50).join(', ')])
  for (const [name, value] of rows) list.append(element('dt', name), element('dd', value))
}

function headline(): [text: string, state: string] {
  const w = words()
  if (unreadable) return [`${w.unreadable} ${faultText(unreadable)}`, 'wrong']
  if (!isDone) return [facts || progress ? w.checking : '', 'waiting']
  const isWrong = [...verdicts.values()].some(({ state }) => state === 'wrong')
  return isWrong ? [w.wrong, 'wrong'] : [w.allWell, 'ok']
}

function show(): void {
  const w = words()
  document.documentElement.lang = language
  document.title = `${w.title} · Sello`
  for (const each of document.querySelectorAll<HTMLElement>('[data-word]'))
    each.textContent = String(w[each.dataset.word as keyof typeof w])
  const isAsked = facts !== null || unreadable !== null || progress !== null
  at('ask').hidden = isAsked
  at('report').hidden = !isAsked
  at('test').hidden = !facts?.isTest
  const [text, state] = headline()
  const result = at('result')
  // Set only when it changes, so that it is read out once.
  if (result.textContent !== text) result.textContent = text
  result.className = state
  showFacts()
  at('checks').replaceChildren(...(unreadable ? [] : CHECKS.map(showVerdict)))
  for (const button of document.querySelectorAll<HTMLElement>('[data-language]'))
    button.setAttribute('aria-pressed', String(button.dataset.language === language))
}

function hear(message: Message): void {
  if (message.kind === 'facts') facts = message.facts
  else if (message.kind === 'progress') progress = message
  else if (message.kind === 'verdict') verdicts.set(message.verdict.check, message.verdict)
  else if (message.kind === 'unreadable') unreadable = message.fault
  else isDone = true
  show()
}

/** Starts the worker from code inside this file: a page opened from a folder may load no other. */
function startWorker(): Worker | null {
  try {
    const code = at('worker-code').textContent ?? ''
    return new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))
  } catch {
    return null
  }
}

function begin(request: Request): void {
  reset()
  progress = { check: 'manifest', done: 0, total: 0 }
  show()
  worker = startWorker()
  if (!worker) {
    void check(request, hear)
    return
  }
  const own = worker
  own.onmessage = ({ data }: MessageEvent<Message>) => hear(data)
  own.onerror = () => {
    own.terminate()
    void check(request, hear)
  }
  own.postMessage(request)
}

function reset(): void {
  worker?.terminate()
  worker = null
  facts = null
  unreadable = null
  progress = null
  isDone = false
  verdicts.clear()
}

function listen(): void {
  const zip = at('zip') as HTMLInputElement
  const folder = at('folder') as HTMLInputElement
  zip.addEventListener('change', () => {
    const [file] = zip.files ?? []
    if (file) begin({ zip: file })
  })
  folder.addEventListener('change', () => {
    const files: FolderFile[] = [...(folder.files ?? [])].map((file) => ({
      path: file.webkitRelativePath || file.name,
      file,
    }))
    if (files.length > 0) begin({ folder: files })
  })
  addEventListener('dragover', (event) => {
    event.preventDefault()
    at('drop').classList.add('over')
  })
  addEventListener('dragleave', () => at('drop').classList.remove('over'))
  addEventListener('drop', (event) => {
    event.preventDefault()
    at('drop').classList.remove('over')
    const [file] = event.dataTransfer?.files ?? []
    if (file) begin({ zip: file })
  })
  at('again').addEventListener('click', () => {
    reset()
    zip.value = ''
    folder.value = ''
    show()
    zip.focus()
  })
  at('print').addEventListener('click', () => print())
  for (const button of document.querySelectorAll<HTMLElement>('[data-language]'))
    button.addEventListener('click', () => {
      language = button.dataset.language as Language
      show()
    })
}

listen()
show()
