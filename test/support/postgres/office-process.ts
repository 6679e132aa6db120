/** Servers of an office as real processes, and a client of their REST interface. */
import { startChild } from '../children/run.ts'
import type { Child } from '../children/run.ts'
import type { OfficeTerminal } from './office-terminal.ts'

/** The program of the command line, from the folder of the children. */
export const COMMAND_LINE = '../../../server/cli/main'

export interface OfficeProcess {
  child: Child
  url: string
  metricsUrl: string
  /** Sends SIGTERM; returns the exit code. */
  stop(): Promise<number | null>
  /** What it has logged, as lines of JSON. */
  logged(): Record<string, unknown>[]
}

/** Starts `office serve` with more options; resolves when it has printed its address. */
export async function startOffice(
  at: Pick<OfficeTerminal, 'env'>,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<OfficeProcess> {
  const child = startChild(
    COMMAND_LINE,
    ['office', 'serve', '--listen', '127.0.0.1:0', '--metrics', '127.0.0.1:0', ...args],
    { env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...at.env, ...env } },
  )
  let said = ''
  child.process.stderr?.on('data', (data: Buffer) => (said += data.toString()))
  const { url, metricsUrl } = await child.line()
  return {
    child,
    url: url as string,
    metricsUrl: metricsUrl as string,
    stop: async () => {
      child.process.kill('SIGTERM')
      await child.ended()
      return child.process.exitCode
    },
    logged: () =>
      said
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

interface Called {
  status: number
  body: any
  headers: Headers
}

/** Calls the REST interface with a key. */
export async function callRest(
  base: string,
  key: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Called> {
  const response = await fetch(`${base}/api/v1/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

const DRAFT = {
  clientName: 'Ana Beltrán Ruiz',
  clientNif: '50123456Q',
  lines: [{ description: 'Taller de cerámica', quantity: 8, unitPrice: 50 }],
}

/** Drafts, validates and issues an invoice with the given call; returns its number. */
export async function issueBy(call: (path: string, body?: unknown) => Promise<Called>): Promise<string> {
  const draft = await call('invoices', DRAFT)
  const id = draft.body.data?.id as string
  const valid = await call(`invoices/${id}/validate`, {})
  const { confirmationToken } = valid.body.data.confirmation as { confirmationToken: string }
  const issued = await call(`invoices/${id}/issue`, { confirmationToken })
  if (issued.status !== 200) throw new Error(JSON.stringify(issued.body))
  return issued.body.data.number as string
}

/** Adds the example company and a key of its test book; returns the key. */
export async function setUpOffice(at: OfficeTerminal, company: unknown): Promise<string> {
  const file = at.file('company.json', JSON.stringify(company))
  const made = await at.run('office', 'init', '--company', file)
  if (made.code !== 0) throw new Error(made.said)
  const key = await at.run('office', 'key', 'create', '--mode', 'test', '--name', 'erp', '--scopes', 'all')
  return key.answer.key as string
}
