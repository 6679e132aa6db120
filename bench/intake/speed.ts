/**
 * Measures how fast purchases are read, on one core: `taskset -c 0 node bench/intake/speed.ts [--documents 8] [--only times|load|size]
 * [--bundle out/main/cli.js]`. Build first for `load` and `size`.
 *
 * Each line: name, the product's figure, its target, that of a limit in the same run, and the ratio of the two. The limits: PDFium
 * returns the text of the same PDF; the engine reads the same picture once, unprepared; the same server without documents.
 */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import runtime from '../../build/runtime.json' with { type: 'json' }
import { endIdleParsers } from '../../server/platform/processes/parsers.ts'
import { startEngine } from '../../server/purchases/intake/ocr/engine.ts'
import { withPdf } from '../../server/purchases/intake/pages/pdfium.ts'
import { decodePictures } from '../../server/purchases/intake/pictures/decode.ts'
import { readFile } from '../../server/purchases/intake/run.ts'
import { Workplace } from '../books.ts'
import { percentile } from '../method.ts'
import { Dice } from './corpus/dice.ts'
import { drawDocument } from './corpus/document.ts'
import { OWN } from './corpus/facts.ts'
import { SETS } from './corpus/layouts/index.ts'
import { PictureMaker } from './corpus/pictures/variants.ts'
import { cpuMsOf, memoryOf } from './process-tree.ts'

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
    bundle: { type: 'string', default: resolve(import.meta.dirname, '../../out/main/cli.js') },
  },
})
const CONTEXT = { ownNif: OWN.nif, ownName: OWN.name, today: '2026-12-31' }
const TARGETS = { text: 150, scan: 4_000, photo: 4_000, requests: 250, memory: 500 }
const WAITING = 4
/** Pause between two requests of a client: the window does not ask more often. */
const BETWEEN_MS = 20
const IDLE_MS = 5_000
const MEGABYTE = 1024 * 1024
/** Layouts of one A4 page. */
const PAGES = ['framed', 'airy', 'spreadsheet', 'bilingual', 'folio', 'lease', 'telephone', 'policy']

function say(
  name: string,
  figure: number,
  unit: string,
  target: number | null,
  limit: number | null,
  note = '',
): void {
  const verdict = target === null ? 'INFO' : figure <= target ? 'PASS' : 'FAIL'
  const noisy = loadavg()[0]! > availableParallelism() ? ' NOISY' : ''
  const ratio = limit === null ? '-' : (figure / limit).toFixed(2)
  console.log(
    [name, figure.toFixed(unit === 'MB' ? 1 : 0), unit, target === null ? '-' : `<=${target}`, limit === null ? '-' : limit.toFixed(0), ratio, verdict].join(' ') +
      ` load ${loadavg()[0]!.toFixed(1)}${noisy}${note === '' ? '' : ` (${note})`}`,
  ) // prettier-ignore
}

interface Sample {
  pdf: Uint8Array
  scan: Uint8Array
  photo: Uint8Array
}

