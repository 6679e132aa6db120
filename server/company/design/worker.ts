/** The process that reads a picture to be a logo: whatever its bytes do, they do it here, under limits. */
import { answerJobs } from '../../platform/processes/parsers.ts'
import { readLogo } from './logo.ts'
import type { Logo } from './logo.ts'

answerJobs<Uint8Array, Logo>('logo', (bytes) =>
  readLogo(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
)
