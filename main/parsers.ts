/** Starts the parsers of foreign files as utility processes: the packaged app does not run as Node. */
import type Electron from 'electron'
import type { StartParser } from '../server/api/application.ts'

/** Returns the function that starts a parser in Electron. */
export function startParserWith(utilityProcess: Pick<typeof Electron.utilityProcess, 'fork'>): StartParser {
  return ({ file, args, flags, env }) => {
    const child = utilityProcess.fork(file, [...args], {
      env: { ...env },
      execArgv: [...flags],
      stdio: 'ignore',
      serviceName: 'Sello parser',
    })
    return {
      get pid() {
        return child.pid
      },
      send: async (message) => child.postMessage(message),
      onMessage: (listener) => void child.on('message', listener),
      onExit: (listener) => void child.once('exit', (code) => listener(code, null)),
      kill: () => {
        // Electron's own `kill` asks the process to end, which a busy process may not notice.
        try {
          if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL')
        } catch {
          child.kill()
        }
      },
      // The app ends when its windows do, and its child processes with it.
      hold: () => {},
    }
  }
}
