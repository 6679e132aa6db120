/** Converts docs/CHANGELOG.md to Debian's changelog. Pure. */

const WIDTH = 78
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

interface Release {
  version: string
  /** YYYY-MM-DD; null for a version that is not released. */
  date: string | null
  /** Paragraphs as plain text. */
  changes: string[]
}

/** Reads the releases of a changelog, the newest first. Throws for a heading of another form. */
export function readReleases(markdown: string): Release[] {
  const [, ...sections] = markdown.split(/^## /m)
  return sections.map((section) => {
    const [heading = '', ...rest] = section.split('\n')
    const [, version, when] = /^(\d\S*) \((not released|\d{4}-\d\d-\d\d)\)$/.exec(heading) ?? []
    if (!version || !when) throw new Error(`The changelog has a heading that names no release: ${heading}`)
    const changes = rest
      .join('\n')
      .split(/\n{2,}/)
      .map((paragraph) =>
        paragraph
          .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
          // Marks around words; the star in the name of the scheme stays.
          .replaceAll(/`|(?<![\w\\])\*+(?=\w)|(?<=[\w.,])\*+(?!\w)|\\(?=\*)/g, '')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      )
      .filter((paragraph) => paragraph !== '')
    if (changes.length === 0) throw new Error(`The changelog says nothing about ${version}.`)
    return { version, date: when === 'not released' ? null : when, changes }
  })
}

/** Wraps a text after `first`; further lines are indented by as many spaces. */
function wrapped(text: string, first: string): string {
  const indent = ' '.repeat(first.length)
  const lines: string[] = []
  let line = first
  for (const word of text.split(' ')) {
    if (line.length > first.length && line.length + word.length > WIDTH) {
      lines.push(line.trimEnd())
      line = indent
    }
    line += `${word} `
  }
  return [...lines, line.trimEnd()].join('\n')
}

/** Formats an instant as RFC 5322 does, in UTC, whatever the language and the time zone of the computer. */
export function changelogDate(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(two).join(':')
  return `${DAYS[at.getUTCDay()]}, ${two(at.getUTCDate())} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()} ${time} +0000`
}

/** Returns Debian's changelog; `at` is the time of the newest entry unless its release has a date. */
export function debianChangelog(
  releases: readonly Release[],
  { revision, maintainer, at }: { revision: string; maintainer: string; at: Date },
): string {
  const entries = releases.map(({ version, date, changes }, index) => {
    const head = `sello (${version}-${index === 0 ? revision : '1'}) ${date === null ? 'UNRELEASED' : 'stable'}; urgency=medium`
    const day = date === null ? at : new Date(`${date}T00:00:00Z`)
    const body = changes.map((change) => wrapped(change, '  * ')).join('\n')
    return `${head}\n\n${body}\n\n -- ${maintainer}  ${changelogDate(day)}\n`
  })
  return entries.join('\n')
}
