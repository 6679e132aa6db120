/** Texts with the names of colleagues in them. Pure. */

interface TextPart {
  text: string
  isMention: boolean
}

/** Splits a text at the names that it mentions; of two names that begin alike the longer one counts. */
export function textParts(text: string, mentions: readonly { name: string }[]): TextPart[] {
  const names = mentions.map(({ name }) => `@${name}`).toSorted((one, other) => other.length - one.length)
  const parts: TextPart[] = []
  let plain = ''
  for (let at = 0; at < text.length;) {
    const name = names.find((each) => text.startsWith(each, at))
    if (name === undefined) {
      plain += text[at++]
      continue
    }
    if (plain) parts.push({ text: plain, isMention: false })
    parts.push({ text: name, isMention: true })
    plain = ''
    at += name.length
  }
  if (plain) parts.push({ text: plain, isMention: false })
  return parts
}
