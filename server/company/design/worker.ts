/** Process that reads a picture as a logo: it runs the untrusted bytes under limits. */
import { answerJobs } from '../../platform/processes/parsers.ts'
import { readLogo } from './logo.ts'
import type { Logo } from './logo.ts'

answerJobs<Uint8Array, Logo>('logo', (bytes) =>
  readLogo(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
)
