/** Writes the manual page from what the program says about its commands. Pure. */

interface DescribedCommand {
  usage: string
  about: string
}

/** Reads the list of commands from the output of `help`. Throws if a command is missing. */
export function readCommands(help: string, names: readonly string[]): DescribedCommand[] {
  const found = [...help.matchAll(/^ {2}(\S.*)\n {6}(\S.*)$/gm)].map(([, usage = '', about = '']) => ({
    usage,
    about,
  }))
  const missing = names.filter(
    (name) => !found.some(({ usage }) => usage === name || usage.startsWith(`${name} `)),
  )
  if (missing.length > 0 || found.length !== names.length)
    throw new Error(`The help of the program has another form: ${missing.join(', ')}`)
  return found
}

/** Escapes text for roff: a minus is typed, not a hyphen, and no line starts with a control character. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^([.'])/gm, '\\&$1')

const tagged = (tag: string, text: string): string => `.TP\n.B ${escaped(tag)}\n${escaped(text)}\n`

/** Returns the page for section 1, in roff. */
export function manualPage(
  commands: readonly DescribedCommand[],
  { version, date }: { version: string; date: string },
): string {
  return `.\\" Written by the build from the program's own help.
.TH SELLO 1 "${escaped(date)}" "sello ${escaped(version)}" "User commands"
.SH NAME
sello \\- invoicing for small businesses in Spain
.SH SYNOPSIS
.B sello
.I command
.RI [ options ]
.SH DESCRIPTION
Sello drafts invoices, issues them under the VERI*FACTU scheme of the Spanish tax agency, and keeps the books on this
computer, encrypted.
.B sello open
opens its page in the browser; the other commands are for terminals and programs.
.PP
The last line of the standard output is one JSON object for programs; text for people goes to the standard error. Only
one process opens a store at a time: while Sello runs, it executes most commands itself.
.SH COMMANDS
${commands.map(({ usage, about }) => tagged(usage, about)).join('')}.SH OPTIONS
${tagged('--data DIR', 'The folder of the books.')}${tagged('--key-file F', 'The file with the key of the books.')}${tagged('--help', 'Describe the command.')}${tagged('--version', 'Show the version, and the hash of the build.')}.SH ENVIRONMENT
${tagged('SELLO_DATA', 'The folder of the books, unless an option names it.')}${tagged('SELLO_KEY_FILE', 'The file with their key, unless an option names it.')}${tagged('SELLO_PORT', 'The port of serve and open, unless an option names it.')}.SH FILES
${tagged('~/.config/sello', 'The books of a user, their key if no keychain works, and their backups.')}${tagged('/var/lib/sello', 'The same of the system unit.')}${tagged('/usr/lib/sello/SHA256SUMS', 'Every file of the package with its SHA-256.')}.SH UNITS
${tagged('sello.service', 'The server without a window, as the user _sello; neither enabled nor started by the package.')}${tagged('sello-office@PORT.service', 'A server of an office on PostgreSQL; neither enabled nor started by the package. See /usr/share/doc/sello/office.md.')}${tagged('sello-office-migrate.service', 'Brings the database of an office to the schema of this version.')}${tagged('sello.service (of a user)', 'The server whose page the browser of that user shows.')}.SH EXIT STATUS
0 for success, 1 for a failure or a failed verification, 2 for an unknown command or option, 3 if another process uses
the books or the port.
.SH SEE ALSO
/usr/share/doc/sello/README.Debian
`
}
