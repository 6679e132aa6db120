/** Parsers as processes of Electron: what is said reaches the other side, and one that hears nothing is ended. */
import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import type { utilityProcess } from 'electron'
import { expect, onTestFinished, test } from 'vitest'
import { startParserWith } from '../../main/parsers.ts'

type Fork = typeof utilityProcess.fork

/** A utility process that is a process of Node: it answers each message, and does not end when it is asked to. */
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

test('it is started with its flags and nothing of the environment, answers, and is ended by force', async () => {
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
  // What is gone can be ended again.
  parser.kill()
})
