/** Pages for people who write programs against Sello: the catalogue of errors, and where the rest is. */
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { ERRORS } from '../core/errors.ts'
import type { ErrorSpec } from '../core/errors.ts'

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid #8886}
code{font:.9em ui-monospace,monospace}:target{background:#fc36}`

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Sello</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${body}
</main>
</body>
</html>
`
}

export const RETRY_MEANING: Readonly<Record<ErrorSpec['retry'], string>> = {
  never: 'not as it is',
  backoff: 'again, waiting longer each time',
  after: 'after the seconds in Retry-After',
  new_token: 'with a new confirmation token',
}

function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, spec]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${spec.status}</td><td>${escaped(spec.message)} ${escaped(spec.next)}</td><td>${escaped(RETRY_MEANING[spec.retry])}</td></tr>`,
  )
  return page(
    'Errors',
    `<p>Every refusal is <code>{"ok": false, "error": {"code", "message", "field", "details", "retry", "next", "docs"}, "meta"}</code>. Act on <code>code</code> and <code>retry</code>; <code>message</code> is for people.</p>
<table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning and next step</th><th scope="col">Repeat</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>`,
  )
}

const INDEX = page(
  'Sello for programs',
  `<ul>
<li><a href="/api/v1/openapi.json">Reference of the REST interface (OpenAPI 3.1)</a></li>
<li><a href="/docs/errors">Error codes</a></li>
</ul>
<p>Every request carries <code>Authorization: Bearer &lt;API key&gt;</code>. Make a key in the app or on the command line. Tools for assistants are at <code>/api/mcp/svc</code>.</p>`,
)

export function installDocs(app: FastifyInstance): void {
  let errors: string | undefined
  const html = (path: string, text: () => string): void => {
    app.get(path, async (_request, reply) =>
      reply
        .header('content-security-policy', POLICY)
        .header('content-type', 'text/html; charset=utf-8')
        .send(text()),
    )
  }
  html('/docs', () => INDEX)
  html('/docs/errors', () => (errors ??= errorsPage()))
}
