/** Public interface of signing in, for the routes that answer before somebody is signed in. */
export { recordJoinedAll } from '../joined.ts'
export { firmDirectoryFrom } from './settings.ts'
export { beginRegistration, confirmPassword, registerPasskey, registerPassword } from './register.ts'
export {
  beginPasskey,
  beginPassword,
  beginVerification,
  finishPasskey,
  finishPassword,
  finishVerification,
  signOut,
  spendVerification,
} from './sign-in.ts'
export type { SignedIn } from './sign-in.ts'
