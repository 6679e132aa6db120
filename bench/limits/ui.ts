/**
 * The smallest pages with the same visible result: no framework, almost no styles, everything in one file. Served by
 * a plain Node server with answers of the product's server.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LimitPages {
  url: string
  close(): Promise<void>
}

const page = (body: string, script: string): string =>
  `<!doctype html><html lang="es"><meta charset="utf-8"><title>-</title><link rel="icon" href="data:,"><style>body{font:14px sans-serif;margin:0}td,input{padding:4px}</style><body>${body}<script type="module">${script}</script></body></html>`

/** Requests the session and the totals like the front page, and displays them. */
const HOME = page(
  '<h1></h1><main></main>',
  `const ask = async (name) => (await fetch('/answers/' + name)).json()
const session = await ask('session')
const figures = await ask('dashboard')
document.querySelector('h1').textContent = session.companies[0].legalName
const rows = []
const walk = (name, value) => {
  if (value !== null && typeof value === 'object') for (const [key, part] of Object.entries(value)) walk(name + ' ' + key, part)
  else rows.push('<tr><td>' + name + '<td>' + value)
}
walk('', figures)
document.querySelector('main').innerHTML = '<table>' + rows.join('') + '</table>'`,
)

/** Replaces the current page by the finished text of another. */
const ROUTES = page(
  '<div id="app"></div>',
  `window.show = (html) => { document.querySelector('#app').innerHTML = html }`,
)

/** A hundred rows of plain fields and their sum, computed at every key. */
const LINES = page(
  '<h1>Líneas</h1><table></table><output></output>',
  `const table = document.querySelector('table')
table.innerHTML = Array.from({ length: 100 }, (_, row) =>
  '<tr><td><input aria-label="text ' + row + '" value="Línea ' + row + '"><td><input class="q" value="2"><td><input class="p" value="10.50"><td><select><option>21 %<option>10 %</select><td><output></output>').join('')
const sum = () => {
  let total = 0
  for (const row of table.rows) {
    const cents = Math.round(row.querySelector('.q').value * row.querySelector('.p').value * 100)
    row.querySelector('output').textContent = (cents / 100).toFixed(2)
    total += cents
  }
  document.querySelector('body > output').textContent = (total / 100).toFixed(2)
}
table.addEventListener('input', sum)
sum()`,
)

/** An empty scrollable box: the browser's own cost of scrolling. */
const SCROLL = page(
  '<div id="box" style="height:600px;overflow:auto"><div style="height:3600000px;background:linear-gradient(#fff,#eee)"></div></div>',
  '',
)

const PAGES: Readonly<Record<string, string>> = {
  '/': HOME,
  '/routes': ROUTES,
  '/lines': LINES,
  '/scroll': SCROLL,
}

/** Serves the pages; `answers` are the product's server responses, by name. */
export async function serveLimitPages(answers: Readonly<Record<string, unknown>>): Promise<LimitPages> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const answer = answers[path.replace('/answers/', '')]
    const html = PAGES[path]
    if (html === undefined && answer === undefined) return void response.writeHead(404).end()
    response.setHeader(
      'content-type',
      html === undefined ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
    )
    response.end(html ?? JSON.stringify(answer))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  }
}
