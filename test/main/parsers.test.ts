/** Parsers as processes of Electron: messages reach the other side, and an unresponsive process is killed. */
import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import type { utilityProcess } from 'electron'
import { expect, onTestFinished, test } from 'vitest'
import { startParserWith } from '../../main/parsers.ts'

type Fork = typeof utilityProcess.fork

/** Creates a utility process from a Node process: it answers each message, and ignores the request to end. */
function fakeFork(calls: unknown[]): Fork {
  return ((...call: Parameters<Fork>) => {
    calls.push(call)
    const child = spawn(
      process.execPath,
      [
        '-e',
        "process.on('SIGTERM', () => {}); process.on('message', (said) => process.send({ said })); setInterval(() => {}, 1000)",
      ],
      { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    const utility = new EventEmitter()
    child.on('message', (message) => utility.emit('message', message))
    child.on('exit', (code) => utility.emit('exit', code ?? 9))
    return Object.assign(utility, {
      pid: child.pid,
      postMessage: (message: object) => child.send(message),
      kill: () => child.kill('SIGTERM'),
    })
  }) as unknown as Fork
}

test('a parser is started with its flags and without the environment, answers, and can be killed', async () => {
  const calls: unknown[] = []
  const env = { MALLOC_ARENA_MAX: '1' }
  const start = {
    file: '/app/read-worker.js',
    args: ['--parser=read'],
    flags: ['--max-old-space-size=112'],
    env,
  }
  const parser = startParserWith({ fork: fakeFork(calls) })(start)
  expect(calls).toEqual([
    [start.file, start.args, expect.objectContaining({ env, execArgv: start.flags, stdio: 'ignore' })],
  ])
  const ended = new Promise((resolve) => parser.onExit((code, signal) => resolve([code, signal])))
  const answered = new Promise((resolve) => parser.onMessage(resolve))
  await parser.send({ job: 1 })
  expect(await answered).toEqual({ said: { job: 1 } })
  parser.kill()
  expect(await ended).toEqual([9, null])
  // An ended process can be killed again.
  parser.kill()
})
