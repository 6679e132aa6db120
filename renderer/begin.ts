/** Imported first of all: everything that is imported after it runs while the answers are on their way. */
import { askForFirstPage } from './first.ts'

askForFirstPage()
