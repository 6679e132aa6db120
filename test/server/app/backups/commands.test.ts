/** Commands of docs/recovery.md, run as printed there, without a window. */
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../../../server/cli/main.ts'
import { exportOf } from '../../../support/stages/backups.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'
import { inLongRun } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

const DOCS = resolve(import.meta.dirname, '../../../../docs')

interface Machine {
  folder: string
  run: (...argv: string[]) => Promise<{ code: number; answer: any; said: string }>
}

function machine(): Machine {
  const folder = mkdtempSync(join(tmpdir(), 'sello-commands-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    run: async (...argv) => {
      const lines: string[] = []
      const said: string[] = []
      const code = await runCommand(argv, {
        env: { SELLO_DATA: join(folder, 'data'), SELLO_KEY_FILE: '' },
        answer: (line) => lines.push(line),
        say: (text) => said.push(text),
        untilStopped: async () => {},
      })
      return { code, answer: JSON.parse(lines.at(-1) ?? 'null') as unknown, said: said.join('\n') }
    },
  }
}

/** Books without a window: made by `init`, with a recovery code and a backup. */
async function headlessBooks(options: string[] = []): Promise<Machine & { file: string; code: string }> {
  const at = machine()
  const company = join(at.folder, 'company.json')
  writeFileSync(company, JSON.stringify(EXAMPLE_COMPANY))
  expect((await at.run('init', '--company', company, ...options)).code).toBe(0)
  const made = await at.run('recovery-code', 'create', ...options)
  expect([made.code, made.answer]).toEqual([
    0,
    { code: expect.stringMatching(/^(?:[0-9A-Z]{4}-){6}[0-9A-Z]{4}$/), replaced: false, keyChanged: null },
  ])
  const backup = await at.run('backup', ...options)
  expect(backup.code).toBe(0)
  const { folder, newest } = backup.answer as { folder: string; newest: { name: string } }
  return { ...at, file: join(folder, newest.name), code: made.answer.code as string }
}

/** Returns the arguments of the commands in the block under a heading of the docs. */
function printed(heading: string): string[][] {
  const docs = readFileSync(join(DOCS, 'recovery.md'), 'utf8')
  const [, block = ''] = /```\w*\n([^`]+)```/.exec(docs.slice(docs.indexOf(heading))) ?? []
  return block
    .split('\n')
    .filter((line) => line.includes('npm run sello --'))
    .map((line) => line.split('npm run sello -- ')[1]!.split(' '))
}

test('an ordinary backup is restored to a new folder by each command of the docs', async () => {
  const { folder, file, code, run } = await headlessBooks()
  const codeFile = join(folder, 'CODE.txt')
  writeFileSync(codeFile, `${code}\n`)
  const commands = printed('## Restoring').filter((words) => words[0] === 'restore' && !words.includes('<'))
  expect(commands.length).toBeGreaterThanOrEqual(2)
  for (const [index, words] of commands.entries()) {
    const into = join(folder, `new-${index}`)
    const argv = words.map((word) => ({ FILE: file, FOLDER: into, 'CODE.txt': codeFile })[word] ?? word)
    const restored = await run(...argv)
    expect([restored.code, restored.said], argv.join(' ')).toEqual([0, 'The books are restored.'])
    expect(exportOf(into) === exportOf(join(folder, 'data'))).toBe(true)
    expect((await run('key', 'list', '--data', into)).code).toBe(0)
  }
})

test('a folder of backups alone opens elsewhere with the code; a single backup reports what is missing', async () => {
  const { folder, file, code, run } = await headlessBooks()
  const codeFile = join(folder, 'CODE.txt')
  writeFileSync(codeFile, code)
  const elsewhere = join(folder, 'disk')
  cpSync(join(folder, 'data', 'backups'), elsewhere, { recursive: true })
  const copy = join(elsewhere, file.split('/').at(-1)!)
  const into = join(folder, 'new')
  expect(await run('restore', copy, '--data', into, '--code-file', codeFile)).toMatchObject({ code: 0 })
  expect(exportOf(into) === exportOf(join(folder, 'data'))).toBe(true)
  // The restored books have the code too.
  expect((await run('backup', '--portable', join(folder, 'all.sellobak'), '--data', into)).code).toBe(0)
  const bare = join(folder, 'bare')
  mkdirSync(bare)
  copyFileSync(copy, join(bare, file.split('/').at(-1)!))
  const refused = await run('restore', join(bare, file.split('/').at(-1)!), '--data', join(folder, 'third'))
  expect(refused.answer.error.code).toBe('backup_key_unknown')
  expect(readdirSync(folder)).not.toContain('third')
})

longTest('a backup and the key in a file are sufficient', async () => {
  const keyFile = join(mkdtempSync(join(tmpdir(), 'sello-key-')), 'sello.key')
  onTestFinished(() => rmSync(join(keyFile, '..'), { recursive: true, force: true }))
  const { folder, file, run } = await headlessBooks(['--key-file', keyFile])
  const key = Buffer.from(readFileSync(keyFile, 'utf8').trim(), 'hex')
  const bare = join(folder, 'bare')
  mkdirSync(bare)
  const copy = join(bare, file.split('/').at(-1)!)
  copyFileSync(file, copy)
  for (const [from, into] of [
    [file, 'new-1'],
    [copy, 'new-2'],
  ] as const) {
    const data = join(folder, into)
    expect(await run('restore', from, '--data', data, '--key-file', keyFile)).toMatchObject({ code: 0 })
    expect(exportOf(data, undefined, key) === exportOf(join(folder, 'data'), undefined, key)).toBe(true)
    expect((await run('key', 'list', '--data', data, '--key-file', keyFile)).code).toBe(0)
  }
})

longTest('a new code replaces the earlier one, also next to the backups', async () => {
  const { folder, file, code, run } = await headlessBooks()
  const second = await run('recovery-code', 'create')
  expect(second.answer.replaced).toBe(true)
  const elsewhere = join(folder, 'disk')
  cpSync(join(folder, 'data', 'backups'), elsewhere, { recursive: true })
  const copy = join(elsewhere, file.split('/').at(-1)!)
  const answers: unknown[] = []
  for (const [name, typed] of Object.entries({ old: code, new: String(second.answer.code) })) {
    writeFileSync(join(folder, 'code.txt'), typed)
    const ran = await run(
      'restore',
      copy,
      '--data',
      join(folder, name),
      '--code-file',
      join(folder, 'code.txt'),
    )
    answers.push(ran.answer.error?.code ?? ran.code)
  }
  expect(answers).toEqual(['recovery_code_wrong', 0])
})
