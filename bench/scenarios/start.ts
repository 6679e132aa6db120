/** T10 and T11: the time from the start of the process to the first answer, and its memory at that time. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'vite'
import runtime from '../../build/runtime.json' with { type: 'json' }
import { sizeName } from '../bench.ts'
import type { Bench, Group } from '../bench.ts'
import { judge, race } from '../method.ts'
import type { Bar, Race, Side, Turn } from '../method.ts'

const START: Bar = { better: 'less', floor: 2, goal: 1.5 }
const MEMORY: Bar = { better: 'less', floor: 1.6, goal: 1.3 }
const ROOT = resolve(import.meta.dirname, '..', '..')
/** Starts of each side, without the warm-up. */
const SPAWNS = 9
/** Wait until the work after the start has ended: the product verifies the end of its chain after a second. */
const SETTLE_MS = 3500
const PATH = '/api/v1/invoices?limit=1'

/** Bundles the limit into one JavaScript file like the product: loading sources would be slower than any product. */
async function bundleLimit(bench: Bench): Promise<string> {
  const outDir = bench.workplace.empty('limit-server')
  symlinkSync(join(ROOT, 'node_modules'), join(outDir, 'node_modules'), 'junction')
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: join(ROOT, 'bench', 'limits', 'start.ts'),
      outDir,
      emptyOutDir: false,
      target: 'node22',
      rolldownOptions: { output: { entryFileNames: 'start.mjs', chunkFileNames: '[name]-[hash].mjs' } },
    },
  })
  return join(outDir, 'start.mjs')
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((done, failed) => {
    if (!child.stdout) throw new Error('A server without output.')
    createInterface({ input: child.stdout }).once('line', done)
    child.once('exit', (code) => failed(new Error(`The server ended with ${code} before it listened.`)))
  })
}

/** Returns the processor time of all threads of a process, in microseconds; null if not available. */
function cpuUsOf(pid: number): number | null {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(tasks)) return null
  const used = readdirSync(tasks).map((task) => {
    try {
      return Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0])
    } catch {
      return 0
    }
  })
  return used.reduce((sum, each) => sum + each, 0) / 1000
}

/** Returns the resident memory in MB; null if not available. */
function residentMb(pid: number): number | null {
  const file = `/proc/${pid}/status`
  const match = existsSync(file) ? /VmRSS:\s+(\d+) kB/.exec(readFileSync(file, 'utf8')) : null
  return match ? Number(match[1]) / 1024 : null
}

interface Started {
  answeredMs: number
  cpuUs: number | null
  memoryMb: number | null
}

async function startOnce(command: readonly string[], apiKey: string, settleMs: number): Promise<Started> {
  const start = performance.now()
  const child = spawn(process.execPath, [...runtime.nodeFlags, ...command], {
    env: { ...runtime.environment, ...process.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  try {
    const { url } = JSON.parse(await firstLine(child)) as { url: string }
    const answer = await fetch(`${url}${PATH}`, {
      headers: { authorization: `Bearer ${apiKey}`, connection: 'close' },
    })
    const text = await answer.text()
    const answeredMs = performance.now() - start
    const pid = child.pid ?? 0
    const cpuUs = cpuUsOf(pid)
    if (answer.status !== 200) throw new Error(`The first answer is ${answer.status}: ${text.slice(0, 200)}`)
    await new Promise((done) => setTimeout(done, settleMs))
    return { answeredMs, cpuUs, memoryMb: residentMb(pid) }
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

const turnOf = (value: number, cpuUs: number | null): Turn => ({ operations: 1, elapsedMs: value, cpuUs })

export const startGroup: Group = {
  names: ['start.cold', 'mem.idle'],
  async run(bench, wanted) {
    if (!existsSync(bench.bundle))
      throw new Error(`${bench.bundle} is missing: build first (npm run bench does).`)
    const master = await bench.workplace.master(bench.size, 'sent')
    const subjectPlace = bench.workplace.copy(master)
    const limitPlace = bench.workplace.copy(master)
    const limit = await bundleLimit(bench)
    const serve = ['serve', '--data', subjectPlace.folder, '--key-file', subjectPlace.keyFile, '--port', '0']
    const commands = {
      subject: [bench.bundle, ...serve],
      limit: [limit, limitPlace.folder, limitPlace.keyFile],
    }
    const start = (name: keyof typeof commands, settleMs: number): Promise<Started> =>
      startOnce(commands[name], master.apiKey, settleMs)
    const size = sizeName(bench.size)
    if (wanted.has('start.cold')) {
      const side = (name: keyof typeof commands): Side => ({
        async run() {
          const { answeredMs, cpuUs } = await start(name, 0)
          return turnOf(answeredMs, cpuUs)
        },
      })
      const result = await race(side('subject'), side('limit'), Math.max(SPAWNS, bench.rounds))
      bench.report(judge(result, { target: 'T10', name: 'start.cold', size, unit: 'ms', bar: START }))
    }
    if (wanted.has('mem.idle')) {
      const memory: Race = { subject: [], limit: [], loadBefore: 0, loadAfter: 0 }
      for (let round = 0; round < bench.rounds; round += 1) {
        // Both at once: the load of the machine does not affect memory.
        const [subject, other] = await Promise.all([start('subject', SETTLE_MS), start('limit', SETTLE_MS)])
        if (subject.memoryMb === null || other.memoryMb === null)
          return bench.say('mem.idle: this system does not tell.')
        memory.subject.push(turnOf(subject.memoryMb, null))
        memory.limit.push(turnOf(other.memoryMb, null))
      }
      bench.report(judge(memory, { target: 'T11', name: 'mem.idle', size, unit: 'MB', bar: MEMORY }))
    }
  },
}
