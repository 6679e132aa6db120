/** Words of the app lock: its page, its warning, its settings, its errors and its history. */
export const lock = {
  lock: {
    title: 'Sello está bloqueado',
    code: 'Tu clave',
    pin: 'Tu PIN',
    show: 'Ver lo que escribes',
    hide: 'Ocultar lo que escribes',
    capitals: 'Tienes las mayúsculas bloqueadas',
    open: 'Desbloquear',
    empty: 'Escribe tu clave',
    wrong: 'Esa no es la clave. Escríbela otra vez.',
    waitingNotice: 'Nada espera. | Hay 1 cosa por decidir. | Hay {count} cosas por decidir.',
    wrongPin: 'Ese no es el PIN. Escríbelo otra vez.',
    waiting: 'No es esa. Puedes probar otra vez en {time}.',
    forgotten: 'He olvidado la clave',
    forgottenPin: 'He olvidado el PIN',
    forgottenText: 'Abre con el código de recuperación que guardaste y elige una clave nueva.',
    recovery: 'Código de recuperación',
    recoveryEmpty: 'Escribe el código: siete grupos de cuatro letras y cifras',
    newCode: 'Clave nueva',
    newEmpty: 'Elige una clave nueva',
    rule: 'Un PIN de 6 cifras o más, o una clave de 8 letras o más.',
    openWithRecovery: 'Abrir y cambiar la clave',
    back: 'Volver a la clave',
    since: {
      person: 'Lo bloqueaste a las {time}',
      idle: 'Bloqueado a las {time}, sin nadie delante',
      system: 'Bloqueado a las {time}, con el equipo',
      start: 'Abierto a las {time}; falta tu clave',
    },
    goesOn: 'Los envíos a la AEAT, las claves API y los asistentes siguen trabajando.',
    entry: {
      title: 'Sello no conoce este navegador',
      why: 'Está abierto y trabajando, pero solo deja entrar al navegador que abrió él mismo o a quien sabe la clave.',
      open: 'Entrar',
      again:
        'También puedes parar Sello donde lo abriste (Ctrl+C) y abrirlo otra vez: el enlace que da vale una sola vez.',
    },
    now: 'Bloquear ahora',
    warn: {
      title: '¿Sigues ahí?',
      text: 'Lo que estás escribiendo no se pierde.',
      left: 'Sello se bloquea en {seconds} s',
      stay: 'Seguir aquí',
    },
    settings: {
      title: 'Bloqueo de Sello',
      off: 'Pide una clave al abrir Sello y cuando no hay nadie delante. Ahora está apagado.',
      on: 'Sello pide tu clave al abrirse y cuando no hay nadie delante.',
      onPin: 'Sello pide tu PIN al abrirse y cuando no hay nadie delante.',
      needsRecovery: 'Antes, guarda el código de recuperación: es lo único que abre si olvidas la clave.',
      turnOn: 'Activar el bloqueo',
      change: 'Cambiar la clave',
      turnOff: 'Apagar el bloqueo',
      idle: 'Se bloquea sin nadie delante tras',
      minutes: '{count} min',
      hour: '1 hora',
      withSystem: 'Bloquear con el equipo',
      withSystemHelp: 'Cuando bloqueas la sesión o el equipo se duerme. En la aplicación de escritorio.',
      showName: 'Mostrar el nombre de la empresa',
      showNameHelp: 'En la pantalla de bloqueo.',
      beforeApproval: 'Pedir la clave al aprobar',
      beforeApprovalHelp:
        'Antes de emitir, anular o corregir lo que pide un programa. Si el equipo tiene Touch ID, basta el dedo.',
      approvalsOn: 'Pedir la clave al aprobar',
      approvalsOnText: 'Así, un programa que mueva el ratón no puede pedir y aprobar él mismo.',
      approvalsOff: 'Dejar de pedir la clave',
      approvalsOffText: 'Bastará un clic para aprobar lo que pida un programa.',
      whatFor:
        'Protege de quien se sienta delante de tu equipo. Las claves API y los asistentes tienen sus propias llaves y no se paran.',
      current: 'Clave actual',
      fresh: 'Clave nueva',
      again: 'Escríbela otra vez',
      differ: 'No coinciden: escribe dos veces la misma',
      currentEmpty: 'Escribe la clave que tienes ahora',
      isOn: 'Bloqueo activado',
      isChanged: 'Clave cambiada',
      isOff: 'Bloqueo apagado',
      turnOnText: 'La pedirá al abrirse y al volver. Si la olvidas, abres con el código de recuperación.',
      changeText: 'Desde ahora se abre solo con la nueva.',
      turnOffText: 'Quien se siente delante de tu equipo verá tus facturas.',
    },
  },
  look: {
    motion: 'Movimiento',
    motionSystem: 'Como el sistema',
    motionLess: 'Sin animaciones',
    density: 'Filas y tablas',
    menu: 'En el menú',
    menuHelp: 'Lo que quites sigue estando: búscalo con Ctrl K.',
  },
}

/** For the catalogue of errors. */
export const lockErrors = {
  app_locked: { title: 'Sello está bloqueado', next: 'Ábrelo con tu clave.' },
  lock_code_wrong: {
    title: 'Esa no es la clave',
    next: 'Escríbela otra vez o usa el código de recuperación.',
  },
  identity_needed: {
    title: 'Falta comprobar que eres tú',
    next: 'Escribe la clave del bloqueo. Si aún no tienes, ponla en Ajustes, Seguridad.',
  },
  window_link_spent: {
    title: 'Ese enlace ya se usó o ha caducado',
    next: 'Escribe la clave o el código de recuperación, o para Sello y ábrelo otra vez.',
  },
  lock_wait: {
    title: 'Demasiadas claves equivocadas',
    next: 'Espera {seconds} s o usa el código de recuperación.',
  },
  lock_not_set: { title: 'El bloqueo está apagado', next: 'Actívalo en Ajustes, Seguridad.' },
  lock_needs_recovery: {
    title: 'Falta el código de recuperación',
    next: 'Guárdalo primero: es lo único que abre si olvidas la clave.',
  },
}

/** For the faults of fields. */
export const lockFaults = {
  lock_code_short: 'Es corta: usa 6 cifras o más, u 8 letras o más',
  lock_code_plain: 'Es de las primeras que cualquiera prueba: elige otra',
}

/** For the history. */
export const lockActions = {
  lock_on: 'Bloqueo activado',
  lock_changed: 'Bloqueo cambiado',
  lock_off: 'Bloqueo apagado',
  lock_locked: 'Sello bloqueado',
  lock_unlocked: 'Sello desbloqueado',
  lock_recovered: 'Desbloqueado con el código de recuperación',
}
