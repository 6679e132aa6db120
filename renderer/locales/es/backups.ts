/** Texts of backups: the card in Settings, the bar and the notice while no backup can be made. */
export const backups = {
  backups: {
    title: 'Copias de seguridad',
    text: 'Sello copia tus libros una vez al día, al salir si algo cambió y antes de actualizarlos. Cada copia se abre y se compara con los libros; van cifradas con la misma llave.',
    last: 'Última',
    none: 'Todavía no hay ninguna',
    next: 'Siguiente',
    now: 'Ahora mismo',
    whileReading: 'No se hacen copias mientras los libros están abiertos solo para leer',
    withCompany: 'Cuando haya una empresa',
    where: 'Dónde',
    kept: 'Guardadas',
    drill: 'Última prueba',
    drillHeld: '{when}: se abrió y estaba entera',
    drillFailed: '{when}: no sirve; {why}',
    drillNone: 'Se prueba una cada semana',
    make: 'Hacer una copia ahora',
    making: 'Copiando y comprobando…',
    made: 'Copia hecha y comprobada.',
    failedSince: 'Sin copias nuevas desde {since}: {why}. Las que ya hay siguen ahí.',
    reason: {
      daily: 'diaria',
      migration: 'antes de actualizar',
      quit: 'al salir',
      manual: 'a mano',
      restore: 'antes de restaurar',
    },
    list: 'Ver todas',
    portable: {
      label: 'Copia portátil',
      help: 'Un solo archivo con todos tus libros. Se abre en cualquier equipo con tu código de recuperación, y sin él no lo abre nadie. En otro equipo se restaura aquí mismo, o al abrir Sello por primera vez.',
      make: 'Descargar copia portátil',
      making: 'Copiando y comprobando…',
      made: 'Copia portátil descargada: guárdala lejos de este equipo.',
    },
    restore: {
      label: 'Restaurar una copia',
      help: 'Sustituye los datos actuales por una de estas copias o por tu archivo portátil.',
      start: 'Restaurar…',
      title: 'Restaurar una copia',
      text: 'Sello cierra los datos y te enseña las copias que hay.',
      textEmpty: 'Aquí no hay nada todavía: elige tu archivo portátil y escribe el código de recuperación.',
      shut: 'Mientras están cerrados, nadie emite: tampoco asistentes ni otros programas.',
      kept: 'Los datos actuales no se borran: se guardan aparte en la misma carpeta, y puedes volver a abrirlos sin restaurar nada.',
      lost: 'Lo hecho después de la copia no estará en ella.',
      held: 'Si a la copia le faltan facturas que ya emitiste, no se emite hasta recuperar sus números de la [authority].',
      yes: 'Cerrar y elegir copia',
      shutting: 'Copiando lo último y cerrando…',
    },
    own: {
      label: 'Otra carpeta además',
      help: 'En un disco externo, por ejemplo: si este equipo se estropea, conservas la copia. Escribe la ruta entera.',
      save: 'Guardar',
      remove: 'Quitar',
      last: 'La última allí es de {when}.',
      waiting: 'Allí irá la próxima.',
      fault: 'No se llega a ella desde {since}: {why}.',
    },
    why: {
      no_space: 'no queda sitio en el disco',
      folder_missing: 'la carpeta no está, o su disco no está conectado',
      folder_denied: 'no se puede escribir en la carpeta',
      disk_failed: 'el disco da errores',
      differs: 'la copia no era igual que tus libros',
      broken_chain: 'los registros o el historial no cuadran: compruébalo en [registryPage]',
      busy: 'tus libros no paraban de cambiar',
      other: 'un fallo que está en el registro de actividad del programa',
    },
    bar: {
      failed: 'No se pueden hacer copias de seguridad',
      drill: 'La última copia de seguridad no se puede usar',
      own: 'Hace más de una semana que no se copia en tu otra carpeta',
      text: 'El motivo: {why}.',
      act: 'Ver copias',
    },
  },
}

/** Faults of fields. */
export const backupFaults = {
  folder_not_absolute: 'Escribe la ruta entera de la carpeta',
  folder_in_data: 'Elige una carpeta fuera de la de tus datos',
  folder_unusable: 'La carpeta no está, o no se puede escribir en ella',
}

/** Actions in the history. */
export const backupActions = {
  backups_settings: 'Carpeta de las copias cambiada',
  backups_portable: 'Copia portátil hecha',
  backups_restored: 'Libros restaurados de una copia',
}
