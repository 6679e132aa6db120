/** Canonical JSON: one text per value whatever the order of its keys, so that values can be compared by hash. */

/** Serializes a value as JSON with sorted keys and without undefined members. Throws on values that JSON cannot hold. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('A canonical value must be finite.')
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value === 'object') {
    const members = value as Record<string, unknown>
    let text = ''
    // The default sort order is by UTF-16 code unit, which canonical JSON requires.
    for (const name of Object.keys(value).sort()) {
      const member = members[name]
      if (member !== undefined)
        text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`
    }
    return `{${text}}`
  }
  throw new TypeError(`A canonical value cannot hold a ${typeof value}.`)
}
