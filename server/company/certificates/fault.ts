/** Reasons why a certificate file cannot be used; they are the values of `details.why` of `certificate_invalid`. */
import { english } from '../../domain/errors/messages/en.ts'

export type FileFaultReason =
  /** Not ASN.1, not PKCS#12, or damaged. */
  | 'unreadable'
  /** PKCS#12 in an unsupported form or with an unsupported cipher. */
  | 'unsupported_format'
  | 'unsupported_cipher'
  /** It needs more time or memory than any genuine file. */
  | 'too_slow'
  | 'too_large'
  | 'no_key'
  | 'no_certificate'
  /** None of the certificates belongs to the key. */
  | 'key_of_another_certificate'
  /** RSA of less than 2048 bits, or a curve or kind of key that the authority does not accept. */
  | 'key_too_short'
  | 'unknown_curve'
  | 'unknown_key_type'
  /** Its signatures cannot be verified. */
  | 'key_does_not_work'

/** The file is not usable. */
export class FileFault extends Error {
  readonly why: FileFaultReason

  constructor(why: FileFaultReason) {
    super(`The certificate file is of no use: ${why}.`)
    this.name = 'FileFault'
    this.why = why
  }
}

/** The password does not open the file. */
export class PasswordFault extends Error {
  constructor() {
    super(english.certificate_password.message)
    this.name = 'PasswordFault'
  }
}