async function samples(): Promise<Sample[]> {
  const all: Sample[] = []
  for (let index = 0; index < Number(values.documents); index++) {
    const layout = SETS['own']?.[PAGES[index % PAGES.length] ?? '']
    if (layout === undefined) throw new Error('A layout is missing.')
    const { bytes } = await drawDocument(layout, new Dice(500 + index))
    const maker = new PictureMaker(bytes, false)
    const [scan] = await maker.picturesOf('scan200', new Dice(index))
    const [photo] = await maker.picturesOf('photo', new Dice(index))
    if (!scan || !photo) throw new Error('A document without pages.')
    all.push({
      pdf: new Uint8Array(bytes),
      scan: new Uint8Array(scan.bytes),
      photo: new Uint8Array(photo.bytes),
    })
  }
  return all
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Reads each document as the product does, next to the limit; the first of each warms up. */
async function times(all: readonly Sample[]): Promise<void> {
  const engine = await startEngine(['spa'])
  const once = async (picture: Uint8Array): Promise<void> => {
    for await (const grey of decodePictures(picture)) engine.read(grey, 'column')
  }
  const kinds = {
    text: {
      read: ({ pdf }: Sample) => readFile({ bytes: pdf, mediaType: 'application/pdf' }, CONTEXT),
      limit: ({ pdf }: Sample) => withPdf(pdf, async (document) => document.getPage(0).getText()),
    },
    scan: {
      read: ({ scan }: Sample) => readFile({ bytes: scan, mediaType: 'image/jpeg' }, CONTEXT),
      limit: ({ scan }: Sample) => once(scan),
    },
    photo: {
      read: ({ photo }: Sample) => readFile({ bytes: photo, mediaType: 'image/jpeg' }, CONTEXT),
      limit: ({ photo }: Sample) => once(photo),
    },
  }
  for (const [kind, { read, limit }] of Object.entries(kinds)) {
    const subject: number[] = []
    const bare: number[] = []
    const cpu: number[] = []
    for (const [index, sample] of [all[0], ...all].entries()) {
      if (sample === undefined) continue
      const before = cpuMsOf(process.pid)
      const took = await timed(() => read(sample))
      const used = cpuMsOf(process.pid) - before
      const least = await timed(() => limit(sample))
      if (index === 0) continue
      subject.push(took)
      bare.push(least)
      cpu.push(used)
    }
    const target = TARGETS[kind as 'text' | 'scan' | 'photo']
    say(
      `intake.${kind}.median`,
      percentile(subject, 50),
      'ms',
      target,
      percentile(bare, 50),
      `processor time ${percentile(cpu, 50).toFixed(0)} ms, of all processes`,
    )
    say(`intake.${kind}.p95`, percentile(subject, 95), 'ms', null, percentile(bare, 95))
  }
  endIdleParsers()
}

interface Watched {
  latenciesMs: number[]
  /** MB of the server and its child processes together, at most. */
  resident: number
  /** The same with shared pages counted once. */
  proportional: number
}

/** Sends requests one after another and watches the memory, until `ended`. */
async function watch(url: string, key: string, pid: number, ended: Promise<unknown>): Promise<Watched> {
  const watched: Watched = { latenciesMs: [], resident: 0, proportional: 0 }
  const state = { isOver: false }
  void ended.finally(() => (state.isOver = true))
  const paths = [
    '/api/v1/invoices?limit=50',
    '/api/v1/contacts?limit=50',
    '/api/v1/received-invoices?limit=50',
  ]
  const measure = async (): Promise<void> => {
    while (!state.isOver) {
      const { resident, proportional } = memoryOf(pid)
      watched.resident = Math.max(watched.resident, resident)
      watched.proportional = Math.max(watched.proportional, proportional)
      await pause(100)
    }
  }
  const ask = async (): Promise<void> => {
    for (let index = 0; !state.isOver; index++) {
      const took = await timed(async () => {
        const answer = await fetch(url + paths[index % paths.length], {
          headers: { authorization: `Bearer ${key}` },
        })
        await answer.arrayBuffer()
        if (!answer.ok) throw new Error(`A request was answered with ${answer.status}.`)
      })
      watched.latenciesMs.push(took)
      await pause(BETWEEN_MS)
    }
  }
  await Promise.all([measure(), ask()])
  return watched
}

/** Starts the program, and reads four photographs at once while other requests arrive. */
async function load(all: readonly Sample[]): Promise<void> {
  if (!existsSync(values.bundle)) throw new Error(`${values.bundle} is missing: build first.`)
  const workplace = new Workplace(() => {})
  const place = await workplace.master(1_000, 'marked', 100)
  const child = spawn(
    process.execPath,
    [
      ...runtime.nodeFlags,
      values.bundle,
      'serve',
      '--data',
      place.folder,
      '--key-file',
      place.keyFile,
      '--port',
      '0',
    ],
    { env: { ...runtime.environment, ...process.env }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  try {
    const line = await new Promise<string>((done, failed) => {
      createInterface({ input: child.stdout }).once('line', done)
      child.once('exit', (code) => failed(new Error(`The server ended with ${code}.`)))
    })
    const { url } = JSON.parse(line) as { url: string }
    const { apiKey } = place
    const pid = child.pid ?? 0
    await watch(url, apiKey, pid, pause(IDLE_MS))
    const idle = await watch(url, apiKey, pid, pause(IDLE_MS))
    const read = async ({ photo }: Sample, index: number): Promise<void> => {
      const answer = await fetch(`${url}/api/v1/received-invoices/read`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `${index}.jpg`, content: Buffer.from(photo).toString('base64') }),
      })
      if (!answer.ok) throw new Error(`Reading was answered with ${answer.status}: ${await answer.text()}`)
      await answer.arrayBuffer()
    }
    const reading = Promise.all(all.slice(0, WAITING).map(read))
    const start = performance.now()
    const [busy] = await Promise.all([watch(url, apiKey, pid, reading), reading])
    const note = `${busy.latenciesMs.length} requests, ${WAITING} photographs in ${((performance.now() - start) / 1000).toFixed(1)} s`
    say(
      'intake.requests.p99',
      percentile(busy.latenciesMs, 99),
      'ms',
      TARGETS.requests,
      percentile(idle.latenciesMs, 99),
      note,
    )
    say('intake.requests.p50', percentile(busy.latenciesMs, 50), 'ms', null, percentile(idle.latenciesMs, 50))
    say(
      'intake.memory',
      busy.proportional,
      'MB',
      TARGETS.memory,
      idle.proportional,
      'all processes, shared pages counted once',
    )
    say(
      'intake.memory.summed',
      busy.resident,
      'MB',
      null,
      idle.resident,
      'shared pages counted in each process',
    )
  } finally {
    child.kill('SIGTERM')
    await gone
    workplace.close()
  }
}

/** Files of the program that only the reading of pictures needs. */
const ADDED = /traineddata|tesseract|libheif|mozjpeg_dec|squoosh_png|webp_dec|^UTIF|^ocr-worker/

/** Prints the bytes that the reading of pictures adds to the installed program. */
function size(): void {
  const folder = resolve(values.bundle, '..')
  if (!existsSync(folder)) throw new Error(`${folder} is missing: build first.`)
  const files = ['.', 'data'].flatMap((each) =>
    readdirSync(join(folder, each), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => ({ name: entry.name, bytes: statSync(join(folder, each, entry.name)).size })),
  )
  const sum = (all: readonly { bytes: number }[]): number =>
    all.reduce((whole, { bytes }) => whole + bytes, 0) / MEGABYTE
  const added = files.filter(({ name }) => ADDED.test(name))
  say(
    'intake.size',
    sum(added),
    'MB',
    null,
    sum(files),
    `${added.length} files; the limit is the whole server`,
  )
  for (const { name, bytes } of added.toSorted((a, b) => b.bytes - a.bytes))
    console.log(`  ${name} ${(bytes / MEGABYTE).toFixed(2)}`)
}

const wants = (part: string): boolean => values.only === '' || values.only.split(',').includes(part)
console.log('name figure unit target limit ratio verdict load')
const all = wants('times') || wants('load') ? await samples() : []
if (wants('times')) await times(all)
if (wants('load')) await load(all)
if (wants('size')) size()
