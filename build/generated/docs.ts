/** Documents generated from the code: the OpenAPI document and the error catalogue. */
import manifest from '../../package.json' with { type: 'json' }
import { ERRORS } from '../../server/domain/errors/catalog.ts'
import { english } from '../../server/domain/errors/messages/en.ts'
import type { ErrorCode, ErrorSpec, Retry } from '../../server/domain/errors/catalog.ts'
import { loadContracts } from '../../server/api/operations.ts'
import { EVENTS } from '../../server/platform/events/contract.ts'
import { openApiDocument } from '../../server/api/openapi/openapi.ts'

const RETRY_MEANING: Readonly<Record<Retry, string>> = {
  never: 'not as it is',
  backoff: 'again, waiting longer each time',
  after: 'after the seconds in Retry-After',
  new_token: 'with a new confirmation token',
}

function errorCatalogue(): string {
  const rows = (Object.entries(ERRORS) as [ErrorCode, ErrorSpec][]).map(
    ([code, { status, retry }]) =>
      `| \`${code}\` | ${status} | ${english[code].message} | ${english[code].next} | ${RETRY_MEANING[retry]} |`,
  )
  return `# Errors

Every refusal and failure has one shape:

\`\`\`json
{
  "ok": false,
  "error": { "code": "…", "message": "…", "field": "…", "details": {}, "retry": "…", "next": "…", "docs": "…" },
  "meta": { "requestId": "req_…", "timestamp": "…" }
}
\`\`\`

Programs act on \`code\` and \`retry\`; \`message\` and \`next\` are for people and may change. \`field\` names the first field at
fault as a dotted path (\`lines[0].quantity\`); \`details.faults\` lists them all, each with \`code\`, \`severity\`, \`field\`,
\`message\` and often \`fix\`. \`retry\` says what a repetition may hope for: \`never\` (not as it is), \`backoff\` (again, waiting
longer each time), \`after\` (after the seconds in \`Retry-After\`), \`new_token\` (validate again, then with the new token).

| Code | Status | Meaning | Next step | Repeat |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`
}

export async function generate(): Promise<Record<string, string>> {
  return {
    'docs/openapi.json': `${JSON.stringify(openApiDocument(manifest.version, await loadContracts(), EVENTS), null, 2)}\n`,
    'docs/errors.md': errorCatalogue(),
  }
}
