/** The tools through the command line of the protocol's own inspector, an independent client, in each of its modes. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inLongRun, swept } from '../../../support/sweep.ts'
import { DRAFT, startRunning } from './running.ts'
import type { Running } from './running.ts'

const INSPECTOR = resolve(
  import.meta.dirname,
  '../../../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
)
/** `auto` stands for the others: it asks for the modern protocol and settles on what the server answers. */
const ERAS = swept(['legacy', 'auto', 'modern'], (era) => era === 'auto')
const TOOL_IS_ERROR = 5
const AUTH_REQUIRED = 3

let running: Running
let key: string
/** The inspector's own files must not be in the home folder of the user who runs the tests. */
const home = mkdtempSync(join(tmpdir(), 'sello-inspector-'))
beforeAll(async () => {
  running = await startRunning()
  key = (await running.makeKey()).key
})
afterAll(async () => {
  await running.close()
  rmSync(home, { recursive: true, force: true })
})

interface Run {
  exitCode: number
  answer: any
}

function inspect(era: string, method: string, rest: string[] = [], bearer = key): Promise<Run> {
  const connection = [
    '--cli',
    running.mcpUrl,
    '--transport',
    'http',
    '--header',
    `Authorization: Bearer ${bearer}`,
    '--protocol-era',
    era,
  ]
  const args = [
    INSPECTOR,
    ...connection,
    '--method',
    method,
    ...rest,
    '--format',
    'json',
    '-q',
    '--stored-auth-only',
  ]
  return new Promise((done) => {
    execFile(
      process.execPath,
      args,
      {
        timeout: 60_000,
        maxBuffer: 16 * 1024 * 1024,
        env: { ...process.env, HOME: home, USERPROFILE: home },
      },
      (error, stdout) => {
        const exitCode = error === null ? 0 : Number(error.code)
        done({ exitCode, answer: stdout.trim() === '' ? undefined : JSON.parse(stdout) })
      },
    )
  })
}

function call(era: string, tool: string, args: unknown): Promise<Run> {
  return inspect(era, 'tools/call', ['--tool-name', tool, '--tool-args-json', JSON.stringify(args)])
}

test.each(ERAS)('%s: finds the tools, drafts, validates and issues', { timeout: 120_000 }, async (era) => {
  const list = await inspect(era, 'tools/list', ['--strict'])
  expect(list.exitCode).toBe(0)
  expect(list.answer.result.tools).toHaveLength(9)

  const structured = async (tool: string, args: unknown): Promise<any> => {
    const { exitCode, answer } = await call(era, tool, args)
    expect([tool, exitCode]).toEqual([tool, 0])
    return answer.result.structuredContent
  }
  const { id } = await structured('svc_create_invoice_draft', DRAFT)
  const { confirmation } = await structured('svc_validate_registry_invoice', { id })
  const issued = await structured('svc_issue_registry_invoice', {
    id,
    confirmationToken: confirmation.confirmationToken,
  })
  expect(issued).toMatchObject({ id, state: 'issued', total: 24.2 })
})

inLongRun(test.each(ERAS))(
  '%s: reads and lists, and reports what is missing',
  { timeout: 120_000 },
  async (era) => {
    const { id } = await running.run('invoices.create', DRAFT)
    const { confirmation } = await running.run('invoices.validate', { id })
    const { number } = await running.run('invoices.issue', {
      id,
      confirmationToken: confirmation!.confirmationToken!,
    })
    const structured = async (tool: string, args: unknown): Promise<any> => {
      const { exitCode, answer } = await call(era, tool, args)
      expect([tool, exitCode]).toEqual([tool, 0])
      return answer.result.structuredContent
    }
    expect(await structured('svc_get_invoice', { id: number })).toMatchObject({ id })
    expect(await structured('svc_list_invoices', { text: number })).toMatchObject({ totals: { count: 1 } })
    const refused = await call(era, 'svc_get_invoice', { id: 'inv_0000000000000000' })
    expect(refused.exitCode).toBe(TOOL_IS_ERROR)
  },
)

inLongRun(test.each(ERAS))(
  '%s: reads the company and a document, and fills a prompt',
  { timeout: 120_000 },
  async (era) => {
    const templates = await inspect(era, 'resources/templates/list')
    expect(templates.answer.result.resourceTemplates).toHaveLength(4)
    const company = await inspect(era, 'resources/read', ['--uri', 'svc://company'])
    expect(company.exitCode).toBe(0)
    expect(JSON.parse(company.answer.result.contents[0].text)).toMatchObject({ mode: 'test' })
    const { id } = await running.run('invoices.create', DRAFT)
    const document = await inspect(era, 'resources/read', ['--uri', `svc://invoices/${id}/pdf`])
    expect(document.exitCode).toBe(0)
    const { mimeType, blob } = document.answer.result.contents[0]
    expect([mimeType, Buffer.from(blob, 'base64').subarray(0, 5).toString()]).toEqual([
      'application/pdf',
      '%PDF-',
    ])
    expect((await inspect(era, 'prompts/list')).answer.result.prompts).toHaveLength(3)
    const prompt = await inspect(era, 'prompts/get', [
      '--prompt-name',
      'svc_quarter_review',
      '--prompt-args',
      'year=2026',
      'quarter=3',
    ])
    expect(prompt.exitCode).toBe(0)
    expect(prompt.answer.result.messages[0].content.text).toContain('quarter 3')
  },
)

test.each(swept(['legacy', 'modern'], (era) => era === 'modern'))(
  '%s: reports a wrong key, without a detour over another login',
  { timeout: 60_000 },
  async (era) => {
    expect((await inspect(era, 'tools/list', [], 'svc_test_wrong')).exitCode).toBe(AUTH_REQUIRED)
  },
)
