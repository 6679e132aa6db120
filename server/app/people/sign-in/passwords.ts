/** Passwords: never alone, always with a second factor. Stored as Argon2id (RFC 9106) in the PHC text form. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import { searchText } from '../../../domain/text.ts'

const hash = promisify(argon2)

/** 64 MiB, three passes: RFC 9106, section 4, second choice, with one lane instead of four. */
const COST = { memory: 65_536, passes: 3, parallelism: 1 } as const
const TAG_BYTES = 32
/** At most this many at a time: each needs 64 MiB. */
const AT_ONCE = 2

let running = 0
const waiting: (() => void)[] = []

async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

const plain = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

async function tagOf(
  password: string,
  salt: Buffer,
  { memory, passes, parallelism }: { memory: number; passes: number; parallelism: number },
): Promise<Buffer> {
  return oneOfFew(() =>
    hash('argon2id', {
      // The same characters, however they were typed.
      message: password.normalize('NFKC'),
      nonce: salt,
      parallelism,
      tagLength: TAG_BYTES,
      memory,
      passes,
    }),
  )
}

/** Returns the text that is stored for a password. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await tagOf(password, salt, COST)
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${plain(salt)}$${plain(tag)}`
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/
/** Compared where there is no account, so that the time does not say so. */
const NOBODY = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${plain(Buffer.alloc(16))}$${plain(Buffer.alloc(TAG_BYTES))}`

/** Returns true if the password is the one of a stored text; null is the text of nobody. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(stored ?? NOBODY) ?? []
  const given = await tagOf(password, Buffer.from(salt, 'base64'), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  })
  const wanted = Buffer.from(tag, 'base64')
  return stored !== null && wanted.length === given.length && timingSafeEqual(given, wanted)
}

const LEAST = 12
const MOST = 200
/** What every list of guesses begins with. */
const GUESSED =
  /^(?:(?:password|contrasena|contraseña|qwerty|qwertyuiop|asdfgh|administrador|administrator|bienvenido|welcome|sello|factura|empresa)[\d\W_]*|(?:(.)\1*)|(?:0?123456789\d*)|(?:abcdefghij\w*))$/i

/** Throws `validation_failed` for a password that is short or easily guessed; `about` are the person's name and address. */
export function assertPassword(password: string, about: readonly string[]): void {
  const text = password.normalize('NFKC')
  const length = [...text].length
  const code =
    length < LEAST || length > MOST
      ? 'password_length'
      : GUESSED.test(text) || isAbout(text, about)
        ? 'password_guessed'
        : null
  if (code === null) return
  throw validationFailed([
    {
      code,
      field: 'password',
      severity: 'error',
      message:
        code === 'password_length'
          ? `A password has ${LEAST} to ${MOST} characters.`
          : 'This password is among the first that are guessed.',
      fix: 'Take four words that do not belong together.',
    },
  ])
}

/** True if little is left of the text without the person's own words. */
function isAbout(text: string, about: readonly string[]): boolean {
  const words = about
    .flatMap((one) => searchText(one).split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length >= 3)
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), searchText(text))
  return [...rest.replaceAll(/[^\p{L}\p{N}]/gu, '')].length < LEAST / 2
}
