/** Exports for the command line, which load the platform and its help only when they are asked for. */
import type { PlatformCommand, PlatformIo } from './command.ts'

/** Runs the platform until it is stopped. */
export async function runPlatform(command: PlatformCommand, io: PlatformIo): Promise<void> {
  const { runPlatformCommand } = await import('./command.ts')
  return runPlatformCommand(command, io)
}

/** Returns the text of `sello platform --help` after its first lines. */
export async function platformHelp(): Promise<string> {
  const { helpText } = await import('./help.ts')
  return helpText()
}
