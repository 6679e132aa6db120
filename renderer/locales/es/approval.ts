/** Texts of approvals that programs request. */
export const approval = {
  approval: {
    title: {
      issue: 'quiere emitir una factura',
      cancel: 'quiere anular un registro',
      amend: 'quiere corregir un registro',
    },
    short: { issue: 'Emitir {number}', cancel: 'Anular {number}', amend: 'Corregir {number}' },
    channel: { mcp: 'Asistente en este equipo', rest: 'Programa, por la API' },
    head: {
      issue: 'Lo que se registrará',
      cancel: 'Lo que se anulará',
      amend: 'Lo que se enviará al registro',
    },
    lines: 'Sin líneas | 1 línea | {count} líneas',
    left: 'Se acabó el tiempo | Queda 1 minuto | Quedan {count} minutos',
    newKey: 'Esta clave lo pide por primera vez. Comprueba de quién es antes de aprobar.',
    changed:
      'El borrador ha cambiado desde que lo pidió. Así no se puede aprobar: tiene que volver a pedirlo.',
    checked: 'Hemos comprobado',
    check: {
      client: 'Ya has facturado a este cliente.',
      newClient: 'Es la primera factura a este cliente.',
      nif: 'El NIF está bien escrito.',
      badNif: 'El NIF no es válido.',
      caps: 'Entra en los límites diarios de la clave.',
      overCaps: 'Pasa de los límites diarios de la clave.',
      unchanged: 'No ha cambiado desde que lo pidió.',
      changed: 'Ha cambiado desde que lo pidió.',
    },
    mind: 'Antes de aprobar:',
    cannot: 'Ahora no se puede:',
    final: 'No se puede deshacer.',
    approve: { issue: 'Aprobar y emitir', cancel: 'Aprobar y anular', amend: 'Aprobar y enviar' },
    status: {
      pending: 'Por decidir',
      approved: 'Aprobada y ejecutada',
      denied: 'Rechazada',
      withdrawn: 'Ya no hace falta: la factura o la clave es otra',
      expired: 'Caducó sin respuesta. No se hizo nada.',
    },
    done: {
      issue: 'Emitida: {number}. Enviándola a la [authority].',
      cancel: 'Anulación de {number} en camino a la [authority].',
      amend: 'Corrección de {number} en camino a la [authority].',
      denied: 'Rechazada. No se hizo nada.',
    },
    withdrawn: {
      title: 'Ya no hace falta aprobar lo que pedía {who}',
      text: 'El borrador ha cambiado: si quiere emitirlo, lo pedirá otra vez.',
    },
    codeMissing: {
      title: 'Antes, pon un código de bloqueo a Sello',
      text: 'Sin un código que solo tú sepas, un programa de este equipo podría pedir y aprobar él mismo. Se pone una vez; la petición te espera en la bandeja.',
      action: 'Poner el código',
    },
    proof: { title: '¿Eres tú?', text: 'Escribe el código de bloqueo para aprobarlo. No se puede deshacer.' },
    see: 'Ver la factura',
    toast: { title: '{who} pide tu aprobación', action: 'Revisar' },
  },
}
