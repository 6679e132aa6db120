/** The operations of backups. */
import { defineOperations, operation } from '../../context.ts'
import {
  listBackupsContract,
  makeBackupContract,
  backupSettingsContract,
  portableBackupContract,
  beginRestoreContract,
} from './contract.ts'
import { listBackups, makeBackupNow, changeBackupSettings, beginRestore } from './manage.ts'
import { portableBackup } from './portable/portable-now.ts'

export const backupOperations = defineOperations([
  operation(listBackupsContract, listBackups),
  operation(makeBackupContract, makeBackupNow),
  operation(backupSettingsContract, changeBackupSettings),
  operation(portableBackupContract, portableBackup),
  operation(beginRestoreContract, beginRestore),
])
