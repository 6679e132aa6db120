/**
 * Classifies network addresses for calls to addresses chosen by others: public, this computer, or its own network.
 * Every other form counts as none. Source: IANA special-purpose address registries (RFC 6890).
 */

/** First address and length of the prefix. */
type Range = readonly [address: string, bits: number]

/** Special-purpose ranges of IPv4: none of them is on the public internet. */
const IPV4_SPECIAL: readonly Range[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Private networks, and those that a provider shares among its customers (RFC 1918, RFC 6598). */
const IPV4_OWN: readonly Range[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
]

/**
 * The allocated global range of IPv6; within it, the ranges that embed other addresses or are for protocols or
 * examples.
 */
const IPV6_GLOBAL: Range = ['2000::', 3]
const IPV6_SPECIAL: readonly Range[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]
const IPV6_OWN: Range = ['fc00::', 7]

/**
 * Parses four numbers without leading zeros to a whole number; null for anything else, including octal and shortened
 * forms.
 */
function ipv4(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255))
    return null
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n)
}

/** Parses an IPv6 address without a zone to a whole number; null for anything else. */
function ipv6(text: string): bigint | null {
  const tail = /^(.*:)([^:]*\.[^:]*)$/.exec(text)
  const last = tail ? ipv4(tail[2] ?? '') : null
  if (tail && last === null) return null
  const hex =
    last === null ? text : `${tail?.[1] ?? ''}${(last >> 16n).toString(16)}:${(last & 0xffffn).toString(16)}`
  const halves = hex.split('::')
  if (halves.length > 2) return null
  const [head = [], rest = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const missing = 8 - head.length - rest.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...rest]
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return null
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
}

function within4(value: bigint, [address, bits]: Range): boolean {
  const shift = BigInt(32 - bits)
  return value >> shift === (ipv4(address) ?? 0n) >> shift
}

function within6(value: bigint, [address, bits]: Range): boolean {
  const shift = BigInt(128 - bits)
  return value >> shift === (ipv6(address) ?? 0n) >> shift
}

/** Returns true for an address on the public internet, but not for an IPv4 address mapped into IPv6. */
export function isPublicAddress(ip: string): boolean {
  const four = ipv4(ip)
  if (four !== null) return !IPV4_SPECIAL.some((range) => within4(four, range))
  const six = ipv6(ip)
  if (six === null) return false
  return within6(six, IPV6_GLOBAL) && !IPV6_SPECIAL.some((range) => within6(six, range))
}

/** Returns true for this computer itself: 127.0.0.0/8 and ::1, the former also as the system maps it into IPv6. */
export function isLoopback(ip: string): boolean {
  const four = ipv4(ip)
  if (four !== null) return four >> 24n === 127n
  const six = ipv6(ip)
  return six === 1n || (six !== null && six >> 32n === 0xffffn && ((six >> 24n) & 0xffn) === 127n)
}

/**
 * Returns true for an address in the user's own network, but not for link-local addresses, where cloud providers
 * serve credentials.
 */
export function isOwnNetwork(ip: string): boolean {
  const four = ipv4(ip)
  if (four !== null) return IPV4_OWN.some((range) => within4(four, range))
  const six = ipv6(ip)
  return six !== null && within6(six, IPV6_OWN)
}
