/**
 * What the simulated authorities have in common: certificates, a server with mutual TLS, fault switches, the control port
 * and the command that runs one. Load it on demand: it loads the libraries that create certificates.
 */
export { issueClientCertificate, makeAuthorityCa } from './certificates/certificates.ts'
export type { AuthorityCa, Validity } from './certificates/certificates.ts'
export { runSimulatedAuthority } from './command.ts'
export type { AuthorityCommand, CommandIo } from './command.ts'
export { startControlServer } from './control-server.ts'
export { readBody } from './read-body.ts'
export { startTlsServer } from './tls-server.ts'
export type { PeerFault, TlsServerOptions } from './tls-server.ts'
