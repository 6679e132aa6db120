/** Bundle: accepted by the format's own tool, and its unpacked content runs and finds the tools. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeBridge } from '../../../../server/app/assistants/setup.ts'
import type { BytesAnswer } from '../../../../server/domain/contract/fields.ts'
import { startRunning } from '../../api/mcp/running.ts'
import type { Running } from '../../api/mcp/running.ts'
import { BRIDGE, startBridge } from './bridge-process.ts'
import { inLongRun } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

const ROOT = resolve(import.meta.dirname, '../../../..')
const MCPB = join(ROOT, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js')

let running: Running
let folder: string
beforeAll(async () => {
  running = await startRunning()
  folder = mkdtempSync(join(tmpdir(), 'sello-bundle-'))
})
afterAll(async () => {
  await running.close()
  rmSync(folder, { recursive: true, force: true })
})

const bundle = (): Promise<BytesAnswer> => running.run('assistants.bundle', {})
const mcpb = (...args: string[]) => promisify(execFile)(process.execPath, [MCPB, ...args], { cwd: folder })

function unpack(bytes: Uint8Array, name: string): string {
  const to = join(folder, name)
  for (const [path, content] of Object.entries(unzipSync(bytes))) {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    writeFileSync(join(to, path), content)
  }
  return to
}

longTest('the official tool accepts the bundle and packs it again', { timeout: 60_000 }, async () => {
  const { bytes, fileName } = await bundle()
  expect(fileName).toBe('sello.mcpb')
  const unpacked = unpack(bytes, 'official')
  expect((await mcpb('validate', join(unpacked, 'manifest.json'))).stdout).toMatch(/passes/)
  const packed = join(folder, 'packed.mcpb')
  await mcpb('pack', unpacked, packed)
  expect(Object.keys(unzipSync(readFileSync(packed))).toSorted()).toEqual(
    Object.keys(unzipSync(bytes)).toSorted(),
  )
})

test('the bundle requests the key as a secret and lists the tools of the server', async () => {
  const { bytes } = await bundle()
  const manifest = JSON.parse(Buffer.from(unzipSync(bytes)['manifest.json']!).toString())
  expect(manifest.user_config.api_key).toMatchObject({ sensitive: true, required: true })
  expect(manifest.server.mcp_config.args.join(' ')).not.toContain('api_key')
  expect(manifest.server.mcp_config.env).toEqual({
    SVC_API_KEY: '${user_config.api_key}',
    SELLO_DATA: running.dataDir,
  })
  const { key } = await running.makeKey()
  const it = startBridge({ SELLO_DATA: running.dataDir, SVC_API_KEY: key })
  const { result } = await it.ask({ id: 1, method: 'tools/list' })
  await it.end()
  const names = (tools: { name: string }[]): string[] => tools.map(({ name }) => name).toSorted()
  expect(names(manifest.tools)).toEqual(names(result.tools))
  expect((await bundle()).sha256).toBe((await bundle()).sha256)
})

test('the unpacked bundle, started as its manifest says, answers', async () => {
  const unpacked = unpack((await bundle()).bytes, 'running')
  const manifest = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'))
  const { key } = await running.makeKey()
  const fill = (text: string): string =>
    text.replace('${__dirname}', unpacked).replace('${user_config.api_key}', key)
  const env = Object.fromEntries(
    Object.entries<string>(manifest.server.mcp_config.env).map(([name, value]) => [name, fill(value)]),
  )
  const it = startBridge(env, fill(manifest.server.mcp_config.args[0]))
  expect((await it.ask({ id: 1, method: 'tools/list' })).result.tools).toHaveLength(9)
  expect(await it.end()).toBe(0)
})

longTest('the bundle packed by the build uses the default folder', { timeout: 30_000 }, async () => {
  await promisify(execFile)(process.execPath, [join(ROOT, 'build/mcpb.ts'), folder])
  const unpacked = unpack(readFileSync(join(folder, 'sello.mcpb')), 'built')
  const { env } = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8')).server.mcp_config
  expect(env).toEqual({ SVC_API_KEY: '${user_config.api_key}' })
  const { key } = await running.makeKey()
  // The default folder of the user who owns these books.
  const home = join(folder, 'home')
  const books = process.platform === 'darwin' ? 'Library/Application Support/sello' : '.config/sello'
  mkdirSync(join(home, books), { recursive: true })
  cpSync(join(running.dataDir, 'server.json'), join(home, books, 'server.json'))
  const it = startBridge({ SVC_API_KEY: key, HOME: home }, join(unpacked, 'server/sello-bridge.mjs'))
  expect((await it.ask({ id: 1, method: 'ping' })).result).toEqual({})
  await it.end()
})

test('the data folder contains the bridge of this version, for its owner only, and it finds Sello next to it', async () => {
  const file = join(running.dataDir, 'sello-bridge.mjs')
  expect(readFileSync(file)).toEqual(readFileSync(BRIDGE))
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  const { key } = await running.makeKey()
  const it = startBridge({ SVC_API_KEY: key }, file)
  expect((await it.ask({ id: 1, method: 'ping' })).result).toEqual({})
  await it.end()
  writeFileSync(file, 'of another version')
  placeBridge(running.dataDir)
  expect(readFileSync(file)).toEqual(readFileSync(BRIDGE))
  expect(await running.run('assistants.setup', {})).toMatchObject({ bridge: file, mcpUrl: running.mcpUrl })
})
